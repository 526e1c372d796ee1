// Shows the beginning of a report: the verdict with its reason, the findings of guards, a line for each dataset.

import { DATASET_NAMES, datasetOf } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import { causesFirst, type FindingInLines, isRefused, isWarning } from '../../guards/finding.ts';
import { hiddenRefusalsText } from '../../guards/hiddenRefusals.ts';
import { count, counted } from '../../messages/numbers.ts';
import { ARRIVED_NOTE, summaryColumns, summaryOf } from '../datasetSummaries.ts';
import type { LinkTargets } from '../linkTargets.ts';
import type { Report } from '../reportTypes.ts';
import { findingText } from './findingText.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';
import { tableHtml } from './sectionTable.ts';

/** Verdict, headline, findings, and the table of datasets. */
export function verdictSection(report: Report, places: LinkTargets): Html {
  const { sign, kind, word, why } = verdictOf(report);
  return html`<p class="over">${KIND[report.status]}${report.comparedWith === null ? '' : html` · compared with <span class="keep">${report.comparedWith}</span>`}</p>
<div class="title"><h1>${report.snapshot ?? report.month}</h1>
<p class="verdict ${kind}" id="verdict"><strong>${sign} ${word}</strong>${why === '' ? '' : html` <span>${withNonBreakingNumbers(why)}</span>`}</p></div>
<p class="headline">${withNonBreakingNumbers(report.headline)}</p>
${refused(report, places)}${accepted(report, places)}${warned(report, places)}${datasetLines(report)}`;
}

const KIND: Readonly<Record<Report['status'], string>> = {
  published: 'Publication report',
  refused: 'Report of a month that was not published',
  checked: 'Report of a month not published yet (--dry-run)',
};

interface ShownVerdict {
  readonly sign: string;
  readonly kind: 'good' | 'mind' | 'stop';
  readonly word: string;
  readonly why: string;
}

function verdictOf(report: Report): ShownVerdict {
  const all = findingsOf(report);
  const [stopping, passed, warnings] = [all.filter(isRefused), all.filter(isAccepted), all.filter(isWarning)];
  const warns = warnings.length === 0 ? '' : counted(warnings.length, 'warning');
  if (report.status === 'refused')
    return { sign: '✗', kind: 'stop', word: 'Refused', why: refusalOf(report, stopping.length) };
  const word = report.status === 'published' ? 'Published' : 'Would be published';
  if (report.comparedWith === null)
    return report.currentDamage === null
      ? { sign: '!', kind: 'good', word, why: 'there was no snapshot to compare with, so no guard ran' }
      : { sign: '!', kind: 'mind', word, why: 'nothing could be compared, so no guard ran' };
  const accepts = passed.length === 0 ? '' : `${counted(passed.length, 'finding')} accepted by hand`;
  const why = [accepts, warns].filter((part) => part !== '').join(', ') || 'every guard passed';
  return passed.length > 0 ? { sign: '!', kind: 'mind', word, why } : { sign: '✓', kind: 'good', word, why };
}

function refusalOf(report: Report, findings: number): string {
  if (unacceptedDamage(report) !== null) return 'nothing could be compared';
  return findings === 0 ? 'with --strict a warning is an error' : counted(findings, 'finding');
}

/** The damage of the current snapshot; null when it is not damaged, or somebody accepted the damage. */
const unacceptedDamage = ({ currentDamage }: Report): string | null =>
  currentDamage === null || currentDamage.accepted !== null ? null : currentDamage.message;

/** The findings of all guards, in the order in which `publish` prints them. */
const findingsOf = ({ checked }: Report): readonly FindingInLines[] =>
  causesFirst(checked.guards.flatMap(({ findings }) => findings));
/** Whether somebody accepted a finding. Both refusals and warnings can be accepted. */
const isAccepted = ({ accepted: why }: FindingInLines) => why !== null;

/** How many findings of a kind are shown before the details. The details have all findings. */
const MOST_SHOWN = 8;

const linked = (finding: FindingInLines, places: LinkTargets): Html =>
  html`<a href="#${places.of(finding)}">${finding.country ?? finding.dataset}</a> <span class="soft">${finding.country === null ? '' : `${finding.dataset} · `}${finding.rule}</span><br>${findingText(finding)}`;

const others = (all: readonly FindingInLines[]): Html | null =>
  all.length <= MOST_SHOWN
    ? null
    : html`<p><a href="#checked">${count(all.length - MOST_SHOWN)} more, with all others</a></p>`;

function refused(report: Report, places: LinkTargets): Html | null {
  const damage = unacceptedDamage(report);
  if (damage !== null)
    return html`<div class="note stop" role="note"><h2>Refused: the current snapshot</h2>
<p>${withNonBreakingNumbers(damage)}<br><span class="soft">If that is right: <code>--accept current-damaged --reason "…"</code></span></p></div>
`;
  const found = findingsOf(report).filter(isRefused);
  if (found.length === 0) return null;
  return html`<div class="note stop" role="note"><h2>Refused: ${counted(found.length, 'finding')}</h2>
${found.slice(0, MOST_SHOWN).map((finding) => html`<div>${linked(finding, places)}<p class="soft">If that is right: <code>${finding.accept}</code>${hiddenRefusalsText(finding.hides)}</p></div>`)}${others(found)}</div>
`;
}

function accepted(report: Report, places: LinkTargets): Html | null {
  const { accepted: passed } = report;
  if (passed.length === 0) return null;
  const found = findingsOf(report).filter(isAccepted);
  return html`<div class="note" role="note"><h2>Accepted, and why</h2>
${passed.map(
  ({ rule, dataset, country, reason, findings }) =>
    html`<p><strong>${[dataset === undefined ? rule : `${rule} in ${dataset}`, ...(country === undefined ? [] : [country])].join(', ')}</strong>: “${reason}”</p>
<ul>${findings.slice(0, MOST_SHOWN).map((text) => html`<li class="small">${acceptedFinding(text, found, places)}</li>`)}</ul>${findings.length <= MOST_SHOWN ? null : html`<p class="small"><a href="#checked">${count(findings.length - MOST_SHOWN)} more, with all others</a></p>`}`,
)}</div>
`;
}

/**
 * An accepted finding as a list entry. The manifest has only its text. The finding with that text gives the place of the
 * link.
 */
function acceptedFinding(text: string, found: readonly FindingInLines[], places: LinkTargets): Html {
  const finding = found.find(({ message }) => text.includes(message));
  return finding === undefined
    ? withNonBreakingNumbers(text)
    : findingText(
        finding,
        html` <a href="#${places.of(finding)}">${finding.country ?? finding.dataset} in this page</a>`,
      );
}

function warned(report: Report, places: LinkTargets): Html | null {
  const found = findingsOf(report).filter(isWarning);
  if (found.length === 0) return null;
  return html`<div class="note" role="note"><h2>Warnings: ${counted(found.length, 'finding')}</h2>
${found.slice(0, MOST_SHOWN).map((finding) => html`<div class="small">${linked(finding, places)}</div>`)}${others(found)}</div>
`;
}

function datasetLines(report: Report): Html {
  const summary = summaryOf(report);
  const columns = summaryColumns(summary);
  const notes = [
    ...(columns.some(({ heading }) => heading === 'arrived') ? [ARRIVED_NOTE] : []),
    ...(report.comparedWith === null
      ? []
      : ['New and gone: rows. Revised: values that were a number before and are another now.']),
  ];
  return tableHtml({
    label: 'Datasets',
    named: true,
    columns: columns.map((column, i) => (i === 0 ? { heading: column.heading } : column)),
    rows: DATASET_NAMES.map((name) =>
      columns.map(({ cell }, i) =>
        i === 0
          ? {
              shown: html`<a href="#${name}">${name}</a><br><span class="soft small">${datasetOf(name).description.split(':')[0] ?? ''}</span>`,
              value: name,
            }
          : cell(summary[name], name),
      ),
    ),
    ...(notes.length > 0 && { more: notes.join(' ') }),
  });
}

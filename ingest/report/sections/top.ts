// How a report begins: the headline, what was refused or accepted and why, and a line per dataset.

import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/html.ts';
import { counted } from '../../messages/numbers.ts';
import { ARRIVED, summaryColumns, summaryOf } from '../summary.ts';
import type { Report } from '../types.ts';
import { table } from './table.ts';

/** Headline, refusals, acceptances, and the table of datasets. */
export function top(report: Report): Html {
  return html`<p class="over">${SAID[report.status]}${report.comparedWith === null ? '' : ` · compared with ${report.comparedWith}`}</p>
<h1>${report.snapshot ?? report.month}</h1>
<p class="headline">${report.headline}</p>
${refused(report)}${accepted(report)}${inLines(report)}`;
}

const SAID: Readonly<Record<Report['status'], string>> = {
  published: 'Publication report',
  refused: 'Report of a month that was not published',
  checked: 'Report of a month not published yet (--dry-run)',
};

function refused({ checked }: Report): Html | null {
  const findings = checked.guards
    .flatMap((guard) => guard.findings)
    .filter(({ severity, accepted: why }) => severity === 'refuse' && why === null);
  if (findings.length === 0) return null;
  return html`<div class="note stop" role="note"><h2>Refused: ${counted(findings.length, 'finding')}</h2>
${findings.map((finding) => html`<p>${finding.dataset} · ${finding.rule}: ${finding.message}<br><span class="soft">If that is right: <code>${finding.accept}</code></span></p>`)}</div>
`;
}

function accepted({ accepted: passed }: Report): Html | null {
  if (passed.length === 0) return null;
  return html`<div class="note" role="note"><h2>Accepted, and why</h2>
${passed.map(
  ({ rule, dataset, country, reason, findings }) =>
    html`<p><strong>${[dataset === undefined ? rule : `${rule} in ${dataset}`, ...(country === undefined ? [] : [country])].join(', ')}</strong>: “${reason}”</p>
<ul>${findings.map((finding) => html`<li class="small soft">${finding}</li>`)}</ul>`,
)}</div>
`;
}

function inLines(report: Report): Html {
  const summary = summaryOf(report);
  const columns = summaryColumns(summary);
  return table({
    label: 'Datasets',
    columns,
    rows: DATASET_NAMES.map((name) =>
      columns.map(({ cell }, i) =>
        i === 0 ? html`<a href="#${name}">${name}</a>` : cell(summary[name], name),
      ),
    ),
    ...(columns.some(({ heading }) => heading === 'arrived') && { more: ARRIVED }),
  });
}

// Shows the checks of a month: those of every cell and row, and those of the guards.

import { type Html, html } from '../../../src/text/html.ts';
import { GUARD_DESCRIPTIONS } from '../../guards/guardDescriptions.ts';
import { count, counted } from '../../messages/numbers.ts';
import type { Severity } from '../../messages/problems.ts';
import type { LinkTargets } from '../linkTargets.ts';
import type { GuardResult, Report } from '../reportTypes.ts';
import { findingText } from './findingText.ts';
import { tableHtml } from './sectionTable.ts';

/** The part of the page about the checks: the findings of each guard, and all problems. */
export function checksSection(
  { checked: { guards, problems, counts }, comparedWith, currentDamage }: Report,
  places: LinkTargets,
): Html {
  return html`<h4>Cells and rows</h4>
<ul>${CHECKS.map((check) => html`<li>${check}</li>`)}</ul>
<p>${countsText(counts)}</p>
${SEVERITIES.map(([severity, one, many]) => {
  const shown = problems.filter((problem) => problem.severity === severity);
  if (shown.length === 0) return null;
  const rest = counts[severity] - shown.length;
  return html`<h5>${counted(counts[severity], one, many)}</h5>
${tableHtml({
  label: many,
  columns: [{ heading: 'place' }, { heading: 'what' }],
  rows: shown.map(({ place, message }) => [place, message]),
  ...(rest > 0 && { more: `${count(rest)} more` }),
})}`;
})}
<h4>Guards</h4>
<p>${comparedWith === null ? `Guards compare with the snapshot before; ${currentDamage === null ? 'there is none' : 'it is damaged'}, so they were skipped.` : `Each compares the month with ${comparedWith}.`}</p>
${tableHtml({
  label: 'Guards',
  columns: [
    { heading: 'guard' },
    { heading: 'result', keep: true },
    { heading: 'looks at' },
    { heading: 'found' },
  ],
  rows: guards.map((guard) => [
    guard.rule,
    mark(guard.result),
    GUARD_DESCRIPTIONS[guard.rule].looksAt,
    findings(guard, places),
  ]),
})}`;
}

/** The checks that every month has passed before its report is made. */
const CHECKS = [
  'Every file is whole, and did not change while it was read.',
  'Every cell that counts holds what its column asks for: text, a year, a plain number, a currency code; no formula without a value, no error value.',
  'Every number has the sign its metric allows.',
  'No two rows agree on all dimensions.',
  'Every country is listed once in country_reference, in the same region.',
  'No value is spelled in two ways.',
] as const;

const SEVERITIES: readonly (readonly [Severity, string, string])[] = [
  ['unreadable', 'file that cannot be read', 'files that cannot be read'],
  ['error', 'error', 'errors'],
  ['warning', 'warning', 'warnings'],
  ['note', 'note', 'notes'],
];

function countsText(counts: Readonly<Record<Severity, number>>): string {
  const parts = SEVERITIES.filter(([severity]) => counts[severity] > 0).map(([severity, one, many]) =>
    counted(counts[severity], one, many),
  );
  return parts.length === 0
    ? 'Nothing was found: no error, no warning, no note.'
    : `Found: ${parts.join(', ')}.`;
}

function mark(result: GuardResult['result']): Html {
  const [sign, kind] = MARKS[result];
  return html`<span class="mark ${kind}">${sign} ${result}</span>`;
}

const MARKS: Readonly<Record<GuardResult['result'], readonly [sign: string, kind: string]>> = {
  passed: ['✓', 'good'],
  warned: ['!', 'mind'],
  accepted: ['✓', 'mind'],
  refused: ['✗', 'stop'],
  skipped: ['–', ''],
};

const findings = ({ findings: all }: GuardResult, places: LinkTargets): Html =>
  html`${all.map((finding) => {
    const { dataset, severity, accepted } = finding;
    const note =
      severity === 'warn'
        ? null
        : html` <span class="soft">(${accepted === null ? 'refused' : `accepted: “${accepted}”`})</span>`;
    return html`<div><a href="#${places.of(finding)}">${dataset}</a>: ${findingText(finding, note)}</div>`;
  })}`;

// Prints the result of `publish` for people: the verdict, the problems, the findings, the changes, and the outcome.

import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { table } from '../../../src/terminal/table.ts';
import { PLAIN, type Style } from '../../../src/terminal/terminalStyle.ts';
import { wrapped } from '../../../src/terminal/wrap.ts';
import { printable } from '../../../src/text/printable.ts';
import { isRefused } from '../../guards/finding.ts';
import { count, counted, size } from '../../messages/numbers.ts';
import type { PublishResult } from '../publish/publishResult.ts';
import type { ReportLocation } from '../publish/reportFile.ts';
import { printedComparison } from './printedComparison.ts';
import { printedFindings } from './printedFindings.ts';
import { printedProblems } from './printedProblems.ts';
import { printedSummary, type SummaryLayout } from './printedSummary.ts';

export interface PublishPrint extends SummaryLayout {
  readonly month: string;
  readonly strict: boolean;
  /** Whether the comparison is printed. The report of a published month has it anyway. */
  readonly showComparison?: boolean;
  /** Where the report can be read; null when there is none. */
  readonly reportLocation?: ReportLocation | null;
  readonly style?: Style;
}

/** The text of the result of a publish. It begins with the verdict and ends with the outcome. */
export function printedPublish(result: PublishResult, print: PublishPrint): string {
  const { month, strict, reportLocation = null, showComparison = false, style = PLAIN } = print;
  const { report, comparison } = result;
  const failure = (reportLocation?.failure ?? null) === null ? '' : ` (${reportLocation?.failure})`;
  const location =
    reportLocation === null ? '' : `report: ${printable(`${reportLocation.file ?? 'none'}${failure}`)}\n`;
  const colour = result.exitCode === 0 ? style.green : style.red;
  return [
    `${style.bold(colour(verdictText(result, month)))}\n`,
    showComparison && comparison !== null ? printedComparison(comparison, print.width) : '',
    printedProblems(result, style, print.width),
    printedFindings(findingsOf(result), print.width),
    report === null ? contentsText(result) : printedSummary(report, print),
    `${location}${colour(wrapped(outcomeText(result, month, strict), '', '  ', print.width).trimEnd())}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The first line, such as `2026-11 not published: 12 errors, 1 warning`. */
function verdictText(result: PublishResult, month: string): string {
  const { status, snapshot, counts } = result;
  const found = [
    counted(countRefusals(result), 'refusal'),
    counted(counts.unreadable, 'unreadable file'),
    counted(counts.error, 'error'),
    counted(counts.warning, 'warning'),
    counted(counts.note, 'note'),
  ].filter((text) => !text.startsWith('0 '));
  const foundText = found.length === 0 ? '' : `: ${found.join(', ')}`;
  if (status === 'published') return `${snapshot} published${foundText}`;
  if (status === 'unchanged') return `${month} unchanged${foundText}`;
  return status === 'checked'
    ? `${month} checked, not published${foundText}`
    : `${month} not published${foundText}`;
}

const findingsOf = ({ currentDamage, findings }: PublishResult) => [
  ...(currentDamage === null ? [] : [currentDamage]),
  ...findings,
];

const countRefusals = (result: PublishResult): number => findingsOf(result).filter(isRefused).length;

function contentsText({ manifest }: PublishResult): string {
  if (manifest === null) return '';
  const rows = DATASET_NAMES.map((name) => {
    const { rows, years, bytes, carried } = manifest.datasets[name];
    const span = years.length === 0 ? '' : `${years[0]}–${years.at(-1)}`;
    return [name, count(rows), span, size(bytes), carried === null ? '' : `carried from ${carried}`];
  });
  return table([['dataset', 'rows', 'years', 'size', ''], ...rows], { indent: '  ', numbersRight: true });
}

function outcomeText(result: PublishResult, month: string, strict: boolean): string {
  const { status, snapshot, counts } = result;
  if (status === 'published') return `${snapshot} published; it is current now`;
  if (status === 'unchanged') return `unchanged: the current snapshot ${snapshot} has the same content`;
  if (status === 'checked') return `nothing published (--dry-run); it would be ${snapshot}`;
  if (status === 'refused')
    return `${month} not published: ${counted(countRefusals(result), 'refusal')} by guards; correct the sources, or accept what is right as said above`;
  const errors = counts.unreadable + counts.error;
  if (strict && errors === 0)
    return `${month} not published; with --strict a warning is an error; correct them or leave --strict out and run again`;
  return `${month} not published: ${counted(errors, 'error')}; correct the errors above and run again`;
}

// What the ingest commands say to a person: plain lines and tables.

import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { table } from '../../../src/terminal/table.ts';
import { count, size } from '../../messages/numbers.ts';
import type { Problem } from '../../messages/problems.ts';
import { essenceColumns, essenceOf } from '../../report/summary.ts';
import type { Report } from '../../report/types.ts';
import type { TableInspection } from '../inspect.ts';
import type { PublishResult } from '../publish.ts';
import type { Readable } from '../reportFile.ts';
import { printedFindings } from './guards.ts';

const LAYOUT = { indent: '  ', numbersRight: true };

/**
 * The result of a publish: what was found, what changed, and in the last line how it ended.
 *
 * @param readable Where the report can be read, or null.
 */
export function printedPublish(
  result: PublishResult,
  month: string,
  strict: boolean,
  readable: Readable | null = null,
): string {
  const failure = (readable?.failure ?? null) === null ? '' : ` (${readable?.failure})`;
  const read = readable === null ? '' : `report: ${readable.file}${failure}\n`;
  return [
    problems(result),
    printedFindings([...(result.currentDamage === null ? [] : [result.currentDamage]), ...result.findings]),
    result.report === null ? contents(result) : essence(result.report),
    `${read}${ending(result, month, strict)}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The month in a sentence or two, and a line per dataset. */
function essence(report: Report): string {
  const datasets = essenceOf(report);
  const columns = essenceColumns(datasets);
  const lines = DATASET_NAMES.map((name) => columns.map(({ cell }) => cell(datasets[name], name)));
  return `${report.headline}\n${table([columns.map(({ heading }) => heading), ...lines], LAYOUT)}`;
}

const HEADINGS: Readonly<Record<Problem['severity'], readonly [one: string, many: string]>> = {
  unreadable: ['file cannot be read', 'files cannot be read'],
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  note: ['note', 'notes'],
};

function problems({ problems, counts }: PublishResult): string {
  const severities = Object.keys(HEADINGS) as Problem['severity'][];
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => {
      const shown = problems.filter((problem) => problem.severity === severity);
      const [one, many] = HEADINGS[severity];
      const rest = counts[severity] - shown.length;
      const lines = shown.map(({ place, message }) => `  ${place}: ${message}\n`).join('');
      const more = rest > 0 ? `  … and ${count(rest)} more\n` : '';
      return `${count(counts[severity])} ${counts[severity] === 1 ? one : many}\n${lines}${more}`;
    })
    .join('\n');
}

function contents({ manifest }: PublishResult): string {
  if (manifest === null) return '';
  const rows = DATASET_NAMES.map((name) => {
    const { rows, years, bytes, carried } = manifest.datasets[name];
    const span = years.length === 0 ? '' : `${years[0]}–${years.at(-1)}`;
    return [name, count(rows), span, size(bytes), carried === null ? '' : `carried from ${carried}`];
  });
  return table([['dataset', 'rows', 'years', 'size', ''], ...rows], LAYOUT);
}

function ending(
  { status, snapshot, counts, findings, currentDamage }: PublishResult,
  month: string,
  strict: boolean,
): string {
  if (status === 'published') return `${snapshot} published; it is current now`;
  if (status === 'unchanged') return `unchanged: the current snapshot ${snapshot} holds the same already`;
  if (status === 'checked') return `nothing published (--dry-run); it would be ${snapshot}`;
  const refused = [currentDamage, ...findings].filter(
    (finding) => finding?.severity === 'refuse' && finding.accepted === null,
  ).length;
  if (status === 'refused') {
    const what = `${count(refused)} ${refused === 1 ? 'refusal' : 'refusals'}`;
    return `${month} not published: ${what} by guards; correct the sources, or accept what is right as said above`;
  }
  const stopping = counts.unreadable + counts.error;
  const why =
    stopping > 0
      ? 'correct the errors above'
      : 'with --strict a warning is an error; correct them or leave --strict out';
  return `${month} not published${strict && stopping === 0 ? '' : `: ${count(stopping)} ${stopping === 1 ? 'error' : 'errors'}`}; ${why} and run again`;
}

/** One table of an inspected file. */
export function printedTable(inspected: TableInspection): string {
  const { sheet, hidden, rows, dataset, layout, headerRow, faults, columns, preview } = inspected;
  const title = `${sheet === null ? 'table' : `sheet "${sheet}"`}${hidden ? ' (hidden)' : ''}: ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  const header =
    headerRow === null
      ? 'no header found'
      : `${headerRow === 0 ? 'named columns' : `header in row ${headerRow}`}${dataset === null ? ', of no dataset' : `: ${dataset}, ${layout} form`}`;
  const kinds = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([kind, cells]) => `${count(cells)} ${kind}`)
      .join(', ');
  return [
    `${title}; ${header}\n`,
    ...faults.map((fault) => `  ! ${fault}\n`),
    columns.length === 0
      ? ''
      : table(
          columns.map((c) => [c.column, c.heading.slice(0, 40), c.meaning ?? '–', kinds(c.kinds)]),
          LAYOUT,
        ),
    ...preview.map(
      ({ row, cells }) =>
        `  ${String(row).padStart(6)} │ ${cells.map((cell) => cell.slice(0, 24)).join(' │ ')}\n`,
    ),
  ].join('');
}

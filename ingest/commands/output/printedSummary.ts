// Prints the summary of a month: its headline, a line for each dataset, and on request the meanings of the columns.

import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { table } from '../../../src/terminal/table.ts';
import { wrapped } from '../../../src/terminal/wrap.ts';
import { summaryColumns, summaryOf } from '../../report/datasetSummaries.ts';
import type { Report } from '../../report/reportTypes.ts';

export interface SummaryLayout {
  /** The width of the terminal in characters. Longer lines of the table are truncated. Without a width, no line is. */
  readonly width?: number;
  /** Whether the meanings of the columns are printed too. */
  readonly explain?: boolean;
}

/** The summary of a report as text: the headline, then a table with a row for each dataset. */
export function printedSummary(report: Report, { width, explain = false }: SummaryLayout = {}): string {
  const datasets = summaryOf(report);
  const columns = summaryColumns(datasets);
  const headings = columns.map(({ heading }) => heading);
  const lines = DATASET_NAMES.map((name) => columns.map(({ cell }) => cell(datasets[name], name)));
  const rows = table([headings, ...lines], {
    indent: '  ',
    numbersRight: true,
    ...(width !== undefined && { width }),
  });
  const legend = headings.map((heading) => [heading, MEANINGS.get(heading) ?? '']);
  return `${wrapped(report.headline, '', '', width)}${rows}${explain ? `\n${table(legend, { indent: '  ' })}` : ''}`;
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['dataset', 'its name'],
  ['rows', 'rows of the month'],
  ['change', 'rows more or fewer than in the snapshot before'],
  ['new', 'rows that the snapshot before does not have'],
  ['gone', 'rows that only the snapshot before has'],
  ['arrived', 'forecasts that became reported figures'],
  ['revised', 'values that are another number now'],
  ['emptied', 'values that are empty now'],
  ['filled', 'values that were empty before'],
  ['total moved most', 'the total of a year that moved most, by how much'],
  ['countries', 'how many countries have rows'],
  ['years', 'the years that have rows'],
]);

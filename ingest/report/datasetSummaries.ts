// Summarises the changes of each dataset in one line, for the terminal, the JSON and the top of the report.

import { byDataset, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Total } from '../compare/totalTypes.ts';
import { changeText, count, signed, yearSpans } from '../messages/numbers.ts';
import type { DatasetReport, Report } from './reportTypes.ts';
import { mostMoved } from './totalsForReport.ts';

export interface DatasetSummary {
  /** The number of rows in the earlier snapshot; null for the first snapshot. */
  readonly rowsBefore: number | null;
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  /** How many forecasts became reported figures. Each counts as a row added and as a row removed. */
  readonly arrived: number;
  /**
   * How many values (not rows) changed from one number to another. `emptied` counts values that became empty, and `filled`
   * those that were empty.
   */
  readonly revised: number;
  readonly emptied: number;
  readonly filled: number;
  /**
   * The total that moved most. Totals of forecasts count only when no total of reported figures moved; null when none
   * moved.
   */
  readonly total: Total | null;
  readonly countries: number;
  readonly years: readonly number[];
  readonly carried: string | null;
}

/** The summary of every dataset, by name. */
export function summaryOf({ datasets }: Pick<Report, 'datasets'>): Record<DatasetName, DatasetSummary> {
  return byDataset((name) => summaryOfDataset(datasets[name]));
}

function summaryOfDataset(dataset: DatasetReport): DatasetSummary {
  const { rows, revised, emptied, filled, totals, countries, years, carried } = dataset;
  return {
    rowsBefore: rows.before,
    rows: rows.after,
    added: rows.added,
    removed: rows.removed,
    arrived: rows.arrived,
    revised: revised.count,
    emptied: emptied.count,
    filled: filled.count,
    total: mostMoved(totals.shown),
    countries,
    years,
    carried,
  };
}

/** A column of the table of datasets, which the terminal and the report show. */
export interface SummaryColumn {
  readonly heading: string;
  readonly number?: true;
  /** Whether each cell of the column stays on one line. */
  readonly keep?: true;
  /** Whether the column is about changes. The table of a first snapshot leaves it out. */
  readonly change?: true;
  /** The column is shown only if this count is above 0 in some dataset. */
  readonly rare?: 'arrived' | 'emptied' | 'filled';
  readonly cell: (summary: DatasetSummary, name: DatasetName) => string;
}

const COLUMNS: readonly SummaryColumn[] = [
  { heading: 'dataset', keep: true, cell: (_, name) => name },
  { heading: 'rows', number: true, cell: ({ rows }) => count(rows) },
  {
    heading: 'change',
    number: true,
    change: true,
    cell: ({ rows, rowsBefore }) => signed(rows - (rowsBefore ?? 0)),
  },
  { heading: 'new', number: true, change: true, cell: ({ added, arrived }) => count(added - arrived) },
  { heading: 'gone', number: true, change: true, cell: ({ removed, arrived }) => count(removed - arrived) },
  { heading: 'arrived', number: true, change: true, rare: 'arrived', cell: ({ arrived }) => count(arrived) },
  { heading: 'revised', number: true, change: true, cell: ({ revised }) => count(revised) },
  { heading: 'emptied', number: true, change: true, rare: 'emptied', cell: ({ emptied }) => count(emptied) },
  { heading: 'filled', number: true, change: true, rare: 'filled', cell: ({ filled }) => count(filled) },
  { heading: 'total moved most', change: true, cell: totalMovedMost },
  { heading: 'countries', number: true, cell: ({ countries }) => (countries === 0 ? '' : count(countries)) },
  { heading: 'years', keep: true, cell: ({ years }) => yearSpans(years) },
];

/** The columns of the table of datasets. Columns about changes need a comparison; rare ones also need a count above 0. */
export function summaryColumns(
  summary: Readonly<Record<DatasetName, DatasetSummary>>,
): readonly SummaryColumn[] {
  const all = Object.values(summary);
  const compared = all.some(({ rowsBefore }) => rowsBefore !== null);
  return COLUMNS.filter(
    ({ change: ofChange, rare }) =>
      (compared || ofChange !== true) && (rare === undefined || all.some((one) => one[rare] > 0)),
  );
}

/** Explains the column `arrived`. */
export const ARRIVED_NOTE = 'Arrived: forecasts that became reported figures.';

function totalMovedMost({ total, carried }: DatasetSummary): string {
  if (carried !== null) return `carried from ${carried}`;
  if (total === null) return '';
  // The line names ggr or turnover already, so the currency alone names the total.
  return `${changeText(total.relative)} ${total.fx ?? total.metric} ${total.year}${total.forecast ? ' forecast' : ''}`;
}

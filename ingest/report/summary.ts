// A dataset's month in one line: what `publish` prints, what its JSON says, and how the page begins.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Total } from '../compare/types.ts';
import { change, count, signed, spans } from '../messages/numbers.ts';
import { mostMoved } from './totals.ts';
import type { DatasetReport, Report } from './types.ts';

export interface Essence {
  /** Null for the first snapshot. */
  readonly rowsBefore: number | null;
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  /** Forecasts that became reported figures: each is one of the rows added and one of those removed. */
  readonly arrived: number;
  /** Values, not rows: from a number to another, to empty, from empty. */
  readonly revised: number;
  readonly emptied: number;
  readonly filled: number;
  /** The total that moved most, reported figures before forecasts; null when none did. */
  readonly total: Total | null;
  readonly countries: number;
  readonly years: readonly number[];
  readonly carried: string | null;
}

/** Every dataset's essence, by name. */
export function essenceOf({ datasets }: Pick<Report, 'datasets'>): Record<DatasetName, Essence> {
  return Object.fromEntries(DATASET_NAMES.map((name) => [name, of(datasets[name])])) as Record<
    DatasetName,
    Essence
  >;
}

function of(dataset: DatasetReport): Essence {
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

/** A column of the table that is printed and shown. */
export interface EssenceColumn {
  readonly heading: string;
  readonly number?: true;
  /** Never broken. */
  readonly keep?: true;
  /** Says something of change: left out of a first snapshot's table. */
  readonly change?: true;
  /** Left out where no dataset has any. */
  readonly rare?: 'arrived' | 'emptied' | 'filled';
  readonly cell: (essence: Essence, name: DatasetName) => string;
}

const COLUMNS: readonly EssenceColumn[] = [
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
  { heading: 'years', keep: true, cell: ({ years }) => spans(years) },
];

/** The columns that say something of this month. */
export function essenceColumns(essence: Readonly<Record<DatasetName, Essence>>): readonly EssenceColumn[] {
  const all = Object.values(essence);
  const compared = all.some(({ rowsBefore }) => rowsBefore !== null);
  return COLUMNS.filter(
    ({ change: ofChange, rare }) =>
      (compared || ofChange !== true) && (rare === undefined || all.some((one) => one[rare] > 0)),
  );
}

/** What the column of that name means, where a word is not enough. */
export const ARRIVED = 'Arrived: forecasts that became reported figures.';

function totalMovedMost({ total, carried }: Essence): string {
  if (carried !== null) return `carried from ${carried}`;
  if (total === null) return '';
  // The metric of ggr and turnover is the dataset's name.
  return `${change(total.relative)} ${total.fx ?? total.metric} ${total.year}${total.forecast ? ' forecast' : ''}`;
}

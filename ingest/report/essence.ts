// A dataset's month in one line: what `publish` prints, what its JSON says, and how the page begins.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import type { Total } from '../compare/types.ts';
import type { DatasetReport, Report } from './report.ts';
import { mostMoved, titleOf } from './totals.ts';
import { change, count, signed, spans } from './words.ts';

export interface Essence {
  /** Null for the first snapshot. */
  readonly rowsBefore: number | null;
  readonly rows: number;
  readonly added: number;
  readonly removed: number;
  /** Values of rows that were there before, not rows. */
  readonly revised: number;
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

function of({ rows, revisions, totals, countries, years, carried }: DatasetReport): Essence {
  return {
    rowsBefore: rows.before,
    rows: rows.after,
    added: rows.added,
    removed: rows.removed,
    revised: revisions.count,
    total: mostMoved(totals.shown),
    countries,
    years,
    carried,
  };
}

/** The columns of the table that is printed and shown; those after the first few are numbers. */
export const ESSENCE_HEADINGS = [
  'dataset',
  'rows',
  'change',
  'new',
  'gone',
  'revised',
  'total moved most',
  'countries',
  'years',
] as const;

/** The cells of a line, under those headings. */
export function essenceCells(name: DatasetName, essence: Essence): string[] {
  const { rowsBefore, rows, added, removed, revised, total, countries, years, carried } = essence;
  const compared = rowsBefore !== null;
  const counts = compared
    ? [signed(rows - rowsBefore), count(added), count(removed), count(revised)]
    : ['', '', '', ''];
  const moved =
    total === null
      ? ''
      : `${change(total.relative)} ${titleOf(total)} ${total.year}${total.forecast ? ' forecast' : ''}`;
  return [
    name,
    count(rows),
    ...counts,
    carried === null ? moved : `carried from ${carried}`,
    countries === 0 ? '' : count(countries),
    spans(years),
  ];
}

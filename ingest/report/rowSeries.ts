// Groups rows by series: a revised market is then one entry of a list, however many years and currencies it has.

import { ascending, groupBy } from '../../src/basics/lists.ts';
import type { Revision, RowDimensions } from '../compare/revision.ts';

/** Rows that differ only in year, currency, temporal and calculation. */
export interface RowSeries {
  /** The dimensions that the rows have in common. */
  readonly key: RowDimensions;
  readonly rows: number;
  /** The years of the rows in ascending order; empty for a lookup, which has no years. */
  readonly years: readonly number[];
  /** The currencies of the rows in code-point order; empty when the dataset has none. */
  readonly currencies: readonly string[];
}

/** The revised values of one metric in the rows of a series. */
export interface RevisedSeries extends RowSeries {
  readonly metric: string;
  /** The smallest and the largest relative change; null when none has one. */
  readonly relative: readonly [least: number, most: number] | null;
  /** The revision that moved most. */
  readonly largest: Revision;
}

/** The series of the rows with these keys, in the order of their first rows. */
export const seriesOfRows = (keys: readonly RowDimensions[]): RowSeries[] =>
  [...groupBy(keys, (key) => JSON.stringify(commonOf(key))).values()].map(seriesOf);

/** The series of some revisions. The given revisions must begin with the largest; the series are in the same order. */
export function seriesOfRevisions(revisions: readonly Revision[]): RevisedSeries[] {
  const groups = groupBy(revisions, ({ metric, key }) => JSON.stringify([metric, commonOf(key)]));
  return [...groups.values()].map((group) => {
    const [largest] = group;
    const relatives = group.map(({ relative }) => relative).filter((relative) => relative !== null);
    return {
      metric: largest.metric,
      ...seriesOf(group.map(({ key }) => key)),
      relative: relatives.length === 0 ? null : ([Math.min(...relatives), Math.max(...relatives)] as const),
      largest,
    };
  });
}

/**
 * Separates forecasts that became reported figures from the other rows. `added` has the reported figure, `removed` the
 * forecast.
 */
export function withoutArrived(added: readonly RowDimensions[], removed: readonly RowDimensions[]) {
  const name = ({ temporal: _, ...key }: RowDimensions) => JSON.stringify(key);
  const [fresh, old] = [new Set(added.map(name)), new Set(removed.map(name))];
  return {
    arrived: added.filter((key) => old.has(name(key))),
    added: added.filter((key) => !old.has(name(key))),
    removed: removed.filter((key) => !fresh.has(name(key))),
  };
}

function seriesOf(keys: readonly RowDimensions[]): RowSeries {
  return {
    key: commonOf(keys[0] ?? {}),
    rows: keys.length,
    years: ascending(keys.flatMap(({ year }) => (year === undefined ? [] : [Number(year)]))),
    currencies: [...new Set(keys.flatMap(({ fx }) => (fx === undefined ? [] : [String(fx)])))].sort(),
  };
}

const commonOf = ({
  year: _,
  fx: __,
  temporal: ___,
  calculation: ____,
  ...common
}: RowDimensions): RowDimensions => common;

// Defines the levels at which relations are checked, and merges the broken relations of a country into one.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import type { BrokenRelation } from '../brokenRelation.ts';
import type { Matched } from '../rows/matchedRows.ts';
import type { Rows } from '../rows/rows.ts';

/** The dimensions of each level: the whole country, its products, its markets. */
export const LEVELS: readonly (readonly DimensionName[])[] = [
  [],
  ['product'],
  ['product', 'channel', 'sub_channel'],
];

/** The indexes of the levels. */
export const COUNTRIES = 0;
export const PRODUCTS = 1;
export const MARKETS = 2;

/** The smallest amount of a part that is checked. Rounding moves smaller ones by more than a relation tolerates. */
export const SMALLEST_PART = 1000;

export interface Broken extends Omit<BrokenRelation, 'forecast' | 'years' | 'places' | 'share'> {
  readonly level: number;
  /** The part of the country, such as `Poker` or `Poker / Online / Onshore`; `''` for the whole country. */
  readonly place: string;
  readonly year: number;
}

/** A broken relation that does not say yet whether its figures are forecasts. */
export type BrokenOfKind = Omit<BrokenRelation, 'forecast'>;

/** A broken relation. By default it concerns all figures of the country, and `before` is 1. */
export const brokenOf = (
  broken: Pick<BrokenOfKind, 'relation' | 'dataset' | 'country' | 'years' | 'after'> & Partial<BrokenOfKind>,
): BrokenOfKind => ({ places: [], currency: null, share: null, before: 1, ...broken });

/**
 * Merges the relations that broke in single years into one for each dataset and country, at the coarsest level that broke.
 *
 * @param all Broken relations of one kind.
 * @param worst Chooses the worst of several ratios or distances.
 */
export function merged(all: readonly Broken[], worst: (...numbers: number[]) => number): BrokenOfKind[] {
  const byCountry = groupBy(all, ({ dataset, country }) => `${dataset}\0${country}`);
  const distinct = <T>(values: readonly T[]) => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  return [...byCountry]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, every]) => {
      const [{ relation, dataset, country }] = every;
      const coarsest = Math.min(...every.map(({ level }) => level));
      const of = every.filter(({ level }) => level === coarsest);
      const currencies = distinct(of.flatMap(({ currency }) => currency ?? []));
      return {
        relation,
        dataset,
        country,
        places: distinct(of.flatMap(({ place }) => (place === '' ? [] : [place]))),
        currency: currencies.length === 0 ? null : currencies.join(', '),
        years: distinct(of.map(({ year }) => year)),
        before: worst(...of.map(({ before }) => before)),
        after: worst(...of.map(({ after }) => after)),
        share: null,
      };
    });
}

/** The name of the part of a country that a row belongs to, such as `Poker / Online / Onshore`. */
export const partName = (
  { codes }: Matched,
  rows: Rows,
  row: number,
  parts: readonly DimensionName[],
): string =>
  parts.map((dimension) => codes.valueOf(dimension, rows.code(dimension, row)) || '(none)').join(' / ');

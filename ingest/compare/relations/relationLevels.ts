// The levels at which relations are checked, and the merge of their findings into one for each country.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import type { BrokenRelation } from '../brokenRelation.ts';
import type { Matched } from '../rows/matched.ts';
import type { Rows } from '../rows/rows.ts';

/** The levels of relations: the whole country, its products, its markets. */
export const LEVELS: readonly (readonly DimensionName[])[] = [
  [],
  ['product'],
  ['product', 'channel', 'sub_channel'],
];

/** The indexes of the levels. */
export const COUNTRIES = 0;
export const PRODUCTS = 1;
export const MARKETS = 2;

/** Smaller parts of a country are not checked, because rounding moves them by more than a relation allows. */
export const SMALLEST_PART = 1000;

/** A relation that broke in one year, at one level. */
export interface Broken extends Omit<BrokenRelation, 'forecast' | 'years' | 'places' | 'share'> {
  readonly level: number;
  /** `Poker`, `Poker / Online / Onshore`; '' for the country as a whole. */
  readonly place: string;
  readonly year: number;
}

/** A broken relation without the kind of its figures. */
export type BrokenOfKind = Omit<BrokenRelation, 'forecast'>;

/** One finding for each relation, dataset and country, at the coarsest level that broke, with its years, its currencies and its worst numbers. */
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

/** A row's values of some dimensions, such as `Poker / Online / Onshore`. */
export const partName = (
  { codes }: Matched,
  rows: Rows,
  row: number,
  parts: readonly DimensionName[],
): string =>
  parts.map((dimension) => codes.valueOf(dimension, rows.code(dimension, row)) || '(none)').join(' / ');

// Defines the levels at which relations are checked, and merges the broken relations of a country.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { BrokenOfKind, BrokenRelation } from '../brokenRelation.ts';
import { MARKET } from '../rows/countryParts.ts';

/** The dimensions of each level: the whole country, its products, its markets. */
export const LEVELS: readonly (readonly DimensionName[])[] = [[], ['product'], MARKET];

/** The indexes of the levels. */
export const COUNTRY_LEVEL = 0;
export const PRODUCT_LEVEL = 1;
export const MARKET_LEVEL = 2;

/** Smaller amounts of a part are not checked, because rounding moves them by more than a relation tolerates. */
export const LEAST_AMOUNT_OF_PART = 1000;

/** A relation that broke in one year and one part of a country. */
export interface BrokenInYear
  extends Pick<BrokenRelation, 'relation' | 'dataset' | 'country' | 'before' | 'after'> {
  readonly level: number;
  /** The part of the country, such as `Poker` or `Poker / Online / Onshore`; `''` for the whole country. */
  readonly place: string;
  readonly year: number;
  /** For relations of currencies, the currency that was compared with the local one. */
  readonly currency?: string;
}

/**
 * Merges the relations that broke in single years into one for each dataset and country. It has only the parts and years of
 * the coarsest level at which the relation broke.
 *
 * @param all Broken relations of one kind.
 * @param worst Chooses the worst of several ratios or distances.
 */
export function mergedByCountry(
  all: readonly BrokenInYear[],
  worst: (...numbers: number[]) => number,
): BrokenOfKind[] {
  const byCountry = groupBy(all, ({ dataset, country }) => `${dataset}\0${country}`);
  const distinct = <T>(values: readonly T[]) => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  return [...byCountry]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, every]) => {
      const [{ relation, dataset, country }] = every;
      const coarsest = Math.min(...every.map(({ level }) => level));
      const ofCoarsest = every.filter(({ level }) => level === coarsest);
      const currencies = distinct(ofCoarsest.flatMap(({ currency }) => currency ?? []));
      return {
        relation,
        dataset,
        country,
        places: distinct(ofCoarsest.flatMap(({ place }) => (place === '' ? [] : [place]))),
        currency: currencies.length === 0 ? null : currencies.join(', '),
        years: distinct(ofCoarsest.map(({ year }) => year)),
        before: worst(...ofCoarsest.map(({ before }) => before)),
        after: worst(...ofCoarsest.map(({ after }) => after)),
        share: null,
      };
    });
}

// Divides cells that changed alike by country. If many countries have some, they are one pattern of the dataset.

import { groupBy } from '../../../src/basics/lists.ts';
import type { RowDimensions } from '../revision.ts';
import type { Codes } from '../rows/codes.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import type { Pattern } from './patternTypes.ts';

/** The number of countries from which on the same change is one pattern of the whole dataset. */
const COUNTRIES_OF_ONE_PATTERN = 10;

/** Describes cells of one kind as patterns by country, and marks them as explained. */
export function patternsByCountry(
  search: PatternSearch,
  kind: Pick<Pattern, 'family'> & Partial<Pick<Pattern, 'metric' | 'forecast'>>,
  cells: readonly Change[],
): Pattern[] {
  const { matched, changes } = search;
  const found = groupedByCountry(cells, (change) => changes.code('country', change), matched.codes).map(
    ({ place, items }) => describePattern(search, { ...kind, place }, items),
  );
  changes.explain(cells);
  return found;
}

/**
 * Groups items by country and puts the country with the most items first. When many countries have items, there is one
 * group, and its place is the whole dataset.
 *
 * @param countryOf The code of an item's country.
 * @param many The number of countries from which on there is one group.
 */
export function groupedByCountry<Item>(
  items: readonly Item[],
  countryOf: (item: Item) => number,
  codes: Codes,
  many = COUNTRIES_OF_ONE_PATTERN,
): readonly { readonly place: RowDimensions; readonly items: readonly Item[] }[] {
  const countries = groupBy(items, countryOf);
  if (countries.size >= many) return [{ place: {}, items }];
  return [...countries]
    .sort(([a, own], [b, others]) => others.length - own.length || a - b)
    .map(([country, own]) => ({ place: { country: codes.valueOf('country', country) }, items: own }));
}

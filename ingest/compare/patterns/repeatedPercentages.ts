// Finds percentages that repeat another country, or the year before or after, more often than chance explains.

import { groupBy } from '../../../src/basics/lists.ts';
import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Change, PatternSearch } from './cellChanges.ts';

interface Limits {
  readonly fewest: number;
  readonly share: number;
}

/**
 * The limits for the years of a country that repeat one other country, or the year before or after. Fewer may do so by
 * chance.
 */
const OF_COUNTRY: Limits = { fewest: 8, share: 0.9 };

/** The number of different figures among the repeated ones. Years with fewer may repeat by chance. */
const FEWEST_DIFFERENT_FIGURES = 5;

const OF_ALL_COUNTRIES: Limits = { fewest: 30, share: 0.7 };

/**
 * A value that repeats the value of another year or country. `to` is the code of its own year or country, `from` the code
 * of the year or country that it repeats.
 */
export interface Repeat {
  readonly change: Change;
  readonly dimension: Extract<DimensionName, 'year' | 'country'>;
  readonly from: number;
  readonly to: number;
}

/** The changed percentages that repeat the year before or after of their country, or the same year of another country. */
export function repeatedPercentages(
  search: PatternSearch,
  metricIndex: number,
  changed: readonly Change[],
): Repeat[] {
  const { changes } = search;
  if (changed.length < OF_COUNTRY.fewest) return [];
  const all = [-1, 1].map((by) => ofYearsBeside(search, metricIndex, changed, by));
  const together = all.find((source) => isNotByChance(search, source, changed, OF_ALL_COUNTRIES));
  if (together !== undefined) return together;
  const countries = [...groupBy(changed, (change) => changes.code('country', change))].filter(
    ([, own]) => own.length >= OF_COUNTRY.fewest,
  );
  const ofOthers = countries.length === 0 ? [] : ofOtherCountries(search, metricIndex, changed);
  return countries.flatMap(([country, own]) => {
    const sources = [
      ...all.map((repeats) => repeats.filter(({ change }) => changes.code('country', change) === country)),
      ...groupBy(
        ofOthers.filter(({ to }) => to === country),
        ({ from }) => from,
      ).values(),
    ];
    return sources.find((source) => isNotByChance(search, source, own, OF_COUNTRY)) ?? [];
  });
}

/** Whether so many of the changed values repeat others that chance does not explain it. */
function isNotByChance(
  { changes }: PatternSearch,
  found: readonly Repeat[],
  changed: readonly Change[],
  { fewest, share }: Limits,
) {
  return (
    found.length >= Math.max(fewest, share * changed.length) &&
    new Set(found.map(({ change }) => changes.now(change))).size >= FEWEST_DIFFERENT_FIGURES
  );
}

function ofYearsBeside(
  { matched, changes }: PatternSearch,
  metricIndex: number,
  changed: readonly Change[],
  by: number,
): Repeat[] {
  const { before, codes } = matched;
  const seriesOf = codes.keys.by(['country', 'state']);
  const values = new Map<string, number>();
  for (let row = 0; row < before.count; row += 1)
    values.set(`${seriesOf(before, row)} ${before.code('year', row)}`, before.value(metricIndex, row));
  return changed.flatMap((change): Repeat[] => {
    const to = changes.code('year', change);
    const isEqual = values.get(`${seriesOf(...changes.rowOf(change))} ${to + by}`) === changes.now(change);
    return isEqual ? [{ change, dimension: 'year', from: to + by, to }] : [];
  });
}

function ofOtherCountries(
  { matched, changes }: PatternSearch,
  metricIndex: number,
  changed: readonly Change[],
): Repeat[] {
  const { before, codes } = matched;
  const placeOf = codes.keys.by(['state', 'year']);
  const countriesOf = new Map<string, number[]>();
  for (let row = 0; row < before.count; row += 1) {
    const key = `${placeOf(before, row)} ${before.value(metricIndex, row)}`;
    getOrInsert(countriesOf, key, () => []).push(before.code('country', row));
  }
  return changed.flatMap((change) => {
    const from = countriesOf.get(`${placeOf(...changes.rowOf(change))} ${changes.now(change)}`) ?? [];
    const to = changes.code('country', change);
    return from.map((one): Repeat => ({ change, dimension: 'country', from: one, to }));
  });
}

// Merges verdicts on the years that one country lost, and verdicts on many groups of values with a factor each.

import { groupBy, onlyOf } from '../../src/basics/lists.ts';
import { datasetOf } from '../../src/catalog/datasets.ts';
import type { DatasetComparison, LostValue } from '../compare/comparisonTypes.ts';
import { MOST_EXAMPLES } from '../compare/patterns/patternTypes.ts';
import { changeText, counted, listed } from '../messages/numbers.ts';
import { FEWEST_CELLS } from './completeness.ts';
import type { PatternVerdict } from './guard.ts';
import { placeName } from './wording.ts';

/**
 * The verdicts on a dataset. In rates and indicators, a country has one row a year. So for each country that lost years,
 * one verdict replaces those on its lost rows. It refuses the loss of three rows or more. A country that lost a single row,
 * or another number of rows than years, keeps its verdicts.
 */
export function withLostYearsMerged(
  verdicts: readonly PatternVerdict[],
  dataset: DatasetComparison,
): readonly PatternVerdict[] {
  if (datasetOf(dataset.dataset).dimensions.includes('product')) return verdicts;
  const years = groupBy(
    dataset.lost.filter(({ dimension }) => dimension === 'year'),
    ({ country }) => country,
  );
  return [...years].reduce((all, [country, lost]) => withLossMerged(all, country, lost, dataset), verdicts);
}

/** The verdicts, in which one verdict replaces all those on the rows that a country lost. */
function withLossMerged(
  verdicts: readonly PatternVerdict[],
  country: string,
  lost: readonly LostValue[],
  { breakdown }: DatasetComparison,
): readonly PatternVerdict[] {
  const own = verdicts.filter((verdict) => isOfLostYears(verdict, country));
  const [first] = own;
  const cells = own.reduce((sum, { pattern }) => sum + pattern.cells, 0);
  if (first === undefined || cells < 2 || cells !== lost.length) return verdicts;
  const pattern = {
    ...first.pattern,
    place: { country },
    cells,
    of: breakdown.countries.find((one) => one.country === country)?.rows ?? cells,
    examples: own.flatMap((one) => one.pattern.examples).slice(0, MOST_EXAMPLES),
  };
  const merged: PatternVerdict = {
    ...first,
    pattern,
    rule: 'vanished',
    severity: cells >= FEWEST_CELLS ? 'refuse' : 'warn',
    lostYears: lost.map(({ value }) => Number(value)),
  };
  return verdicts
    .filter((one) => one === first || !own.includes(one))
    .map((one) => (one === first ? merged : one));
}

const isOfLostYears = ({ pattern: { family, forecast, place } }: PatternVerdict, country: string): boolean =>
  family === 'gone' &&
  !forecast &&
  place.country === country &&
  Object.keys(place).every((dimension) => dimension === 'country' || dimension === 'year');

/** From this number of groups on, one finding reports all of them. */
const MANY_GROUPS = 20;

const MOST_GROUPS_NAMED = 3;

/**
 * The verdicts. If many groups of a metric moved by a factor each, as in a restated source, one verdict replaces theirs.
 */
export function withFactorsMerged(verdicts: readonly PatternVerdict[]): readonly PatternVerdict[] {
  const merged = new Set<string | null>();
  return verdicts.flatMap((verdict) => {
    const { family, metric } = verdict.pattern;
    if (family !== 'factor' || verdict.severity !== 'warn') return [verdict];
    const alike = verdicts.filter(
      ({ pattern, severity }) =>
        pattern.family === family && pattern.metric === metric && severity === 'warn',
    );
    if (alike.length < MANY_GROUPS) return [verdict];
    if (merged.has(metric)) return [];
    merged.add(metric);
    const country = onlyOf(alike.flatMap((one) => one.country ?? []));
    return [{ ...verdict, country, factorVerdicts: alike }];
  });
}

/** The words for many groups that moved by factors of their own. */
export function factorsWords(alike: readonly PatternVerdict[]): string {
  const countries = new Set(alike.flatMap(({ country }) => country ?? []));
  const groups = alike.map(({ pattern: { place, ratio } }) =>
    ratio === null ? placeName(place) : `${placeName(place)} (${changeText(ratio - 1)})`,
  );
  return `${counted(countries.size, 'country', 'countries')}: ${counted(alike.length, 'group')} of values moved, each by one factor, as where a source is restated: ${listed(groups, MOST_GROUPS_NAMED)}`;
}

// Tells which groups in another unit a pattern belongs to, and which verdicts repeat the groups of others.

import type { DatasetComparison, ScaledGroup } from '../compare/comparisonTypes.ts';
import type { Pattern } from '../compare/patterns/patternTypes.ts';
import { type RowDimensions, SUSPICIOUS_MOVE } from '../compare/revision.ts';
import type { Total } from '../compare/totalTypes.ts';
import type { PatternVerdict } from './guard.ts';

/**
 * The groups in another unit that make up at least half of a pattern of leaps; none if there are no such groups. At least
 * half of the pattern's examples are in them. They may be of other years than the pattern, because one mistake may concern
 * several years.
 */
export function scaledGroupsOf(pattern: Pattern, { scaled }: DatasetComparison): readonly ScaledGroup[] {
  const { family, place, metric, cells, further, examples } = pattern;
  if (family !== 'leap') return [];
  const near = scaled.filter(
    ({ metric: own, group }) =>
      own === metric &&
      (further === null || group.country === undefined || further.includes(String(group.country))) &&
      mayOverlap(place, group),
  );
  const inside = examples.filter(({ key }) => near.some(({ group }) => isInGroup(key, group)));
  return 2 * valueCount(near) >= cells && 2 * inside.length >= examples.length ? near : [];
}

/**
 * The country to which all groups belong; null if they belong to several. Groups that name no country belong to all
 * countries of the dataset: if the dataset has only one, the result is `own`.
 */
export function countryOfGroups(
  scaled: readonly ScaledGroup[],
  own: string | null,
  { countries }: DatasetComparison,
): string | null {
  const [first] = scaled;
  if (scaled.every(({ group }) => group.country === undefined)) return countries > 1 ? null : own;
  const country = first?.group.country;
  return country !== undefined && scaled.every(({ group }) => group.country === country)
    ? String(country)
    : null;
}

/** Whether the pattern of a verdict has the same place as the only group of the verdict. */
export function isOfOneGroup({
  scaledGroups: [first, ...others],
  country,
  pattern: { place },
}: PatternVerdict): boolean {
  if (first === undefined || others.length > 0) return false;
  // Patterns are of forecasts or of reported figures anyway, and a country has one region.
  const { region: _, temporal: __, calculation: ___, ...group } = first.group;
  const named = country === null ? group : { country, ...group };
  return Object.keys(named).length === Object.keys(place).length && isInGroup(place, named);
}

/** The part of a pattern's place that all groups of its verdict have. */
export const placeOfGroups = ({ scaledGroups, country, pattern: { place } }: PatternVerdict): RowDimensions =>
  Object.fromEntries(
    Object.entries(place).filter(
      ([dimension, value]) =>
        (dimension === 'country' && country === value) ||
        scaledGroups.every(({ group }) => group[dimension as keyof RowDimensions] === value),
    ),
  );

/**
 * The verdicts on changes of unit whose groups other verdicts report, each with those others. A verdict that may have
 * values outside the groups repeats nothing: one with an example outside them, or one of several with more cells than the
 * groups have values. A verdict on forecasts repeats one on reported figures, never the reverse.
 */
export function repeatedVerdicts(
  verdicts: readonly PatternVerdict[],
): ReadonlyMap<PatternVerdict, readonly PatternVerdict[]> {
  const all = verdicts.filter(({ scaledGroups }) => scaledGroups.length > 0);
  const left = new Set(all);
  const reportersOf = (one: PatternVerdict) =>
    all.filter(
      (other) =>
        other !== one &&
        left.has(other) &&
        (one.pattern.forecast || !other.pattern.forecast) &&
        haveCommonGroup(one, other),
    );
  // Each verdict in this order is left out if those still left report its groups: forecasts first, then the verdict with
  // most groups. Of verdicts with as many groups, the last one is left out first.
  const order = all
    .toReversed()
    .sort(
      (a, b) =>
        Number(b.pattern.forecast) - Number(a.pattern.forecast) ||
        b.scaledGroups.length - a.scaledGroups.length,
    );
  for (const one of order) {
    const others = reportersOf(one);
    const isReported = one.scaledGroups.every((group) =>
      others.some(({ scaledGroups }) => scaledGroups.includes(group)),
    );
    if (isReported && isInsideGroups(one, all)) left.delete(one);
  }
  return new Map(all.filter((one) => !left.has(one)).map((one) => [one, reportersOf(one)]));
}

/** Whether all cells of a verdict can be values of its groups, beside those of the other verdicts on them. */
function isInsideGroups(one: PatternVerdict, all: readonly PatternVerdict[]): boolean {
  const near = all.filter((other) => haveCommonGroup(one, other));
  const cells = near.reduce((sum, { pattern }) => sum + pattern.cells, 0);
  const groups = new Set(near.flatMap(({ scaledGroups }) => scaledGroups));
  return (
    cells <= valueCount([...groups]) &&
    one.pattern.examples.every(({ key }) => one.scaledGroups.some(({ group }) => isInGroup(key, group)))
  );
}

/** The countries that refused verdicts report to be in another unit, in a metric. */
export const scaledCountries = (patterns: readonly PatternVerdict[], metric: string): ReadonlySet<string> =>
  new Set(
    patterns.flatMap(({ scaledGroups, pattern }) =>
      pattern.metric === metric ? scaledGroups.flatMap(({ group }) => group.country ?? []).map(String) : [],
    ),
  );

/** The group of all values of a metric, if they are all in another unit. */
export const groupOfAllValues = (metric: string, groups: readonly ScaledGroup[]): ScaledGroup | undefined =>
  groups.find((one) => one.metric === metric && Object.keys(one.group).length === 0);

/** Whether a total moved because all values of its metric are in another unit. */
export function isTotalScaled(
  { metric, before, after }: Pick<Total, 'metric' | 'before' | 'after'>,
  groups: readonly ScaledGroup[],
): boolean {
  const factor = groupOfAllValues(metric, groups)?.factor;
  return factor !== undefined && before !== null && isNearExpected(after ?? 0, factor * before);
}

/** Whether the total is what the factor makes of it, or near it, because rows may be revised in the same month. */
const isNearExpected = (value: number, expected: number): boolean =>
  Math.abs(value - expected) <= SUSPICIOUS_MOVE * Math.abs(expected);

const haveCommonGroup = (one: PatternVerdict, other: PatternVerdict) =>
  one.scaledGroups.some((group) => other.scaledGroups.includes(group));

/** The number of values of groups. */
export const valueCount = (groups: readonly ScaledGroup[]): number =>
  groups.reduce((sum, { values }) => sum + values, 0);

const mayOverlap = (place: RowDimensions, group: RowDimensions): boolean =>
  Object.entries(group).every(([dimension, value]) => {
    const own = place[dimension as keyof RowDimensions];
    return dimension === 'year' || own === undefined || own === value;
  });

const isInGroup = (key: RowDimensions, group: RowDimensions): boolean =>
  Object.entries(group).every(([dimension, value]) => key[dimension as keyof RowDimensions] === value);

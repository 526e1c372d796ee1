// Finds products or channels of a few countries, or all figures of these countries, that were multiplied by one factor.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { CellChanges, Change, PatternSearch } from '../patterns/cellChanges.ts';
import { describePattern } from '../patterns/describePattern.ts';
import type { Pattern } from '../patterns/patternTypes.ts';
import { partCounts } from '../rows/partCounts.ts';
import { factorRange, roundingUnit } from './commonFactor.ts';

/** The parts of a country that are examined. Countries and channels count only if several products moved in one of them. */
const PARTS: readonly DimensionName[] = ['country', 'channel', 'product'];

/** Cells of fewer countries may have one factor by chance. */
export const FEWEST_COUNTRIES_OF_FACTOR = 6;

/** Honest forecasts of a market may all move by one factor, but by less than this. */
export const LEAST_FORECAST_MOVE = 0.1;

/** Two ratios of large figures are the same if they differ by at most this share. Rounding can cause such a difference. */
export const SAME_RATIO_SHARE = 2e-5;

/** From this move on, chance does not give markets of two countries one factor in all years and currencies. */
const REPORTED_MOVED = 0.005;

/**
 * The fewest years and currencies of a part. One year may move by one factor in all currencies, and a rate moves one
 * currency in all years.
 */
const FEWEST_YEARS = 3;
const FEWEST_CURRENCIES = 2;

/** The largest share of honest months in which chance may give several countries one factor. */
const MOST_BY_CHANCE = 0.01;

/** The approximate width of the range in which honest factors lie. */
const HONEST_RANGE = 0.02;

/** The cells of a part of a country that moved. The factors from `least` to `most` explain all of them. */
interface Part {
  readonly country: number;
  readonly value: number;
  readonly cells: readonly [Change, ...Change[]];
  readonly least: number;
  readonly most: number;
}

/**
 * Finds parts of countries whose values all moved by one factor, if the same part of another country moved by it, too. One
 * country alone may have been revised.
 *
 * @param revised Cells that moved by any factor.
 * @param isComparable Whether a row of the earlier side could have moved.
 */
export function findFewFactors(
  search: PatternSearch,
  kind: FactorKind,
  revised: readonly Change[],
  isComparable: (row: number) => boolean,
): Pattern[] {
  const { matched, changes } = search;
  const least = kind.forecast ? LEAST_FORECAST_MOVE : REPORTED_MOVED;
  const moved = revised.filter((change) => Math.abs(changes.ratio(change) - 1) >= least);
  const found: Pattern[] = [];
  const knownFactors: number[] = [];
  for (const dimension of PARTS.filter((one) => matched.codes.has(one))) {
    // A product that moved by the factor of its country has the same cause, and countries come first.
    const parts = partsOf(search, dimension, moved).filter((part) => !hasFactor(part, knownFactors));
    const groups = groupsOfOneFactor(search, dimension, parts);
    const complete = completeParts(search, dimension, groups.flat(), isComparable);
    for (const group of groups) {
      const whole = group.filter((part) => complete.has(part)).sort((a, b) => a.country - b.country);
      if (whole.length < 2) continue;
      for (const { cells } of whole) changes.explain(cells);
      knownFactors.push(...whole.map((part) => part.least));
      found.push(...patternsOfGroup(search, dimension, kind, whole));
    }
  }
  return found;
}

/** The metric whose figures moved, and whether they are forecasts. */
export type FactorKind = Pick<Pattern, 'metric' | 'forecast'>;

const hasFactor = ({ least }: Part, factors: readonly number[]): boolean =>
  factors.some((factor) => Math.abs(least / factor - 1) <= SAME_RATIO_SHARE);

/** Groups of parts of several countries that have one factor and the same value of a dimension. */
function groupsOfOneFactor(
  search: PatternSearch,
  dimension: DimensionName,
  parts: readonly Part[],
): readonly (readonly Part[])[] {
  const hasProducts = ({ cells }: Part) => dimension === 'product' || haveValues(search, 'product', 2, cells);
  return [...groupBy(parts, ({ value }) => value).values()]
    .flatMap((all) => groupsOfSameFactor(all))
    .filter((group) => group.length > 1 && group.some(hasProducts));
}

/** One pattern for each country. From `FEWEST_COUNTRIES_OF_FACTOR` on, there is one pattern for all of them. */
function patternsOfGroup(
  search: PatternSearch,
  dimension: DimensionName,
  { metric, forecast }: FactorKind,
  group: readonly Part[],
): Pattern[] {
  const { codes } = search.matched;
  const countryOf = ({ country }: Part) => codes.valueOf('country', country);
  const place =
    dimension === 'country' ? {} : { [dimension]: codes.valueOf(dimension, group[0]?.value ?? 0) };
  const describe = (cells: readonly Change[], where: Pick<Pattern, 'place' | 'between'>) =>
    describePattern(search, { family: 'factor', metric, forecast, ...where }, cells);
  if (group.length >= FEWEST_COUNTRIES_OF_FACTOR) {
    const all = group.flatMap(({ cells }) => cells);
    return [describe(all, { place, between: null })];
  }
  return group.map((part) => {
    const [to, cells] = [countryOf(part), part.cells.length];
    const others = group.filter((other) => other !== part);
    const pairs = others.map((other) => ({ from: countryOf(other), to, cells }));
    return describe(part.cells, {
      place: { country: to, ...place },
      between: { dimension: 'country', pairs },
    });
  });
}

/** The parts whose comparable rows of the earlier side all moved. */
function completeParts(
  { matched: { codes, before }, changes }: PatternSearch,
  dimension: DimensionName,
  parts: readonly Part[],
  isComparable: (row: number) => boolean,
): ReadonlySet<Part> {
  const dimensions: readonly DimensionName[] = dimension === 'country' ? ['country'] : ['country', dimension];
  const counted = parts.map(({ cells }) => ({ row: changes.rowOf(cells[0]), most: cells.length }));
  const counts = partCounts(codes, before, { dimensions, parts: counted, passes: isComparable });
  return new Set(parts.filter(({ cells }, i) => cells.length >= (counts[i] as number)));
}

/** The parts of countries whose cells moved by one factor in several years and currencies. */
function partsOf(search: PatternSearch, dimension: DimensionName, moved: readonly Change[]): readonly Part[] {
  const { changes } = search;
  return [...cellsByPart(changes, dimension, moved)].flatMap(([key, cells]): Part[] => {
    if (
      cells === null ||
      cells.length < FEWEST_YEARS * FEWEST_CURRENCIES ||
      !areOfSeveralYearsAndCurrencies(search, cells)
    )
      return [];
    const range = factorsOfCells(changes, cells);
    if (range.least > range.most) return [];
    return [{ country: Math.floor(key / MOST_VALUES), value: key % MOST_VALUES, cells, ...range }];
  });
}

type Cells = [Change, ...Change[]];

/**
 * The cells of each part; null for a part whose cells have different factors. The cells of such parts are not stored,
 * because most parts are of this kind.
 */
function cellsByPart(
  changes: CellChanges,
  dimension: DimensionName,
  moved: readonly Change[],
): ReadonlyMap<number, Cells | null> {
  const byPart = new Map<number, Cells | null>();
  for (const change of moved) {
    const value = dimension === 'country' ? WHOLE_COUNTRY : changes.code(dimension, change);
    const key = keyOf({ country: changes.code('country', change), value });
    const cells = byPart.get(key);
    if (cells === null) continue;
    if (cells === undefined) byPart.set(key, [change]);
    else if (haveOneFactor(changes, cells[0], change)) cells.push(change);
    else byPart.set(key, null);
  }
  return byPart;
}

function haveOneFactor(changes: CellChanges, one: Change, other: Change): boolean {
  const [now, old] = [changes.now(one), changes.old(one)];
  const [otherNow, otherOld] = [changes.now(other), changes.old(other)];
  const half = roundingUnit([now, otherNow]) / 2;
  return (
    (now - half) / old <= (otherNow + half) / otherOld && (otherNow - half) / otherOld <= (now + half) / old
  );
}

function factorsOfCells(changes: CellChanges, cells: readonly Change[]) {
  const figures = cells.map((change) => ({ old: changes.old(change), fresh: changes.now(change) }));
  return factorRange(figures, roundingUnit(figures.map(({ fresh }) => fresh)) / 2);
}

const MOST_VALUES = 1_000_000;

const keyOf = ({ country, value }: Pick<Part, 'country' | 'value'>): number => country * MOST_VALUES + value;

/** Stands for the value of a part that is a whole country. */
const WHOLE_COUNTRY = 0;

function haveValues(
  { changes }: PatternSearch,
  dimension: DimensionName,
  fewest: number,
  cells: readonly Change[],
): boolean {
  const values = new Set<number>();
  return cells.some((change) => values.add(changes.code(dimension, change)).size >= fewest);
}

const areOfSeveralYearsAndCurrencies = (search: PatternSearch, cells: readonly Change[]) =>
  haveValues(search, 'year', FEWEST_YEARS, cells) && haveValues(search, 'fx', FEWEST_CURRENCIES, cells);

/** Groups of parts that one factor explains. Groups that may share it by chance are left out. */
function groupsOfSameFactor(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: { parts: Part[]; most: number }[] = [];
  for (const part of parts.toSorted((one, other) => one.least - other.least)) {
    const last = groups.at(-1);
    if (last !== undefined && part.least <= last.most) {
      last.parts.push(part);
      last.most = Math.min(last.most, part.most);
    } else groups.push({ parts: [part], most: part.most });
  }
  return groups.flatMap((group) => {
    const widest = Math.max(...group.parts.map(({ least, most }) => most - least));
    const count = group.parts.length;
    // The logarithm of the number of groups of this size that chance makes.
    const logOfChance = count * Math.log(parts.length) + (count - 1) * Math.log(widest / HONEST_RANGE);
    return logOfChance <= Math.log(MOST_BY_CHANCE) ? [group.parts] : [];
  });
}

// Finds groups of rows in which all values of a metric were multiplied by one power of ten, probably by a change of unit.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { type DatasetName, type DimensionName, datasetOf, rowOrder } from '../../../src/catalog/datasets.ts';
import type { ScaledGroup } from '../comparisonTypes.ts';
import { CHANGE_KIND, changeKind, type MatchedRows } from '../rows/matchedRows.ts';

/** The powers of ten between units that people confuse: ones, tens, percent, thousands and millions. */
const POWERS: readonly number[] = [-6, -3, -2, -1, 1, 2, 3, 6];

/** The share by which a scaled value may also have been revised in the same month. */
const REVISED_SHARE = 0.05;

/**
 * The number of values from which on a group counts as scaled. A smaller group must be scaled exactly and by more than 10,
 * because a few small numbers become ten times as large quite often. The group of all rows may have any size.
 */
const FEWEST_VALUES = 3;

/** The share by which an exactly scaled value may deviate because of rounding. */
const ROUNDING_SHARE = 1e-6;

/** The scaled groups, coarse ones first. A group inside another one is left out. */
export function findScaledGroups(matched: MatchedRows): readonly ScaledGroup[] {
  const { before } = matched;
  return matched.metrics.flatMap((metric, metricIndex) => {
    const scaled = scaledValues(matched, metricIndex);
    if (scaled.length === 0) return [];
    const all = comparableRows(matched, metricIndex);
    const countries = new Set(scaled.map(({ row }) => before.code('country', row)));
    const near = all.filter((row) => countries.has(before.code('country', row)));
    return groupings(matched.codes.dataset).flatMap((dimensions) =>
      wholeGroups(matched, scaled, dimensions.includes('country') ? near : all, dimensions).map((group) => ({
        metric,
        ...group,
      })),
    );
  });
}

interface ScaledValue {
  /** The row on the earlier side. */
  readonly row: number;
  readonly power: number;
  readonly exactly: boolean;
  /** Whether the value is in a coarser group that is scaled as a whole. */
  isIncluded: boolean;
}

function scaledValues({ before, after, changed }: MatchedRows, metricIndex: number): ScaledValue[] {
  const found: ScaledValue[] = [];
  const [olds, freshes] = [before.values(metricIndex), after.values(metricIndex)];
  for (let i = 0; i < changed.count; i += 1) {
    if (changeKind(changed, i) !== CHANGE_KIND.revised) continue;
    const row = changed.before[i] as number;
    const ratio = (freshes[changed.after[i] as number] as number) / (olds[row] as number);
    if (!(ratio > 0) || !Number.isFinite(ratio) || (ratio > 0.2 && ratio < 5)) continue;
    const power = Math.round(Math.log10(ratio));
    const off = Math.abs(ratio / 10 ** power - 1);
    if (POWERS.includes(power) && off <= REVISED_SHARE)
      found.push({ row, power, exactly: off <= ROUNDING_SHARE, isIncluded: false });
  }
  return found;
}

/**
 * The dimensions to group by, coarse groups first: none, each dimension alone, the country with each other dimension, and
 * the country with year and currency. The region comes before the country, because it is the coarser of the two.
 */
function groupings(dataset: DatasetName): readonly (readonly DimensionName[])[] {
  const order = rowOrder(dataset).toSorted((a, b) => Number(b === 'region') - Number(a === 'region'));
  const pairs = order
    .filter((dimension) => dimension !== 'country' && dimension !== 'region')
    .map((dimension): DimensionName[] => ['country', dimension]);
  const last: DimensionName[] = [
    'country',
    'year',
    ...datasetOf(dataset).dimensions.filter((dimension) => dimension === 'fx'),
  ];
  return [[], ...order.map((dimension): DimensionName[] => [dimension]), ...pairs, last];
}

interface CandidateGroup {
  readonly first: ScaledValue;
  /** The country, if all values are of one country and the dataset has several; else null. */
  country: number | null;
  /** How many of its values were scaled. */
  values: number;
  comparable: number;
  isOnePower: boolean;
  exactly: boolean;
  isIncluded: boolean;
}

/**
 * The groups by these dimensions in which all comparable values were scaled by one power, without those inside a coarser
 * group.
 */
function wholeGroups(
  { codes, before }: MatchedRows,
  scaled: readonly ScaledValue[],
  comparable: Int32Array,
  dimensions: readonly DimensionName[],
): Omit<ScaledGroup, 'metric'>[] {
  const keyOf = codes.keys.by(dimensions);
  const countryOf = ({ row }: ScaledValue) =>
    codes.size('country') === 1 ? null : before.code('country', row);
  const groups = groupsOfScaled(scaled, ({ row }) => keyOf(before, row), countryOf);
  for (const row of comparable) {
    const group = groups.get(keyOf(before, row));
    if (group !== undefined) group.comparable += 1;
  }
  const isTrusted = ({ values, exactly, first: { power } }: CandidateGroup) =>
    dimensions.length === 0 || values >= FEWEST_VALUES || (exactly && Math.abs(power) > 1);
  // Figures of a region with one country are reported as those of the country.
  const isCoarse = ({ country }: CandidateGroup) => country === null || dimensions.join() !== 'region';
  const whole = [...groups].filter(
    ([, group]) =>
      group.values === group.comparable &&
      group.isOnePower &&
      !group.isIncluded &&
      isTrusted(group) &&
      isCoarse(group),
  );
  const keys = new Set(whole.map(([key]) => key));
  for (const one of scaled) if (keys.has(keyOf(before, one.row))) one.isIncluded = true;
  return whole
    .map(([, group]) => group)
    .sort((a, b) => a.first.power - b.first.power || a.values - b.values || a.first.row - b.first.row)
    .map(({ first, values, country }) => ({
      group: Object.fromEntries(
        (country === null || dimensions.includes('country')
          ? dimensions
          : ['country' as const, ...dimensions]
        ).map((dimension) => [dimension, codes.valueOf(dimension, before.code(dimension, first.row))]),
      ),
      factor: 10 ** first.power,
      values,
    }));
}

/** Groups scaled values by their keys. The caller counts `comparable`. */
function groupsOfScaled(
  scaled: readonly ScaledValue[],
  keyOf: (one: ScaledValue) => number | string,
  countryOf: (one: ScaledValue) => number | null,
): ReadonlyMap<number | string, CandidateGroup> {
  const groups = new Map<number | string, CandidateGroup>();
  for (const one of scaled) {
    const country = countryOf(one);
    const group = getOrInsert(groups, keyOf(one), () => ({
      ...{ first: one, country, values: 0, comparable: 0 },
      ...{ isOnePower: true, exactly: true, isIncluded: true },
    }));
    group.values += 1;
    if (group.country !== country) group.country = null;
    group.isOnePower &&= one.power === group.first.power;
    group.exactly &&= one.exactly;
    group.isIncluded &&= one.isIncluded;
  }
  return groups;
}

/** The rows of the earlier side whose value is neither missing nor 0 on either side. */
function comparableRows({ before, after, changed }: MatchedRows, metricIndex: number): Int32Array {
  const [olds, freshes] = [before.values(metricIndex), after.values(metricIndex)];
  const found = new Int32Array(before.count);
  let [count, next] = [0, 0];
  for (let row = 0; row < before.count; row += 1) {
    while (next < changed.count && (changed.before[next] as number) < row) next += 1;
    const value = olds[row] as number;
    if (value === 0 || Number.isNaN(value)) continue;
    if (next < changed.count && changed.before[next] === row) {
      const now = changed.after[next] as number;
      if (now < 0 || freshes[now] === 0 || Number.isNaN(freshes[now])) continue;
    }
    found[count] = row;
    count += 1;
  }
  return found.subarray(0, count);
}

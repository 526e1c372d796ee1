// Finds the changes of values in rows of both sides: their number by size, those of closed years, the largest ones.

import { addTo } from '../../src/basics/maps.ts';
import { metricUnit } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import type { CountryRevised, MetricChanges, RevisionSize } from './comparisonTypes.ts';
import { type Revision, revisionOf } from './revision.ts';
import type { CodeArray } from './rows/codedRows.ts';
import {
  CHANGE_KIND,
  changedRow,
  changeKind,
  differ,
  isSettledRow,
  type MatchedRows,
} from './rows/matchedRows.ts';
import type { Sides } from './side.ts';

/** A value of a closed year counts as revised if it moved by more than this share. */
const REVISED_SHARE = 0.05;

/** The share for exchange rates. The rates of a year that has ended do not change. */
const REVISED_SHARE_OF_RATES = 0.005;

const isCurrentRate = (metric: string) => metric === 'fx_current_usd' || metric === 'fx_current_eur';
const isConstantRate = (metric: string) => metric === 'fx_constant_usd' || metric === 'fx_constant_eur';

/**
 * A new base year moves the constant rates of all years. Then those of more than this share of a country's closed years
 * moved.
 */
const REBASED_SHARE = 0.5;

/**
 * A percentage must also have moved by more points than this. Sources round to a tenth, so 1.2 → 1.3 does not count,
 * although it is 8 %.
 */
const TENTH_OF_A_POINT = 0.1;

/** Allows for the rounding of doubles, which makes 1 → 1.05 a little more than 5 %. */
const ROUNDING = 1 + 1e-12;

/** How many revisions of closed years are listed, the largest first. */
const MOST_LISTED_REVISIONS = 3;

/** The changes of each metric; none for a lookup. */
export function metricChanges(
  matched: MatchedRows,
  { before, after }: Sides<DatasetManifest>,
): Readonly<Record<string, MetricChanges>> {
  return Object.fromEntries(
    matched.metrics.map((metric, i) => {
      const nullsBefore = before.metrics[metric]?.nulls ?? 0;
      const nullsAfter = after.metrics[metric]?.nulls ?? 0;
      return [metric, { ...changesOf(matched, metric, i), nullsBefore, nullsAfter }];
    }),
  );
}

function changesOf(matched: MatchedRows, metric: string, metricIndex: number) {
  const { codes, before, after, changed } = matched;
  const least = metricUnit(codes.dataset, metric) === 'percent' ? TENTH_OF_A_POINT : 0;
  const [olds, freshes] = [before.values(metricIndex), after.values(metricIndex)];
  const closedValues = closedValuesOf(matched, olds);
  const rebased = isConstantRate(metric) ? rebasedCountries(matched, metricIndex, closedValues) : null;
  const mayBeFixed = isCurrentRate(metric) || rebased !== null;
  const sizes = SIZES.map(() => ({ down: 0, up: 0 }));
  let [revised, filled, emptied, closedGone] = [0, 0, 0, 0];
  const revisedOf = new Map<number, number>();
  const largest = new Largest(MOST_LISTED_REVISIONS);
  let [closedRevised, closedFar] = [0, 0];
  for (let i = 0; i < changed.count; i += 1) {
    const kind = changeKind(changed, i);
    if (kind === CHANGE_KIND.added) continue;
    const row = changed.before[i] as number;
    const from = olds[row] as number;
    const to = kind === CHANGE_KIND.removed ? Number.NaN : (freshes[changed.after[i] as number] as number);
    if (!differ(from, to)) continue;
    const settled = isSettledRow(matched, before, row);
    if (Number.isNaN(to)) {
      if (kind === CHANGE_KIND.revised) emptied += 1;
      if (settled) closedGone += 1;
    } else if (Number.isNaN(from)) filled += 1;
    else {
      revised += 1;
      const moved = Math.abs(to - from);
      const size = sizes[SIZES.findIndex((upTo) => upTo === null || moved <= upTo * Math.abs(from))];
      if (size !== undefined) size[to < from ? 'down' : 'up'] += 1;
      if (!settled) continue;
      const country = before.code('country', row);
      const isFixed = mayBeFixed && rebased?.has(country) !== true;
      const leastShare = isFixed ? REVISED_SHARE_OF_RATES : REVISED_SHARE;
      if (moved <= Math.max(leastShare * Math.abs(from), least) * ROUNDING) continue;
      closedRevised += 1;
      if (!isFixed || moved > REVISED_SHARE * Math.abs(from) * ROUNDING) closedFar += 1;
      addTo(revisedOf, country, 1);
      largest.add(i, shareOf(from, to));
    }
  }
  return {
    revised,
    sizes: revised === 0 ? [] : SIZES.map((upTo, i): RevisionSize => ({ upTo, ...(sizes[i] ?? NO_MOVES) })),
    filled,
    emptied,
    closedValues: closedValues.reduce((sum, values) => sum + values, 0) - closedGone,
    closedRevised,
    closedFar,
    closedCountries: revisedOf.size,
    closedMost: mostRevised(matched, closedValues, revisedOf),
    closedLargest: largest.found().map((i) => revisionAt(matched, i, metricIndex)),
  };
}

/** The upper ends of the sizes by which revisions are counted, as shares of the earlier value. */
const SIZES = [0.001, 0.01, 0.05, 0.15, 1, null] as const;
const NO_MOVES = { down: 0, up: 0 };

/** For the code of each country, how many values of closed years it has. */
function closedValuesOf({ codes, before, flags }: MatchedRows, values: Float64Array): Int32Array {
  const counts = new Int32Array(codes.size('country'));
  countValues(counts, before.codes('country'), flags.before.settled, values);
  return counts;
}

/** The countries whose rates of most closed years moved. */
function rebasedCountries(
  matched: MatchedRows,
  metricIndex: number,
  closedValues: Int32Array,
): ReadonlySet<number> {
  const { before, after, changed } = matched;
  const [olds, freshes] = [before.values(metricIndex), after.values(metricIndex)];
  const movedOf = new Map<number, number>();
  for (let i = 0; i < changed.count; i += 1) {
    if (changeKind(changed, i) !== CHANGE_KIND.revised) continue;
    const row = changed.before[i] as number;
    const to = freshes[changed.after[i] as number] as number;
    if (!differ(olds[row] as number, to) || !isSettledRow(matched, before, row)) continue;
    addTo(movedOf, before.code('country', row), 1);
  }
  const isRebased = ([country, moved]: readonly [number, number]) =>
    moved > REBASED_SHARE * (closedValues[country] as number);
  return new Set([...movedOf].filter(isRebased).map(([country]) => country));
}

function countValues(
  counts: Int32Array,
  countries: CodeArray,
  settled: Uint8Array,
  values: Float64Array,
): void {
  for (let row = 0; row < values.length; row += 1)
    if (settled[row] === 1 && !Number.isNaN(values[row])) {
      const country = countries[row] as number;
      counts[country] = (counts[country] as number) + 1;
    }
}

/** The country with the largest share of revised values. Of equal shares, that of the first country in code-point order. */
function mostRevised(
  { codes }: MatchedRows,
  closedValues: Int32Array,
  revisedOf: ReadonlyMap<number, number>,
): CountryRevised | null {
  const [most] = Array.from(revisedOf, ([country, revised]) => ({
    country,
    values: closedValues[country] as number,
    revised,
  })).sort((a, b) => b.revised / b.values - a.revised / a.values || a.country - b.country);
  return most === undefined ? null : { ...most, country: codes.textOf('country', most.country) };
}

/** How far a value moved, as a share of the earlier value; infinite for a move from 0. */
const shareOf = (from: number, to: number) =>
  from === 0 ? Number.POSITIVE_INFINITY : Math.abs((to - from) / from);

/** Collects the items with the largest sizes. Of items with equal sizes, those that were added first stay. */
class Largest {
  readonly #most: number;
  #items: { readonly item: number; readonly size: number }[] = [];
  #least = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  add(item: number, size: number): void {
    if (this.#items.length >= 2 * this.#most) this.#cut();
    if (this.#items.length < this.#most || size > this.#least) this.#items.push({ item, size });
  }

  /** The collected items, the largest first. */
  found(): readonly number[] {
    this.#cut();
    return this.#items.map(({ item }) => item);
  }

  #cut(): void {
    this.#items = this.#items.sort((a, b) => b.size - a.size || a.item - b.item).slice(0, this.#most);
    if (this.#items.length === this.#most) this.#least = this.#items.at(-1)?.size ?? this.#least;
  }
}

function revisionAt(matched: MatchedRows, i: number, metricIndex: number): Revision {
  const { codes, before, after, changed, metrics } = matched;
  const from = before.value(metricIndex, changed.before[i] as number);
  const to = after.value(metricIndex, changed.after[i] as number);
  return revisionOf(codes.dimensionsOf(...changedRow(matched, i)), metrics[metricIndex] ?? '', from, to);
}

/**
 * Values that differ in rows that both sides have, at most `limit` of each kind. Those that became empty come first. The
 * revised ones follow, the largest relative changes first. Those that were empty come last. Equal changes are in row order.
 */
export function revisionsOf(matched: MatchedRows, limit: number): readonly Revision[] {
  const { before, after, changed, metrics } = matched;
  const [emptied, revised, filled] = [new Largest(limit), new Largest(limit), new Largest(limit)];
  for (let i = 0; i < changed.count; i += 1) {
    if (changeKind(changed, i) !== CHANGE_KIND.revised) continue;
    for (let m = 0; m < metrics.length; m += 1) {
      const from = before.value(m, changed.before[i] as number);
      const to = after.value(m, changed.after[i] as number);
      if (!differ(from, to)) continue;
      const item = i * metrics.length + m;
      if (Number.isNaN(to)) emptied.add(item, 0);
      else if (Number.isNaN(from)) filled.add(item, 0);
      else revised.add(item, shareOf(from, to));
    }
  }
  return [emptied, revised, filled].flatMap((largest) =>
    largest
      .found()
      .map((item) => revisionAt(matched, Math.floor(item / metrics.length), item % metrics.length)),
  );
}

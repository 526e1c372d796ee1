// Finds renamed values: a vanished and a new value of a dimension whose rows have the same numbers.

import { groupBy } from '../../src/basics/lists.ts';
import { getOrInsert } from '../../src/basics/maps.ts';
import { type DimensionName, isText } from '../../src/catalog/datasets.ts';
import type { DimensionChange, RenamedValue } from './comparisonTypes.ts';
import { type Revision, revisionOf } from './revision.ts';
import { differ, isNonZero, type MatchedRows } from './rows/matchedRows.ts';
import { addedRows, removedRows } from './rows/rowLists.ts';
import type { Merger } from './sharedMergers.ts';

/** Numbers that differ by at most this share count as the same, because some are revised in the month of a renaming. */
const ALIKE_DISTANCE = 0.01;

/** The share of the rows of the vanished value that must have the same numbers. */
const ALIKE_SHARE = 0.5;

/**
 * The renamed values of a dataset, dimension by dimension. A product that several countries merged into another one was not
 * renamed, even if most countries had no other product to add to it.
 *
 * @param changes The values of each dimension that only one side has.
 */
export function findRenamedValues(
  matched: MatchedRows,
  changes: readonly DimensionChange[],
  mergers: readonly Merger[],
): readonly RenamedValue[] {
  const { codes } = matched;
  const isMerged = (dimension: DimensionName, from: number, to: number): boolean =>
    dimension === 'product' && mergers.some((one) => one.to === to && one.shared?.includes(from) === true);
  return changes.flatMap((change) => {
    const { dimension, appeared, vanished } = change;
    if (!isText(dimension) || appeared.length === 0 || vanished.length === 0) return [];
    const vanishedByValue = new Map(vanished.map((one) => [one.value, one]));
    return pairsOf(matched, change).flatMap(({ from, to, alike, both, moved, farthest }) => {
      const [old, fresh] = [codes.valueOf(dimension, from), codes.valueOf(dimension, to)];
      const { rows = 0, countries = [] } = vanishedByValue.get(old) ?? {};
      if (alike < ALIKE_SHARE * rows || isMerged(dimension, from, to)) return [];
      const names = { dimension, from: String(old), to: String(fresh), countries };
      return [{ ...names, rows, alike, moved, missing: rows - both, farthest }];
    });
  });
}

/** Numbers that moved by this share or more are reported. Most months have some that moved by less. */
const MOVED_SHARE = 0.1;

interface Pair {
  readonly from: number;
  readonly to: number;
  /** How many removed rows with `from` have an added row with `to` that agrees in all other dimensions. */
  both: number;
  /** How many of these have the same numbers. */
  alike: number;
  /** How many of these have a number that moved by `MOVED_SHARE` or more. */
  moved: number;
  /** The value that moved by the largest amount; null when none moved by `MOVED_SHARE` or more. */
  farthest: Revision | null;
}

/** Pairs of a vanished code and a new one whose rows differ in that code alone, and perhaps in their numbers. */
function pairsOf(matched: MatchedRows, { dimension, appeared, vanished }: DimensionChange): readonly Pair[] {
  const { codes, before, after, changed } = matched;
  const isOneOf = (values: DimensionChange['appeared']) => {
    const codesOfValues = new Set(values.map(({ value }) => codes.codeOf(dimension, value)));
    return (code: number) => codesOfValues.has(code);
  };
  const [isGone, isNew] = [isOneOf(vanished), isOneOf(appeared)];
  const keyOf = codes.keys.without(dimension);
  const gone = groupBy(
    removedRows(changed).filter((row) => isGone(before.code(dimension, row))),
    (row) => keyOf(before, row),
  );
  const pairs = new Map<string, Pair>();
  for (const row of addedRows(changed)) {
    if (!isNew(after.code(dimension, row))) continue;
    for (const old of gone.get(keyOf(after, row)) ?? []) {
      const from = before.code(dimension, old);
      const to = after.code(dimension, row);
      const pair = getOrInsert(pairs, `${from} ${to}`, () => ({
        from,
        to,
        both: 0,
        alike: 0,
        moved: 0,
        farthest: null,
      }));
      pair.both += 1;
      if (areAlike(matched, old, row)) pair.alike += 1;
      const far = farMove(matched, old, row);
      if (far === null) continue;
      pair.moved += 1;
      if (sizeOf(far) > sizeOf(pair.farthest)) pair.farthest = far;
    }
  }
  return [...pairs.values()].sort((a, b) => a.from - b.from || b.alike - a.alike || a.to - b.to);
}

/**
 * Whether two rows have the same numbers. Rows without a number other than 0 prove nothing, so they do not count as alike.
 */
function areAlike({ metrics, before, after }: MatchedRows, old: number, fresh: number): boolean {
  const hasNumbers = metrics.some(
    (_, m) => isNonZero(before.value(m, old)) || isNonZero(after.value(m, fresh)),
  );
  return hasNumbers && metrics.every((_, m) => areNearlyEqual(before.value(m, old), after.value(m, fresh)));
}

/** The first number of a row that moved by `MOVED_SHARE` or more; null when none did. */
function farMove(
  { codes, metrics, before, after }: MatchedRows,
  old: number,
  fresh: number,
): Revision | null {
  for (const [m, metric] of metrics.entries()) {
    const from = before.value(m, old);
    const to = after.value(m, fresh);
    if (!differ(from, to) || Math.abs(to - from) < MOVED_SHARE * Math.abs(from)) continue;
    return revisionOf(codes.dimensionsOf(after, fresh), metric, from, to);
  }
  return null;
}

/** The amount by which a number moved; -1 for null. */
const sizeOf = (move: Revision | null): number =>
  move === null ? -1 : Math.abs((move.to ?? 0) - (move.from ?? 0));

/** Whether two numbers are equal up to a small revision, or both missing. */
export const areNearlyEqual = (from: number, to: number): boolean =>
  !differ(from, to) || Math.abs(to - from) <= ALIKE_DISTANCE * Math.abs(from);

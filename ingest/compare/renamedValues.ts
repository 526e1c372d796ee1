// Finds renamed values: a vanished and a new value of a dimension whose rows have the same numbers.

import { type DimensionName, isText } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import { differ, isNonZero, type Matched } from './rows/matchedRows.ts';
import { addedRows, removedRows } from './rows/rowLists.ts';
import type { DimensionChange, RenamedValue } from './types.ts';

/** The share by which numbers may differ and still count as the same, because some are revised in the month of a renaming. */
const ALIKE = 0.01;

/** The share of the rows of the vanished value that must have the same numbers. */
const ALIKE_SHARE = 0.5;

export function findRenamedValues(
  matched: Matched,
  changes: readonly DimensionChange[],
): readonly RenamedValue[] {
  const { codes, metrics } = matched;
  return changes.flatMap((change) => {
    const { dimension, appeared, vanished } = change;
    if (!isText(dimension) || metrics.length === 0) return [];
    if (appeared.length === 0 || vanished.length === 0) return [];
    const removedRows = new Map(vanished.map((one) => [one.value, one]));
    return alikeRows(matched, change).flatMap(({ from, to, alike }) => {
      const [old, fresh] = [codes.valueOf(dimension, from), codes.valueOf(dimension, to)];
      const { rows = 0, countries = [] } = removedRows.get(old) ?? {};
      if (alike < ALIKE_SHARE * rows) return [];
      return [{ dimension, from: String(old), to: String(fresh), countries, rows, alike }];
    });
  });
}

interface Pair {
  readonly from: number;
  readonly to: number;
  alike: number;
}

/** Pairs of a vanished and a new code, and how many rows have the same numbers and differ in that code only. */
function alikeRows(matched: Matched, { dimension, appeared, vanished }: DimensionChange): readonly Pair[] {
  const { codes, before, after, changed } = matched;
  const isOneOf = (values: DimensionChange['appeared']) => {
    const codesOfValues = new Set(values.map(({ value }) => codes.codeOf(dimension, value)));
    return (code: number) => codesOfValues.has(code);
  };
  const [isGone, isNew] = [isOneOf(vanished), isOneOf(appeared)];
  const nameOf = codes.names.without(dimension);
  const gone = groupBy(
    removedRows(changed).filter((row) => isGone(before.code(dimension, row))),
    (row) => nameOf(before, row),
  );
  const pairs = new Map<string, Pair>();
  for (const row of addedRows(changed)) {
    if (!isNew(after.code(dimension, row))) continue;
    for (const old of gone.get(nameOf(after, row)) ?? []) {
      if (!areAlike(matched, old, row)) continue;
      const [from, to] = [before.code(dimension, old), after.code(dimension, row)];
      const pair = pairs.get(`${from} ${to}`) ?? { from, to, alike: 0 };
      pairs.set(`${from} ${to}`, pair);
      pair.alike += 1;
    }
  }
  return [...pairs.values()].sort((a, b) => a.from - b.from || b.alike - a.alike || a.to - b.to);
}

/** Whether two rows have the same numbers. Rows without a number other than 0 prove nothing, so they do not count as alike. */
function areAlike({ metrics, before, after }: Matched, old: number, fresh: number): boolean {
  const hasNumbers = metrics.some(
    (_, m) => isNonZero(before.value(m, old)) || isNonZero(after.value(m, fresh)),
  );
  return hasNumbers && metrics.every((_, m) => areNear(before.value(m, old), after.value(m, fresh)));
}

/** Whether two numbers are equal up to a small revision, or both missing. */
export const areNear = (from: number, to: number): boolean =>
  !differ(from, to) || Math.abs(to - from) <= ALIKE * Math.abs(from);

/** Whether one value of a dimension was renamed to the other one. */
export const isRenamedValue = (
  renamed: readonly RenamedValue[],
  dimension: DimensionName,
  from: string | number,
  to: string | number,
): boolean => renamed.some((one) => one.dimension === dimension && one.from === from && one.to === to);

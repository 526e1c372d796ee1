// Warns of rows that are the sum of some rows beside them, such as casino games beside slots, table games and poker.
//
// `../totalValues.ts` reports rows that are the sum of all rows beside them.

import { groupBy, onlyOf } from '../../../src/basics/lists.ts';
import { addTo } from '../../../src/basics/maps.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { hasManyDigits } from '../../figures/digits.ts';
import { counted } from '../../messages/numbers.ts';
import { rowCountText } from '../stagedPlaces.ts';
import type { RowGroups } from '../stagedRows.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';

/** The dimensions whose values may be sums. A sum may differ from its parts in the dimensions `without`. */
const SUMMED = [
  { dimension: 'product', without: ['product', 'category'] },
  { dimension: 'sub_channel', without: ['sub_channel', 'channel'] },
] as const satisfies readonly {
  readonly dimension: DimensionName;
  readonly without: readonly DimensionName[];
}[];

/**
 * The largest difference between a figure and the sum of its parts. Rounding moves a sum of three figures by up to two
 * units.
 */
const MOST_ROUNDING = 2;

/**
 * The fewest rows of a group: two parts, their sum and another row. Without another row, `../totalValues.ts` reports the
 * sum.
 */
const FEWEST_MEMBERS = 4;

/** The most rows of a group in which sums of two rows are tried. In larger groups they take too long. */
const MOST_FOR_TWO = 24;
const MOST_FOR_THREE = 12;

/** A value must be the sum of the same parts in at least this many rows of a country, of different years and currencies. */
const FEWEST_SUMS = 4;
/** A value must be the sum of its parts in this share of the years and currencies that have all of them. */
const LEAST_SHARE = 0.8;

interface Sum {
  readonly row: number;
  readonly parts: readonly number[];
}

/**
 * Reports each value of a dimension, such as a product, that is the sum of the same other values in most rows of a country.
 */
export function checkPartialSums(figures: CheckedFigures): void {
  const { staging, metric, rows } = figures;
  const countries = rows.dimension('country');
  for (const { dimension, without } of SUMMED) {
    if (!rows.has(dimension) || rows.numbered(dimension).count < FEWEST_MEMBERS) continue;
    const codes = rows.dimension(dimension);
    const groups = membersOf(rows.groupsWithout(without), rows.values(metric));
    const sums = groups.flatMap((members) => sumsIn(members, rows.values(metric)));
    const byValues = groupBy(sums, ({ row, parts }) =>
      JSON.stringify([countries[row], codes[row], ...parts.map((part) => codes[part] as number).sort()]),
    );
    const confirmed = [...byValues.values()].filter(
      (all) =>
        all.length >= FEWEST_SUMS && all.length >= LEAST_SHARE * occurrences(all, groups, figures, codes),
    );
    if (confirmed.length === 0) continue;
    const groupsBeside = membersOf(rows.groupsWithout([dimension]), rows.values(metric));
    const sumsOfAll = valuesOfAll(groupsBeside, figures, codes);
    for (const [value, all] of groupBy(confirmed.flat(), ({ row }) => codes[row])) {
      if (sumsOfAll.has(value)) continue;
      const [{ row, parts }] = all;
      const names = parts.map((part) => `"${staging.text(codes[part])}"`);
      const inCountries = new Set(all.map((sum) => staging.text(countries[sum.row])));
      const country = onlyOf(inCountries);
      const where = country ?? counted(inCountries.size, 'country', 'countries');
      warnOfRow(
        figures,
        row,
        {
          problem: `${metric} of ${dimension} "${staging.text(codes[row])}" is the sum of ${names.slice(0, -1).join(', ')} and ${names.at(-1)} in ${rowCountText(all.length)} of ${where}`,
          remedy: 'if it is their total, delete its rows: they would be counted twice',
          kind: `a ${dimension} is the sum of some others`,
          country,
        },
        dimension,
      );
    }
  }
}

/** The rows of each group with positive figures, the smallest figures first. */
function membersOf({ numbers, count }: RowGroups, values: Float64Array): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let row = 0; row < numbers.length; row += 1)
    if ((values[row] as number) > 0) members[numbers[row] as number]?.push(row);
  for (const group of members) group.sort((a, b) => (values[a] as number) - (values[b] as number));
  return members;
}

/** The values that are the sum of all others in half of their groups or more. `../totalValues.ts` reports them. */
function valuesOfAll(
  groups: readonly (readonly number[])[],
  { metric, rows }: CheckedFigures,
  codes: Int32Array,
): ReadonlySet<number | undefined> {
  const values = rows.values(metric);
  const [counts, sums] = [new Map<number | undefined, number>(), new Map<number | undefined, number>()];
  for (const members of groups.filter(({ length }) => length > 2)) {
    for (const row of members) addTo(counts, codes[row], 1);
    const most = members.at(-1) ?? 0;
    const others = members.reduce((sum, row) => sum + (values[row] as number), -(values[most] as number));
    if (Math.abs(others - (values[most] as number)) <= MOST_ROUNDING) addTo(sums, codes[most], 1);
  }
  return new Set([...sums].filter(([code, n]) => 2 * n >= (counts.get(code) ?? 0)).map(([code]) => code));
}

/** The members of a group that are the sum of two or three others. The group must have a further member. */
function sumsIn(members: readonly number[], values: Float64Array): readonly Sum[] {
  const found: Sum[] = [];
  if (members.length < FEWEST_MEMBERS || members.length > MOST_FOR_TWO) return found;
  const valueAt = (index: number) => values[members[index] as number] as number;
  const add = (sum: number, ...parts: readonly number[]) => {
    for (
      let index = (parts.at(-1) ?? 0) + 1;
      index < members.length && valueAt(index) <= sum + MOST_ROUNDING;
      index += 1
    ) {
      if (valueAt(index) < sum - MOST_ROUNDING || !hasManyDigits(valueAt(index))) continue;
      found.push({ row: members[index] as number, parts: parts.map((part) => members[part] as number) });
    }
  };
  for (let a = 0; a < members.length; a += 1)
    for (let b = a + 1; b < members.length; b += 1) {
      add(valueAt(a) + valueAt(b), a, b);
      if (members.length < 5 || members.length > MOST_FOR_THREE) continue;
      for (let c = b + 1; c < members.length; c += 1) add(valueAt(a) + valueAt(b) + valueAt(c), a, b, c);
    }
  return found;
}

/** The number of groups of a country that have the value of a sum, the values of all its parts and a further member. */
function occurrences(
  [{ row, parts }]: readonly [Sum, ...Sum[]],
  groups: readonly (readonly number[])[],
  { rows }: CheckedFigures,
  codes: Int32Array,
): number {
  const countries = rows.dimension('country');
  const wanted = [row, ...parts].map((rowOrPart) => codes[rowOrPart]);
  return groups.filter(
    (members) =>
      members.length > wanted.length &&
      countries[members[0] ?? -1] === countries[row] &&
      wanted.every((code) => members.some((member) => codes[member] === code)),
  ).length;
}

// Tests the search for changes of unit on countries that were each scaled in one way.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ScaledGroup } from '../../../../ingest/compare/comparisonTypes.ts';
import { aComparison } from '../../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../../support/snapshot.ts';

interface Cell {
  readonly product: string;
  readonly year: number;
  readonly fx: string;
  readonly value: number | null;
}

/** The figures of a country: of two products in three years. */
const CELLS: readonly Cell[] = ['Bingo', 'Poker'].flatMap((product, p) =>
  [2020, 2021, 2022].map((year, y) => ({
    product,
    year,
    fx: 'EUR',
    value: 22_400_000 + 310_000 * p + 17_000 * y,
  })),
);
/** The same figures in two currencies. */
const IN_TWO = ['EUR', 'USD'].flatMap((fx) => CELLS.map((cell) => ({ ...cell, fx })));

/** The factor by which a figure is multiplied: 1 for a figure that stays, null for a row that is removed. */
type By = (cell: Cell, i: number) => number | null;
type Case = readonly [name: string, cells: readonly Cell[], by: By, found: readonly string[]];

const isPoker = ({ product }: Cell) => product === 'Poker';
const changed = (...values: readonly (number | null)[]) =>
  CELLS.map((cell, i) => ({ ...cell, value: i < values.length ? (values[i] ?? null) : cell.value }));

const CASES: readonly Case[] = [
  ['all', CELLS, () => 1000, ['country: × 1000, 6']],
  ['all, down', CELLS, () => 0.001, ['country: × 0.001, 6']],
  ['all by a million', CELLS, () => 1e6, ['country: × 1000000, 6']],
  ['all by a millionth', CELLS, () => 1e-6, ['country: × 0.000001, 6']],
  ['all by ten thousand', CELLS, () => 1e4, []],
  ['all by ten', CELLS, () => 10, ['country: × 10, 6']],
  ['all by a tenth', CELLS, () => 0.1, ['country: × 0.1, 6']],
  ['all by a hundred', CELLS, () => 100, ['country: × 100, 6']],
  ['all by a hundredth', CELLS, () => 0.01, ['country: × 0.01, 6']],
  [
    'revised by 4.9 % as well',
    CELLS,
    (_, i) => 1000 * (i === 2 ? 1.049 : i === 4 ? 0.951 : 1),
    ['country: × 1000, 6'],
  ],
  [
    'one of them revised by 5.1 %',
    CELLS,
    (_, i) => (i === 2 ? 1051 : 1000),
    ['country Poker: × 1000, 3', 'country 2020: × 1000, 2', 'country 2021: × 1000, 2'],
  ],
  ['a product', CELLS, (cell) => (isPoker(cell) ? 1000 : 1), ['country Poker: × 1000, 3']],
  ['a year, by a hundred', CELLS, ({ year }) => (year === 2021 ? 100 : 1), ['country 2021: × 100, 2']],
  ['a year, by ten', CELLS, ({ year }) => (year === 2021 ? 10 : 1), []],
  [
    'a year in two currencies, by ten',
    IN_TWO,
    ({ year }) => (year === 2021 ? 10 : 1),
    ['country 2021: × 10, 4'],
  ],
  [
    'a year, by a hundred and a little',
    CELLS,
    ({ year }, i) => (year === 2021 ? 100 * (1 + (i - 1) * 3e-6) : 1),
    [],
  ],
  [
    'a year, rounded',
    CELLS,
    ({ year }, i) => (year === 2021 ? 100 * (1 + i * 2e-7) : 1),
    ['country 2021: × 100, 2'],
  ],
  [
    'each product by another factor',
    CELLS,
    (cell) => (isPoker(cell) ? 1000 : 100),
    ['country Bingo: × 100, 3', 'country Poker: × 1000, 3'],
  ],
  [
    'a currency and a year of the other one',
    IN_TWO,
    ({ fx, year }) => (fx === 'USD' || year === 2021 ? 1000 : 1),
    ['country USD: × 1000, 6', 'country 2021: × 1000, 4'],
  ],
  [
    'the first currency and a year of the other one',
    IN_TWO,
    ({ fx, year }) => (fx === 'EUR' || year === 2021 ? 1000 : 1),
    ['country EUR: × 1000, 6', 'country 2021: × 1000, 4'],
  ],
  [
    'a year in one currency',
    IN_TWO,
    ({ fx, year }) => (fx === 'USD' && year === 2021 ? 1000 : 1),
    ['country 2021 USD: × 1000, 2'],
  ],
  ['beside a row that goes', CELLS, (_, i) => (i === 3 ? null : 1000), ['country: × 1000, 5']],
  ['beside an earlier row that goes', CELLS, (_, i) => (i === 2 ? null : 1000), ['country: × 1000, 5']],
  [
    'beside a figure that stays and a row below it that goes',
    CELLS,
    (_, i) => (i === 2 ? 1 : i === 3 ? null : 1000),
    ['country Poker: × 1000, 2', 'country 2020: × 1000, 1', 'country 2021: × 1000, 2'],
  ],
  ['beside a figure that becomes 0', CELLS, (_, i) => (i === 3 ? 0 : 1000), ['country: × 1000, 5']],
  [
    'beside a figure that becomes empty',
    CELLS,
    (_, i) => (i === 3 ? Number.NaN : 1000),
    ['country: × 1000, 5'],
  ],
  ['beside a figure that was 0', changed(0), () => 1000, ['country: × 1000, 5']],
  ['beside a figure that was empty', changed(null), () => 1000, ['country: × 1000, 5']],
  [
    'beside a figure that changes its sign',
    CELLS,
    (_, i) => (i > 2 ? 1000 : i === 1 ? -1000 : 1),
    ['country Poker: × 1000, 3'],
  ],
  ['below zero', changed(-5e6, -6e6, -7e6), () => 1000, ['country: × 1000, 6']],
  ['by more than rounding', CELLS, () => 6, []],
  ['stayed', CELLS, () => 1, []],
];

const textOf = ({ group: { country, ...rest }, factor, values }: ScaledGroup) =>
  `${[country === undefined ? [] : ['country'], Object.values(rest)].flat().join(' ') || 'all'}: × ${factor >= 1e-5 ? factor : factor.toFixed(6)}, ${values}`;

const rowOf = (dataset: 'ggr' | 'turnover', country: string, { value, ...cell }: Cell, factor: number): Row =>
  aRow(dataset, {
    country,
    ...cell,
    [dataset]: value === null || Number.isNaN(factor) ? null : value * factor,
  });

describe('a country that was scaled', () => {
  let scaled: readonly ScaledGroup[] = [];

  beforeAll(async () => {
    const after = CASES.flatMap(([country, cells, by]) =>
      cells.flatMap((cell, i) => {
        const factor = by(cell, i);
        return factor === null ? [] : [rowOf('ggr', country, cell, factor)];
      }),
    );
    const before = CASES.flatMap(([country, cells]) => cells.map((cell) => rowOf('ggr', country, cell, 1)));
    const { datasets } = await aComparison({ ggr: before }, { ggr: after });
    scaled = datasets.ggr.scaled;
  });

  it.each(CASES)('%s', (country, _, __, found) => {
    expect(scaled.filter(({ group }) => group.country === country).map(textOf)).toEqual(found);
  });

  it('is described by groups, and in a group by the factor and the number of values', () => {
    expect(scaled.every(({ metric, group }) => metric === 'ggr' && group.country !== undefined)).toBe(true);
    const wholes = scaled.filter(({ group }) => Object.keys(group).length === 1);
    const order = wholes.map(({ factor, values }) => [Math.log10(factor), values] as const);
    expect(order).toEqual(order.toSorted(([a, m], [b, n]) => a - b || m - n));
    const alike = wholes.filter(({ factor, values }) => factor === 1000 && values === 6);
    const names = alike.map(({ group }) => String(group.country));
    expect(names).toEqual(names.toSorted());
  });
});

describe('groups of several countries', () => {
  const COUNTRIES = ['Malta', 'Peru', 'Spain'];
  const found = async (
    by: (country: string, cell: Cell) => number,
    has: (country: string, cell: Cell) => boolean = () => true,
  ) => {
    const side = (isAfter: boolean) =>
      COUNTRIES.flatMap((country) =>
        CELLS.filter((cell) => has(country, cell)).map((cell) =>
          rowOf('turnover', country, cell, isAfter ? by(country, cell) : 1),
        ),
      );
    const { datasets } = await aComparison({ turnover: side(false) }, { turnover: side(true) });
    return datasets.turnover.scaled.map(textOf);
  };

  it('are the dataset, a product and a year, without smaller groups inside', async () => {
    expect(await found(() => 10)).toEqual(['all: × 10, 18']);
    expect(await found((_, cell) => (isPoker(cell) ? 10 : 1))).toEqual(['Poker: × 10, 9']);
    expect(await found((_, { year }) => (year === 2021 ? 10 : 1))).toEqual(['2021: × 10, 6']);
  });

  it('are a region where all its countries have them, without each country', async () => {
    const regionOf = (country: string) => (country === 'Peru' ? 'Latin America and Caribbean' : 'Europe');
    const side = (by: (country: string) => number) =>
      COUNTRIES.flatMap((country) =>
        CELLS.map((cell) => ({
          ...rowOf('turnover', country, cell, by(country)),
          region: regionOf(country),
        })),
      );
    const groupsOf = async (by: (country: string) => number) => {
      const { datasets } = await aComparison({ turnover: side(() => 1) }, { turnover: side(by) });
      return datasets.turnover.scaled.map(({ group, values }) => ({ ...group, values }));
    };
    expect(await groupsOf((country) => (country === 'Peru' ? 1 : 1000))).toEqual([
      { region: 'Europe', values: 12 },
    ]);
    // A region with one country is named as the country.
    expect(await groupsOf((country) => (country === 'Peru' ? 1000 : 1))).toEqual([
      { country: 'Peru', values: 6 },
    ]);
    expect(await groupsOf((country) => (country === 'Malta' ? 1000 : 1))).toEqual([
      { country: 'Malta', values: 6 },
    ]);
  });

  it('are those of each country where another one stayed', async () => {
    expect(await found((country, cell) => (country !== 'Peru' && isPoker(cell) ? 10 : 1))).toEqual([
      'country Poker: × 10, 3',
      'country Poker: × 10, 3',
    ]);
  });

  it('name the country where only one has them', async () => {
    expect(
      await found(
        (_, cell) => (isPoker(cell) ? 10 : 1),
        (country, cell) => country === 'Peru' || !isPoker(cell),
      ),
    ).toEqual(['country Poker: × 10, 3']);
  });

  it('are the dataset also where it has two values of one country', async () => {
    expect(
      await found(
        () => 10,
        (country, cell) => country === 'Peru' && isPoker(cell) && cell.year > 2020,
      ),
    ).toEqual(['all: × 10, 2']);
  });
});

// A year that is reported month by month grows every month. Guards refuse only changes that the months do not explain.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { some } from '../../support/depth.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const COUNTRIES = Array.from({ length: 12 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);
const C = 'Country C';

/** Whether the source has figures of this country and product for the running year. */
type Shape = (row: { readonly country: string; readonly product: string }) => boolean;

const SHAPES: Readonly<Record<string, Shape>> = {
  'all countries': () => true,
  'some countries': ({ country }) => COUNTRIES.indexOf(country) < 5,
  'one product': ({ product }) => product === 'Bingo',
};

/** A pseudo-random number from -1 to 1. */
const noise = (...numbers: readonly number[]) =>
  Math.sin(numbers.reduce((sum, one, i) => sum + one * (12.9898 + 7 * i), 0) * 43.7);

interface Damage {
  readonly factor: number;
  readonly country?: string;
}

/** Figures of closed years, and of the first `months` of 2026. A month has about a twelfth of a year's figure. */
function ggr(months: number, shape: Shape, damage: Damage = { factor: 1 }): Row[] {
  return COUNTRIES.flatMap((country, c) =>
    ['Bingo', 'Poker'].flatMap((product, p) =>
      ['XTS', 'USD'].flatMap((fx) =>
        [2022, 2023, 2024, 2025, 2026].flatMap((year) => {
          if (year === 2026 && !shape({ country, product })) return [];
          const whole = 987_654_321 + 100_003_000 * c + 33_337_000 * p + 7_654_321 * (year - 2022);
          const isDamaged = damage.country === undefined || damage.country === country;
          const share = year < 2026 ? 1 : (months / 12) * (1 + 0.03 * noise(c, p, months));
          const figure = whole * share * (year === 2026 && isDamaged ? damage.factor : 1);
          const inFx = Math.round(fx === 'USD' ? figure * 0.0123 : figure);
          return [aRow('ggr', { country, product, fx, year, temporal: 'Current', ggr: inFx })];
        }),
      ),
    ),
  );
}

/** The findings of a month, without their examples. */
async function findingsOn(
  before: Rows,
  after: Rows,
  months: { readonly before: string; readonly after: string },
) {
  const { findings } = await guarded(before, after, months);
  return findings.map(({ severity, message }) => `${severity} ${message.replace(/ \(.*/, '')}`);
}

/** The id of the month in which this many months are known: one month later. */
const idOf = (months: number) =>
  months < 12
    ? `2026-${String(months + 1).padStart(2, '0')}.1`
    : `2027-${String(months - 11).padStart(2, '0')}.1`;

const toldBetween = (shape: Shape, months: number, damage?: Damage) =>
  findingsOn(
    { ggr: ggr(months - 1, shape) },
    { ggr: ggr(months, shape, damage) },
    { before: idOf(months - 1), after: idOf(months) },
  );

describe.each(some(Object.entries(SHAPES), 1))('a year to date of %s', (_, shape) => {
  it('warns in one line of each month that comes in, until January', async () => {
    for (let months = 2; months <= 12; months += 1) {
      const found = await toldBetween(shape, months);
      expect(found).toEqual([
        expect.stringMatching(
          /^warn \d+ countries: totals of 2026 grew, as its figures still come in, most that of /,
        ),
      ]);
    }
  });

  it('is refused where its figures are ten times too large', async () => {
    const found = await toldBetween(shape, 7, { factor: 10 });
    expect(found).toEqual([
      expect.stringMatching(/^refuse all countries, 2026: .* ten times what they were/),
    ]);
  });

  it.each([1000, 10])('is refused where those of one country are multiplied by %d', async (factor) => {
    const found = await toldBetween(shape, 7, { factor, country: C });
    expect(found.filter((one) => one.startsWith('refuse'))).toEqual([
      expect.stringMatching(/^refuse Country C, 2026: /),
    ]);
    expect(found.filter((one) => one.startsWith('warn'))).toEqual([expect.not.stringContaining(C)]);
  });

  it('is refused where one country grew by more than a quarter explains', async () => {
    const found = await toldBetween(shape, 7, { factor: 2, country: C });
    const refused = found.filter((one) => one.startsWith('refuse'));
    expect(refused).toEqual([
      expect.stringMatching(
        /^refuse Country C: its total of 2026 grew by more than the months since 2026-07\.1 explain, most in \w+: /,
      ),
    ]);
  });

  it('is refused where a month stands alone, without those before it', async () => {
    const found = await toldBetween(shape, 7, { factor: 1 / 7 });
    expect(found.filter((one) => one.startsWith('refuse'))).toHaveLength(1);
    expect(found[0]).toMatch(/^refuse all countries, 2026: all \d+ values moved by 10 % or more/);
    const ofOne = await toldBetween(shape, 7, { factor: 1 / 7, country: C });
    expect(ofOne.filter((one) => one.startsWith('refuse'))).toEqual([
      expect.stringMatching(/^refuse Country C, 2026: /),
    ]);
  });
});

it('refuses a small fall of all countries', async () => {
  const found = await toldBetween(() => true, 7, { factor: 0.7 });
  expect(found.filter((one) => one.startsWith('refuse'))).toEqual([
    expect.stringMatching(/^refuse 9 countries: totals of 2026 fell, although its figures still come in, /),
  ]);
});

it('refuses a country that fell a little while the others grew', async () => {
  const found = await toldBetween(() => true, 7, { factor: 0.71, country: C });
  expect(found.filter((one) => one.startsWith('refuse'))).toEqual([expect.stringContaining(C)]);
});

it('still holds a year in April that ended in December', async () => {
  const rows = (factor: number) => ({ ggr: ggr(12, () => true, { factor }) });
  const inApril = await findingsOn(rows(0.9), rows(1), { before: '2027-03.1', after: '2027-04.1' });
  expect(inApril.filter((one) => one.startsWith('refuse'))).toEqual([
    expect.stringMatching(/^refuse all countries, 2026: all 48 values moved by 10 % or more, /),
  ]);
  const inMarch = await findingsOn(rows(0.9), rows(1), { before: '2027-02.1', after: '2027-03.1' });
  expect(inMarch.filter((one) => one.startsWith('refuse'))).toEqual([]);
});

/** The rows, with the figures of 2026 of some countries multiplied. */
const multiplied = (rows: readonly Row[], factors: Readonly<Record<string, number>>): Row[] =>
  rows.map((row) =>
    row.year === 2026 ? { ...row, ggr: Math.round(Number(row.ggr) * (factors[`${row.country}`] ?? 1)) } : row,
  );

it('names the country that grew too far by most, and counts the others', async () => {
  const factors = {
    'Country A': 2.2,
    'Country B': 2.6,
    'Country C': 2.4,
    'Country D': 2.3,
    'Country E': 2.5,
  };
  const after = {
    ggr: multiplied(
      ggr(7, () => true),
      factors,
    ),
  };
  const found = await findingsOn({ ggr: ggr(6, () => true) }, after, { before: idOf(6), after: idOf(7) });
  expect(found.filter((one) => one.startsWith('refuse'))).toEqual([
    expect.stringMatching(
      /^refuse 5 countries: totals of 2026 grew by more than .*, most that of Country B in \w+: /,
    ),
  ]);
});

it('says nothing of a country that had no figure, which has no growth', async () => {
  const before = {
    ggr: multiplied(
      ggr(6, () => true),
      { [C]: 0 },
    ),
  };
  const after = {
    ggr: multiplied(
      ggr(7, () => true),
      { 'Country E': 1.3 },
    ),
  };
  const found = await findingsOn(before, after, { before: idOf(6), after: idOf(7) });
  expect(found).toEqual([
    expect.stringMatching(/^warn 11 countries: totals of 2026 grew, .*, most that of Country E in /),
  ]);
});

it('explains less growth late in the year', async () => {
  const found = await toldBetween(() => true, 11, { factor: 1.6, country: C });
  expect(found.filter((one) => one.startsWith('refuse'))).toEqual([
    expect.stringMatching(/^refuse Country C: its total of 2026 grew by more than /),
  ]);
});

it('warns of a country that fell by a tenth while the others grew', async () => {
  const found = await toldBetween(() => true, 7, { factor: 0.76, country: C });
  expect(found).toEqual([
    expect.stringMatching(/^warn Country C: its total of 2026 fell, although its figures still come in, /),
    expect.stringMatching(/^warn 11 countries: totals of 2026 grew, /),
  ]);
});

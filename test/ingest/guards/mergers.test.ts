// Products of a country that are merged into one: a warning if their sums stand, else a refusal.

import { describe, expect, it } from '@jest/globals';
import type { Row, Rows } from '../../support/snapshot.ts';
import { C, findingsIn, isForecast, month } from './plainMonth.ts';

interface Merging {
  readonly from: readonly string[];
  readonly to: string;
  readonly isMerged?: (row: Row) => boolean;
}

/** The ggr of a month in which the products `from` are one product `to`, whose figures are their sums. */
function merged({ from, to, isMerged = (row) => row.country === C }: Merging): Row[] {
  const sums = new Map<string, Row>();
  for (const row of month().ggr ?? []) {
    const product = isMerged(row) && from.includes(String(row.product)) ? to : (row.product ?? '');
    const key = [product, row.country, row.fx, row.year].join(' ');
    sums.set(key, { ...row, product, ggr: Number(row.ggr) + Number(sums.get(key)?.ggr ?? 0) });
  }
  return [...sums.values()];
}

const findingsOn = (ggr: readonly Row[]) => findingsIn({ ...month(), ggr: [...ggr] });
const BOTH = ['Bingo', 'Poker'];
const isOfAny = () => true;

const warning = (place: string, names: string, rows: string) =>
  `warn ggr: ${place}: product ${names}, with the same sums in ${rows} rows; check that they are one product now`;

describe('products that were merged', () => {
  it('into a new one are a warning that names them', async () => {
    expect(await findingsOn(merged({ from: BOTH, to: 'Games' }))).toEqual([
      warning(C, '"Bingo" and "Poker" → "Games"', '60'),
    ]);
  });

  it('into one that the country had are a warning', async () => {
    expect(await findingsOn(merged({ from: BOTH, to: 'Lotto' }))).toEqual([
      warning(C, '"Bingo" and "Poker" → "Lotto"', '60'),
    ]);
    expect(await findingsOn(merged({ from: BOTH, to: 'Poker' }))).toEqual([
      warning(C, '"Bingo" → "Poker"', '30'),
    ]);
  });

  it('in all countries are one warning, which stands for the lost rows', async () => {
    expect(await findingsOn(merged({ from: BOTH, to: 'Games', isMerged: isOfAny }))).toEqual([
      warning(
        '12 countries (Country A, Country B, Country C and 9 more)',
        '"Bingo" and "Poker" → "Games"',
        '720',
      ),
    ]);
  });

  it('into a name that is spelled nearly as one of them are not a renaming', async () => {
    expect(await findingsOn(merged({ from: BOTH, to: 'Pokers', isMerged: isOfAny }))).toEqual([
      warning(
        '12 countries (Country A, Country B, Country C and 9 more)',
        '"Bingo" and "Poker" → "Pokers"',
        '720',
      ),
    ]);
  });

  it('may be rounded once more', async () => {
    const rounded = merged({ from: BOTH, to: 'Games' }).map((row) =>
      row.product === 'Games' && Number(row.year) % 2 === 0 ? { ...row, ggr: Number(row.ggr) + 1 } : row,
    );
    expect(await findingsOn(rounded)).toEqual([warning(C, '"Bingo" and "Poker" → "Games"', '60')]);
  });

  it('may be revised in the same month, forecasts by more', async () => {
    const revised = merged({ from: BOTH, to: 'Games' }).map((row) => {
      if (row.product !== 'Games') return row;
      const factor = isForecast(row) ? 1.04 : row.year === 2025 ? 1.02 : 1;
      return { ...row, ggr: Math.round(Number(row.ggr) * factor) };
    });
    const found = await findingsOn(revised);
    expect(found).toContain(warning(C, '"Bingo" and "Poker" → "Games"', '60'));
    expect(found.filter((one) => one.startsWith('refuse'))).toEqual([]);
  });

  it('may have a product that is not as old as the other', async () => {
    const isYoung = ({ product, year }: Row) => product === 'Poker' && Number(year) < 2020;
    const before = (month().ggr ?? []).filter((row) => !isYoung(row));
    const bingo = new Map(
      before.filter(({ product }) => product === 'Bingo').map((row) => [keyOf(row), row.ggr]),
    );
    const after = merged({ from: BOTH, to: 'Games' })
      .filter((row) => !isYoung(row))
      .map((row) =>
        row.product === 'Games' && Number(row.year) < 2020
          ? { ...row, ggr: bingo.get(keyOf(row)) ?? null }
          : row,
      );
    expect(await findingsIn({ ...month(), ggr: after }, { ...month(), ggr: before })).toEqual([
      warning(C, '"Bingo" and "Poker" → "Games"', '52'),
    ]);
  });
});

describe('a merger that several countries share', () => {
  const COUNTRY_NAMES = [...new Set((month().ggr ?? []).map(({ country }) => String(country)))];
  /** The ggr of the month before, when only the first `adding` countries had Poker beside Bingo. */
  const earlier = (adding: number): Row[] =>
    (month().ggr ?? []).filter(
      ({ country, product }) =>
        product !== 'Poker' || COUNTRY_NAMES.slice(0, adding).includes(String(country)),
    );
  /** The ggr of the month after `earlier`: all countries have Bingo and Poker as one product, Games. */
  const later = (adding: number): Row[] => {
    const sums = new Map<string, Row>();
    for (const row of earlier(adding)) {
      const product = BOTH.includes(String(row.product)) ? 'Games' : (row.product ?? '');
      const key = marketOf({ ...row, product });
      sums.set(key, { ...row, product, ggr: Number(row.ggr) + Number(sums.get(key)?.ggr ?? 0) });
    }
    return [...sums.values()];
  };
  const toldWhere = (ggr: readonly Row[], adding: number, others: Rows = {}) =>
    findingsIn({ ...month(), ...others, ggr: [...ggr] }, { ...month(), ...others, ggr: earlier(adding) });
  const shared = (adding: number, countries: number, others = countries - adding) =>
    `warn ggr: ${countries} countries (Country A, Country B, Country C and ${countries - 3} more): product "Bingo" and "Poker" → "Games", with the same sums in ${60 * adding} rows of ${adding} countries, and the same numbers in ${30 * others} rows of ${others} that had nothing to add; check that they are one product now`;

  it('is one warning, with the countries that had one of the products', async () => {
    expect(await toldWhere(later(3), 3)).toEqual([shared(3, 12)]);
    expect(await toldWhere(later(11), 11)).toEqual([shared(11, 12)]);
  });

  it('is a refusal of the new name where only two countries added up figures', async () => {
    expect(await toldWhere(later(2), 2)).toContainEqual(
      expect.stringMatching(/^refuse ggr: a value was renamed: product "Bingo" → "Games"/),
    );
  });

  it('does not stand for a country whose figures moved with the name', async () => {
    const moved = later(3).map((row) =>
      row.country === 'Country K' && row.product === 'Games' ? { ...row, ggr: Number(row.ggr) * 1.3 } : row,
    );
    const found = await toldWhere(moved, 3);
    expect(found).toContain(shared(3, 11));
    expect(found).toContainEqual(expect.stringMatching(/^refuse ggr: Country K.*: .*rows are gone/));
  });

  it('does not stand for a country that keeps another of the products', async () => {
    const kept = later(4).flatMap((row) => {
      if (row.country !== C || row.product !== 'Games') return [row];
      const own = earlier(4).filter((one) => BOTH.includes(String(one.product)) && isOf(one, row));
      return own.map((one) => (one.product === 'Poker' ? one : { ...one, product: 'Games' }));
    });
    const found = await toldWhere(kept, 4);
    expect(found).toEqual([
      'refuse ggr: Country C: product "Bingo" → "Games", with the same numbers in 30 rows',
      shared(3, 11).replace(C, 'Country D'),
    ]);
  });

  /** Turnover beside ggr, in the countries that `isOne` lets pass. */
  const turnoverOf = (rows: readonly Row[], isOne: (country: string, product: string) => boolean): Row[] =>
    rows
      .filter(({ country, product }) => isOne(String(country), String(product)))
      .map(({ ggr, ...row }): Row => ({ ...row, turnover: 9 * Number(ggr) }));
  const findingsInBoth = (adding: number, isOne: (country: string, product: string) => boolean) =>
    findingsIn(
      { ...month(), ggr: later(adding), turnover: turnoverOf(later(adding), isOne) },
      { ...month(), ggr: earlier(adding), turnover: turnoverOf(earlier(adding), isOne) },
    );
  const named = (place: string, rows: number) =>
    `warn turnover: ${place}: product "Bingo" → "Games", with the same numbers in ${rows} rows that had nothing to add; another dataset has the sums; check that they are one product now`;

  it('is one in turnover, too, where it has the products in other countries alone', async () => {
    const isOther = (country: string) => !COUNTRY_NAMES.slice(0, 3).includes(country);
    expect(await findingsInBoth(3, isOther)).toEqual([
      shared(3, 12),
      named('9 countries (Country D, Country E, Country F and 6 more)', 270),
    ]);
  });

  it('of one country in ggr is one in its turnover, which lacks one of the products', async () => {
    const isMerged = ({ country }: Row) => country === C;
    const before = turnoverOf(month().ggr ?? [], (country, product) => country === C && product !== 'Poker');
    const after = before.map((row) => (row.product === 'Bingo' ? { ...row, product: 'Games' } : row));
    const toldBeside = (ggr: readonly Row[]) =>
      findingsIn({ ...month(), ggr: [...ggr], turnover: after }, { ...month(), turnover: before });
    expect(await toldBeside(merged({ from: BOTH, to: 'Games', isMerged }))).toEqual([
      warning(C, '"Bingo" and "Poker" → "Games"', '60'),
      named(C, 30),
    ]);
    // Nothing in ggr shows the merger.
    expect(await toldBeside(month().ggr ?? [])).toContainEqual(
      expect.stringMatching(/^refuse turnover: .*"Games"/),
    );
  });

  it('is none in turnover of two countries, where ggr shows another one', async () => {
    const found = await findingsIn(
      {
        ...month(),
        ggr: merged({ from: ['Bingo', 'Lotto'], to: 'Games' }),
        turnover: turnoverOf(later(0), isOfAny),
      },
      { ...month(), turnover: turnoverOf(earlier(0), isOfAny) },
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^refuse turnover: a value was renamed: product "Bingo" → "Games"/),
    );
  });
});

const marketOf = ({ country, product, fx, year }: Row) => [country, product, fx, year].join(' ');
const isOf = (one: Row, other: Row) => keyOf(one) === keyOf(other);

const keyOf = ({ country, fx, year }: Row) => [country, fx, year].join(' ');

describe('rows that are gone', () => {
  const refused = expect.stringMatching(/^refuse ggr: Country C.*: .*rows are gone/);

  it('are refused where one sum is far from standing', async () => {
    const wrong = merged({ from: BOTH, to: 'Games' }).map((row) =>
      row.product === 'Games' && row.year === 2019 && row.fx === 'XTS'
        ? { ...row, ggr: Number(row.ggr) * 1.12 }
        : row,
    );
    expect(await findingsOn(wrong)).toContainEqual(refused);
  });

  it('are refused where the new product lacks a year', async () => {
    const lacking = merged({ from: BOTH, to: 'Games' }).filter(
      ({ product, year }) => product !== 'Games' || year !== 2019,
    );
    expect(await findingsOn(lacking)).toContainEqual(refused);
  });

  it('are one refusal where their figures have another name, and were not added up', async () => {
    const isEarly = ({ year }: Row) => Number(year) < 2021;
    const before = (month().ggr ?? []).filter(
      (row) => row.country !== C || row.product === 'Lotto' || isEarly(row) === (row.product === 'Bingo'),
    );
    const after = before.map((row) =>
      row.country === C && BOTH.includes(String(row.product)) ? { ...row, product: 'Games' } : row,
    );
    const found = await findingsIn({ ...month(), ggr: after }, { ...month(), ggr: before });
    expect(found).toEqual([
      'refuse ggr: Country C: product "Poker" and "Bingo" → "Games", with the same numbers in 30 rows and nothing added up; check that the column was not filled by mistake',
    ]);
  });

  it('are refused where no product has their figures', async () => {
    expect(
      await findingsOn((month().ggr ?? []).filter((row) => row.country !== C || row.product !== 'Bingo')),
    ).toContainEqual(refused);
  });

  it('are forecasts that are lost in a merger, and have a finding', async () => {
    const withdrawn = merged({ from: BOTH, to: 'Games' }).filter(
      (row) => row.product !== 'Games' || !isForecast(row),
    );
    const found = await findingsOn(withdrawn);
    expect(found).toContain(warning(C, '"Bingo" and "Poker" → "Games"', '40'));
    expect(found).toContainEqual(
      expect.stringMatching(/^warn ggr: Country C.*\(forecasts\): .*rows are gone/),
    );
  });
});

it('a merger hides no other change of the country', async () => {
  const withKeno = (rows: readonly Row[]): Row[] => [
    ...rows,
    ...(month().ggr ?? [])
      .filter(({ product }) => product === 'Lotto')
      .map((row): Row => ({ ...row, product: 'Keno', ggr: 3 * Number(row.ggr) + 1_234_567 })),
  ];
  const multiplied = (rows: readonly Row[]) =>
    rows.map((row) =>
      row.country === C && row.product === 'Lotto' && !isForecast(row)
        ? { ...row, ggr: Math.round(Number(row.ggr) * 1.15) }
        : row,
    );
  const before = { ...month(), ggr: withKeno(month().ggr ?? []) };
  const alone = await findingsIn({ ...before, ggr: multiplied(before.ggr) }, before);
  expect(alone).toEqual([expect.stringMatching(/^warn ggr: Country C, Lotto.* × 1\.15 exactly/)]);
  const both = multiplied(withKeno(merged({ from: BOTH, to: 'Games' })));
  expect((await findingsIn({ ...before, ggr: both }, before)).toSorted()).toEqual(
    [...alone, warning(C, '"Bingo" and "Poker" → "Games"', '60')].toSorted(),
  );
});

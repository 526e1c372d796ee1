// A first load warns of figures that belong to the labels of other rows: shifted, sorted, copied, or with exchanged labels.

import { describe, expect, it } from '@jest/globals';
import { some } from '../../../support/depth.ts';
import { aMonth, type Content, csvOf, filesOf, problemsOf } from '../../../support/month.ts';
import { aRow, countryReference, publishRows, type Row } from '../../../support/snapshot.ts';

/** The warnings about these files that contain `text`. */
const warningsWith = async (text: string, files: Readonly<Record<string, Content>>) =>
  (await problemsOf(files)).filter((warning) => warning.includes(text));

const csv = (ggr: readonly Row[]) => filesOf({ ggr });

const PRODUCTS = ['Bingo', 'Casino', 'Keno', 'Lotto', 'Poker', 'Slots', 'Sport', 'Toto'];
/** The ggr of each product in the first year. Neighbours differ by more than a factor of three. */
const SIZES = [1_000_007, 9_000_011, 2_000_003, 40_000_009, 5_000_011, 70_000_027, 3_000_017, 90_000_049];
const YEARS = [2019, 2020, 2021, 2022, 2023];

/** Rows of all products and years, ordered by product and year. */
const rowsOf = (...changes: readonly Row[]): Row[] =>
  PRODUCTS.flatMap((product, p) =>
    YEARS.flatMap((year, y) =>
      changes.map((change) =>
        aRow('ggr', { product, year, ggr: Math.round((SIZES[p] as number) * 1.07 ** y), ...change }),
      ),
    ),
  );

/** The same rows, but each has the figure of the row `by` rows before it. */
const shifted = (rows: readonly Row[], by: number): Row[] =>
  rows.map((row, i) => ({ ...row, ggr: (rows[i - by] ?? row).ggr ?? null }));

describe('a column that was shifted', () => {
  it('is a warning, whether it moved down or up', async () => {
    expect(await warningsWith('goes on with', csv(shifted(rowsOf({}), 1)))).toEqual([
      'warning ggr.csv › line 7, column ggr: ggr goes on with the series above in the first row of all 7 series: here 1.145 m, 1.225 m, 1.311 m, 9 m; check that the column was not shifted by a row against the other columns',
    ]);
    expect(await warningsWith('goes on with', csv(shifted(rowsOf({}), -1)))).toEqual([
      'warning ggr.csv › line 6, column ggr: ggr goes on with the series below in the last row of all 7 series: here 1.311 m, 9 m, 9.63 m, 10.3 m; check that the column was not shifted by a row against the other columns',
    ]);
  });

  it('is a warning where it moved by several rows', async () => {
    const [down] = await warningsWith('goes on with', csv(shifted(rowsOf({}), 2)));
    expect(down).toContain(
      'line 7, column ggr: ggr goes on with the series above in the first 2 rows of all 7 series: here 1 m, 1.07 m, 1.145 m, 1.225 m, 1.311 m, 9 m; check that the column was not shifted by 2 rows',
    );
    const [up] = await warningsWith('goes on with', csv(shifted(rowsOf({}), -2)));
    expect(up).toContain('line 5, column ggr: ggr goes on with the series below in the last 2 rows of all 7');
  });

  it('is looked for only between series whose figures there are above zero', async () => {
    const rows = shifted(rowsOf({}), 1).map((row) =>
      row.year === 2023 && PRODUCTS.indexOf(String(row.product)) < 3 ? { ...row, ggr: 0 } : row,
    );
    expect(await warningsWith('goes on with', csv(rows))).toEqual([
      expect.stringContaining('in the first row of all 4 series'),
    ]);
  });

  it('is a warning where currencies alternate', async () => {
    const rows = shifted(rowsOf({ fx: 'EUR' }, { fx: 'USD' }), 1);
    expect(await warningsWith('goes on with', csv(rows))).toEqual([
      expect.stringContaining('ggr goes on with the series above in the first row of '),
    ]);
  });

  it('is not a warning where markets begin small or follow markets of their size', async () => {
    const begun = rowsOf({}).map((row) => (row.year === 2019 ? { ...row, ggr: Number(row.ggr) / 50 } : row));
    const alike = rowsOf({}).map((row) => ({ ...row, ggr: 1_000_000 + Number(row.ggr) / 1000 }));
    expect(await warningsWith('goes on with', csv(rowsOf({})))).toEqual([]);
    expect(await warningsWith('goes on with', csv(begun))).toEqual([]);
    expect(await warningsWith('goes on with', csv(alike))).toEqual([]);
    // A series of one year has too few figures to tell whether they are its own.
    const single = begun.flatMap((row) =>
      row.year === 2019 ? [{ ...row, product: `${row.product} 2` }, row] : [row],
    );
    expect(await warningsWith('goes on with', csv(single))).toEqual([]);
  });
});

describe('a column that was sorted without the others', () => {
  it('is a warning', async () => {
    const rows = rowsOf({});
    const sizes = rows.map(({ ggr }) => Number(ggr)).sort((a, b) => b - a);
    expect(
      await warningsWith('order of its size', csv(rows.map((row, i) => ({ ...row, ggr: sizes[i] ?? null })))),
    ).toEqual([
      'warning ggr.csv › line 2, column ggr: ggr is in the order of its size in all 40 rows, which are in the order of their labels: the column was probably sorted without the others; take the figures from the source again, or sort whole rows',
    ]);
  });

  it('is not a warning where whole rows were sorted', async () => {
    const sorted = rowsOf({}).sort((a, b) => Number(b.ggr) - Number(a.ggr));
    expect(await warningsWith('order of its size', csv(sorted))).toEqual([]);
  });

  it('is not a warning where most figures equal the one before', async () => {
    const alike = rowsOf({}).map((row, i) => ({ ...row, ggr: 1_000_000 + 1_000 * Math.floor(i / 4) }));
    expect(await warningsWith('order of its size', csv(alike))).toEqual([]);
  });
});

describe('a year whose figures stand beside other labels', () => {
  const inYear = (year: number, ggrOf: (row: Row, p: number) => number) =>
    rowsOf({}).map((row) =>
      row.year === year ? { ...row, ggr: ggrOf(row, PRODUCTS.indexOf(String(row.product))) } : row,
    );

  it.each(some([2021, 2023], 1))('is a warning in %s', async (year) => {
    const moved = inYear(year, (_, p) => (SIZES[(p + 3) % SIZES.length] as number) * 1.07 ** (year - 2019));
    expect(await warningsWith('years beside it', csv(moved))).toEqual([
      expect.stringContaining(
        `ggr of Malta in ${year} is far from the years beside it in 7 of 8 markets, above in some and below in others`,
      ),
    ]);
  });

  it('is a warning where all markets are ten or a hundred times off', async () => {
    const told10 = (factor: number, year = 2021) =>
      warningsWith('years beside it', csv(inYear(year, ({ ggr }) => Number(ggr) * factor)));
    expect(await told10(10)).toEqual([
      'warning ggr.csv › line 4, column ggr: ggr of Malta in 2021 is about 10 times above the years beside it in all its markets: here 11.45 m; check the unit of the figures',
    ]);
    expect(await told10(0.01)).toEqual([
      expect.stringContaining('is about 100 times below the years beside it'),
    ]);
    expect(await told10(0.1, 2023)).toEqual([expect.stringContaining('in 2023 is about 10 times below')]);
    const countries = Array.from({ length: 11 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);
    const begun = countries.flatMap((country) =>
      inYear(2023, ({ ggr }) => Number(ggr) / 10).map((row) => ({ ...row, country })),
    );
    const lookup = csvOf('country_reference', countryReference([...countries, 'Malta']));
    expect(await warningsWith('years beside it', { ...csv(begun), 'country_reference.csv': lookup })).toEqual(
      [
        expect.stringContaining(
          'ggr of Country A, Country B, Country C and 8 more in 2023 is about 10 times below the years beside it in all their markets',
        ),
      ],
    );
    const from2021 = rowsOf({}).map((row) =>
      Number(row.year) >= 2021 ? { ...row, ggr: 10 * Number(row.ggr) } : row,
    );
    expect(await warningsWith('all its markets', csv(from2021))).toEqual([
      expect.stringContaining(
        'ggr of Malta in 2021 is about 10 times above the year before, like the years behind it, in all its markets',
      ),
    ]);
    expect(await told10(7)).toEqual([]);
    const some = inYear(2021, ({ ggr }, p) => Number(ggr) * (p < 3 ? 0.3 : 0.1));
    expect(await warningsWith('years beside it', csv(some))).toEqual([]);
  });

  it('is a warning where all markets are off by one factor, as where the year has six months', async () => {
    const warningsOf = (factor: number, year: number, ...of: readonly Row[]) =>
      warningsWith(
        'years beside it',
        csv(
          (of.length > 0 ? rowsOf(...of) : rowsOf({})).map((row) =>
            row.year === year ? { ...row, ggr: Number(row.ggr) * factor } : row,
          ),
        ),
      );
    expect(await warningsOf(0.5, 2022)).toEqual([
      'warning ggr.csv › line 5, column ggr: ggr of Malta in 2022 is about 0.5 times the years beside it in all its markets: here 612.5 k; check that the figures are of a whole year, and that no part of it counts twice',
    ]);
    expect(await warningsOf(2, 2022)).toEqual([
      expect.stringContaining('ggr of Malta in 2022 is about 2 times'),
    ]);
    expect(await warningsOf(0.5, 2023)).toEqual([
      expect.stringContaining('ggr of Malta in 2023 is about 0.53 times'),
    ]);
    // High inflation explains such figures in the last year or before the second one, and closed venues explain those
    // of 2020 and 2021.
    const explained = [
      [2, 2023],
      [0.5, 2019],
      [0.5, 2020],
      [0.5, 2021],
      [0.75, 2022],
    ] as const;
    for (const [factor, year] of some(explained, 3)) expect(await warningsOf(factor, year)).toEqual([]);
    // Each market fell by a factor of its own.
    const own = inYear(2022, ({ ggr }, p) => Number(ggr) * (0.3 + p / 20));
    expect(await warningsWith('years beside it', csv(own))).toEqual([]);
  });

  it('is one warning where all countries are off by one factor', async () => {
    const reference = [{ country: 'Malta' }, { country: 'Spain' }].map((row) =>
      aRow('country_reference', row),
    );
    const rows = rowsOf({ country: 'Malta' }, { country: 'Spain', state: '', sub_channel: 'Offshore' });
    const files = {
      ...csv(rows.map((row) => (row.year === 2022 ? { ...row, ggr: Number(row.ggr) / 2 } : row))),
      'country_reference.csv': csvOf('country_reference', reference),
    };
    expect(await warningsWith('years beside it', files)).toEqual([
      expect.stringContaining('ggr in 2022 is about 0.5 times the years beside it in most markets: here'),
    ]);
  });

  it('is not a warning where all markets fell or rose', async () => {
    expect(await warningsWith('years beside it', csv(inYear(2021, ({ ggr }) => Number(ggr) / 4)))).toEqual(
      [],
    );
    expect(await warningsWith('years beside it', csv(inYear(2023, ({ ggr }) => Number(ggr) * 4)))).toEqual(
      [],
    );
  });
});

describe('figures that were copied', () => {
  const copied = (isIn: (row: Row) => boolean) =>
    rowsOf({}).map((row) => {
      if (row.product !== 'Lotto' || !isIn(row)) return row;
      return { ...row, ggr: 3 * (1_111_117 + Number(row.year)) };
    });
  const both = (isIn: (row: Row) => boolean) =>
    copied(isIn).map((row) =>
      row.product === 'Keno' && isIn(row) ? { ...row, ggr: 3 * (1_111_117 + Number(row.year)) } : row,
    );

  it('are a warning in one year of two markets', async () => {
    expect(await warningsWith('in two markets', csv(both(({ year }) => year === 2021)))).toEqual([
      'warning ggr.csv › line 19, column ggr: ggr of Malta in 2021 is the same in two markets, 3.339 m, and differs in other years: Keno Online Onshore and Lotto Online Onshore; check which of the two the figure belongs to',
    ]);
  });

  it('are not a warning where an estimate was halved in all years, or where figures have few digits', async () => {
    expect(await warningsWith('in two markets', csv(both(() => true)))).toEqual([]);
    const rounded = both(({ year }) => year === 2021).map((row) => ({
      ...row,
      ggr: Number(Number(row.ggr).toPrecision(4)),
    }));
    expect(await warningsWith('in two markets', csv(rounded))).toEqual([]);
  });

  it('are a warning where a market has those of another one in all years, under a name that only its country has', async () => {
    const names = ['Malta', 'Spain', 'Norway'];
    const twice = (product: string, isEqual = true) => ({
      ...csv([
        ...names.flatMap((country, c) =>
          rowsOf({ country }).map((row) => ({ ...row, ggr: Number(row.ggr) * (c + 1) })),
        ),
        ...rowsOf({}).flatMap((row) =>
          row.product === 'Lotto' ? [{ ...row, product, ggr: Number(row.ggr) + (isEqual ? 0 : 1) }] : [],
        ),
      ]),
      'country_reference.csv': csvOf('country_reference', countryReference(names)),
    });
    expect(await warningsWith('in all years', twice('Number Draws'))).toEqual([
      'warning ggr.csv › line 122, column ggr: ggr of Malta is the same in two markets in all years, 2019–2023, and only this country has one of the names: Lotto Online Onshore and Number Draws Online Onshore; delete one of the two if they are one market',
    ]);
    expect(await warningsWith('in all years', twice('Number Draws', false))).toEqual([]);
    // Near names are reported as such.
    expect(await warningsWith('in all years', twice('Lottos'))).toEqual([]);
    // Each of two usual markets may have half of one estimate.
    const others = rowsOf({ product: 'Number Draws', country: 'Spain' }).slice(0, YEARS.length);
    const usual = twice('Number Draws');
    const files = { ...usual, 'ggr-spain.csv': csvOf('ggr', others) };
    expect(await warningsWith('in all years', files)).toEqual([]);
  });

  it('are a warning where another country has them, also in a single year', async () => {
    const malta = { region: 'Europe', country: 'Malta' };
    const spain = (years: readonly number[]) =>
      [...rowsOf(malta), ...rowsOf({ ...malta, country: 'Spain' })].map((row) =>
        row.country === 'Spain' && !years.includes(Number(row.year))
          ? { ...row, ggr: Number(row.ggr) + 1 }
          : row,
      );
    const lookup = ['Malta', 'Spain'].map((country) => aRow('country_reference', { ...malta, country }));
    const reference = { 'country_reference.csv': csvOf('country_reference', lookup) };
    expect(await warningsWith('that of', { ...csv(spain([2021])), ...reference })).toEqual([
      'warning ggr.csv › line 44, column ggr: ggr of Spain is that of Malta in 8 figures of 2021; check which of the two they belong to',
    ]);
    // A third country, of which one year is in another unit.
    const italy = rowsOf({ ...malta, country: 'Italy' }).map((row) => ({
      ...row,
      ggr: Number(row.ggr) * (row.year === 2021 ? 30 : 3),
    }));
    const ofThree = [...lookup, aRow('country_reference', { ...malta, country: 'Italy' })];
    expect(
      await warningsWith('ggr of', {
        ...csv([...spain([2021]), ...italy]),
        'country_reference.csv': csvOf('country_reference', ofThree),
      }),
    ).toEqual([
      expect.stringContaining('ggr of Italy in 2021 is about 10 times above the years beside it'),
      expect.stringContaining('ggr of Spain is that of Malta in 8 figures of 2021'),
    ]);
    // Another file, in which the column is shifted.
    const down = shifted(rowsOf({ ...malta, country: 'Italy' }), 1).map((row) => ({
      ...row,
      ggr: 3 * Number(row.ggr),
    }));
    expect(
      await warningsWith('ggr', {
        ...filesOf({ ggr: [...spain([]), ...italy] }),
        'ggr.csv': csvOf('ggr', down),
        'ggr-2.csv': csvOf('ggr', spain([2021])),
      }),
    ).toEqual([
      expect.stringContaining('ggr goes on with the series above in the first row'),
      expect.stringContaining('ggr of Spain is that of Malta in 8 figures of 2021'),
    ]);
    const few = spain([2021]).map((row) => ({ ...row, ggr: Number(Number(row.ggr).toPrecision(4)) }));
    expect(await warningsWith('that of', { ...csv(few), ...reference })).toEqual([]);
    const gdp = ['Malta', 'Spain'].flatMap((country) =>
      YEARS.map((year) =>
        aRow('country', { region: 'Europe', country, year, gdp_usd: 20_000_000_017 + year * 1e8 }),
      ),
    );
    expect(await warningsWith('that of', filesOf({ country: gdp }))).toEqual([
      expect.stringContaining('gdp_usd of Spain is that of Malta in 5 figures of 2019–2023'),
    ]);
  });

  it('are a warning where they are those of another country times a factor', async () => {
    const europe = { region: 'Europe' };
    const lookup = ['Malta', 'Spain'].map((country) => aRow('country_reference', { ...europe, country }));
    type FactorOf = (year: number, product: number) => number;
    const multiplied = (rows: readonly Row[], factorOf: FactorOf) =>
      rows.map((row) => {
        const factor = factorOf(Number(row.year), PRODUCTS.indexOf(String(row.product)));
        return { ...row, ggr: Math.round(Number(row.ggr) * factor) };
      });
    const spainTimes = async (factorOf: FactorOf, growthOf: FactorOf = () => 1) =>
      await warningsWith('that of', {
        ...csv([
          ...multiplied(rowsOf({ ...europe, country: 'Malta' }), growthOf),
          ...multiplied(
            rowsOf({ ...europe, country: 'Spain' }),
            (...at) => growthOf(...at) * factorOf(...at),
          ),
        ]),
        'country_reference.csv': csvOf('country_reference', lookup),
      });
    const says = (by: string) => [
      `warning ggr.csv › line 42, column ggr: ggr of Spain is that of Malta × ${by} in 40 of 40 figures; check whether both are one country, or one was estimated from the other`,
    ];
    expect(await spainTimes(() => 0.317)).toEqual(says('0.317'));
    expect(await spainTimes((year) => 0.91 + ((year * 7) % 5) / 40)).toEqual(says('one factor per year'));
    expect(await spainTimes((_, product) => 0.5 + product / 7)).toEqual(says('one factor per product'));
    const ofYear = (year: number) => 0.91 + ((year * 7) % 5) / 40;
    const bothOf = (year: number, product: number) => ofYear(year) * (0.5 + product / 7);
    // The products of this Malta have the same shares every year, so quotients with any other such country fit.
    expect(await spainTimes(bothOf)).toEqual([]);
    const ownGrowth = (year: number, product: number) => 1 + (((product * 5) % 8) * (year - 2019)) / 70;
    expect(await spainTimes(bothOf, ownGrowth)).toEqual(says('one factor per year and product'));
    const some = (year: number, product: number) => (product === 3 || product === 6 ? 1.02 ** year : 1);
    expect(await spainTimes((...at) => bothOf(...at) * some(...at), ownGrowth)).toEqual([]);
    // A growth of its own in each market.
    expect(await spainTimes((year, product) => 1.3 * (1 + product / 70) ** (year - 2019))).toEqual([]);
  });

  it('are a warning where they are the years of their rows', async () => {
    const rows = rowsOf({}).map((row) => (row.product === 'Keno' ? { ...row, ggr: row.year ?? null } : row));
    expect(await warningsWith('the year of its row', csv(rows))).toEqual([
      'warning ggr.csv › line 12, column ggr: ggr is the year of its row in 5 rows; check the column that the figures were taken from',
    ]);
  });
});

describe('a label that few rows have', () => {
  const names = ['Malta', 'Spain', 'Norway', 'Sweden', 'Italy', 'Chile'];
  /** A month with rows of all countries. Those for which `isIn` is true get these labels in place of their own. */
  const relabelled = (isIn: (row: Row) => boolean, labels: Row) => ({
    ...csv(
      names
        .flatMap((country) =>
          rowsOf({ country, category: 'Gaming', channel: 'Online', sub_channel: 'Onshore' }),
        )
        .map((row) => (isIn(row) ? { ...row, ...labels } : row)),
    ),
    'country_reference.csv': csvOf('country_reference', countryReference(names)),
  });
  const isKeno = ({ country, product }: Row) => country === 'Italy' && product === 'Keno';

  it('is a warning where a country has a product in another category, and none in two countries', async () => {
    expect(await warningsWith('in other countries', relabelled(isKeno, { category: 'Betting' }))).toEqual([
      'warning ggr.csv › line 172, column category: category of product "Keno" is "Betting" in 5 rows of Italy, and "Gaming" in other countries; write the same category, unless another one is meant',
    ]);
    const inTwo = ({ country, product }: Row) =>
      (country === 'Italy' || country === 'Chile') && product === 'Keno';
    expect(await warningsWith('in other', relabelled(inTwo, { category: 'Betting' }))).toEqual([]);
    // A country that has both categories in a year has two different products.
    const inOneYear = (row: Row) => isKeno(row) && row.year === 2021;
    expect(await warningsWith('in other', relabelled(inOneYear, { category: 'Betting' }))).toEqual([]);
  });

  it('is a warning in a country that is new, and none in a published one', async () => {
    const files = relabelled(isKeno, { category: 'Betting' });
    const ggr = names.flatMap((country) => rowsOf({ country, category: 'Gaming' }));
    for (const [published, warnings] of [
      [names.filter((country) => country !== 'Italy'), 1],
      [names, 0],
    ] as const) {
      const month = await aMonth(files);
      await publishRows(month.dataDir, '2026-10.1', {
        ggr: ggr.filter(({ country }) => published.includes(String(country))),
      });
      const problems = await month.problems();
      expect(problems.filter((text) => text.includes('in other countries'))).toHaveLength(warnings);
      await month.remove();
    }
  });

  it('is a warning where few rows have a sub-channel in another channel', async () => {
    const inOneYear = (row: Row) => isKeno(row) && Number(row.year) > 2020;
    expect(await warningsWith('in other rows', relabelled(inOneYear, { channel: 'Land' }))).toEqual([
      'warning ggr.csv › line 174, column channel: channel of sub_channel "Onshore" is "Land" in 3 rows of Italy, and "Online" in other rows; write the same channel, unless another one is meant',
    ]);
    expect(await warningsWith('in other', relabelled(isKeno, { channel: 'Land' }))).toEqual([]);
  });
});

it('a country without figures in its own currency is a warning, where nearly all others have some', async () => {
  const currencies = ['EUR', 'GBP', 'NOK', 'SEK', 'DKK', 'PLN', 'CZK', 'HUF', 'CHF', 'TRY'];
  const countries = currencies.map((currency, i) => ({ country: `Country ${i}`, currency }));
  const fx = countries.map(({ country, currency }) =>
    aRow('fx', { country, fx_local_currency: currency, fx_current_usd: 1, fx_constant_usd: 1 }),
  );
  /** A month in which figures in these currencies are labelled as USD. */
  const labelledAsUsd = (lacking: readonly string[], rates: readonly Row[] = fx) => ({
    ...csv(
      countries.map(({ country, currency }) =>
        aRow('ggr', { country, fx: lacking.includes(currency) ? 'USD' : currency }),
      ),
    ),
    'fx.csv': csvOf('fx', rates),
    'country_reference.csv': csvOf(
      'country_reference',
      countryReference(['Malta', ...countries.map(({ country }) => country)]),
    ),
  });
  expect(await warningsWith('its currency in fx', labelledAsUsd(['SEK']))).toEqual([
    'warning ggr.csv › line 5, column fx: ggr of Country 3 has no rows in SEK, its currency in fx, and nearly all other countries have rows in theirs; check that figures in SEK are not called USD',
  ]);
  expect(await warningsWith('its currency in fx', labelledAsUsd([]))).toEqual([]);
  expect(await warningsWith('its currency in fx', labelledAsUsd(['SEK', 'DKK']))).toEqual([]);
  expect(await warningsWith('its currency in fx', labelledAsUsd(['SEK'], fx.slice(1)))).toEqual([]);
});

describe('labels that were exchanged', () => {
  const RIGHT = { category: 'Gaming', channel: 'Online', sub_channel: 'Onshore' };
  const exchange = (year: number) =>
    rowsOf(RIGHT).map((row) =>
      row.year === year
        ? { ...row, channel: row.sub_channel ?? null, sub_channel: row.channel ?? null }
        : row,
    );

  it('are a warning where other rows have them the other way round', async () => {
    expect(await warningsWith('other way round', csv(exchange(2020)))).toEqual([
      'warning ggr.csv › line 3, column channel: channel is "Onshore" and sub_channel "Online" in 8 rows, and other rows have them the other way round; exchange the two in these rows',
    ]);
    const products = rowsOf(RIGHT).map((row) =>
      row.product === 'Keno' && row.year === 2021 ? { ...row, category: 'Keno', product: 'Gaming' } : row,
    );
    expect(await warningsWith('other way round', csv(products))).toEqual([
      expect.stringContaining('category is "Keno" and product "Gaming" in 1 row, and other rows'),
    ]);
  });

  it('are a warning where both columns have the usual labels of the other', async () => {
    const rows = [2024, 2025].map((year) => aRow('ggr', { year, channel: 'Onshore', sub_channel: 'Online' }));
    expect(await warningsWith('sub_channel has', csv(rows))).toEqual([
      'warning ggr.csv › line 2, column channel: channel has "Onshore", and sub_channel has "Online"; check whether the two columns were exchanged',
    ]);
  });

  const EXCHANGED: readonly (readonly [one: string, other: string, labels: Row])[] = [
    ['product', 'channel', { product: 'Online', channel: 'Keno' }],
    ['product', 'sub_channel', { product: 'Offshore', sub_channel: 'Keno' }],
    ['category', 'channel', { category: 'Land-based', channel: 'Gaming' }],
  ];
  it.each(some(EXCHANGED, 2))(
    'are a warning where %s and %s have each other’s labels in all rows',
    async (one, other, labels) => {
      const rows = [2024, 2025].map((year) => aRow('ggr', { year, ...labels }));
      const [inOne, inOther] = [one, other].map((name) => labels[name]);
      expect(await warningsWith('columns were exchanged', csv(rows))).toEqual([
        `warning ggr.csv › line 2, column ${one}: ${one} has "${inOne}", and ${other} has "${inOther}"; check whether the two columns were exchanged`,
      ]);
    },
  );

  it('are a warning where another dataset has the labels of both columns the other way round', async () => {
    const right = ['Keno', 'Bingo'].map((product) => ({ category: 'Chance', product }));
    const turnover = right.map((row) => aRow('turnover', { ...row, turnover: 9_000_000 }));
    const wrong = right.map(({ category, product }) =>
      aRow('ggr', { category: product, product: category, ggr: 800_000 }),
    );
    const files = filesOf({ ggr: wrong, turnover });
    expect(await warningsWith('columns were exchanged', files)).toEqual([
      'warning ggr.csv › line 2, column category: category has "Keno", and product has "Chance"; in turnover it is the other way round; check whether the two columns were exchanged',
      'warning turnover.csv › line 2, column category: category has "Chance", and product has "Keno"; in ggr it is the other way round; check whether the two columns were exchanged',
    ]);
    const known = wrong.map((row) => ({ ...row, product: 'Betting' }));
    const others = turnover.map((row) => ({ ...row, category: 'Betting' }));
    expect(await warningsWith('columns were exchanged', filesOf({ ggr: known, turnover: others }))).toEqual([
      expect.stringContaining('ggr.csv › line 2, column category'),
    ]);
  });

  it('are not a warning where a product is called like a category, or both datasets agree', async () => {
    const lottery = [2024, 2025].map((year) => aRow('ggr', { year, category: 'Chance', product: 'Lottery' }));
    const turnover = lottery.map(({ ggr: _, ...row }) => aRow('turnover', { ...row, turnover: 9_000_000 }));
    const files = filesOf({ ggr: lottery, turnover });
    expect(await warningsWith('columns were exchanged', files)).toEqual([]);
  });

  it('are not a warning where a channel has no other sub-channel than itself', async () => {
    const rows = ['Online', 'Land'].flatMap((channel) => rowsOf({ channel, sub_channel: channel }));
    expect(await warningsWith('other way round', csv(rows))).toEqual([]);
  });
});

it('turnover below ggr in some rows is a warning where its sums are above', async () => {
  const ggr = rowsOf({});
  const turnover = ggr.map(({ ggr, ...row }, i) => ({
    ...row,
    turnover: Number(ggr) * (i % 10 === 0 ? 0.5 : 9),
  }));
  const files = filesOf({ ggr, turnover });
  expect(await warningsWith('below ggr', files)).toEqual([
    'warning turnover.csv › line 2, column turnover: turnover is below ggr in 4 of the 40 rows that both have; check that neither column was shifted or sorted against its labels',
  ]);
});

it('a large share of the gross domestic product is a warning, except in Macau', async () => {
  const countries = ['Malta', 'Spain', 'Norway', 'Sweden', 'Macau'];
  const rows = countries.map((country) =>
    aRow('ggr', { country, fx: 'USD', ggr: country === 'Malta' || country === 'Macau' ? 4e9 : 1e8 }),
  );
  const files = filesOf({
    ggr: rows,
    country: countries.map((country) => aRow('country', { country, gdp_usd: 1e10, adult_population: null })),
  });
  expect(await warningsWith('share of the median', files)).toEqual([
    'warning ggr.csv › line 2, column ggr: ggr of Malta (USD) is 40 % of its gross domestic product, 40 times the share of the median country; check the unit of its figures, and that of its gdp in country',
  ]);
});

it('a market that is far too small in its country is a warning, beside other countries and by itself', async () => {
  const names = ['Malta', 'Spain', 'Norway', 'Sweden', 'Italy', 'Chile'];
  const monthOf = (countries: readonly string[], times: number, labels: Row = {}) => ({
    ...csv(
      countries.flatMap((country, c) =>
        rowsOf({ country }).map((row) => {
          const isChanged = country === 'Italy' && row.product === 'Keno';
          const own = { ...row, ggr: Number(row.ggr) * (c + 1) };
          return isChanged ? { ...own, ...labels, ggr: own.ggr * times } : own;
        }),
      ),
    ),
    'country_reference.csv': csvOf('country_reference', countryReference(countries)),
  });
  const isOfShare = 'of that of Italy';
  expect(await warningsWith(isOfShare, monthOf(names, 0.001))).toEqual([
    'warning ggr.csv › line 172, column ggr: ggr of Keno (Online Onshore) is at most 0.00092 % of that of Italy, and 0.91 % in the median country that has it; check the unit of its figures',
  ]);
  expect(await warningsWith(isOfShare, monthOf(names, 0.01))).toEqual([]);
  expect(await warningsWith(isOfShare, monthOf(names.slice(0, 5), 0.001))).toEqual([]);
  // No other country has this market.
  const alone = { sub_channel: 'Offshore' };
  expect(await warningsWith(isOfShare, monthOf(names, 0.001, alone))).toEqual([
    'warning ggr.csv › line 172, column ggr: ggr of Keno (Online Offshore) is at most 0.00092 % of that of Italy; check the unit of its figures',
  ]);
  expect(await warningsWith(isOfShare, monthOf(names, 0.01, alone))).toEqual([]);
});

it('a single figure far from the years around it is a warning, unless the years differ by themselves', async () => {
  const monthWith = (
    change: (figure: number, year: number) => number,
    products: readonly string[] = ['Keno'],
  ) =>
    csv(
      rowsOf({}).map((row) =>
        products.includes(String(row.product))
          ? { ...row, ggr: Math.round(change(Number(row.ggr), Number(row.year))) }
          : row,
      ),
    );
  const ofYear = (times: number) => (figure: number, year: number) =>
    year === 2021 ? times * figure : figure;
  const around = 'around it|the year after is like that one';
  const spikes = async (files: Readonly<Record<string, Content>>) =>
    (await warningsWith('', files)).filter((text) => new RegExp(around).test(text));
  const line = 'warning ggr.csv › line 14, column ggr: ggr of Malta in 2021 is';
  expect(await spikes(monthWith(ofYear(10)))).toEqual([
    `${line} 22.9 m, 10.7 times more than the year before, and the year after is like that one (1 row like it); check the figure`,
  ]);
  expect(await spikes(monthWith(ofYear(0.1)))).toEqual([
    `${line} 229 k, 9.35 times less than the year before, and the year after is like that one (1 row like it); check the figure`,
  ]);
  expect(await spikes(monthWith((figure, year) => (year === 2021 ? 9999 : figure)))).toHaveLength(1);
  expect(await spikes(monthWith(ofYear(4)))).toEqual([]);
  expect(await spikes(monthWith(ofYear(0.2)))).toEqual([]);
  // From 2021 on, all figures are larger. So the market itself has changed, and no year is reported.
  expect(await spikes(monthWith((figure, year) => (year >= 2021 ? 10 * figure : figure)))).toEqual([]);
  // When all markets of a year are affected, the year is reported once.
  expect(await spikes(monthWith(ofYear(10), PRODUCTS))).toEqual([]);
  expect(await warningsWith('', monthWith(ofYear(10), PRODUCTS))).toHaveLength(1);
});

describe('the last figure of a market', () => {
  const lastFigures = async (
    change: (figure: number, year: number) => number,
    products: readonly string[] = ['Keno'],
  ) => {
    const rows = rowsOf({ fx: 'EUR' }, { fx: 'USD' });
    const changed = rows.map((row) =>
      products.includes(String(row.product))
        ? { ...row, ggr: Math.round(change(Number(row.ggr), Number(row.year))) }
        : row,
    );
    return await warningsWith('has no later year', csv(changed));
  };
  const inLast = (times: number) => (figure: number, year: number) =>
    year === YEARS.at(-1) ? times * figure : figure;

  it('is a warning where it is ten times or a tenth of the year before', async () => {
    expect(await lastFigures(inLast(10))).toEqual([
      expect.stringMatching(
        /: ggr of Malta in 2023 is \d.* m, 1\d(\.\d)? times more than the year before, and the market has no later year \(2 rows like it\); check the figure$/,
      ),
    ]);
    expect(await lastFigures(inLast(0.1))).toEqual([
      expect.stringContaining(' times less than the year before'),
    ]);
  });

  it('is none where it moved by less, where the years before differ, or where most markets leap', async () => {
    expect(await lastFigures(inLast(4))).toEqual([]);
    expect(
      await lastFigures((figure, year) => figure * 4 ** (year - 2019) * (year === 2023 ? 2 : 1)),
    ).toEqual([]);
    expect(await lastFigures(inLast(0.1), PRODUCTS)).toEqual([]);
  });
});

describe('a figure beside those of other countries', () => {
  const COUNTRIES = ['Malta', 'Italy', 'Spain', 'France', 'Norway', 'Sweden'];
  const spikes = async (countries: readonly string[], change: (row: Row) => number) => {
    const rows = countries.flatMap((country, c) =>
      YEARS.map((year, y) =>
        aRow('ggr', { country, product: 'Keno', year, ggr: Math.round(5_000_000 * (c + 2) * 1.07 ** y) }),
      ),
    );
    const lookup = countryReference(COUNTRIES);
    return await warningsWith('the year after is like that one', {
      'ggr.csv': csvOf(
        'ggr',
        rows.map((row) => ({ ...row, ggr: change(row) })),
      ),
      'country_reference.csv': csvOf('country_reference', lookup),
    });
  };
  const in2021 = (times: number, country?: string) => (row: Row) =>
    Number(row.ggr) * (row.year === 2021 && (country ?? row.country) === row.country ? times : 1);

  it('is a warning where it is twice or half of what its years and the other countries make usual', async () => {
    expect(await spikes(COUNTRIES, in2021(2, 'Italy'))).toEqual([
      'warning ggr.csv › line 9, column ggr: ggr of Italy in 2021 is 34.35 m, 2.14 times more than the year before, and the year after is like that one (1 row like it); check the figure',
    ]);
    expect(await spikes(COUNTRIES, in2021(0.5, 'Italy'))).toHaveLength(1);
  });

  it('is none where it moved by less, where all countries moved, or where few countries have the market', async () => {
    expect(await spikes(COUNTRIES, in2021(1.6, 'Italy'))).toEqual([]);
    expect(await spikes(COUNTRIES, in2021(0.4))).toEqual([]);
    expect(await spikes(COUNTRIES.slice(0, 5), in2021(2, 'Italy'))).toEqual([]);
  });
});

describe('a market with one figure for years', () => {
  it('is a warning from three years on, and none for an estimate of few digits or for forecasts', async () => {
    const held: Readonly<Record<string, readonly [from: number, figure: number, temporal: string]>> = {
      Malta: [2021, 2_345_678, 'Current'],
      Chile: [2022, 3_456_789, 'Current'],
      Peru: [2021, 4_567_000, 'Current'],
      Spain: [2021, 5_678_912, 'Forecast'],
    };
    const rows = Object.entries(held).flatMap(([country, [from, ggr, temporal]], c) =>
      rowsOf({ country }).map((row) =>
        row.product === 'Keno' && Number(row.year) >= from
          ? { ...row, temporal, ggr }
          : { ...row, ggr: Number(row.ggr) + 1_000_003 * c },
      ),
    );
    const reference = csvOf('country_reference', countryReference(Object.keys(held)));
    expect(await warningsWith('is one figure', { ...csv(rows), 'country_reference.csv': reference })).toEqual(
      [
        'warning ggr.csv › line 15, column ggr: ggr of a market of Malta is one figure in all years from 2021 to 2023; check that each year has its own figure',
      ],
    );
  });
});

describe('a market without figures in a currency of the others', () => {
  const lacking = (isLeftOut: (row: Row) => boolean, ...changes: readonly Row[]) =>
    warningsWith('has no rows in', csv(rowsOf(...changes).filter((row) => !isLeftOut(row))));
  const both = [{ fx: 'EUR' }, { fx: 'USD' }];
  const isKenoInUsd = ({ product, fx }: Row) => product === 'Keno' && fx === 'USD';

  it('is a warning that says what sums in that currency leave out', async () => {
    expect(await lacking(isKenoInUsd, ...both)).toEqual([
      'warning ggr.csv › line 22, column fx: ggr of Malta has no rows in USD for 5 of 40 figures, such as Keno, in 2019–2023; add them, because sums in USD leave them out',
    ]);
    expect(await lacking((row) => isKenoInUsd(row) && row.year === 2021, ...both)).toEqual([
      expect.stringContaining('in USD for 1 of 40 figures, such as Keno, in 2021;'),
    ]);
  });

  it('is not one where half of the markets have no such figures, or none has them in the year', async () => {
    expect(await lacking(() => false, ...both)).toEqual([]);
    expect(await lacking(({ fx, product }) => fx === 'USD' && String(product) < 'M', ...both)).toEqual([]);
    expect(await lacking(({ fx, year }) => fx === 'USD' && year === 2023, ...both)).toEqual([]);
  });

  it('is not one where only the states of a country are in one currency', async () => {
    const states = both.flatMap((change) => [change, { ...change, state: 'Gozo' }]);
    expect(await lacking(({ fx, state }) => fx === 'EUR' && state === 'Gozo', ...states)).toEqual([]);
  });

  it('is one of a new country, too', async () => {
    const spain = rowsOf({ country: 'Spain', fx: 'EUR' });
    const rows = [...spain, ...rowsOf(...both).filter((row) => !isKenoInUsd(row))];
    const reference = csvOf('country_reference', countryReference(['Malta', 'Spain']));
    const month = await aMonth({ ...csv(rows), 'country_reference.csv': reference });
    await publishRows(month.dataDir, '2026-10.1', { ggr: spain });
    const problems = await month.problems();
    expect(problems.filter((text) => text.includes('has no rows in'))).toEqual([
      expect.stringContaining('ggr of Malta has no rows in USD for 5 of 40 figures'),
    ]);
    await month.remove();
  });
});

describe('a market of states alone', () => {
  const both = [{}, { state: 'Gozo', ggr: 1_000_003 }];
  const ofStatesAlone = (isLeftOut: (row: Row) => boolean) =>
    warningsWith('of states alone', csv(rowsOf(...both).filter((row) => !isLeftOut(row))));

  it('is a warning that says what sums of whole countries leave out', async () => {
    expect(await ofStatesAlone(({ product, state }) => product === 'Keno' && state === '')).toEqual([
      'warning ggr.csv › line 22, column state: ggr of Malta has rows of states alone for 5 of 40 figures, such as Keno, in 2019–2023; add the rows of the whole country, because sums of whole countries leave them out',
    ]);
  });

  it('is not one where half of the markets are, or all of a year', async () => {
    expect(await ofStatesAlone(() => false)).toEqual([]);
    expect(await ofStatesAlone(({ product, state }) => String(product) < 'M' && state === '')).toEqual([]);
    expect(await ofStatesAlone(({ year, state }) => year === 2023 && state === '')).toEqual([]);
  });
});

describe('figures of a market in two currencies', () => {
  const rate = (year: unknown) => 1 + (Number(year) - 2015) / 50;
  const ratios = (change: (row: Row) => number, products = PRODUCTS) =>
    warningsWith(
      'another ratio',
      csv(
        rowsOf({ fx: 'EUR' }, { fx: 'USD' })
          .filter(({ product }) => products.includes(String(product)))
          .map((row) => (row.fx === 'USD' ? { ...row, ggr: Number(row.ggr) * rate(row.year) } : row))
          .map((row) => ({ ...row, ggr: Math.round(change(row)) })),
      ),
    );
  const isKeno = (row: Row) => row.product === 'Keno' && row.fx === 'USD';

  it('are a warning where one market, or one year of it, was not converted as the others', async () => {
    const warningOn = (rows: string, factor: number) => [
      expect.stringContaining(
        `ggr of Malta in EUR and in USD have another ratio than the country's others of the year, by a factor of ${factor} (${rows}); check the currency and the year of the figures`,
      ),
    ];
    const unconverted = (row: Row) => Number(row.ggr) / (isKeno(row) ? rate(row.year) : 1);
    expect(await ratios(unconverted)).toEqual(warningOn('5 rows in 2019–2023', 1.08));
    expect(await ratios((row) => (row.year === 2021 ? unconverted(row) : Number(row.ggr)))).toEqual(
      warningOn('1 row in 2021', 1.12),
    );
  });

  it('are none where all agree, where many differ, or where two markets contradict each other', async () => {
    const unconverted = (row: Row) => Number(row.ggr) / (isKeno(row) ? rate(row.year) : 1);
    expect(await ratios((row) => Number(row.ggr))).toEqual([]);
    expect(await ratios(unconverted, ['Keno', 'Poker'])).toEqual([]);
    const some = (row: Row) =>
      Number(row.ggr) * (row.fx === 'USD' ? 1 + PRODUCTS.indexOf(String(row.product)) / 40 : 1);
    expect(await ratios(some)).toEqual([]);
  });
});

describe('ggr of a market beside its turnover', () => {
  it('is a warning where its share is twice or half that of the years beside it, or three times from a year on', async () => {
    const keno: Readonly<Record<string, (year: number) => number>> = {
      Malta: (year) => (year === 2021 ? 2 : 1),
      Peru: (year) => (year === 2021 ? 0.5 : 1),
      Spain: (year) => (year === 2021 ? 1.33 : 1),
      // The share doubles after 2020 and stays there, so no single year differs from both years beside it.
      Chile: (year) => (year > 2020 ? 2 : 1),
      Italy: (year) => (year > 2020 ? 3 : 1),
      Norway: (year) => (year > 2020 ? 1 / 3 : 1),
    };
    const countries = Object.keys(keno);
    const rows = countries.flatMap((country, c) =>
      rowsOf({ country }).map((row): Row => ({ ...row, ggr: Number(row.ggr) + 1_000_003 * c })),
    );
    const turnover = rows.map(({ ggr, ...row }) => aRow('turnover', { ...row, turnover: 10 * Number(ggr) }));
    const moved = rows.map((row) => {
      const times = row.product === 'Keno' ? keno[String(row.country)]?.(Number(row.year)) : 1;
      return { ...row, ggr: Number(row.ggr) * (times ?? 1) };
    });
    const line = (number: number, country: string, now: string) =>
      `warning turnover.csv › line ${number}, column turnover: ggr of a market of ${country} in 2021 is ${now} of turnover, 10 % in the year before, and the year after is like that one (1 row like it); check both figures`;
    const files = filesOf({ ggr: moved, turnover });
    expect(await warningsWith('of turnover, ', files)).toEqual([
      line(14, 'Malta', '20 %'),
      line(14 + 40, 'Peru', '5 %'),
    ]);
    const from2021 = (number: number, country: string, now: string) =>
      `warning turnover.csv › line ${number}, column turnover: ggr of a market of ${country} is about ${now} of turnover from 2021 on, and about 10 % until then (1 row like it); check that both have one definition and one unit in all years`;
    expect(await warningsWith('of turnover from', files)).toEqual([
      from2021(14 + 160, 'Italy', '30 %'),
      from2021(14 + 200, 'Norway', '3.3 %'),
    ]);
  });
});

describe('parts of a country', () => {
  it('are a warning where one is the sum of some others, of all its channels or of all its categories', async () => {
    const rows = rowsOf({ category: 'Gaming' });
    const sumOf = (year: Row['year'], products: readonly string[]) =>
      rows
        .filter((row) => row.year === year && products.includes(String(row.product)))
        .reduce((sum, { ggr }) => sum + Number(ggr), 0);
    const total = (year: number, products: readonly string[], labels: Row) =>
      aRow('ggr', { category: 'Gaming', year, ggr: sumOf(year, products), ...labels });
    const some = YEARS.map((year) => total(year, ['Bingo', 'Slots', 'Toto'], { product: 'Casinos' }));
    expect(await warningsWith('is the sum of', csv([...rows, ...some]))).toEqual([
      'warning ggr.csv › line 42, column product: ggr of product "Casinos" is the sum of "Bingo", "Slots" and "Toto" in 5 rows of Malta; if it is their total, delete its rows: they would be counted twice',
    ]);
    const all = YEARS.map((year) => total(year, PRODUCTS, { category: 'Play', product: 'Play' }));
    expect(await warningsWith('is the sum of', csv([...rows, ...all]))).toEqual([
      expect.stringContaining('ggr of product "Play" is the sum of the other rows in all 5 cases'),
    ]);
    const inVenues = rows.map((row) => ({
      ...row,
      channel: 'Land',
      sub_channel: 'Venue',
      ggr: Number(row.ggr) + 7,
    }));
    const both = rows.map((row) => ({
      ...row,
      channel: 'Omni',
      sub_channel: 'Omni',
      ggr: 2 * Number(row.ggr) + 7,
    }));
    expect(await warningsWith('is the sum of', csv([...rows, ...inVenues, ...both]))).toEqual([
      expect.stringContaining('ggr of channel "Omni" is the sum of the other rows in all 40 cases'),
    ]);
    const inPart = (sub_channel: string, ggr: (row: Row) => number) =>
      rows.map((row) => ({ ...row, sub_channel, ggr: ggr(row) }));
    const parts = [
      ...inPart('Kiosk', (row) => Number(row.ggr) + 7),
      ...inPart('Offshore', (row) => Number(row.ggr) + 13),
      ...inPart('Licensed', (row) => 2 * Number(row.ggr) + 7),
    ];
    expect(await warningsWith('is the sum of', csv([...rows, ...parts]))).toEqual([
      expect.stringMatching(/ggr of sub_channel "Licensed" is the sum of "Onshore" and "Kiosk" in 40 rows/),
    ]);
  });

  it('are a warning where a product is in another unit in some years, in two categories, or a forecast too early', async () => {
    const small = rowsOf({}).map((row) =>
      row.product === 'Keno' && Number(row.year) < 2021 ? { ...row, ggr: Number(row.ggr) / 1000 } : row,
    );
    expect(await warningsWith('series, such as', csv(small))).toEqual([
      'warning ggr.csv › line 14, column ggr: ggr of Malta is about 1,000 times larger from 2021 on than before in 1 of 8 series, such as Keno; check the unit of the figures of these years',
    ]);
    const again = rowsOf({ category: 'Lottery' }).filter(({ product }) => product === 'Keno');
    expect(await warningsWith('in category', csv([...rowsOf({ category: 'Gaming' }), ...again]))).toEqual([
      'warning ggr.csv › line 42, column category: ggr of product "Keno" in category "Lottery" is the same as in "Gaming" in 5 rows; delete the rows of one category: they would be counted twice',
    ]);
    const early = rowsOf({}).map((row) => ({
      ...row,
      temporal: Number(row.year) < 2021 ? 'Forecast' : 'Current',
    }));
    expect(await warningsWith('has forecasts', csv(early))).toEqual([
      'warning ggr.csv › line 2, column temporal: ggr of Malta has forecasts of 2019–2020 before reported figures of the same series; write Current for reported figures and Forecast for the others, unless it is meant',
    ]);
  });

  it('are a warning where its states come to more than the nation, or turnover of one is below its ggr', async () => {
    const states: readonly Row[] = ['Gozo', 'Comino'].flatMap((state, i) =>
      rowsOf({ state }).map((row) => ({ ...row, ggr: Math.round((Number(row.ggr) * (i + 1)) / 4) })),
    );
    const times = (by: number) =>
      states.map((row) =>
        row.state === 'Gozo' && row.product === 'Keno' ? { ...row, ggr: Number(row.ggr) * by } : row,
      );
    expect(await warningsWith('than that of the nation', csv([...rowsOf({}), ...times(1)]))).toEqual([]);
    const ggr = [...rowsOf({}), ...times(4)];
    expect(await warningsWith('than that of the nation', csv(ggr))).toEqual([
      expect.stringContaining(
        'ggr of the states of Malta comes to more than that of the nation in 5 of 40 figures, at most to 1.5 times as much: Keno in 20',
      ),
    ]);
    const facts = rowsOf({}, { country: 'Spain' });
    const turnover = facts.map(({ ggr: value, ...row }) => ({
      ...row,
      turnover: Number(value) * (row.country === 'Malta' && row.product === 'Lotto' ? 0.5 : 9),
    }));
    const files = filesOf({ ggr: facts, turnover });
    expect(await warningsWith('ggr; check whether', files)).toEqual([
      expect.stringContaining('turnover of Lotto in Malta (EUR) is 115 m, below the 230 m of its ggr'),
    ]);
  });
});

it('a state far too small for its adults is a warning, and none where its adults are unknown', async () => {
  const adults = [
    ['', 400_000],
    ['Gozo', 40_000],
  ] as const;
  const country = YEARS.flatMap((year) =>
    adults.map(([state, adult_population]) =>
      aRow('country', { year, state, adult_population, gdp_usd: null, gdp_local_currency: null }),
    ),
  );
  /** A month in which Gozo has this share of each figure of the nation, and another one in 2023. */
  const load = (share: number, latest = share, withoutNation = 0) =>
    filesOf({
      ggr: rowsOf({}, { state: 'Gozo' })
        .filter(({ state, year }) => state !== '' || year !== withoutNation)
        .map((row) =>
          row.state === '' ? row : { ...row, ggr: Number(row.ggr) * (row.year === 2023 ? latest : share) },
        ),
      country,
    });
  expect(await warningsWith('of the adults', load(0.1 / 60))).toEqual([
    expect.stringContaining(
      'ggr of Gozo is at most 0.17 % of that of Malta in Bingo, and the state has 10 % of the adults; check the unit of its figures',
    ),
  ]);
  expect(await warningsWith('of the adults', load(0.1 / 40))).toEqual([]);
  expect(await warningsWith('of the adults', load(0.1 / 60, 0.1 / 40))).toEqual([]);
  // A year without figures of the nation tells nothing.
  expect(await warningsWith('of the adults', load(0.1 / 60, 0.1 / 60, 2023))).toHaveLength(1);
  expect(await warningsWith('of the adults', csv(rowsOf({}, { state: 'Gozo', ggr: 1 })))).toEqual([]);
});

it('a country without figures in a currency of nearly all others is a warning', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `Country ${i}`);
  const load = (lacking: number) => ({
    ...csv(
      names.flatMap((country, i) =>
        (i < lacking ? ['EUR'] : ['EUR', 'USD']).map((fx) => aRow('ggr', { country, fx })),
      ),
    ),
    'country_reference.csv': csvOf('country_reference', countryReference(['Malta', ...names])),
  });
  expect(await warningsWith('has no rows in', load(1))).toEqual([
    'warning ggr.csv › line 2, column fx: ggr of Country 0 has no rows in USD, and 19 of 20 countries with other currencies have some; add its figures in USD: sums in this currency leave the country out',
  ]);
  expect(await warningsWith('has no rows in', load(2))).toHaveLength(2);
  expect(await warningsWith('has no rows in', load(3))).toEqual([]);
});

it('a country without figures in the own currency of nearly all others is no warning', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `Country ${i}`);
  const own = (i: number) => (i === 0 ? 'NOK' : 'EUR');
  const files = filesOf({
    ggr: names.flatMap((country, i) => ['USD', own(i)].map((fx) => aRow('ggr', { country, fx }))),
    fx: names.map((country, i) => aRow('fx', { country, fx_local_currency: own(i) })),
  });
  const reference = csvOf('country_reference', countryReference(['Malta', ...names]));
  expect(await warningsWith('has no rows in', { ...files, 'country_reference.csv': reference })).toEqual([]);
});

it('figures in two currencies apart from the rates are a warning where those of most countries agree', async () => {
  const countries = ['Malta', ...Array.from({ length: 11 }, (_, i) => `Country ${i}`)];
  const facts = (levs: number, far: number) =>
    countries.flatMap((country, i) =>
      [2023, 2024].flatMap((year) =>
        ['Bingo', 'Keno'].flatMap((product, p) => {
          const usd = 1_000_007 * (i + 1) + 10_007 * p + year;
          const inEuros = (usd / 1.1) * (i === 0 ? levs : i < 5 ? far : 1);
          return [
            aRow('ggr', { country, year, product, fx: 'USD', ggr: usd }),
            aRow('ggr', { country, year, product, fx: 'EUR', ggr: inEuros }),
          ];
        }),
      ),
    );
  const rates = countries.flatMap((country) =>
    [2023, 2024].map((year) => aRow('fx', { country, year, fx_current_usd: 1.1, fx_constant_usd: 1.1 })),
  );
  const others = {
    'fx.csv': csvOf('fx', rates),
    'country_reference.csv': csvOf('country_reference', countryReference(countries)),
  };
  expect(await warningsWith('rates of fx', { ...csv(facts(1.95583, 1)), ...others })).toEqual([
    'warning ggr.csv › line 3, column ggr: ggr of Malta in EUR and in USD differ from the rates of fx by a factor of 1.956; check the currency of the rows, their unit and the rate',
  ]);
  // When several countries have deviating rates, the source as a whole has other rates than fx, and none is reported.
  expect(await warningsWith('rates of fx', { ...csv(facts(1.95583, 1.03)), ...others })).toEqual([]);
});

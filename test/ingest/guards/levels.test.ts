// Guards lose no finding of any level: relations of products, copied forecasts, more groups than a list shows.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const findingsOf = async (before: Rows, after: Rows) => (await guarded(before, after)).findings;

const refused = async (before: Rows, after: Rows) =>
  (await findingsOf(before, after))
    .filter(({ severity }) => severity === 'refuse')
    .map(({ rule, dataset, message }) => `${rule} ${dataset}: ${message}`);

/** Malta's casino is fifty times its bingo, so no total of Malta shows a change of its bingo. */
const market = (dataset: 'ggr' | 'turnover', bingo: Row, more: Row = {}): Row[] => {
  const rows = [
    ['Casino Slots', 'Online', 1_000_000],
    ['Casino Slots', 'Land', 1_000_000],
    ['Bingo', 'Online', 30_000],
    ['Bingo', 'Land', 10_000],
  ] as const;
  return rows.flatMap(([product, channel, value]) =>
    (['EUR', 'USD'] as const).map((fx) => {
      const rate = fx === 'USD' ? 1.1 : 1;
      const hold = dataset === 'turnover' ? 1.01 : 1;
      const changed =
        bingo[`${product} ${channel} ${fx}`] ?? bingo[`${product} ${fx}`] ?? bingo[product] ?? 1;
      return aRow(dataset, {
        product,
        category: 'Gaming',
        channel,
        fx,
        [dataset]: Math.round(value * rate * hold * Number(changed)),
        ...more,
      });
    }),
  );
};

const RATES = { fx: [aRow('fx', { fx_current_usd: 1.1, fx_constant_usd: 1.1 })] };

describe('the guard relations', () => {
  it('refuses a product whose currencies part, though those of the country agree still', async () => {
    const before = { ggr: market('ggr', {}), ...RATES };
    expect(await refused(before, { ggr: market('ggr', { 'Bingo USD': 1.06 }), ...RATES })).toEqual([
      'relations ggr: Malta, Bingo: figures in USD disagree with those in local currency at the rates of fx by up to 6 % in 2024',
    ]);
    expect(await refused(before, { ggr: market('ggr', { Bingo: 1.06 }), ...RATES })).toEqual([]);
    // The figures did not change, so the finding is about the rates.
    const rates = { fx: [aRow('fx', { fx_current_usd: 1.13, fx_constant_usd: 1.13 })] };
    const ofRates =
      'relations fx: Malta: figures in USD disagree with those in local currency at the rates of fx by up to 2.65 % in 2024; these rates moved, and the figures did not move with them';
    expect(await refused(before, { ggr: market('ggr', {}), ...rates })).toEqual([ofRates]);
    // Figures of Bingo changed a little as well. The finding is still about the rates.
    expect(await refused(before, { ggr: market('ggr', { Bingo: 1.001 }), ...rates })).toEqual([ofRates]);
  });

  it('says once what broke in many countries, though in each of them in other years', async () => {
    const countries = Array.from({ length: 10 }, (_, i) => `Country ${i}`);
    const figures = countries.flatMap((country) =>
      [2022, 2023, 2024].flatMap((year) => market('ggr', {}, { country, year })),
    );
    const rates = (wrong: number) => ({
      fx: countries.flatMap((country, i) =>
        [2022, 2023, 2024].map((year) => {
          const rate = year >= 2022 + (i % 3) ? wrong : 1.1;
          return aRow('fx', { country, year, fx_current_usd: rate, fx_constant_usd: rate });
        }),
      ),
    });
    const found = await refused({ ggr: figures, ...rates(1.1) }, { ggr: figures, ...rates(1.14) });
    expect(found.filter((text) => text.startsWith('relations'))).toEqual([
      expect.stringMatching(
        /^relations fx: 10 countries \(.+ by up to 3\.51 % in 2022–2024; these rates moved/,
      ),
    ]);
  });

  it('refuses markets whose turnover falls below its ggr, also where the country as a whole stays above', async () => {
    const before = { ggr: market('ggr', {}), turnover: market('turnover', {}) };
    const sides = (ggr: Row, turnover: Row) => ({
      ggr: market('ggr', ggr),
      turnover: market('turnover', turnover),
    });
    expect(await refused(before, sides({}, { Bingo: 0.95 }))).toEqual([
      'relations turnover: Malta, Bingo / Land / Onshore and Bingo / Online / Onshore: turnover is below ggr, at 96 % of it in 2024',
    ]);
    // Turnover did not change, so the finding is about ggr.
    expect(await refused(before, sides({ Bingo: 1.05 }, {}))).toEqual([
      'relations ggr: Malta, Bingo / Land / Onshore and Bingo / Online / Onshore: turnover is below ggr, at 96.2 % of it in 2024',
    ]);
    expect(await refused(before, sides({ Bingo: 1.04, 'Casino Slots': 1.04 }, {}))).toEqual([
      'relations ggr: Malta: turnover is below ggr, at 97.1 % of it in 2024',
    ]);
  });

  it('warns of a new market whose turnover is implausible beside its ggr, and refuses one at other rates', async () => {
    const isCasino = ({ product }: Row) => product !== 'Bingo';
    const casino = {
      ggr: market('ggr', {}).filter(isCasino),
      turnover: market('turnover', {}).filter(isCasino),
    };
    const findingsWith = async (ggr: Row, turnover: Row) =>
      (
        await findingsOf(
          { ...casino, ...RATES },
          { ggr: market('ggr', ggr), turnover: market('turnover', turnover), ...RATES },
        )
      )
        .filter(({ rule }) => rule === 'relations')
        .map(({ severity, dataset, message }) => `${severity} ${dataset}: ${message}`);
    const both = 'Malta, Bingo / Land / Onshore and Bingo / Online / Onshore';
    expect(await findingsWith({}, {})).toEqual([]);
    expect(await findingsWith({ Bingo: 1.2 }, { Bingo: 0.95 })).toEqual([
      `warn turnover: ${both}: the market is new, and its turnover is below ggr, at 80 % of it, in 2024`,
    ]);
    expect(await findingsWith({ Bingo: 0.001 }, {})).toEqual([
      `warn turnover: ${both}: the market is new, and its turnover is 1,010 times ggr in 2024`,
    ]);
    expect(await findingsWith({ Bingo: 0 }, {})).toEqual([
      `warn turnover: ${both}: the market is new, and its ggr is 0 beside turnover in 2024`,
    ]);
    expect(await findingsWith({ 'Bingo USD': 1.06 }, { Bingo: 5 })).toEqual([
      'refuse ggr: Malta, Bingo: figures in USD disagree with those in local currency at the rates of fx by up to 6 % in 2024',
    ]);
  });

  it('warns of a new market that is far too small in its country, beside other countries or whatever they have', async () => {
    const countries = (n: number) => Array.from({ length: n }, (_, i) => `Country ${i}`);
    const sides = (others: readonly string[], bingo: Row | null, before = false) => {
      const rowsOf = (dataset: 'ggr' | 'turnover') => [
        ...others.flatMap((country) => market(dataset, {}, { country })),
        ...market(dataset, bingo ?? {}, { country: 'Malta' }).filter(
          ({ product }) => !before || product !== 'Bingo',
        ),
      ];
      return { ggr: rowsOf('ggr'), turnover: rowsOf('turnover') };
    };
    const findingsWith = async (others: readonly string[], bingo: Row) =>
      (await findingsOf(sides(others, null, true), sides(others, bingo)))
        .filter(({ rule }) => rule === 'relations')
        .map(({ severity, dataset, message }) => `${severity} ${dataset}: ${message}`);
    // Both datasets are in thousands, so turnover agrees with ggr.
    expect(await findingsWith(countries(5), { Bingo: 0.001 })).toEqual([
      "warn ggr: Malta, Bingo / Land / Onshore and Bingo / Online / Onshore: the market is new, and its ggr is 0.0005 % of the country's in 2024; it is 0.49 % in the median country that has it: check its unit",
    ]);
    expect(await findingsWith(countries(5), { Bingo: 0.012 })).toEqual([]);
    // Four other countries do not show what is usual.
    expect(await findingsWith(countries(4), { Bingo: 0.001 })).toEqual([
      "warn ggr: Malta, Bingo / Land / Onshore and Bingo / Online / Onshore: the market is new, and its ggr is 0.0005 % of the country's in 2024: check its unit",
    ]);
    expect(await findingsWith(countries(4), { Bingo: 0.012 })).toEqual([]);
  });

  it('does not call a market new because turnover never had it', async () => {
    const others = Array.from({ length: 5 }, (_, i) => `Country ${i}`);
    const side = (bingo: number) => ({
      ggr: [
        ...others.flatMap((country) => market('ggr', {}, { country })),
        ...market('ggr', { Bingo: bingo }, { country: 'Malta' }),
      ],
      turnover: ['Malta', ...others].flatMap((country) =>
        market('turnover', {}, { country }).filter((row) => country !== 'Malta' || row.product !== 'Bingo'),
      ),
    });
    const found = await findingsOf(side(0.001), side(0.0011));
    expect(found.filter(({ message }) => message.includes('the market is new'))).toEqual([]);
  });

  it('does not say that turnover is below ggr in a market that turnover does not have', async () => {
    const land = market('turnover', {}).filter(({ channel }) => channel === 'Land');
    const ggr = market('ggr', {}).filter(({ channel, product }) => channel === 'Land' || product !== 'Bingo');
    const before = { ggr, turnover: land };
    const found = await refused(before, { ggr: market('ggr', {}), turnover: land });
    expect(found.filter((one) => one.startsWith('relations'))).toEqual([]);
  });

  it('refuses a market whose currencies part, though those of its product agree still', async () => {
    const before = { ggr: market('ggr', {}), ...RATES };
    // One channel has 30,000 and the other 10,000. Each gains what the other loses.
    const after = market('ggr', { 'Bingo Online USD': 1.025, 'Bingo Land USD': 0.925 });
    expect(await refused(before, { ggr: after, ...RATES })).toEqual([
      'relations ggr: Malta, Bingo / Land / Onshore and Bingo / Online / Onshore: figures in USD disagree with those in local currency at the rates of fx by up to 7.5 % in 2024',
    ]);
  });

  it('refuses a product whose states come to more than the nation, though those of all products do not', async () => {
    const states = (bingo: Row) => [
      ...market('ggr', {}),
      ...market('ggr', bingo, { state: 'Gozo' }).map((row) => ({
        ...row,
        ggr: Math.round(Number(row.ggr) * 0.96),
      })),
    ];
    expect(await refused({ ggr: states({}) }, { ggr: states({ Bingo: 1.09 }) })).toEqual([
      'relations ggr: Malta, Bingo: its states come to more than the nation (+4.64 %) in 2024',
    ]);
    // There is no finding when the states exceeded the nation by nearly as much in the month before.
    expect(await refused({ ggr: states({ Bingo: 1.09 }) }, { ggr: states({ Bingo: 1.1 }) })).toEqual([]);
    // There is none about figures of some hundreds either, because rounding changes these by more.
    const small = (bingo: Row) =>
      states(bingo).map((row) => ({ ...row, ggr: Math.round(Number(row.ggr) / 100) }));
    expect(await refused({ ggr: small({}) }, { ggr: small({ Bingo: 1.09 }) })).toEqual([]);
  });

  it('leaves aside what is too small to say anything', async () => {
    const small = (which: Row) =>
      market('ggr', which).map((row) => ({ ...row, ggr: Math.round(Number(row.ggr) / 100) }));
    const before = { ggr: small({}), ...RATES };
    expect(await refused(before, { ggr: small({ 'Bingo USD': 1.06 }), ...RATES })).toEqual([]);
  });
});

describe('values that moved', () => {
  it('are reported from a hundredth of their country on', async () => {
    const placesMoved = async (by: number) =>
      (await findingsOf({ ggr: market('ggr', {}) }, { ggr: market('ggr', { Bingo: by }) })).flatMap(
        ({ message, pattern }) => (pattern === null ? [] : [message.replace(/:.*/, '')]),
      );
    expect(await placesMoved(1.4)).toEqual([]);
    expect(await placesMoved(1.7)).toEqual(['Malta, product Bingo']);
  });
});

describe('new rows that are the sum of others', () => {
  const years = [2020, 2021, 2022, 2023];
  const facts = (product: string, figureOf: (year: number) => number) =>
    years.map((year) => aRow('ggr', { year, product, category: 'Gaming', ggr: figureOf(year) }));
  const before = { ggr: [...facts('Slots', (year) => year * 5003), ...facts('Bingo', (year) => year * 901)] };
  const sumsWith = async (figureOf: (year: number) => number) =>
    (await refused(before, { ggr: [...before.ggr, ...facts('Poker', figureOf)] })).filter((text) =>
      text.includes('sums of others'),
    );

  it('are totals in most years of their market, and chance in a single one', async () => {
    expect(await sumsWith((year) => year * 5904)).toEqual([
      expect.stringContaining('Malta: 4 new rows are sums of others: totals among their parts'),
    ]);
    expect(await sumsWith((year) => year * (year === 2022 ? 5904 : 703 + year))).toEqual([]);
  });
});

describe('new rows that add up to a row that stayed', () => {
  const years = [2021, 2022, 2023, 2024];
  const facts = (product: string, figureOf: (year: number) => number, sub_channel = 'Onshore') =>
    years.map((year) => aRow('ggr', { year, product, sub_channel, category: 'Gaming', ggr: figureOf(year) }));
  const before = {
    ggr: [...facts('Slots', (year) => year * 5003), ...facts('Bingo', (year) => year * 90_017)],
  };
  const partsWith = async (...added: readonly (readonly ReturnType<typeof aRow>[])[]) =>
    (await refused(before, { ggr: [...before.ggr, ...added.flat()] })).filter((text) =>
      text.includes('add up to those of'),
    );

  it('are its parts, which count twice', async () => {
    const classic = facts('Classic', (year) => year * 2000);
    expect(
      await partsWith(
        classic,
        facts('Video', (year) => year * 3003),
      ),
    ).toEqual([
      expect.stringContaining(
        'Malta: 8 new rows of product "Classic" and "Video" add up to those of "Slots", which stayed; their figures count twice',
      ),
    ]);
    expect(
      await partsWith(
        classic,
        facts('Video', (year) => year * 3003 + (year - 2020) * 99_000),
      ),
    ).toEqual([]);
  });

  it('may be parts of a sub-channel', async () => {
    const app = [
      ...facts('Slots', (year) => year * 1003, 'App'),
      ...facts('Bingo', (year) => year * 17, 'App'),
    ];
    const web = [
      ...facts('Slots', (year) => year * 4000, 'Web'),
      ...facts('Bingo', (year) => year * 90_000, 'Web'),
    ];
    expect(await partsWith(app, web)).toEqual([
      expect.stringContaining('16 new rows of sub-channel "App" and "Web" add up to those of "Onshore"'),
    ]);
  });

  it('are none in three years alone', async () => {
    const most = (rows: ReturnType<typeof facts>) => rows.slice(1);
    const [classic, video] = [facts('Classic', (year) => year * 2000), facts('Video', (year) => year * 3003)];
    expect(await partsWith(most(classic), most(video))).toEqual([]);
  });
});

describe('copies of forecasts', () => {
  const forecasts = (figureOf: (product: string, year: number) => number) =>
    ['Bingo', 'Poker'].flatMap((product) =>
      [2027, 2028, 2029, 2030].map((year) =>
        aRow('ggr', {
          product,
          category: 'Gaming',
          year,
          temporal: 'Forecast',
          ggr: figureOf(product, year),
        }),
      ),
    );
  const value = (product: string, year: number) => (product === 'Bingo' ? 1000 : 1500) + 7 * (year - 2027);
  const other = (product: string) => (product === 'Bingo' ? 'Poker' : 'Bingo');

  it('only warn, as all findings about forecasts do', async () => {
    const after = forecasts((product, year) => value(other(product), year));
    const found = await findingsOf({ ggr: forecasts(value) }, { ggr: after });
    expect(found.map(({ severity, rule, country }) => [severity, rule, country])).toEqual([
      ['warn', 'structure', 'Malta'],
    ]);
    expect(found[0]?.message).toContain(
      "Malta (forecasts): 8 changed values repeat another product's: Poker those of Bingo and Bingo those of Poker",
    );
  });

  it('need not be equal to the last digit: a product of six times its forecast is reported as that', async () => {
    const after = forecasts((product, year) => value(product, year) * (product === 'Poker' ? 6.01 : 1));
    const found = await findingsOf({ ggr: forecasts(value) }, { ggr: after });
    expect(found.map(({ severity, message }) => `${severity} ${message.split(' (')[0]}`)).toContain(
      'warn Malta, product Poker',
    );
    expect(found.map(({ message }) => message).join('\n')).toContain(
      'all 4 values moved by half or more, together +501 %',
    );
    const honest = forecasts((product, year) => value(product, year) * (product === 'Poker' ? 1.2 : 1));
    const small = await findingsOf({ ggr: forecasts(value) }, { ggr: honest });
    expect(small.filter(({ rule }) => rule === 'closed-years')).toEqual([]);
  });

  it('are none where a year repeats the one before', async () => {
    const flat = forecasts((product) => value(product, 2027));
    expect(await findingsOf({ ggr: forecasts(value) }, { ggr: flat })).toEqual([]);
  });
});

describe('more groups than are listed', () => {
  it('are one finding more, which counts their values and names their countries', async () => {
    const rows = (isZero: (country: number, product: number) => boolean) =>
      Array.from({ length: 30 }, (_, country) =>
        Array.from({ length: 30 }, (__, product) =>
          [2021, 2022, 2023].map((year) =>
            aRow('ggr', {
              country: `Country ${country + 10}`,
              product: `Product ${product + 10}`,
              year,
              ggr: isZero(country, product) ? 0 : 1000 + 31 * country + 7 * product + year,
            }),
          ),
        ),
      ).flat(2);
    // In each of 24 countries, the figures of one product become zero, those of another product in each country.
    const after = rows((country, product) => country === product && country < 24);
    const found = (await findingsOf({ ggr: rows(() => false) }, { ggr: after })).filter(
      ({ rule }) => rule === 'structure',
    );
    expect(found.map(({ severity }) => severity)).toEqual(Array(21).fill('refuse'));
    expect(found.reduce((sum, { pattern }) => sum + (pattern?.cells ?? 0), 0)).toBe(3 * 24);
    const named = found.map(({ message }) => message.split(':')[0]);
    expect(named.at(0)).toBe('Country 10, product Product 10');
    expect(named.at(-1)).toBe('4 more countries (Country 30, Country 31, Country 32 and 1 more)');
    expect(found.at(-1)?.message).toContain(': all 12 reported values are 0 now (');
  });
});

describe('a country whose reported figures all move', () => {
  it('is warned of once: neither its totals nor those of the dataset say it again', async () => {
    const countries = ['Spain', ...Array.from({ length: 11 }, (_, i) => `Country ${i + 10}`)];
    const rows = (by: number) => ({
      ggr: countries.flatMap((country, i) =>
        ['Bingo', 'Poker', 'Keno'].flatMap((product, p) =>
          [2021, 2022, 2023].map((year) => {
            const honest = 100_000 * (country === 'Spain' ? 30 : 7) + 1000 * i + 10 * p + year;
            return aRow('ggr', { country, product, year, ggr: country === 'Spain' ? honest * by : honest });
          }),
        ),
      ),
    });
    const found = await findingsOf(rows(1), rows(1.15));
    expect(found.filter(({ dataset }) => dataset === 'ggr')).toEqual([
      expect.objectContaining({
        severity: 'warn',
        country: 'Spain',
        message: expect.stringMatching(/^Spain: all 9 values of closed years moved by 10 % or more/),
      }),
    ]);
  });

  it('is worded in the singular when it has a single figure', async () => {
    const countries = ['Spain', ...Array.from({ length: 11 }, (_, i) => `Country ${i + 10}`)];
    const rows = (by: number) => ({
      ggr: countries.map((country) =>
        aRow('ggr', { country, year: 2022, ggr: country === 'Spain' ? 300_001 * by : 700_001 }),
      ),
    });
    const found = await findingsOf(rows(1), rows(1.15));
    expect(found.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Spain: the only value of closed years moved by \+15 % \(/),
    );
  });
});

describe('the shares of a finding', () => {
  /** The two states of one country add up to 90 % of it. The other country has no states. */
  const month = (factor: number) => ({
    turnover: [
      ...['Malta', 'Norway'].flatMap((country) =>
        [2021, 2022, 2023].flatMap((year) =>
          (country === 'Malta' ? ['', 'Gozo', 'Mdina'] : ['']).map((state) =>
            aRow('turnover', {
              country,
              year,
              state,
              turnover: (state === '' ? 1_000_000 : 450_000) * (country === 'Malta' ? factor : 1),
            }),
          ),
        ),
      ),
    ],
  });

  it('count a country once, without its states beside it', async () => {
    const [finding] = await findingsOf(month(1), month(0.001));
    expect(finding?.message).toContain(
      "Malta: all 9 values of turnover are what they were ÷ 1,000 (100 % of the country's total, 50 % of the dataset's; ",
    );
  });

  it('compare with the dataset in a currency that other countries have', async () => {
    const countries = ['Spain', ...Array.from({ length: 11 }, (_, i) => `Country ${i + 10}`)];
    const rows = (by: number) => ({
      ggr: countries.flatMap((country) =>
        ['AAA', 'USD'].flatMap((fx) =>
          [2021, 2022, 2023].flatMap((year) =>
            fx === 'USD' || country === 'Spain'
              ? [aRow('ggr', { country, year, fx, ggr: 300_001 * (country === 'Spain' ? by : 1) })]
              : [],
          ),
        ),
      ),
    });
    const found = await findingsOf(rows(1), rows(1.15));
    expect(found.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Spain: all 6 values .*100 % of the country's total, 8\.3 % of the dataset's/),
    );
  });
});

describe('a change of unit', () => {
  const unitsOf = async (before: Rows, after: Rows) =>
    (await findingsOf(before, after)).map(
      ({ severity, rule, country, message }) => `${severity} ${rule} ${country}: ${message.split(' (')[0]}`,
    );

  it('of the whole dataset is one finding with all its values', async () => {
    const rows = (factor: number) => ({
      turnover: ['Cyprus', 'Malta'].flatMap((country) =>
        [2023, 2024, 2025].map((year) => aRow('turnover', { country, year, turnover: 900_000 * factor })),
      ),
    });
    const [finding, ...others] = await findingsOf(rows(1), rows(0.1));
    expect(finding?.message).toBe(
      'all countries: all 6 values of turnover are what they were ÷ 10 (Cyprus 2023 Betting Sport Betting Online Onshore EUR: 900,000 → 90,000, Cyprus 2024 Betting Sport Betting Online Onshore EUR: 900,000 → 90,000, Cyprus 2025 Betting Sport Betting Online Onshore EUR: 900,000 → 90,000)',
    );
    expect(finding?.accept).toBe('--accept units:turnover --reason "…"');
    expect(others).toEqual([]);
  });

  it('of percentages is one finding, also where few of them moved by many points', async () => {
    const rows = (factor: number) => ({
      country: ['Chile', 'Ghana', 'Malta', 'Spain'].flatMap((country, i) =>
        [2015, 2016, 2017, 2018, 2019, 2020].map((year) =>
          aRow('country', { country, year, inflation: factor * ((i % 2 === 0 ? 12 : 2) + (year % 7) / 10) }),
        ),
      ),
    });
    expect(await unitsOf(rows(1), rows(0.01))).toEqual([
      'refuse units null: all countries: all 24 values of inflation are what they were ÷ 100',
    ]);
  });

  it('of some years of a currency is one finding about all of them', async () => {
    const rows = (factor: number) => ({
      ggr: ['Malta', 'Spain'].flatMap((country) =>
        [2022, 2023, 2024, 2025, 2026, 2027].flatMap((year) =>
          ['Bingo', 'Poker', 'Slots'].flatMap((product) =>
            ['EUR', 'TRY'].map((fx) =>
              aRow('ggr', {
                ...{ country, year, product, fx },
                temporal: year > 2025 ? 'Forecast' : 'Current',
                ggr: 9_000_000 * (fx === 'TRY' && country === 'Malta' && year >= 2024 ? factor : 1),
              }),
            ),
          ),
        ),
      ),
    });
    expect((await unitsOf(rows(1), rows(0.001))).filter((text) => text.includes('Malta'))).toEqual([
      expect.stringMatching(
        /^refuse \S+ Malta: Malta, currency TRY, 2024–2027: all 12 values of ggr are what they were ÷ 1,000$/,
      ),
    ]);
  });

  it('of several countries is a finding for each, and none about the totals that they moved', async () => {
    const countries = Array.from({ length: 12 }, (_, i) => `Country ${i + 10}`);
    const scaled = countries.slice(0, 3);
    const rows = (factor: number, other = 1) => ({
      ggr: countries.flatMap((country, i) =>
        [2020, 2021, 2022, 2023].flatMap((year) =>
          ['Bingo', 'Poker'].map((product) => {
            const by = scaled.includes(country) ? factor : i === 5 ? other : 1;
            return aRow('ggr', { country, year, product, ggr: Math.round((900_001 + i * year) * by) });
          }),
        ),
      ),
    });
    const expected = scaled.map((country) =>
      expect.stringContaining(`${country}: all 8 values of ggr are what they were ÷ 1,000`),
    );
    expect(await unitsOf(rows(1), rows(0.001))).toEqual(expect.arrayContaining(expected));
    expect(await unitsOf(rows(1), rows(0.001))).toHaveLength(3);
    // One pattern has the values of all four countries.
    expect(await unitsOf(rows(1), rows(0.001, 1.6))).toEqual([
      expect.stringMatching(/^refuse units null: Country 10: all 8 .* ÷ 1,000, and 8 other values moved$/),
    ]);
  });
});

describe('changes of a few cells', () => {
  /** Bingo is tiny beside Slots. Poker of one channel is 0.6 % of the country's total of the year. */
  const LARGE = { Bingo: 20, Poker: 100_000, Keno: 200_000, Slots: 5_000_000 };
  const rows = (changes: (row: Row) => number = () => 1) => ({
    ggr: ['Malta', 'Spain'].flatMap((country) =>
      Object.entries(LARGE).flatMap(([product, large]) =>
        ['Land', 'Online', 'Mobile'].flatMap((channel) =>
          [2019, 2020, 2021, 2022, 2023].map((year): Row => {
            const row = aRow('ggr', { country, product, channel, year, category: 'Gaming' });
            return { ...row, ggr: Math.round(large * (1 + (year - 2010) / 37) * changes(row)) };
          }),
        ),
      ),
    ),
  });
  const ofOnline = (product: string, last: number, factor: number) => (row: Row) =>
    row.country === 'Malta' && row.product === product && row.channel === 'Online' && Number(row.year) <= last
      ? factor
      : 1;

  it.each([
    ['a leap of one small value', ofOnline('Bingo', 2019, 30), []],
    ['a zero in place of one small value', ofOnline('Bingo', 2019, 0), []],
    [
      'four leaps of small values',
      ofOnline('Bingo', 2022, 30),
      ['warn revisions Malta, product Bingo: 4 of 15 reported values are ten times what they were or more'],
    ],
    [
      'four zeros in place of small values',
      ofOnline('Bingo', 2022, 0),
      ['warn structure Malta, product Bingo: 4 of 15 reported values are 0 now'],
    ],
    [
      'a leap of one value that matters',
      ofOnline('Poker', 2019, 1 / 30),
      ['warn revisions Malta, product Poker, 2019: 1 of 3 reported values is ten times what it was or more'],
    ],
    [
      'a zero in place of one value that matters',
      ofOnline('Poker', 2019, 0),
      ['warn structure Malta, product Poker, 2019: 1 of 3 reported values is 0 now'],
    ],
  ])('%s: warned of where they are three or matter to the country', async (_, changes, expected) => {
    const found = await findingsOf(rows(), rows(changes));
    const begins = found.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`);
    expect(begins.map((text) => text.replace(/, or a tenth.*| \(.*/, ''))).toEqual(expected);
  });

  it('are another unit when all of a product moved by nearly ten, though no single one leapt', async () => {
    const scaled = rows(({ country, product }) => (country === 'Malta' && product === 'Bingo' ? 9.7 : 1));
    expect(await findingsOf(rows(), scaled)).toEqual([
      expect.objectContaining({
        severity: 'refuse',
        rule: 'units',
        message: 'Malta, product Bingo: all 15 values of ggr are what they were × 10',
        accept: '--accept units:ggr:Malta --reason "…"',
      }),
    ]);
  });

  it('of a whole country are also found by the guards of totals, and accepted once for all', async () => {
    const found = await findingsOf(
      rows(),
      rows(({ country }) => (country === 'Malta' ? 1.3 : 1)),
    );
    expect(found.map(({ severity, rules, accept }) => [severity, rules.join(' '), accept])).toEqual([
      ['refuse', 'totals closed-years', '--accept totals:ggr:Malta --reason "…"'],
    ]);
  });

  it('are refused where three rows with a quarter of a country’s figures are gone', async () => {
    const ofOnlineSlots = ({ product, channel }: Row) => product === 'Slots' && channel === 'Online';
    const all = rows((row) => (ofOnlineSlots(row) ? 20 : 1)).ggr;
    const left = all.filter(
      (row) => !(row.country === 'Malta' && ofOnlineSlots(row) && Number(row.year) <= 2021),
    );
    const found = await findingsOf({ ggr: all }, { ggr: left });
    expect(found.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`)).toEqual([
      expect.stringMatching(/^refuse rows Malta, product Slots: 3 of 15 reported rows are gone \(/),
    ]);
  });
});

describe('the forecasts of a country', () => {
  const rows = (changes: (row: Row) => number = () => 1) => ({
    ggr: ['Malta', 'Spain'].flatMap((country) =>
      ['Bingo', 'Poker', 'Slots'].flatMap((product, p) =>
        [2021, 2022, 2023, 2024, 2027, 2028, 2029].map((year) => {
          const row = aRow('ggr', { country, product, year, temporal: year > 2026 ? 'Forecast' : 'Current' });
          return { ...row, ggr: Math.round((100_000 * (p + 1) + 907 * (year - 2020)) * changes(row)) };
        }),
      ),
    ),
  });
  const zerosFound = async (isZero: (row: Row) => boolean) =>
    (
      await findingsOf(
        rows(),
        rows((row) => (isZero(row) ? 0 : 1)),
      )
    )
      .filter(({ message }) => message.includes('are 0 now'))
      .map(({ severity, message }) => `${severity} ${message.replace(/ \(\d.*/, '')}`);
  const isPoker = ({ country, product }: Row) => country === 'Malta' && product === 'Poker';

  it('are a warning, and none where figures of the country are refused', async () => {
    const reported = 'refuse Malta, product Poker: all 4 reported values are 0 now';
    const forecast = 'warn Malta, product Poker (forecasts): all 3 values are 0 now';
    expect(await zerosFound((row) => isPoker(row) && Number(row.year) > 2026)).toEqual([forecast]);
    expect(await zerosFound(isPoker)).toEqual([reported]);
    const ofSpain = (row: Row) =>
      row.country === 'Spain' && row.product === 'Bingo' && Number(row.year) > 2026;
    expect(await zerosFound((row) => isPoker(row) || ofSpain(row))).toEqual([
      reported,
      'warn Spain, product Bingo (forecasts): all 3 values are 0 now',
    ]);
  });
});

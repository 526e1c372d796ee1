// Exchange rates and indicators that contradict each other or are impossible cause warnings. Correct ones cause none.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchangedTerms } from '../../../../ingest/checks/exchangeRates/rateRules.ts';
import type { CommonRates } from '../../../../ingest/checks/exchangeRates/rateSeries.ts';
import { areAtPar } from '../../../../ingest/checks/exchangeRates/usualRates.ts';
import { economyOf } from '../../../../ingest/checks/indicators/economies.ts';
import { aMonth, filesOf, problemsOf } from '../../../support/month.ts';
import { aRow, countryReference, publishRows, type Row, type Rows } from '../../../support/snapshot.ts';

const YEARS = [2020, 2021, 2022, 2023, 2024] as const;
/** The value of one EUR in USD in each of YEARS. */
const EUR = [1.14, 1.18, 1.05, 1.08, 1.09] as const;

/** Correct rates: the current ones are `inUsd`, and the constant one is the last of these. */
function ratesOf(country: string, currency: string, inUsd: readonly number[]): Row[] {
  const constant = inUsd.at(-1) ?? Number.NaN;
  return YEARS.map((year, i) => ({
    ...aRow('fx', { country, year, fx_local_currency: currency }),
    fx_current_usd: inUsd[i] ?? null,
    fx_current_eur: (inUsd[i] ?? Number.NaN) / (EUR[i] ?? 1),
    fx_constant_usd: constant,
    fx_constant_eur: constant / (EUR.at(-1) ?? 1),
  }));
}

/** One of these four rates is that of two years. */
const FOUR_RATES = [0.102, 0.097, 0.102, 0.105, 0.099];

const around = (rate: number) => [rate * 1.02, rate * 0.97, rate, rate * 1.05, rate * 0.99];

/** Rates with other values in some columns. */
const changed = (rows: readonly Row[], change: (row: Row) => Row): Row[] =>
  rows.map((row) => ({ ...row, ...change(row) }));

/** The warnings about a country whose current rates in USD are all equal, with these constant rates. */
const exchangedIn = (constant: readonly (number | null)[]) =>
  exchangedTerms(
    {
      country: 'Brazil',
      state: '',
      currency: 'BRL',
      years: constant.map((rate, i) => ({
        year: 2020 + i,
        temporal: 0,
        place: 0n,
        usd: { current: 0.2, constant: rate },
        eur: { current: null, constant: null },
      })),
    },
    { usdPerEur: () => undefined } as unknown as CommonRates,
  );

describe('currencies at par', () => {
  it('are the pounds of five islands, of Gibraltar and of Britain, the rands, and further ones, also among themselves', () => {
    const groups = [
      ['GBP', 'FKP', 'GGP', 'GIP', 'IMP', 'JEP', 'SHP'],
      ['ZAR', 'LSL', 'NAD', 'SZL'],
      ['AUD', 'KID', 'TVD'],
      ...['BAM BGN', 'BND SGD', 'BTN INR', 'CHE CHF', 'FOK DKK', 'XAF XOF', 'ANG XCG', 'VED VES'].map(
        (pair) => pair.split(' '),
      ),
    ];
    const all = groups.flat();
    for (const group of groups)
      for (const one of group)
        expect([one, all.filter((other) => areAtPar(one, other)).sort()]).toEqual([one, group.toSorted()]);
  });
});

describe('columns of current and constant rates', () => {
  it('are reported as exchanged from four different constant rates on', () => {
    expect(exchangedIn([0.2, 0.19, 0.21, 0.21, 0.2])).toEqual([]);
    expect(exchangedIn([0.2, 0.19, 0.21, 0.22, 0.22])).toHaveLength(1);
    // There are three different constant rates: a missing one does not count as different.
    expect(exchangedIn([0.2, 0.19, 0.21, 0.21, null])).toEqual([]);
  });
});

const inverse = (value: Row[string] | undefined) => 1 / Number(value);

const CURRENT = ['fx_current_usd', 'fx_current_eur'] as const;
const CONSTANT = ['fx_constant_usd', 'fx_constant_eur'] as const;

/** For each country: wrong or odd rates, and the expected warning. */
const RATES: Readonly<Record<string, readonly [rows: readonly Row[], expected: string | null]>> = {
  Sweden: [
    ratesOf('Sweden', 'SEK', FOUR_RATES),
    'fx_current_usd of Sweden (SEK) is that of PEN in 2020–2024',
  ],
  Malta: [ratesOf('Malta', 'EUR', EUR), null],
  Cyprus: [ratesOf('Cyprus', 'EUR', EUR), null],
  Namibia: [ratesOf('Namibia', 'NAD', around(0.055)), null],
  'South Africa': [ratesOf('South Africa', 'ZAR', around(0.055)), null],
  Bahamas: [ratesOf('Bahamas', 'BSD', [1, 1, 1, 1, 1]), null],
  Kuwait: [ratesOf('Kuwait', 'KWD', around(3.3)), null],
  Vietnam: [
    changed(ratesOf('Vietnam', 'VND', around(0.00004)), (row) => ({
      fx_current_eur: Number(Number(row.fx_current_eur).toFixed(5)),
      fx_constant_eur: Number(Number(row.fx_constant_eur).toFixed(5)),
    })),
    null,
  ],
  'United Kingdom': [
    changed(ratesOf('United Kingdom', 'GBP', around(1.27)), (row) => ({
      fx_current_usd: inverse(row.fx_current_usd),
      fx_current_eur: inverse(row.fx_current_eur),
    })),
    'fx_current_usd of United Kingdom (GBP) is 0.772 in 2020–2024, and one GBP has been worth 1 to 2.5 USD since 2000; its inverse would be usual',
  ],
  Japan: [
    changed(ratesOf('Japan', 'JPY', around(0.7)), () => ({})),
    'fx_current_usd of Japan (JPY) is 0.714 in 2020–2024, and one JPY has been worth 0.004 to 0.02 USD since 2000; a hundredth or a hundred units would be usual',
  ],
  Norway: [
    changed(ratesOf('Norway', 'NOK', around(0.11)), (row) => ({
      fx_current_eur: inverse(row.fx_current_eur),
    })),
    'fx_current_usd and fx_current_eur of Norway (NOK) make 0.01104 USD per EUR in 2020–2024, and those of the other currencies 1.14; check whether one of the two is inverted',
  ],
  Poland: [
    ratesOf('Poland', 'PLN', around(0.25317)).map((row, i, all) =>
      i === 3 ? { ...all[2], year: row.year ?? null, fx_constant_usd: row.fx_constant_usd ?? null } : row,
    ),
    'fx_current_usd and fx_current_eur of Poland (PLN) in 2023 repeat the year before, and one EUR moved in USD between them',
  ],
  Kenya: [
    changed(ratesOf('Kenya', 'KES', around(0.008)), (row) => ({
      fx_current_usd: row.fx_current_eur ?? null,
      fx_current_eur: row.fx_current_usd ?? null,
    })),
    'fx_current_usd and fx_current_eur of Kenya (KES) make 0.8772 USD per EUR in 2020–2021, 2023–2024, and those of the other currencies 1.14; check whether the two columns were exchanged',
  ],
  Panama: [
    changed(ratesOf('Panama', 'USD', [1, 1, 1, 1, 1]), ({ year }) =>
      year === 2022 ? { fx_current_usd: 1.05 } : {},
    ),
    'fx_current_usd of Panama (USD) is 1.05 in 2022, and one USD is 1 USD',
  ],
  Montenegro: [
    changed(ratesOf('Montenegro', 'EUR', EUR), ({ year }) =>
      year === 2023 ? { fx_current_usd: 1.25, fx_current_eur: 1 } : {},
    ),
    'fx_current_usd and fx_current_eur of Montenegro (EUR) make 1.25 USD per EUR in 2023, and those of the other currencies 1.08',
  ],
  Brazil: [
    changed(ratesOf('Brazil', 'BRL', around(0.2)), (row) =>
      Object.fromEntries(CURRENT.map((name, i) => [name, row[CONSTANT[i] as string] ?? null])),
    ).map((row, i) => ({ ...row, fx_constant_usd: around(0.2)[i] ?? null, fx_constant_eur: null })),
    'fx_current_usd of Brazil (BRL) is the same in 2020–2024, and fx_constant_usd changes; check whether the columns',
  ],
  Chile: [
    changed(ratesOf('Chile', 'CLP', around(0.0011)), () => ({})).map((row, i) => ({
      ...row,
      ...ratesOf('Chile', 'COP', around(0.0011))[i],
      fx_local_currency: 'CLP',
    })),
    null,
  ],
  Peru: [ratesOf('Peru', 'PEN', FOUR_RATES), 'fx_current_usd of Peru (PEN) is that of SEK in 2020–2024'],
  Ghana: [
    changed(ratesOf('Ghana', 'GHS', around(0.07)), ({ year, ...row }) =>
      year === 2023 ? { fx_current_usd: Number(row.fx_current_usd) * 100, fx_current_eur: null } : {},
    ),
    'fx_current_usd of Ghana (GHS) is 7.35 in 2023, and 0.07 in 2022 and 2024',
  ],
  Morocco: [
    ratesOf('Morocco', 'MAD', [0.1, 0.105, 0.11, 10, 9.8]),
    'fx_current_usd of Morocco (MAD) is 10 in 2023, and nearly its inverse in 2022; write USD',
  ],
  Iceland: [
    changed(ratesOf('Iceland', 'ISK', around(0.0073)), ({ year, ...row }) =>
      year === 2022 ? Object.fromEntries(CONSTANT.map((name) => [name, 1.3 * Number(row[name])])) : {},
    ),
    'fx_constant_usd of Iceland (ISK) is 0.009395 in 2022, and 0.007227 in most other years',
  ],
  Benin: [ratesOf('Benin', 'XOF', around(0.0017)), null],
  Mali: [ratesOf('Mali', 'XOF', around(0.0017)), null],
  Togo: [
    changed(ratesOf('Togo', 'XOF', around(0.0017)), ({ year, ...row }) =>
      year === 2022 || year === 2023
        ? Object.fromEntries(CURRENT.map((name) => [name, 1.2 * Number(row[name])]))
        : {},
    ),
    'fx_current_usd of Togo (XOF) is 0.00204 in 2022–2023, and 0.0017 in other countries with XOF; check the rate',
  ],
  // By law, both currencies are worth 1 / 1.95583 EUR.
  'Bosnia and Herzegovina': [
    ratesOf(
      'Bosnia and Herzegovina',
      'BAM',
      EUR.map((rate) => rate / 1.95583),
    ),
    null,
  ],
  Bulgaria: [
    ratesOf(
      'Bulgaria',
      'BGN',
      EUR.map((rate) => rate / 1.95583),
    ),
    null,
  ],
  // Rates of two digits may be equal by chance.
  Georgia: [ratesOf('Georgia', 'GEL', [0.36, 0.35, 0.34, 0.37, 0.33]), null],
  Tonga: [ratesOf('Tonga', 'TOP', [0.36, 0.35, 0.34, 0.37, 0.33]), null],
  // Estonia's forecast of 2024 may differ from the rate of EUR that Malta reports for that year.
  Estonia: [
    changed(ratesOf('Estonia', 'EUR', EUR), ({ year }) =>
      year === 2024 ? { temporal: 'Forecast', fx_current_usd: 1.25 } : {},
    ),
    null,
  ],
  Uganda: [
    changed(ratesOf('Uganda', 'UGX', around(3700)), () => ({ fx_current_eur: null, fx_constant_eur: null })),
    'one UGX of Uganda is worth 3,663 USD in 2024, more than any currency',
  ],
};

/** Correct indicators of a country. */
const indicatorsOf = (country: string): Row[] => {
  const { millions, billions } = economyOf(country) ?? { millions: 5, billions: 50 };
  return YEARS.map((year, i) => ({
    ...aRow('country', { country, year }),
    gdp_usd: Number(billions) * 1e9 * (1 + i / 20),
    gdp_local_currency: null,
    adult_population: millions * 750_000 + i * 1e4,
    inflation: [0.4, 2.5, 8.1, 5.2, 2.2][i] ?? null,
  }));
};

const changedIndicators = (country: string, change: (row: Row) => Row) =>
  changed(indicatorsOf(country), change);
const times = (name: string, factor: number, year?: number) => (row: Row) =>
  year === undefined || row.year === year ? { [name]: Number(row[name]) * factor } : {};

const INDICATORS: Readonly<Record<string, readonly [rows: readonly Row[], expected: string | null]>> = {
  Sweden: [changedIndicators('Sweden', (row) => ({ gdp_local_currency: Number(row.gdp_usd) * 10 })), null],
  Malta: [indicatorsOf('Malta'), null],
  Cyprus: [indicatorsOf('Cyprus'), null],
  Namibia: [
    changedIndicators('Namibia', (row) => ({ gdp_local_currency: Number(row.gdp_usd) * 0.055 })),
    'column gdp_usd: gdp_usd of Namibia in 2020–2024 is 324 times more than gdp_local_currency at the rate of fx; check whether gdp_usd and gdp_local_currency were exchanged',
  ],
  Kuwait: [
    changedIndicators('Kuwait', times('gdp_usd', 1e-6)),
    'column gdp_usd: gdp_usd of Kuwait is 176 k, and it has about 160 bn USD of gross domestic product; check the unit of the figures',
  ],
  Bahamas: [
    changedIndicators('Bahamas', times('adult_population', 1e-3)),
    'column adult_population: adult_population of Bahamas is 320, and it has about 400 k people; check the unit of the figures',
  ],
  Norway: [
    changedIndicators('Norway', times('adult_population', 1e-3)).slice(3),
    'column adult_population: gdp_usd of Norway is 135.6 m USD per adult; check the units of both',
  ],
  'South Africa': [
    changedIndicators('South Africa', (row) => ({ gdp_local_currency: Number(row.gdp_usd) / 55 })).slice(3),
    'column gdp_usd: gdp_usd of South Africa in 2023–2024 is',
  ],
  // A country with only two years may have an unlikely population: there is too little to judge it by.
  Poland: [changedIndicators('Poland', times('adult_population', 1 / 50)).slice(3), null],
  Vietnam: [
    changedIndicators('Vietnam', times('adult_population', 1e-3, 2024)),
    'column adult_population: adult_population of Vietnam is about 1,000 times smaller in 2024 than in 2023',
  ],
  Peru: [
    changedIndicators('Peru', times('inflation', 0.01)),
    'column inflation: inflation of Peru is 0.025 in the median of 5 years',
  ],
  Ghana: [
    changedIndicators('Ghana', (row) => ({ inflation: 100 + Number(row.inflation) })),
    'column inflation: inflation of Ghana is 100.4 or more in all 5 years',
  ],
  Uganda: [
    changedIndicators('Uganda', times('inflation', 100, 2022)),
    'column inflation: inflation of Uganda is 810 in 2022, and at most 5.2 in the years beside it',
  ],
  // The two GDP columns are exchanged, and the rate is near 1.
  Estonia: [
    changedIndicators('Estonia', ({ gdp_usd, year }) => ({
      gdp_local_currency: Number(gdp_usd) * (EUR[Number(year) - YEARS[0]] ?? 1),
    })),
    'column gdp_usd: gdp_usd of Estonia in 2020–2023 is 1.3 times less than gdp_local_currency at the rate of fx; check whether gdp_usd and gdp_local_currency were exchanged',
  ],
  // The local figures are those of the year, converted at the rates of the year before.
  Benin: [
    changedIndicators('Benin', ({ gdp_usd, year }) => ({
      gdp_local_currency: Number(gdp_usd) / (around(0.0017)[Number(year) - YEARS[0] - 1] ?? 0.0017),
    })),
    'column gdp_usd: gdp_usd and gdp_local_currency of Benin agree at the rates of fx of the year before in 2021–2024; check whether both, or the rates, are shifted by a year',
  ],
  Tonga: [
    Array.from({ length: 9 }, (_, i) =>
      aRow('country', {
        ...{ country: 'Tonga', year: 2016 + i, inflation: i === 4 ? 0.9 : -2.3 - i / 10 },
        ...{ gdp_usd: null, gdp_local_currency: null, adult_population: null },
      }),
    ),
    'column inflation: inflation of Tonga is below zero in 8 of 9 years; check the sign',
  ],
  // fx has no rate of Fiji, so nothing shows whether the two columns agree.
  Fiji: [changedIndicators('Fiji', ({ gdp_usd }) => ({ gdp_local_currency: Number(gdp_usd) * 950 })), null],
  Chad: [changedIndicators('Chad', times('gdp_usd', 1e-6, 2024)), 'gdp_usd of Chad'],
  Kenya: [
    changedIndicators('Kenya', times('gdp_usd', 10, 2023)),
    'column gdp_usd: gdp_usd of Kenya is 1.265 tn in 2023, and 121 bn in 2022',
  ],
};

const lookup = countryReference([...Object.keys(RATES), 'Fiji', 'Chad']);

const files = (rows: Rows) => filesOf({ ...rows, country_reference: lookup });

const all = (cases: Readonly<Record<string, readonly [readonly Row[], string | null]>>) =>
  Object.values(cases).flatMap(([rows]) => rows);

describe('a first month', () => {
  let problems: readonly string[] = [];
  beforeAll(async () => {
    problems = await problemsOf(files({ fx: all(RATES), country: all(INDICATORS) }));
  });

  const warningsOn = (file: string, country: string) =>
    problems.filter((text) => text.includes(`${file}.csv`) && new RegExp(`of ${country}\\b`).test(text));

  it.each(Object.entries(RATES))(
    'is warned of the rates of %s exactly where they are wrong',
    (country, [, expected]) => {
      expect(warningsOn('fx', country)).toEqual(expected === null ? [] : [expect.stringContaining(expected)]);
    },
  );

  it.each(Object.entries(INDICATORS))(
    'is warned of the indicators of %s exactly where they are wrong',
    (country, [, expected]) => {
      expect(warningsOn('country', country)).toEqual(
        expected === null ? [] : [expect.stringContaining(expected)],
      );
    },
  );

  it('is warned of nothing else', () => {
    const expected = [...Object.values(RATES), ...Object.values(INDICATORS)].filter(
      ([, text]) => text !== null,
    );
    expect(problems.filter((text) => text.startsWith('warning'))).toHaveLength(expected.length);
  });
});

describe('inflation of one year in many countries', () => {
  const inflationIn2022 = async (values: readonly number[]) => {
    const countries = values.map((_, i) => `Country ${i}`);
    const rows = countries.flatMap((country, i) =>
      changedIndicators(country, ({ year }) => (year === 2022 ? { inflation: values[i] ?? null } : {})),
    );
    const problems = await problemsOf(filesOf({ country: rows }));
    return problems.filter((text) => text.includes('inflation') || text.startsWith('error'));
  };

  it('is reported once when it is a fraction in most of them', async () => {
    const values = Array.from({ length: 12 }, (_, i) => 0.02 + i / 100);
    expect(await inflationIn2022(values)).toEqual([
      expect.stringContaining(
        'inflation is 0.07 in 2022 in the median country, and up to 5.2 in other years',
      ),
    ]);
  });

  it('is from another source when it has many decimals in many of them', async () => {
    const values = Array.from({ length: 12 }, (_, i) => 4 + i / 7);
    expect(await inflationIn2022(values)).toEqual([]);
    expect(await inflationIn2022(values.slice(0, 2))).toEqual([expect.stringContaining('Country 1 is 4.14')]);
  });

  it('is right when prices stood still in a few countries, as in 2015', async () => {
    expect(await inflationIn2022([0.1, 0.1, 0, 0.1, 1.2, 0.2])).toEqual([]);
  });
});

describe('a later month', () => {
  let month: Awaited<ReturnType<typeof aMonth>>;
  const right = [
    ...ratesOf('Malta', 'EUR', EUR),
    ...ratesOf('Sweden', 'SEK', around(0.1)),
    ...ratesOf('Norway', 'NOK', around(0.11)),
    ...ratesOf('Georgia', 'GEL', around(0.36)),
  ];
  const indicators = indicatorsOf('Malta');
  const isOld = ({ year }: Row) => year !== 2024;
  beforeAll(async () => {
    month = await aMonth();
    await publishRows(month.dataDir, '2024-12.1', {
      fx: right.filter(isOld),
      country: indicators.filter(isOld),
      country_reference: lookup,
    });
  });
  afterAll(() => month.remove());

  it('is warned of a new year whose rates are inverted, and of a constant rate that is new', async () => {
    const wrong = changed(right, ({ year, country, ...row }) => {
      if (year !== 2024 || country === 'Malta' || country === 'Georgia') return {};
      if (country === 'Norway') return { fx_constant_usd: 0.15, fx_constant_eur: 0.15 / 1.09 };
      return Object.fromEntries([...CURRENT, ...CONSTANT].map((name) => [name, inverse(row[name])]));
    });
    await month.write(files({ fx: wrong }));
    expect(await month.problems({ month: '2025-01' })).toEqual([
      expect.stringContaining('fx_current_usd of Sweden (SEK) is 10.1 in 2024, and one SEK has been worth'),
      expect.stringContaining(
        'fx_constant_usd of Norway (NOK) is 0.15 in 2024, and 0.1089 in most other years',
      ),
    ]);
  });

  it('is warned of inflation of a new year that lost its decimal point, or was divided by 12', async () => {
    const warningsWith = async (
      inflation: number,
      isNew = ({ year }: Row) => year === 2024,
      before?: number,
    ) => {
      const rows = changed(indicators, (row) => {
        if (isNew(row)) return { inflation };
        return row.year === 2023 && before !== undefined ? { inflation: before } : {};
      });
      await month.write(files({ fx: right, country: rows }));
      return await month.problems({ month: '2025-01' });
    };
    expect(await warningsWith(2.2)).toEqual([]);
    expect(await warningsWith(32)).toEqual([
      'warning country.csv › line 6, column inflation: inflation of Malta is 32 in 2024, and at most 5.2 in the years beside it; check the decimal point: 3.5 is 3.5 %',
    ]);
    // After a year in which prices hardly rose, inflation may be six times as high, but not ten points higher.
    expect(await warningsWith(10.9, undefined, 1.1)).toEqual([]);
    expect(await warningsWith(11.2, undefined, 1.1)).toEqual([
      expect.stringContaining('is 11.2 in 2024, and at most 1.1 in'),
    ]);
    expect(await warningsWith(2.2 / 12)).toEqual([
      expect.stringContaining(
        'inflation of Malta is 0.18333333333333335 in 2024, and has at most 1 decimal in other years; write the published percentage of the whole year: 3.5 for 3.5 %',
      ),
    ]);
    // With two such years there is no warning: the source simply has many decimals.
    expect(await warningsWith(2.2 / 12, ({ year }) => Number(year) > 2022)).toEqual([]);
  });

  it('is not warned again of years that were published before', async () => {
    const wrong = changed(right, ({ year, country, ...row }) =>
      year === 2021 && country === 'Sweden' ? { fx_current_usd: inverse(row.fx_current_usd) } : {},
    );
    await month.write(files({ fx: wrong }));
    expect(await month.problems({ month: '2025-01' })).toEqual([]);
  });

  it('is warned of a new year that is wrong as an older one was', async () => {
    const wrong = changed(right, ({ year, country, ...row }) =>
      country === 'Georgia' && (year === 2021 || year === 2024)
        ? { fx_current_usd: Number(row.fx_current_usd) * 100, fx_current_eur: null }
        : {},
    );
    await month.write(files({ fx: wrong }));
    expect(await month.problems({ month: '2025-01' })).toEqual([
      expect.stringContaining('fx_current_usd of Georgia (GEL) is 35.64 in 2024, and 0.378 in 2023'),
    ]);
  });

  it('is warned of a new year that is wrong as several older ones were', async () => {
    const wrong = changed(right, ({ year, country, ...row }) =>
      country === 'Sweden' && year !== 2021 && year !== 2023
        ? { fx_current_usd: inverse(row.fx_current_usd), fx_current_eur: null }
        : {},
    );
    await month.write(files({ fx: wrong }));
    expect(await month.problems({ month: '2025-01' })).toContainEqual(
      expect.stringContaining('one SEK has been worth'),
    );
  });

  it('has no warning about right years after a wrong one', async () => {
    const wrong = changed(right, ({ year, country, ...row }) =>
      country === 'Georgia' && year === 2022
        ? { fx_current_usd: Number(row.fx_current_usd) * 100, fx_current_eur: null }
        : {},
    );
    await month.write(files({ fx: wrong, country: changed(indicators, times('gdp_usd', 10, 2022)) }));
    expect(await month.problems({ month: '2025-01' })).toEqual([]);
  });
});

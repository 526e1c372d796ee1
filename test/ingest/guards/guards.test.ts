// For each guard: the changes from which on it warns and refuses, and the changes that it tolerates.

import { describe, expect, it } from '@jest/globals';
import { ComparisonYears } from '../../../ingest/compare/comparisonYears.ts';
import { type Acceptance, withoutLines } from '../../../ingest/guards/finding.ts';
import { type GuardOutcome, runGuards } from '../../../ingest/guards/runGuards.ts';
import { listed } from '../../../ingest/messages/numbers.ts';
import {
  byDataset,
  DATASET_NAMES,
  type DatasetName,
  isFinancial,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import { readConfig } from '../../../src/config/config.ts';
import { aComparison, type Months } from '../../support/comparedSnapshots.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';
import { C, findingsIn, month, times } from './plainMonth.ts';

const { guards: LIMITS } = readConfig({});

async function guarded(
  before: Rows,
  after: Rows,
  accept: readonly Acceptance[] = [],
  months: Months = {},
): Promise<GuardOutcome> {
  const found = runGuards(
    await aComparison(before, after, months),
    byDataset(() => LIMITS),
    accept,
  );
  // The lines that a terminal and the report show begin like the message.
  for (const { message, lines } of found.findings) expect(message.slice(0, lines[0]?.length)).toBe(lines[0]);
  return found;
}

/** The findings of one guard, as `severity dataset: message`. */
const findingsBy = (rule: string, { findings }: GuardOutcome) =>
  findings
    .filter((finding) => finding.rules.some((one) => one === rule))
    .map(({ severity, dataset, message }) => `${severity} ${dataset}: ${message}`);

const names = ({ findings }: GuardOutcome) =>
  findings.map(({ severity, rule, dataset }) => `${severity} ${rule} ${dataset}`);

/** Rows of Country 10, Country 11 and so on, otherwise alike. */
const rowsOf = (dataset: DatasetName, count: number, changes: (i: number) => Row = () => ({})) =>
  Array.from({ length: count }, (_, i) => aRow(dataset, { country: `Country ${i + 10}`, ...changes(i) }));

const inYear = (year: number, value: number, more: Row = {}): Row =>
  aRow('ggr', { year, ggr: value, ...more });

const replaced = (rows: readonly Row[], at: number, changes: Row) =>
  rows.map((row, i) => (i === at ? { ...row, ...changes } : row));

describe('the rows guard', () => {
  it('warns from 5 % on and refuses from 20 % on, and forgives years that are new', async () => {
    // Each country has two rows, so that none vanishes.
    const twice = (dataset: DatasetName, all: number) =>
      rowsOf(dataset, all, (i) => ({ country: `Country ${10 + Math.floor(i / 2)}`, year: 2023 + (i % 2) }));
    const before = {
      ggr: twice('ggr', 20),
      turnover: twice('turnover', 20),
      fx: twice('fx', 21),
      country: rowsOf('country', 20),
    };
    const found = await guarded(before, {
      ggr: before.ggr.slice(1),
      turnover: before.turnover.filter((_, i) => ![0, 2, 4, 6].includes(i)),
      fx: before.fx.slice(1),
      country: [...before.country, ...rowsOf('country', 20, () => ({ year: 2027 }))],
    });
    expect(findingsBy('rows', found).filter((text) => / rows where /.test(text))).toEqual([
      'warn ggr: 19 rows where 2026-10.1 has 20 (−5 %); 5 % or more is suspicious',
      'refuse turnover: 16 rows where 2026-10.1 has 20 (−20 %); 20 % or more is suspicious',
      'warn country: 40 rows where 2026-10.1 has 20 (+100 %), 20 of them in new years (2027); 5 % or more is suspicious',
    ]);
  });
});

describe('the totals guard', () => {
  it('looks at each metric, currency and year, adds up only what adds up, and lets forecasts move', async () => {
    const before = {
      ggr: [
        inYear(2026, 100),
        inYear(2026, 100, { fx: 'USD' }),
        inYear(2027, 100, { temporal: 'Forecast' }),
        inYear(2028, 1e9, { temporal: 'Forecast' }),
      ],
      turnover: [aRow('turnover', { year: 2026, turnover: 1000 })],
      country: [aRow('country', { year: 2026, gdp_usd: 100, gdp_local_currency: 100, inflation: 2 })],
      fx: [aRow('fx', { year: 2026 })],
    };
    const found = await guarded(before, {
      ggr: [
        inYear(2026, 103),
        inYear(2026, 85, { fx: 'USD' }),
        inYear(2027, 300, { temporal: 'Forecast' }),
        inYear(2028, 1e9, { temporal: 'Forecast' }),
      ],
      turnover: [aRow('turnover', { year: 2026, turnover: 1029 })],
      country: [aRow('country', { year: 2026, gdp_usd: 115, gdp_local_currency: 150, inflation: 9 })],
      fx: [aRow('fx', { year: 2026, fx_current_usd: 2 })],
    });
    expect(findingsBy('totals', found)).toEqual([
      'refuse ggr: Malta: its total of 2026 fell, although its figures still come in, most in USD: 100 → 85 (−15 %)',
      'refuse country: 1 total moved by 15 % or more: gdp_usd 2026 100 → 115 (+15 %)',
    ]);
    // A country whose forecasts changed the total has a finding of its own.
    expect(findingsBy('closed-years', found)).toContainEqual(
      expect.stringContaining('ggr: Malta, 2027 (forecasts): the only value moved by +200 %'),
    );
  });

  it('takes a forecast that is reported now for no growth, and a country reporting late for no revision', async () => {
    const peru = { country: 'Peru', fx: 'PEN' };
    const found = await guarded(
      {
        ggr: [inYear(2025, 100), inYear(2025, 60, { ...peru, temporal: 'Forecast' }), inYear(2024, 60, peru)],
        turnover: [aRow('turnover', { year: 2025, turnover: 100 })],
      },
      {
        ggr: [inYear(2025, 100), inYear(2025, 60, peru), inYear(2024, 60, peru)],
        turnover: [
          aRow('turnover', { year: 2025, turnover: 100 }),
          aRow('turnover', { year: 2025, turnover: 400, country: 'Peru' }),
        ],
      },
    );
    expect(findingsBy('totals', found)).toEqual([
      'warn turnover: 1 total moved by 3 % or more: turnover in EUR 2025 100 → 500 (+400 %), 400 of it from countries that had none',
    ]);
  });

  it('counts a country once: states move its total only where it has no row of its own', async () => {
    const state = (name: string, value: number, more: Row = {}) =>
      inYear(2026, value, { state: name, ...more });
    const online = { product: 'Poker' };
    const found = await guarded(
      { ggr: [state('', 100), state('North', 10, online), state('South', 30, online)] },
      {
        ggr: [
          state('', 100),
          state('North', 40),
          state('South', 60),
          state('North', 10, online),
          state('South', 30.1, online),
        ],
      },
    );
    expect(names(found)).toEqual(['refuse rows ggr']);
  });

  it('counts a country once where its states were calculated in another way', async () => {
    const gdp = (state: string, value: number, calculation = 'Estimated') =>
      aRow('country', { year: 2026, state, calculation, gdp_usd: value, inflation: value / 100 });
    const nation = gdp('', 1000, 'Reported');
    const found = await guarded(
      { country: [nation, gdp('North', 600), gdp('South', 400)] },
      { country: [nation, gdp('North', 900), gdp('South', 700)] },
    );
    expect(findingsBy('totals', found)).toEqual([]);
  });
});

describe('the closed-years guard', () => {
  it.each([
    // A closed year had ended before the earlier snapshot's month, and before the last month that the later one covers.
    ['2025-12', '2026-01', 2025],
    ['2026-01', '2026-02', 2026],
    ['2026-10', '2026-11', 2026],
    ['2026-11', '2026-11', 2026],
    ['2025-06', '2026-03', 2025],
    ['2026-11', '2026-01', 2025],
  ])('from %s to %s takes the years before %i for closed', (before, after, year) => {
    expect(new ComparisonYears(before, after).closedBefore).toBe(year);
  });

  it('holds totals to half a percent, and other metrics to the share of values much revised', async () => {
    const rates = rowsOf('fx', 40);
    // Totals of ten countries have the configured limits. Totals of fewer countries have wider ones.
    const others = rowsOf('ggr', 9, () => ({ year: 2025, ggr: 100 }));
    const indicators = rowsOf('country', 10, () => ({ inflation: 2, gdp_local_currency: 100 }));
    const found = await guarded(
      {
        ggr: [inYear(2025, 100), ...others],
        turnover: [aRow('turnover', { turnover: 100 })],
        fx: rates,
        country: indicators,
      },
      {
        ggr: [inYear(2025, 105), ...others],
        turnover: [aRow('turnover', { turnover: 85 })],
        fx: replaced(rates, 0, { fx_current_usd: 1.06, fx_current_eur: 1.05 }),
        country: replaced(replaced(indicators, 0, { inflation: 2.1, gdp_local_currency: 105 }), 1, {
          inflation: 2.2,
        }),
      },
    );
    expect(findingsBy('closed-years', found)).toEqual([
      'refuse turnover: 1 total moved by 15 % or more: turnover in EUR 2024 100 → 85 (−15 %)',
      'warn ggr: 1 closed-year total moved by 0.5 % or more: ggr in EUR 2025 1,000 → 1,005 (+0.5 %), most by Malta',
      "warn turnover: Malta: the only value of closed years moved by −15 % (100 % of the country's total, 100 % of the dataset's; 2024 Betting Sport Betting Online Onshore EUR: 100 → 85)",
      'warn fx: fx_current_eur, Country 10: the only value in closed years was revised by more than 0.5 %: 2024 1 → 1.05 (+5 %)',
      'warn fx: fx_current_usd, Country 10: the only value in closed years was revised by more than 5 %: 2024 1 → 1.06 (+6 %)',
    ]);
  });
});

describe('totals of few countries', () => {
  const years = [2019, 2020, 2021, 2022, 2023, 2024];
  const country = (name: string, fx: string, factor: number) =>
    years.map((year, y) => aRow('ggr', { country: name, fx, year, ggr: (1234567 + 98765 * y) * factor }));
  const month = (norway = 1) => ({
    ggr: [...country('Malta', 'EUR', 1), ...country('Norway', 'NOK', norway)],
  });

  it.each([0.975, 1.025])('may move by × %s, as where a source revises its years', async (factor) => {
    expect(names(await guarded(month(), month(factor * 1.0001234)))).toEqual([]);
  });

  it.each([
    [1.0612345, 'warn'],
    [0.8112345, 'refuse'],
  ])('are reported when they change by × %s', async (factor, severity) => {
    const result = await guarded(month(), month(factor));
    expect(names(result)).toContain(`${severity} totals ggr`);
  });
});

describe('a new country', () => {
  const market = (name: string, fx: string, figure: number) =>
    [2021, 2022, 2023, 2024].map((year, y) =>
      aRow('ggr', { country: name, fx, year, ggr: figure * (1 + 0.0712345 * y) }),
    );
  const reference = (...countries: string[]) =>
    countries.map((name) => aRow('country_reference', { country: name, region: 'Europe' }));
  const known = Array.from({ length: 10 }, (_, i) => `Country ${i + 10}`);
  const before = {
    ggr: known.flatMap((name, i) => ['EUR', 'USD'].flatMap((fx) => market(name, fx, 1234567 * (i + 3)))),
    country_reference: reference(...known),
  };
  const joined = (name: string, figure: number) => ({
    ggr: [...before.ggr, ...market(name, 'SEK', figure), ...market(name, 'EUR', figure / 10)],
    country_reference: reference(...known, name),
  });

  const messages = ({ findings }: GuardOutcome) =>
    findings.map(({ severity, dataset, message }) => `${severity} ${dataset}: ${message}`);

  /** The datasets with figures but these, as a message lists them. */
  const allBut = (...names: readonly DatasetName[]) => {
    const others = DATASET_NAMES.filter((name) => isFinancial(name) && !names.includes(name));
    return listed(others, others.length);
  };

  it('is reported once, for the lookup', async () => {
    const found = await guarded(before, joined('Sweden', 76543210));
    expect(messages(found)).toEqual([
      `warn country_reference: country "Sweden" is new, with 8 rows of ggr, none of ${allBut('ggr')}; the total that it moves most is ggr in EUR 2021 (+8.27 %)`,
    ]);
  });

  it.each([
    ['Country 100', '; the nearest known one is "Country 10"'],
    ['Neverland', '; no list of countries has that name'],
    ['Niger', ''],
    ['España', ''],
  ])('is reported where only the lookup has it: %s', async (name, doubt) => {
    const after = { ...before, country_reference: reference(...known, name) };
    expect(messages(await guarded(before, after))).toEqual([
      `warn country_reference: country "${name}" is new, and no dataset has rows of it${doubt}`,
    ]);
  });

  it('shares a finding with many others, unless its name or its datasets are odd', async () => {
    const names = ['Sweden', 'Norway', 'Finland', 'Latvia', 'Estonia', 'Neverland', 'Spain'];
    const inBoth = names.filter((name) => name !== 'Spain');
    const turnover = (name: string) => aRow('turnover', { country: name, region: 'Europe' });
    const found = await guarded(
      { ...before, turnover: known.map(turnover) },
      {
        ggr: [...before.ggr, ...inBoth.map((name) => aRow('ggr', { country: name, year: 2024, ggr: 1 }))],
        turnover: [...known, ...inBoth].map(turnover),
        country_reference: reference(...known, ...names),
      },
    );
    expect(messages(found).filter((message) => message.includes('country_reference'))).toEqual([
      expect.stringContaining(
        `warn country_reference: country "Neverland" is new, with 1 row of ggr and 1 row of turnover, none of ${allBut('ggr', 'turnover')}; `,
      ),
      'warn country_reference: country "Spain" is new, and no dataset has rows of it',
      'warn country_reference: 5 more countries are new: Estonia, Finland, Latvia, Norway and Sweden',
    ]);
  });

  describe('with the figures of another country times a factor', () => {
    const products = ['Bingo', 'Poker', 'Lottery'];
    /** Rows of three products, each with a growth of its own. */
    const markets = (name: string, figureOf: (figure: number, i: number) => number = (figure) => figure) =>
      products.flatMap((product, p) =>
        market(name, 'EUR', 7654321 * (p + 1)).map((row, y) => {
          const figure = Number(row.ggr) * (1 + 0.013 * p * y);
          return { ...row, product, ggr: Math.trunc(figureOf(figure, 4 * p + y)) };
        }),
      );
    const spain = {
      ...before,
      ggr: [...before.ggr, ...markets('Spain')],
      country_reference: reference(...known, 'Spain'),
    };
    const beside = (figureOf: (figure: number, i: number) => number) =>
      guarded(spain, {
        ggr: [...spain.ggr, ...markets('España', figureOf)],
        country_reference: reference(...known, 'Spain', 'España'),
      });

    it('is refused', async () => {
      for (const factor of [1.0131, 0.31]) {
        expect(findingsBy('copies', await beside((figure) => figure * factor))).toEqual([
          `refuse ggr: España: ggr is that of Spain × ${factor} in 12 of 12 figures; they count twice if both are one country`,
        ]);
      }
    });

    it.each([
      ['year', 4],
      ['product', 3],
    ])('is refused where each %s has a factor of its own', async (per, size) => {
      const factors = [1.0131, 0.31, 0.5077, 1.207];
      const factorOf = (i: number) => factors[per === 'year' ? i % size : Math.trunc(i / 4)] ?? 1;
      expect(findingsBy('copies', await beside((figure, i) => figure * factorOf(i)))).toEqual([
        `refuse ggr: España: ggr is that of Spain × one factor per ${per} in 12 of 12 figures; they count twice if both are one country`,
      ]);
      const some = (i: number) => factorOf(i) * (i % 5 === 0 ? 1.02 : 1);
      expect(findingsBy('copies', await beside((figure, i) => figure * some(i)))).toEqual([]);
    });

    it('is refused where the figures were rounded to four digits', async () => {
      const rounded = await beside((figure) => Number((figure * 1.0131).toPrecision(4)));
      expect(findingsBy('copies', rounded)).toEqual([expect.stringMatching(/^refuse ggr: España: /)]);
    });

    it('is not refused where a fifth of the figures have another factor, or all are rounded', async () => {
      const some = await beside((figure, i) => figure * (i % 5 === 0 ? 1.02 : 1.0131));
      expect(findingsBy('copies', some)).toEqual([]);
      const rounded = await beside((figure) => Number((figure * 1.0131).toPrecision(3)));
      expect(findingsBy('copies', rounded)).toEqual([]);
    });

    it('is refused once where the factor is 1, and not where the country was renamed', async () => {
      expect(findingsBy('copies', await beside((figure) => figure))).toEqual([
        expect.stringMatching(/^refuse ggr: España: /),
      ]);
      const renamed = await guarded(spain, {
        ggr: [...before.ggr, ...markets('España', (figure) => figure * 1.0131)],
        country_reference: reference(...known, 'España'),
      });
      expect(findingsBy('copies', renamed)).toEqual([]);
    });
  });

  it('is warned of when it is large, and refused when it is larger than all others together', async () => {
    const large = await guarded(before, joined('Sweden', 400000000));
    expect(names(large).filter((name) => name.endsWith('ggr'))).toEqual(['warn totals ggr']);
    const huge = await guarded(before, joined('Sweden', 76543210000));
    expect(names(huge)).toContain('refuse totals ggr');
  });
});

describe('a country whose totals grew by new rows', () => {
  const years = [2020, 2021, 2022, 2023, 2024];
  const market = (country: string, product: string, value: number, fx = 'EUR') =>
    years.map((year) => aRow('ggr', { country, year, product, fx, ggr: value + 7 * (year - 2020) }));
  const before = [
    ...market('Malta', 'Bingo', 1000),
    ...market('Spain', 'Bingo', 9000),
    ...market('Spain', 'Bingo', 11_000, 'PTA'),
  ];
  const grown = [...before, ...market('Malta', 'Poker', 513)];
  const grew =
    'refuse ggr: Malta: its totals of closed years moved by 52 % on average, most in 2024 EUR: 1,028 → 1,569 (+52.6 %)';

  it('is reported, also where another country has lost a currency', async () => {
    expect(findingsBy('closed-years', await guarded({ ggr: before }, { ggr: grown }))).toContainEqual(grew);
    const lost = grown.filter(({ fx }) => fx !== 'PTA');
    expect(findingsBy('closed-years', await guarded({ ggr: before }, { ggr: lost }))).toContainEqual(grew);
  });
});

describe('a part of a country that moved in one year', () => {
  const findingsWith = (by: number) =>
    findingsIn(
      month({ ggr: times('ggr', by, C, ({ year, product }) => year === 2017 && product === 'Bingo') }),
      month(),
    );
  const line = (severity: string, words: string) =>
    expect.stringMatching(
      new RegExp(`^${severity} ggr: ${C}, product Bingo, 2017: .* ${words.replace('+', '\\+')}$`),
    );

  it('is judged by how far it fell as by how far it rose', async () => {
    expect(await findingsWith(1.6)).toContainEqual(line('refuse', '+60 %'));
    expect(await findingsWith(1 / 1.6)).toContainEqual(line('refuse', '−37.5 %'));
    expect(await findingsWith(1.35)).toContainEqual(line('warn', '+35 %'));
    expect(await findingsWith(1 / 1.35)).toContainEqual(line('warn', '−25.9 %'));
  });
});

describe('percentages of which many were much revised', () => {
  it('are refused, though a leap of all of them in one year is a warning already', async () => {
    const rows = (latest: number) =>
      rowsOf('country', 20).flatMap((row) =>
        Array.from({ length: 10 }, (_, i) => 2015 + i).map((year) => ({
          ...row,
          year,
          inflation: year === 2024 ? latest : 2 + (year - 2015) / 10,
        })),
      );
    const found = await guarded({ country: rows(2.5) }, { country: rows(40) });
    expect(found.findings.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`)).toEqual([
      expect.stringMatching(
        /^refuse closed-years 20 of 200 values of inflation in closed years were revised/,
      ),
      expect.stringMatching(
        /^warn revisions inflation, .*2024: all 20 reported values are five times what they were/,
      ),
    ]);
    // Neither finding is about a single country.
    expect(found.findings.map(({ country, accept }) => [country, accept])).toEqual([
      [null, '--accept closed-years:country --reason "…"'],
      [null, '--accept revisions:country --reason "…"'],
    ]);
  });
});

describe('percentages that repeat those of the year before', () => {
  /** Ten years of inflation. Each of the last `shifted` years has the value that belongs to the year before it. */
  const rows = (shifted: number, countries = 20) => ({
    country: rowsOf('country', countries).flatMap((row, c) =>
      Array.from({ length: 10 }, (_, i) => {
        const y = i >= 10 - shifted ? i - 1 : i;
        return { ...row, year: 2015 + i, inflation: 2 + ((7 * y + 13 * c) % 97) / 10 };
      }),
    ),
  });
  const copiesFound = async (shifted: number, countries?: number) =>
    findingsBy('copies', await guarded(rows(0, countries), rows(shifted, countries)));

  it('are reported where few values of each country do, in many countries together', async () => {
    expect(await copiesFound(2)).toEqual([
      expect.stringMatching(
        /^warn country: inflation, all countries: 40 changed reported values repeat another year's: 2023 those of 2022 and 2024 those of 2023 /,
      ),
    ]);
    // Eight equal values of four countries may be chance, so there is no finding.
    expect(await copiesFound(2, 4)).toEqual([]);
  });
});

describe('the vanished guard', () => {
  it('refuses a country, year or currency that is gone, and warns where one country lost one', async () => {
    const found = await guarded(
      {
        ggr: [aRow('ggr'), aRow('ggr', { country: 'Norway' }), aRow('ggr', { country: 'Peru' })],
        turnover: [aRow('turnover'), aRow('turnover', { year: 2003 }), aRow('turnover', { fx: 'HRK' })],
        fx: [aRow('fx'), aRow('fx', { fx_local_currency: 'HRK' })],
        country: [
          ...['Malta', 'Spain'].flatMap((country) =>
            [2022, 2023, 2024].map((year) => aRow('country', { country, year })),
          ),
        ],
      },
      {
        ggr: [aRow('ggr')],
        turnover: [aRow('turnover')],
        fx: [aRow('fx')],
        country: [
          ...[2022, 2023, 2024].map((year) => aRow('country', { country: 'Spain', year })),
          aRow('country', { year: 2024 }),
        ],
      },
    );
    expect(findingsBy('vanished', found)).toEqual([
      'refuse fx: currency HRK is gone, with 1 row, and from turnover',
      'refuse ggr: 2 countries are gone (Norway and Peru), with 2 rows',
      'refuse turnover: year 2003 is gone, with 1 row',
      'warn country: Malta, 2022–2023: both reported rows are gone (2022 Reported: 1, 2023 Reported: 1)',
    ]);
    // The totals of this group vanish too, but only the vanished group is reported.
    expect([...findingsBy('totals', found), ...findingsBy('closed-years', found)].join()).not.toMatch(
      /2003|HRK/,
    );
  });

  it('refuses a currency of many countries that is gone, unless all these countries are gone, too', async () => {
    const holders = ['Austria', 'Belgium', 'Chile', 'Denmark', 'Estonia'];
    const before = [aRow('ggr'), ...holders.map((country) => aRow('ggr', { country, fx: 'HRK' }))];
    const currenciesGone = async (after: Row[]) =>
      findingsBy('vanished', await guarded({ ggr: before }, { ggr: after })).filter((text) =>
        text.includes('currency'),
      );
    expect(await currenciesGone([aRow('ggr')])).toEqual([]);
    expect(await currenciesGone([aRow('ggr'), aRow('ggr', { country: 'Estonia' })])).toEqual([
      'refuse ggr: currency HRK is gone, with 5 rows',
    ]);
  });

  it('says which currency the new rows of the only country have', async () => {
    const rates = (fx_local_currency: string, rate: number) => [
      aRow('fx'),
      ...[2022, 2023].map((year) =>
        aRow('fx', {
          ...{ country: 'Croatia', year, fx_local_currency },
          ...{ fx_constant_usd: rate, fx_current_usd: rate, fx_constant_eur: rate, fx_current_eur: rate },
        }),
      ),
    ];
    const found = await guarded({ fx: rates('HRK', 0.14) }, { fx: rates('EUR', 1.1) });
    expect(findingsBy('vanished', found)).toEqual([
      'refuse fx: currency HRK is gone, with 2 rows; the 2 new rows of Croatia are in EUR',
    ]);
  });

  it('warns of a currency that one country lost, and not where it had forecasts in it alone', async () => {
    const rateOf = (country: string, fx_local_currency: string, temporal = 'Current') =>
      aRow('fx', { country, fx_local_currency, temporal });
    const kept = [rateOf('Malta', 'EUR'), rateOf('Peru', 'EUR'), rateOf('Spain', 'USD')];
    const found = await guarded(
      { fx: [...kept, rateOf('Malta', 'USD'), rateOf('Peru', 'USD', 'Forecast')] },
      { fx: kept },
    );
    expect(findingsBy('vanished', found)).toContain(
      'warn fx: Malta, local currency USD: the reported row is gone (2024 Reported: 1)',
    );
    const ofTwo = await guarded(
      { fx: [...kept, rateOf('Malta', 'USD'), rateOf('Peru', 'USD')] },
      { fx: kept },
    );
    expect(findingsBy('vanished', ofTwo)).toContain(
      'warn fx: Peru, local currency USD: the reported row is gone (2024 Reported: 1)',
    );
  });
});

describe('the renamed guard', () => {
  it('pairs values by spelling or by numbers, also where a lookup has no numbers, and calls none of them vanished', async () => {
    const rates = (country: string) =>
      [2022, 2023].map((year) => aRow('fx', { country, year, fx_current_usd: 0.5 }));
    const found = await guarded(
      {
        ggr: [aRow('ggr'), aRow('ggr', { product: 'Casino Slots', category: 'Gaming' })],
        turnover: [aRow('turnover', { channel: 'Retail', turnover: 7 }), aRow('turnover')],
        fx: rates('Swaziland'),
        country_reference: [aRow('country_reference'), aRow('country_reference', { country: 'Swaziland' })],
      },
      {
        ggr: [aRow('ggr'), aRow('ggr', { product: 'Casino slot', category: 'Gaming', ggr: 9 })],
        turnover: [aRow('turnover', { channel: 'Premises', turnover: 7 }), aRow('turnover')],
        fx: rates('Eswatini'),
        country_reference: [aRow('country_reference'), aRow('country_reference', { country: 'Eswatini' })],
      },
    );
    expect(findingsBy('renamed', found)).toEqual([
      'refuse ggr: a value was renamed: product "Casino Slots" → "Casino slot", spelled nearly alike',
      'refuse turnover: a value was renamed: channel "Retail" → "Premises", with the same numbers in its only row',
      'refuse fx: a value was renamed: country "Swaziland" → "Eswatini", with the same numbers in both rows',
      'refuse country_reference: a value was renamed: country "Swaziland" → "Eswatini", with the same numbers in both rows of fx',
    ]);
    expect(findingsBy('vanished', found)).toEqual([]);
  });

  it('leaves what vanished beside a renamed value, or where the new name did not come, to the vanished guard', async () => {
    const before = ['Swaziland', 'Norway', 'Peru'];
    const rates = (countries: readonly string[]) =>
      countries.flatMap((country, c) =>
        [2022, 2023].map((year) => aRow('fx', { country, year, fx_current_usd: (year % 100) + 50 * c })),
      );
    const facts = (countries: readonly string[]) =>
      countries.map((country, c) => aRow('ggr', { country, ggr: 1000 + c }));
    const found = await guarded(
      { ggr: facts(before), fx: rates(before) },
      // Norway vanished from fx. Swaziland vanished from ggr, which has no Eswatini.
      { ggr: facts(before).slice(1), fx: [...rates(['Eswatini']), ...rates(before).slice(4)] },
    );
    expect(findingsBy('renamed', found)).toEqual([
      'refuse fx: a value was renamed: country "Swaziland" → "Eswatini", with the same numbers in both rows',
    ]);
    expect(findingsBy('vanished', found)).toEqual([
      'refuse ggr: country Swaziland is gone, with 1 row',
      'refuse fx: country Norway is gone, with 2 rows',
    ]);
  });

  it('does not hide a new value beside the renamed one', async () => {
    const casino = (product: string) => aRow('ggr', { product, category: 'Gaming', ggr: 7 });
    const found = await guarded(
      { ggr: [aRow('ggr'), casino('Casino Slots')] },
      { ggr: [aRow('ggr'), casino('Casino slot'), aRow('ggr', { product: 'Croquet', ggr: 3 })] },
    );
    expect(findingsBy('renamed', found)).toHaveLength(1);
    expect(findingsBy('new-values', found)).toEqual([expect.stringContaining('"Croquet"')]);
  });

  it('takes a renamed country for none that joined a total, and reports what else moved it', async () => {
    const rows = (name: string, { own = 500, spain = 400, norway = 0 } = {}) => [
      inYear(2025, own, { country: name }),
      inYear(2025, 300, { country: name, fx: 'CZK' }),
      inYear(2025, spain, { country: 'Spain' }),
      ...(norway === 0 ? [] : [inYear(2025, norway, { country: 'Norway' })]),
    ];
    const totalsFound = async (name: string, changes: Parameters<typeof rows>[1]) => {
      const found = await guarded({ ggr: rows('Czechia') }, { ggr: rows(name, changes) });
      expect(findingsBy('renamed', found)).toHaveLength(1);
      return findingsBy('totals', found).filter((text) => /totals? moved/.test(text));
    };
    expect(await totalsFound('Czech Republic', {})).toEqual([]);
    expect(await totalsFound('Czech Republic', { spain: 200 })).toEqual([
      'refuse ggr: 1 total moved by 15 % or more: ggr in EUR 2025 900 → 700 (−22.2 %)',
    ]);
    expect(await totalsFound('Czechiaa', { own: 250 })).toEqual([
      'refuse ggr: 1 total moved by 15 % or more: ggr in EUR 2025 900 → 650 (−27.8 %)',
    ]);
    expect(await totalsFound('Czech Republic', { norway: 900 })).toEqual([
      'warn ggr: 1 total moved by 3 % or more: ggr in EUR 2025 900 → 1,800 (+100 %), 900 of it from countries that had none',
    ]);
    expect(await totalsFound('Czech Republic', { norway: 200 })).toEqual([
      'warn ggr: 1 total moved by 3 % or more: ggr in EUR 2025 900 → 1,100 (+22.2 %), 200 of it from countries that had none',
    ]);
  });

  it('names what was renamed in one country', async () => {
    const products = ['Bingo', 'Poker', 'Keno'];
    const rows = (name: (product: string, country: number) => string) =>
      [1, 2, 3].flatMap((country) =>
        products.flatMap((product, p) =>
          [2021, 2022, 2023].map((year) =>
            aRow('ggr', {
              country: `Country ${country}`,
              product: name(product, country),
              year,
              ggr: 1000 * country + 100 * p + year,
            }),
          ),
        ),
      );
    const after = rows((product, country) => (product === 'Poker' && country === 2 ? 'Keno Live' : product));
    const { findings } = await guarded({ ggr: rows((product) => product) }, { ggr: after });
    expect(findings.map(({ message }) => message).join('\n')).toContain(
      '"Poker" → "Keno Live", with the same numbers in 3 rows',
    );
  });

  it('does not pair values whose names and numbers both differ', async () => {
    const found = await guarded(
      { ggr: [inYear(2024, 5, { country: 'Norway' }), inYear(2024, 9)] },
      { ggr: [inYear(2024, 6, { country: 'Peru' }), inYear(2024, 9)] },
    );
    expect([findingsBy('renamed', found), findingsBy('vanished', found)]).toEqual([
      [],
      ['refuse ggr: country Norway is gone, with 1 row'],
    ]);
  });
});

describe('the units guard', () => {
  it('finds groups scaled as a whole, the largest that explains them, through revisions of a few percent', async () => {
    const years = [2021, 2022, 2023, 2024];
    const yearsOf = (country: string, factor: number, value = 22_400_000) =>
      years.map((year) => inYear(year, (value + year) * factor, { country }));
    const people = rowsOf('country', 3, (i) => ({ adult_population: 446_600 + i }));
    const found = await guarded(
      {
        ggr: [...yearsOf('Malta', 1), ...yearsOf('Spain', 1), ...yearsOf('Peru', 1)],
        turnover: [aRow('turnover', { turnover: 4 }), aRow('turnover', { year: 2023, turnover: 8 })],
        country: people,
        fx: [2022, 2023, 2024].map((year) => aRow('fx', { year })),
      },
      {
        ggr: [
          ...yearsOf('Malta', 0.001).map((row, i) => ({ ...row, ggr: Number(row.ggr) * (1 + i / 100) })),
          ...yearsOf('Spain', 1.02),
          ...yearsOf('Peru', 1),
        ],
        turnover: [aRow('turnover', { turnover: 400 }), aRow('turnover', { year: 2023, turnover: 800 })],
        country: replaced(people, 1, { adult_population: 446_601e6 }),
        // One year of three is not enough of the group, and 1 → 10 alone is no change of unit.
        fx: [2022, 2023, 2024].map((year) => aRow('fx', { year, fx_current_usd: year === 2023 ? 10 : 1 })),
      },
    );
    expect(findingsBy('units', found).map((text) => text.replace(/ \(.*\)$/, ''))).toEqual([
      'refuse ggr: Malta: all 4 values of ggr are what they were ÷ 1,000',
      'refuse turnover: Malta: both values of turnover are what they were × 100',
      'refuse country: Country 11: the value of adult_population is what it was × 1,000,000',
    ]);
  });
});

describe('a finding about a product in another unit', () => {
  it('is accepted for the country that alone has the product, else for the dataset', async () => {
    const rows = (holders: readonly string[], factor: number) =>
      ['Malta', 'Spain', 'Peru'].flatMap((country, c) =>
        ['Bingo', 'Poker'].flatMap((product, p) =>
          [2021, 2022, 2023].flatMap((year) => {
            const value = 22_400_000 + 310_000 * c + 17_000 * p + year;
            if (product === 'Poker') return [inYear(year, value, { country, product })];
            return holders.includes(country) ? [inYear(year, value * factor, { country, product })] : [];
          }),
        ),
      );
    const accepts = async (holders: readonly string[]) => {
      const { findings } = await guarded({ ggr: rows(holders, 1) }, { ggr: rows(holders, 1000) });
      return findings.filter(({ rules }) => rules.includes('units')).map(({ accept }) => accept);
    };
    expect(await accepts(['Malta'])).toEqual(['--accept units:ggr:Malta --reason "…"']);
    expect(await accepts(['Malta', 'Spain'])).toEqual(['--accept units:ggr --reason "…"']);
  });
});

describe('the nulls guard', () => {
  it('warns of values withdrawn and of new rows emptier than the others, not of a dataset that grows as it is', async () => {
    const half = (year: number) =>
      rowsOf('fx', 4, (i) => ({ year, fx_constant_eur: i % 2 === 0 ? null : 1, fx_current_eur: 1 }));
    const indicators = rowsOf('country', 4, () => ({ inflation: 2 }));
    const again = { ...indicators[0], calculation: 'Estimated' };
    const found = await guarded(
      { country: [...indicators, again], fx: half(2025), ggr: rowsOf('ggr', 4) },
      {
        country: [...replaced(indicators, 0, { inflation: null }), { ...again, inflation: null }],
        fx: [...half(2025), ...half(2026)],
        ggr: [...rowsOf('ggr', 4), aRow('ggr', { ggr: null })],
      },
    );
    expect(findingsBy('nulls', found)).toEqual([
      'warn ggr: ggr is empty in 1 of 5 rows, and was in 0 of 4',
      'warn country: inflation is empty in 2 of 5 rows, and was in 0 of 5; 2 values withdrawn (Country 10 2024: 2)',
    ]);
  });

  it('says once of a place that its values are empty, and counts further ones', async () => {
    const rows = (isEmpty: (row: Row) => boolean) =>
      ['Malta', 'Spain'].flatMap((country) =>
        ['Bingo', 'Poker', 'Slots'].flatMap((product) =>
          [2021, 2022, 2023].map((year) => {
            const row = aRow('ggr', { country, product, year });
            return { ...row, ggr: isEmpty(row) ? null : 1000 + year };
          }),
        ),
      );
    const ofPoker = ({ country, product }: Row) => country === 'Malta' && product === 'Poker';
    const nullsFound = async (isEmpty: (row: Row) => boolean) =>
      findingsBy('nulls', await guarded({ ggr: rows(() => false) }, { ggr: rows(isEmpty) }));
    const ofPlace = expect.stringMatching(
      /^refuse ggr: Malta, product Poker: all 3 reported values are empty now/,
    );
    expect(await nullsFound(ofPoker)).toEqual([ofPlace]);
    const one = { country: 'Spain', product: 'Bingo', year: 2022 };
    const ofOne = (row: Row) => Object.entries(one).every(([name, value]) => row[name] === value);
    expect(await nullsFound((row) => ofPoker(row) || ofOne(row))).toEqual([
      ofPlace,
      'warn ggr: ggr is empty in 4 of 18 rows, and was in 0 of 18; 4 values withdrawn (Malta 2021, Malta 2022, Malta 2023 and 1 more)',
    ]);
  });

  it('says nothing of gaps that are a larger share only because rows without gaps are gone', async () => {
    const indicators = rowsOf('country', 4, (i) => ({ inflation: i < 2 ? null : 2 }));
    const found = await guarded({ country: indicators }, { country: indicators.slice(0, 3) });
    expect(findingsBy('nulls', found)).toEqual([]);
  });
});

describe('guards at the edges', () => {
  const others = rowsOf('ggr', 12, () => ({ year: 2024, ggr: 500 }));
  const ofOne = (changes: Row) => [...others, aRow('ggr', { country: 'Malta', year: 2024, ...changes })];

  it('see a country of one row become zero, change its sign, leap, and go', async () => {
    // The change is large enough to matter, and too small to move the dataset's total by 5 %.
    const before = { ggr: ofOne({ ggr: 20 }) };
    const refused = async (ggr: readonly Row[]) =>
      (await guarded(before, { ggr })).findings
        .filter(({ severity }) => severity === 'refuse')
        .map(({ rule, country }) => `${rule} ${country}`);
    expect(await refused(ofOne({ ggr: 0 }))).toEqual(['structure Malta']);
    expect(await refused(ofOne({ ggr: -20 }))).toEqual(['revisions Malta']);
    expect(await refused(ofOne({ ggr: 222 }))).toEqual(['revisions Malta']);
    expect(await refused(others)).toEqual(['vanished Malta']);
  });

  it('say nothing of values that are zero in both months', async () => {
    const zeros = (more: Row) => rowsOf('ggr', 12, () => ({ year: 2024, ggr: 0, ...more }));
    const after = [...zeros({}), aRow('ggr', { country: 'Country 10', year: 2023, ggr: 0 })];
    const { findings } = await guarded({ ggr: zeros({}) }, { ggr: after });
    expect(findings.filter(({ severity }) => severity === 'refuse')).toEqual([]);
  });

  it('compare with a month before last as with the last: history that was pruned away is not needed', async () => {
    const months = { before: '2025-03.1', after: '2026-11.1' };
    const { findings } = await guarded({ ggr: ofOne({ ggr: 100 }) }, { ggr: ofOne({ ggr: 0 }) }, [], months);
    expect(findings.map(({ rule, country }) => [rule, country])).toEqual([['structure', 'Malta']]);
  });

  it('refuse a currency code that no currency has, and name the nearest that is known', async () => {
    const before = { ggr: rowsOf('ggr', 12, () => ({ year: 2024, ggr: 500 })) };
    const added = aRow('ggr', { country: 'Country 10', year: 2024, fx: 'EUU', ggr: 7 });
    expect(findingsBy('new-values', await guarded(before, { ggr: [...before.ggr, added] }))).toEqual([
      'refuse ggr: Country 10: currency "EUU" is new, in 1 row; no currency has that code; the nearest known one is "EUR"',
    ]);
  });

  it('name many new values of one country together, as when it gets states', async () => {
    const before = { ggr: rowsOf('ggr', 12, () => ({ year: 2024, ggr: 500 })) };
    const added = ['Arizona', 'Nevada', 'Oregon', 'Utah'].map((state) =>
      aRow('ggr', { country: 'Country 10', year: 2024, state, ggr: 100 }),
    );
    expect(findingsBy('new-values', await guarded(before, { ggr: [...before.ggr, ...added] }))).toEqual([
      'warn ggr: Country 10: 4 values of state are new (Arizona, Nevada, Oregon and 1 more), in 4 rows',
    ]);
  });

  it('count all countries that have a new value, however many these are', async () => {
    const before = { ggr: rowsOf('ggr', 20) };
    const added = rowsOf('ggr', 15, (i) => ({ channel: 'Mobile', ggr: 7 + i }));
    expect(findingsBy('new-values', await guarded(before, { ggr: [...before.ggr, ...added] }))).toEqual([
      'refuse ggr: Country 10, Country 11, Country 12 and 12 more: channel "Mobile" is new, in 15 rows; the dataset has 75 % more rows; 1 total moved with them, most ggr in EUR 2024 20 → 230 (×11.5); closed years of Country 24 moved by 2,100 % on average, and those of 14 other countries by less',
    ]);
  });
});

describe('all guards', () => {
  it('say nothing of a dataset that is as it was, nor of one that had no rows before', async () => {
    const found = await guarded(
      { ggr: [aRow('ggr')], turnover: [] },
      { ggr: [aRow('ggr')], turnover: rowsOf('turnover', 9) },
    );
    expect(names(found)).toEqual([]);
  });

  it('find nothing in routine revisions', async () => {
    const rows = (factor: number) =>
      (['ggr', 'turnover'] as const).map((name) => [
        name,
        rowsOf(name, 30, (i) => ({
          year: 2015 + (i % 11),
          [metricNames(name)[0] ?? '']: 1e6 * (i + 1) * (i % 10 === 0 ? factor : 1),
        })),
      ]);
    expect(names(await guarded(Object.fromEntries(rows(1)), Object.fromEntries(rows(1.004))))).toEqual([]);
  });

  it('let pass what a person accepts, for all datasets or one, and say what there was nothing of', async () => {
    const before = { ggr: rowsOf('ggr', 10), turnover: rowsOf('turnover', 10) };
    const changed = (rows: readonly Row[]) => [
      ...rows.slice(3),
      ...rows.slice(3).map((row) => ({ ...row, product: 'Poker' })),
    ];
    const after = { ggr: changed(before.ggr), turnover: changed(before.turnover) };
    const accept: Acceptance[] = [
      { rule: 'vanished', dataset: null, reason: 'three markets closed' },
      { rule: 'rows', dataset: 'ggr', reason: 'as agreed' },
      { rule: 'units', dataset: null, reason: 'never' },
      { rule: 'rows', dataset: 'fx', reason: 'never' },
    ];
    const { findings, accepted, unused } = await guarded(before, after, accept);
    const open = findings.filter(({ rule, accepted: why }) => why === null && /rows|vanished/.test(rule));
    expect(open.map(withoutLines)).toEqual([
      {
        rule: 'rows',
        dataset: 'turnover',
        severity: 'refuse',
        message: '14 rows where 2026-10.1 has 10 (+40 %); 20 % or more is suspicious',
        accept: '--accept rows:turnover --reason "…"',
        country: null,
        pattern: null,
        rules: ['rows'],
        isCause: false,
        accepted: null,
        hides: [],
      },
    ]);
    const gone = '3 countries are gone (Country 10, Country 11 and Country 12), with 3 rows';
    expect(accepted).toEqual([
      {
        rule: 'vanished',
        reason: 'three markets closed',
        findings: [`ggr: ${gone}`, `turnover: ${gone}`],
      },
      {
        rule: 'rows',
        dataset: 'ggr',
        reason: 'as agreed',
        findings: ['ggr: 14 rows where 2026-10.1 has 10 (+40 %); 20 % or more is suspicious'],
      },
    ]);
    expect(unused).toEqual(accept.slice(2));
  });
});

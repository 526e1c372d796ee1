// Guards warn of figures of a country that were multiplied by one factor, whichever part of the country they are.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';
import {
  C,
  type Change,
  COUNTRIES,
  findingsIn,
  ggr,
  indicators,
  isForecast,
  month,
  times,
} from './plainMonth.ts';

type IsIn = (row: Row) => boolean;

const same: Change = (row) => row;

/** The figures of a country for which `isIn` is true, multiplied and rounded. */
const multiplied =
  (factor: number, isIn: IsIn, country = C): Change =>
  (row) =>
    row.country === country && isIn(row) ? { ...row, ggr: Math.round(Number(row.ggr) * factor) } : row;

const isPoker: IsIn = ({ product }) => product === 'Poker';
const isLotto: IsIn = ({ product }) => product === 'Lotto';
const isNorth: IsIn = ({ state }) => state === 'North';
const isReported: IsIn = (row) => !isForecast(row);
const all: IsIn = () => true;
const of =
  (...years: number[]): IsIn =>
  ({ year }) =>
    years.includes(Number(year));
const both =
  (...tests: readonly IsIn[]): IsIn =>
  (row) =>
    tests.every((isIn) => isIn(row));

const turnoverOf = (rows: readonly Row[]): Row[] =>
  rows.map(({ ggr: figure, ...row }) => aRow('turnover', { ...row, turnover: 10 * Number(figure) }));

/** The countries whose rows `inStates` splits. */
const WITH_STATES = COUNTRIES.slice(0, 6);
/** Splits each row of these countries into two states, and keeps the row of the nation. */
const inStates = (row: Row): Row[] =>
  WITH_STATES.includes(String(row.country))
    ? [
        row,
        ...Object.entries({ North: 0.6, South: 0.4 }).map(([state, share]) => ({
          ...row,
          state,
          ggr: Math.round(Number(row.ggr) * share),
        })),
      ]
    : [row];

/** Splits each product into three markets, so that most of the country can stay unchanged. */
const inMarkets = (row: Row): Row[] =>
  ['Onshore', 'Offshore', 'Grey'].map((sub_channel, i) => ({
    ...row,
    sub_channel,
    ggr: Number(row.ggr) + 1_234_567 * i,
  }));

const smallPoker: Change = (row) =>
  isPoker(row) ? { ...row, ggr: Math.round(Number(row.ggr) / 1900) } : row;

/** The months in which figures are multiplied. */
const WORLDS = {
  'ggr alone': (change) => month({ ggr: change }),
  'ggr beside turnover': (change) => ({ ...month({ ggr: change }), turnover: turnoverOf(ggr()) }),
  'turnover beside ggr': (change) => ({ ...month(), turnover: turnoverOf(ggr(change)) }),
  'ggr and turnover': (change) => ({ ...month({ ggr: change }), turnover: turnoverOf(ggr(change)) }),
  'a small market': (change) => {
    const rows = ggr((row) => change(smallPoker(row)));
    return { ...month(), ggr: rows, turnover: turnoverOf(rows) };
  },
  'many markets': (change) => ({ ...month(), ggr: ggr().flatMap(inMarkets).map(change) }),
  states: (change) => ({ ggr: ggr().flatMap(inStates).map(change) }),
  'no rates': (change) => ({ ggr: ggr(change) }),
} satisfies Record<string, (change: Change) => Rows>;

type World = keyof typeof WORLDS;

const figures = (years: string, by: string, more: string) =>
  `the reported figures of ${years} moved by one factor (${by}), and ${more} did not`;
const exactly = (years: string, factor: string) =>
  `the reported figures of ${years} are what they were × ${factor} exactly`;
const others = 'most others of the country did not move';
const POKER = 'Country C, Poker / Online / Onshore';
const YEARS = '2016–2025';

/** A world, the name and test of the multiplied figures, the factor, and the warning about Country C or null. */
const DAMAGES: readonly (readonly [World, string, IsIn, number, string | null])[] = [
  // Figures of the whole country have one factor.
  ['ggr alone', 'reported', isReported, 1.07, `${C}: ${figures(YEARS, '+7 %', 'forecasts')}`],
  [
    'ggr alone',
    'three years',
    of(2018, 2019, 2020),
    1.0437191,
    `${C}: ${figures('2018–2020', '+4.37 %', 'forecasts')}`,
  ],
  ['ggr beside turnover', 'all', all, 1.07, `${C}: ${figures(YEARS, '+7 %', 'turnover')}`],
  ['ggr and turnover', 'all, as a new base', all, 1.073719, null],
  ['ggr and turnover', 'all', all, 1.06, `${C}: ${exactly(YEARS, '1.06')}`],
  ['ggr and turnover', 'all, by a rate', all, 1.0427, `${C}: ${exactly(YEARS, '1.0427')}`],
  ['ggr alone', 'all, as a new base', all, 1.073719, null],
  // One year of the country has a factor.
  ['ggr and turnover', 'a year', of(2020), 1.06, `${C}: ${exactly('2020', '1.06')}`],
  ['ggr and turnover', 'a year without a month', of(2020), 11 / 12, `${C}: ${exactly('2020', '11/12')}`],
  [
    'ggr and turnover',
    'a year of which a month was estimated',
    of(2025),
    12 / 11,
    `${C}: ${exactly('2025', '12/11')}`,
  ],
  [
    'ggr and turnover',
    'a last year of a market without a month',
    both(isPoker, of(2025)),
    11 / 12,
    `${POKER}: ${exactly('2025', '11/12')}, and ${others}`,
  ],
  [
    'ggr and turnover',
    'a year',
    of(2020),
    1.043719,
    `${C}: the reported figures of 2020 moved by one factor (+4.37 %), and those of the years beside it did not`,
  ],
  ['ggr and turnover', 'two years', of(2020, 2021), 1.043719, null],
  // One market of the country has a factor.
  ['ggr beside turnover', 'a market', isPoker, 1.04, `${POKER}: ${figures(YEARS, '+4 %', 'turnover')}`],
  [
    'ggr beside turnover',
    'a market far',
    both(isPoker, isReported),
    1.213719,
    `${POKER}: ${figures(YEARS, '+21.4 %', 'turnover')}`,
  ],
  ['turnover beside ggr', 'a market', isPoker, 0.95, `${POKER}: ${figures(YEARS, '−5 %', 'ggr')}`],
  ['ggr beside turnover', 'two years of a market', both(isPoker, of(2024, 2025)), 1.04, null],
  ['ggr and turnover', 'a market', isPoker, 1.06, `${POKER}: ${exactly(YEARS, '1.06')}, and ${others}`],
  ['ggr and turnover', 'a market', isPoker, 1.2, `${POKER}: ${exactly(YEARS, '1.2')}, and ${others}`],
  [
    'ggr and turnover',
    'a market, by a rate',
    isPoker,
    1.0427,
    `${POKER}: ${exactly(YEARS, '1.0427')}, and ${others}`,
  ],
  [
    'ggr and turnover',
    'a market far',
    isPoker,
    1.113719,
    `${POKER}: ${figures(YEARS, '+11.4 %', 'most others of the country')}`,
  ],
  [
    'ggr and turnover',
    'a market far',
    both(isPoker, isReported),
    0.813719,
    `${POKER}: ${figures(YEARS, '−18.6 %', 'most others of the country')}`,
  ],
  ['ggr and turnover', 'a market, as revised', isPoker, 1.093719, null],
  [
    'many markets',
    'several markets',
    isPoker,
    1.043719,
    `Country C, Poker / Online / Grey, Poker / Online / Offshore and Poker / Online / Onshore: ${figures(YEARS, '+4.37 %', 'most others of the country')}`,
  ],
  [
    'many markets',
    'one of many markets',
    both(isPoker, ({ sub_channel }) => sub_channel === 'Grey'),
    1.043719,
    null,
  ],
  ['many markets', 'all markets, as a new base', all, 1.043719, null],
  // One year of a market has a factor.
  [
    'ggr and turnover',
    'a year of a market',
    both(isPoker, of(2020)),
    1.1,
    `${POKER}: the reported figures of 2020 moved (+10 %), and those of the years beside it did not`,
  ],
  [
    'ggr and turnover',
    'a year of a market',
    both(isPoker, of(2020)),
    0.88,
    `${POKER}: the reported figures of 2020 moved (−12 %), and those of the years beside it did not`,
  ],
  ['ggr and turnover', 'a year of a market, as revised', both(isPoker, of(2020)), 1.06, null],
  ['ggr and turnover', 'two years of a market', both(isPoker, of(2020, 2021)), 1.12, null],
  ['ggr and turnover', 'the last year of a market', both(isPoker, of(2025)), 1.12, null],
  [
    'a small market',
    'a year far',
    both(isPoker, of(2020)),
    6,
    `${POKER}: the reported figures of 2020 moved (+500 %), and those of the years beside it did not`,
  ],
  [
    'a small market',
    'the last year far',
    both(isPoker, of(2025)),
    1.6,
    `${POKER}: the reported figures of 2025 moved (+60 %), and those of the years beside it did not`,
  ],
  ['a small market', 'the last two years far', both(isPoker, of(2024, 2025)), 1.6, null],
  // One state of the country has a factor.
  [
    'states',
    'a market of a state',
    both(isNorth, isPoker, isReported),
    0.95,
    `Country C, North / Poker / Online / Onshore: ${figures(YEARS, '−5 %', 'those of the nation')}`,
  ],
  [
    'states',
    'a market of a state far',
    both(isNorth, isPoker, isReported),
    0.813719,
    `Country C, North / Poker / Online / Onshore: ${figures(YEARS, '−18.6 %', 'those of the nation')}`,
  ],
  [
    'states',
    'a state',
    both(isNorth, isReported),
    0.95,
    `Country C, North: ${figures(YEARS, '−5 %', 'those of the nation')}`,
  ],
  [
    'states',
    'two of three markets of a state',
    both(isNorth, isReported, (row) => !isLotto(row)),
    0.95,
    `Country C, North / Bingo / Online / Onshore and North / Poker / Online / Onshore: ${figures(YEARS, '−5 %', 'those of the nation')}`,
  ],
  [
    'states',
    'a year of a state',
    both(isNorth, of(2020)),
    0.95,
    `Country C, North: ${figures('2020', '−5 %', 'those of the nation')}`,
  ],
  // Only forecasts of the country have a factor.
  [
    'ggr alone',
    'forecasts',
    isForecast,
    1.2,
    `${C} (forecasts): all forecasts of 2026–2030 moved by +20 %, and reported figures did not`,
  ],
  [
    'ggr alone',
    'forecasts',
    isForecast,
    0.94,
    `${C} (forecasts): all forecasts of 2026–2030 moved by −6 %, and reported figures did not`,
  ],
  [
    'no rates',
    'forecasts',
    isForecast,
    0.94,
    `${C} (forecasts): all forecasts of 2026–2030 moved by −6 %, and reported figures did not`,
  ],
  ['ggr alone', 'forecasts, as revised', isForecast, 0.943719, null],
  ['ggr alone', 'forecasts of a market', both(isForecast, isPoker), 1.2, null],
];

/** The damages of a world, in groups. A group is one comparison: its damages have different countries and factors. */
function groupsOf(world: World): (readonly (typeof DAMAGES)[number][])[] {
  const groups: (typeof DAMAGES)[number][][] = [];
  for (const damage of DAMAGES.filter(([own]) => own === world)) {
    const group = groups.find(
      (one) => one.length < WITH_STATES.length && one.every(([, , , factor]) => factor !== damage[3]),
    );
    if (group === undefined) groups.push([damage]);
    else group.push(damage);
  }
  return groups;
}

const GROUPS = (Object.keys(WORLDS) as World[]).flatMap((world) =>
  groupsOf(world).map((group) => [world, group.map(([, name]) => name).join('; '), group] as const),
);

describe('figures of a country that were multiplied', () => {
  it.each(GROUPS)('%s: %s', async (world, _, group) => {
    const countryOf = (i: number) => COUNTRIES[i] ?? '';
    const change: Change = (row) =>
      group.reduce((one, [, , isIn, factor], i) => multiplied(factor, isIn, countryOf(i))(one), row);
    // Totals of all countries may cause findings as well, so those are left out.
    const found = (await findingsIn(WORLDS[world](change), WORLDS[world](same))).filter(
      (one) => !one.includes('totals moved'),
    );
    const datasets =
      world === 'turnover beside ggr'
        ? ['turnover']
        : world === 'ggr and turnover' || world === 'a small market'
          ? ['ggr', 'turnover']
          : ['ggr'];
    const expected = datasets.flatMap((dataset) =>
      group.flatMap(([, , , , warning], i) =>
        warning === null ? [] : [`warn ${dataset}: ${warning.replace(C, countryOf(i))}`],
      ),
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('are a warning also where some were revised in the same month', async () => {
    const revised: Change = (row) =>
      both(isPoker, isReported)(row) && Number(row.year) > 2022
        ? { ...row, ggr: Number(row.ggr) + 123_457 }
        : row;
    const change: Change = (row) => revised(multiplied(0.94, isReported)(row));
    expect(await findingsIn(month({ ggr: change }))).toContainEqual(
      expect.stringMatching(
        /^warn ggr: Country C: 90 % of the reported figures of 2016–2025 moved by one factor/,
      ),
    );
  });

  it('are no finding where each market or each year has its own factor, or most of the country was revised', async () => {
    const byProduct: Readonly<Record<string, number>> = { Bingo: 1.05, Poker: 1.06, Lotto: 1.07 };
    const ofMarkets: Change = (row) => multiplied(byProduct[String(row.product)] ?? 1, isReported)(row);
    expect(await findingsIn(month({ ggr: ofMarkets }))).toEqual([]);
    const { 'ggr beside turnover': beside, 'ggr and turnover': of2 } = WORLDS;
    const ofYears: Change = (row) =>
      Number(row.year) % 2 === 0 ? multiplied(1.01 + Number(row.year) / 1e5, isPoker)(row) : row;
    expect(await findingsIn(beside(ofYears), beside(same))).toEqual([]);
    const ofOthers: Change = (row) =>
      multiplied(1.02 + Number(row.year) / 1e5, (one) => !isPoker(one))(multiplied(1.06, isPoker)(row));
    expect(await findingsIn(of2(ofOthers), of2(same))).toEqual([]);
  });

  it('are a warning, also where there is another finding about the country', async () => {
    const { 'ggr and turnover': world } = WORLDS;
    const ofLotto = async (factor: number, isIn: IsIn, other: Change) =>
      (
        await findingsIn(
          world((row) => other(multiplied(factor, isIn)(row))),
          world(same),
        )
      ).filter((one) => /^warn ggr: Country C, Lotto .* exactly/.test(one));
    const ofPoker: Change = (row) =>
      isPoker(row) ? { ...row, ggr: Math.round(Number(row.ggr) * 1.06) } : row;
    expect(await ofLotto(1.09, isLotto, ofPoker)).toHaveLength(1);
    expect(
      await ofLotto(
        1.22,
        both(isLotto, (row) => row.year !== 2024),
        multiplied(0.82, of(2024)),
      ),
    ).toHaveLength(1);
    const inMillions: Change = (row) =>
      row.country === C && isPoker(row) ? { ...row, ggr: Math.round(Number(row.ggr) / 1e6) * 1e6 } : row;
    const ofGgr = WORLDS['ggr beside turnover']((row) => inMillions(multiplied(1.09, isLotto)(row)));
    expect(await findingsIn(ofGgr, world(same))).toContain(
      `warn ggr: Country C, Lotto / Online / Onshore: ${figures(YEARS, '+9 %', 'turnover')}`,
    );
  });

  it('are reported once where all of a part are in another unit', async () => {
    const before = WORLDS['no rates'](same);
    const forecasts = { ggr: ggr((row) => (isForecast(row) ? { ...row, ggr: 10 * Number(row.ggr) } : row)) };
    expect(
      (await findingsIn(forecasts, before)).filter(
        (one) => one.includes('one factor') || one.includes('all forecasts'),
      ),
    ).toEqual([]);
  });
});

describe('forecasts of a country that moved by one factor', () => {
  const ofForecasts = async (change: Change, fx: Change = same) =>
    (await findingsIn(month({ ggr: change, fx }))).filter((one) => one.includes('all forecasts'));

  it('are a warning also where they were rounded, so that their ratios differ', async () => {
    const rounded: Change = (row) =>
      row.country === C && isForecast(row)
        ? { ...row, ggr: Math.round((Number(row.ggr) * 1.2) / 3e6) * 3e6 }
        : row;
    expect(
      await ofForecasts((row) => (row.fx === 'XTS' ? rounded(row) : multiplied(1.2, isForecast)(row))),
    ).toEqual([
      `warn ggr: ${C} (forecasts): all forecasts of 2026–2030 moved by +20 %, and reported figures did not`,
    ]);
  });

  it('are no finding where the last reported figures moved with them, or a rate did', async () => {
    expect(await ofForecasts(times('ggr', 1.12, C, all))).toEqual([]);
    expect(await ofForecasts(times('ggr', 1.12, C, (row) => isForecast(row) || row.year === 2025))).toEqual(
      [],
    );
    const inUsd = both(isForecast, ({ fx }) => fx === 'USD');
    expect(await ofForecasts(times('ggr', 1.2, C, inUsd), times('fx_current_usd', 1.2, C))).toEqual([]);
  });
});

describe('a year of a market that moved', () => {
  it('is a warning also where a rate moved its figures in another currency by a little less', async () => {
    const { 'ggr and turnover': world } = WORLDS;
    const change: Change = (row) => multiplied(row.fx === 'USD' ? 1.098 : 1.1, both(isPoker, of(2020)))(row);
    expect(await findingsIn(world(change), world(same))).toEqual(
      ['ggr', 'turnover'].map(
        (dataset) =>
          `warn ${dataset}: ${POKER}: the reported figures of 2020 moved (+10 %), and those of the years beside it did not`,
      ),
    );
  });
});

describe('a state that moved by one factor', () => {
  const { states: world } = WORLDS;
  const north = (factor: number, ...tests: readonly IsIn[]) =>
    multiplied(factor, both(isNorth, isReported, ...tests));

  it('is the whole state where a market of it is too small to judge', async () => {
    const small: Change = (row) => (both(isNorth, isLotto)(row) ? { ...row, ggr: 10 } : row);
    expect(
      await findingsIn(
        world((row) => small(north(0.95)(row))),
        world(small),
      ),
    ).toEqual([`warn ggr: Country C, North: ${figures(YEARS, '−5 %', 'those of the nation')}`]);
  });

  it('is no finding by two figures and a factor that nobody chose', async () => {
    const ofLotto = (change: Change) => ({
      ggr: world(change).ggr.filter(({ state, product }) => state === '' || product === 'Lotto'),
    });
    const found = async (factor: number) =>
      (await findingsIn(ofLotto(north(factor, of(2020))), ofLotto(same))).filter((one) =>
        one.includes('one factor'),
      );
    expect(await found(0.943719)).toEqual([]);
    expect(await found(0.95)).toEqual([
      `warn ggr: Country C, North: ${figures('2020', '−5 %', 'those of the nation')}`,
    ]);
  });

  it('is a warning however far a small state moved, and no finding where its nation moved, too', async () => {
    const large: Change = (row) =>
      row.country === C && row.state === '' ? { ...row, ggr: 400 * Number(row.ggr) } : row;
    const beside = (change: Change) =>
      findingsIn(
        world((row) => large(change(row))),
        world(large),
      );
    expect(await beside(north(1.3, of(2020)))).toEqual([
      `warn ggr: Country C, North: ${figures('2020', '+30 %', 'those of the nation')}`,
    ]);
    expect(await beside(north(1.3, isPoker, of(2020)))).toEqual([]);
    // Other rules miss this market, because a market of a small state is a small part of its nation.
    const moved = (year: number, by: string) =>
      `warn ggr: Country C, North / Poker / Online / Onshore: the reported figures of ${year} moved (${by}), and those of the years beside it did not`;
    expect(await beside(north(3, isPoker, of(2020)))).toEqual([moved(2020, '+200 %')]);
    expect(await beside(north(0.6, isPoker, of(2025)))).toEqual([moved(2025, '−40 %')]);
    expect(await beside(north(3, isPoker, of(2020, 2021)))).toEqual([]);
    const nation = multiplied(
      1 - 0.0437 * 0.6,
      both(isPoker, isReported, ({ state }) => state === ''),
    );
    expect(
      await findingsIn(
        world((row) => nation(north(1 - 0.0437, isPoker)(row))),
        world(same),
      ),
    ).toEqual([]);
  });
});

describe('indicators of a country that were multiplied', () => {
  const found = async (factor: number, isIn: IsIn, ...metrics: readonly string[]) =>
    await findingsIn(
      month({
        country: (row) => metrics.reduce((one, metric) => times(metric, factor, C, isIn)(one), row),
      }),
    );
  const line = (what: string) => `warn country: Country C, ${what}: ${exactly(YEARS, '1.05')}`;
  const forecasts = (metric: string) =>
    `warn country: Country C, ${metric} (forecasts): all forecasts of 2026–2030 moved by +30 %, and reported figures did not`;

  it('are a warning where the factor is exact, and one for all of them', async () => {
    expect(await found(1.05, all, 'adult_population')).toEqual([line('adult_population')]);
    expect(await found(1.05, all, 'gdp_usd', 'gdp_local_currency')).toEqual([
      line('gdp_local_currency and gdp_usd'),
    ]);
  });

  it('are a warning where each figure is small, and all together leave no other factor', async () => {
    const small = (by: number) => (row: Row) =>
      row.country === C
        ? { ...row, adult_population: Math.round(Math.round(Number(row.adult_population) / 240) * by) }
        : row;
    const before = { ...month(), country: indicators(small(1)) };
    expect(await findingsIn({ ...month(), country: indicators(small(1.05)) }, before)).toContain(
      line('adult_population'),
    );
    expect(await findingsIn({ ...month(), country: indicators(small(1.0502)) }, before)).toEqual([]);
  });

  it('are no finding where they have another base, or some years were revised', async () => {
    expect(await found(1.043719, all, 'adult_population', 'gdp_usd', 'gdp_local_currency')).toEqual([]);
    expect(await found(1.05, ({ year }) => Number(year) > 2022, 'adult_population')).toEqual([]);
  });

  it('are a warning in one year, also the last reported one', async () => {
    const inYear = (what: string, year: number) =>
      `warn country: Country C, ${what}: the reported figures of ${year} moved (+9 %), and those of the years beside it did not`;
    expect(await found(1.09, of(2020), 'adult_population')).toEqual([inYear('adult_population', 2020)]);
    expect(await found(1.09, of(2025), 'gdp_usd', 'gdp_local_currency')).toEqual([
      inYear('gdp_local_currency and gdp_usd', 2025),
    ]);
    expect(await found(1.04, of(2020), 'adult_population')).toEqual([]);
    expect(await found(1.09, of(2024, 2025), 'adult_population')).toEqual([]);
  });

  it('are a warning in all forecasts, as the last reported figure did not move', async () => {
    expect(await found(1.3, isForecast, 'adult_population')).toEqual([forecasts('adult_population')]);
    expect(await found(1.3, isForecast, 'gdp_usd', 'gdp_local_currency')).toEqual([
      forecasts('gdp_local_currency'),
    ]);
    const since2025 = await found(1.3, ({ year }) => Number(year) >= 2025, 'gdp_usd', 'gdp_local_currency');
    expect(since2025).not.toContain(forecasts('gdp_local_currency'));
    const devalued = { country: times('gdp_usd', 0.7, C), fx: times('fx_current_usd', 0.7, C) };
    expect((await findingsIn(month(devalued))).filter((one) => one.includes('country:'))).toEqual([]);
  });
});

it('forecasts in another unit are one refusal, which also stands for their totals', async () => {
  const { findings } = await guarded(month(), month({ ggr: times('ggr', 1000, C, isForecast) }));
  expect(findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    expect.stringMatching(
      /^refuse Country C, temporal Forecast: all 30 values of ggr are what they were × 1,000 \(100 % of the country's total/,
    ),
  ]);
});

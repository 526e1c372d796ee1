// A first load warns of indicators that repeat those of other years, and of single years that contradict the others.

import { describe, expect, it } from '@jest/globals';
import type {
  IndicatorRule,
  IndicatorSeries,
  YearOfIndicators,
} from '../../../../ingest/checks/indicators/indicatorSeries.ts';
import { fractionsInARow } from '../../../../ingest/checks/indicators/inflation.ts';
import { gdpApart, populationSpike } from '../../../../ingest/checks/indicators/oddYears.ts';
import { repeatedYears } from '../../../../ingest/checks/indicators/repeatedYears.ts';
import { shiftedInflation } from '../../../../ingest/checks/indicators/shiftedInflation.ts';
import { aMonth, filesOf } from '../../../support/month.ts';
import { aRow, publishRows } from '../../../support/snapshot.ts';

const YEARS = Array.from({ length: 18 }, (_, i) => 2007 + i);

const indicatorsOf = (
  country: string,
  yearOf: (year: number) => Partial<YearOfIndicators>,
): IndicatorSeries => ({
  country,
  state: '',
  years: YEARS.map((year) => ({
    ...{ year, place: BigInt(year), gdpUsd: null, gdpLocal: null, adults: null, inflation: null, rate: null },
    ...yearOf(year),
  })),
});

describe('a figure of the year before', () => {
  const problemsOf = (yearOf: (year: number) => Partial<YearOfIndicators>) =>
    repeatedYears(indicatorsOf('Malta', yearOf)).map(({ problem }) => problem);
  const upTo2014 = (year: number) => (year === 2015 ? 2014 : year);

  it('is reported where it has more than five digits', () => {
    expect(problemsOf((year) => ({ adults: 400_123 + 1000 * (upTo2014(year) - 2000) }))).toEqual([
      'adult_population of Malta is 414.1 k in 2015, as in the year before to the last digit',
    ]);
    expect(problemsOf((year) => ({ adults: 400_000 + 1000 * (upTo2014(year) - 2000) }))).toEqual([]);
    expect(problemsOf((year) => ({ adults: 400_123 + 1000 * (year - 2000) }))).toEqual([]);
  });

  it('is reported for both gross domestic products in four digits, where the rate changed', () => {
    const gdp = (rate: (year: number) => number) => (year: number) => ({
      ...{ gdpUsd: 1e7 * (1500 + upTo2014(year)), gdpLocal: 1e7 * (1300 + upTo2014(year)), rate: rate(year) },
    });
    expect(problemsOf(gdp((year) => 1 + year / 1e5))).toHaveLength(2);
    expect(problemsOf(gdp(() => 1))).toEqual([]);
  });
});

describe('a single year', () => {
  const problems = (rule: IndicatorRule, yearOf: (year: number) => Partial<YearOfIndicators>) =>
    rule(indicatorsOf('Malta', yearOf)).map(({ problem }) => problem);

  it('is reported where the two gross domestic products disagree in it, and agree in others', () => {
    const gdp = (times: (year: number) => number) => (year: number) => {
      const gdpLocal = 1e9 * (year - 2000);
      return { gdpLocal, gdpUsd: gdpLocal * 1.1 * times(year), rate: 1.1 };
    };
    expect(
      problems(
        gdpApart,
        gdp((year) => (year === 2015 ? 1.5 : 1)),
      ),
    ).toEqual([
      'gdp_usd of Malta in 2015 is 1.5 times more than gdp_local_currency at the rate of fx, and they agree in other years',
    ]);
    expect(
      problems(
        gdpApart,
        gdp((year) => (year === 2015 ? 1.06 : 1)),
      ),
    ).toEqual([]);
    expect(
      problems(
        gdpApart,
        gdp((year) => (year % 3 === 0 ? 1.5 : 1)),
      ),
    ).toEqual([]);
    // A product of zero stands for none.
    expect(
      problems(gdpApart, (year) => ({
        ...gdp(() => 1)(year),
        ...(year === 2015 ? { gdpLocal: 0 } : {}),
      })),
    ).toEqual([]);
  });

  it('is reported where the population leaps and returns', () => {
    const adults = (times: (year: number) => number) => (year: number) => ({
      adults: Math.round(400_000 * 1.01 ** (year - 2007) * times(year)),
    });
    expect(
      problems(
        populationSpike,
        adults((year) => (year === 2015 ? 1.09 : 1)),
      ),
    ).toEqual([
      'adult_population of Malta is 472.1 k in 2015, apart from the years before and after, which are alike',
    ]);
    expect(
      problems(
        populationSpike,
        adults((year) => (year === 2015 ? 0.9 : 1)),
      ),
    ).toHaveLength(1);
    expect(
      problems(
        populationSpike,
        adults((year) => (year === 2015 ? 1.03 : 1)),
      ),
    ).toEqual([]);
    expect(
      problems(
        populationSpike,
        adults((year) => (year >= 2015 ? 1.2 : 1)),
      ),
    ).toEqual([]);
  });
});

describe('inflation of other years', () => {
  /** Inflation in most countries, roughly. */
  const usual = (year: number) =>
    ({ 2008: 6, 2009: 1, 2021: 4, 2022: 9, 2023: 6 })[year] ?? 2 + (year % 3) / 2;
  const world = (lag: (c: number) => number) =>
    Array.from({ length: 12 }, (_, c) =>
      indicatorsOf(`Country ${c}`, (year) => ({ inflation: usual(year - lag(c)) + c / 10 })),
    );
  const problemsOf = (all: readonly IndicatorSeries[]) => shiftedInflation(all).map(({ problem }) => problem);

  it('is reported for one country, whichever way it was shifted', () => {
    expect(problemsOf(world((c) => (c === 3 ? 1 : 0)))).toEqual([
      'inflation of Country 3 follows that of the other countries a year late',
    ]);
    expect(problemsOf(world((c) => (c === 3 ? -1 : 0)))).toEqual([
      'inflation of Country 3 follows that of the other countries a year early',
    ]);
  });

  it('is reported for all countries from what is known of two years', () => {
    expect(problemsOf(world(() => 1))).toEqual([
      expect.stringMatching(
        /^inflation of the median country is .* in 2008 and .* in 2009; prices rose faster in 2008/,
      ),
    ]);
    const since2010 = world(() => -1).map((all) => ({
      ...all,
      years: all.years.filter(({ year }) => year > 2010),
    }));
    expect(problemsOf(since2010)).toEqual([
      expect.stringMatching(
        /^inflation of the median country is .* in 2022 and .* in 2021; prices rose faster in 2022/,
      ),
    ]);
  });

  it('is not reported for right years, for a country that differs from all others, or for few countries', () => {
    expect(problemsOf(world(() => 0))).toEqual([]);
    const own = indicatorsOf('Elsewhere', (year) => ({ inflation: 3 + ((year * 7) % 5) }));
    expect(problemsOf([...world(() => 0), own])).toEqual([]);
    expect(problemsOf(world((c) => (c === 3 ? 1 : 0)).slice(0, 9))).toEqual([]);
  });

  it('is reported only in a first load', async () => {
    const rows = world((c) => (c === 3 ? 1 : 0)).flatMap(({ country, years }) =>
      years.map(({ year, inflation }) =>
        aRow('country', { country, year, inflation: Number(inflation?.toFixed(1)) }),
      ),
    );
    const month = await aMonth(filesOf({ country: rows }));
    const late = async () => (await month.problems()).filter((text) => text.includes('a year late'));
    expect(await late()).toEqual([
      'warning country.csv › line 56, column inflation: inflation of Country 3 follows that of the other countries a year late; check that its years were not shifted by one',
    ]);
    await publishRows(month.dataDir, '2026-10.1', { country: rows });
    expect(await late()).toEqual([]);
    await month.remove();
  });
});

describe('inflation of four years in a row', () => {
  const problems = (inflationOf: (year: number) => number) =>
    fractionsInARow(indicatorsOf('Malta', (year) => ({ inflation: inflationOf(year) }))).map(
      ({ problem }) => problem,
    );
  /** Inflation in percent, but as a fraction in the years from `first` to `last`. */
  const fractionsIn = (first: number, last: number) => (year: number) =>
    (2 + (year % 3)) / (year >= first && year <= last ? 100 : 1);

  it('is reported where it is a fraction and that of the other years is not', () => {
    expect(problems(fractionsIn(2021, 2024))).toEqual([
      'inflation of Malta is 0.03 in the median of 4 years from 2021 on, and 3 in that of its other years: it looks like a fraction',
    ]);
    expect(problems(fractionsIn(2007, 2011))).toHaveLength(1);
  });

  it('is not reported for three years, for figures that are small or zero, or for all years', () => {
    expect(problems(fractionsIn(2022, 2024))).toEqual([]);
    expect(problems((year) => (year > 2020 ? 0.1 : 0.3))).toEqual([]);
    expect(problems((year) => (year > 2020 ? 0 : 3))).toEqual([]);
    expect(problems(fractionsIn(2007, 2024))).toEqual([]);
  });
});

// Guards warn of indicators that no longer fit each other, were multiplied, or repeat another country or year.

import { describe, expect, it } from '@jest/globals';
import type { Row, Rows } from '../../support/snapshot.ts';
import {
  C,
  type Change,
  COUNTRIES,
  findingsIn,
  indicators,
  inflationOf,
  isForecast,
  month,
  times,
} from './plainMonth.ts';

describe('GDP in USD', () => {
  const message = (years: string, kind: string) =>
    `warn country: Country C, GDP${kind}: figures in USD disagree with those in local currency at the rates of fx by up to 6 % in ${years}`;

  it('is a warning where it left that in local currency at the rates of fx', async () => {
    expect(await findingsIn(month({ country: times('gdp_usd', 1.06, C) }))).toEqual([
      message('2026–2030', ' (forecasts)'),
    ]);
    const reported = times('gdp_usd', 1.06, C, (row) => !isForecast(row));
    expect(await findingsIn(month({ country: reported }))).toContain(message('2016–2025', ''));
  });

  it('is not a finding where both moved, where the rate moved alone, or where they disagreed before', async () => {
    const both = (row: Row) => times('gdp_local_currency', 1.06, C)(times('gdp_usd', 1.06, C)(row));
    expect(await findingsIn(month({ country: both }))).toEqual([]);
    expect(await findingsIn(month({ fx: times('fx_current_usd', 1.06, C) }))).not.toContain(
      message('2026–2030', ' (forecasts)'),
    );
    const others = (by: number) => month({ country: times('gdp_usd', by, C) });
    expect(await findingsIn(others(1.1), others(1.05))).toEqual([]);
  });
});

describe('GDP in USD that left the rates by little', () => {
  const drifted = (by: number, isIn: (row: Row) => boolean, country = C) =>
    findingsIn(month({ country: times('gdp_usd', by, country, isIn) }));
  const line = (years: string, kind = '') =>
    `warn country: Country C, GDP${kind}: figures in USD disagree with those in local currency at the rates of fx by up to 1.5 % in ${years}, and those of most other countries agree`;

  it('is a warning in all years, or in one', async () => {
    expect(await drifted(1.015, () => true)).toEqual([line('2016–2025'), line('2026–2030', ' (forecasts)')]);
    expect(await drifted(0.985, ({ year }) => year === 2024)).toEqual([line('2024')]);
  });

  it('is a warning where those of other countries follow a rate that moved', async () => {
    const fx: Change = (row) => ({
      ...row,
      fx_current_usd: Number(row.fx_current_usd) * (isForecast(row) ? 1.015 : 1),
    });
    const country: Change = (row) =>
      row.country === C ? row : times('gdp_usd', 1.015, String(row.country))(row);
    expect(await findingsIn(month({ fx, country }))).toContainEqual(
      expect.stringMatching(
        /^warn country: Country C, GDP \(forecasts\).* by up to 1.48 % in 2026–2030, and/,
      ),
    );
  });

  it('is not a finding where it moved by less than half a percent, or in most countries', async () => {
    expect(await drifted(1.004, () => true)).toEqual([]);
    const most = month({
      country: (row) => (row.country === C ? row : { ...row, gdp_usd: Number(row.gdp_usd) * 1.015 }),
    });
    expect((await findingsIn(most)).filter((one) => one.includes('most other countries'))).toEqual([]);
  });
});

describe('forecasts of few digits', () => {
  const people =
    (adultsIn: (year: number) => number): Change =>
    (row) => ({
      ...row,
      adult_population: row.country === C ? adultsIn(Number(row.year)) : Number(row.adult_population),
    });
  const grown = month({ country: people((year) => 4_560_000 + 30_000 * (year - 2016)) });

  it('are a warning where they are held at the last figure', async () => {
    const held = month({ country: people((year) => 4_560_000 + 30_000 * (Math.min(year, 2025) - 2016)) });
    expect(await findingsIn(held, grown)).toEqual([
      expect.stringMatching(
        /^warn country: adult_population, Country C \(forecasts\): 5 changed values repeat another year's/,
      ),
    ]);
  });

  it('are not a finding where they moved by less than their last digit', async () => {
    const slow = month({ country: people((year) => 4_560_000 + 1234 * (year - 2016)) });
    const rounded = month({
      country: people((year) => (year > 2025 ? 4_570_000 : 4_560_000 + 1234 * (year - 2016))),
    });
    expect((await findingsIn(rounded, slow)).filter((one) => one.includes('repeat'))).toEqual([]);
  });
});

describe('inflation', () => {
  const of =
    (source: number, years: (year: number) => boolean): Change =>
    (row) =>
      row.country === C && years(Number(row.year))
        ? { ...row, inflation: inflationOf(source, Number(row.year) - 2016) }
        : row;

  it('is one warning where a country has the row of another one', async () => {
    expect(await findingsIn(month({ country: of(7, () => true) }))).toContainEqual(
      expect.stringMatching(
        /^warn country: inflation, Country C: \d+ changed reported values repeat another country's: Country C those of Country H$/,
      ),
    );
  });

  it('is a warning of reported figures and one of forecasts where both are those of another country', async () => {
    const found = await findingsIn(month({ country: of(7, (year) => year >= 2019) }));
    const line = (kind: string, values: string) =>
      expect.stringMatching(
        new RegExp(
          `^warn country: inflation, Country C${kind}: \\d+ changed ${values} repeat another country's: `,
        ),
      );
    expect(found.filter((one) => one.includes('repeat'))).toEqual([
      line('', 'reported values'),
      line(' \\(forecasts\\)', 'values'),
    ]);
  });

  it('is a warning where two years were exchanged, and none where nearby figures or others were revised', async () => {
    const exchanged = (from: number, to: number, isOf = (year: number) => year === from || year === to) => {
      const ofOther: Change = (row) => {
        const year = Number(row.year);
        if (row.country !== C || !isOf(year)) return row;
        return { ...row, inflation: inflationOf(2, (year === from ? to : from) - 2016) };
      };
      return findingsIn(month({ country: ofOther }));
    };
    const repeats = (found: readonly string[]) => found.filter((one) => one.includes('repeat'));
    expect(repeats(await exchanged(2017, 2020))).toEqual([
      "warn country: inflation, Country C: 2 changed reported values repeat another year's: 2017 those of 2020 and 2020 those of 2017",
    ]);
    expect(repeats(await exchanged(2027, 2029))).toEqual([
      "warn country: inflation, Country C (forecasts): 2 changed values repeat another year's: 2027 those of 2029 and 2029 those of 2027",
    ]);
    expect(repeats(await exchanged(2017, 2020, (year) => year === 2017))).toEqual([]);
  });

  it('is a warning where two countries have each other’s figure of a year', async () => {
    const of2020 = (figures: Row): Rows =>
      month({
        country: (row) =>
          row.year === 2020
            ? { ...row, inflation: figures[String(row.country)] ?? Number(row.inflation) }
            : row,
      });
    const found = await findingsIn(
      of2020({ 'Country C': 3.4, 'Country D': 7.1 }),
      of2020({ 'Country C': 7.1, 'Country D': 3.4 }),
    );
    expect(found).toEqual([
      "warn country: inflation, Country C: 1 changed reported value repeats another country's: Country C that of Country D",
      "warn country: inflation, Country D: 1 changed reported value repeats another country's: Country D that of Country C",
    ]);
  });

  it('is no warning where so many countries exchanged figures of one decimal that chance explains it', async () => {
    // Most countries have one of five figures on each side, so some of them have each other's.
    const rounded = (step: number): Rows =>
      month({
        country: (row) => {
          const at = COUNTRIES.indexOf(String(row.country)) + Number(row.year);
          return { ...row, inflation: 2 + ((at * step) % 5) };
        },
      });
    expect((await findingsIn(rounded(4), rounded(1))).filter((one) => one.includes('repeat'))).toEqual([]);
  });

  it('is a warning where three years are held at one figure, and none where they moved by little', async () => {
    const held = (figure: number, years: number) =>
      findingsIn(
        month({
          country: (row) => {
            const isHeld = row.country === C && Number(row.year) > 2030 - years;
            return isHeld ? { ...row, inflation: figure } : row;
          },
        }),
      );
    expect(await held(0, 3)).toEqual([
      "warn country: inflation, Country C (forecasts): 3 changed values repeat another year's: 2028 those of 2029, 2029 those of 2028 and 2030 those of 2029",
    ]);
    expect(await held(0, 2)).toEqual([]);
    expect(await held(3.6, 3)).toEqual([]);
  });

  it('is one warning where all countries have that of the year beside', async () => {
    const country: Change = (row) => {
      const [c, y] = [COUNTRIES.indexOf(String(row.country)), Number(row.year) - 2016];
      return isForecast(row) ? { ...row, inflation: inflationOf(c, y + 1) } : row;
    };
    expect(await findingsIn(month({ country }))).toEqual([
      expect.stringMatching(
        /^warn country: inflation, all countries \(forecasts\): \d+ changed values repeat another year's: 2026–2029 those of the year after$/,
      ),
    ]);
  });

  it('is a warning where a minus was lost, and none where a small figure was revised', async () => {
    const of2020 = (inflation: number): Rows =>
      month({ country: (row) => (row.country === C && row.year === 2020 ? { ...row, inflation } : row) });
    expect(await findingsIn(of2020(0.9), of2020(-0.9))).toEqual([
      'warn country: inflation, Country C, 2020: the reported value is of the other sign now',
    ]);
    expect(await findingsIn(of2020(0.1), of2020(-0.1))).toEqual([]);
    expect(await findingsIn(of2020(0.4), of2020(-0.6))).toEqual([]);
  });

  /** Figures with this many digits. No two countries share a figure. */
  const exact = (digits: number, change: (c: number, y: number) => [number, number] = (c, y) => [c, y]) => {
    const figure = (c: number, y: number) =>
      Number((3 + 2 * Math.sin(c * 7.7 + y * (1.3 + c / 9))).toFixed(digits));
    return month({
      country: (row) => {
        const [c, y] = [COUNTRIES.indexOf(String(row.country)), Number(row.year) - 2016];
        return { ...row, inflation: figure(...(isForecast(row) ? change(c, y) : ([c, y] as const))) };
      },
    });
  };

  it('is a warning where five forecasts are those of another country, or of other years', async () => {
    const ofH = exact(3, (c, y) => [c === 2 ? 7 : c, y]);
    expect(await findingsIn(ofH, exact(3))).toEqual([
      "warn country: inflation, Country C (forecasts): 5 changed values repeat another country's: Country C those of Country H",
    ]);
    const ofYears = exact(3, (c, y) => [c, c === 2 ? y - 5 : y]);
    expect(await findingsIn(ofYears, exact(3))).toEqual([
      expect.stringMatching(
        /^warn country: inflation, Country C \(forecasts\): 5 changed values repeat another year's: 2026 those of 2021, /,
      ),
    ]);
  });

  it('is not a finding where a few years are equal by chance', async () => {
    const few = exact(0, (c, y) => [c === 2 ? 7 : c, y]);
    expect(await findingsIn(few, exact(0))).toEqual([]);
    expect(await findingsIn(month({ country: of(7, (year) => year > 2027) }))).toEqual([]);
  });
});

describe('indicators of a new year', () => {
  const upTo = (year: number, change: Change = (row) => row): Rows => ({
    ...month(),
    country: indicators(change).filter((row) => Number(row.year) <= year),
  });
  const last = new Map(
    indicators().flatMap((row) => (row.year === 2024 ? [[row.country, row] as const] : [])),
  );
  const repeating =
    (metric: string, isIn: (row: Row) => boolean): Change =>
    (row) =>
      row.year === 2025 && isIn(row) ? { ...row, [metric]: last.get(row.country)?.[metric] ?? null } : row;
  const found = async (metric: string, isIn: (row: Row) => boolean) =>
    await findingsIn(upTo(2025, repeating(metric, isIn)), upTo(2024));
  const isC = ({ country }: Row) => country === C;

  it('are a warning where they equal those of the year before, inflation where most countries repeat theirs', async () => {
    expect(await found('adult_population', isC)).toEqual([
      'warn country: adult_population, Country C, 2025: the value equals that of 2024 to the last digit',
    ]);
    expect(await found('inflation', () => true)).toEqual([
      'warn country: inflation, 12 countries (Country A, Country B, Country C and 9 more), 2025: 12 values equal those of 2024 to the last digit',
    ]);
  });

  it('are not a finding where they differ, or where a few countries have the inflation of the year before', async () => {
    expect(await found('inflation', () => false)).toEqual([]);
    expect(await found('inflation', ({ country }) => String(country) < 'Country F')).toEqual([]);
  });
});

it('an inflation of a closed year with exchanged digits is a warning, and another revision of it is not', async () => {
  const inflation =
    (inflationBy: (year: number, value: number) => number): Change =>
    (row) =>
      row.country === C ? { ...row, inflation: inflationBy(Number(row.year), Number(row.inflation)) } : row;
  const is = (value: number) => inflation((year, known) => (year === 2020 ? value : known));
  const before = month({ country: is(5.9) });
  expect(await findingsIn(month({ country: is(9.5) }), before)).toEqual([
    'warn country: inflation, Country C, 2020: two digits are exchanged beside the earlier figure',
  ]);
  expect(await findingsIn(month({ country: is(9.6) }), before)).toEqual([]);
  expect(await findingsIn(month({ country: is(4.3) }), month({ country: is(3.4) }))).toHaveLength(1);
  expect(await findingsIn(month({ country: is(5.65) }), month({ country: is(5.56) }))).toEqual([]);
  const rebased = inflation((year, known) => (year === 2020 ? 9.5 : year < 2020 ? known + 0.1 : known));
  expect(await findingsIn(month({ country: rebased }), before)).toEqual([]);
});

// Guards warn of figures that drifted from others by a few percent: ggr from its turnover, a currency from its rate.

import { describe, expect, it } from '@jest/globals';
import {
  C,
  type Change,
  COUNTRIES,
  ggr,
  indicators,
  isForecast,
  month,
  times,
  told,
} from '../../support/plainMonth.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const turnover = (change: Change = (row) => row) =>
  ggr(change).map(({ ggr: figure, ...row }) => aRow('turnover', { ...row, turnover: 10 * Number(figure) }));

const isPoker = (row: Row) => row.product === 'Poker';
const isReported = (row: Row) => !isForecast(row);

it('forecasts of a country are not told beside the reported figures of all countries', async () => {
  const moved = (reported: number) => ({
    ggr: ggr((row) => {
      const by = isReported(row) ? reported : row.country === C ? 1.6 : 1;
      return { ...row, ggr: Math.round(Number(row.ggr) * by) };
    }),
  });
  const ofForecasts = /^warn ggr: Country C \(forecasts\)/;
  expect(await told(moved(1), { ggr: ggr() })).toContainEqual(expect.stringMatching(ofForecasts));
  expect(await told(moved(1.3), { ggr: ggr() })).not.toContainEqual(expect.stringMatching(ofForecasts));
});

it('a factor near 1 of all figures in many currencies is told, and revisions of as much that differ are not', async () => {
  const currencies = ['ARS', 'BRL', 'CAD', 'DKK', 'GBP', 'HUF', 'INR', 'JPY', 'KES', 'MXN', 'NOK', 'PLN'];
  const inOwn = (factorOf: (row: Row, i: number) => number): Rows => ({
    ggr: ggr().map((row, i) => ({
      ...row,
      fx: row.fx === 'USD' ? 'USD' : (currencies[COUNTRIES.indexOf(String(row.country))] ?? ''),
      ggr: Math.round(Number(row.ggr) * (isReported(row) ? factorOf(row, i) : 1)),
    })),
  });
  const before = inOwn(() => 1);
  expect(
    await told(
      inOwn(() => 1.004),
      before,
    ),
  ).toEqual(['warn ggr: all countries: 720 values moved by one factor (+0.4 %)']);
  expect(
    await told(
      inOwn((_, i) => 1 + ((i * 7919) % 997) / 249_250),
      before,
    ),
  ).toEqual([]);
});

describe('ggr of a market that moved by one factor', () => {
  const both = (ofGgr: Change, ofTurnover?: Change): Rows => ({
    ...month({ ggr: ofGgr }),
    turnover: turnover(ofTurnover),
  });
  const before = both((row) => row);

  it('is a warning where its turnover stayed', async () => {
    const poker = times('ggr', 1.04, C, isPoker);
    expect(await told(both(poker), before)).toEqual([
      'warn ggr: Country C, Poker / Online / Onshore: the reported figures of 2016–2025 moved by one factor (+4 %), and turnover did not',
    ]);
    expect(
      await told(
        both((row) => row, times('ggr', 0.95, C, isPoker)),
        before,
      ),
    ).toEqual([
      expect.stringMatching(/^warn turnover: Country C, Poker.*: the reported figures of 2016–2025 moved by/),
    ]);
    const fifth = times('ggr', 1.213719, C, (row) => isPoker(row) && isReported(row));
    expect(await told(both(fifth), before)).toEqual([
      expect.stringMatching(
        /^warn ggr: Country C, Poker.* moved by one factor \(\+21\.4 %\), and turnover did not$/,
      ),
    ]);
  });

  it('is not a finding where its turnover moved as well, in two years, or by a factor of each year', async () => {
    const poker = times('ggr', 1.043719, C, isPoker);
    expect(await told(both(poker, poker), before)).toEqual([]);
    const late = times('ggr', 1.04, C, (row) => isPoker(row) && Number(row.year) > 2023 && isReported(row));
    expect(await told(both(late), before)).toEqual([]);
    const apart: Change = (row) => times('ggr', 1.01 + Number(row.year) / 1e5, C, isPoker)(row);
    const ofYears: Change = (row) => (Number(row.year) % 2 === 0 ? apart(row) : row);
    expect(await told(both(ofYears), before)).toEqual([]);
  });
});

describe('ggr and turnover of a market that were multiplied', () => {
  const both = (change: Change): Rows => ({ ...month({ ggr: change }), turnover: turnover(change) });
  const before = both((row) => row);
  const rounded =
    (factor: number, isIn: (row: Row) => boolean): Change =>
    (row) =>
      row.country === C && isIn(row) ? { ...row, ggr: Math.round(Number(row.ggr) * factor) } : row;

  it('are a warning where the factor is exact', async () => {
    const line = (dataset: string) =>
      `warn ${dataset}: Country C, Poker / Online / Onshore: the reported figures of 2016–2025 are what they were × 1.06 exactly, and most others of the country did not move`;
    expect(await told(both(rounded(1.06, isPoker)), before)).toEqual([line('ggr'), line('turnover')]);
    const fifth = rounded(1.2, (row) => isPoker(row) && isReported(row));
    const lines = ['ggr', 'turnover'].map((dataset) => line(dataset).replace('1.06', '1.2'));
    expect(await told(both(fifth), before)).toEqual(lines);
  });

  it('are a warning where the factor is an exchange rate of four decimals, also of the whole country', async () => {
    const lines = (of: string, end = '') =>
      ['ggr', 'turnover'].map(
        (dataset) =>
          `warn ${dataset}: Country C${of}: the reported figures of 2016–2025 are what they were × 1.0427 exactly${end}`,
      );
    expect(await told(both(rounded(1.0427, isPoker)), before)).toEqual(
      lines(', Poker / Online / Onshore', ', and most others of the country did not move'),
    );
    expect(await told(both(rounded(1.0427, () => true)), before)).toEqual(lines(''));
  });

  it('are a warning by any factor from 11 % on', async () => {
    const moved = (factor: number) => told(both(rounded(factor, isPoker)), before);
    const reported = (factor: number) =>
      told(both(rounded(factor, (row) => isPoker(row) && isReported(row))), before);
    const lines = (change: string) =>
      ['ggr', 'turnover'].map(
        (dataset) =>
          `warn ${dataset}: Country C, Poker / Online / Onshore: the reported figures of 2016–2025 moved by one factor (${change}), and most others of the country did not`,
      );
    expect(await moved(1.113719)).toEqual(lines('+11.4 %'));
    expect(await reported(1.213719)).toEqual(lines('+21.4 %'));
    expect(await reported(0.813719)).toEqual(lines('−18.6 %'));
    expect(await moved(1.093719)).toEqual([]);
  });

  it('are a warning also beside another finding about the country', async () => {
    const isLotto = ({ product }: Row) => product === 'Lotto';
    const beside = async (factor: number, isIn: (row: Row) => boolean, other: Change) =>
      (
        await told(
          both((row) => other(rounded(factor, isIn)(row))),
          before,
        )
      ).filter((one) => /^warn ggr: Country C, Lotto .* exactly/.test(one));
    const all: Change = (row) => (isPoker(row) ? { ...row, ggr: Math.round(Number(row.ggr) * 1.06) } : row);
    expect(await beside(1.09, isLotto, all)).toHaveLength(1);
    const inMillions: Change = (row) =>
      row.country === C && isPoker(row) ? { ...row, ggr: Math.round(Number(row.ggr) / 1e6) * 1e6 } : row;
    const ofGgr = month({ ggr: (row) => inMillions(rounded(1.09, isLotto)(row)) });
    expect(await told({ ...ofGgr, turnover: turnover() }, before)).toContain(
      'warn ggr: Country C, Lotto / Online / Onshore: the reported figures of 2016–2025 moved by one factor (+9 %), and turnover did not',
    );
    const cut = rounded(0.82, ({ year }) => year === 2024);
    expect(await beside(1.22, (row) => isLotto(row) && row.year !== 2024, cut)).toHaveLength(1);
  });

  it('are a warning where a month is missing in a year of the country', async () => {
    const short = rounded(11 / 12, ({ year }) => year === 2020);
    expect(await told(both(short), before)).toContain(
      'warn ggr: Country C: the reported figures of 2020 are what they were × 11/12 exactly',
    );
  });

  it('are a warning where the whole country was, or all of a year', async () => {
    const lines = (years: string) =>
      ['ggr', 'turnover'].map(
        (one) => `warn ${one}: Country C: the reported figures of ${years} are what they were × 1.06 exactly`,
      );
    expect(await told(both(rounded(1.06, () => true)), before)).toEqual(lines('2016–2025'));
    expect(await told(both(rounded(1.06, ({ year }) => year === 2020)), before)).toEqual(lines('2020'));
  });

  it('are not a finding where the country was rebased, where one market of a year was, or most was revised', async () => {
    expect(await told(both(rounded(1.063719, () => true)), before)).toEqual([]);
    expect(await told(both(rounded(1.06, (row) => isPoker(row) && row.year === 2020)), before)).toEqual([]);
    const others: Change = (row) => rounded(1.02 + Number(row.year) / 1e5, (one) => !isPoker(one))(row);
    expect(
      await told(
        both((row) => others(rounded(1.06, isPoker)(row))),
        before,
      ),
    ).toEqual([]);
  });
});

describe('a year that moved while the years beside it stayed', () => {
  const both = (change: Change): Rows => ({ ...month({ ggr: change }), turnover: turnover(change) });
  const before = both((row) => row);
  const moved =
    (factor: number, isIn: (row: Row) => boolean): Change =>
    (row) =>
      row.country === C && isIn(row) ? { ...row, ggr: Math.round(Number(row.ggr) * factor) } : row;
  const lines = (of: string) =>
    ['ggr', 'turnover'].map((one) => `warn ${one}: ${of}, and those of the years beside it did not`);
  const isIn =
    (...years: number[]) =>
    (row: Row) =>
      isPoker(row) && years.includes(Number(row.year));

  it('is a warning of a market, in both datasets or in one', async () => {
    const of = (change: string) =>
      `Country C, Poker / Online / Onshore: the reported figures of 2020 moved (${change})`;
    expect(await told(both(moved(1.1, isIn(2020))), before)).toEqual(lines(of('+10 %')));
    expect(await told(both(moved(0.88, isIn(2020))), before)).toEqual(lines(of('−12 %')));
    const alone = { ...both((row) => row), ggr: ggr(moved(1.2137, isIn(2020))) };
    expect(await told(alone, before)).toEqual(lines(of('+21.4 %')).slice(0, 1));
  });

  it('is a warning of a small market however far it moved', async () => {
    const small: Change = (row) => (isPoker(row) ? { ...row, ggr: Math.round(Number(row.ggr) / 1900) } : row);
    const tiny = (factor: number) => both((row) => moved(factor, isIn(2020))(small(row)));
    expect(await told(tiny(6), tiny(1))).toEqual(
      lines('Country C, Poker / Online / Onshore: the reported figures of 2020 moved (+500 %)'),
    );
  });

  it('is a warning of a country where all its figures moved by one factor', async () => {
    const year = moved(1.043719, (row) => row.year === 2020);
    expect(await told(both(year), before)).toEqual(
      lines('Country C: the reported figures of 2020 moved by one factor (+4.37 %)'),
    );
  });

  it('is not a finding where it moved by less, with a year beside it, or is the last one', async () => {
    for (const change of [
      moved(1.06, isIn(2020)),
      moved(1.12, isIn(2020, 2021)),
      moved(1.12, isIn(2025)),
      moved(1.043719, (row) => [2020, 2021].includes(Number(row.year))),
    ])
      expect(await told(both(change), before)).toEqual([]);
  });
});

describe('several markets of a country that moved by one factor', () => {
  it('are a warning by any factor, and those of a rebased country are none', async () => {
    const rows = (factor: number, isIn: (row: Row) => boolean) => {
      const change: Change = (row) =>
        row.country === C && isIn(row) ? { ...row, ggr: Math.round(Number(row.ggr) * factor) } : row;
      // Each product has two more markets, so that most of the country can stay.
      const markets = (all: readonly Row[]) =>
        all.flatMap((row) =>
          ['Onshore', 'Offshore', 'Grey'].map((sub_channel, i) => ({
            ...row,
            sub_channel,
            ...(row.ggr !== undefined && { ggr: Number(row.ggr) + 1_234_567 * i }),
          })),
        );
      return { ...month(), ggr: markets(ggr()).map(change) };
    };
    const before = rows(1, () => false);
    expect(await told(rows(1.043719, isPoker), before)).toEqual([
      'warn ggr: Country C, Poker / Online / Grey, Poker / Online / Offshore and Poker / Online / Onshore: the reported figures of 2016–2025 moved by one factor (+4.37 %), and most others of the country did not',
    ]);
    const onlyOne = (row: Row) => isPoker(row) && row.sub_channel === 'Grey';
    expect(await told(rows(1.043719, onlyOne), before)).toEqual([]);
    expect(
      await told(
        rows(1.043719, () => true),
        before,
      ),
    ).toEqual([]);
  });
});

describe('amounts in a foreign currency', () => {
  const inUsd = (factor: number, isIn: (row: Row) => boolean) =>
    month({
      ggr: (row) =>
        row.fx === 'USD' && isIn(row) ? { ...row, ggr: Math.round(Number(row.ggr) * factor) } : row,
    });
  const ofC = (row: Row) => row.country === C;

  it('are a warning where they left the rates by little, and those of most countries did not', async () => {
    expect(await told(inUsd(1.015, ofC))).toEqual([
      'warn ggr: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 1.5 % in 2016–2025, and those of most other countries agree',
      'warn ggr: Country C (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 1.5 % in 2026–2030, and those of most other countries agree',
    ]);
  });

  it('are a warning also where GDP left the rates, too', async () => {
    const country: Change = (row) => (ofC(row) ? { ...row, gdp_usd: Number(row.gdp_usd) * 1.06 } : row);
    const after = { ...inUsd(1.015, ofC), country: month({ country }).country ?? [] };
    expect((await told(after)).filter((one) => one.startsWith('warn ggr'))).toHaveLength(2);
  });

  it('are a warning where they follow the rates of the month before', async () => {
    const rates: Change = (row) =>
      isForecast(row) ? { ...row, fx_current_usd: Number(row.fx_current_usd) * 1.008 } : row;
    const following = inUsd(1.008, (row) => isForecast(row) && !ofC(row));
    expect(await told({ ...following, fx: month({ fx: rates }).fx ?? [] })).toEqual([
      'warn ggr: Country C (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 0.794 % in 2026–2030, and those of most other countries agree',
    ]);
  });

  it('are told once where a rate moved, and neither ggr nor turnover did', async () => {
    const fx_usd = 1.015 * 0.0123;
    const fx: Change = (row) =>
      ofC(row) && !isForecast(row) ? { ...row, fx_current_usd: fx_usd, fx_constant_usd: fx_usd } : row;
    const other = { turnover: turnover() };
    expect(await told({ ...month({ fx }), ...other }, { ...month(), ...other })).toEqual([
      'warn fx: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 1.48 % in 2016–2025, and those of most other countries agree',
    ]);
  });

  it('are judged by the rates that they followed, where they came near the constant ones by chance', async () => {
    const ratesOf = (row: Row) => (Number(row.year) === 2020 ? 0.97 : 1);
    const fx: Change = (row) => ({ ...row, fx_current_usd: Number(row.fx_current_usd) * ratesOf(row) });
    const at = (rate: (row: Row) => number): Rows =>
      month({
        fx,
        ggr: (row) => (row.fx === 'USD' ? { ...row, ggr: Math.round(Number(row.ggr) * rate(row)) } : row),
      });
    const before = at(ratesOf);
    const moved = (by: number) => at((row) => ratesOf(row) * (ofC(row) && row.year === 2020 ? by : 1));
    expect(await told(moved(1.025), before)).toEqual([
      'refuse ggr: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 2.5 % in 2020',
    ]);
    // They are at the constant rate.
    expect(await told(moved(1 / 0.97), before)).toEqual([]);
  });

  it('are not a finding where most countries left the rates, in two years, or by less than half a percent', async () => {
    const drifted = async (after: Rows) =>
      (await told(after)).filter((one) => one.includes('most other countries'));
    expect(await drifted(inUsd(1.015, (row) => String(row.country) > 'Country D'))).toEqual([]);
    expect(await drifted(inUsd(1.015, (row) => ofC(row) && Number(row.year) < 2018))).toEqual([]);
    expect(await drifted(inUsd(1.004, ofC))).toEqual([]);
  });
});

describe('constant rates', () => {
  const ofUsd = (isIn: (country: string) => boolean): Rows =>
    month({
      fx: (row) =>
        isIn(String(row.country)) ? { ...row, fx_constant_usd: Number(row.fx_constant_usd) * 0.97 } : row,
    });

  it('are a warning where those of one country left the current ones of the base year', async () => {
    expect(await told(ofUsd((country) => country === C))).toEqual([
      'warn fx: Country C: constant rates in USD differ from the current ones of 2016–2025 by up to 3 %; they were equal, and those of most other countries are',
    ]);
  });

  it('are a warning of a smaller move where the current ones did not move', async () => {
    const moved = (metrics: readonly string[]): Rows =>
      month({
        fx: (row) =>
          row.country === C
            ? { ...row, ...Object.fromEntries(metrics.map((one) => [one, Number(row[one]) * 1.004])) }
            : row,
      });
    const found = async (...metrics: readonly string[]) =>
      (await told(moved(metrics))).filter((one) => one.includes('constant rates'));
    expect(await found('fx_constant_usd')).toEqual([
      'warn fx: Country C: constant rates in USD differ from the current ones of 2016–2025 by up to 0.4 %; they were equal, and those of most other countries are',
    ]);
    expect(await found('fx_current_usd')).toEqual([]);
  });

  it('are not a finding where all countries have another base year', async () => {
    const found = await told(ofUsd(() => true));
    expect(found.filter((one) => one.includes('constant rates'))).toEqual([]);
  });
});

describe('inflation', () => {
  const raised = (by: number, isIn: (row: Row) => boolean): Rows =>
    month({ country: (row) => (isIn(row) ? { ...row, inflation: Number(row.inflation) + by } : row) });

  it('is a warning where it became an index of prices', async () => {
    expect(await told(raised(100, (row) => row.country === C && isForecast(row)))).toEqual([
      'warn country: inflation, Country C (forecasts): all 5 values are five times what they were or more, or a fifth or less, by 20 points or more',
    ]);
    expect(await told(raised(100, (row) => row.country === C && Number(row.year) === 2021))).toEqual([
      'warn country: inflation, Country C, 2021: the value is five times what it was or more, or a fifth or less, by 5 points or more',
    ]);
  });

  it('is a warning where the value of a closed year lost its decimal point', async () => {
    const slipped = month({
      country: (row) =>
        row.country === C && row.year === 2021 ? { ...row, inflation: 10 * Number(row.inflation) } : row,
    });
    expect(await told(slipped)).toEqual([
      expect.stringMatching(/^warn country: inflation, Country C, 2021: the value is five times what it was/),
    ]);
  });

  it('is not a finding where it was revised by less, or was high before', async () => {
    expect(await told(raised(15, (row) => row.country === C && isForecast(row)))).toEqual([]);
    expect(await told(raised(4, (row) => row.country === C && row.year === 2021))).toEqual([]);
    const high = { country: indicators((row) => ({ ...row, inflation: 40 + Number(row.inflation) })) };
    const higher = high.country.map((row) =>
      row.country === COUNTRIES[3] && isForecast(row)
        ? { ...row, inflation: Number(row.inflation) + 60 }
        : row,
    );
    expect(await told({ country: higher }, high)).toEqual([]);
  });
});

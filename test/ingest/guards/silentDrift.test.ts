// Guards warn of figures that drifted from others by a few percent: ggr from turnover, a currency from its rate.

import { describe, expect, it } from '@jest/globals';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';
import { C, type Change, COUNTRIES, findingsIn, ggr, indicators, isForecast, month } from './plainMonth.ts';

const turnover = (change: Change = (row) => row) =>
  ggr(change).map(({ ggr: figure, ...row }) => aRow('turnover', { ...row, turnover: 10 * Number(figure) }));

const isReported = (row: Row) => !isForecast(row);

it('forecasts of a country are not reported as well as the reported figures of all countries', async () => {
  const moved = (reported: number) => ({
    ggr: ggr((row) => {
      const by = isReported(row) ? reported : row.country === C ? 1.6 : 1;
      return { ...row, ggr: Math.round(Number(row.ggr) * by) };
    }),
  });
  const ofForecasts = /^warn ggr: Country C \(forecasts\)/;
  expect(await findingsIn(moved(1), { ggr: ggr() })).toContainEqual(expect.stringMatching(ofForecasts));
  expect(await findingsIn(moved(1.3), { ggr: ggr() })).not.toContainEqual(expect.stringMatching(ofForecasts));
});

it('a factor near 1 of all figures in many currencies is reported, and revisions of as much that differ are not', async () => {
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
    await findingsIn(
      inOwn(() => 1.004),
      before,
    ),
  ).toEqual(['warn ggr: all countries: 720 reported values moved by one factor (+0.4 %)']);
  expect(
    await findingsIn(
      inOwn((_, i) => 1 + ((i * 7919) % 997) / 249_250),
      before,
    ),
  ).toEqual([]);
});

describe('amounts in a foreign currency', () => {
  const inUsd = (factor: number, isIn: (row: Row) => boolean) =>
    month({
      ggr: (row) =>
        row.fx === 'USD' && isIn(row) ? { ...row, ggr: Math.round(Number(row.ggr) * factor) } : row,
    });
  const ofC = (row: Row) => row.country === C;

  it('are a warning where they left the rates by little, and those of most countries did not', async () => {
    expect(await findingsIn(inUsd(1.015, ofC))).toEqual([
      'warn ggr: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 1.5 % in 2016–2025, and those of most other countries agree',
      'warn ggr: Country C (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 1.5 % in 2026–2030, and those of most other countries agree',
    ]);
  });

  it('are a warning in one year, where its rate did not move', async () => {
    expect(await findingsIn(inUsd(1.015, (row) => ofC(row) && row.year === 2025))).toEqual([
      'warn ggr: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 1.5 % in 2025, and those of most other countries agree',
    ]);
  });

  it('are a warning also where GDP left the rates, too', async () => {
    const country: Change = (row) => (ofC(row) ? { ...row, gdp_usd: Number(row.gdp_usd) * 1.06 } : row);
    const after = { ...inUsd(1.015, ofC), country: month({ country }).country ?? [] };
    expect((await findingsIn(after)).filter((one) => one.startsWith('warn ggr'))).toHaveLength(2);
  });

  it('are a warning where they follow the rates of the month before', async () => {
    const rates: Change = (row) =>
      isForecast(row) ? { ...row, fx_current_usd: Number(row.fx_current_usd) * 1.008 } : row;
    const following = inUsd(1.008, (row) => isForecast(row) && !ofC(row));
    expect(await findingsIn({ ...following, fx: month({ fx: rates }).fx ?? [] })).toEqual([
      'warn ggr: Country C (forecasts): figures in USD disagree with those in local currency at the rates of fx by up to 0.794 % in 2026–2030, and those of most other countries agree',
    ]);
  });

  it('are reported once where a rate changed, and neither ggr nor turnover did', async () => {
    const fx_usd = 1.015 * 0.0123;
    const fx: Change = (row) =>
      ofC(row) && !isForecast(row) ? { ...row, fx_current_usd: fx_usd, fx_constant_usd: fx_usd } : row;
    const other = { turnover: turnover() };
    expect(await findingsIn({ ...month({ fx }), ...other }, { ...month(), ...other })).toEqual([
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
    expect(await findingsIn(moved(1.025), before)).toEqual([
      'refuse ggr: Country C: figures in USD disagree with those in local currency at the rates of fx by up to 2.5 % in 2020',
    ]);
    // The figures of Country C are converted at the constant rate now, so they agree with fx and there is no finding.
    expect(await findingsIn(moved(1 / 0.97), before)).toEqual([]);
  });

  it('are not a finding where most countries left the rates, two rates moved, or by less than half a percent', async () => {
    const drifted = async (after: Rows) =>
      (await findingsIn(after)).filter((one) => one.includes('most other countries'));
    expect(await drifted(inUsd(1.015, (row) => String(row.country) > 'Country D'))).toEqual([]);
    const fx_usd = 1.015 * 0.0123;
    const fx: Change = (row) =>
      ofC(row) && Number(row.year) < 2018 ? { ...row, fx_current_usd: fx_usd, fx_constant_usd: fx_usd } : row;
    expect(await drifted(month({ fx }))).toEqual([]);
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
    expect(await findingsIn(ofUsd((country) => country === C))).toEqual([
      'warn fx: Country C: constant rates in USD differ from the current ones of 2016–2025 by up to 3 %; they were equal, and those of most other countries are',
    ]);
  });

  it('are one warning where the current ones of both currencies moved', async () => {
    const moved = (figure: unknown) => Number(figure) * 1.03;
    const fx: Change = (row) =>
      row.country === C && !isForecast(row)
        ? {
            ...row,
            fx_current_usd: moved(row.fx_current_usd),
            fx_current_eur: moved(row.fx_current_eur),
          }
        : row;
    expect(await findingsIn(month({ fx }))).toEqual([
      'warn fx: Country C: constant rates in EUR, USD differ from the current ones of 2016–2025 by up to 2.91 %; they were equal, and those of most other countries are',
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
      (await findingsIn(moved(metrics))).filter((one) => one.includes('constant rates'));
    expect(await found('fx_constant_usd')).toEqual([
      'warn fx: Country C: constant rates in USD differ from the current ones of 2016–2025 by up to 0.4 %; they were equal, and those of most other countries are',
    ]);
    expect(await found('fx_current_usd')).toEqual([]);
  });

  it('are not a finding where all countries have another base year', async () => {
    const found = await findingsIn(ofUsd(() => true));
    expect(found.filter((one) => one.includes('constant rates'))).toEqual([]);
  });
});

describe('inflation', () => {
  const raised = (by: number, isIn: (row: Row) => boolean): Rows =>
    month({ country: (row) => (isIn(row) ? { ...row, inflation: Number(row.inflation) + by } : row) });

  it('is a warning where it became an index of prices', async () => {
    expect(await findingsIn(raised(100, (row) => row.country === C && isForecast(row)))).toEqual([
      'warn country: inflation, Country C (forecasts): all 5 values are five times what they were or more, or a fifth or less, by 20 points or more',
    ]);
    expect(await findingsIn(raised(100, (row) => row.country === C && Number(row.year) === 2021))).toEqual([
      'warn country: inflation, Country C, 2021: the reported value is what it was × 36.7',
    ]);
  });

  it('is a warning where the value of a closed year lost its decimal point', async () => {
    const slipped = month({
      country: (row) =>
        row.country === C && row.year === 2021 ? { ...row, inflation: 10 * Number(row.inflation) } : row,
    });
    expect(await findingsIn(slipped)).toEqual([
      'warn country: inflation, Country C, 2021: the reported value is what it was × 10',
    ]);
  });

  it('is not a finding where it was revised by less, or was high before', async () => {
    expect(await findingsIn(raised(15, (row) => row.country === C && isForecast(row)))).toEqual([]);
    expect(await findingsIn(raised(4, (row) => row.country === C && row.year === 2021))).toEqual([]);
    const high = { country: indicators((row) => ({ ...row, inflation: 40 + Number(row.inflation) })) };
    const higher = high.country.map((row) =>
      row.country === COUNTRIES[3] && isForecast(row)
        ? { ...row, inflation: Number(row.inflation) + 60 }
        : row,
    );
    expect(await findingsIn({ country: higher }, high)).toEqual([]);
  });
});

// What guards find in rates and indicators of closed years: small revisions, moved decimal points and years that are gone.

import { describe, expect, it } from '@jest/globals';
import { itInDepth } from '../../support/depth.ts';
import type { Row } from '../../support/snapshot.ts';
import { C, findingsIn, fx, indicators, month } from './plainMonth.ts';

const isOf = (country: string, ...years: readonly number[]) => {
  const own = new Set<unknown>(years);
  return (row: Row) => row.country === country && own.has(row.year);
};

/** The findings of a month without ggr in which these rates, by default of Country C in 2017, are multiplied by `by`. */
const revised = (by: number, metrics: readonly string[], isIn = isOf(C, 2017)) => {
  const rates = (row: Row) =>
    isIn(row) ? { ...row, ...Object.fromEntries(metrics.map((one) => [one, Number(row[one]) * by])) } : row;
  // The current rates of no year equal the constant ones, so the guard of base years finds nothing.
  const floating = (row: Row) => ({ ...row, fx_current_usd: 0.0111333, fx_current_eur: 0.0101777 });
  return findingsIn({ fx: fx((row) => rates(floating(row))) }, { fx: fx(floating) });
};

describe('current rates of a closed year', () => {
  it('are one warning of the country where they moved by more than half a percent', async () => {
    expect(await revised(1.04, ['fx_current_usd', 'fx_current_eur'])).toEqual([
      expect.stringMatching(
        /^warn fx: fx_current_eur and fx_current_usd, Country C: 1 of 10 values in closed years was revised by more than 0\.5 %: 2017 /,
      ),
    ]);
    expect(await revised(0.99, ['fx_current_usd'])).toEqual([
      expect.stringMatching(/^warn fx: fx_current_usd, Country C: 1 of 10 values .* 0\.5 %: 2017 /),
    ]);
  });

  it('are no finding below it, in forecasts, and where only the constant rates moved that far', async () => {
    expect(await revised(1.004, ['fx_current_usd'])).toEqual([]);
    expect(await revised(1.04, ['fx_current_usd'], isOf(C, 2027))).toEqual([]);
    expect(await revised(1.03, ['fx_constant_usd'], () => true)).toEqual([]);
  });

  it('are a warning of the dataset in several countries, and a refusal where many moved by more than 5 %', async () => {
    const isOfTwo = ({ country, year }: Row) =>
      (country === C || country === 'Country D') && Number(year) === 2017;
    expect(await revised(1.04, ['fx_current_usd'], isOfTwo)).toEqual([
      expect.stringMatching(
        /^warn fx: 2 of \d+ values of fx_current_usd in closed years were revised by more than 0\.5 % \(none by more than 5 %; /,
      ),
    ]);
    expect(await revised(1.09, ['fx_current_usd'], ({ year }) => year === 2017)).toEqual([
      expect.stringMatching(
        /^refuse fx: \d+ of \d+ values of fx_current_usd in closed years were revised by more than 5 %$/,
      ),
    ]);
  });
});

describe('constant rates of a closed year', () => {
  it('are a warning where those of most other years stayed', async () => {
    expect(await revised(1.04, ['fx_constant_usd', 'fx_constant_eur'])).toEqual([
      expect.stringMatching(
        /^warn fx: fx_constant_usd and fx_constant_eur, Country C: 1 of 10 values in closed years was revised by more than 0\.5 %: 2017 /,
      ),
    ]);
    expect(await revised(0.97, ['fx_constant_usd'], isOf(C, 2016, 2017, 2018))).toEqual([
      expect.stringMatching(/^warn fx: fx_constant_usd, Country C: 3 of 10 values .* 0\.5 %: 2016 /),
    ]);
  });

  it('are no finding below half a percent, and where most years have another base year', async () => {
    expect(await revised(1.004, ['fx_constant_usd'])).toEqual([]);
    const mostYears = isOf(C, 2016, 2017, 2018, 2019, 2020, 2021);
    expect(await revised(1.04, ['fx_constant_usd'], mostYears)).toEqual([]);
  });
});

describe('inflation of a closed year', () => {
  const slipped = (from: number, to: number, year = 2021) => {
    const of = (inflation: number) =>
      month({ country: (row) => (isOf(C, year)(row) ? { ...row, inflation } : row) });
    return findingsIn(of(to), of(from));
  };

  it('is a warning where its decimal point moved, exactly or rounded to a tenth', async () => {
    for (const [from, to, by] of [
      [3.3, 0.33, '÷ 10'],
      [3.7, 0.4, '÷ 9.25'],
      [0.3, 3, '× 10'],
      [-2.1, -0.21, '÷ 10'],
    ] as const)
      expect(await slipped(from, to)).toEqual([
        `warn country: inflation, Country C, 2021: the reported value is what it was ${by}`,
      ]);
  });

  itInDepth(
    'is no finding where it moved by less than half a point or by another factor, and in forecasts',
    async () => {
      expect(await slipped(0.4, 0.04)).toEqual([]);
      expect(await slipped(3.3, 0.45)).toEqual([]);
      expect(await slipped(3.3, -0.33)).toEqual([]);
      expect(await slipped(3.3, 0.33, 2027)).toEqual([]);
    },
  );
});

describe('years that one country lost', () => {
  const without = (rows: readonly Row[], ...years: readonly number[]) =>
    rows.filter((row) => !isOf(C, ...years)(row));

  it.each([
    ['fx', fx],
    ['country', indicators],
  ] as const)('are one finding in %s, refused from three rows on', async (dataset, rows) => {
    const lost = async (...years: readonly number[]) =>
      await findingsIn({ [dataset]: without(rows(), ...years) }, { [dataset]: rows() });
    expect(await lost(2017)).toEqual([`warn ${dataset}: Country C, 2017: the reported row is gone`]);
    expect(await lost(2017, 2018)).toEqual([
      `warn ${dataset}: Country C, 2017–2018: both reported rows are gone`,
    ]);
    expect(await lost(2017, 2018, 2020)).toEqual([
      `refuse ${dataset}: Country C, 2017–2018, 2020: all 3 reported rows are gone`,
    ]);
    expect(await lost(2016, 2017, 2018, 2019, 2020, 2021)).toEqual([
      `refuse ${dataset}: Country C, 2016–2021: all 6 reported rows are gone`,
    ]);
  });
});

// Series for charts, made of rows: gaps, forecasts, breaks in coverage, and values that must not be added.

import { describe, expect, it } from '@jest/globals';
import { labelPositions } from '../../src/explorer/model/labelPositions.ts';
import { colourNumbersByName } from '../../src/explorer/model/palette.ts';
import { searchValues } from '../../src/explorer/model/searchValues.ts';
import { firstFullYear } from '../../src/explorer/model/selection.ts';
import {
  coverageBreaks,
  hasAllValues,
  lastReportedYear,
  plainSeries,
  sortedByValue,
  summedSeries,
  yearRange,
} from '../../src/explorer/model/series.ts';
import { linearTicks, logTicks, yearTicks } from '../../src/explorer/model/ticks.ts';
import { legendText } from '../../src/explorer/texts/chartTexts.ts';

const years = [2020, 2021, 2022];
const total = (region: string, year: number, ggr: number | null, rows_summed = 1) => ({
  dimensions: { region, year },
  values: { ggr },
  rows_summed,
});
const shape = { by: 'region', metric: 'ggr', years };

describe('bars', () => {
  it('are said to lack a value only where a bar of the year has none', () => {
    const series = summedSeries(
      [total('Asia', 2020, 5), total('Asia', 2022, 7), total('Africa', 2020, 1), total('Africa', 2022, null)],
      [],
      shape,
    );
    expect([2020, 2021, 2022].map((year) => legendText('bars', series, year))).toEqual([
      '',
      '–: no value.',
      '–: no value.',
    ]);
  });
});

describe('series of sums', () => {
  it('have a point for every year: a year without a row and a missing value are gaps, not zeros', () => {
    const [series] = summedSeries([total('Asia', 2020, 5), total('Asia', 2022, null)], [], shape);
    expect(series?.points.map(({ value }) => value)).toEqual([5, null, null]);
    expect(hasAllValues(series === undefined ? [] : [series])).toBe(false);
  });

  it('are said to have gaps only where a line is broken', () => {
    const flags = (...values: (number | null)[]) =>
      legendText(
        'lines',
        summedSeries(
          values.map((value, i) => total('Asia', years[i] ?? 0, value)),
          [],
          shape,
        ),
        null,
      );
    expect([flags(1, 2, 3), flags(null, 2, 3), flags(1, 2, null), flags(null, null, null)]).toEqual([
      '',
      '',
      '',
      '',
    ]);
    expect(flags(1, null, 3)).toBe('Gap: no value.');
  });

  it('have the share of forecasts at each point, and find the last year without forecasts', () => {
    const rows = [total('Asia', 2020, 10), total('Asia', 2021, 10), total('Asia', 2022, 10)];
    const series = summedSeries(rows, [total('Asia', 2021, 0.5), total('Asia', 2022, 10)], shape);
    expect(series[0]?.points.map(({ forecastShare }) => forecastShare)).toEqual([0, 0.05, 1]);
    expect(lastReportedYear(series)).toBe(2020);
  });

  it('have a break where the number of rows jumps, and none where only the values jump', () => {
    const jump = summedSeries(
      [total('Asia', 2020, 5, 10), total('Asia', 2021, 5, 20), total('Asia', 2022, 50, 21)],
      [],
      shape,
    );
    expect(coverageBreaks(jump)).toEqual([{ year: 2021, yearBefore: 2020 }]);
  });

  it('have the break also where a year without rows lies between', () => {
    const jump = summedSeries([total('Asia', 2020, 5, 10), total('Asia', 2022, 5, 20)], [], shape);
    expect(coverageBreaks(jump)).toEqual([{ year: 2022, yearBefore: 2020 }]);
  });

  it('are ranked by their values in a year: those without one come after them, the rest last', () => {
    const values = { Africa: -1, Asia: null, Europe: 5, Oceania: 7, Other: 100 };
    const rows = Object.entries(values).map(([region, value]) => total(region, 2020, value));
    const series = summedSeries(rows, [], shape).map((one) =>
      one.name === 'Other' ? ({ ...one, kind: 'other' } as const) : one,
    );
    expect(sortedByValue(series, 2020).map(({ name }) => name)).toEqual([
      'Oceania',
      'Europe',
      'Africa',
      'Asia',
      'Other',
    ]);
  });

  it('mark a forecast that is negative in a sum with reported values, or larger than the sum', () => {
    const rows = [total('Asia', 2020, 60, 4), total('Asia', 2021, 60, 4), total('Asia', 2022, 60, 4)];
    const forecasts = [total('Asia', 2021, -40, 1), total('Asia', 2022, 100, 3)];
    const [series] = summedSeries(rows, forecasts, shape);
    expect(series?.points.map(({ forecastShare }) => forecastShare)).toEqual([0, 0.25, 0.75]);
  });

  it('have all years from the first to the last one with rows', () => {
    expect(yearRange([2018, 2020, 2021])).toEqual([2018, 2019, 2020, 2021]);
    expect(yearRange([2024])).toEqual([2024]);
    expect(yearRange([])).toEqual([]);
  });
});

describe('series of values that do not add up', () => {
  const row = (country: string, year: number, inflation: number, calculation = 'Reported') => ({
    dimensions: { country, year, calculation, temporal: year > 2021 ? 'Forecast' : 'Current' },
    values: { inflation },
  });

  it('have one row for each point, with forecasts marked', () => {
    const { series, ambiguousPoint } = plainSeries([row('Malta', 2020, 1), row('Malta', 2022, 2)], {
      by: 'country',
      metric: 'inflation',
      years,
    });
    expect(ambiguousPoint).toBeNull();
    expect(series[0]?.points.map(({ value, forecastShare }) => [value, forecastShare])).toEqual([
      [1, 0],
      [null, 0],
      [2, 1],
    ]);
  });

  it('of two rows for one point draw neither, and name the dimensions in which they differ', () => {
    const rows = [row('Malta', 2020, 1), row('Malta', 2020, 2, 'Estimated')];
    const { series, ambiguousPoint } = plainSeries(rows, { by: 'country', metric: 'inflation', years });
    expect(series).toEqual([]);
    expect(ambiguousPoint).toEqual({
      name: 'Malta',
      year: 2020,
      valuesByDimension: { calculation: ['Reported', 'Estimated'] },
    });
  });
});

describe('labels, colours, ticks and names', () => {
  it('labels do not overlap and stay inside; the last are dropped when there is no room', () => {
    const placed = labelPositions(
      [10, 11, 12, 90].map((y) => ({ name: String(y), y })),
      0,
      100,
      17,
    );
    const at = [...placed.values()].sort((a, b) => a - b);
    expect(at.every((y, i) => i === 0 || y - (at[i - 1] ?? 0) >= 17)).toBe(true);
    expect(at[0]).toBeGreaterThanOrEqual(0);
    expect(at.at(-1)).toBeLessThanOrEqual(100);
    expect(
      labelPositions(
        Array.from({ length: 9 }, (_, i) => ({ name: String(i), y: 50 })),
        0,
        34,
        17,
      ).size,
    ).toBe(3);
  });

  it('a series keeps its colour whatever else is drawn, and no two series share one', () => {
    const names = ['Africa', 'Chile', 'Europe', 'Italy', 'Japan', 'Malta', 'Oceania', 'Peru', 'Spain'];
    const series = (drawn: string[]) =>
      drawn.map((name) => ({ name, kind: 'value' as const, memberCount: 1, points: [] }));
    const all = [...colourNumbersByName(series(names), names).values()];
    expect(new Set(all.filter((colour) => colour !== null)).size).toBe(8);
    expect(all.filter((colour) => colour === null)).toHaveLength(1);
    const pair = colourNumbersByName(series(['Africa', 'Europe']), names);
    expect(colourNumbersByName(series(['Europe']), names).get('Europe')).toBe(pair.get('Europe'));
  });

  it('ticks are whole years, round values and round logarithms', () => {
    expect(yearTicks(2003, 2030, 6)).toEqual([2005, 2010, 2015, 2020, 2025, 2030]);
    expect(yearTicks(2020, 2020, 1)).toEqual([2020]);
    expect(linearTicks(0, 0.62, 6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    expect(linearTicks(-12, 141, 6)).toEqual([0, 20, 40, 60, 80, 100, 120, 140]);
    expect(linearTicks(5, 5, 6)).toEqual([5]);
    expect(linearTicks(0, 1e306, 5)).toEqual([0, 2e305, 4e305, 6e305, 8e305, 1e306]);
    // A double cannot hold the steps of these.
    const [most, least] = [Number.MAX_VALUE, Number.MIN_VALUE];
    expect(linearTicks(-most, most, 2)).toEqual([-most]);
    expect(linearTicks(0, most, 1)).toEqual([0]);
    expect(linearTicks(0, Number.POSITIVE_INFINITY, 2)).toEqual([0]);
    expect(linearTicks(0, least, 2)).toEqual([0]);
    expect(logTicks(3, 400, 8)).toEqual([5, 10, 20, 50, 100, 200]);
    // A single tick would show no scale.
    expect(logTicks(2.1, 6, 8)).toEqual([3, 4, 5, 6]);
    expect(logTicks(1.5, 60, 4)).toEqual([2, 50]);
    expect(logTicks(7, 7, 8)).toEqual([7]);
    expect(logTicks(1e-5, 1e-4, 8)).toEqual([0.00001, 0.00002, 0.00005, 0.0001]);
    expect(logTicks(5e-11, 1e-10, 8)).toEqual([5e-11, 1e-10]);
    expect(logTicks(1e-300, 1e300, 8)).toEqual([1e-228, 1e-152, 1e-76, 1, 1e76, 1e152, 1e228]);
  });

  it('the default period begins with the first year of full coverage', () => {
    const counts = [431, 440, 977, 1666, 1694, 1780].map((row_count, i) => ({ value: 2003 + i, row_count }));
    expect(firstFullYear(counts)).toBe(2006);
  });

  it('a search ignores accents and case, and lists the values last that belong there', () => {
    const names = ['Other Côte', 'Rest of Côte', "Côte d'Ivoire", 'Ascot'];
    const found = searchValues(names, 'COT', (name) => name, new Set(['Other Côte']));
    expect(found).toEqual(["Côte d'Ivoire", 'Rest of Côte', 'Ascot', 'Other Côte']);
  });
});

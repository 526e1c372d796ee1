// The tint of a chart begins where most values are forecasts, and covers no reported year.

import { expect, it } from '@jest/globals';
import { forecastRange, hasForecasts, type Series } from '../../src/explorer/model/series.ts';

/**
 * A series from 2020 on. Each argument is the share of forecasts in the value of a year; null for a year without a value.
 */
const series = (value: number, ...forecasts: readonly (number | null)[]): Series => ({
  name: 'Malta',
  kind: 'value',
  memberCount: 1,
  points: forecasts.map((forecast, i) => ({
    year: 2020 + i,
    value: forecast === null ? null : value,
    forecastShare: forecast ?? 0,
    rowCount: forecast === null ? 0 : 1,
  })),
});

it.each([
  ['reported years, then forecasts', [0, 0, 0, 1, 1], { x1: 2022.5, x2: 2024 }],
  ['forecasts alone', [1, 1, 1], { x1: 2020, x2: 2022 }],
  ['reported years alone', [0, 0], null],
  ['one forecast', [1], null],
  ['shares of forecasts, of which the last is more than half', [0, 0.5, 0.51], { x1: 2021.5, x2: 2022 }],
  ['a forecast between reported years', [0, 1, 0, 1], { x1: 2022.5, x2: 2023 }],
  ['forecasts that end before the years of the chart', [0, 0, 1, 1, null], { x1: 2021.5, x2: 2024 }],
  ['forecasts after a year without a value', [0, null, 1, 1], { x1: 2021.5, x2: 2023 }],
  ['reported years that end before the years of the chart', [0, 0, null], null],
] as const)('a chart of %s tints the years of forecasts alone', (_, forecasts, tinted) => {
  expect(forecastRange([series(5, ...forecasts)])).toEqual(tinted);
});

it('large reported values outweigh small forecasts of the same year', () => {
  expect(forecastRange([series(5, 0, 1), series(6, 0, 0)])).toBeNull();
  expect(forecastRange([series(5, 0, 1), series(-4, 0, 0)])).toEqual({ x1: 2020.5, x2: 2021 });
});

it('a chart has forecasts where a part of one value is one', () => {
  expect(hasForecasts([series(5, 0, 0), series(5, 0, 0.1)])).toBe(true);
  expect(hasForecasts([series(5, 0, null)])).toBe(false);
});

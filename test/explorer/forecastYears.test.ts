// The tint of a chart begins where most values are forecasts, and covers no reported year.

import { expect, it } from '@jest/globals';
import { forecastYears, type Series } from '../../src/explorer/model/series.ts';

/** A series from 2020 on. Each argument says whether the value of a year is a forecast. */
const series = (...forecasts: readonly boolean[]): Series => ({
  name: 'Malta',
  kind: 'value',
  members: 1,
  points: forecasts.map((isForecast, i) => ({
    year: 2020 + i,
    value: 5,
    forecast: isForecast ? 1 : 0,
    rows: 1,
  })),
});

it.each([
  ['reported years, then forecasts', [false, false, false, true, true], { x1: 2022.5, x2: 2024 }],
  ['forecasts alone', [true, true, true], { x1: 2020, x2: 2022 }],
  ['reported years alone', [false, false], null],
  ['one forecast', [true], null],
] as const)('a chart of %s tints the years of forecasts alone', (_, forecasts, tinted) => {
  expect(forecastYears([series(...forecasts)])).toEqual(tinted);
});

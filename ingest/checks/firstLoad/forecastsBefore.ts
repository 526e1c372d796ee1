// Warns of countries with forecasts of years before the last reported one of the same series.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { spans } from '../../messages/numbers.ts';
import { type Figures, warnOfRow } from './figures.ts';

/** In how many years a country must have a forecast before a reported figure of the same series. One year may be a gap. */
const FEWEST_FORECAST_YEARS = 2;

/** Reports countries with forecasts of years before the last reported one of the same series. */
export function checkForecastsBefore(figures: Figures): void {
  const { staging, metric, rows, series } = figures;
  const [years, temporals] = [rows.dimension('year'), rows.dimension('temporal')];
  const [current, forecast] = [staging.code('Current'), staging.code('Forecast')];
  const lastReported = new Int32Array(series.count).fill(-1);
  for (let row = 0; row < rows.count; row += 1) {
    const one = series.numbers[row] as number;
    if (temporals[row] === current)
      lastReported[one] = Math.max(lastReported[one] as number, years[row] as number);
  }
  const early: number[] = [];
  for (let row = 0; row < rows.count; row += 1)
    if (
      temporals[row] === forecast &&
      (years[row] as number) < (lastReported[series.numbers[row] as number] as number)
    )
      early.push(row);
  for (const [code, all] of groupBy(early, (row) => rows.dimension('country')[row])) {
    const inYears = ascending(all.map((row) => years[row] as number));
    if (inYears.length < FEWEST_FORECAST_YEARS) continue;
    const country = staging.text(code);
    warnOfRow(
      figures,
      all[0],
      {
        problem: `${metric} of ${country} has forecasts of ${spans(inYears)} before reported figures of the same series`,
        remedy: 'write Current for reported figures and Forecast for the others, unless it is meant',
        kind: `${metric} has forecasts before reported figures`,
        country,
      },
      'temporal',
    );
  }
}

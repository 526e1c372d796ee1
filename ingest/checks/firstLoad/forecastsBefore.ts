// Warns of countries with forecasts of years before the last reported year of the same series.

import { groupBy, onlyOf } from '../../../src/basics/lists.ts';
import { listed, yearSpans } from '../../messages/numbers.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import type { RowGroups, StagedRows } from '../stagedRows.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';

/**
 * The fewest years in which a country has a forecast before a reported figure of the same series. One year may be a gap.
 */
const FEWEST_FORECAST_YEARS = 2;

/**
 * From this number of countries on, one warning names all of them. Then the whole source mixes forecasts with reported
 * figures.
 */
const FEWEST_NAMED_TOGETHER = 10;

export function checkForecastsBefore(figures: CheckedFigures): void {
  const { staging, metric, rows, series } = figures;
  const [years, temporals] = [rows.dimension('year'), rows.dimension('temporal')];
  const forecast = staging.code('Forecast');
  const lastReported = lastReportedYears(staging, rows, series);
  const early: number[] = [];
  for (let row = 0; row < rows.count; row += 1)
    if (
      temporals[row] === forecast &&
      (years[row] as number) < (lastReported[series.numbers[row] as number] as number)
    )
      early.push(row);
  for (const group of groupsOf(early, rows)) {
    const [first] = group;
    if (first === undefined) continue;
    const countries = group.map(({ country }) => staging.text(country));
    warnOfRow(
      figures,
      first.row,
      {
        problem: `${metric} of ${listed(countries)} has forecasts of ${yearSpans(group.flatMap((one) => [...one.years]))} before reported figures of the same series`,
        remedy: 'write Current for reported figures and Forecast for the others, unless it is meant',
        kind: `${metric} has forecasts before reported figures`,
        country: onlyOf(countries),
      },
      'temporal',
    );
  }
}

/** The last year of each series that has a reported figure; -1 where a series has none. */
export function lastReportedYears(
  staging: StagingView,
  rows: StagedRows,
  { numbers, count }: RowGroups,
): Int32Array {
  const [years, temporals] = [rows.dimension('year'), rows.dimension('temporal')];
  const current = staging.code('Current');
  const last = new Int32Array(count).fill(-1);
  for (let row = 0; row < rows.count; row += 1) {
    const series = numbers[row] as number;
    if (temporals[row] === current) last[series] = Math.max(last[series] as number, years[row] as number);
  }
  return last;
}

interface EarlyForecasts {
  readonly country: number | undefined;
  readonly years: ReadonlySet<number>;
  readonly row: number;
}

/** The countries of each warning: one country, or all countries if they are many. */
function groupsOf(
  early: readonly number[],
  rows: CheckedFigures['rows'],
): readonly (readonly EarlyForecasts[])[] {
  const years = rows.dimension('year');
  const all = [...groupBy(early, (row) => rows.dimension('country')[row])]
    .map(([country, ofCountry]) => ({
      country,
      years: new Set(ofCountry.map((row) => years[row] as number)),
      row: ofCountry[0],
    }))
    .filter((one) => one.years.size >= FEWEST_FORECAST_YEARS);
  return all.length < FEWEST_NAMED_TOGETHER ? all.map((one) => [one]) : [all];
}

// Warns of forecasts of years long past: the rows of a whole dataset or country may lack the label Current.

import { groupBy, onlyOf } from '../../../src/basics/lists.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { listed, yearSpans } from '../../messages/numbers.ts';
import type { CheckInput } from '../checkInput.ts';
import { placeOfCellAt } from '../stagedPlaces.ts';
import type { StagedRows } from '../stagedRows.ts';
import { lastReportedYears } from './forecastsBefore.ts';

/** How many years before that of the month a forecast is one of a year long past. Late countries report within two or three. */
const YEARS_PAST = 5;

/**
 * Reports these rows of a dataset once, with all countries that `isMeant` allows. It leaves out forecasts before reported
 * figures of the same series, which `checkForecastsBefore` examines.
 */
export function checkPastForecasts(
  { staging, usedValues, problems, month }: Pick<CheckInput, 'staging' | 'usedValues' | 'problems' | 'month'>,
  dataset: DatasetName,
  rows: StagedRows,
  isMeant: (country: string) => boolean,
): void {
  if (!usedValues.has(dataset, 'temporal', 'Forecast')) return;
  const [years, temporals, countries] = [
    rows.dimension('year'),
    rows.dimension('temporal'),
    rows.dimension('country'),
  ];
  const [forecast, lastYear] = [staging.code('Forecast'), Number(month.slice(0, 4)) - YEARS_PAST];
  const past: number[] = [];
  for (let row = 0; row < rows.count; row += 1)
    if (temporals[row] === forecast && (years[row] as number) <= lastYear) past.push(row);
  if (past.length === 0) return;
  const series = rows.groupsWithout(['year', 'region', 'temporal']);
  const lastReported = lastReportedYears(staging, rows, series);
  const alone = past.filter(
    (row) =>
      (years[row] as number) > (lastReported[series.numbers[row] as number] as number) &&
      isMeant(staging.text(countries[row])),
  );
  const [first] = alone;
  if (first === undefined) return;
  const names = [...groupBy(alone, (row) => countries[row]).keys()].map((code) => staging.text(code));
  problems.add('warning', placeOfCellAt(staging, rows.placeOf(first), 'temporal'), {
    problem: `${dataset} of ${listed(names)} has forecasts of ${yearSpans(alone.map((row) => years[row] as number))}, ${YEARS_PAST} years or more before the month ${month}`,
    remedy: 'write Current for reported figures and Forecast for the others, unless it is meant',
    kind: `${dataset} has forecasts of years long past`,
    country: onlyOf(names),
  });
}

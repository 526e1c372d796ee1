// Warns of series that become a thousand or a million times larger or smaller, unless most series of the country do.
//
// `seriesUnits.ts` warns of all series of a country.

import { groupBy } from '../../../src/basics/lists.ts';
import { count, multiple } from '../../messages/numbers.ts';
import { type CheckedFigures, productOf, warnOfRow } from './checkedFigures.ts';
import type { SeriesYears } from './seriesYears.ts';

/** A step is a change by about a thousand or a million. Its decimal logarithm is at most this far from 3 or 6. */
const NEAR_POWER = 0.3;
const LEAST_STEP = 10 ** (3 - NEAR_POWER);
/** The years on either side of a step agree with each other within this factor. */
const AGREEING_FACTOR = 5;

/** If at least this share of a country's series have the step, `seriesUnits.ts` reports it. */
const MAJORITY_SHARE = 0.9;

/** Reports series whose unit changes in a year, once for each country and year. */
export function checkSingleSeriesUnits(figures: CheckedFigures, years: SeriesYears): void {
  const { staging, metric, rows } = figures;
  const countries = rows.dimension('country');
  const steps = stepsIn(figures, years);
  for (const all of groupBy(steps, ({ row, yearIndex }) => `${countries[row]} ${yearIndex}`).values()) {
    const [{ row, yearIndex, times }] = all;
    const compared = comparedSeries(figures, years, yearIndex, countries[row]);
    if (all.length >= MAJORITY_SHARE * compared) continue;
    const country = staging.text(countries[row]);
    const power = 10 ** Math.round(Math.abs(Math.log10(times)));
    warnOfRow(figures, row, {
      problem: `${metric} of ${country} is about ${multiple(power)} times ${times > 1 ? 'larger' : 'smaller'} from ${years.yearOf(yearIndex)} on than before in ${count(all.length)} of ${count(compared)} series${productOf(figures, row, ', such as ')}`,
      remedy: 'check the unit of the figures of these years',
      kind: `${metric} of some series changes its unit from one year to the next`,
      country,
    });
  }
}

interface Step {
  readonly row: number;
  readonly yearIndex: number;
  readonly times: number;
}

function stepsIn({ metric, rows, series }: CheckedFigures, years: SeriesYears): readonly Step[] {
  const values = rows.values(metric);
  const steps: Step[] = [];
  for (let seriesNumber = 0; seriesNumber < series.count; seriesNumber += 1)
    for (let yearIndex = 0; yearIndex < years.count; yearIndex += 1) {
      const row = years.row(seriesNumber, yearIndex);
      if (row < 0) continue;
      const value = values[row] as number;
      const before = years.figure(values, seriesNumber, yearIndex, -1);
      const times = value / before;
      // Nearly all figures fail this test, so few logarithms are computed.
      if (!(times > LEAST_STEP || (times > 0 && times < 1 / LEAST_STEP)) || before <= 0) continue;
      const size = Math.abs(Math.log10(times));
      const isPower = Math.min(Math.abs(size - 3), Math.abs(size - 6)) <= NEAR_POWER;
      const [twoBefore, next] = [
        years.figure(values, seriesNumber, yearIndex, -2),
        years.figure(values, seriesNumber, yearIndex, 1),
      ];
      if (isPower && agree(before, twoBefore) && agree(value, next)) steps.push({ row, yearIndex, times });
    }
  return steps;
}

const agree = (a: number, b: number): boolean => a > 0 && b > 0 && Math.max(a / b, b / a) <= AGREEING_FACTOR;

/** The number of series of a country with figures in a year and in the year before. */
function comparedSeries(
  { metric, rows, series }: CheckedFigures,
  years: SeriesYears,
  yearIndex: number,
  country: number | undefined,
): number {
  const [values, countries] = [rows.values(metric), rows.dimension('country')];
  let compared = 0;
  for (let seriesNumber = 0; seriesNumber < series.count; seriesNumber += 1)
    if (
      countries[years.row(seriesNumber, yearIndex)] === country &&
      years.figure(values, seriesNumber, yearIndex) > 0 &&
      years.figure(values, seriesNumber, yearIndex, -1) > 0
    )
      compared += 1;
  return compared;
}

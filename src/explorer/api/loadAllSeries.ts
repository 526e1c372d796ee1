// Loads all series of a chart of sums, also those that it does not draw.

import type { ChartData } from '../model/chartData.ts';
import { type Series, summedSeries, yearRange } from '../model/series.ts';
import type { RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import { loadBothSums } from './loadSums.ts';

/** The series of all values that have rows in the period, in the order of the API. */
export async function loadAllSeries(
  { selection, metric, names }: ChartData,
  context: RequestContext,
): Promise<readonly Series[] | Failure> {
  const { by, years } = selection;
  const sums = await loadBothSums(selection, context);
  if (isFailure(sums)) return sums;
  const dimensions = { by, metric: metric.name, years: yearRange(years) };
  const series = summedSeries(sums.summed.rows, sums.forecasts.rows, dimensions);
  return series.filter(({ name }) => names.includes(name));
}

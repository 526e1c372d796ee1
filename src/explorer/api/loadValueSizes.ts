// Loads the sum of each value of a dimension in the last reported year, for filters that list the largest value first.

import { seriesInPeriod, unitOf } from '../model/chartData.ts';
import { readableText } from '../model/numberFormats.ts';
import type { Selection } from '../model/selection.ts';
import { lastReportedYear } from '../model/series.ts';
import type { Answer } from './answerQuestion.ts';
import type { RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import { loadSums } from './loadSums.ts';

export interface ValueSizes {
  readonly year: number;
  /** For each value of the dimension, its sum as a number and in short form. Values without a sum are left out. */
  readonly sizeByValue: ReadonlyMap<string, { readonly size: number; readonly text: string }>;
}

/** Whether the values of a dimension can be compared by their sums, because they are parts of a whole, or states. */
export const canCompareSizes = ({ metric, dataset }: Selection, dimension: string): boolean =>
  metric?.adds_up === true && (dimension === 'state' || !dataset.not_additive_over.includes(dimension));

/** The sizes in the last reported year of the chart or, without a chart, in the last year of the selection. */
export async function loadValueSizes(
  dimension: string,
  { selection, chart }: Answer,
  context: RequestContext,
): Promise<ValueSizes | Failure> {
  const { metric, filters, years } = selection;
  const reported = chart?.kind === 'chart' ? lastReportedYear(seriesInPeriod(chart.data)) : null;
  const year = reported ?? years.at(-1) ?? 0;
  const { [dimension]: _, ...others } = filters;
  const inYear = { ...others, year: [String(year)] };
  const found = await loadSums({ ...selection, filters: inYear, by: dimension }, context);
  if (isFailure(found)) return found;
  if (metric === null) return { year, sizeByValue: new Map() };
  const unit = unitOf({ metric, selection });
  const sizes = found.rows.flatMap(({ dimensions, values }) => {
    const size = values[metric.name] ?? null;
    return size === null
      ? []
      : [[String(dimensions[dimension]), { size, text: readableText(size, unit) }] as const];
  });
  return { year, sizeByValue: new Map(sizes) };
}

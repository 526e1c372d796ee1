// How large each value of a dimension is in the last reported year, for a filter that lists the largest first.

import { shownSeries, unitOf } from '../model/chart.ts';
import { readable } from '../model/format.ts';
import { lastReported } from '../model/series.ts';
import type { ChartAnswer } from './chartAnswer.ts';
import type { Failure } from './client.ts';
import { type Context, type Counted, isFailure } from './selection.ts';
import { sums } from './sums.ts';

export interface Sizes {
  readonly year: number;
  /** By value of the dimension. A value without a sum is left out. */
  readonly sizes: ReadonlyMap<string, { readonly size: number; readonly text: string }>;
}

/** Whether the values of a dimension can be compared by their sums: the parts of a whole, and states. */
export const hasSizes = ({ selection }: Counted, dimension: string): boolean =>
  selection.metric?.adds_up === true &&
  (dimension === 'state' || !selection.dataset.not_additive_over.includes(dimension));

/** The sizes in the last reported year of the chart, or in the last year of all. Costs one request. */
export async function sizesOf(
  dimension: string,
  { selection }: Counted,
  chart: ChartAnswer | null,
  context: Context,
): Promise<Sizes | Failure> {
  const { metric, filters, years } = selection;
  const reported = chart?.kind === 'chart' ? lastReported(shownSeries(chart.data)) : null;
  const year = reported ?? years.at(-1) ?? 0;
  const { [dimension]: _, ...others } = filters;
  const found = await sums(selection, { ...others, year: [String(year)] }, dimension, context);
  if (isFailure(found)) return found;
  if (metric === null) return { year, sizes: new Map() };
  const unit = unitOf({ metric, selection });
  const sizes = found.rows.flatMap(({ dimensions, values }) => {
    const size = values[metric.name] ?? null;
    return size === null
      ? []
      : [[String(dimensions[dimension]), { size, text: readable(size, unit) }] as const];
  });
  return { year, sizes: new Map(sizes) };
}

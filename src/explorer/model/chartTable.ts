// Makes a table of a chart: a row for each year, a column for each series.

import { type ChartData, drawnSeries } from './chartData.ts';
import type { ChartKind } from './question.ts';
import { type Series, yearsIn } from './series.ts';
import { seriesLabel } from './summary.ts';
import type { FlatRow } from './tableRows.ts';

export interface ChartTable {
  /** The columns. Each row has its values under `name`, and people see `heading`. */
  readonly columns: readonly { readonly name: string; readonly heading: string }[];
  readonly rows: readonly FlatRow[];
}

/**
 * The values of the years of the period, with all digits; null where one is missing. The last column says of which years
 * all values are forecasts, or some. A chart of bars, which draws one year, has the years of the period as well.
 */
export function chartTable(data: ChartData, kind: ChartKind): ChartTable {
  const series = drawnSeries(data, kind === 'bars' ? 'lines' : kind);
  const label = seriesLabel(data);
  return {
    columns: [
      { name: 'year', heading: 'year' },
      // A product may be called like another column, so the names of columns are numbers.
      ...series.map((one, i) => ({ name: `${i}`, heading: label(one) })),
      { name: 'forecast', heading: 'forecast' },
    ],
    rows: yearsIn(series).map((year, i) => ({
      year,
      ...Object.fromEntries(series.map(({ points }, column) => [`${column}`, points[i]?.value ?? null])),
      forecast: forecastText(series, i),
    })),
  };
}

/** `all` or `some` for a year with forecasts, otherwise empty. */
function forecastText(series: readonly Series[], index: number): string {
  const shares = series.flatMap(({ points }) => {
    const { value = null, forecastShare = 0 } = points[index] ?? {};
    return value === null ? [] : [forecastShare];
  });
  if (shares.every((share) => share === 0)) return '';
  return shares.every((share) => share === 1) ? 'all' : 'some';
}

// Lists the filters that an answer has applied, for `meta.filters_applied`.

import type { Table } from '../catalog/columns.ts';
import type { RowSelection } from './parameters/parse.ts';
import { isInPeriod } from './parameters/period.ts';

/**
 * The values of each filter as the client gave them. A period is listed as years (ruling 8). These are all years of the
 * dataset within the period. When `year` is filtered too, they are the given years within the period.
 */
export function filtersApplied(
  { filters, period }: RowSelection,
  table: Table,
): Record<string, readonly string[]> {
  const applied: Record<string, readonly string[]> = Object.fromEntries(filters);
  if (!period) return applied;
  const years = filters.get('year') ?? table.dimensions.get('year')?.values ?? [];
  applied.year = years.filter((year) => isInPeriod(period, year));
  return applied;
}

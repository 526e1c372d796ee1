// Lists the filters that an answer has applied, for `meta.filters_applied`.

import type { Table } from '../catalog/columns.ts';
import type { RowQuery } from './parameters/parse.ts';
import { touches } from './parameters/period.ts';

/**
 * The values of each filter as the client gave them. A period is listed as years (ruling 8): the given years within the
 * period when `year` is filtered too, otherwise all years of the dataset within it.
 */
export function filtersApplied(
  { filters, period }: Pick<RowQuery, 'filters' | 'period'>,
  table: Table,
): Record<string, readonly string[]> {
  const applied: Record<string, readonly string[]> = Object.fromEntries(filters);
  if (!period) return applied;
  const years = filters.get('year') ?? table.dimensions.get('year')?.values ?? [];
  applied.year = years.filter((year) => touches(period, year));
  return applied;
}

// Tells which filters an answer has applied.

import type { Table } from '../catalog/columns.ts';
import type { RowQuery } from './parse.ts';
import { touches } from './period.ts';

/**
 * `meta.filters_applied`: values as given, and a period as its years (ruling 8). With a filter on `year`, these are the
 * given years within the period; else the dataset's years within it.
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

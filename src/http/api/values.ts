// GET /v1/values: the values of each dimension, each with its number of rows.

import type { Rendering } from '../../cache/rendering.ts';
import type { Table } from '../../catalog/columns.ts';
import { type DimensionName, datasetOf, dimensionOf } from '../../catalog/datasets.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { withoutColumns } from '../../query/computations/jobs.ts';
import { filtersApplied } from '../../query/filtersApplied.ts';
import { parseValues } from '../../query/parameters/parse.ts';
import { conditionsOf } from '../../query/selection/compile.ts';
import type { Endpoint, EndpointQuery, RenderSource } from './endpoint.ts';
import { jsonRendering } from './jsonRendering.ts';

type ValuesQuery = ReturnType<typeof parseValues> & EndpointQuery;

export const values: Endpoint<ValuesQuery> = {
  name: 'values',
  parse: parseValues,
  render,
};

async function render(
  query: ValuesQuery,
  { snapshot, computations, disconnectSignal }: RenderSource,
): Promise<Rendering> {
  const { dataset, dimensions } = query;
  const table = tableOf(snapshot, dataset);
  const conditions = conditionsOf(query, table);
  const listed = datasetOf(dataset).dimensions.filter((name) => dimensions?.includes(name) ?? true);
  const job = { tables: [table], conditions: withoutColumns(conditions), dimensions: listed } as const;
  const { rows, counts } = await computations.values([snapshot], job, disconnectSignal?.());
  const body = {
    meta: { dataset, filters_applied: filtersApplied(query, table), row_count: rows },
    values: Object.fromEntries(listed.map((name) => [name, listOf(table, name, counts.get(name))])),
  };
  return jsonRendering(body);
}

/** The values of a dimension, ascending. Values without rows are left out. */
function listOf(table: Table, name: DimensionName, counts: Uint32Array | undefined) {
  const isNumber = dimensionOf(name).type === 'integer';
  const values = table.dimensions.get(name)?.values ?? [];
  return values.flatMap((value, code) => {
    const rows = counts?.[code] ?? 0;
    return rows > 0 ? [{ value: isNumber ? Number(value) : value, row_count: rows }] : [];
  });
}

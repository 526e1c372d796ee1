// GET /v1/explain: a query as SQL, and as programs that fetch all its pages.

import { datasetOf, dimensionOf, isFinancial, metricNames } from '../../catalog/datasets.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { explainSql } from '../../query/explain/explainSql.ts';
import { PROGRAMS, type ProgramRequest } from '../../query/explain/programs.ts';
import { filtersApplied } from '../../query/filtersApplied.ts';
import { decodeQuery } from '../../query/parameters/decode.ts';
import type { RowQuery } from '../../query/parameters/parse.ts';
import { compile } from '../../query/selection/compile.ts';
import type { Endpoint, RenderSource } from './endpoint.ts';
import { jsonRendering } from './jsonRendering.ts';
import { checkRowsCursor, financials, reference } from './rows.ts';

type ExplainQuery = RowQuery & {
  readonly raw: string;
};

/** The endpoint. `publicUrl` is the beginning of the addresses in the programs, without a slash at the end. */
export const explain = (publicUrl: string): Endpoint<ExplainQuery> => ({
  // The name is part of the ETag, and the body depends on the address.
  name: `explain ${publicUrl}`,
  version: async (asOf) => (asOf === null ? '' : 'of a named snapshot'),
  parse(raw) {
    const names = decodeQuery(raw).map(([name]) => name);
    const isReference = names.includes('dataset') && !names.includes('metric');
    return { ...(isReference ? reference : financials).parse(raw), raw };
  },
  checkCursor: checkRowsCursor,
  render: async (query, source) => jsonRendering(await explanationOf(query, source, publicUrl)),
});

async function explanationOf(
  query: ExplainQuery,
  { snapshot, asOf, selector, disconnectSignal }: RenderSource,
  publicUrl: string,
) {
  const { dataset } = query;
  const table = tableOf(snapshot, dataset);
  const { rows } = await selector.select(snapshot, table, compile(query, table), disconnectSignal?.());
  // `row_count` is about the snapshot that the client names, so the programs must fetch the rows of the same snapshot.
  const isNamed = asOf !== null || query.cursor !== null;
  const request = programRequestOf(query, publicUrl, isNamed ? snapshot.id : null);
  const programs = Object.entries(PROGRAMS).map(([language, write]) => [language, write(request)]);
  return {
    meta: {
      dataset,
      ...(isFinancial(dataset) && { metric: dataset }),
      filters_applied: filtersApplied(query, table),
      row_count: rows,
    },
    sql: explainSql(query, snapshot.id),
    ...Object.fromEntries(programs),
  };
}

function programRequestOf(query: ExplainQuery, publicUrl: string, snapshot: string | null): ProgramRequest {
  const { dataset } = query;
  const isFlat = !isFinancial(dataset);
  return {
    url: `${publicUrl}/v1/${isFlat ? 'reference' : 'financials'}`,
    parameters: parametersOf(query),
    columns: [
      ...datasetOf(dataset).dimensions.map((name) => [name, dimensionOf(name).type] as const),
      ...metricNames(dataset).map((name) => [name, 'number'] as const),
    ],
    isFlat,
    dataset,
    snapshot,
  };
}

/** The parameters of the query without those that choose a page. */
const parametersOf = ({ raw }: ExplainQuery) =>
  decodeQuery(raw).filter(([name]) => name !== 'limit' && name !== 'cursor');

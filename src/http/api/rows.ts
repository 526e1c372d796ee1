// GET /v1/financials and GET /v1/reference: one page of rows (contract §4.1 and §4.3).

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Rendering } from '../../cache/rendering.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { decodeCursor, encodeCursor, expectSameWalk } from '../../query/cursor.ts';
import { filtersApplied } from '../../query/filtersApplied.ts';
import { parseFinancials, parseReference, type RowQuery } from '../../query/parameters/parse.ts';
import { frameOf } from '../../query/rendering/frame.ts';
import { draftRows } from '../../query/rendering/renderJson.ts';
import { compile } from '../../query/selection/compile.ts';
import { type Endpoint, type EndpointQuery, positionOf, type Source, withCursor } from './endpoint.ts';
import { PAGE_REPRESENTATIONS } from './negotiate.ts';

export interface RowsQuery extends RowQuery, EndpointQuery {
  readonly dataset: RowQuery['dataset'];
  readonly filters: RowQuery['filters'];
  /** The query string as it was sent. */
  readonly raw: string;
}

export const financials: Endpoint<RowsQuery> = rowsEndpoint('financials', 'metric', parseFinancials);

export const reference: Endpoint<RowsQuery> = rowsEndpoint('reference', 'dataset', parseReference);

function rowsEndpoint(
  name: string,
  datasetParameter: 'metric' | 'dataset',
  parse: (rawQuery: string) => RowQuery,
): Endpoint<RowsQuery> {
  return {
    name,
    representations: PAGE_REPRESENTATIONS,
    parse(raw) {
      const { dataset, filters, period, limitRows, cursor } = parse(raw);
      const cursorPosition = cursor === null ? null : decodeCursor(cursor);
      return { dataset, filters, period, limitRows, cursor, datasetParameter, raw, cursorPosition };
    },
    checkCursor(query, cursor, { fingerprint, datasets }) {
      expectSameWalk(cursor, query, { fingerprint, rows: datasets[query.dataset]?.rows ?? 0 });
    },
    render,
  };
}

/** Compiles the query, selects the page and begins to render it. */
async function render(query: RowsQuery, source: Source): Promise<Rendering> {
  const { snapshot, representation, selector, buffers, disconnectSignal } = source;
  const { dataset, limitRows } = query;
  const table = tableOf(snapshot, dataset);
  const compiled = compile(query, table);
  const wanted = { after: positionOf(query), limitRows };
  const { positions, hasMore } = await selector.page(snapshot, table, compiled, wanted, disconnectSignal);
  const last = positions.at(-1);
  const cursor = hasMore && last !== undefined ? encodeCursor(query, snapshot, last) : null;
  const page = {
    draftJson: (pool: BufferPool) =>
      draftRows({ table, positions, filtersApplied: filtersApplied(query, table), cursor }, pool),
    frame: () => frameOf(table, positions),
    rows: { table, positions },
  };
  return {
    begin: () => representation.draftPage(page, buffers),
    nextQuery: cursor === null ? null : withCursor(query.raw, cursor),
  };
}

// GET /v1/financials and GET /v1/reference: one page of rows (contract §4.1 and §4.3).

import type { BufferPool } from '../../cache/bufferPool.ts';
import type { Rendering } from '../../cache/rendering.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { type CursorPosition, encodeCursor, expectSameWalk } from '../../query/cursor.ts';
import { filtersApplied } from '../../query/filtersApplied.ts';
import { parseFinancials, parseReference, type RowQuery } from '../../query/parameters/parse.ts';
import { frameOf } from '../../query/rendering/frame.ts';
import { draftRows } from '../../query/rendering/renderJson.ts';
import { compile } from '../../query/selection/compile.ts';
import type { Endpoint, RenderSource } from './endpoint.ts';
import { PAGE_REPRESENTATIONS } from './negotiate.ts';

export const financials: Endpoint<RowQuery> = {
  name: 'financials',
  representations: PAGE_REPRESENTATIONS,
  parse: parseFinancials,
  checkCursor: checkRowsCursor,
  render,
};

export const reference: Endpoint<RowQuery> = { ...financials, name: 'reference', parse: parseReference };

/**
 * Checks that a cursor belongs to a walk over the rows of a dataset.
 *
 * @throws {ApiError} 400 when it does not.
 */
export function checkRowsCursor(
  query: RowQuery,
  cursor: CursorPosition,
  { fingerprint, datasets }: AnyManifest,
): void {
  expectSameWalk(cursor, query, { fingerprint, rows: datasets[query.dataset]?.rows ?? 0 });
}

async function render(query: RowQuery, source: RenderSource): Promise<Rendering> {
  const { snapshot, after, representation, selector, buffers, disconnectSignal } = source;
  const { dataset, limitRows } = query;
  const table = tableOf(snapshot, dataset);
  const compiled = compile(query, table);
  const request = { after, limitRows, disconnectSignal };
  const { positions, hasMore } = await selector.page(snapshot, table, compiled, request);
  const last = positions.at(-1);
  const cursor = hasMore && last !== undefined ? encodeCursor(query, snapshot, last) : null;
  const page = {
    draftJson: (pool: BufferPool) =>
      draftRows({ table, positions, filtersApplied: filtersApplied(query, table), cursor }, pool),
    frame: () => frameOf(table, positions),
    rows: { table, positions },
  };
  return { startDraft: () => representation.draftPage(page, buffers), nextCursor: cursor };
}

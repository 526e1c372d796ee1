// GET /v1/financials and GET /v1/reference: one page of rows (contract §4.1 and §4.3).

import type { Rendering } from '../../cache/responseCache.ts';
import { compile } from '../../query/compile.ts';
import { decodeCursor, encodeCursor, expectSameWalk } from '../../query/cursor.ts';
import { parseFinancials, parseReference, type RowQuery } from '../../query/parse.ts';
import { filtersApplied } from '../../query/render.ts';
import type { Endpoint, EndpointQuery, SnapshotFacts, Source } from './endpoint.ts';

interface RowsQuery extends RowQuery, EndpointQuery {
  /** The query string as it was sent. */
  readonly raw: string;
}

export const financials: Endpoint<RowsQuery> = rowsEndpoint('financials', parseFinancials);

export const reference: Endpoint<RowsQuery> = rowsEndpoint('reference', parseReference);

function rowsEndpoint(name: string, parse: (rawQuery: string) => RowQuery): Endpoint<RowsQuery> {
  return {
    name,
    parse(raw) {
      const query = parse(raw);
      return { ...query, raw, cursorPosition: query.cursor === null ? null : decodeCursor(query.cursor) };
    },
    check,
    render,
  };
}

function check(query: RowsQuery, { id, fingerprint, tables }: SnapshotFacts): void {
  if (query.cursorPosition === null) return;
  expectSameWalk(query.cursorPosition, query, { id, fingerprint, rows: tables[query.dataset].rows });
}

/** compile → select → page → render. */
async function render(query: RowsQuery, source: Source): Promise<Rendering> {
  const { snapshot, representation, selector, buffers, leaving } = source;
  const { dataset, limitRows, cursorPosition } = query;
  const table = snapshot.tables[dataset];
  const compiled = compile(query, table);
  const wanted = { after: cursorPosition?.position ?? -1, limitRows };
  const { positions, hasMore } = await selector.page(snapshot, dataset, compiled, wanted, leaving);
  const last = positions.at(-1);
  const cursor = hasMore && last !== undefined ? encodeCursor(query, snapshot, last) : null;
  return {
    begin: () =>
      representation.draftPage(
        { table, positions, filtersApplied: filtersApplied(query, table), cursor },
        buffers,
      ),
    followUp: cursor === null ? null : nextOf(query, cursor),
  };
}

/** Whoever has asked for one page after another will probably ask for the next one in the same words. */
const nextOf = ({ raw, cursor }: RowsQuery, next: string): string | null =>
  cursor === null ? null : raw.replace(cursor, next);

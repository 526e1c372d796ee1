// GET /v1/financials and GET /v1/reference: one page of rows (contract §4.1 and §4.3).

import type { Rendering } from '../../cache/responseCache.ts';
import { tableOf } from '../../catalog/snapshot.ts';
import { compile } from '../../query/compile.ts';
import { decodeCursor, encodeCursor, expectSameWalk } from '../../query/cursor.ts';
import { parseFinancials, parseReference, type RowQuery, unknownDataset } from '../../query/parse.ts';
import { filtersApplied } from '../../query/render.ts';
import type { Endpoint, EndpointQuery, Source } from './endpoint.ts';

export interface RowsQuery extends RowQuery, EndpointQuery {
  /** The query string as it was sent. */
  readonly raw: string;
}

export const financials: Endpoint<RowsQuery> = rowsEndpoint('financials', 'metric', parseFinancials);

export const reference: Endpoint<RowsQuery> = rowsEndpoint('reference', 'dataset', parseReference);

/** @param parameter names the dataset. */
function rowsEndpoint(
  name: string,
  parameter: 'metric' | 'dataset',
  parse: (rawQuery: string) => RowQuery,
): Endpoint<RowsQuery> {
  return {
    name,
    parse(raw) {
      const query = parse(raw);
      return { ...query, raw, cursorPosition: query.cursor === null ? null : decodeCursor(query.cursor) };
    },
    check(query, { fingerprint, datasets }) {
      const { dataset, cursorPosition } = query;
      const described = datasets[dataset];
      if (!described) throw unknownDataset(parameter, dataset);
      if (cursorPosition !== null)
        expectSameWalk(cursorPosition, query, { fingerprint, rows: described.rows });
    },
    render,
  };
}

/** compile → select → page → render. */
async function render(query: RowsQuery, source: Source): Promise<Rendering> {
  const { snapshot, representation, selector, buffers, leaving } = source;
  const { dataset, limitRows, cursorPosition } = query;
  const table = tableOf(snapshot, dataset);
  const compiled = compile(query, table);
  const wanted = { after: cursorPosition?.position ?? -1, limitRows };
  const { positions, hasMore } = await selector.page(snapshot, table, compiled, wanted, leaving);
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

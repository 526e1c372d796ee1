// A hook that loads the rows of a table page by page.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../api/answerQuestion.ts';
import type { Client } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';
import type { ReferenceRows, Rows } from '../api/responseTypes.ts';
import { type FlatRow, flatRows, tableQuery } from '../model/tableRows.ts';

export interface LoadedRows {
  readonly rows: readonly FlatRow[];
  /** The cursor of the next page; '' before the first page, null after the last. */
  readonly cursor: string | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

interface RowsOfQuery extends LoadedRows {
  readonly id: string;
}

export const PAGE_ROWS = 1000;

/**
 * Loads the first page of a selection at once, and the next one at each call of `loadMore`. If the service is away or
 * the limits of the key are used up, asks for the page again later.
 */
export function useRows(
  { selection, snapshot }: Answer,
  client: Client,
): { readonly loaded: LoadedRows; readonly loadMore: () => void } {
  const query = tableQuery(selection);
  const id = `${snapshot} ${JSON.stringify(query)}`;
  const [state, setState] = useState<RowsOfQuery>(() => noRowsYet(id));
  /**
   * The query whose rows are on the screen; null when the table is gone. Only pages of this query are requested again.
   */
  const onScreen = useRef<string | null>(null);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const load = async (before: RowsOfQuery, signal?: AbortSignal) => {
    if (before.cursor === null) return;
    clearTimeout(waiting.current);
    setState({ ...before, isLoading: true, failure: null });
    const cursor = before.cursor === '' ? [] : [['cursor', before.cursor] as const];
    const pairs = [...query.pairs, ['limit', String(PAGE_ROWS)] as const, ...cursor];
    const options = { snapshot, ...(signal && { signal }) };
    const reply = await client.ask<Rows | ReferenceRows>(query.path, pairs, options);
    if (signal?.aborted) return;
    // If another query has begun in the meantime, its rows stay.
    const finish = (next: RowsOfQuery) => setState((now) => (now.id === before.id ? next : now));
    if (reply.kind !== 'ok') {
      if ('waitSeconds' in reply && onScreen.current === before.id)
        waiting.current = setTimeout(() => void load(before, signal), reply.waitSeconds * 1000);
      return finish({ ...before, isLoading: false, failure: reply });
    }
    const rows = [...before.rows, ...flatRows(reply.body.data)];
    finish({ id, rows, cursor: reply.body.pagination.cursor, failure: null, isLoading: false });
  };
  useEffect(() => {
    const controller = new AbortController();
    onScreen.current = id;
    void load(noRowsYet(id), controller.signal);
    return () => {
      controller.abort();
      onScreen.current = null;
      clearTimeout(waiting.current);
    };
  }, [id]);
  // Before the effect has run, the state still belongs to the previous query.
  const current = state.id === id ? state : noRowsYet(id);
  return { loaded: current, loadMore: () => void load(current) };
}

const noRowsYet = (id: string): RowsOfQuery => ({ id, rows: [], cursor: '', failure: null, isLoading: true });

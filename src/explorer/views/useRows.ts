// A hook that loads the rows of a table page by page.

import { useEffect, useState } from 'preact/hooks';
import type { Shown } from '../api/answer.ts';
import type { Client, Failure } from '../api/client.ts';
import type { ReferenceRows, Rows } from '../api/shapes.ts';
import { type FlatRow, flatRows, tableQuery } from '../model/table.ts';

export interface LoadedRows {
  readonly rows: readonly FlatRow[];
  /** '' before the first page, null after the last. */
  readonly cursor: string | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}

/** The rows of one query. */
interface RowsOf extends LoadedRows {
  readonly id: string;
}

export const PAGE_ROWS = 1000;

/** Loads the first page of the selection at once, and the next one whenever `loadMore` is called. */
export function useRows(
  { counted, snapshot }: Shown,
  client: Client,
): { readonly loaded: LoadedRows; readonly loadMore: () => void } {
  const query = tableQuery(counted.selection);
  const id = `${snapshot} ${JSON.stringify(query)}`;
  const [state, setState] = useState<RowsOf>(() => nothing(id));
  const load = async (before: RowsOf, signal?: AbortSignal) => {
    if (before.cursor === null) return;
    setState({ ...before, isLoading: true, failure: null });
    const cursor = before.cursor === '' ? [] : [['cursor', before.cursor] as const];
    const pairs = [...query.pairs, ['limit', String(PAGE_ROWS)] as const, ...cursor];
    const options = { snapshot, ...(signal && { signal }) };
    const reply = await client.ask<Rows | ReferenceRows>(query.path, pairs, options);
    if (signal?.aborted) return;
    // Another question may have been asked meanwhile. Its rows stay.
    const finish = (next: RowsOf) => setState((now) => (now.id === before.id ? next : now));
    if (reply.kind !== 'ok') return finish({ ...before, isLoading: false, failure: reply });
    const rows = [...before.rows, ...flatRows(reply.body.data)];
    finish({ id, rows, cursor: reply.body.pagination.cursor, failure: null, isLoading: false });
  };
  useEffect(() => {
    const controller = new AbortController();
    void load(nothing(id), controller.signal);
    return () => controller.abort();
  }, [id]);
  // Until the effect has run, the state still belongs to the previous query.
  const current = state.id === id ? state : nothing(id);
  return { loaded: current, loadMore: () => void load(current) };
}

const nothing = (id: string): RowsOf => ({ id, rows: [], cursor: '', failure: null, isLoading: true });

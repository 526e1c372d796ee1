// Finds the rows of a compiled query, with a short scan in memory or with the engine, within limits.

import { CACHES, type Caches } from '../../cache/caches.ts';
import type { Table } from '../../catalog/columns.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { Observe, SelectionPath } from '../../observations.ts';
import type { CompiledQuery, Statement } from './compile.ts';
import { type Page, type PageRequest, pageOf, type Selection } from './cutPage.ts';
import { runOnSnapshots } from './runOnSnapshots.ts';
import { runStatement } from './runStatement.ts';
import { scan } from './scan.ts';

/** Finds rows with a scan or with the engine. */
export interface Selector {
  /**
   * One page of the rows that a query selects from a table of the snapshot. The engine runs when a scan of
   * `scannedRows` rows does not find the page. The caller must have acquired the snapshot.
   *
   * @throws {ApiError} 503 as `select` does.
   */
  page(snapshot: Snapshot, table: Table, compiled: CompiledQuery, request: ClientPageRequest): Promise<Page>;
  /**
   * All rows that a query selects, from the engine. Repeated and concurrent calls for the same selection share one run.
   * The caller must have acquired the snapshot.
   *
   * @throws {ApiError} 503 when the engine cannot answer in time, the queue is full, or `signal` aborts.
   */
  select(snapshot: Snapshot, table: Table, compiled: CompiledQuery, signal?: AbortSignal): Promise<Selection>;
}

/** A page that a client may be waiting for. */
interface ClientPageRequest extends PageRequest {
  /**
   * Creates the signal that aborts when the client leaves. It is called only when the engine runs, and before `page`
   * returns its promise.
   */
  readonly disconnectSignal?: (() => AbortSignal) | undefined;
}

export interface SelectorOptions {
  /** How long a caller waits for its result, including the wait in the queue. */
  readonly deadlineMs: number;
  /** How many statements run at the same time, on all snapshots together. */
  readonly permits: number;
  /** How many statements may wait in the queue. */
  readonly maxWaiting: number;
  readonly cacheBytes: number;
  /** How many rows are scanned on the event loop before the engine runs. */
  readonly scannedRows: number;
}

/** The options with which a server selects. Tests set others. */
export const SELECTOR_DEFAULTS: SelectorOptions = {
  deadlineMs: 5000,
  permits: 8,
  maxWaiting: 64,
  cacheBytes: 64 * 2 ** 20,
  // Scanning this many rows takes a fifth of a millisecond. The engine takes longer to plan a statement.
  scannedRows: 2 ** 17,
};

/** Selects within `options`, which apply to all snapshots of the process together. */
export function createSelector(
  options: SelectorOptions,
  caches: Caches = CACHES,
  observe: Observe = () => {},
): Selector {
  const semaphore = caches.semaphore(options, 'engine');
  const selections = caches.lruCache<Selection>(options.cacheBytes, 'selections');
  const flights = caches.singleFlight<Selection>(options.deadlineMs);

  const run = (key: string, snapshot: Snapshot, statement: Statement, stop: AbortSignal) =>
    runOnSnapshots([snapshot], semaphore, stop, async (): Promise<Selection> => {
      const positions = await runStatement(snapshot, statement, stop);
      const selection = { rows: positions.length, positions };
      selections.set(key, selection, positions.byteLength + 2 * key.length + ENTRY_BYTES);
      return selection;
    });

  const search = (key: string, snapshot: Snapshot, statement: Statement, signal?: AbortSignal) =>
    flights.run(key, (stop) => run(key, snapshot, statement, stop), signal);

  return {
    async page(snapshot, table, compiled, request) {
      const report = (path: SelectionPath) => observe({ event: 'rows selected', path });
      if (typeof compiled === 'string') {
        report('known');
        return pageOf(wholeSelection(compiled, table), request);
      }
      const scanned = scan(table, compiled.conditions, request, { maxRows: options.scannedRows });
      if (scanned !== null) {
        report('scan');
        return scanned;
      }
      const key = keyOf(snapshot, compiled);
      const known = selections.get(key);
      report(known === undefined ? 'engine' : 'known');
      const selection = known ?? (await search(key, snapshot, compiled, request.disconnectSignal?.()));
      return pageOf(selection, request);
    },
    async select(snapshot, table, compiled, signal) {
      if (typeof compiled === 'string') return wholeSelection(compiled, table);
      const key = keyOf(snapshot, compiled);
      return selections.get(key) ?? search(key, snapshot, compiled, signal);
    },
  };
}

/** A selection that needs no search. */
const wholeSelection = (compiled: Exclude<CompiledQuery, Statement>, table: Table): Selection => ({
  rows: compiled === 'nothing' ? 0 : table.rows,
  positions: null,
});

const keyOf = ({ id, fingerprint }: Snapshot, { text, values }: Statement) =>
  `${id} ${fingerprint} ${text} ${values}`;

/** The measured memory of a cached selection, without its positions and its key. */
const ENTRY_BYTES = 1024;

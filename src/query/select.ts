// Finds what a compiled query selects: by looking at few rows, or by the engine, with a deadline and a bounded queue.

import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBPreparedStatement } from '@duckdb/node-api';
import { keepWithin } from '../cache/lruCache.ts';
import { createSlots } from '../cache/semaphore.ts';
import { type Shared, share } from '../cache/singleFlight.ts';
import type { CodeType } from '../catalog/columns.ts';
import type { DatasetName } from '../catalog/datasets.ts';
import type { Snapshot } from '../catalog/snapshot.ts';
import { numbersOf } from '../catalog/vectors.ts';
import { unavailable } from '../errors.ts';
import type { Compiled, Statement } from './compile.ts';
import { type Page, type PageAsked, pageOf, type Selection } from './page.ts';
import { scan } from './scan.ts';

export interface Selector {
  /**
   * One page of the rows that a query selects. The engine is asked when the page is not found among the first
   * `scannedRows` rows that could be on it. The caller holds the snapshot.
   *
   * `leaving` is called, if at all, before this returns.
   *
   * @throws {ApiError} 503 as `select` does.
   */
  page(
    snapshot: Snapshot,
    dataset: DatasetName,
    compiled: Compiled,
    asked: PageAsked,
    leaving?: () => AbortSignal,
  ): Promise<Page>;
  /**
   * All rows that a query selects, by the engine. Asked again, or by several at once, it runs once. The caller holds
   * the snapshot.
   *
   * @throws {ApiError} 503 when the engine cannot answer in time, too many wait, or `signal` aborts.
   */
  select(
    snapshot: Snapshot,
    dataset: DatasetName,
    compiled: Compiled,
    signal?: AbortSignal,
  ): Promise<Selection>;
}

export interface SelectorOptions {
  /** From the question to the answer, waiting included. */
  readonly deadlineMs: number;
  /** Statements that run at once, over all snapshots; no more than a snapshot has connections. */
  readonly running: number;
  readonly waiting: number;
  /** What kept selections may take. */
  readonly keptBytes: number;
  /** Rows that are looked at, on the event loop, before the engine is asked. */
  readonly scannedRows: number;
}

export const SELECTOR_DEFAULTS: SelectorOptions = {
  deadlineMs: 5000,
  running: 8,
  waiting: 64,
  keptBytes: 64 * 2 ** 20,
  // Half a millisecond; the engine takes as long to plan.
  scannedRows: 2 ** 17,
};

export function createSelector(options: SelectorOptions = SELECTOR_DEFAULTS): Selector {
  const slots = createSlots(options);
  const kept = keepWithin<Selection>(options.keptBytes);
  const asked = new Map<string, Shared<Selection>>();

  async function run(snapshot: Snapshot, statement: Statement, stop: AbortSignal): Promise<Selection> {
    // Whoever asked may be gone before the engine has stopped.
    const release = snapshot.hold();
    const leave = await slots.enter(stop).catch((refusal: unknown) => {
      release();
      throw refusal;
    });
    const idle = idleEngines(snapshot);
    const engine = idle.pop();
    try {
      if (!engine) throw new Error('more statements run at once than the snapshot has connections');
      const positions = await positionsOf(engine, statement, stop);
      return { rows: positions.length, positions };
    } finally {
      if (engine) idle.push(engine);
      leave();
      release();
    }
  }

  function ask(key: string, snapshot: Snapshot, statement: Statement): Shared<Selection> {
    const work = share((stop) => run(snapshot, statement, stop), options.deadlineMs);
    const forget = () => {
      if (asked.get(key) === work) asked.delete(key);
    };
    work.done.then((selection) => {
      const positionBytes = selection.rows * Uint32Array.BYTES_PER_ELEMENT;
      kept.set(key, selection, positionBytes + 2 * key.length + ENTRY_BYTES);
      forget();
    }, forget);
    asked.set(key, work);
    return work;
  }

  const selector: Selector = {
    async page(snapshot, dataset, compiled, place, leaving) {
      const isOpen = typeof compiled !== 'string' && kept.get(keyOf(snapshot, compiled)) === undefined;
      const near = isOpen
        ? scan(snapshot.tables[dataset], compiled.conditions, place, options.scannedRows)
        : null;
      return near ?? pageOf(await selector.select(snapshot, dataset, compiled, leaving?.()), place);
    },
    async select(snapshot, dataset, compiled, signal) {
      if (compiled === 'nothing') return { rows: 0, positions: null };
      if (compiled === 'everything') return { rows: snapshot.tables[dataset].rows, positions: null };
      const key = keyOf(snapshot, compiled);
      const known = kept.get(key);
      if (known) return known;
      const running = asked.get(key);
      return (running && !running.stopped() ? running : ask(key, snapshot, compiled)).join(signal);
    },
  };
  return selector;
}

const keyOf = ({ id, fingerprint }: Snapshot, { text, values }: Statement) =>
  `${id} ${fingerprint} ${text} ${values}`;

/** Measured: what a kept selection takes besides its positions and its key. */
const ENTRY_BYTES = 1024;

/** A connection with the statements it has prepared: planning starts anew at every run, parsing need not. */
interface Engine {
  readonly connection: DuckDBConnection;
  readonly prepared: Map<string, DuckDBPreparedStatement>;
}

const engines = new WeakMap<Snapshot, Engine[]>();

function idleEngines(snapshot: Snapshot): Engine[] {
  let idle = engines.get(snapshot);
  if (!idle) {
    idle = snapshot.connections.map((connection) => ({ connection, prepared: new Map() }));
    engines.set(snapshot, idle);
  }
  return idle;
}

/** @throws {ApiError} 503 when told to stop. */
async function positionsOf(engine: Engine, statement: Statement, stop: AbortSignal): Promise<Uint32Array> {
  const interruption = interruptOn(stop, engine.connection);
  try {
    const prepared = await prepare(engine, statement.text);
    statement.values.forEach((value, i) => {
      BIND[statement.types[i] ?? 'UINTEGER'](prepared, i + 1, value);
    });
    if (stop.aborted) throw unavailable();
    return ascending(copyPositions(await prepared.run()));
  } catch (cause) {
    throw stop.aborted ? unavailable() : cause;
  } finally {
    interruption.end();
  }
}

function interruptOn(stop: AbortSignal, connection: DuckDBConnection): { end: () => void } {
  let again: ReturnType<typeof setInterval> | undefined;
  const interrupt = () => {
    connection.interrupt();
    // A statement that has not quite begun forgets an interruption.
    again = setInterval(() => connection.interrupt(), 20);
  };
  stop.addEventListener('abort', interrupt);
  return {
    end() {
      stop.removeEventListener('abort', interrupt);
      clearInterval(again);
    },
  };
}

/** Per connection; one takes about 15 KB. */
const MAX_PREPARED = 256;

async function prepare({ connection, prepared }: Engine, text: string): Promise<DuckDBPreparedStatement> {
  const known = prepared.get(text);
  prepared.delete(text);
  const statement = known ?? (await connection.prepare(text));
  prepared.set(text, statement);
  const [oldest] = prepared;
  if (oldest && prepared.size > MAX_PREPARED) {
    prepared.delete(oldest[0]);
    oldest[1].destroySync();
  }
  return statement;
}

const BIND: Record<CodeType, (statement: DuckDBPreparedStatement, index: number, value: number) => void> = {
  UTINYINT: (statement, index, value) => statement.bindUTinyInt(index, value),
  USMALLINT: (statement, index, value) => statement.bindUSmallInt(index, value),
  UINTEGER: (statement, index, value) => statement.bindUInteger(index, value),
};

function copyPositions(result: DuckDBMaterializedResult): Uint32Array {
  const positions = new Uint32Array(result.rowCount);
  let filled = 0;
  for (let i = 0; i < result.chunkCount; i++) {
    const numbers = numbersOf(result.getChunk(i), 0);
    positions.set(numbers, filled);
    filled += numbers.length;
  }
  return positions;
}

/** One thread scans in order; should the engine ever do otherwise, the order is still the contract's. */
function ascending(positions: Uint32Array): Uint32Array {
  for (let i = 1; i < positions.length; i++) {
    if ((positions[i] ?? 0) < (positions[i - 1] ?? 0)) return positions.sort();
  }
  return positions;
}

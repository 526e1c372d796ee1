// Runs statements on a snapshot's DuckDB connections. A statement is prepared once, and can be interrupted.

import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBPreparedStatement } from '@duckdb/node-api';
import { getOrInsert } from '../../basics/maps.ts';
import type { CodeType } from '../../catalog/columns.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import { interruptOn, numbersOf } from '../../duckdb.ts';
import { unavailable } from '../../errors.ts';
import type { Statement } from './compile.ts';

/**
 * The row positions that a statement selects, ascending. Waits until one of the snapshot's connections is free.
 *
 * The caller must keep the snapshot leased until the promise settles.
 *
 * @throws {ApiError} 503 when `stop` aborts. The statement has stopped by then.
 */
export async function runStatement(
  snapshot: Snapshot,
  statement: Statement,
  stop: AbortSignal,
): Promise<Uint32Array> {
  const pool = connectionPoolOf(snapshot);
  const engine =
    pool.idle.pop() ?? (await new Promise<PreparedConnection>((resolve) => pool.waiting.push(resolve)));
  try {
    return await positionsOf(engine, statement, stop);
  } finally {
    const next = pool.waiting.shift();
    if (next) next(engine);
    else pool.idle.push(engine);
  }
}

interface ConnectionPool {
  readonly idle: PreparedConnection[];
  readonly waiting: ((engine: PreparedConnection) => void)[];
}

/**
 * A connection and its prepared statements by their text. DuckDB parses a statement once, and plans it at every run.
 */
interface PreparedConnection {
  readonly connection: DuckDBConnection;
  readonly prepared: Map<string, DuckDBPreparedStatement>;
}

// The pool of a snapshot lives as long as the snapshot does.
const connectionPools = new WeakMap<Snapshot, ConnectionPool>();

const connectionPoolOf = (snapshot: Snapshot): ConnectionPool =>
  getOrInsert(connectionPools, snapshot, () => ({
    idle: snapshot.connections.map((connection) => ({ connection, prepared: new Map() })),
    waiting: [],
  }));

async function positionsOf(
  engine: PreparedConnection,
  statement: Statement,
  stop: AbortSignal,
): Promise<Uint32Array> {
  const { text, values, types } = statement;
  const interruption = interruptOn(stop, engine.connection);
  try {
    const prepared = await prepare(engine, text);
    values.forEach((value, i) => {
      BIND[types[i] ?? 'UINTEGER'](prepared, i + 1, value);
    });
    if (stop.aborted) throw unavailable();
    return ascending(copyPositions(await prepared.run()));
  } catch (cause) {
    throw stop.aborted ? unavailable() : cause;
  } finally {
    interruption.end();
  }
}

/** The most prepared statements of a connection. Each takes about 15 KB. */
const MAX_PREPARED_STATEMENTS = 256;

async function prepare(
  { connection, prepared }: PreparedConnection,
  text: string,
): Promise<DuckDBPreparedStatement> {
  const known = prepared.get(text);
  prepared.delete(text);
  const statement = known ?? (await connection.prepare(text));
  prepared.set(text, statement);
  const [oldest] = prepared;
  if (oldest && prepared.size > MAX_PREPARED_STATEMENTS) {
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

/**
 * The positions, ascending. A scan with one thread gives them in this order. They are sorted only in case DuckDB ever gives
 * another order.
 */
function ascending(positions: Uint32Array): Uint32Array {
  for (let i = 1; i < positions.length; i++) {
    if ((positions[i] ?? 0) < (positions[i - 1] ?? 0)) return positions.sort();
  }
  return positions;
}

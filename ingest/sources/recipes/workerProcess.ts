// Runs the SELECTs of a recipe in a process that may be killed: an engine at work cannot always be interrupted.

import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Said } from '../../messages/fault.ts';
import { whyNot } from './allowed.ts';
import { databaseIn, openDatabase, resultOf } from './engine.ts';

export interface Limits {
  /** For each SELECT. */
  readonly deadlineMs: number;
  readonly mostMemoryBytes: number;
  /** Of the recipe's tables and results together. */
  readonly mostDiskBytes: number;
}

/** What the ingest process asks for. */
export interface Order {
  readonly workDir: string;
  readonly selects: readonly (readonly [dataset: DatasetName, sql: string])[];
  readonly limits: Limits;
}

/** What it is told. */
export type Report =
  | { readonly begun: DatasetName }
  /** Null when its result is there. */
  | { readonly ended: DatasetName; readonly fault: Said | null }
  /** More than is allowed: the ingest process kills this one. */
  | { readonly excess: 'memory' | 'disk' }
  /** A failure that is not the recipe's. */
  | { readonly failure: string };

const tell = (report: Report) => process.send?.(report);

/** How often memory and disk are measured. The engine has threads of its own, so this one is always free to. */
const LOOK_MS = 50;

async function obey({ workDir, selects, limits }: Order): Promise<void> {
  setInterval(() => {
    if (process.memoryUsage.rss() > limits.mostMemoryBytes) tell({ excess: 'memory' });
    if (bytesOf(databaseIn(workDir)) > limits.mostDiskBytes) tell({ excess: 'disk' });
  }, LOOK_MS).unref();
  const instance = await openDatabase(workDir);
  const connection = await instance.connect();
  for (const setting of SAME_ROWS_EVERYWHERE) await connection.run(setting);
  await connection.run('SET lock_configuration = true');
  for (const [dataset, sql] of selects) {
    tell({ begun: dataset });
    tell({ ended: dataset, fault: await faultOf(connection, dataset, sql) });
  }
  connection.closeSync();
  instance.closeSync();
}

/**
 * The same sources give the same rows on every machine: texts of times do not depend on its time zone, and one thread adds
 * in the rows' order, so that sums agree to the last digit.
 */
const SAME_ROWS_EVERYWHERE = ["SET TimeZone = 'UTC'", 'SET threads = 1'];

async function faultOf(
  connection: DuckDBConnection,
  dataset: DatasetName,
  sql: string,
): Promise<Said | null> {
  try {
    const reason = await whyNot(connection, sql);
    if (reason === null) await connection.run(`CREATE TABLE ${resultOf(dataset)} AS ${sql}`);
    return reason;
  } catch (error) {
    return { problem: worded(error), remedy: null };
  }
}

/** DuckDB's message on one line, with the line of the SQL it points at. */
const worded = (error: unknown): string =>
  String(error)
    .replace(/^Error: /, '')
    .replace(/^Failed to extract statements: /, '')
    .replace(/\n\nLINE (\d+): ?([^\n]*)\n[\s^]*$/, (_, line, text) => ` (line ${line}: ${text.trim()})`)
    .replace(/\s*\n\s*/g, ' ');

function bytesOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** The ingest process is gone. An orderly exit would wait for the engine. */
const die = () => process.kill(process.pid, 'SIGKILL');
process.once('disconnect', die);
process.once('message', (order: Order) => {
  void obey(order)
    .catch((error: unknown) => tell({ failure: String(error).replace(/^Error: /, '') }))
    .finally(() => {
      process.off('disconnect', die);
      process.disconnect();
    });
});

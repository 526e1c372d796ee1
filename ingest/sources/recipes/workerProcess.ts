// Runs the SELECTs of a recipe in a process that can be killed, because a busy DuckDB cannot always be interrupted.

import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows } from '../../../src/duckdb.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { listed } from '../../messages/numbers.ts';
import { nearestWord } from '../../messages/spelling.ts';
import { databaseIn, openDatabase } from './recipeDatabase.ts';
import { refusalOf } from './sqlPolicy.ts';

/** The limits of time, memory and disk for the SELECTs. */
export interface Limits {
  /** The most time that each SELECT may take. */
  readonly deadlineMs: number;
  readonly mostMemoryBytes: number;
  /** The most bytes on disk of all tables and results together. */
  readonly mostDiskBytes: number;
}

/** A SELECT of the recipe. */
export interface Select {
  /** The name of its file without `.sql`. */
  readonly name: string;
  readonly sql: string;
  /** The SQL name of the table to create from its rows. */
  readonly into: string;
}

/** The message of the ingest process to this process. */
export interface Request {
  readonly workDir: string;
  /** The SELECTs in the order in which they run. A SELECT may read the tables of those before it. */
  readonly selects: readonly Select[];
  readonly limits: Limits;
}

/** A message of this process to the ingest process. */
export type Report =
  | { readonly begun: string }
  /** `fault` is null when the table was created. */
  | { readonly ended: string; readonly fault: Diagnostic | null }
  /** A limit is exceeded. The ingest process then kills this process. */
  | { readonly excess: 'memory' | 'disk' }
  /** A failure that the recipe did not cause. */
  | { readonly failure: string };

const report = (message: Report) => process.send?.(message);

/** How often memory and disk are measured. DuckDB works in other threads, so this thread is free to measure. */
const MEASURE_MS = 50;

async function run({ workDir, selects, limits }: Request): Promise<void> {
  setInterval(() => {
    if (process.memoryUsage.rss() > limits.mostMemoryBytes) report({ excess: 'memory' });
    if (bytesOf(databaseIn(workDir)) > limits.mostDiskBytes) report({ excess: 'disk' });
  }, MEASURE_MS).unref();
  const database = await openDatabase(workDir);
  const [connection] = database.connections;
  for (const setting of SAME_ROWS_EVERYWHERE) await connection.run(setting);
  await connection.run('SET lock_configuration = true');
  for (const select of selects) {
    report({ begun: select.name });
    report({ ended: select.name, fault: await faultOf(connection, select) });
  }
  database.close();
}

/**
 * With these settings, the same sources give the same rows on every machine. Texts of times do not depend on the time zone
 * of the machine. A single thread adds in the order of the rows, so that sums agree to the last digit.
 */
const SAME_ROWS_EVERYWHERE = ["SET TimeZone = 'UTC'", 'SET threads = 1'];

async function faultOf(connection: DuckDBConnection, { sql, into }: Select): Promise<Diagnostic | null> {
  try {
    const reason = await refusalOf(connection, sql);
    if (reason === null) await connection.run(`CREATE TABLE ${into} AS ${sql}`);
    return reason;
  } catch (error) {
    const missing = MISSING_TABLE.exec(String(error))?.[1];
    return missing === undefined
      ? { problem: worded(error), remedy: null }
      : noSuchTable(missing, await tablesOf(connection));
  }
}

/**
 * Matches DuckDB's message about a missing table, which is not shown, because it suggests tables that recipes may not read.
 */
const MISSING_TABLE = /Catalog Error: Table with name (.+?) does not exist!/s;

function noSuchTable(name: string, tables: readonly string[]): Diagnostic {
  const known = nearestWord(name, tables);
  return {
    problem: `reads a table "${name}", which the recipe does not have`,
    remedy: known === undefined ? `it has ${listed(tables, MOST_TABLES)}` : `did you mean "${known}"?`,
  };
}

const MOST_TABLES = 20;

/** The names of the tables that a SELECT may read: those of recipe.json, of its .csv files and of the steps before it. */
async function tablesOf(connection: DuckDBConnection): Promise<string[]> {
  const found = await queryRows(
    connection,
    "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY table_oid",
  );
  return found.map(([name]) => String(name));
}

/** The message of DuckDB on one line, with the line of the SQL to which it points. */
const worded = (error: unknown): string =>
  String(error)
    .replace(/^Error: /, '')
    .replace(/^Failed to extract statements: /, '')
    .replace(/\n\nLINE (\d+): ?([^\n]*)\n[\s^]*$/, (_, line, text) => ` (line ${line}: ${text.trim()})`)
    .replace(/(?<!\s)\s*\n\s*/g, ' ');

function bytesOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** Ends this process when the ingest process has ended. An orderly exit would wait for DuckDB. */
const die = () => process.kill(process.pid, 'SIGKILL');
process.once('disconnect', die);
process.once('message', (request: Request) => {
  void run(request)
    .catch((error: unknown) => report({ failure: String(error).replace(/^Error: /, '') }))
    .finally(() => {
      process.off('disconnect', die);
      process.disconnect();
    });
});

// Opens the DuckDB engine of a staging database, and limits its memory.

import path from 'node:path';
import { type DuckDBConnection, type DuckDb, literal, openDuckDb } from '../../../src/duckdb.ts';
import { usableBytes } from '../../../src/system/machine.ts';

/** The connections of an engine: one adds the rows, and three more run statements at the same time. */
export const CONNECTIONS = 4;

/**
 * The memory limit for the usual month on a machine, or in a container, with `machineBytes`. With two fifths of a small
 * container, a csv of a million rows is published in 256 MB. With more, the kernel would kill the command.
 */
export const usualMemoryBytes = (machineBytes: number): number =>
  Math.min(384e6, Math.floor(machineBytes * 0.4));

const MEMORY_BYTES = usualMemoryBytes(usableBytes());

/**
 * The most memory for each row that the checks of a large dataset use. Even for 8 million rows the usual limit is enough,
 * but the checks then write intermediate results to the disk.
 */
const CHECKED_BYTES_PER_ROW = 96;

const SETTINGS = { memory_limit: `${MEMORY_BYTES}B` };

/** Opens an engine that spills into `workDir`. */
export const openEngine = (workDir: string): Promise<DuckDb> =>
  openDuckDb({ connections: CONNECTIONS, settings: { ...SETTINGS, temp_directory: spillOf(workDir) } });

/** Opens an engine with one thread, before its folder is known. It needs `spillInto` before it has rows. */
export const openEngineWithoutSpill = (): Promise<DuckDb> =>
  openDuckDb({ connections: CONNECTIONS, settings: { ...SETTINGS, threads: '1' } });

/** Lets an engine spill into `workDir`. */
export async function spillInto({ connections: [connection] }: DuckDb, workDir: string): Promise<void> {
  await connection.run(`SET temp_directory = ${literal(spillOf(workDir))}`);
}

const spillOf = (workDir: string): string => path.join(workDir, 'spill');

/**
 * Raises the memory limit for a month with `rows` rows, because its checks group all of them. The limit is at most half of
 * `machineBytes`, the memory that this process may use.
 */
export async function raiseMemoryLimit(
  connection: DuckDBConnection,
  rows: number,
  machineBytes: number,
): Promise<void> {
  const bytes = Math.min(rows * CHECKED_BYTES_PER_ROW, machineBytes / 2);
  if (bytes > MEMORY_BYTES) await connection.run(`SET memory_limit = '${Math.floor(bytes)}B'`);
}

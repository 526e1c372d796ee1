// Sends queries without repetitions to a server with small caches, in a separate process, and measures its memory.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { distProgram } from './distProgram.ts';
import { NEVER_REPEATED_ROWS } from './neverRepeatedQueries.ts';
import { publishSql } from './snapshot.ts';

export interface MemoryAfterQueries {
  /** For each cache by its name, the bytes that it reports and its capacity. */
  readonly caches: Readonly<Record<string, { readonly bytes: number; readonly capacityBytes: number }>>;
  /** The growth of the heap and the buffers while the caches filled. */
  readonly grownBytes: number;
}

/** Publishes rows, sends `before` queries without caches and then `count` with them, and measures the memory. */
export async function askNeverRepeated(
  dataDir: string,
  count: number,
  before: number,
): Promise<MemoryAfterQueries> {
  await publishSql(dataDir, '2026-11.1', { ggr: NEVER_REPEATED_ROWS });
  const program = await distProgram('test/long/programs/askNeverRepeated.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', program, dataDir, String(count), String(before)],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  return JSON.parse(stdout) as MemoryAfterQueries;
}

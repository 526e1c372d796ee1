// Holds the lock of a data directory in another process: `const child = await startLockHolder(file)`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts another process that holds the lock `file` until it is killed. */
export async function startLockHolder(file: string): Promise<ChildProcess> {
  const script = `import { DuckDBInstance } from '@duckdb/node-api';
    await DuckDBInstance.create(process.argv[1]); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

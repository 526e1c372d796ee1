// The lock of a data directory belongs to one process, and ends with it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDuckDb } from '../../src/duckdb.ts';
import { LockedError, lock as lockAlone } from '../../src/store/lock.ts';
import { aDataDir } from '../support/snapshot.ts';

let file: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  const made = await aDataDir();
  file = path.join(made.dataDir, 'ingest.lock');
  remove = made.remove;
});
afterEach(() => remove());

/** Starts another process that holds the lock until it is killed. */
async function holder() {
  const script = `import { DuckDBInstance } from '@duckdb/node-api';
    await DuckDBInstance.create(process.argv[1]); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/** Takes the lock with an engine that is already open. */
async function lockWithin(file: string) {
  const engine = await openDuckDb({ settings: { threads: '1' } });
  try {
    const { release } = await lockAlone(file, engine);
    return { release: () => release().finally(engine.close) };
  } catch (error) {
    engine.close();
    throw error;
  }
}

describe.each([
  ['in an engine of its own', (path: string) => lockAlone(path)],
  ['in an open engine', lockWithin],
])('%s', (_, lock) => {
  it('refuses while another process holds it, and names that process', async () => {
    const child = await holder();
    try {
      const refused = lock(file);
      await expect(refused).rejects.toThrow(LockedError);
      await expect(refused).rejects.toThrow(`another ingest is running (process ${child.pid})`);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('is free again as soon as its holder is killed', async () => {
    const child = await holder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lock(file)).release();
  });

  it.each([
    ['half-written', 'half'],
    ['with other bytes', 'x'.repeat(20_000)],
    ['empty', ''],
  ])('can be taken although a crash left its file %s, by one process alone', async (_, content) => {
    await writeFile(file, content);
    const { ino } = await stat(file);
    const taken = await lock(file);
    // Another process that found the file damaged at the same time opens the same file, and is refused.
    expect((await stat(file)).ino).toBe(ino);
    await taken.release();
    await (await lock(file)).release();
  });

  it('is held until it is released', async () => {
    const held = await lock(file);
    const script = `import { DuckDBInstance } from '@duckdb/node-api';
      await DuckDBInstance.create(process.argv[1]).then(() => console.log('taken'), ({ message }) => console.log(message));`;
    const other = () =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script, file], { encoding: 'utf8' }).stdout;
    expect(other()).toContain(`(PID ${process.pid})`);
    await held.release();
    expect(other()).toBe('taken\n');
  });
});

it('is released although a statement of its engine runs', async () => {
  const engine = await openDuckDb({ connections: 2, settings: { threads: '1' } });
  const [busy] = engine.connections;
  const { release } = await lockAlone(file, engine);
  const running = busy.run('SELECT sum(range * 2) FROM range(100_000_000_000)').catch(() => 'interrupted');
  await release();
  await (await lockAlone(file)).release();
  busy.interrupt();
  expect(await running).toBe('interrupted');
  engine.close();
});

it('ends with its engine when that refuses every statement', async () => {
  const engine = await openDuckDb({ settings: { threads: '1' } });
  const { release } = await lockAlone(file, engine);
  engine.close();
  await release();
  await (await lockAlone(file)).release();
});

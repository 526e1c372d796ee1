// The lock of a data directory belongs to one process, and ends with it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDuckDb } from '../../src/duckdb.ts';
import { LockedError, lock as lockAlone, lockRefusal } from '../../src/store/lock.ts';
import { startLockHolder } from '../support/lockHolder.ts';
import { aDataDir } from '../support/snapshot.ts';

let file: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  const made = await aDataDir();
  file = path.join(made.dataDir, 'ingest.lock');
  remove = made.remove;
});
afterEach(() => remove());

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

const LOCKS = [
  ['in an engine of its own', (path: string) => lockAlone(path)],
  ['in an open engine', lockWithin],
] as const;

describe('a lock in an engine of its own or in an open engine', () => {
  it('refuses while another process holds it, and is free again as soon as that is killed', async () => {
    const child = await startLockHolder(file);
    try {
      for (const [where, lock] of LOCKS) {
        const refused = await lock(file).catch((error) => error);
        expect([where, refused]).toEqual([where, expect.any(LockedError)]);
        expect(refused.message).toContain(`another ingest is running (process ${child.pid})`);
      }
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const [, lock] of LOCKS) await (await lock(file)).release();
  });

  it('is held until it is released', async () => {
    // The process tries to take the lock at each line of its standard input.
    const script = `import readline from 'node:readline';
      import { DuckDBInstance } from '@duckdb/node-api';
      for await (const line of readline.createInterface({ input: process.stdin }))
        await DuckDBInstance.create(process.argv[1]).then(
          (taken) => (taken.closeSync(), console.log('taken')),
          ({ message }) => console.log(JSON.stringify(message)),
        );`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ask = async () => {
      child.stdin.write('\n');
      return String(await once(child.stdout, 'data'));
    };
    try {
      for (const [where, lock] of LOCKS) {
        const held = await lock(file);
        expect([where, await ask()]).toEqual([where, expect.stringContaining(`(PID ${process.pid})`)]);
        await held.release();
        expect([where, await ask()]).toEqual([where, 'taken\n']);
      }
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});

describe.each(LOCKS)('%s', (_, lock) => {
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

describe('a disk without locks', () => {
  const messageOf = (why: string) =>
    `IO Error: Could not set lock on file "/data/ingest.lock": ${why}. See also https://duckdb.org/docs/stable/connect/concurrency`;

  // The reasons are those of DuckDB for the errors ENOLCK, EOPNOTSUPP and EIO of the call fcntl.
  it.each([
    ['No locks available', 'no locks available'],
    [
      'File locks are not supported for this file system, cannot open the file in read-write mode. Try opening the file in read-only mode',
      'file locks are not supported for this file system',
    ],
    ['Input/output error', 'input/output error'],
  ])('is named as the cause, not another ingest: %s', (why, said) => {
    const refusal = lockRefusal('/data/ingest.lock', messageOf(why));
    expect(refusal).not.toBeInstanceOf(LockedError);
    expect(refusal?.message).toBe(
      `/data/ingest.lock cannot be locked (${said}); see that its disk has file locks, or name a folder on another disk in DATA_DIR`,
    );
  });

  it('is not named when a process holds the lock: the message names the holder and its process', () => {
    const held = { who: 'a server is downloading', remedy: 'run again' };
    const message = messageOf('Conflicting lock is held in /usr/bin/node (PID 7) by user root');
    expect(lockRefusal('/data/store.lock', message, held)?.message).toBe(
      'a server is downloading (process 7); run again',
    );
  });

  it('is not seen on an SMB share, where a lock keeps others from reading the file', () => {
    const message = 'IO Error: Could not read from file "/data/ingest.lock": Permission denied';
    const refusal = lockRefusal('/data/ingest.lock', message);
    expect(refusal).toBeInstanceOf(LockedError);
    expect(refusal?.message).toBe('another ingest is running; wait for it to end and run again');
  });

  it('is not seen in a lock that a process holds', () => {
    for (const holder of [
      'Conflicting lock is held in /usr/bin/node (PID 7) by user root',
      'Lock is already held in current process, likely another DuckDB instance',
    ])
      expect(lockRefusal('/data/ingest.lock', messageOf(holder))).toBeInstanceOf(LockedError);
  });
});

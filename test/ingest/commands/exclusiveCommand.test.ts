// An interrupted command stays alone in its data directory until its process has ended, and changes nothing any more.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runExclusively } from '../../../ingest/commands/exclusiveCommand.ts';
import { LockedError, lock } from '../../../src/store/lock.ts';
import { startLockHolder } from '../../support/lockHolder.ts';
import { startProgram } from '../../support/program.ts';
import { aDataDir, type DataDir } from '../../support/snapshot.ts';

let made: DataDir;
beforeEach(async () => {
  made = await aDataDir();
});
afterEach(() => made.remove());

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command that goes on after %s', (signal, exitCode) => {
  it('cannot commit any more, and holds the lock until its process has ended', async () => {
    const program = 'test/ingest/commands/programs/interruptItself.ts';
    const child = await startProgram(program, [made.dataDir, signal], { stdin: 'pipe' });
    try {
      const ended = once(child, 'close');
      let stdout = '';
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      await once(child.stdout, 'data');
      expect(stdout).toBe(`${exitCode} interrupted; nothing was published\n`);
      const file = path.join(made.dataDir, 'ingest.lock');
      await expect(lock(file)).rejects.toThrow(LockedError);
      // Ctrl-C is often pressed twice.
      child.kill(signal);
      await expect(lock(file)).rejects.toThrow(LockedError);
      child.stdin?.write('\n');
      expect(await ended).toEqual([0, null]);
      expect(stdout).toContain('not committed: interrupted; nothing was published\n');
      expect(await readdir(made.dataDir)).toEqual(['ingest.lock']);
      await (await lock(file)).release();
    } finally {
      child.kill('SIGKILL');
    }
  });
});

it('leaves signals to the next command, however many run in a process', async () => {
  const listening = () => (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((one) => process.listenerCount(one));
  const before = listening();
  expect(await runExclusively(made.dataDir, 'interrupted', async () => listening())).toEqual(
    before.map((count) => count + 1),
  );
  await expect(
    runExclusively(made.dataDir, 'interrupted', () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
  expect(listening()).toEqual(before);
});

it('waits, with a store, while a server switches to the state of the store', async () => {
  const { SNAPSHOT_STORE: set } = process.env;
  process.env.SNAPSHOT_STORE = 's3://snapshots';
  const server = await startLockHolder(path.join(made.dataDir, 'ingest.lock'));
  try {
    const command = runExclusively(made.dataDir, 'interrupted', async () => 'done');
    command.catch(() => {});
    await sleep(100);
    server.kill('SIGKILL');
    expect(await command).toBe('done');
  } finally {
    server.kill('SIGKILL');
    if (set === undefined) delete process.env.SNAPSHOT_STORE;
    else process.env.SNAPSHOT_STORE = set;
  }
});

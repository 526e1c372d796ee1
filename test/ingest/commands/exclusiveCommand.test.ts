// An interrupted command stays alone in its data directory until its process has ended, and changes nothing any more.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runExclusively } from '../../../ingest/commands/exclusiveCommand.ts';
import { LockedError, lock } from '../../../src/store/lock.ts';
import { startLockHolder } from '../../support/lockHolder.ts';
import { aDataDir } from '../../support/snapshot.ts';

let made: Awaited<ReturnType<typeof aDataDir>>;
beforeEach(async () => {
  made = await aDataDir();
});
afterEach(() => made.remove());

/**
 * Starts a process that interrupts itself and prints the error. After a line of its standard input, its command goes on:
 * it writes a temporary file, and publishes if `commit` lets it. Then the process ends.
 */
function interruptedCommand(signal: NodeJS.Signals) {
  const module = pathToFileURL(path.resolve('dist/ingest/commands/exclusiveCommand.js')).href;
  const script = `import { once } from 'node:events';
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { runExclusively } from ${JSON.stringify(module)};
    process.chdir(process.argv[1]);
    const line = once(process.stdin, 'data');
    let command;
    await runExclusively('.', 'interrupted; nothing was published', (commit) => {
      process.kill(process.pid, ${JSON.stringify(signal)});
      command = line.then(() => {
        mkdirSync('tmp');
        commit();
        writeFileSync('published', '');
      });
      return command;
    }).catch(({ message, exitCode }) => console.log(exitCode, message));
    await command.catch(({ message }) => console.log('not committed:', message));
    process.exit();`;
  return spawn(process.execPath, ['--input-type=module', '-e', script, made.dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command that goes on after %s', (signal, exitCode) => {
  it('cannot commit any more, and holds the lock until its process has ended', async () => {
    const child = interruptedCommand(signal);
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
      child.stdin.write('\n');
      expect(await ended).toEqual([0, null]);
      expect(stdout).toContain('not committed: interrupted; nothing was published\n');
      expect(await readdir(made.dataDir)).toEqual(['ingest.lock']);
      await (await lock(file)).release();
    } finally {
      child.kill('SIGKILL');
    }
  });
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

// A process ends although its reads of files never return, or return late.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

let folder: string;
let pipe: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'end-process-'));
  pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterAll(() => rm(folder, { recursive: true }));

/** A process that reads the pipe and ends. It prints `begun`, what it observes, and `exit` when it exits. */
function reader(readsMs: number) {
  const program = `import { open } from 'node:fs';
    import { endProcess } from ${JSON.stringify(pathToFileURL(path.resolve('dist/src/process/endProcess.js')))};
    const say = (word) => process.stdout.write(word + ' ');
    process.on('exit', () => say('exit'));
    open(${JSON.stringify(pipe)}, () => {});
    say('begun');
    void endProcess(({ event }) => say(event), ${readsMs});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, ended: Promise.all([once(child, 'exit'), text(child.stdout)]) };
}

it('comes although a read never returns, after the listeners of `exit`', async () => {
  const [[code, signal], output] = await reader(50).ended;
  expect([code, signal, output]).toEqual([null, 'SIGKILL', 'begun reads hang exit ']);
});

it('waits for a read that returns, and is 0 then', async () => {
  const { child, ended } = reader(60_000);
  await once(child.stdout, 'readable');
  // Opening the other end makes the read return.
  await (await open(pipe, 'w')).close();
  const [[code], output] = await ended;
  expect([code, output]).toEqual([0, 'begun exit ']);
});

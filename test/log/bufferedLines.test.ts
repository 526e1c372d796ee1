// The log of a process loses no line and never keeps the process alive, however slow its reader is.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BufferedLines } from '../../src/log/bufferedLines.ts';

const LOG = pathToFileURL(path.resolve('dist/src/log/log.js')).href;
const LINES = 2000;

/** A program that logs lines faster than they are read, and then calls `process.exit` while some still wait. */
const program = (before: string) => `
  import { spawnSync } from 'node:child_process';
  import { openLog } from '${LOG}';
  const log = openLog('info');
  ${before}
  for (let i = 0; i < ${LINES}; i += 1) {
    log.info({ i, padding: 'x'.repeat(150) }, 'line');
    if (i % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.exit(0);`;

describe('the log of a process whose reader is slow', () => {
  let folder: string;
  let reader: number;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'log-'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    // The pipe is opened for reading and writing, so that opening does not wait for a writer and reading meets no
    // end.
    reader = openSync(path.join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    closeSync(reader);
    await rm(folder, { recursive: true });
  });

  function start(before = ''): Promise<number | null> {
    const writer = openSync(path.join(folder, 'pipe'), 'w');
    const args = ['--input-type=module', '-e', program(before)];
    child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', writer],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    closeSync(writer);
    return once(child, 'exit').then(([code]) => code);
  }

  const chunk = Buffer.alloc(65_536);
  function read(): string {
    try {
      return chunk.toString('latin1', 0, readSync(reader, chunk));
    } catch {
      // The pipe is empty at the moment.
      return '';
    }
  }

  function numbersIn(text: string): number[] {
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).i);
  }

  it('has every line whole and in order, also those that waited when it ended', async () => {
    const ended = start().then(() => true);
    let text = '';
    while (!(await Promise.race([ended, sleep(10, false)]))) text += read();
    for (let more = read(); more !== ''; more = read()) text += more;
    expect(numbersIn(text)).toEqual(Array.from({ length: LINES }, (_, i) => i));
  });

  it('cuts no line, and lets it end, when nobody reads', async () => {
    await expect(start()).resolves.toBe(0);
    const numbers = numbersIn(read());
    expect(numbers.length).toBeGreaterThan(200);
    expect(numbers).toEqual(numbers.map((_, i) => i));
  });

  it('lets it end when nobody reads, although another process has made the pipe one that blocks', async () => {
    await expect(start(`spawnSync('true', { stdio: 'inherit' });`)).resolves.toBe(0);
    expect(numbersIn(read()).length).toBeGreaterThan(200);
  });
});

describe('the log of a process that goes on', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'log-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has a line soon after it was written, and the lines that came during a write behind it', async () => {
    const file = path.join(folder, 'log');
    const target = openSync(file, 'a');
    const lines = new BufferedLines(target);
    let text = '';
    const write = (line: string) => {
      text += line;
      lines.write(line);
    };
    const isWritten = async () => {
      while ((await readFile(file, 'latin1')) !== text) await sleep(5);
    };
    write('one\n');
    await isWritten();
    write('two\n');
    await isWritten();
    // A batch is written at once. The next lines wait until it is written.
    for (let i = 0; i < 3; i += 1) write(`${String(i).repeat(40_000)}\n`);
    write('last\n');
    await isWritten();
    write('later\n');
    lines.flushSync(1000);
    expect(await readFile(file, 'latin1')).toBe(text);
    closeSync(target);
  });

  it('reaches a slow reader whole, also a line longer than a piece, though no further line comes', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const target = openSync(pipe, 'w');
    const lines = new BufferedLines(target);
    // A pipe takes 64 KiB until somebody reads.
    const sent = [
      'short\n',
      `${'long'.repeat(3_000)}\n`,
      ...Array.from({ length: 40 }, () => `${'x'.repeat(3_999)}\n`),
    ];
    for (const line of sent) lines.write(line);
    const chunk = Buffer.alloc(65_536);
    let text = '';
    while (text.length < sent.join('').length) {
      await sleep(5);
      try {
        text += chunk.toString('latin1', 0, readSync(reader, chunk));
      } catch {
        // The pipe is empty at the moment.
      }
    }
    expect(text).toBe(sent.join(''));
    for (const fd of [reader, target]) closeSync(fd);
  });

  it('drops whole lines while 4 MB wait, and has all later ones', async () => {
    const file = path.join(folder, 'log');
    const target = openSync(file, 'a');
    const lines = new BufferedLines(target);
    const line = (i: number) => `${String(i).padEnd(65_535)}\n`;
    // The first write ends in a later turn of the event loop, so all other lines wait for it.
    for (let i = 0; i < 80; i += 1) lines.write(line(i));
    while ((await readFile(file, 'latin1')).length < 65 * 65_536) await sleep(5);
    lines.write('later\n');
    lines.flushSync(1000);
    // 64 lines of 64 KiB are 4 MiB. The line that reached this limit was still taken.
    expect(await readFile(file, 'latin1')).toBe(
      `${Array.from({ length: 65 }, (_, i) => line(i)).join('')}later\n`,
    );
    closeSync(target);
  });
});

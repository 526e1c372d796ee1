// The quick start of the README in a fresh clone: `make start` serves, prints a claim link, and ends on Ctrl-C.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { notTried } from '../support/notTried.ts';

const run = promisify(execFile);

/**
 * The clone has an odd name, but no `#`: dependency-cruiser, which `make check` runs, finds no settings below such a
 * folder.
 */
let clone: string;
beforeAll(async () => {
  clone = path.join(await mkdtemp(path.join(os.tmpdir(), 'clone-')), 'an "app" O\'K');
  if (existsSync('.git')) await run('git', ['clone', '--quiet', '.', clone]);
}, 600_000);
afterAll(() => rm(path.dirname(clone), { recursive: true, force: true }));

describe('a fresh clone', () => {
  it('serves the sample after `make start`, quietly, and ends on Ctrl-C', async () => {
    if (!existsSync(clone)) {
      notTried('this folder is not a git checkout to clone from');
      return;
    }
    const port = await freePort();
    const { DATA_DIR: _, REDIS_URL: __, ...inherited } = process.env;
    const started = spawn('make', ['start'], {
      cwd: clone,
      env: { ...inherited, NODE_OPTIONS: '', PORT: port },
      detached: true,
    });
    let output = '';
    let warned = '';
    started.stdout.on('data', (chunk) => {
      output += chunk;
    });
    started.stderr.on('data', (chunk) => {
      warned += chunk;
    });
    for (let tries = 0; tries < 3000 && !/\/claim\/\S+/.test(output); tries++) await sleep(100);
    expect(output).toMatch(new RegExp(`http://127\\.0\\.0\\.1:${port}/claim/\\S+`));
    // Besides npm's output, the command prints only what is needed next: no findings of guards, and no lines of the
    // log.
    const ofNpm = /^(npm warn|added \d+ packages)/;
    const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !ofNpm.test(line));
    expect(lines(output)[0]).toBe('Publishing a synthetic sample of two months.');
    expect(lines(output).length).toBeLessThanOrEqual(5);
    expect(lines(warned)).toEqual([]);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/catalog`);
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Missing x-api-key header' }]);
    process.kill(-(started.pid ?? 0), 'SIGINT');
    // make ends by the signal, or prints that it was interrupted.
    const [code, signal] = await once(started, 'close');
    expect([0, 2, 130, 'SIGINT']).toContain(code ?? signal);
    await expect(fetch(`http://127.0.0.1:${port}/v1/catalog`)).rejects.toThrow();
  }, 600_000);

  it('passes its own checks after `make check`', async () => {
    if (!existsSync(clone)) return;
    await run('make', ['check'], { cwd: clone, env: { ...process.env, NODE_OPTIONS: '' } });
  }, 600_000);
});

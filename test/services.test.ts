// The services that all test files of a run share.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { notTried } from './support/notTried.ts';
import { openDatabase } from './support/redis.ts';
import { patientFetch } from './support/retryUnavailable.ts';
import { sharedServer } from './support/sharedServer.ts';

describe('the shared services', () => {
  it('give each caller a Redis database whose keys nobody else sees or removes', async () => {
    const [one, other] = [await openDatabase(), await openDatabase()];
    await one.client.set('mine', '1');
    expect(await other.client.keys('*')).toEqual([]);
    await other.empty();
    expect(await one.client.get('mine')).toBe('1');
    await Promise.all([one.close(), other.close()]);
  });

  it('answer questions about the sample with a key that each caller gets', async () => {
    const [one, other] = [await sharedServer(), await sharedServer()];
    expect([one.url, one.key === other.key]).toEqual([other.url, false]);
    const response = await patientFetch(`${one.url}/v1/catalog`, { headers: { 'x-api-key': one.key } });
    expect(response.status).toBe(200);
  });
});

describe('the temporary folder of a run', () => {
  /** Starts a process that makes the folder with this `TMPDIR`, prints its path and waits. */
  const started = (TMPDIR?: string) => {
    const { TMPDIR: _, ...inherited } = process.env;
    const script = `
      import { useMemoryFolder } from ${JSON.stringify(path.resolve('test/support/memoryFolder.mjs'))};
      useMemoryFolder();
      console.log(process.env.TMPDIR ?? 'as it is');
      setInterval(() => {}, 1000);`;
    return spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...inherited, NODE_OPTIONS: '', ...(TMPDIR !== undefined && { TMPDIR }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const folderOf = async (child: ReturnType<typeof started>) =>
    String((await once(child.stdout, 'data'))[0]).trim();

  it('is in memory, and is gone when the run is killed', async () => {
    const child = started();
    const folder = await folderOf(child);
    const isThere = existsSync(folder);
    child.kill('SIGKILL');
    await once(child, 'exit');
    if (folder === 'as it is') return notTried('there is no file system in memory with room for the tests');
    expect([isThere, folder]).toEqual([true, expect.stringMatching(/^\/dev\/shm\/tests-\w{6}$/)]);
    for (let turns = 0; existsSync(folder) && turns < 1000; turns++) await sleep(20);
    expect(existsSync(folder)).toBe(false);
  });

  it('is the one that TMPDIR names', async () => {
    const child = started('/tmp/of-mine');
    expect(await folderOf(child)).toBe('/tmp/of-mine');
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

describe('the sample that runs share', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'samples-'));
  });
  afterEach(async () => {
    await Promise.all([...runs].map(ended));
    await rm(parent, { recursive: true });
  });

  const runs = new Set<ChildProcess>();

  /** A process that uses the sample of a build, and prints which parts it made. */
  const aRun = async (build: string) => {
    const script = `
      import { writeFileSync } from 'node:fs';
      import { leaseSample } from ${JSON.stringify(path.resolve('test/support/sharedSample.mjs'))};
      let made = 'nothing';
      leaseSample(${JSON.stringify(parent)}, '${build}', (folder) => writeFileSync(folder + '/file', (made = '${build}')));
      console.log(made);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    runs.add(child);
    const [printed] = await once(child.stdout, 'data');
    return { child, made: String(printed).trim() };
  };
  const ended = async (child: ChildProcess) => {
    runs.delete(child);
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const samples = async () => (await readdir(parent)).filter((name) => name.startsWith('sample-')).sort();

  it('is made once for runs of one build, and stays until they have ended', async () => {
    const [first, second] = [await aRun('old'), await aRun('old')];
    expect([first.made, second.made]).toEqual(['old', 'nothing']);
    await mkdir(path.join(parent, 'sample-old-shared'));
    const edited = await aRun('new');
    expect(await samples()).toEqual(['sample-new', 'sample-old', 'sample-old-shared']);
    await ended(first.child);
    await ended(edited.child);
    await aRun('newer');
    expect(await samples()).toEqual(['sample-newer', 'sample-old', 'sample-old-shared']);
    await ended(second.child);
    await aRun('newer');
    expect(await samples()).toEqual(['sample-newer']);
    expect(await readFile(path.join(parent, 'sample-newer', 'file'), 'utf8')).toBe('newer');
  });
});

// The Python package against a real server with the sample months: its own tests, its types and style, and its wheel.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { notTried } from '../support/notTried.ts';
import { aSample } from '../support/sample.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';

const run = promisify(execFile);
const PACKAGE = path.resolve('clients/python');

let python: Python;
let api: ServerWithKeys;
let remove: () => Promise<void>;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  python = await pythonWith('clients/python/requirements.txt');
  const sample = await aSample();
  ({ remove } = sample);
  api = await startServerWithKeys({ dataDir: sample.dataDir });
  const small = await api.keys.issue({ label: 'small', by: 'test' });
  await api.keys.changeLimits(small.id, { perMinute: 2 }, 'test');
  const large = await api.keys.issue({ label: 'large', by: 'test' });
  await api.keys.changeLimits(large.id, { perMinute: 10_000 }, 'test');
  env = {
    ...process.env,
    PYTHONPATH: path.join(PACKAGE, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    GAMBLING_DATA_URL: api.url,
    GAMBLING_DATA_KEY: large.key,
    GAMBLING_DATA_SMALL_KEY: small.key,
  };
}, 600_000);
afterAll(async () => {
  await api.close();
  await remove();
});

/** Runs a module of Python in the package, or prints why it cannot run. */
async function inPackage(...args: string[]): Promise<void> {
  if (!('interpreter' in python)) {
    notTried(python.missing);
    return;
  }
  const { interpreter } = python;
  await run(interpreter, ['-m', ...args], { cwd: PACKAGE, env }).catch(
    ({ message, stdout, stderr }: Error & { stdout: string; stderr: string }) => {
      throw new Error([message, stdout, stderr].join('\n'));
    },
  );
}

describe('the Python package', () => {
  it('asks, waits, stores and refuses as it promises', () => inPackage('pytest'), 300_000);
  it('has complete types', () => inPackage('mypy', '--cache-dir', os.devNull), 120_000);
  it('keeps its style', async () => {
    await inPackage('ruff', 'check', '--no-cache', '.');
    await inPackage('ruff', 'format', '--no-cache', '--check', '.');
  }, 60_000);

  it('becomes a wheel that holds its types', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'wheel-'));
    await inPackage('pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, '.');
    if ('interpreter' in python) {
      expect(await readdir(folder)).toEqual(['gambling_data-1.0.0-py3-none-any.whl']);
      const { stdout } = await run(python.interpreter, [
        '-m',
        'zipfile',
        '-l',
        path.join(folder, 'gambling_data-1.0.0-py3-none-any.whl'),
      ]);
      expect(stdout).toContain('gambling_data/py.typed');
      expect(stdout).not.toContain('test');
    }
    await rm(folder, { recursive: true });
  }, 300_000);
});

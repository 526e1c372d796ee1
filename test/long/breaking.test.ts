// Compares docs/openapi.json with that of the last release by oasdiff. The changelog must name what breaks clients.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { notTried } from '../support/notTried.ts';

const RELEASED = 'docs/openapi-released.json';
const OASDIFF = 'github.com/oasdiff/oasdiff@v1.11.8';
const NO_GO = 'go is not installed, which compiles oasdiff';
const hasGo = spawnSync('go', ['version']).status === 0;

/** The changes that break clients of the released document; empty when there are none. */
async function breaks(document: string): Promise<string> {
  const args = ['run', OASDIFF, 'breaking', '--fail-on', 'ERR', RELEASED, document];
  return await promisify(execFile)('go', args).then(
    () => '',
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      if (!stdout.includes('error')) throw new Error(`oasdiff ended with ${code}: ${stderr}`);
      return stdout;
    },
  );
}

it('nothing breaks clients of the last release, or the newest entry of the changelog says Breaking:', async () => {
  if (!hasGo) {
    notTried(NO_GO);
    return;
  }
  const found = await breaks('docs/openapi.json');
  const [, newest = ''] = (await readFile('CHANGELOG.md', 'utf8')).split(/^## /m);
  expect(newest.includes('Breaking:') ? '' : found).toBe('');
}, 600_000);

it('a path that is gone breaks clients', async () => {
  if (!hasGo) {
    notTried(NO_GO);
    return;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breaking-'));
  const document = JSON.parse(await readFile(RELEASED, 'utf8'));
  delete document.paths['/v1/usage'];
  const less = path.join(folder, 'openapi.json');
  await writeFile(less, JSON.stringify(document));
  expect(await breaks(less)).toContain('api path removed without deprecation');
  await rm(folder, { recursive: true });
}, 600_000);

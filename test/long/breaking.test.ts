// Compares docs/openapi.json with that of the last release by oasdiff. The changelog must name what breaks clients.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { notTried } from '../support/notTried.ts';
import { lastRelease } from './lastRelease.ts';

const OASDIFF = 'github.com/oasdiff/oasdiff@v1.11.8';
const release = lastRelease();
const missing = [
  ...(spawnSync('go', ['version']).status === 0 ? [] : ['go is not installed, which compiles oasdiff']),
  ...(release === null ? ['there is no git history with the last release'] : []),
];
if (missing.length > 0) notTried(missing.join(', '));
const long = missing.length === 0 ? it : it.skip;

const folder = mkdtempSync(path.join(os.tmpdir(), 'breaking-'));
const released = path.join(folder, 'released.json');
writeFileSync(released, release?.document ?? '');
afterAll(() => rmSync(folder, { recursive: true }));

/** The changes that break clients of the released document; empty when there are none. */
async function breaks(document: string): Promise<string> {
  const args = ['run', OASDIFF, 'breaking', '--fail-on', 'ERR', released, document];
  return await promisify(execFile)('go', args).then(
    () => '',
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      if (!stdout.includes('error')) throw new Error(`oasdiff ended with ${code}: ${stderr}`);
      return stdout;
    },
  );
}

long(
  'nothing breaks clients of the last release, or the newest entry of the changelog says Breaking:',
  async () => {
    const found = await breaks('docs/openapi.json');
    const [, newest = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
    expect(newest.includes('Breaking:') ? '' : found).toBe('');
  },
  600_000,
);

long(
  'a path that is gone breaks clients',
  async () => {
    const document = JSON.parse(release?.document ?? '');
    delete document.paths['/v1/usage'];
    const less = path.join(folder, 'openapi.json');
    writeFileSync(less, JSON.stringify(document));
    expect(await breaks(less)).toContain('api path removed without deprecation');
  },
  600_000,
);

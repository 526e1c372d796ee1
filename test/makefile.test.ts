// `make sample`, on which `make start` and `make dev` depend, with an npm that only notes what it is asked.

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'make-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const NPM = `#!/bin/sh
[ "$3" = ingest ] && mkdir -p "$DATA_DIR" && touch "$DATA_DIR/current"
printf '<%s>' "$@" >>"$CALLS"
echo >>"$CALLS"
`;

it('publishes the sample once, also into a folder whose name has spaces', async () => {
  const [dataDir, calls, programs] = ['a data folder', 'calls', 'bin'].map((name) => path.join(folder, name));
  await mkdir(programs ?? '');
  await writeFile(path.join(programs ?? '', 'npm'), NPM);
  await chmod(path.join(programs ?? '', 'npm'), 0o755);
  // A make that runs this test would make ours print the folders it enters.
  const { MAKEFLAGS: _flags, MFLAGS: _oldFlags, MAKELEVEL: _level, ...inherited } = process.env;
  const environment = { DATA_DIR: dataDir, CALLS: calls, PATH: `${programs}:${process.env.PATH}` };
  const make = () =>
    promisify(execFile)('make', ['--old-file=dist', 'sample'], { env: { ...inherited, ...environment } });

  expect((await make()).stdout).toBe('Publishing a synthetic sample of two months.\n');
  expect((await make()).stdout).not.toContain('Publishing');
  const publish = (month: string) =>
    `<run><--silent><ingest><--><publish><${dataDir}/sources/${month}><--month><${month}>`;
  expect((await readFile(calls ?? '', 'utf8')).trim().split('\n')).toEqual([
    `<run><--silent><sample><--><${dataDir}/sources>`,
    publish('2026-10'),
    publish('2026-11'),
  ]);
});

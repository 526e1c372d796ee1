// The output of `make` when it cannot do its work.
// `make sample`, on which `make start` and `make dev` depend, runs with an npm that only records its arguments.

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
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
[ "$8" = "$KILLED_BEFORE" ] && [ -n "$8" ] && exit 1
[ "$3" = ingest ] && ln -sfn "snapshots/$8.1" "$DATA_DIR/current" && mkdir -p "$DATA_DIR/snapshots/$8.1"
# Two calls may run at the same time, so each writes its line at once.
printf '%s\\n' "$(printf '<%s>' "$@")" >>"$CALLS"
[ -z "$NOT_TRIED" ] || echo 'not tried: what this machine lacks' >>"$NOT_TRIED"
`;

/** Makes the sample in a new data folder. Gives the output, and the calls of npm so far. */
async function aFolder(name: string) {
  const [dataDir, calls, programs] = [name, `calls of ${name}`, 'bin'].map((each) => path.join(folder, each));
  await mkdir(programs ?? '', { recursive: true });
  await writeFile(path.join(programs ?? '', 'npm'), NPM);
  await chmod(path.join(programs ?? '', 'npm'), 0o755);
  // If a make runs this test, its variables would let ours print the folders that it enters.
  const { MAKEFLAGS: _flags, MFLAGS: _oldFlags, MAKELEVEL: _level, ...inherited } = process.env;
  const environment = { DATA_DIR: dataDir, CALLS: calls, PATH: `${programs}:${process.env.PATH}` };
  return {
    dataDir: dataDir ?? '',
    /** The npm call that publishes the month `killedBefore` fails. */
    make: async (killedBefore = '', target: readonly string[] = ['--old-file=dist', 'sample'], more = {}) => {
      const env = { ...inherited, ...environment, KILLED_BEFORE: killedBefore, ...more };
      return (await promisify(execFile)('make', target, { env })).stdout;
    },
    asked: async () => (await readFile(calls ?? '', 'utf8')).trim().split('\n'),
    publish: (month: string) =>
      `<run><--silent><ingest><--><publish><${dataDir}/sources/${month}><--month><${month}>`,
    sample: `<run><--silent><sample><--><${dataDir}/sources>`,
  };
}

it('publishes the sample once, also into a folder whose name has spaces', async () => {
  const { make, asked, publish, sample } = await aFolder('a data folder');
  expect(await make()).toBe('Publishing a synthetic sample of two months.\n');
  expect(await make()).not.toContain('Publishing');
  expect(await asked()).toEqual([sample, publish('2026-10'), publish('2026-11')]);
});

it.each(['', ' ', ' data', 'data ', '"data"', "'data'", '~/data'])(
  'names DATA_DIR=%j, and makes nothing',
  async (dataDir) => {
    const { make, dataDir: unused } = await aFolder('empty');
    const failure = await make('', undefined, { DATA_DIR: dataDir }).catch((error) => error);
    expect(failure.stderr).toContain(
      `DATA_DIR: "${dataDir}" is not a folder; use a path, without spaces or quotes around it; ~ and $HOME are not expanded\n`,
    );
    expect(failure.stdout).toBe('');
    expect(await stat(unused).catch(({ code }) => code)).toBe('ENOENT');
  },
);

it('finishes a sample that was killed between its two months, unless another snapshot is current by then', async () => {
  const { make, asked, publish, sample } = await aFolder('killed');
  await expect(make('2026-11')).rejects.toThrow();
  await make();
  await make();
  expect(await asked()).toEqual([sample, publish('2026-10'), publish('2026-11')]);

  const other = await aFolder('another snapshot');
  await expect(other.make('2026-11')).rejects.toThrow();
  await rm(path.join(other.dataDir, 'current'));
  await symlink('snapshots/2026-12.1', path.join(other.dataDir, 'current'));
  await mkdir(path.join(other.dataDir, 'snapshots/2026-12.1'));
  await other.make();
  expect(await other.asked()).toEqual([other.sample, other.publish('2026-10')]);
});

/** A lock file of two packages, and of one for another system that `npm ci` leaves out. */
const LOCKED = {
  '': { dependencies: { one: '^1.0.0' }, devDependencies: { two: '^2.0.0' } },
  'node_modules/one': { version: '1.0.1', optionalDependencies: { three: '3.0.0' } },
  'node_modules/two': { version: '2.0.2', dev: true },
  'node_modules/three': { version: '3.0.0', optional: true, os: ['no such system'] },
};

const { '': ROOT, 'node_modules/three': THREE, ...INSTALLED } = LOCKED;

/** Files of a project in which `npm ci` was run, by their names. */
const INSTALLED_FILES = {
  'package.json': ROOT,
  'package-lock.json': { packages: LOCKED },
  'node_modules/.package-lock.json': { packages: INSTALLED },
  'node_modules/one/package.json': { version: '1.0.1' },
  'node_modules/two/package.json': { version: '2.0.2' },
};

/** Makes node_modules/.ready in a project with these files. Gives whether it installed packages. */
async function installs(files: Readonly<Record<string, object | null>>): Promise<boolean> {
  const place = await mkdtemp(path.join(folder, 'project-'));
  for (const file of ['Makefile', 'scripts/installed.mjs']) {
    await mkdir(path.dirname(path.join(place, file)), { recursive: true });
    await writeFile(path.join(place, file), await readFile(file));
  }
  await mkdir(path.join(place, 'node_modules'));
  for (const [file, content] of Object.entries(files)) {
    if (content === null) continue;
    await mkdir(path.dirname(path.join(place, file)), { recursive: true });
    await writeFile(path.join(place, file), JSON.stringify(content));
  }
  const { make, asked } = await aFolder(path.basename(place).replace('project', 'data'));
  await make('', ['-C', place, 'node_modules/.ready']);
  const calls = await asked().catch(() => []);
  if (calls.length > 0) expect(calls).toEqual(['<ci><--ignore-scripts><--loglevel=error>']);
  return calls.length > 0;
}

it('installs nothing after npm ci', async () => {
  expect(await installs(INSTALLED_FILES)).toBe(false);
});

it.each<[string, Readonly<Record<string, object | null>>]>([
  ['nothing is installed', { 'node_modules/.package-lock.json': null }],
  ['the folder of a package is gone', { 'node_modules/two/package.json': null }],
  ['a package has another version', { 'node_modules/one/package.json': { version: '1.0.0' } }],
  [
    'the lock file names another version than was installed',
    {
      'package-lock.json': {
        packages: { ...LOCKED, 'node_modules/two': { version: '2.0.3', dev: true } },
      },
    },
  ],
  ['package.json names another package', { 'package.json': { ...ROOT, dependencies: { four: '4.0.0' } } }],
  [
    'the packages for development are left out',
    {
      'node_modules/.package-lock.json': {
        packages: { 'node_modules/one': LOCKED['node_modules/one'] },
      },
    },
  ],
  [
    'more is installed',
    {
      'node_modules/.package-lock.json': {
        packages: { ...INSTALLED, 'node_modules/five': { version: '5.0.0' } },
      },
    },
  ],
  [
    'an optional package for this system is left out',
    {
      'package-lock.json': {
        packages: { ...LOCKED, 'node_modules/three': { ...THREE, os: [process.platform] } },
      },
    },
  ],
])('installs when %s', async (_, changed) => {
  expect(await installs({ ...INSTALLED_FILES, ...changed })).toBe(true);
});

it('checks beside one file or folder its types alone', async () => {
  const { make, asked } = await aFolder('one file');
  await make('', ['--old-file=node_modules/.ready', 'test', 'ONLY=test/config/config.test.ts']);
  expect((await asked()).sort()).toEqual([
    '<run><--silent><types>',
    '<test><--silent><--><--json><--outputFile=.jest.json><test/config/config.test.ts>',
  ]);
});

it('names the remedy where the project is in a folder whose name the check of imports cannot read', async () => {
  const place = path.join(folder, 'a#b');
  await mkdir(path.join(place, 'node_modules'), { recursive: true });
  for (const file of ['Makefile', 'package.json', 'package-lock.json'])
    await writeFile(path.join(place, file), await readFile(file));
  await writeFile(path.join(place, 'node_modules/.ready'), '');
  const { make } = await aFolder('checked');
  const failure = await make('', ['-C', place, 'check']).then(String, (error: Error) => error.message);
  expect(failure).toContain('dependency-cruiser reads no folder with # in its name');
});

it.each([
  ['test/qery', 'ONLY=test/qery: there is no such file or folder'],
  ['test/long/storm.test.ts', 'ONLY=test/long/storm.test.ts: the long tests run with make test-long'],
])('says why it does not run the tests of %s', async (only, reason) => {
  const { make } = await aFolder('only');
  const failure = await make('', ['--old-file=node_modules/.ready', 'test', `ONLY=${only}`]).then(
    String,
    (error: Error) => error.message,
  );
  expect(failure).toContain(reason);
});

it('says last of the long tests which part failed, and what was not tried', async () => {
  const { make } = await aFolder('long');
  const failure: { stdout: string; code: number } = await make('**/test/long/**/*.test.ts', [
    '--old-file=dist',
    'test-long',
  ]).then(
    () => ({ stdout: 'nothing failed', code: 0 }),
    (error) => error,
  );
  expect([failure.code, failure.stdout.trimEnd().split('\n').slice(-3)]).toEqual([
    2,
    [
      'The long tests: failed, see above',
      'The other tests in depth: passed',
      'not tried: what this machine lacks',
    ],
  ]);
});

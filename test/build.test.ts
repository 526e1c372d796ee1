import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reportHtml } from '../ingest/report/render.ts';
import { some } from './support/depth.ts';

const execute = promisify(execFile);

/** A package as small as can be, with our scripts and settings, and without .git. */
let root: string;
/** The same, built once; each test has a copy of it. */
let built: string;
beforeAll(async () => {
  built = await mkdtemp(path.join(os.tmpdir(), 'built-'));
  root = built;
  for (const file of ['scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    await cp(file, path.join(root, file), { recursive: true });
  await symlink(path.resolve('node_modules'), path.join(root, 'node_modules'));
  await write(
    'src/main.ts',
    "import { word } from './word.ts';\nprocess.stdout.write(word + ' ' + process.argv[2]);\n",
  );
  await write('src/word.ts', "export const word: string = 'first';\n");
  await write('src/access/gate.lua', 'return 1\n');
  expect(await run()).toBe('first argument');
});
afterAll(() => rm(built, { recursive: true, force: true }));
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'build-'));
  await cp(built, root, { recursive: true, verbatimSymlinks: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

/** What the command says, or `failed`. */
const run = (): Promise<string> =>
  new Promise((resolve) => {
    const args = [path.join(root, 'scripts/run.mjs'), 'dist/src/main.js', 'argument'];
    const env = { ...process.env, NODE_OPTIONS: '' };
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout) => {
      resolve(error === null ? stdout : 'failed');
    });
  });

/** From here on whatever needs the compiler fails. */
const removeCompiler = () => rm(path.join(root, 'node_modules'));

const outputs = async () =>
  (await readdir(path.join(root, 'dist'), { recursive: true }))
    .filter((file) => /\.(js|lua)$/.test(file))
    .sort();

describe('a command run from its sources', () => {
  it('is compiled once, and again only when a source changed', async () => {
    expect(await outputs()).toEqual(['src/access/gate.lua', 'src/main.js', 'src/word.js']);
    await removeCompiler();
    expect(await run()).toBe('first argument');
    // As a checkout does that brings back what was there: other times, the same contents.
    await write('src/word.ts', "export const word: string = 'first';\n");
    expect(await run()).toBe('first argument');

    await symlink(path.resolve('node_modules'), path.join(root, 'node_modules'));
    await write('src/word.ts', "export const word: string = 'other';\n");
    // As an archive or a copy does: a changed file that is older than what was built.
    await utimes(path.join(root, 'src/word.ts'), 0, 0);
    expect(await run()).toBe('other argument');
  });

  const STALE: [string, () => Promise<void>, string][] = [
    [
      'a source with an error',
      () => write('src/word.ts', 'export const word: number = "second";\n'),
      'failed',
    ],
    ['a source', () => write('src/word.ts', "export const word: string = 'second';\n"), 'second argument'],
    ['a setting', () => write('tsconfig.build.json', '{ "extends": "./nowhere.json" }'), 'failed'],
    ['a compiled file', () => write('dist/src/word.js', "export const word = 'stale';\n"), 'first argument'],
    ['a compiled file that is gone', () => rm(path.join(root, 'dist/src/word.js')), 'first argument'],
  ];
  // The test above changes a source.
  it.each(some(STALE, 2))('never runs what is stale: %s changed', async (_, change, expected) => {
    await change();
    expect(await run()).toBe(expected);
    // A failed build is not taken for one that was done.
    if (expected === 'failed') expect(await run()).toBe('failed');
  });

  it('leaves nothing of a source that was deleted', async () => {
    await write('src/extra.ts', 'export const extra = 1;\n');
    await run();
    expect(await outputs()).toContain('src/extra.js');
    await rm(path.join(root, 'src/extra.ts'));
    expect(await run()).toBe('first argument');
    expect(await outputs()).not.toContain('src/extra.js');
  });

  it('says what to do when there is no compiler', async () => {
    await removeCompiler();
    await rm(path.join(root, 'dist'), { recursive: true });
    expect(await run()).toBe('failed');
  });
});

describe('the command line of ingest', () => {
  /** Says what V8 did with the code that the build kept of the bundle. */
  const LOAD = `const { Script } = require('node:vm'), { readFileSync } = require('node:fs');
    const [source, cachedData] = ['cjs', 'cache'].map((end) => readFileSync('dist/ingest/cli.bundle.' + end));
    console.log(new Script(source.toString(), { cachedData }).cachedDataRejected);`;

  it('starts from one file with code that is compiled already', async () => {
    const { stdout } = await execute(process.execPath, ['-e', LOAD], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(stdout).toBe('false\n');
    expect(await readFile('dist/ingest/cli.js', 'utf8')).toContain('cli.bundle.cjs');
  });

  it('writes the page that its modules write, to the last character', async () => {
    const published = path.join(process.env.SAMPLE_DATA_DIR ?? '', 'current');
    const report = JSON.parse(await readFile(path.join(published, 'report.json'), 'utf8'));
    expect(await readFile(path.join(published, 'report.html'), 'utf8')).toBe(reportHtml(report));
  });

  it('runs the same without that code', async () => {
    await cp('dist', path.join(root, 'dist'), { recursive: true });
    const cache = path.join(root, 'dist/ingest/cli.bundle.cache');
    const help = async () =>
      (await execute(process.execPath, [path.join(root, 'dist/ingest/cli.js'), 'publish', '--help'])).stdout;
    const before = await help();
    await writeFile(cache, 'of another version of V8');
    expect(await help()).toBe(before);
    await rm(cache);
    expect(await help()).toBe(before);
    expect(before).toContain('--month');
  });
});

// Commands are built when a source has changed, and only then.

import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reportHtml } from '../ingest/report/reportHtml.ts';
import { itInDepth, some } from './support/depth.ts';

/** The smallest possible package, with our scripts and settings, and without .git. */
let root: string;
/** The same package, built once. Each test gets a copy of it. */
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
  await write('src/access/gate/gate.lua', 'return 1\n');
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

/** The environment of a shell that runs no tests. */
const environment = (): NodeJS.ProcessEnv => {
  const { TYPES_CHECKED_BESIDE: _, ...others } = process.env;
  return { ...others, NODE_OPTIONS: '' };
};

/** The output of the command, or `failed`. */
const run = (settings: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve) => {
    const args = [path.join(root, 'scripts/run.mjs'), 'dist/src/main.js', 'argument'];
    const env = { ...environment(), ...settings };
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout) => {
      resolve(error === null ? stdout : 'failed');
    });
  });

/** Makes every later build fail. */
const removeCompiler = () => rm(path.join(root, 'node_modules'));

const outputs = async () =>
  (await readdir(path.join(root, 'dist'), { recursive: true }))
    .filter((file) => /\.(js|lua)$/.test(file))
    .sort();

describe('a command run from its sources', () => {
  it('is compiled once, and again only when a source changed', async () => {
    expect(await outputs()).toEqual(['src/access/gate/gate.lua', 'src/main.js', 'src/word.js']);
    await removeCompiler();
    expect(await run()).toBe('first argument');
    // A checkout writes files with new times and the same contents.
    await write('src/word.ts', "export const word: string = 'first';\n");
    expect(await run()).toBe('first argument');

    await symlink(path.resolve('node_modules'), path.join(root, 'node_modules'));
    await write('src/word.ts', "export const word: string = 'other';\n");
    // An archive or a copy may bring a changed file that is older than the build.
    await utimes(path.join(root, 'src/word.ts'), 0, 0);
    expect(await run()).toBe('other argument');
  });

  itInDepth('is built in a folder of any name', async () => {
    const odd = path.join(root, 'an "app" #1, 100% O\'K?');
    await cp(built, odd, { recursive: true, verbatimSymlinks: true });
    root = odd;
    // A program that is bundled. The build starts it with a wrong setting and expects this exit code.
    await write('src/start.ts', 'process.exitCode = 2;\n');
    expect(await run()).toBe('first argument');
    expect(await readdir(path.join(odd, 'dist/src'))).toEqual(
      expect.arrayContaining(['start.bundle.cache', 'start.bundle.cjs', 'start.bundle.cjs.map', 'start.js']),
    );
    root = path.dirname(odd);
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
  // `make test` tries one change, because the test before this one changes a source, too.
  it.each(some(STALE, 1))('never runs what is stale: %s changed', async (_, change, expected) => {
    await change();
    expect(await run()).toBe(expected);
    // A failed build does not count as a build.
    if (expected === 'failed') expect(await run()).toBe('failed');
  });

  itInDepth('is checked before it runs when its build was not', async () => {
    await write('src/word.ts', 'export const word: number = "second";\n');
    expect(await run({ TYPES_CHECKED_BESIDE: '1' })).toBe('second argument');
    expect(await run()).toBe('failed');
    await write('src/word.ts', "export const word: string = 'third';\n");
    expect(await run({ TYPES_CHECKED_BESIDE: '1' })).toBe('third argument');
    expect(await run()).toBe('third argument');
    // The build of the first command is complete, so the second one needs no compiler.
    await removeCompiler();
    expect(await run()).toBe('third argument');
  });

  itInDepth('waits while another build runs, and not for one that was killed', async () => {
    await write('src/word.ts', "export const word: string = 'second';\n");
    const announced = path.join(root, 'dist', `.building.${process.pid}`);
    await writeFile(announced, '');
    // No process has this number.
    await write('dist/.building.4999999', '');
    const building = spawn(process.execPath, ['scripts/run.mjs', 'dist/src/main.js', 'argument'], {
      cwd: root,
      env: environment(),
    });
    const output = text(building.stdout);
    const [notice] = await once(building.stderr, 'data');
    expect(String(notice)).toBe(`Another build runs (process ${process.pid}): waiting for its end.\n`);
    expect(await readFile(path.join(root, 'dist/src/word.js'), 'utf8')).toContain('first');
    await rm(announced);
    expect(await output).toBe('second argument');
    expect((await readdir(path.join(root, 'dist'))).sort()).toEqual(['.built', 'src']);
  });

  itInDepth('leaves nothing of a source that was deleted', async () => {
    await write('src/extra.ts', 'export const extra = 1;\n');
    await run();
    expect(await outputs()).toContain('src/extra.js');
    await rm(path.join(root, 'src/extra.ts'));
    expect(await run()).toBe('first argument');
    expect(await outputs()).not.toContain('src/extra.js');
  });

  itInDepth('does not stumble over the lock that an editor keeps beside a changed file', async () => {
    await symlink('somebody@host.1', path.join(root, 'src/.#word.ts'));
    expect(await run()).toBe('first argument');
    await write('src/word.ts', "export const word: string = 'second';\n");
    expect(await run()).toBe('second argument');
  });

  itInDepth(
    'is built and started anew by make dev for every change, and after a mistake goes on with what it was',
    async () => {
      const developing = spawn(process.execPath, [path.join(root, 'scripts/dev.mjs')], {
        cwd: root,
        env: environment(),
      });
      const end = once(developing, 'exit');
      let output = '';
      const heard = new EventEmitter();
      for (const stream of [developing.stdout, developing.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
          heard.emit('more');
        });
      const hears = async (text: RegExp) => {
        while (!text.test(output)) await once(heard, 'more');
      };

      await hears(/first --invite/);
      await write('src/word.ts', 'export const word: number = "wrong";\n');
      await hears(/word\.ts.*TS2322[\s\S]*Not built/);
      expect(output).not.toContain('wrong');
      await write('src/word.ts', "export const word: string = 'second';\n");
      await hears(/second undefined/);
      await write('src/access/gate/gate.lua', 'return 2\n');
      await hears(/second undefined[\s\S]*second undefined/);
      expect(await readFile(path.join(root, 'dist/src/access/gate/gate.lua'), 'utf8')).toBe('return 2\n');
      await write('src/explorer/main.ts', '');
      await write('src/explorer/style.css', '');
      await hears(/no such file.*icon\.svg.*\nNot built/);
      developing.kill('SIGTERM');
      expect(await end).toEqual([0, null]);
      // `make dev` builds modules and no bundles, so its build does not count as one of every program.
      expect(await outputs()).toContain('src/word.js');
      expect(await readdir(path.join(root, 'dist'))).not.toContain('.built');
    },
  );

  it('says what to do when there is no compiler', async () => {
    await removeCompiler();
    await rm(path.join(root, 'dist'), { recursive: true });
    expect(await run()).toBe('failed');
  });
});

/** The programs that the build bundles: their files, their arguments, and what they print. */
const PROGRAMS: [string, readonly string[], RegExp][] = [
  ['src/start', [], /^PORT: "none" is not a port; use a whole number from 1 to 65535\n$/],
  ['src/access/cli', ['--help'], /invite/],
  ['ingest/cli', ['publish', '--help'], /--month/],
];

/** The program on which damaged caches are tried. The same code starts all programs, and this one starts fast. */
const DAMAGED = 'src/access/cli';

describe.each(PROGRAMS)('the program %s', (program, args, saying) => {
  /**
   * Code that prints whether V8 got the compiled code from the build (`given`), rejected it (`refused`), or got none
   * (`none`).
   */
  const REPORT_CACHE = `import { syncBuiltinESMExports } from 'node:module';
    import vm from 'node:vm';
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        process.stdout.write(options.cachedData ? (this.cachedDataRejected ? 'refused ' : 'given ') : 'none ');
      }
    };
    syncBuiltinESMExports();`;
  const REPORTING = `data:text/javascript,${encodeURIComponent(REPORT_CACHE)}`;

  /** Runs the program below a folder. Returns the word that `REPORT_CACHE` prints, and the program's own output. */
  function start(folder: string): [string, string] {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', REPORTING, path.join(folder, 'dist', `${program}.js`), ...args],
      { env: { ...process.env, NODE_OPTIONS: '', PORT: 'none' }, encoding: 'utf8' },
    );
    const [code = ''] = stdout.split(' ', 1);
    return [code, stdout.slice(code.length + 1) + stderr];
  }

  const outcomes = (code: string) => [code, expect.stringMatching(saying)];

  it('starts from one file with code that is compiled already', () => {
    expect(start('.')).toEqual(outcomes('given'));
  });

  const test = program === DAMAGED ? it : itInDepth;
  test('runs the same without that code, and never runs what is damaged or of another source', async () => {
    const file = (end: string) => path.join(root, 'dist', program + end);
    for (const end of ['.js', '.bundle.cjs', '.bundle.cache'])
      await cp(path.join('dist', program + end), file(end), { recursive: true });
    const [bundle, cache] = [file('.bundle.cjs'), file('.bundle.cache')];
    const kept = await readFile(cache);
    expect(start(root)).toEqual(outcomes('given'));

    const damaged = Buffer.from(kept);
    damaged[kept.length >> 1] = ~(damaged[kept.length >> 1] ?? 0);
    for (const content of [damaged, kept.subarray(0, kept.length >> 1), Buffer.of()]) {
      await writeFile(cache, content);
      expect(start(root)).toEqual(outcomes('none'));
    }

    // V8 compares only the length of the source.
    const source = await readFile(bundle, 'latin1');
    await writeFile(bundle, `${source.trimEnd()}\t`.padEnd(source.length));
    await writeFile(cache, kept);
    expect(start(root)).toEqual(outcomes('none'));
    await writeFile(bundle, source, 'latin1');

    // The code is complete, but its second word, the version of V8, is another one.
    const foreign = Buffer.from(kept.subarray(DIGEST_BYTES));
    foreign.writeUInt32LE(~foreign.readUInt32LE(4) >>> 0, 4);
    const digest = createHash('sha256').update(source, 'latin1').update(foreign).digest();
    await writeFile(cache, Buffer.concat([digest, foreign]));
    expect(start(root)).toEqual(outcomes('refused'));

    await rm(cache);
    expect(start(root)).toEqual(outcomes('none'));
  });

  it('is all ASCII, and its map leads to sources of ours alone', async () => {
    expect(await readFile(path.join('dist', `${program}.bundle.cjs`), 'utf8')).toMatch(/^[\0-\x7f]*$/);
    const { sources } = JSON.parse(await readFile(path.join('dist', `${program}.bundle.cjs.map`), 'utf8'));
    const folder = path.join('dist', path.dirname(program));
    for (const source of sources) expect(path.join(folder, source)).toMatch(/^(src|ingest)\/.+\.ts$/);
    expect(sources.length).toBeGreaterThan(20);
  });
});

describe('the command line of ingest', () => {
  it('names the remedy where dist was copied without package.json', async () => {
    const copy = await mkdtemp(path.join(os.tmpdir(), 'without-package-'));
    for (const end of ['.js', '.bundle.cjs'])
      await cp(path.join('dist/ingest', `cli${end}`), path.join(copy, 'dist/ingest', `cli${end}`));
    await symlink(path.resolve('node_modules'), path.join(copy, 'node_modules'));
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(copy, 'dist/ingest/cli.js'), 'publish', copy, '--month', '2026-11'],
      { env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: copy }, encoding: 'utf8' },
    );
    await rm(copy, { recursive: true });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/has the package\.json of this program; copy it beside dist\n$/),
    ]);
  });

  it('writes the page that its modules write, to the last character', async () => {
    const published = path.join(process.env.SAMPLE_DATA_DIR ?? '', 'current');
    const report = JSON.parse(await readFile(path.join(published, 'report.json'), 'utf8'));
    expect(await readFile(path.join(published, 'report.html'), 'utf8')).toBe(reportHtml(report));
  });
});

/** The length of the digest that precedes the code in a file of compiled code. */
const DIGEST_BYTES = 32;

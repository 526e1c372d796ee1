// `node scripts/bundlePrograms.mjs`, which runs after the compiler: bundles each program into one file, and keeps the
// code that V8 compiled from it. Otherwise a start would spend half of its time on loading and compiling hundreds of
// modules.
//
// `dist/src/start.js` becomes a loader of two files. `start.bundle.cjs` has all modules of the server and of its
// packages. `start.bundle.cache` is the code that V8 compiled from them while the build ran the server. V8 ignores a
// cache that another version of V8 wrote, and then compiles what it runs. `start.bundle.cjs.map` leads from lines of
// the bundle to lines of the sources, for stack traces. The same is done for the command lines.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serialize } from 'node:v8';
import { linesOfOwnModules } from './sourceMapLines.mjs';
import { writeTinyMonth } from './tinyMonth.mjs';

/** The first module of each program, and what the program does while the build keeps the code that V8 compiles. */
const PROGRAMS = [
  { entry: 'src/start', run: startServer },
  { entry: 'src/access/cli', run: listKeys },
  { entry: 'ingest/cli', run: publishTwoMonths },
  { entry: 'ingest/staging/readerProcess', run: readWorkbook },
  { entry: 'ingest/sources/readers/xlsx/sheetThread', run: readSheet },
  { entry: 'ingest/compare/patterns/patternWorker', run: findPatterns },
];

/** The programs whose sources are in this folder: a package need not have all. */
const programsOf = (root) => PROGRAMS.filter(({ entry }) => existsSync(path.join(root, `${entry}.ts`)));

const LOADER = '.js';
const [BUNDLE, MAP, CACHE] = ['.bundle.cjs', '.bundle.cjs.map', '.bundle.cache'];

/** The files that this script writes beside the loaders, as paths below the root. */
export const bundledOutputs = (root) =>
  programsOf(root).flatMap(({ entry }) => [BUNDLE, MAP, CACHE].map((end) => path.join('dist', entry + end)));

async function bundlePrograms(root) {
  const programs = programsOf(root);
  await bundle(root, programs);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-api-build-'));
  try {
    for (const program of programs) await keepCode(root, program, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the loader of a program, and runs the program to keep its compiled code.
 *
 * @param folder A temporary folder for all programs.
 */
async function keepCode(root, { entry, run }, folder) {
  const file = (end) => path.join(root, 'dist', entry + end);
  copyFileSync(path.join(root, 'scripts', 'bundledProgram.mjs'), file(LOADER));
  rmSync(file(CACHE), { force: true });
  try {
    await run(root, (...how) => keepCompiled(file, ...how), folder);
  } catch ({ message }) {
    // For example, the native part of DuckDB may be for another platform than the one that builds.
    process.stderr.write(
      `dist/${entry + LOADER} starts more slowly: what it should do while its compiled code is kept (scripts/bundlePrograms.mjs) failed:\n${message}\n`,
    );
  }
}

/** Bundles all programs at once, because the bundler then reads shared modules only once. */
async function bundle(root, programs) {
  const { build } = createRequire(import.meta.url)('esbuild');
  const entries = new Set(programs.map(({ entry }) => entry));
  const { outputFiles } = await build({
    // With `outbase` instead of `out`, the bundler would write no file in a folder whose name has a quotation mark.
    entryPoints: programs.map(({ entry }) => ({ in: path.join(root, `${entry}.ts`), out: entry })),
    outdir: path.join(root, 'dist'),
    outExtension: { '.js': BUNDLE },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // The native part of DuckDB is a different package on each platform.
    external: ['@duckdb/node-bindings-*'],
    // The whole file is a function, which `bundledProgram.mjs` calls.
    banner: { js: '(function (exports, require, module, urlOf) {' },
    footer: { js: '})' },
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [ownModules(root, entries), smallerPackages],
  });
  for (const { path: file, text } of outputFiles)
    writeFileSync(file, file.endsWith(MAP) ? linesOfOwnModules(text) : inAscii(text));
}

/**
 * Modules keep their own URLs. The first module of a program waits for the program's end with `await`. A bundle cannot,
 * so it exports the promise as `ended`.
 */
const ownModules = (root, entries) => ({
  name: 'own modules',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const module = path.relative(root, file).replace(/\.ts$/, '');
      const source = readFileSync(file, 'utf8');
      const contents = (entries.has(module) ? source.replace(/^await /m, 'export const ended = ') : source)
        .replaceAll("createRequire(import.meta.url)('@duckdb/node-api')", "require('@duckdb/node-api')")
        .replaceAll('import.meta.url', `urlOf(${JSON.stringify(`${module}.js`)})`);
      return { contents, loader: 'ts' };
    });
  },
});

/** Leaves out zod's messages in fifty languages, which are a third of the bundle and are never shown. */
const smallerPackages = {
  name: 'smaller packages',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/**
 * Escapes the characters beyond ASCII that the bundler leaves in comments, templates and regular expressions. Their meaning
 * stays the same, except in `String.raw`. There it does not matter, because only regular expressions are made from its
 * results.
 */
const inAscii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Runs a bundled program, and stores the code that V8 has compiled by its end.
 *
 * @throws if it ends with another exit code than `exitCode`.
 */
function keepCompiled(file, args, { exitCode = 0, ...env }, options = []) {
  const { status, error, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', KEEP_COMPILED, ...options, file(LOADER), ...args],
    {
      // With an empty PATH, no Redis is started, whether or not one is installed.
      env: { ...env, PATH: '/nowhere', COMPILED: file(CACHE) },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    },
  );
  if (error !== undefined) throw error;
  if (status === exitCode) return;
  rmSync(file(CACHE), { force: true });
  // If a month was refused, stdout says why.
  throw new Error(stdout + stderr);
}

const KEEP_COMPILED = new URL('keepCompiled.mjs', import.meta.url).href;
const REQUEST_ONE_FILE = new URL('requestOneFile.mjs', import.meta.url).href;
const REQUEST_ONE_SHEET = new URL('requestOneSheet.mjs', import.meta.url).href;
const REQUEST_PATTERNS = new URL('requestPatterns.mjs', import.meta.url).href;

const TIMEOUT_MS = 60_000;

/**
 * Starts the server with a wrong setting: it loads all modules that a start loads, but needs neither Redis nor a
 * snapshot.
 */
function startServer(_, run) {
  run([], { PORT: 'none', exitCode: 2 });
}

/** Lists the keys without a Redis: the program loads what every command loads, and ends. */
function listKeys(_, run, folder) {
  run(['list'], { DATA_DIR: path.join(folder, 'keys'), exitCode: 1 });
}

/**
 * A module that the compiler wrote. It is imported by its URL, because `#`, `?` and `%` in a path mean other things in a
 * URL.
 */
const builtModule = (root, file) => import(pathToFileURL(path.join(root, 'dist', file)).href);

/** The product's own modules that write the sources of a tiny month. */
const tinyMonthModules = async (root) => ({
  ...(await builtModule(root, 'ingest/workbook/workbook.js')),
  ...(await builtModule(root, 'src/catalog/datasets.js')),
});

/** Publishes a month over another. This runs nearly all code that publishing a month can run. */
async function publishTwoMonths(root, run, folder) {
  const modules = await tinyMonthModules(root);
  for (const [revision, month] of ['2026-10', '2026-11'].entries()) {
    const sources = path.join(folder, month);
    writeTinyMonth(sources, revision, modules);
    run(['publish', sources, '--month', month], { DATA_DIR: dataOf(folder) });
  }
}

/** The data directory of the two months. */
const dataOf = (folder) => path.join(folder, 'data');

/** Finds the patterns of the two months as if another thread had asked for them. */
async function findPatterns(root, run, folder) {
  const compareModule = (file) => builtModule(root, `ingest/compare/${file}`);
  const { compareIn } = await compareModule('compare.js');
  const { ComparisonEngine } = await compareModule('comparisonEngine.js');
  const { snapshotSide } = await compareModule('side.js');
  const { requestOf } = await compareModule('patterns/patternRequest.js');
  const sides = await Promise.all(['2026-10.1', '2026-11.1'].map((id) => snapshotSide(dataOf(folder), id)));
  const requests = [];
  const thread = { find: (dataset) => void requests.push(requestOf(dataset)) };
  const engine = await ComparisonEngine.open(path.join(folder, 'spill'), 1);
  await compareIn(engine, ...sides, { limit: 0, thread });
  engine.close();
  const file = path.join(folder, 'requests');
  writeFileSync(file, serialize(requests));
  run([], { REQUESTS: file }, ['--import', REQUEST_PATTERNS]);
}

/** Reads a workbook as if an ingest process had asked for it. */
async function readWorkbook(root, run, folder) {
  const modules = await tinyMonthModules(root);
  const { NO_OPTIONS } = await builtModule(root, 'ingest/staging/readingOptions.js');
  const workDir = path.join(folder, 'workbook');
  writeTinyMonth(workDir, 0, modules);
  const [name, dataset] = ['ggr.xlsx', 'ggr'];
  const source = { name, path: path.join(workDir, name), dataset };
  const request = { source, workDir, options: NO_OPTIONS, known: null };
  run([], { REQUEST: serialize(request).toString('base64') }, ['--import', REQUEST_ONE_FILE]);
}

/** Reads a sheet as if another thread had asked for it. */
async function readSheet(root, run, folder) {
  const modules = await tinyMonthModules(root);
  const sources = path.join(folder, 'sheet');
  writeTinyMonth(sources, 0, modules);
  const name = 'ggr.xlsx';
  const kinds = [...Array.from({ length: 10 }, () => 'texts'), 'numbers'];
  const request = { path: path.join(sources, name), name, sheet: 0, kinds, lastRow: 1 };
  run([], { REQUEST: JSON.stringify(request) }, ['--import', REQUEST_ONE_SHEET]);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundlePrograms(fileURLToPath(new URL('..', import.meta.url)));

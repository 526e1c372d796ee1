// Bundles the command line of ingest into one file with code that V8 has compiled already, because a publish of a small
// month would spend a quarter of its time on loading 400 modules: node scripts/bundleCommand.mjs, after the compiler.
//
// `dist/ingest/cli.js` becomes a loader of `cli.bundle.cjs`, which has all modules of the command and of its packages, and
// of `cli.bundle.cache`, which is what V8 compiled of them while it published two tiny months. V8 ignores a cache that
// another version of V8 wrote, and compiles what it runs, as without one.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTinyMonth } from './tinyMonth.mjs';

const COMMAND = path.join('ingest', 'cli');
const LOADER = path.join('dist', `${COMMAND}.js`);
const BUNDLE = path.join('dist', `${COMMAND}.bundle.cjs`);
const CACHE = path.join('dist', `${COMMAND}.bundle.cache`);

/** What this writes beside the loader, as paths below the root. */
export const COMMAND_OUTPUTS = [BUNDLE, CACHE];

/** Whether a package has the command. */
export const hasCommand = (root) => existsSync(path.join(root, `${COMMAND}.ts`));

async function bundleCommand(root) {
  await bundle(root);
  copyFileSync(path.join(root, 'scripts', 'bundledCommand.mjs'), path.join(root, LOADER));
  rmSync(path.join(root, CACHE), { force: true });
  await fillCache(root).catch(({ message }) => {
    // As where the native part of DuckDB is of another platform than the one that builds.
    process.stderr.write(
      `${BUNDLE} starts more slowly, because nothing could be published with it: ${message}\n`,
    );
  });
}

async function bundle(root) {
  const { build } = createRequire(import.meta.url)('esbuild');
  await build({
    entryPoints: [path.join(root, `${COMMAND}.ts`)],
    outfile: path.join(root, BUNDLE),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // The native part of DuckDB is of another package on each platform.
    external: ['@duckdb/node-bindings-*'],
    // The file is a function: `bundledCommand.mjs` calls it.
    banner: { js: '(function (exports, require, module, urlOf) {' },
    footer: { js: '})' },
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [ownModules(root), smallerPackages],
  });
}

/** Modules keep their own URLs, and the entry, which awaits its end, exports that instead. */
const ownModules = (root) => ({
  name: 'own modules',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const module = path.relative(root, file).replace(/\.ts$/, '');
      const source = readFileSync(file, 'utf8');
      const contents = (module === COMMAND ? source.replace(/^await /m, 'export const ended = ') : source)
        .replaceAll("createRequire(import.meta.url)('@duckdb/node-api')", "require('@duckdb/node-api')")
        .replaceAll('import.meta.url', `urlOf(${JSON.stringify(`${module}.js`)})`);
      return { contents, loader: 'ts' };
    });
  },
});

/** Messages of zod in fifty languages are a third of the bundle, and nothing shows them. */
const smallerPackages = {
  name: 'smaller packages',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Publishes a month over another, which runs nearly everything that a publish may run, and keeps what V8 compiled. */
async function fillCache(root) {
  const { writeWorkbook } = await import(path.join(root, 'dist/ingest/sample/workbook.js'));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'data-api-build-'));
  try {
    for (const [revision, month] of ['2026-10', '2026-11'].entries()) {
      const sources = path.join(folder, month);
      writeTinyMonth(sources, revision, writeWorkbook);
      execFileSync(
        process.execPath,
        ['--import', KEEP_COMPILED, path.join(root, LOADER), 'publish', sources, '--month', month],
        {
          env: { DATA_DIR: path.join(folder, 'data'), COMPILED: path.join(root, CACHE) },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const KEEP_COMPILED = new URL('keepCompiled.mjs', import.meta.url).href;

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundleCommand(fileURLToPath(new URL('..', import.meta.url)));

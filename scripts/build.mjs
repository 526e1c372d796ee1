// `npm run build`: compiles src, ingest and bench into dist, and bundles the explorer, the server and the command
// lines. Does nothing if dist already has all that.
//
// The stamp dist/.built holds two digests: of everything that goes into the build, and of everything that came out of it.
// Contents are compared, not times: a checkout, a copy or an unpacked archive may give changed files old times, and a
// compiler in watch mode may have left code of other sources in dist. A build takes the digest of the sources before it
// compiles them, so that the next build compiles a file that was saved meanwhile. Builds run one after the other.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleExplorer, EXPLORER, EXPLORER_OUTPUT } from './bundleExplorer.mjs';
import { bundledOutputs } from './bundlePrograms.mjs';
import { oneBuildAtATime } from './oneBuild.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(ROOT, ...parts);

// The compiler and the bundler are written in Go and run only briefly. Without garbage collection they take a fifth
// less CPU time, and the compiler takes 700 MB instead of 600.
process.env.GOGC ??= 'off';

const DIST = inRoot('dist');
const STAMP = inRoot('dist/.built');
/** The end of the stamp while the types are not checked. */
const UNCHECKED = ' unchecked';
const FOLDERS = ['src', 'ingest', 'bench'];
const SETTINGS = [
  'package.json',
  // The bundles contain packages.
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/**
 * Builds what dist lacks. Throws if the compiler finds errors; dist then counts as not built.
 *
 * `make test` checks the types of all sources while the tests run, so the build for its tests does not check them. The
 * stamp says so, and the next build outside of the tests checks them.
 */
export function ensureBuilt() {
  const unchecked = process.env.TYPES_CHECKED_BESIDE !== undefined;
  if (missingWork(unchecked) === null) return;
  oneBuildAtATime(DIST, () => {
    // The build for which this one waited may have done everything.
    missingWork(unchecked)?.();
  });
}

/**
 * Returns a function that builds what dist lacks; null when it lacks nothing.
 *
 * @param unchecked whether the build need not check the types.
 */
function missingWork(unchecked) {
  const sources = sourcesForNode();
  const bundles = bundledOutputs(ROOT);
  const outputs = [...sources.map(outputOf), ...bundles];
  const before = digestOf([
    ...SETTINGS,
    ...filesOf('scripts', /\.mjs$/),
    ...sources,
    ...filesOf(EXPLORER, /\.(tsx?|css|html|json)$/),
  ]);
  const built = () => `${before} ${digestOf([...outputs, ...filesOf(EXPLORER_OUTPUT, /./)])}`;
  const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  if (stamp.startsWith(before)) {
    const checked = built();
    if (stamp === checked) return null;
    if (stamp === checked + UNCHECKED) {
      if (unchecked) return null;
      return () => {
        compile('--noEmit');
        writeFileSync(STAMP, checked);
      };
    }
  }
  return () => {
    buildModules(sources, outputs, ...(unchecked ? ['--noCheck'] : []));
    if (bundles.length > 0) bundlePrograms();
    writeFileSync(STAMP, built() + (unchecked ? UNCHECKED : ''));
  };
}

/** Builds what `make dev` runs: modules and the explorer, but no bundled programs. Throws as `ensureBuilt` does. */
export function buildForDevelopment() {
  oneBuildAtATime(DIST, () => {
    const sources = sourcesForNode();
    buildModules(sources, [...sources.map(outputOf), ...bundledOutputs(ROOT)]);
  });
}

/**
 * Compiles the sources, and bundles the explorer. It removes the stamp first, so that dist counts as not built until
 * `ensureBuilt` has finished.
 */
function buildModules(sources, outputs, ...options) {
  rmSync(STAMP, { force: true });
  removeSurplus(new Set(outputs));
  compile(...options);
  for (const source of sources) if (!source.endsWith('.ts')) copy(source);
  bundleExplorer(ROOT);
}

const sourcesForNode = () =>
  FOLDERS.flatMap((folder) => filesOf(folder, /\.(ts|lua)$|examples\.json$/)).filter(isForNode);

/** The explorer runs in browsers. It is bundled, not compiled file by file. */
const isForNode = (source) => !source.startsWith(`${EXPLORER}${path.sep}`);

/** The compiled file of a source, as a path below the root. */
const outputOf = (source) => path.join('dist', source.replace(/\.ts$/, '.js'));

/**
 * Files below a folder, as sorted paths below the root. A link to nothing, as Emacs makes for its locks, is not a file.
 */
function filesOf(folder, pattern) {
  if (!existsSync(inRoot(folder))) return [];
  const isFile = (file) => statSync(inRoot(folder, file), { throwIfNoEntry: false })?.isFile() ?? false;
  return readdirSync(inRoot(folder), { recursive: true })
    .filter((file) => pattern.test(file) && isFile(file))
    .map((file) => path.join(folder, file))
    .sort();
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = existsSync(inRoot(file)) ? readFileSync(inRoot(file)) : 'missing';
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Removes what was compiled from sources that are gone. */
function removeSurplus(outputs) {
  for (const file of FOLDERS.flatMap((folder) =>
    filesOf(path.join('dist', folder), /\.(js|js\.map|lua|json)$/),
  )) {
    if (!outputs.has(file.replace(/\.map$/, ''))) rmSync(inRoot(file), { force: true });
  }
}

/** Runs the compiler. It reports on stderr, because stdout is for the output of the command. */
function compile(...options) {
  const compiler = inRoot('node_modules/.bin/tsc');
  if (!existsSync(compiler))
    throw new Error('dist cannot be built: the compiler is missing; run npm ci first');
  // Each checker infers most types for itself. Four checkers together take twice the CPU time of one.
  execFileSync(compiler, ['-p', inRoot('tsconfig.build.json'), '--checkers', '1', ...options], {
    stdio: ['ignore', 2, 2],
  });
}

/** Bundles in a separate process, because the bundler's plugins work with promises only, and a build is synchronous. */
function bundlePrograms() {
  execFileSync(process.execPath, [inRoot('scripts/bundlePrograms.mjs')], { stdio: ['ignore', 2, 2] });
}

function copy(source) {
  mkdirSync(path.dirname(inRoot(outputOf(source))), { recursive: true });
  copyFileSync(inRoot(source), inRoot(outputOf(source)));
}

/** Builds. If that fails, reports the errors and ends the process. */
export function buildOrExit() {
  try {
    ensureBuilt();
  } catch (error) {
    if (error.status === undefined) process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildOrExit();

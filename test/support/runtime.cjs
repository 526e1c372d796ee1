// jest's module loader, changed so that node loads packages and the product's modules once a worker. jest itself loads them
// anew for every test file. That takes longer than most files, and V8 loses the compiled code each time.
//
// The product's modules come from dist, which test/support/globalSetup.mjs has built.

const { existsSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.resolve(__dirname, '..', '..');

/**
 * Makes V8 optimise less than in commands. Most code runs a few times in a test, and optimising it would take a tenth of
 * the CPU. The long tests optimise as usual, because they repeat more and some measure times. Each file sets the flags,
 * because threads and warm-ups change them.
 */
async function optimiseLittle(testFile) {
  const { compileLater, compileLittle, hasBudget } = await compileTimes;
  if (testFile.includes(LONG)) return compileLater();
  compileLittle();
  if (hasBudget) v8.setFlagsFromString('--interrupt-budget=1081344');
}

const compileTimes = import(pathToFileURL(path.join(ROOT, 'dist', 'src', 'process', 'compileTimes.js')).href);
const LONG = path.join(ROOT, 'test', 'long', path.sep);

const PACKAGES = `${path.sep}node_modules${path.sep}`;

/** The test runner of jest, which jest must load for each file. Node loads all other packages of jest. */
const CIRCUS = `${PACKAGES}jest-circus${path.sep}`;

const isPackage = (file) => file.includes(PACKAGES) && !file.includes(CIRCUS);

module.exports = class SharedModules extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    SharedModules.checkInternals(this);
    const [, , , , , , testFile] = parameters;
    void optimiseLittle(testFile);
    const { esmLoader } = this;
    // Newer versions of Node can load modules without promises. That would bypass the changes below.
    esmLoader.resolution.hasDistinctAsyncResolver = () => true;
    // jest searches the text of a CommonJS package for the names of its exports, anew for each test file. The keys of the
    // loaded exports are the same names.
    const { cjsExportsCache } = esmLoader;
    const namesIn = cjsExportsCache.getExportsOf.bind(cjsExportsCache);
    cjsExportsCache.getExportsOf = (from, file) => (isPackage(file) ? [] : namesIn(from, file));
    const load = esmLoader.loadEsmModule.bind(esmLoader);
    const loaded = new Map();
    esmLoader.loadEsmModule = (file, suffix) => {
      const shared = sharedFile(file);
      if (shared === null || suffix) return load(file, suffix);
      if (!loaded.has(file)) loaded.set(file, wrapped(shared, esmLoader.getContext()));
      return loaded.get(file);
    };
  }

  /** Throws when this version of jest-runtime lacks a function that this file changes or calls. */
  static checkInternals(runtime, methods = Runtime.prototype) {
    const all = { ...runtime, methods };
    const missing = INTERNALS.filter(
      (name) => typeof name.split('.').reduce((part, key) => part?.[key], all) !== 'function',
    );
    if (missing.length === 0) return;
    const { version } = require('jest-runtime/package.json');
    throw new Error(
      `test/support/runtime.cjs changes parts of jest-runtime 30.5.2 that version ${version} does not have: ` +
        `${missing.join(', ')}. Install jest, jest-runtime, jest-mock and @jest/test-sequencer 30.5.2, or adapt the file; ` +
        'without `runtime` in jest.config.mjs the tests run slowly, as jest loads modules.',
    );
  }

  requireModuleOrMock(from, name) {
    if (!name.startsWith('node:')) {
      const file = this._resolution.resolveCjs(from, name);
      if (path.isAbsolute(file) && isPackage(file)) return prepared(require(file));
    }
    return super.requireModuleOrMock(from, name);
  }

  requireInternalModule(from, name) {
    if (name === 'node:async_hooks' && from.includes(CIRCUS)) return { AsyncLocalStorage: SequentialStorage };
    const file =
      name === undefined || name.startsWith('node:') ? from : this._resolution.resolveCjs(from, name);
    return path.isAbsolute(file) && isPackage(file) ? require(file) : super.requireInternalModule(from, name);
  }
};

/**
 * Replaces the AsyncLocalStorage in which jest-circus keeps the running test. A field is enough, because tests run one
 * after another. Each test file would make another storage and disable none, and node records all of them on every promise:
 * late in a run, that takes a quarter of the time.
 */
class SequentialStorage {
  #current;

  getStore() {
    return this.#current;
  }

  /** Keeps `store` until the promise of `callback` has settled. */
  async run(store, callback) {
    const outer = this.#current;
    this.#current = store;
    try {
      return await callback();
    } finally {
      this.#current = outer;
    }
  }
}

/** The functions of jest-runtime that this file changes or calls: of an instance, or of its class (`methods`). */
const INTERNALS = [
  'esmLoader.loadEsmModule',
  'esmLoader.getContext',
  'esmLoader.cjsExportsCache.getExportsOf',
  'esmLoader.resolution.hasDistinctAsyncResolver',
  '_resolution.resolveCjs',
  'methods.requireModuleOrMock',
  'methods.requireInternalModule',
];

/** The file that node loads in place of `file`; null when jest loads it. */
function sharedFile(file) {
  if (file.endsWith('.json')) return null;
  if (isPackage(file)) return file;
  if (!files.has(file)) files.set(file, builtFile(file));
  return files.get(file);
}

const files = new Map();

/** The compiled file of a module of the product; null when there is none. The explorer has none, because it is bundled. */
function builtFile(file) {
  const [folder, ...rest] = path.relative(ROOT, file).split(path.sep);
  if (!BUILT.has(folder)) return null;
  const built = path.join(ROOT, 'dist', folder, ...rest).replace(/\.ts$/, '.js');
  return existsSync(built) ? built : null;
}

const BUILT = new Set(['src', 'ingest', 'bench']);

/**
 * Prepares two packages. fast-check gets TEST_SEED (test/support/globalSetup.mjs).
 *
 * DuckDB gets one thread unless a test sets another number, because starting threads takes longer than reading the few rows
 * of a test. The long tests, and all programs that run as processes, use all threads of the machine.
 */
function prepared(api) {
  const { DuckDBInstance, configureGlobal } = api;
  if (configureGlobal !== undefined) configureGlobal({ seed: Number(process.env.TEST_SEED) });
  if (DuckDBInstance === undefined || seen.has(DuckDBInstance) || process.env.TEST_DEPTH) return api;
  seen.add(DuckDBInstance);
  const create = DuckDBInstance.create.bind(DuckDBInstance);
  DuckDBInstance.create = (file, options) => create(file, { threads: '1', ...options });
  return api;
}

const seen = new WeakSet();

async function wrapped(file, context) {
  prepared(require('@duckdb/node-api'));
  const namespace = prepared(await import(pathToFileURL(file).href));
  const names = Object.keys(namespace);
  const module = new vm.SyntheticModule(
    names,
    function () {
      for (const name of names) this.setExport(name, namespace[name]);
    },
    { context, identifier: file },
  );
  await module.link(() => {});
  await module.evaluate();
  return module;
}

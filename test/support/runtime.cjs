// jest's module loader, but node loads packages and the product's own modules, once a worker: jest loads them anew for
// every test file, which takes longer than most files, and what V8 has learned of them is lost each time.
//
// The product's modules are those of dist, which test/support/globalSetup.mjs has built.

const { existsSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const v8 = require('node:v8');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.resolve(__dirname, '..', '..');

/**
 * Has V8 optimise less than commands do: most code runs a few times in a test, and optimising functions that hardly run
 * afterwards would take a tenth of the CPU. The long tests repeat more, and some measure times. Threads and warm-ups put back
 * other values, so each file sets these.
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

/** What runs the tests of a file and knows them; node loads everything else that belongs to jest, too. */
const CIRCUS = `${PACKAGES}jest-circus${path.sep}`;

const isPackage = (file) => file.includes(PACKAGES) && !file.includes(CIRCUS);

module.exports = class SharedModules extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    SharedModules.checkInternals(this);
    const [, , , , , , testFile] = parameters;
    void optimiseLittle(testFile);
    const { esmLoader } = this;
    // Newer versions of Node can load without promises, which would pass by what follows.
    esmLoader.resolution.hasDistinctAsyncResolver = () => true;
    // Jest reads the text of a CommonJS package for the names of its exports, anew for each test file. The keys of what it
    // exports are the same names.
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

  /** Throws when this version of jest-runtime is not made of the parts that this file changes. */
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
 * Stands for the AsyncLocalStorage in which jest-circus keeps the running test. Tests run one after another, so that a field
 * does. Each test file makes a storage of its own, none is disabled, and node notes all of them on every promise: late in
 * a run that takes a quarter of the time.
 */
class SequentialStorage {
  #current;

  getStore() {
    return this.#current;
  }

  /** The callback of jest-circus is asynchronous. */
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

/** What node loads in place of a file; null when jest loads it. */
function sharedFile(file) {
  if (file.endsWith('.json')) return null;
  if (isPackage(file)) return file;
  if (!files.has(file)) files.set(file, builtFile(file));
  return files.get(file);
}

const files = new Map();

/** The explorer is not there: it is bundled. */
function builtFile(file) {
  const [folder, ...rest] = path.relative(ROOT, file).split(path.sep);
  if (!BUILT.has(folder)) return null;
  const built = path.join(ROOT, 'dist', folder, ...rest).replace(/\.ts$/, '.js');
  return existsSync(built) ? built : null;
}

const BUILT = new Set(['src', 'ingest', 'bench']);

/**
 * fast-check draws from TEST_SEED (test/support/globalSetup.mjs).
 *
 * DuckDB runs on one thread unless a test says otherwise: starting threads takes longer than reading the few rows of a
 * test. The long tests and everything that runs as a process have as many threads as the machine gives.
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

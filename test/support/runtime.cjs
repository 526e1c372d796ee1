// jest's module loader, but packages of node_modules are loaded by node, once a worker: jest loads them anew for every
// test file, which takes longer than most files. Our own modules are still loaded anew for each file.

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${path.sep}node_modules${path.sep}`;

/** Packages that belong to jest itself: `expect` and its parts know the test file that they run in. */
const OF_JEST = /[/\\]node_modules[/\\](?:@jest[/\\]|jest|expect|pretty-format|@swc[/\\])/;

/** Packages that return or walk plain objects: node's are no strict equals of those of a test file, which has classes of its own. */
const OF_VALUES = /[/\\]node_modules[/\\](?:zod|zod-openapi)[/\\]/;

const isPackage = (file) => file.includes(PACKAGES) && !OF_JEST.test(file) && !OF_VALUES.test(file);

module.exports = class SharedPackages extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const { esmLoader } = this;
    const load = esmLoader.loadEsmModule.bind(esmLoader);
    const loaded = new Map();
    esmLoader.loadEsmModule = (file, suffix) => {
      if (!isPackage(file) || file.endsWith('.json')) return load(file, suffix);
      if (!loaded.has(file)) loaded.set(file, wrapped(file, esmLoader.getContext()));
      return loaded.get(file);
    };
  }

  requireModuleOrMock(from, name) {
    if (!name.startsWith('node:')) {
      const file = this._resolution.resolveCjs(from, name);
      if (path.isAbsolute(file) && isPackage(file)) return prepared(require(file));
    }
    return super.requireModuleOrMock(from, name);
  }
};

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
  const namespace = prepared(await import(pathToFileURL(file).href));
  const names = Object.keys(namespace);
  const module = new SyntheticModule(
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

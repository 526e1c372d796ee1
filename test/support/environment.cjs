// Runs all test files of a worker in the context of the worker. So Node loads the product's modules and all packages once
// in each worker, they stay compiled, and all test files share their classes. test/support/runtime.cjs loads them.
//
// When a file ends, its changes to the process are undone: settings, the exit code and the console.

const path = require('node:path');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');

/** jest passes a context made by `vm` to Node. This object stands in for it, and means the worker's own context. */
const WORKER = Object.freeze({});

/** The folder of jest's test runner. Its modules run anew for each test file, but are compiled only for the first one. */
const CIRCUS = path.join('node_modules', 'jest-circus', path.sep);

for (const name of ['SourceTextModule', 'SyntheticModule']) {
  const Module = vm[name];
  vm[name] = class extends Module {
    constructor(...parameters) {
      const options = parameters.at(-1);
      super(
        ...parameters.slice(0, -1),
        options.context === WORKER ? { ...options, context: undefined } : options,
      );
    }
  };
}
// jest gives a worker half a second to end. On a busy machine, a worker that frees its memory piece by piece takes longer.
// `beforeExit` is not emitted while something is left open, so open handles are still noticed.
process.once('beforeExit', () => process.exit());

const { compileFunction } = vm;
const runners = new Map();
vm.compileFunction = (code, parameters, options) => {
  if (options.parsingContext !== WORKER) return compileFunction(code, parameters, options);
  const { filename } = options;
  const compiled =
    runners.get(filename) ?? compileFunction(code, parameters, { ...options, parsingContext: undefined });
  if (filename.includes(CIRCUS)) runners.set(filename, compiled);
  return compiled;
};

module.exports = class WorkersContext {
  constructor() {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = null;
    this.restore = restoring();
  }

  async setup() {
    // jest sets 100 frames, and each `expect` records them. The first 20 are enough for a failure.
    Error.stackTraceLimit = 20;
  }

  async teardown() {
    this.restore();
    this.global = null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.global && WORKER;
  }
};

/** Records the state of the process that tests may change. Returns a function that restores it. */
function restoring() {
  const { console } = globalThis;
  const { exit, exitCode } = process;
  const settings = { ...process.env };
  return () => {
    globalThis.console = console;
    // These are the state of jest-circus, which is loaded anew for each file.
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    process.exit = exit;
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in settings)) delete process.env[name];
    Object.assign(process.env, settings);
  };
}

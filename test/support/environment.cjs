// Runs test files in the context of the worker, not in one of their own: the product's modules and all packages are loaded
// by node once a worker and stay compiled, and tests share their classes. test/support/runtime.cjs loads them.
//
// What a file changes of the process is put back when it ends: settings and the exit code.

const path = require('node:path');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');

/** Stands for the worker's own context where jest wants one that `vm` has made. */
const WORKER = Object.freeze({});

/** What runs the tests of a file. It starts anew for each file, from functions that V8 has compiled for the first one. */
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
// jest gives a worker half a second to end. Without this, one whose work is done would take longer on a busy machine: it
// would give back its memory piece by piece. `beforeExit` is not emitted while something is left open.
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
    // jest asks for 100 frames. A failure shows those that matter; each `expect` notes them in advance.
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

/** Notes what tests may change of the process; gives a function that puts it back. */
function restoring() {
  const { console } = globalThis;
  const { exit, exitCode } = process;
  const settings = { ...process.env };
  return () => {
    globalThis.console = console;
    // Of jest-circus, which is loaded anew for each file.
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    process.exit = exit;
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in settings)) delete process.env[name];
    Object.assign(process.env, settings);
  };
}

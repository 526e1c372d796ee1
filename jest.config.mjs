// Runs the tests as ES modules; swc strips the types, `npm run types` checks them.
import os from 'node:os';

export default {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  globalSetup: '<rootDir>/test/support/globalSetup.mjs',
  globalTeardown: '<rootDir>/test/support/globalTeardown.mjs',
  testSequencer: '<rootDir>/test/support/longestFirst.mjs',
  runtime: '<rootDir>/test/support/runtime.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/long/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.venv/'],
  // Some tests wait for disks and other processes, so that more workers than cores are faster: on two cores five need less
  // time than four or six. Each worker loads and compiles all packages for itself.
  maxWorkers: 3 + os.availableParallelism(),
  // Workers end together when the run does, and a busy machine needs longer than jest's half second to take back their
  // memory. A worker that something keeps open is still reported.
  workerGracefulExitTimeout: 10_000,
  // What hangs shall end, and nothing else: a busy machine may need a minute for what takes a second.
  testTimeout: 180_000,
};

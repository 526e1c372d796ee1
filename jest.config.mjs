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
  // Some tests wait for disks and other processes, so more workers than cores are faster. On two cores, five take less time
  // than four or six. Each worker loads and compiles all packages for itself.
  maxWorkers: 3 + os.availableParallelism(),
  // All workers end together. A busy machine needs longer than jest's half second to free their memory. A worker that does
  // not end is still reported.
  workerGracefulExitTimeout: 10_000,
  // This ends only tests that hang: on a busy machine, a test of a second may take a minute.
  testTimeout: 180_000,
};

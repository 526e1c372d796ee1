// Runs once before the tests: builds the programs, publishes the sample that tests share, and starts the services.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { useMemoryFolder } from './memoryFolder.mjs';
import { startServices } from './services.mjs';
import { leaseSample } from './sharedSample.mjs';

/** The folder of the samples that runs share. */
const SHARED = path.resolve('node_modules', '.cache');

/**
 * The seed of property tests. Every run of `make test` has the same one, so that a test fails only when the code or the
 * test has changed. `make test-long` draws another one each time.
 */
const SEED = 1;

export default async function globalSetup() {
  process.env.TEST_SEED ??= String(SEED);
  // Node parses these certificates at every start, which takes 40 ms of CPU. Only the long tests need them, to install
  // packages.
  const isLong = process.argv.some((word) => word.includes('test/long'));
  if (!isLong) delete process.env.NODE_EXTRA_CA_CERTS;
  // The files of the long tests are too large for a folder in memory.
  const removeTemporary = isLong ? () => {} : useMemoryFolder();
  // Builds as `npm run build` does, without the half second that npm takes.
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  process.env.SAMPLE_DATA_DIR = leaseSample(SHARED, digestOf('dist'), publishSample);
  // The folder for data that tests make once for a build. It is removed with the sample.
  process.env.SHARED_DIR = `${process.env.SAMPLE_DATA_DIR}-shared`;
  mkdirSync(process.env.SHARED_DIR, { recursive: true });
  const services = await startServices();
  process.env.TEST_SERVICES = services.url;
  // For globalTeardown.mjs.
  globalThis.testServices = services;
  globalThis.removeTemporary = removeTemporary;
}

/** Publishes both months of the sample into an empty data directory. */
function publishSample(dataDir) {
  const run = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    // `publish` prints the problems of the sample on stdout, for example that a new dataset has no source.
    if (status !== 0) throw new Error(`the sample cannot be made: ${args.join(' ')}\n${stdout}${stderr}`);
  };
  run('dist/ingest/sample/cli.js', path.join(dataDir, 'sources'));
  for (const month of ['2026-10', '2026-11'])
    run('dist/ingest/cli.js', 'publish', path.join(dataDir, 'sources', month), '--month', month);
}

function digestOf(folder) {
  const hash = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of readdirSync(folder, { recursive: true }).sort())
    if (/\.(js|lua|sql)$/.test(file)) hash.update(file).update(readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

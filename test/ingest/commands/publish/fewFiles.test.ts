// Commands that may open too few files, or reserve too little address space.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { aMonth, csvOf } from '../../../support/month.ts';
import { aDataDir, aRow, publishRows } from '../../../support/snapshot.ts';

const REMEDY =
  /too many open files.*; raise the limit of open files \(ulimit -n\), and run again; current is what it was$/im;

/** Runs a command that may open this many files. */
function within(files: number, dataDir: string, args: string) {
  const command = `ulimit -n ${files}; exec "${process.execPath}" dist/ingest/cli.js ${args}`;
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir };
  return spawnSync('sh', ['-c', command], { env, encoding: 'utf8' });
}

it('a publish that may open too few files says so and what to do', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr')]) });
  const publish = `publish "${month.directory}" --month 2026-11`;
  const ran = (files: number) => within(files, path.join(month.directory, 'data'), publish);
  // The number that Node needs to start depends on its version.
  const limit = [20, 22, 24, 26, 28, 30, 32].find((files) => REMEDY.test(ran(files).stderr));
  expect(limit).toBeDefined();
  expect(ran(limit ?? 0).status).toBe(1);
  await month.remove();
});

it('a verify that may open too few files says so, and does not call the snapshot damaged', async () => {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-11.1');
  let refused = 0;
  for (let files = 18; ; files++) {
    const { status, stdout, stderr } = within(files, dataDir, 'verify');
    if (status === 0) break;
    expect(stdout).toBe('');
    if (REMEDY.test(stderr)) refused += 1;
  }
  expect(refused).toBeGreaterThan(0);
  await remove();
});

it('a command that may reserve too little address space says so and what to do', () => {
  const run = `ulimit -v 1000000; exec "${process.execPath}" dist/ingest/cli.js list`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', run], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    'only 1024 MB of address space are allowed, and ingest reserves 1600 MB or more, most of which it never uses; ' +
      'run `ulimit -v unlimited` first, or replace LimitAS= in its unit by MemoryMax=\n',
  ]);
});

// Commands that may open too few files, or reserve too little address space.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { aMonth, csvOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

const REMEDY =
  /too many open files.*; raise the limit of open files \(ulimit -n\), and run again; current is what it was$/im;

it('a publish that may open too few files says so and what to do', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr')]) });
  const publish = `exec "${process.execPath}" dist/ingest/cli.js publish "${month.directory}" --month 2026-11`;
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: path.join(month.directory, 'data') };
  const within = (files: number) =>
    spawnSync('sh', ['-c', `ulimit -n ${files}; ${publish}`], { env, encoding: 'utf8' });
  // The number that Node needs to start depends on its version.
  const limit = [20, 22, 24, 26, 28, 30, 32].find((files) => REMEDY.test(within(files).stderr));
  expect(limit).toBeDefined();
  expect(within(limit ?? 0).status).toBe(1);
  await month.remove();
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

// A first load's series and single rows are checked side by side, and told in the same order each time.

import path from 'node:path';
import { expect, it } from '@jest/globals';
import { checkMonth, stageMonth } from '../../../ingest/commands/publish/stagedMonth.ts';
import { Staging } from '../../../ingest/staging/database/staging.ts';
import { aMonth, csvOf, publishDefaults, SILENT } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';

/** Ten years of one series, with a gap and an amount below a cent. */
const ROWS = [2010, 2011, 2012, 2014, 2015, 2016, 2017, 2018, 2019].map((year) =>
  aRow('ggr', { year, ggr: year === 2016 ? 0.001 : 5_000_000 + year }),
);

it('warnings about series come before those about single rows', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', ROWS) });
  try {
    const told = (await month.problems()).filter((text) => text.includes('ggr.csv'));
    expect(told.map((text) => /lacks years|less than a cent/.exec(text)?.[0])).toEqual([
      'lacks years',
      'less than a cent',
    ]);
  } finally {
    await month.remove();
  }
});

it('a check that fails is thrown after those beside it have ended', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', ROWS) });
  const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
  const staging = await Staging.openInMemory(path.join(month.dataDir, 'work'));
  try {
    const staged = await stageMonth(options, staging, month.dataDir, SILENT);
    let running = 0;
    const { connection } = staging;
    const run = connection.runAndReadAll.bind(connection);
    connection.runAndReadAll = async (...given) => {
      running += 1;
      return await run(...given).finally(() => {
        running -= 1;
      });
    };
    (staging.beside.connection as typeof connection).closeSync();
    await expect(checkMonth(options, staged, SILENT)).rejects.toThrow();
    expect(running).toBe(0);
  } finally {
    staging.close();
    await month.remove();
  }
});

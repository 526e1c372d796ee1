// The thread finds the same patterns as the main thread, even if it ends before it has answered.

import path from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { compareIn } from '../../../../ingest/compare/compare.ts';
import { PatternThread } from '../../../../ingest/compare/patterns/patternThread.ts';
import type { Side } from '../../../../ingest/compare/side.ts';
import { aDataDir, aRow, type Row, writeRows } from '../../../support/snapshot.ts';
import { comparing } from '../../../support/testEngine.ts';

/** Just enough rows for a dataset to be sent to the thread. They include states and forecasts. */
const rows = Array.from({ length: 50 }, (_, c) =>
  Array.from({ length: 60 }, (_, i) => {
    const year = 2012 + (i % 20);
    return aRow('ggr', {
      country: `Country ${c}`,
      state: i < 20 ? '' : `State ${Math.floor(i / 20)}`,
      year,
      temporal: year > 2026 ? 'Forecast' : 'Current',
      ggr: 1000 + 37 * c + 11 * i,
    });
  }),
).flat();

/** One country vanishes, one grows tenfold, one becomes zero, and a forecast becomes a reported figure. */
const changed = (row: Row): readonly Row[] => {
  const ggr = Number(row.ggr);
  if (row.country === 'Country 1') return [];
  if (row.country === 'Country 2') return [{ ...row, ggr: 10 * ggr }];
  if (row.country === 'Country 3') return [{ ...row, ggr: 0 }];
  return [row.year === 2027 && row.country === 'Country 4' ? { ...row, temporal: 'Current' } : row];
};

let [before, after]: (Side | undefined)[] = [];
let remove = async () => {};
beforeAll(async () => {
  const { dataDir, remove: removeFolder } = await aDataDir();
  remove = removeFolder;
  const side = async (id: string, ggr: readonly Row[]): Promise<Side> => {
    const directory = path.join(dataDir, id);
    const { datasets } = await writeRows(directory, { ggr });
    return { id, month: id.slice(0, 7), directory, datasets };
  };
  [before, after] = [await side('2026-10.1', rows), await side('2026-11.1', rows.flatMap(changed))];
});
afterAll(async () => await remove());

/** @param thread The thread for `compareIn`: null for none. With undefined, `compareIn` decides whether to start one. */
async function compared(thread: PatternThread | null | undefined, from = before) {
  if (from === undefined || after === undefined) throw new Error('the sides are not written');
  const sides = [from, after] as const;
  const { datasets, relations } = await comparing((engine) =>
    compareIn(engine, ...sides, { limit: 20, ...(thread !== undefined && { thread }) }),
  );
  return { datasets, relations };
}

it('a comparison starts the thread itself from 100,000 rows of a dataset on, of both sides', async () => {
  const starts = jest.spyOn(PatternThread, 'start');
  try {
    for (const rowsOfBoth of [99_999, 100_000]) {
      if (before === undefined || after === undefined) throw new Error('the sides are not written');
      // The manifest names more rows than the file has, which the comparison notices.
      const ggr = { ...before.datasets.ggr, rows: rowsOfBoth - after.datasets.ggr.rows };
      const large = { ...before, datasets: { ...before.datasets, ggr } };
      await expect(compared(undefined, large)).rejects.toThrow('holds another number of rows');
      expect(starts).toHaveBeenCalledTimes(rowsOfBoth === 100_000 ? 1 : 0);
    }
  } finally {
    starts.mockRestore();
  }
});

it('finds the patterns that the thread which compares finds', async () => {
  const here = await compared(null);
  expect(here.datasets.ggr.patterns.length).toBeGreaterThan(2);
  const thread = new PatternThread();
  let sent = 0;
  const counting = Object.assign(Object.create(thread), {
    find: (dataset: Parameters<PatternThread['find']>[0]) => {
      const patterns = PatternThread.prototype.find.call(thread, dataset);
      if (patterns !== null) sent += 1;
      return patterns;
    },
  });
  try {
    expect(await compared(counting)).toEqual(here);
    expect(sent).toBe(1);
  } finally {
    await thread.close();
  }
  expect(await compared(thread)).toEqual(here);
  const ending = new PatternThread();
  const ended = ending.close();
  expect(await compared(ending)).toEqual(here);
  await ended;
});

// The next page of a walk is prepared before it is requested.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createSelector, type Selector } from '../../../src/query/selection/selector.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { startServer } from '../../support/server.ts';
import { aRow, publishRows } from '../../support/snapshot.ts';

const rows = { ggr: Array.from({ length: 60 }, (_, i) => aRow('ggr', { country: `Land ${100 + i}` })) };

/** A selector that records the positions after which pages were selected. */
function listening(): { readonly selector: Selector; readonly places: number[] } {
  const selector = createSelector(LONG_DEADLINE);
  const places: number[] = [];
  const page: Selector['page'] = (snapshot, table, compiled, request) => {
    places.push(request.after);
    return selector.page(snapshot, table, compiled, request);
  };
  return { selector: { ...selector, page }, places };
}

it('makes the next page of a walk before it is asked for, and none twice', async () => {
  const { selector, places } = listening();
  const server = await startServer({ rows, selector });
  const page = async (onward: string) =>
    (await server.get(`/v1/financials?metric=ggr${onward}&limit=10`)).json.pagination.cursor;
  const looked = async (wanted: readonly number[]) => {
    for (const end = Date.now() + 60_000; places.length < wanted.length && Date.now() < end; ) await sleep(5);
    expect(places).toEqual(wanted);
  };
  let cursor = await page('');
  await looked([-1]);
  for (const wanted of [
    [-1, 9, 19],
    [-1, 9, 19, 29],
    [-1, 9, 19, 29, 39],
    [-1, 9, 19, 29, 39, 49],
  ]) {
    cursor = await page(`&cursor=${cursor}`);
    await looked(wanted);
  }
  expect(await page(`&cursor=${cursor}`)).toBeNull();
  await looked([-1, 9, 19, 29, 39, 49]);
  await server.close();
});

it('gives the rows that one large page gives, in every encoding', async () => {
  const server = await startServer({ rows });
  const walked: unknown[] = [];
  for (let cursor: string | null = null, pages = 0; cursor !== null || pages === 0; pages++) {
    const onward: string = cursor === null ? '' : `&cursor=${cursor}`;
    const encoding = { 'Accept-Encoding': pages % 2 ? 'gzip' : 'identity' };
    const { json } = await server.get(`/v1/financials?metric=ggr&limit=25${onward}`, encoding);
    walked.push(...json.data);
    cursor = json.pagination.cursor;
    await sleep(50);
  }
  expect(walked).toEqual((await server.get('/v1/financials?metric=ggr&limit=1000')).json.data);
  await server.close();
});

it('says nothing when the snapshot is gone before the next page could be made', async () => {
  const server = await startServer({ rows, follow: { idleMs: 1 } });
  const { cursor } = (await server.get('/v1/financials?metric=ggr&limit=10')).json.pagination;
  await publishRows(server.dataDir, '2026-11.2', rows);
  while ((await server.get('/v1/catalog')).headers.get('x-snapshot') !== '2026-11.2') await sleep(20);
  const asked = server.get(`/v1/financials?metric=ggr&limit=10&cursor=${cursor}`);
  await rm(path.join(server.dataDir, 'snapshots', '2026-11.1'), { recursive: true });
  expect([200, 400]).toContain((await asked).status);
  await sleep(100);
  expect((await server.get('/v1/financials?metric=ggr&limit=10')).status).toBe(200);
  await server.close();
});

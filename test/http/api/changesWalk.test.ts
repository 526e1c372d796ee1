// A walk over changes keeps the revisions with which it began.

import { rename } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, startServer, type TestServer } from '../../support/server.ts';
import { aDataDir, aRow, publishRows } from '../../support/snapshot.ts';

const rowsOf = (ggr: number) => ({
  ggr: ['A', 'B', 'C', 'D', 'E'].map((country) => aRow('ggr', { country, ggr })),
});

const WALK = '/v1/changes?dataset=ggr&limit=2&since=2026-10&until=2026-11';

let server: TestServer;
let remove: () => Promise<void>;
let begun: Answer;
beforeAll(async () => {
  const directory = await aDataDir();
  ({ remove } = directory);
  const { dataDir } = directory;
  await publishRows(dataDir, '2026-10.1', rowsOf(1));
  await publishRows(dataDir, '2026-11.1', rowsOf(2));
  server = await startServer({ dataDir });
  begun = await server.get(WALK);
  for (const [id, ggr] of [
    ['2026-10.2', 3],
    ['2026-11.2', 4],
    ['2026-09.1', 5],
  ] as const)
    await publishRows(dataDir, id, rowsOf(ggr));
});
afterAll(async () => {
  await server.close();
  await remove();
});

const linked = ({ headers }: Answer) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

describe('a walk over the changes between two months', () => {
  let cursor: string;
  beforeEach(() => {
    ({ cursor } = begun.json.pagination);
  });

  it('stays with both revisions that it began with while further ones are published', async () => {
    const pages = [begun];
    for (let next = linked(begun); next !== undefined; next = linked(pages.at(-1) ?? begun))
      pages.push(await server.get(next));
    const names = pages.map(({ status, json }) => [status, json.meta.since, json.meta.until]);
    expect(names).toEqual(Array(3).fill([200, '2026-10.1', '2026-11.1']));
    expect(pages.flatMap(({ json }) => json.data.map(({ after }: { after: unknown }) => after))).toEqual(
      Array(5).fill({ ggr: 2 }),
    );
  });

  it('stays with the snapshot that it began with when `until` is a day that has not ended', async () => {
    const named = 'since=2026-10.1&until=9999-12-31';
    const page = await server.get(`/v1/changes?dataset=ggr&limit=2&${named}&cursor=${cursor}`);
    expect([page.status, page.json.meta?.until]).toEqual([200, '2026-11.1']);
  });

  it.each([
    ['since=2026-10.1&until=2026-11.1', 'private, max-age=3600, immutable'],
    ['since=2026-10&until=2026-11.1', 'private, max-age=3600'],
    ['since=2026-10.1&until=2026-11', 'private, max-age=3600'],
    ['since=2026-10.1', 'private, max-age=3600'],
  ])('may be kept for ever only when both are named by their ids: %s', async (named, expected) => {
    const { headers } = await server.get(`/v1/changes?dataset=ggr&${named}`);
    expect(headers.get('cache-control')).toBe(expected);
  });

  it('is of the newest revisions when it begins anew', async () => {
    const { json } = await server.get(WALK);
    expect(json.meta).toMatchObject({ since: '2026-10.2', until: '2026-11.2' });
  });

  it.each(['since=2026-10.1&until=2026-11.1', 'since=2026-10&until=2026-11.1', 'since=2026-10.1'])(
    'goes on when its snapshots are named as %s',
    async (named) => {
      const page = await server.get(`/v1/changes?dataset=ggr&limit=2&${named}&cursor=${cursor}`);
      expect([page.status, page.json.meta?.since]).toEqual([200, '2026-10.1']);
    },
  );

  it.each([
    'since=2026-10.2&until=2026-11',
    'since=2026-09&until=2026-11',
    'since=2026-10&until=2026-11.2',
    'since=2026-10&until=2026-10',
    'since=2026-11&until=2026-10',
  ])('is refused for %s', async (named) => {
    const page = await server.get(`/v1/changes?dataset=ggr&limit=2&${named}&cursor=${cursor}`);
    expect([page.status, page.json.error]).toEqual([400, 'Invalid pagination cursor']);
  });

  it('ends with an invalid cursor once the older revision is pruned', async () => {
    const directory = path.join(server.dataDir, 'snapshots', '2026-10.1');
    await rename(directory, `${server.dataDir}/pruned`);
    const page = await server.get(`${WALK}&cursor=${cursor}`);
    // The other tests need the snapshot.
    await rename(`${server.dataDir}/pruned`, directory);
    expect([page.status, page.json.error]).toEqual([400, 'Invalid pagination cursor']);
  });
});

// Answers from older snapshots, and from snapshots of other versions of the program.

import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import { encodeCursor } from '../../../src/query/cursor.ts';
import { some } from '../../support/depth.ts';
import { type StartOptions, startServer, type TestServer } from '../../support/server.ts';
import { aDataDir, aRow, publishRows } from '../../support/snapshot.ts';

const rows = { ggr: ['A', 'B', 'C', 'D'].map((country) => aRow('ggr', { country })) };
const INVALID = { error: 'Invalid pagination cursor' };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a server whose data directory holds these snapshots. The last one is current. */
async function serving(ids: readonly string[], options: StartOptions = {}): Promise<TestServer> {
  const { dataDir, remove } = await aDataDir();
  closing.push(remove);
  for (const id of ids) await publishRows(dataDir, id, rows);
  return started(dataDir, options);
}

async function started(dataDir: string, options: StartOptions = {}): Promise<TestServer> {
  const server = await startServer({ dataDir, ...options });
  closing.push(() => server.close());
  return server;
}

async function fingerprintOf({ dataDir }: TestServer, id: string): Promise<string> {
  const manifest = await readFile(path.join(dataDir, 'snapshots', id, 'manifest.json'), 'utf8');
  return JSON.parse(manifest).fingerprint;
}

const query = { dataset: 'ggr' as const, filters: new Map(), period: null };
const isOpen = async ({ snapshots }: TestServer, id: string) => {
  const lease = await (await snapshots.find(id))?.lease(null);
  lease?.release();
  return lease !== null;
};

describe('a cursor of an older snapshot', () => {
  const FORGED: [string, (fingerprint: string) => string][] = [
    ['another content', () => encodeCursor(query, { id: '2026-10.1', fingerprint: 'e'.repeat(64) }, 0)],
    ['a row behind the last', (fingerprint) => encodeCursor(query, { id: '2026-10.1', fingerprint }, 4)],
    [
      'other filters',
      (fingerprint) =>
        encodeCursor({ ...query, filters: new Map([['fx', ['EUR']]]) }, { id: '2026-10.1', fingerprint }, 0),
    ],
  ];
  it.each(some(FORGED, 1))('that names %s is refused without opening the snapshot', async (_, forge) => {
    const server = await serving(['2026-10.1', '2026-11.1']);
    const cursor = forge(await fingerprintOf(server, '2026-10.1'));
    const { status, json } = await server.get(`/v1/financials?metric=ggr&cursor=${cursor}`);
    expect([status, json]).toEqual([400, INVALID]);
    expect(await isOpen(server, '2026-10.1')).toBe(false);
  });

  it('limits the snapshots opened per minute for one key and leaves other keys unaffected', async () => {
    const ids = [1, 2, 3, 4].map((revision) => `2026-10.${revision}`);
    const server = await serving([...ids, '2026-11.1'], { follow: { openingsPerMinute: 2 } });
    const page = async (id: string, key: string) => {
      const cursor = encodeCursor(query, { id, fingerprint: await fingerprintOf(server, id) }, 0);
      return server.get(`/v1/financials?metric=ggr&limit=1&cursor=${cursor}`, { 'x-api-key': key });
    };
    const startMs = performance.now();
    const greedy = [];
    for (const id of ids) greedy.push(await page(id, 'greedy'));
    expect(greedy.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
    const passedSeconds = (performance.now() - startMs) / 1000;
    expect(Number(greedy[2]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(60 - passedSeconds);
    // A snapshot that is already open does not count against the quota.
    expect((await page('2026-10.1', 'greedy')).status).toBe(200);
    expect((await page('2026-10.3', 'modest')).status).toBe(200);
  });
});

/** The entry of a dataset in a manifest. */
interface Described {
  readonly metrics: Record<string, unknown>;
  readonly dimensions: Record<string, unknown>;
}

describe('a snapshot of another version of the program', () => {
  /** Removes datasets from a published manifest, and adds one that this version does not know. */
  async function rewrite(dataDir: string, id: string, without: readonly DatasetName[]): Promise<void> {
    const directory = path.join(dataDir, 'snapshots', id);
    const file = path.join(directory, 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    for (const name of without) {
      delete manifest.datasets[name];
      await rm(path.join(directory, `${name}.parquet`));
    }
    manifest.datasets.esports = { file: 'esports.parquet', invented: 'later' };
    manifest.accepted = [{ rule: 'rows', dataset: 'esports', reason: 'new', findings: [] }];
    await writeFile(file, JSON.stringify(manifest));
  }

  /** Serves two snapshots, of which `other` lacks datasets. */
  async function servingPairOf(other: string, without: readonly DatasetName[]): Promise<TestServer> {
    const { dataDir, remove } = await aDataDir();
    closing.push(remove);
    for (const id of ['2026-10.1', '2026-11.1']) await publishRows(dataDir, id, rows);
    await rewrite(dataDir, other, without);
    return started(dataDir);
  }

  it('is served as far as both know it', async () => {
    const { dataDir, remove } = await aDataDir();
    closing.push(remove);
    await publishRows(dataDir, '2026-11.1', rows);
    await rewrite(dataDir, '2026-11.1', ['fx', 'country_reference']);
    const server = await started(dataDir);
    const catalog = await server.get('/v1/catalog');
    expect(catalog.json.datasets.map(({ name }: { name: string }) => name)).toEqual(
      DATASET_NAMES.filter((name) => name !== 'fx' && name !== 'country_reference'),
    );
    const ggr = await server.get('/v1/financials?metric=ggr');
    expect([ggr.status, ggr.json.meta.row_count]).toEqual([200, 4]);
    for (const name of ['fx', 'esports']) {
      const { status, json } = await server.get(`/v1/financials?metric=${name}&country=A`);
      const error = `Unknown metric: '${name}'. Use GET /catalog to see available datasets.`;
      expect([status, json]).toEqual([400, { error }]);
    }
    const { status, json } = await server.get('/v1/reference?dataset=country_reference');
    const error = "Unknown dataset: 'country_reference'. Use GET /catalog to see available datasets.";
    expect([status, json]).toEqual([400, { error }]);
    for (const path of ['/v1/datasets/fx', '/v1/export/fx.csv', '/v1/export/fx.parquet']) {
      const { status, json } = await server.get(path);
      expect([path, status, json]).toEqual([path, 404, { error: 'Endpoint does not exist' }]);
    }
  });

  it.each([
    ['since', '2026-10.1'],
    ['until', '2026-11.1'],
  ])('is compared in the datasets that it holds, as %s', async (_, other) => {
    const server = await servingPairOf(other, ['fx']);
    const changesOf = (dataset: string) =>
      server.get(`/v1/changes?dataset=${dataset}&since=2026-10.1&until=2026-11.1`);
    const [ggr, fx] = [await changesOf('ggr'), await changesOf('fx')];
    expect([ggr.status, ggr.json.meta.counts]).toEqual([200, { added: 0, removed: 0, revised: 0 }]);
    const error = "Unknown dataset: 'fx'. Use GET /catalog to see available datasets.";
    expect([fx.status, fx.json]).toEqual([400, { error }]);
  });

  it.each([
    ['a metric less', (described: Described) => delete described.metrics.gdp_usd],
    ['a metric more', (described: Described) => (described.metrics.households = described.metrics.gdp_usd)],
    ['a dimension less', (described: Described) => delete described.dimensions.state],
  ])('whose dataset has %s is served without this dataset', async (_, change) => {
    const { dataDir, remove } = await aDataDir();
    closing.push(remove);
    await publishRows(dataDir, '2026-11.1', rows);
    const file = path.join(dataDir, 'snapshots/2026-11.1/manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    change(manifest.datasets.country);
    await writeFile(file, JSON.stringify(manifest));
    const server = await started(dataDir);
    const { datasets } = (await server.get('/v1/catalog')).json;
    expect(datasets.map(({ name }: { name: string }) => name)).toEqual(
      DATASET_NAMES.filter((name) => name !== 'country'),
    );
    expect((await server.get('/v1/financials?metric=ggr')).json.meta.row_count).toBe(4);
    expect((await server.get('/v1/financials?metric=country')).status).toBe(400);
  });

  it('without any dataset known here is served as an empty catalog', async () => {
    const { dataDir, remove } = await aDataDir();
    closing.push(remove);
    await publishRows(dataDir, '2026-11.1', rows);
    await rewrite(dataDir, '2026-11.1', DATASET_NAMES);
    const server = await started(dataDir);
    const { status, json } = await server.get('/v1/catalog');
    expect([status, json]).toEqual([200, { datasets: [] }]);
    expect((await server.get('/v1/financials?metric=ggr')).status).toBe(400);
  });
});

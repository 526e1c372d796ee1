// Published files that are fetched repeatedly are sent from memory, with the published bytes.

import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CACHES, NO_CACHES } from '../../../../src/cache/caches.ts';
import { measuredCaches } from '../../../../src/cache/measuredCaches.ts';
import { createFileCache } from '../../../../src/http/api/export/fileCache.ts';
import { createYielding, YIELDING_DEFAULTS } from '../../../../src/query/yielding.ts';
import { itInDepth } from '../../../support/depth.ts';
import { openDescriptors } from '../../../support/openDescriptors.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { aDataDir, publishSql } from '../../../support/snapshot.ts';

/**
 * Digests in base64 hardly compress, so the file is sent in several pieces. They are long texts in few rows, because each
 * start loads each text.
 */
const SELECT = `
  SELECT 2010 + (i % 10)::INTEGER AS year, 'Europe' AS region, 'Malta' AS country, '' AS state, 'Betting' AS category,
    list_aggregate(list_transform(range(220), lambda x: to_base64(unhex(sha256((220 * i + x)::VARCHAR)))), 'string_agg', '') AS product,
    'Land' AS channel, 'Venue' AS sub_channel, 'EUR' AS fx, 'Current' AS temporal, i / 8 AS ggr
  FROM range(400) AS t(i)`;

const ASKED = '/v1/export/ggr.parquet';

describe('a published file that was fetched twice', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let published: Buffer;
  let server: TestServer;
  let file: string;
  beforeAll(async () => {
    ({ dataDir, remove } = await aDataDir());
    await publishSql(dataDir, '2026-11.1', { ggr: SELECT });
    file = path.join(dataDir, 'snapshots/2026-11.1/ggr.parquet');
    published = await readFile(file);
  });
  afterEach(async () => {
    await server.close();
    await writeFile(file, published);
  });
  afterAll(() => remove());

  async function fetched(headers: Record<string, string> = {}, method = 'GET') {
    const response = await fetch(server.url + ASKED, { method, headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, length: response.headers.get('content-length'), bytes };
  }

  /** Overwrites the file with other content of the same length. */
  const change = () => writeFile(file, published.toReversed());

  it('is sent as it was published, whole and in parts, even when it was changed by hand', async () => {
    server = await startServer({ dataDir });
    for (let i = 0; i < 2; i += 1) expect((await fetched()).bytes.equals(published)).toBe(true);
    // The server closes the file after the client has all of it.
    for (let i = 0; i < 1_000 && openDescriptors(file) > 0; i += 1) await sleep(5);
    expect(openDescriptors(file)).toBe(0);
    await change();
    const size = published.length;
    expect(size).toBeGreaterThan(2 ** 21);
    const whole = await fetched();
    expect(whole).toMatchObject({ status: 200, length: String(size) });
    expect(whole.bytes.equals(published)).toBe(true);
    for (const [first, last] of [
      [0, 0],
      [2 ** 21 - 1, 2 ** 21],
      [size - 8, size - 1],
      [1, size - 1],
    ] as const) {
      const part = await fetched({ Range: `bytes=${first}-${last}` });
      expect(part.status).toBe(206);
      expect(part.bytes.equals(published.subarray(first, last + 1))).toBe(true);
    }
    expect((await fetched({ Range: `bytes=${size}-` })).status).toBe(416);
    expect(await fetched({}, 'HEAD')).toMatchObject({ status: 200, length: String(size) });
  });

  itInDepth('is read again while pages are answered', async () => {
    // `pageRecencyMs` is long, because on a busy machine an export may begin long after the page.
    server = await startServer({
      dataDir,
      yielding: createYielding({ ...YIELDING_DEFAULTS, pageRecencyMs: 60_000 }),
    });
    for (let i = 0; i < 2; i += 1) expect((await fetched()).bytes.equals(published)).toBe(true);
    await change();
    expect((await fetched()).status).toBe(200);
    await server.get('/v1/catalog');
    expect((await fetched()).status).toBe(500);
  });

  itInDepth('is not sent without caches when it was changed by hand', async () => {
    server = await startServer({ dataDir, caches: NO_CACHES });
    for (let i = 0; i < 2; i += 1) expect((await fetched()).bytes.equals(published)).toBe(true);
    await change();
    expect((await fetched()).status).toBe(500);
  });
});

describe('cached files', () => {
  let folder: string;
  let measured: ReturnType<typeof measuredCaches>;
  let cache: ReturnType<typeof createFileCache>;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cache-'));
    measured = measuredCaches(CACHES);
    cache = createFileCache(measured.caches);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function offering(
    content: Buffer,
    bytes: number,
    act: (offer: () => Promise<unknown>) => Promise<void>,
  ) {
    const name = path.join(folder, 'file');
    await writeFile(name, content);
    await truncate(name, bytes);
    const file = await open(name);
    const { mtimeMs } = await file.stat();
    const expectUnchanged = async () => {
      if ((await file.stat()).mtimeMs !== mtimeMs) throw new Error('changed');
    };
    const published = { file, path: name, bytes, expectUnchanged, expectUnchangedAtPath: expectUnchanged };
    try {
      await act(() => cache.cacheIfRepeated('a', published));
    } finally {
      await file.close();
    }
  }

  const heldBytes = () => measured.cacheFigures().get('published files')?.bytes;

  it('are read when they are offered for the second time, and counted', async () => {
    await offering(Buffer.from('rows'), 4, async (offer) => {
      expect(await offer()).toBeUndefined();
      expect(cache.get('a')).toBeUndefined();
      expect(await offer()).toEqual(Buffer.from('rows'));
      expect(cache.get('a')).toEqual(Buffer.from('rows'));
      expect(heldBytes()).toBe(4);
    });
  });

  it('have at most 32 MB', async () => {
    await offering(Buffer.alloc(0), 2 ** 25 + 1, async (offer) => {
      for (let i = 0; i < 3; i += 1) expect(await offer()).toBeUndefined();
      expect(heldBytes()).toBe(0);
    });
    await offering(Buffer.alloc(0), 2 ** 25, async (offer) => {
      for (let i = 0; i < 2; i += 1) await offer();
      expect(heldBytes()).toBe(2 ** 25);
    });
  });

  it('are not those that were changed while they were read', async () => {
    await offering(Buffer.from('rows'), 4, async (offer) => {
      await offer();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await writeFile(path.join(folder, 'file'), 'sums');
      await expect(offer()).rejects.toThrow('changed');
      expect(cache.get('a')).toBeUndefined();
    });
  });
});

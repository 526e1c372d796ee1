// Cached, concurrent and compressed answers have the bytes that were rendered.

import { request as ask } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer, type TestServer } from '../../support/server.ts';
import { aRow, publishRows } from '../../support/snapshot.ts';

const rowsOf = (ggr: number) => ({
  ggr: Array.from({ length: 300 }, (_, i) =>
    aRow('ggr', {
      year: 2000 + (i % 30),
      product: `Product ${i % 7}`,
      fx: ['EUR', 'USD', 'GBP'][i % 3] ?? '',
      country: `Land ${i}`,
      ggr: ggr + i,
    }),
  ),
});

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ rows: rowsOf(1) });
});
afterAll(() => server.close());

/** Random queries, some of them repeated. */
const queries = Array.from({ length: 60 }, (_, i) => {
  const year = 2000 + ((i * 7) % 33);
  return `/v1/financials?metric=ggr&limit=${1 + ((i * 13) % 40)}&year=${year}&year=${year + 1}${i % 2 ? '&fx=EUR' : ''}&product=Product%20${i % 8}`;
});

describe('a cached answer', () => {
  it('is byte for byte the one that was rendered first, in every encoding', async () => {
    for (const query of queries) {
      const [made, again, zipped] = [
        await server.get(query, { 'Accept-Encoding': 'identity' }),
        await server.get(query, { 'Accept-Encoding': 'identity' }),
        await fetch(server.url + query, { headers: { 'Accept-Encoding': 'gzip' } }),
      ];
      expect(again.text).toBe(made.text);
      expect(await zipped.text()).toBe(made.text);
      expect(zipped.headers.get('etag')).toBe(made.headers.get('etag'));
    }
  });

  it('is rendered anew for a new snapshot, and stays for walks on the old one', async () => {
    const [query = ''] = queries;
    const all = '/v1/financials?metric=ggr&limit=100';
    const before = await server.get(query);
    const { pagination } = (await server.get(all)).json;
    const onward = `${all}&cursor=${pagination.cursor}`;
    const walked = await server.get(onward);
    await publishRows(server.dataDir, '2026-11.2', rowsOf(1000));
    let after = await server.get(query);
    for (let tries = 0; after.headers.get('x-snapshot') !== '2026-11.2' && tries < 1000; tries++) {
      await sleep(20);
      after = await server.get(query);
    }
    expect(after.headers.get('x-snapshot')).toBe('2026-11.2');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.json.data[0].values.ggr).toBe(before.json.data[0].values.ggr + 999);
    expect((await server.get(onward)).text).toBe(walked.text);
  });
});

describe('an answer that many ask for at once', () => {
  it('is the same for each, and the right one', async () => {
    const path = '/v1/financials?metric=ggr&limit=1000&fx=USD';
    const plain = (await server.get(path, { 'Accept-Encoding': 'identity' })).text;
    const fresh = `${path}&year=2001&year=2002&year=2003`;
    const clients = Array.from({ length: 40 });
    const texts = await Promise.all(clients.map(async () => (await server.get(fresh)).text));
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(plain).data).toEqual(expect.arrayContaining(JSON.parse(texts[0] ?? '').data));
  });
});

describe('a compressed answer', () => {
  it('says so, and how long it is', async () => {
    const headers = { 'Accept-Encoding': 'br;q=1, gzip;q=0.5' };
    const answer = await new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve) => {
      ask(`${server.url}/v1/financials?metric=ggr`, { headers }, (response) => {
        const pieces: Buffer[] = [];
        response
          .on('data', (piece) => pieces.push(piece))
          .on('end', () => resolve({ headers: response.headers, body: Buffer.concat(pieces) }));
      }).end();
    });
    const { body } = answer;
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(body.length),
    });
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect(JSON.parse(gunzipSync(body).toString()).meta.row_count).toBe(100);
  });
});

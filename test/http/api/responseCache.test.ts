import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keepWithin } from '../../../src/cache/lruCache.ts';
import { keptAnswers, takesGzip } from '../../../src/http/api/responseCache.ts';
import { finished, owned } from '../../../src/query/bytes.ts';
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

/** Random queries, some of them asked before. */
const queries = Array.from({ length: 60 }, (_, i) => {
  const year = 2000 + ((i * 7) % 33);
  return `/v1/financials?metric=ggr&limit=${1 + ((i * 13) % 40)}&year=${year}&year=${year + 1}${i % 2 ? '&fx=EUR' : ''}&product=Product%20${i % 8}`;
});

describe('a kept answer', () => {
  it('is the very one that was made first, whoever asks and in which encoding', async () => {
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

  it('is made anew for a new snapshot, and kept for walks on the old one', async () => {
    const [query = ''] = queries;
    const all = '/v1/financials?metric=ggr&limit=100';
    const before = await server.get(query);
    const { pagination } = (await server.get(all)).json;
    const onward = `${all}&cursor=${pagination.cursor}`;
    const walked = await server.get(onward);
    await publishRows(server.dataDir, '2026-11.2', rowsOf(1000));
    let after = await server.get(query);
    for (const end = Date.now() + 5000; after.headers.get('x-snapshot') !== '2026-11.2' && Date.now() < end; )
      after = await server.get(query);
    expect(after.headers.get('x-snapshot')).toBe('2026-11.2');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.json.data[0].values.ggr).toBe(before.json.data[0].values.ggr + 999);
    expect((await server.get(onward)).text).toBe(walked.text);
  });
});

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** A server that answers everything with what `find` finds, as `draft` writes it. */
async function serving(
  find: () => Promise<string>,
  draft = (found: string) => finished(owned(Buffer.from(found))),
) {
  const answers = keptAnswers(60);
  const lease = server.snapshots.current();
  if (!lease) throw new Error('no snapshot');
  const written: string[] = [];
  const write = (found: string) => {
    written.push(found);
    return { draft: draft(found), next: null };
  };
  const asked = { snapshot: lease.snapshot, question: 'the same', find, write };
  const app = http.createServer((request, response) => {
    answers.send(request, response, asked).catch(() => response.writeHead(503).end());
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    app.close();
    app.closeAllConnections();
    lease.release();
  });
  const prepare = (zipped: boolean) => answers.prepare(asked, zipped);
  return { url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`, written, prepare };
}

describe('an answer made ahead', () => {
  const found = 'x'.repeat(5000);

  /** Written in so many steps, after which it must not be touched. */
  const inSteps = (most: number) => () => {
    let steps = 0;
    let isFinished = false;
    return {
      roomBytes: found.length,
      writeSome() {
        if (isFinished) throw new Error('written after its end');
        return ++steps >= most;
      },
      finish() {
        if (isFinished) throw new Error('finished twice');
        isFinished = true;
        return owned(Buffer.from(found));
      },
    };
  };

  it.each([
    ['in one step', 1, 0],
    ['in a hundred', 100, 0],
    ['and is whole before', 100, 300],
    ['and nobody would have finished it', Number.POSITIVE_INFINITY, 20],
  ])('is written once, %s', async (_, steps, turns) => {
    for (const encoding of ['gzip', 'identity']) {
      const { url, written, prepare } = await serving(async () => found, inSteps(steps));
      const prepared = Promise.all([prepare(encoding === 'gzip'), prepare(false)]);
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      const texts = await Promise.all(
        [encoding, 'identity', 'gzip'].map(async (wanted) =>
          (await fetch(url, { headers: { 'Accept-Encoding': wanted } })).text(),
        ),
      );
      await prepared;
      expect([texts.every((text) => text === found), written.length]).toEqual([true, 1]);
    }
  });
});

describe('an answer that could not be made ahead', () => {
  it('is made from its beginning when it is asked for', async () => {
    let drafts = 0;
    const { url, prepare } = await serving(
      async () => 'found',
      (found) => {
        let text = drafts++ === 0 ? 'half a row' : '';
        const writeSome = () => {
          if (text !== '') throw new Error('no memory left');
          return true;
        };
        const finish = () => {
          text += found;
          return owned(Buffer.from(text));
        };
        return { roomBytes: 0, writeSome, finish };
      },
    );
    await expect(prepare(false)).rejects.toThrow('no memory left');
    expect(await (await fetch(url)).text()).toBe('found');
    expect(drafts).toBe(2);
  });
});

describe('an answer that many ask for at once', () => {
  const clients = Array.from({ length: 40 });

  it('is written once', async () => {
    const found = 'x'.repeat(5000);
    const { url, written } = await serving(() => sleep(50, found));
    const texts = await Promise.all(clients.map(async () => (await fetch(url)).text()));
    expect(new Set(texts)).toEqual(new Set([found]));
    expect(written).toEqual([found]);
  });

  it('is looked for anew when the first attempt failed', async () => {
    let attempts = 0;
    const { url } = await serving(async () => {
      if (attempts++ === 0) throw new Error('busy');
      return 'found';
    });
    expect((await fetch(url)).status).toBe(503);
    expect(await (await fetch(url)).text()).toBe('found');
  });

  it('is the plain one for each, through the whole server', async () => {
    const path = '/v1/financials?metric=ggr&limit=1000&fx=USD';
    const plain = (await server.get(path, { 'Accept-Encoding': 'identity' })).text;
    const fresh = `${path}&year=2001&year=2002&year=2003`;
    const texts = await Promise.all(clients.map(async () => (await server.get(fresh)).text));
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(plain).data).toEqual(expect.arrayContaining(JSON.parse(texts[0] ?? '').data));
  });
});

describe('a compressed answer', () => {
  it('says so, and how long it is', async () => {
    const { request } = await import('node:http');
    const { headers, body } = await new Promise<{ headers: Record<string, unknown>; body: Buffer }>(
      (resolve) => {
        request(
          `${server.url}/v1/financials?metric=ggr`,
          { headers: { 'Accept-Encoding': 'br;q=1, gzip;q=0.5' } },
          (response) => {
            const pieces: Buffer[] = [];
            response
              .on('data', (piece) => pieces.push(piece))
              .on('end', () => resolve({ headers: response.headers, body: Buffer.concat(pieces) }));
          },
        ).end();
      },
    );
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
    expect(headers.vary).toContain('Accept-Encoding');
    expect(JSON.parse(gunzipSync(body).toString()).meta.row_count).toBe(100);
  });

  it.each([
    ['gzip', true],
    ['deflate, gzip', true],
    ['*', true],
    ['gzip;q=0', false],
    ['*, gzip;q=0', false],
    ['br', false],
    ['identity', false],
    ['', false],
  ])('is sent for Accept-Encoding: %j → %s', (given, taken) => {
    expect(takesGzip({ headers: { 'accept-encoding': given } } as Parameters<typeof takesGzip>[0])).toBe(
      taken,
    );
  });
});

describe('what is kept', () => {
  it('stays within its bytes however much noise comes', () => {
    const kept = keepWithin<Buffer>(1_000_000);
    for (let i = 0; i < 5000; i++) kept.set(`noise ${i}`, Buffer.alloc(0), 1000 + i);
    expect(kept.bytes).toBeLessThanOrEqual(1_000_000);
    expect(kept.get('noise 4999')).toBeDefined();
    expect(kept.get('noise 0')).toBeUndefined();
  });
});

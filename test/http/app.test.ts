// The app as a whole: the order of its checks, its errors and its log.

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { tableOf } from '../../src/catalog/snapshot.ts';
import { ApiError } from '../../src/errors.ts';
import type { LogWriter } from '../../src/log/log.ts';
import type { Statement } from '../../src/query/selection/compile.ts';
import { createSelector, type Selector, type SelectorOptions } from '../../src/query/selection/selector.ts';
import { itInDepth } from '../support/depth.ts';
import { LONG_DEADLINE } from '../support/longDeadlines.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';

const UNAVAILABLE = { error: 'Service temporarily unavailable — please try again later' };

/** This statement runs for minutes unless it is stopped. */
const SLOW: Statement = {
  text: 'SELECT count(*)::INTEGER AS position FROM range(100000000000)',
  values: [],
  types: [],
  conditions: [],
};

/** A selector that scans no rows itself, so that the engine finds them. */
const engineOnly = (options: Partial<SelectorOptions>): Selector =>
  createSelector({ ...LONG_DEADLINE, scannedRows: 0, ...options });

const failingWith = (message: string): Selector => ({
  page: () => Promise.reject(new Error(message)),
  select: () => Promise.reject(new Error(message)),
});

/** A server with a row of each of three countries. The servers of the tests answer from its snapshot. */
let first: TestServer;
beforeAll(async () => {
  first = await startServer({ rows: { ggr: ['A', 'B', 'C'].map((country) => aRow('ggr', { country })) } });
});
afterAll(() => first.close());

let server: TestServer;
const start = async (options: StartOptions = {}) => {
  server = await startServer({
    ...(options.dataDir === undefined && { snapshots: first.snapshots }),
    ...options,
  });
  return server;
};
afterEach(() => server.close());

/** A log that collects its lines. */
function remembering(): { log: LogWriter; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, message, ...facts });
  return { log: { info: write('info'), warn: write('warn'), error: write('error') }, lines };
}

describe('the app', () => {
  it('answers 503 until a first snapshot is published, and says what is wrong with a request even then', async () => {
    const { dataDir, remove } = await aDataDir();
    const { get, snapshots } = await start({ dataDir });
    for (const path of [
      '/v1/financials?metric=ggr',
      '/v1/reference?dataset=country_reference',
      '/v1/catalog',
    ]) {
      const { status, headers, json } = await get(path);
      expect([status, json]).toEqual([503, UNAVAILABLE]);
      expect(headers.get('retry-after')).toBe('1');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect((await get('/v1/financials')).status).toBe(400);
    await publishRows(dataDir, '2026-11.1');
    await snapshots.loaded;
    expect((await get('/v1/catalog')).status).toBe(200);
    await remove();
  });

  it('answers 503 when the engine exceeds its deadline, and answers the next request', async () => {
    const real = engineOnly({ deadlineMs: 200, permits: 1, maxWaiting: 2 });
    let questions = 0;
    const slowAtFirst: Selector = {
      ...real,
      // This page might need no engine, so the first request runs the slow statement before it.
      async page(snapshot, table, compiled, request) {
        if (questions++ === 0) await real.select(snapshot, table, SLOW, request.disconnectSignal?.());
        return real.page(snapshot, table, compiled, request);
      },
    };
    const { get } = await start({ selector: slowAtFirst });
    const late = await get('/v1/financials?metric=ggr&country=A');
    expect([late.status, late.json]).toEqual([503, UNAVAILABLE]);
    expect(late.headers.get('retry-after')).toBe('1');
    expect(late.headers.get('etag')).toBeNull();
    // On a busy machine any statement may take longer than this short deadline.
    const next = await retryUnavailable(() => get('/v1/financials?metric=ggr&country=A'));
    expect(next.json.data).toHaveLength(1);
  });

  it('hides the cause of an internal error from the client and logs it with the request id', async () => {
    const { log, lines } = remembering();
    const failing = failingWith('secret table ggr is on fire');
    const { get } = await start({ log, selector: failing });
    const { status, headers, text } = await get('/v1/financials?metric=ggr&country=Spain');
    expect([status, text]).toEqual([500, '{"error":"Unexpected server error"}']);
    expect(headers.get('cache-control')).toBe('no-store');
    const logged = lines.find(({ level }) => level === 'error');
    expect(logged).toMatchObject({
      requestId: headers.get('x-request-id'),
      err: new Error('secret table ggr is on fire'),
    });
  });

  it('logs each answer once, without what was asked for', async () => {
    const { log, lines } = remembering();
    const { get } = await start({ log });
    await get('/v1/financials?metric=ggr&country=Malta');
    await get('/v1/nowhere?token=wanderer');
    const answers = lines.filter(({ message }) => message === 'answered');
    expect(answers).toMatchObject([
      {
        method: 'GET',
        path: '/v1/financials',
        status: 200,
        requestId: expect.any(String),
        durationMs: expect.any(Number),
      },
      { method: 'GET', path: '/v1/nowhere', status: 404 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Malta|wanderer|metric/);
  });

  it('asks the authenticator before every endpoint, behind 404 and OPTIONS', async () => {
    const asked: string[] = [];
    const { get, url } = await start({
      authenticator: {
        admit(request, _response, next) {
          asked.push(request.path);
          next(request.headers['x-api-key'] ? undefined : new ApiError(401, 'Missing x-api-key header'));
        },
        checkKey: (_request, _response, next) => next(),
        showAddressLimits() {},
        addressLimitHeaders: () => [],
        addressesBytes: () => 0,
      },
    });
    expect((await get('/v1/nowhere')).status).toBe(404);
    expect((await fetch(`${url}/v1/catalog`, { method: 'OPTIONS' })).status).toBe(204);
    expect((await fetch(`${url}/v1/catalog`, { method: 'POST' })).status).toBe(404);
    expect(asked).toEqual([]);
    const refused = await get('/v1/financials');
    expect([refused.status, refused.json]).toEqual([401, { error: 'Missing x-api-key header' }]);
    expect((await get('/v1/financials', { 'x-api-key': 'x' })).status).toBe(400);
    expect((await get('/v1/reference', { 'x-api-key': 'x' })).status).toBe(400);
    expect((await get('/v1/catalog', { 'x-api-key': 'x' })).status).toBe(200);
    expect(asked).toEqual(['/v1/financials', '/v1/financials', '/v1/reference', '/v1/catalog']);
  });

  it('answers 304 without looking for a page', async () => {
    const { get } = await start();
    const { headers } = await get('/v1/financials?metric=ggr&country=Malta');
    const etag = headers.get('etag') ?? '';
    await server.close();
    await start({ selector: failingWith('a page was asked for') });
    const again = await server.get('/v1/financials?metric=ggr&country=Malta', { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
  });

  it('answers 304 only for the ETag of the same query', async () => {
    const { get } = await start();
    const first = await get('/v1/financials?metric=ggr&limit=1');
    const next = `/v1/financials?metric=ggr&limit=1&cursor=${first.json.pagination.cursor}`;
    const questions = [
      '/v1/catalog',
      '/v1/reference?dataset=country_reference',
      '/v1/financials?metric=ggr',
      '/v1/financials?metric=turnover',
      '/v1/financials?metric=ggr&limit=1',
      next,
      '/v1/financials?metric=ggr&country=A',
      '/v1/financials?metric=ggr&country=A&country=B',
      '/v1/financials?metric=ggr&country=B&country=A',
      '/v1/financials?metric=ggr&region=A',
      '/v1/financials?metric=ggr&period=2020-01-01:2024-01-01',
      '/v1/financials?metric=ggr&year=2024',
    ];
    const etags = await Promise.all(questions.map(async (path) => (await get(path)).headers.get('etag')));
    expect(new Set(etags).size).toBe(questions.length);
    expect(etags.every((etag) => /^W\/"[\w-]{22}"$/.test(etag ?? ''))).toBe(true);
    const broken = next.replace('cursor=', 'cursor=A');
    expect((await get(broken, { 'if-none-match': '*' })).status).toBe(400);
  });

  itInDepth('gives up a place in the queue when the client leaves', async () => {
    const selector = engineOnly({ deadlineMs: 20_000, permits: 1, maxWaiting: 1 });
    let isGone = false;
    const { get, url, snapshots } = await start({
      selector,
      observe: (one) => (isGone ||= one.event === 'request answered' && one.isCutShort),
    });
    const lease = snapshots.current();
    if (!lease) throw new Error('no snapshot');
    const stop = new AbortController();
    const slow = selector
      .select(lease.snapshot, tableOf(lease.snapshot, 'ggr'), SLOW, stop.signal)
      .catch(() => 'stopped');
    const leaver = new AbortController();
    const left = fetch(`${url}/v1/financials?metric=ggr&country=A`, { signal: leaver.signal }).catch(
      () => 'left',
    );
    const isFull = async () => (await get('/v1/financials?metric=ggr&country=B')).status === 503;
    while (!(await isFull())) await new Promise((resolve) => setTimeout(resolve, 5));
    leaver.abort();
    await expect(left).resolves.toBe('left');
    // The server notices this only by its probes, because a client that has ended its side but still reads looks the same.
    while (!isGone) await new Promise((resolve) => setTimeout(resolve, 5));
    // The place is free for another client, which waits until the engine is free.
    const patient = get('/v1/financials?metric=ggr&country=C');
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    expect((await patient).status).toBe(200);
    await slow;
    lease.release();
  });
});

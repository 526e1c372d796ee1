// Contract §8 and rulings 2, 22, 23: how often a key may ask, and what the headers say of it.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itInDepth } from '../support/depth.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';
import { ask } from './wire.ts';

const MESSAGE = 'Too many requests — please try again later';

let api: ServerWithKeys;
beforeAll(async () => {
  api = await startServerWithKeys();
});
afterAll(() => api.close());

const asking = (key: string, path = '/v1/catalog', method = 'GET') =>
  retryUnavailable(() => ask(api.url, path, { method, headers: { 'x-api-key': key } }));

const limitsIn = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  policy: headers['ratelimit-policy'],
  state: headers.ratelimit,
});

const epochSeconds = () => Date.now() / 1000;

/** Expects a wait of a whole window from `startSeconds` on, less the time that the test itself has taken. */
function expectWholeWindow(seconds: number, windowSeconds: number, startSeconds: number): void {
  expect(seconds).toBeGreaterThanOrEqual(windowSeconds - (epochSeconds() - startSeconds));
  expect(seconds).toBeLessThanOrEqual(windowSeconds);
}

describe('8. limits', () => {
  it('rule 1: admits 100 requests a minute, whatever they ask and however many at once, and no more', async () => {
    const key = await api.key();
    const paths = ['/v1/catalog', '/v1/financials?metric=ggr', '/v1/reference?dataset=country_reference'];
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, i) => asking(key, paths[i % 3] ?? '', i % 2 ? 'GET' : 'HEAD')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('rule 1: a request over a limit is 429 with Retry-After and the body of §7.2', async () => {
    const { key, id } = await api.keys.issue({ label: 'one', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 1 }, 'test');
    const start = epochSeconds();
    expect((await asking(key)).status).toBe(200);
    const refused = await asking(key);
    const seconds = Number(refused.headers['retry-after']);
    expect([refused.status, refused.json]).toEqual([429, { error: MESSAGE, retryAfterSeconds: seconds }]);
    expectWholeWindow(seconds, 60, start);
    expect(refused.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      ratelimit: expect.stringMatching(`^"minute";r=0;t=${seconds}, "day";r=9999;t=86\\d{3}$`),
      'ratelimit-policy': '"minute";q=1;w=60, "day";q=10000;w=86400',
    });
    expect(refused.headers['x-snapshot']).toBeUndefined();
  });

  it('rule 2: every answer under /v1 carries the headers: 200, 304, 400, 401, 404, 429, OPTIONS and HEAD', async () => {
    const key = await api.key();
    const start = epochSeconds();
    const first = await asking(key);
    const answers = [
      first,
      await ask(api.url, '/v1/catalog', {
        headers: { 'x-api-key': key, 'if-none-match': first.headers.etag ?? '' },
      }),
      await asking(key, '/v1/catalog?x=1'),
      await ask(api.url, '/v1/catalog'),
      await asking('nonsense'),
      await asking(key, '/v1/nope'),
      await asking(key, '/v1'),
      await asking(key, '/v1/catalog', 'POST'),
      await asking(key, '/v1/catalog', 'OPTIONS'),
      await asking(key, '/v1/catalog', 'HEAD'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 401, 401, 404, 404, 404, 204, 200]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
        'ratelimit-policy': expect.stringMatching(/^"minute";q=100;w=60/),
        ratelimit: expect.stringMatching(/^"minute";r=\d+;t=\d+/),
      });
      const reset = Number(headers['x-ratelimit-reset']);
      expect(reset).toBeGreaterThan(start + 50);
      expect(reset).toBeLessThanOrEqual(epochSeconds() + 61);
    }
    expect(limitsIn(await ask(api.url, '/nope'))).toEqual({});
  });

  it('counts 200, 304, 400 and HEAD; OPTIONS and 404 cost nothing (ruling 2)', async () => {
    const key = await api.key();
    const left = async (path?: string, method?: string) =>
      Number((await asking(key, path, method)).headers['x-ratelimit-remaining']);
    expect(await left()).toBe(99);
    expect(await left('/v1/financials')).toBe(98);
    expect(await left('/v1/catalog', 'HEAD')).toBe(97);
    for (const [path, method] of [['/v1/nope'], ['/v1/catalog', 'POST'], ['/v1/catalog', 'OPTIONS']])
      await asking(key, path, method);
    const { etag } = (await asking(key)).headers;
    const headers = { 'x-api-key': key, 'if-none-match': etag ?? '' };
    const unchanged = await ask(api.url, '/v1/catalog', { headers });
    expect([unchanged.status, unchanged.headers['x-ratelimit-remaining']]).toEqual([304, '95']);
  });

  it('a 404 reports the window of the client address without counting against it', async () => {
    const shown = async (path: string) => limitsIn(await ask(api.url, path)).remaining;
    const before = Number(await shown('/v1/nope'));
    expect(Number(await shown('/v1/nope'))).toBe(before);
    expect(Number(await shown('/v1/catalog'))).toBe(before - 1);
    expect(Number(await shown('/v1/nope'))).toBe(before - 1);
  });

  it('reports the window with the least left, and both windows in further headers (ruling 23)', async () => {
    const { key, id } = await api.keys.issue({ label: 'small day', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 5, perDay: 3 }, 'test');
    const start = epochSeconds();
    expect(limitsIn(await asking(key))).toEqual({
      limit: '3',
      remaining: '2',
      policy: '"minute";q=5;w=60, "day";q=3;w=86400',
      state: '"minute";r=4;t=60, "day";r=2;t=86400',
    });
    await asking(key);
    await asking(key);
    const refused = await asking(key);
    expect(refused.status).toBe(429);
    expectWholeWindow(Number(refused.headers['retry-after']), 86_400, start);
    expect(Number(refused.headers['x-ratelimit-reset']) - start).toBeGreaterThanOrEqual(86_400);
  });

  it('reports, of two full windows, the one that is full longest', async () => {
    const { key, id } = await api.keys.issue({ label: 'both', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 1, perDay: 1 }, 'test');
    const start = epochSeconds();
    await asking(key);
    const refused = await asking(key);
    expectWholeWindow(Number(refused.headers['retry-after']), 86_400, start);
    expect(Number(refused.headers['x-ratelimit-reset']) - start).toBeGreaterThanOrEqual(86_400);
  });

  it('applies new limits of a key from the next request on', async () => {
    const { key, id } = await api.keys.issue({ label: 'changing', by: 'test' });
    for (const _ of [1, 2, 3]) expect((await asking(key)).status).toBe(200);
    await api.keys.changeLimits(id, { perMinute: 2 }, 'test');
    const refused = await asking(key);
    expect([refused.status, refused.headers['x-ratelimit-remaining']]).toEqual([429, '0']);
    await api.keys.changeLimits(id, { perMinute: null }, 'test');
    expect(limitsIn(await asking(key))).toMatchObject({ limit: '100', remaining: '96' });
  });

  it('takes other limits from the settings of the server, for keys that have none of their own', async () => {
    const other = await startServerWithKeys({ limits: { perMinute: 7, perDay: 5 } });
    const { headers } = await ask(other.url, '/v1/catalog', { headers: { 'x-api-key': await other.key() } });
    expect(limitsIn({ headers })).toMatchObject({
      limit: '5',
      policy: '"minute";q=7;w=60, "day";q=5;w=86400',
    });
    await other.close();
  });
});

describe('rule 3: clients within the limits are unaffected', () => {
  it('honour Retry-After and the next request passes; refused requests do not count (ruling 22)', async () => {
    const short = await startServerWithKeys({ limits: { perMinute: 4, minuteMs: 1500 } });
    const headers = { 'x-api-key': await short.key() };
    const admitted: number[] = [];
    for (let turns = 0; turns < 2; turns++) {
      const refused: Awaited<ReturnType<typeof ask>>[] = [];
      while (refused.length < 4) {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => ask(short.url, '/v1/catalog', { headers })),
        );
        for (const answer of answers) {
          if (answer.status === 429) refused.push(answer);
          else admitted.push(performance.now());
        }
      }
      const waitSeconds = Number(refused.at(-1)?.headers['retry-after']);
      expect(waitSeconds).toBeGreaterThan(0);
      await sleep(waitSeconds * 1000);
      expect((await ask(short.url, '/v1/catalog', { headers })).status).toBe(200);
      admitted.push(performance.now());
    }
    expect(admitted.length).toBeGreaterThanOrEqual(6);
    await short.close();
  });

  itInDepth('a steady client at the limit is never refused', async () => {
    const short = await startServerWithKeys({ limits: { perMinute: 10, minuteMs: 500 } });
    const headers = { 'x-api-key': await short.key() };
    for (let i = 0; i < 40; i++) {
      expect((await ask(short.url, '/v1/catalog', { headers })).status).toBe(200);
      // The next request comes more than 50 ms after this answer, so requests are never closer than the limit allows.
      await sleep(51);
    }
    await short.close();
  });
});

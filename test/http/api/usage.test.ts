// `GET /v1/usage` tells a key its own limits and use.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerWithKeys, startServerWithKeys } from '../../support/serverWithKeys.ts';
import { inOneDay } from '../../support/wholeDay.ts';

let api: ServerWithKeys;
beforeEach(inOneDay);
beforeAll(async () => {
  api = await startServerWithKeys();
});
afterAll(() => api.close());

const usage = (key: string, path = '/v1/usage', headers = {}) =>
  api.get(path, { 'x-api-key': key, ...headers });

describe('GET /v1/usage', () => {
  it('gives the calling key, what is left of its limits after this very request, and its days', async () => {
    const { key, id } = await api.keys.issue({ label: 'Acme', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 3 }, 'test');
    await api.get('/v1/catalog', { 'x-api-key': key });
    const before = Date.now();
    const { status, json, headers } = await usage(key);
    expect([status, headers.get('cache-control'), headers.get('x-snapshot')]).toEqual([
      200,
      'no-store',
      '2026-11.1',
    ]);
    expect(headers.get('x-ratelimit-remaining')).toBe('1');
    expect(json).toEqual({
      key: { id, label: 'Acme', created_at: expect.any(String), expires_at: null },
      limits: [
        expect.objectContaining({ name: 'minute', limit: 3, used: 2, remaining: 1, window_seconds: 60 }),
        expect.objectContaining({
          name: 'day',
          limit: 10_000,
          used: 2,
          remaining: 9998,
          window_seconds: 86_400,
        }),
      ],
      days: [{ date: new Date().toISOString().slice(0, 10), requests: 2, refused: 0 }],
    });
    for (const { resets_at, window_seconds } of json.limits) {
      const inMs = Date.parse(resets_at) - before;
      expect(inMs).toBeGreaterThan((window_seconds - 30) * 1000);
      expect(inMs).toBeLessThanOrEqual(window_seconds * 1000 + 1000);
    }
    expect(Math.abs(Date.parse(json.key.created_at) - before)).toBeLessThan(60_000);
  });

  it('counts what was refused over a limit, and a request of /v1/usage like any other', async () => {
    const { key, id } = await api.keys.issue({ label: 'Busy', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 2 }, 'test');
    for (let i = 0; i < 5; i++) await usage(key);
    await api.keys.changeLimits(id, { perMinute: 3 }, 'test');
    expect((await usage(key)).json.days).toMatchObject([{ requests: 3, refused: 3 }]);
    expect((await api.keys.usage(id)).days).toMatchObject([{ requests: 3, refused: 3 }]);
  });

  it('names the end of a rotated key', async () => {
    const { key, id } = await api.keys.issue({ label: 'Old', by: 'test' });
    await api.keys.rotate(id, { graceMs: 3_600_000, by: 'test' });
    const { expires_at } = (await usage(key)).json.key;
    expect(Math.round((Date.parse(expires_at) - Date.now()) / 60_000)).toBe(60);
  });

  it('refuses parameters, and needs a key', async () => {
    const key = await api.key();
    const refused = await usage(key, '/v1/usage?dataset=ggr');
    expect([refused.status, refused.json.details.fieldErrors]).toEqual([
      400,
      { dataset: ['This endpoint takes no parameters'] },
    ]);
    expect((await api.get('/v1/usage')).status).toBe(401);
  });

  it('answers HEAD, and 304 to If-None-Match: *', async () => {
    const key = await api.key();
    const head = await fetch(`${api.url}/v1/usage`, { method: 'HEAD', headers: { 'x-api-key': key } });
    expect([head.status, Number(head.headers.get('content-length')) > 100]).toEqual([200, true]);
    expect((await usage(key, '/v1/usage', { 'if-none-match': '*' })).status).toBe(304);
  });
});

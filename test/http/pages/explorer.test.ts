// The explorer's page and files as the server sends them.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { type SharedServer, sharedServer } from '../../support/sharedServer.ts';
import { talk } from '../../support/sockets.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { headers, method, redirect: 'manual' });

/**
 * An answer whose body is not needed. It is cancelled, because otherwise its connection stays open until all bytes
 * are sent.
 */
async function unread(...asked: Parameters<typeof get>): Promise<Response> {
  const answer = await get(...asked);
  await answer.body?.cancel();
  return answer;
}

const assetsOf = (page: string) =>
  [...page.matchAll(/"(?:\.\.?\/)*(assets\/[^"]+)"/g)].map(([, asset = '']) => asset);

describe('the explorer', () => {
  it('is one page at /, /country/<name> and /product/<name>, with paths relative to the service', async () => {
    for (const [path, root] of [
      ['/', './'],
      ['/?dataset=fx', './'],
      ['/country/C%C3%B4te%20d%27Ivoire', '../'],
      ['/product/Poker', '../'],
    ] as const) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const page = await answer.text();
      expect(page).toContain(`data-root="${root}"`);
      // Without scripts, a browser goes on to the documentation that needs none.
      expect(page).toMatch(new RegExp(`<noscript>.*href="${root}docs/plain"`));
    }
    for (const path of ['/country', '/country/', '/country/a/b', '/assets/'])
      expect((await unread(path)).status).toBe(404);
    // These are sent as bytes, because fetch would remove the dots.
    for (const path of ['/assets/../index.html', '/assets/..%2findex.html', '/assets/%2e%2e/index.html'])
      expect(
        await talk(server.url, [`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]),
      ).toMatch(/^HTTP\/1\.1 404 /);
    expect((await unread('/', {}, 'POST')).status).toBe(404);
    expect((await unread('/', {}, 'OPTIONS')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('may load only its own files, may not be framed, and has nothing unsafe in its policy', async () => {
    const { headers } = await unread('/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; " +
        "script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' blob:",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is revalidated at every visit; its files are named by their hash, compressed and cached for ever', async () => {
    const page = await get('/');
    const etag = page.headers.get('etag') ?? '';
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect((await unread('/', { 'if-none-match': etag })).status).toBe(304);
    const assets = assetsOf(await page.text());
    expect(assets.length).toBe(3);
    for (const asset of assets) {
      const answer = await unread(`/${asset}`, { 'accept-encoding': 'gzip' });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect((await unread(`/${asset}`, { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe(
        'br',
      );
      expect(
        (await unread(`/${asset}`, { 'accept-encoding': 'identity' })).headers.get('content-encoding'),
      ).toBeNull();
    }
  });

  it('takes at most 150 KB compressed, all files together', async () => {
    const assets = assetsOf(await (await get('/')).text());
    const sizes = await Promise.all(
      assets.map(async (asset) =>
        Number(
          (await unread(`/${asset}`, { 'accept-encoding': 'gzip' }, 'HEAD')).headers.get('content-length'),
        ),
      ),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(100);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * 1000);
  });
});

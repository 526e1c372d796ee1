// Answers that are given before Express sees a request.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../../support/server.ts';
import { type ServerWithKeys, startServerWithKeys } from '../../support/serverWithKeys.ts';
import { statusesIn, talk } from '../../support/sockets.ts';

const CLOSE = 'Connection: close\r\n\r\n';

let server: ServerWithKeys;
beforeAll(async () => {
  server = await startServerWithKeys({
    settings: { publicUrl: 'https://data.example' },
    pages: [(_request, response) => void response.end('a page')],
  });
});
afterAll(() => server.close());

describe('a refusal before Express, which counts in no window,', () => {
  /** A server that has not had a request that counts against a limit. */
  let unasked: ServerWithKeys;
  beforeAll(async () => {
    unasked = await startServerWithKeys();
  });
  afterAll(() => unasked.close());

  it.each([
    ['a fragment', `GET /v1/catalog#x HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
    ['a fragment right behind /v1', `GET /v1#x HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
    ['no Host', `GET /v1/catalog HTTP/1.1\r\n${CLOSE}`, 400],
    ['two Hosts', `GET /v1/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n${CLOSE}`, 400],
    ['a header without a colon', 'GET /v1/catalog HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['a broken version', 'GET /v1/catalog HTTP/9\r\n\r\n', 400],
    ['a method that Node does not know', 'FOO /v1/catalog HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a method in small letters', 'get /v1/catalog HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a NUL in the target', 'GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['100 KB of query', `GET /v1/catalog?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['100 KB of headers', `GET /v1/x HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(20_000)}${CLOSE}`, 431],
    ['thousands of headers', `GET /v1/x HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(17_000)}${CLOSE}`, 431],
    ['a proxy that names the host', `GET http://x/v1/catalog HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`, 400],
    ['a broken host with the path behind it', `GET http://[/v1/catalog HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
  ])('of %s under /v1 shows the address window', async (_, bytes, status) => {
    const text = await talk(unasked.url, [bytes]);
    expect(statusesIn(text)).toEqual([status]);
    for (const header of [
      /^x-ratelimit-limit: 100$/im,
      /^x-ratelimit-remaining: 100$/im,
      /^x-ratelimit-reset: \d{10}$/im,
      /^ratelimit-policy: "minute";q=100;w=60$/im,
      /^ratelimit: "minute";r=100;t=60$/im,
    ])
      expect(text).toMatch(header);
  });
});

describe('a refusal before Express', () => {
  it('behind a request on the same connection goes by its own path', async () => {
    const broken = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`;
    const [, other = ''] = (
      await talk(server.url, [`GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n${broken('/x')}`])
    ).split(/(?=HTTP\/1\.1 400)/);
    expect(other).not.toMatch(/ratelimit/i);
    const [, ours = ''] = (
      await talk(server.url, [`GET /x HTTP/1.1\r\nHost: x\r\n\r\n${broken('/v1/x')}`])
    ).split(/(?=HTTP\/1\.1 400)/);
    expect(ours).toMatch(/^x-ratelimit-limit: 100$/im);
  });

  it('of a header whose request line arrived earlier shows the window of the possible path', async () => {
    const text = await talk(server.url, ['GET /v1/x HTTP/1.1\r\nX-Note:', 'two words\0\r\n'], {
      pauseMs: 200,
    });
    expect(text).toMatch(/^x-ratelimit-limit: 100$/im);
  });

  it.each([
    ['a path beside /v1', 'GET /v10#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['a path beside /v1 and an unknown method', 'get /v10 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['a tunnel', 'CONNECT db:5432 HTTP/1.1\r\nHost: db\r\n\r\n', 404],
  ])('of %s shows no window', async (_, bytes, status) => {
    const text = await talk(server.url, [bytes]);
    expect(statusesIn(text)).toEqual([status]);
    expect(text).not.toMatch(/ratelimit/i);
  });

  it.each([
    '*',
    'http://[',
    'http://',
    'http://a b/',
    'v1/catalog',
    'ftp://x/v1/catalog',
    'http://u:p@x/',
    'http://x/#',
  ])('of the target %s is 404 though / is a page', async (target) => {
    const text = await talk(server.url, [`OPTIONS ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}`]);
    expect([400, 404]).toContain(statusesIn(text)[0]);
    expect(text).not.toContain('a page');
    if (/^\*|^http:\/\/\S+$/.test(target)) expect(statusesIn(text)).toEqual([404]);
  });

  it.each(['/', 'http://x', 'http://x:80/', 'http://[::1]?a'])(
    'is not given to the target %s',
    async (target) => {
      const text = await talk(server.url, [`GET ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}`]);
      expect(text).toMatch(/^HTTP\/1\.1 200 .+a page$/s);
    },
  );
});

describe('Strict-Transport-Security', () => {
  const asked = [
    `GET /v1/catalog HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
    `GET /v1/x#y HTTP/1.1\r\nHost: x\r\n${CLOSE}`,
    'rubbish\r\n\r\n',
  ];

  it('is sent where PUBLIC_URL is https, for this host alone', async () => {
    for (const bytes of asked)
      expect(await talk(server.url, [bytes])).toMatch(/^strict-transport-security: max-age=31536000\r$/im);
  });

  it.each([undefined, 'http://data.example'])('is not sent where PUBLIC_URL is %s', async (publicUrl) => {
    const settings = publicUrl === undefined ? {} : { publicUrl };
    const plain = await startServer({ snapshots: server.snapshots, settings });
    for (const bytes of asked) expect(await talk(plain.url, [bytes])).not.toMatch(/strict-transport/i);
    await plain.close();
  });
});

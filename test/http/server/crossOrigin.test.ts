// Which origins' scripts may call the API, and what they may read.

import { afterAll, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '../../../src/config/config.ts';
import { RESPONSE_HEADERS } from '../../../src/http/docs/headerTexts.ts';
import type { AllowedOrigins } from '../../../src/http/server/crossOrigin.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startServerWithKeys } from '../../support/serverWithKeys.ts';
import { talk } from '../../support/sockets.ts';

const ORIGIN = 'https://observable.example';
const started: TestServer[] = [];

/** The server whose snapshot all servers use. */
const first = startServer();

/** A server for each setting. All tests with that setting share it. */
const servers = new Map<string, Promise<TestServer>>();
function allowing(corsOrigins: AllowedOrigins): Promise<TestServer> {
  const setting = JSON.stringify(corsOrigins);
  const server =
    servers.get(setting) ??
    first.then(({ snapshots }) => startServer({ snapshots, settings: { corsOrigins } }));
  servers.set(setting, server);
  return server;
}

async function ask(
  corsOrigins: AllowedOrigins,
  origin: string | undefined,
  method = 'GET',
  path = '/v1/catalog',
) {
  const server = await allowing(corsOrigins);
  const preflight = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' };
  const headers = { ...(origin !== undefined && { Origin: origin }), ...(method === 'OPTIONS' && preflight) };
  const response = await fetch(server.url + path, { method, headers });
  await response.arrayBuffer();
  const headerOf = (name: string) => response.headers.get(name);
  return {
    status: response.status,
    allowed: headerOf('access-control-allow-origin'),
    headers: headerOf('access-control-allow-headers'),
    exposed: headerOf('access-control-expose-headers'),
    varies: headerOf('vary')?.includes('Origin'),
  };
}
afterAll(async () => {
  for (const server of [...started, ...(await Promise.all(servers.values())), await first])
    await server.close();
});

it('allows no other origin unless it is set', async () => {
  expect(await ask(null, ORIGIN)).toEqual({
    status: 200,
    allowed: null,
    headers: null,
    exposed: null,
    varies: false,
  });
});

it('lets scripts of a listed origin read answers and their headers, errors among them', async () => {
  for (const [path, status] of [
    ['/v1/catalog', 200],
    ['/v1/financials?metric=', 400],
    ['/v1/nothing', 404],
  ] as const)
    expect(await ask([ORIGIN], ORIGIN, 'GET', path)).toEqual({
      status,
      allowed: ORIGIN,
      headers: null,
      exposed: expect.stringMatching(/Link.*Retry-After.*X-RateLimit-Remaining.*X-Snapshot/),
      varies: true,
    });
});

it('shows scripts every header of answers that the documentation names', async () => {
  const { exposed } = await ask([ORIGIN], ORIGIN);
  // Three names are left out: browsers always expose Cache-Control, only caches read Vary, and `Help` stands for a Link.
  const others = ['Cache-Control', 'Vary', 'Help'];
  const named = Object.keys(RESPONSE_HEADERS).filter((name) => !others.includes(name));
  expect(exposed?.split(', ')).toEqual(expect.arrayContaining([...named, 'Allow']));
});

it('answers a preflight with the headers that a request may have', async () => {
  expect(await ask([ORIGIN], ORIGIN, 'OPTIONS')).toEqual({
    status: 204,
    allowed: ORIGIN,
    headers: expect.stringContaining('X-Api-Key'),
    exposed: null,
    varies: true,
  });
});

it('answers a preflight without a key, and takes no slot of a key or an address for it', async () => {
  const server = await startServerWithKeys({ settings: { corsOrigins: [ORIGIN] } });
  started.push(server);
  const key = await server.key();
  const url = `${server.url}/v1/catalog`;
  const left = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers: { Origin: ORIGIN, ...headers } });
    await response.arrayBuffer();
    return [response.status, Number(response.headers.get('x-ratelimit-remaining'))] as const;
  };
  const [, ofKey] = await left({ 'x-api-key': key });
  const [, ofAddress] = await left({});
  const asked = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' };
  for (let times = 0; times < 5; times++) {
    const { status, headers } = await fetch(url, {
      method: 'OPTIONS',
      headers: { Origin: ORIGIN, ...asked },
    });
    const allowed = ['methods', 'origin'].map((name) => headers.get(`access-control-allow-${name}`));
    expect([status, ...allowed]).toEqual([204, 'GET, HEAD, OPTIONS', ORIGIN]);
  }
  expect(await left({ 'x-api-key': key })).toEqual([200, ofKey - 1]);
  expect(await left({})).toEqual([401, ofAddress - 1]);
});

it('says nothing to other origins, and that the answer depends on the origin', async () => {
  for (const origin of ['https://other.example', 'null', `${ORIGIN}.evil.example`])
    expect(await ask([ORIGIN], origin)).toMatchObject({ allowed: null, varies: true });
});

it('allows every origin with *, for the document too', async () => {
  expect(await ask('*', ORIGIN)).toMatchObject({ allowed: '*', varies: false });
  expect(await ask('*', ORIGIN, 'GET', '/openapi.json')).toMatchObject({ status: 200, allowed: '*' });
});

it('with *, gives caches the same answer without an origin as with one', async () => {
  for (const path of ['/v1/catalog', '/openapi.json'])
    expect(await ask('*', undefined, 'GET', path)).toEqual(await ask('*', ORIGIN, 'GET', path));
});

it('reads a list of origins, and refuses what no browser sends', () => {
  expect(readConfig({ CORS_ORIGINS: 'https://a.example, http://b.example:8080' }).corsOrigins).toEqual([
    'https://a.example',
    'http://b.example:8080',
  ]);
  for (const text of [
    '',
    'a.example',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
    'null',
  ])
    expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(ConfigError);
});

it.each<[string, AllowedOrigins, string | null]>([
  ['all origins', '*', '*'],
  ['one origin', [ORIGIN], ORIGIN],
  ['several, of which it may not have seen the one that asks', ['https://other.example', ORIGIN], null],
])(
  'lets scripts read the refusal of a request that is too large where the server allows %s',
  async (_, origins, allowed) => {
    const refusal = await refusalOf(origins, `x: ${'x'.repeat(70_000)}`);
    expect(refusal).toEqual({ status: '431', allowed, varies: origins !== '*', isExposed: allowed !== null });
  },
);

it('lets scripts of each allowed origin read the refusal of a malformed request, and no others', async () => {
  const refusal = (origins: AllowedOrigins) => refusalOf(origins, 'no header');
  const shown = { status: '400', allowed: ORIGIN, varies: true, isExposed: true };
  expect(await refusal(['https://other.example', ORIGIN])).toEqual(shown);
  expect(await refusal(['https://other.example'])).toEqual({ ...shown, allowed: null, isExposed: false });
});

/** The answer to a request from ORIGIN that Node cannot parse because of `line`. */
async function refusalOf(corsOrigins: AllowedOrigins, line: string) {
  const server = await allowing(corsOrigins);
  const head = `GET /v1/financials?metric=ggr HTTP/1.1\r\nHost: x\r\nOrigin: ${ORIGIN}\r\n`;
  const text = await talk(server.url, [`${head}${line}\r\n\r\n`]);
  const headerOf = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(text)?.[1] ?? null;
  return {
    status: text.slice('HTTP/1.1 '.length).slice(0, 3),
    allowed: headerOf('Access-Control-Allow-Origin'),
    varies: /^Vary: Origin\r$/m.test(text),
    isExposed: /Retry-After/.test(headerOf('Access-Control-Expose-Headers') ?? ''),
  };
}

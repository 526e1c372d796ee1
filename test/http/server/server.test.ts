// The HTTP server around the app: refusals of malformed requests, order of answers, draining.

import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSelector, type Selector } from '../../../src/query/selection/selector.ts';
import { aLatch } from '../../support/latch.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aRow } from '../../support/snapshot.ts';

const GET = 'GET /v1/catalog HTTP/1.1\r\nHost: x\r\n';

describe('the server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  /** Sends bytes and reads until the connection is closed. */
  const raw = (...parts: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
      let text = '';
      socket.setTimeout(30_000, () => socket.destroy(new Error(`still open after ${text}`)));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      for (const part of parts) socket.write(part, 'latin1');
    });

  const statuses = (text: string) =>
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

  it.each<[string, string, number, string]>([
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'Malformed request: it is not valid HTTP'],
    [
      'a TLS greeting',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      400,
      'Malformed request: it is not valid HTTP',
    ],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'Malformed request: it is not valid HTTP'],
    ...['0.9', '2.0'].map((version): [string, string, number, string] => [
      `HTTP/${version} as its version`,
      `GET /v1/catalog HTTP/${version}\r\nHost: x\r\n\r\n`,
      400,
      `Malformed request: HTTP/${version} is not supported; use HTTP/1.1`,
    ]),
    ['a header without a colon', `${GET}nonsense\r\n\r\n`, 400, 'Malformed request: it is not valid HTTP'],
    [
      'a NUL in the target',
      'GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n',
      400,
      'Malformed request: its address holds a character that must be percent-encoded, as %C3%A9 stands for é',
    ],
    [
      'a name that curl sends as it was typed',
      `GET /v1/financials?metric=ggr&country=${Buffer.from('Côte d’Ivoire').toString('latin1')} HTTP/1.1\r\nHost: x\r\n\r\n`,
      400,
      'Malformed request: its address holds a character that must be percent-encoded, as %C3%A9 stands for é',
    ],
    [
      'a space in the target',
      'GET /v1/financials?metric=ggr&country=Costa Rica HTTP/1.1\r\nHost: x\r\n\r\n',
      400,
      'Malformed request: its address holds a space; write it as %20',
    ],
    [
      'a version in small letters',
      'GET /v1/catalog http/1.1\r\nHost: x\r\n\r\n',
      400,
      'Malformed request: it is not valid HTTP',
    ],
    ...['v1/catalog', 'é'].map((target): [string, string, number, string] => [
      `the address ${target}`,
      `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
      400,
      'Malformed request: its address must begin with a slash, as /v1/catalog does',
    ]),
    ...['FOO', 'get', 'GETX', 'G', 'DESCRIBE'].map((method): [string, string, number, string] => [
      `the method ${method}`,
      `${method} /v1/catalog HTTP/1.1\r\nHost: x\r\n\r\n`,
      404,
      'Endpoint does not exist',
    ]),
    [
      'a word that is no method and has no version behind it',
      'hello /v1/catalog\r\n\r\n',
      400,
      'Malformed request: it is not valid HTTP',
    ],
    [
      'no Host',
      'GET /v1/catalog HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'Malformed request: the Host header is missing; send one',
    ],
    [
      'two Hosts',
      'GET /v1/catalog HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
      400,
      'Malformed request: there is more than one Host header; send one',
    ],
    ...['', 'a b', 'u@h', 'h:x', 'h:65536', '[::1', 'h:1:2', '\xe4', 'a/b'].map(
      (host): [string, string, number, string] => [
        `the Host "${host}"`,
        `GET /v1/catalog HTTP/1.1\r\nHost: ${host}\r\n\r\n${GET}\r\n`,
        400,
        'Malformed request: the Host header is not a host; send a name or an address, with a port if it needs one',
      ],
    ),
    ...['gzip', 'identity', 'xchunked'].map((coding): [string, string, number, string] => [
      `a body coded as ${coding}, whose end nobody knows`,
      `${GET}Transfer-Encoding: ${coding}\r\n\r\n${GET}\r\n`,
      400,
      'Malformed request: the end of its body is unknown; end Transfer-Encoding with chunked, or send none',
    ]),
    ...['gzip, chunked', 'Identity, Chunked', 'x,chunked'].map((coding): [string, string, number, string] => [
      `a body coded as ${coding}, whose chunks alone are known`,
      `${GET}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
      501,
      'The Transfer-Encoding is not supported: send the body in chunks alone, or with its length',
    ]),
    [
      'a Host behind thousands of headers, which counts all the same, and is the only one of four letters',
      `GET /v1/nothing HTTP/1.1\r\nDate: b\r\n${'a: b\r\n'.repeat(3000)}Host: x\r\nConnection: close\r\n\r\n`,
      404,
      'Endpoint does not exist',
    ],
    [
      '100 KB of query',
      `GET /v1/catalog?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'Request line and headers are larger than 64 KiB together: name fewer values, or ask in several requests',
    ],
    ['a tunnel', 'CONNECT db:5432 HTTP/1.1\r\nHost: db\r\n\r\n', 404, 'Endpoint does not exist'],
    [
      'a target that is not a URL',
      'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      'Endpoint does not exist',
    ],
    [
      'a fragment',
      'GET /v1/catalog#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      'Endpoint does not exist',
    ],
    [
      'all of the server',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
      'Endpoint does not exist',
    ],
  ])('answers %s in JSON and closes', async (_, bytes, status, error) => {
    const text = await raw(bytes);
    expect(statuses(text)).toEqual([status]);
    const [head = '', body] = text.split('\r\n\r\n');
    expect(body).toBe(JSON.stringify({ error }));
    for (const header of [
      /^x-request-id: [\w-]{36}$/im,
      /^cache-control: no-store$/im,
      /^vary: x-api-key/im,
    ]) {
      expect(head).toMatch(header);
    }
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im);
    expect(head).toMatch(/^content-security-policy: default-src 'none';\s?frame-ancestors 'none'$/im);
    expect(head).not.toMatch(/x-powered-by|^server:/im);
  });

  it.each<[string, string]>([
    [
      'a proxy that names the host',
      'GET http://x/v1/catalog HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['an expectation it does not know', `${GET}Expect: wonders\r\nConnection: close\r\n\r\n`],
    ['a body that nobody asked for', `${GET}Content-Length: 5\r\nConnection: close\r\n\r\nhello`],
    ['HTTP/1.0', 'GET /v1/catalog HTTP/1.0\r\n\r\n'],
    ...['[::1]:3000', 'a_b.example:', 'A%41-1:65535'].map((host): [string, string] => [
      `the Host ${host}`,
      `GET /v1/catalog HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    ]),
    ['a body in chunks', `${GET}Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`],
    [
      '64 KB less a little',
      `GET /v1/catalog HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(65_000)}\r\nConnection: close\r\n\r\n`,
    ],
  ])('serves %s', async (_, bytes) => {
    expect(statuses(await raw(bytes))).toEqual([200]);
  });

  it('lets a client that is still sending read why it was refused', async () => {
    for (let again = 0; again < 20; again++) {
      const text = await raw(`GET /v1/catalog?${'x'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 431 .+in several requests"\}$/s);
    }
  });

  it('answers the requests before a broken one first, in order', async () => {
    const slow = 'GET /v1/financials?metric=ggr&country=Malta&country=x HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(statuses(await raw(`${slow}${GET}\r\nrubbish\r\n\r\n`))).toEqual([200, 200, 400]);
    expect(statuses(await raw('rubbish\r\n\r\n', `${GET}\r\n`))).toEqual([400]);
  });

  it('drains: running requests finish, and no new ones are accepted', async () => {
    const real = createSelector(LONG_DEADLINE);
    const [begun, released] = [aLatch(), aLatch()];
    const late: Selector = {
      ...real,
      async page(...question) {
        begun.open();
        await released.opened;
        return real.page(...question);
      },
    };
    const rows = ['A', 'B'].map((country) => aRow('ggr', { country }));
    const other = await startServer({ selector: late, rows: { ggr: rows } });
    const running = other.get('/v1/financials?metric=ggr&country=A');
    await begun.opened;
    // This deadline is longer than any test takes.
    const drained = other.drain(600_000);
    await expect(other.get('/v1/catalog')).rejects.toThrow();
    released.open();
    expect((await running).json.data).toHaveLength(1);
    await drained;
    await other.close();
  });

  it('cuts what has not ended when the deadline of a drain passes', async () => {
    const begun = aLatch();
    const page = () => {
      begun.open();
      return new Promise<never>(() => {});
    };
    const stuck: Selector = { ...createSelector(LONG_DEADLINE), page };
    const rows = ['A', 'B'].map((country) => aRow('ggr', { country }));
    const other = await startServer({ selector: stuck, rows: { ggr: rows } });
    const running = other.get('/v1/financials?metric=ggr&country=A').catch(() => 'cut');
    await begun.opened;
    await other.drain(100);
    await expect(running).resolves.toBe('cut');
    await other.close();
  });
});

it('reports the address that a trusted proxy names, and without one that of the connection', async () => {
  const addresses: unknown[] = [];
  const server = await startServer({
    settings: { trustProxyHops: 1 },
    observe: (one) => {
      if (one.event === 'request answered') addresses.push(one.details().address);
    },
  });
  await server.get('/v1/catalog', { 'X-Forwarded-For': '192.0.2.7' });
  await server.get('/v1/catalog');
  // The server waits for running requests.
  await server.drain(600_000);
  expect(addresses).toEqual(['192.0.2.7', '127.0.0.1']);
  await server.close();
});

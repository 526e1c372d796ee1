// Every 400, 401, 404 and 429 links to the section of the documentation that explains exactly this case.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { isWellFormedKey, mintKey } from '../../../src/access/keys/keyText.ts';
import { HELP_TOPICS } from '../../../src/http/docs/help/helpTopics.ts';
import { createAuthenticator } from '../../../src/http/middleware/authenticator.ts';
import { ask, send } from '../../contract/wire.ts';
import { patientGate } from '../../support/patientGate.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aRow } from '../../support/snapshot.ts';

let redis: TestDatabase;
let server: TestServer;
let key: string;
/** A key that has used up its only request. */
let limitedKey: string;
beforeAll(async () => {
  redis = await openDatabase();
  server = await startServer({
    rows: {
      ggr: [
        aRow('ggr', { ggr: 1e308 }),
        aRow('ggr', { country: 'Spain', ggr: 1e308 }),
        aRow('ggr', { fx: 'USD' }),
      ],
    },
    authenticator: createAuthenticator(
      patientGate(redis.client, { perMinute: 10_000, perDay: 100_000 }),
      () => {},
    ),
  });
  const keys = keysOf(redis.client);
  ({ key } = await keys.issue({ label: 'help', by: 'test' }));
  const limited = await keys.issue({ label: 'limited', by: 'test' });
  await keys.changeLimits(limited.id, { perMinute: 1, perDay: 1 }, 'test');
  limitedKey = limited.key;
  await server.get('/v1/catalog', { 'x-api-key': limitedKey });
});
afterAll(async () => {
  await server?.close();
  await redis?.close();
});

/** Changes one character of a key. The checksum of the key detects that. */
const mistyped = (text: string) => `${text.slice(0, 20)}${text[20] === 'a' ? 'b' : 'a'}${text.slice(21)}`;

const topicsOf = (link: string | undefined): readonly string[] => {
  const links = (link ?? '').split(', ').map((part) => /^<\/docs#([^>]+)>; rel="help"$/.exec(part)?.[1]);
  return links.map((topic) => topic ?? `not a help link: ${link}`);
};

/** A request, its status, its help topics, and headers besides the key. A header `x-api-key` replaces the key. */
const CASES: readonly (readonly [string, number, readonly string[], Record<string, string>?])[] = [
  ['/v1/financials', 400, ['metric-missing']],
  ['/v1/financials?metric=', 400, ['metric-missing']],
  ['/v1/values', 400, ['dataset-missing']],
  ['/v1/financials?metric=revenue', 400, ['unknown-metric']],
  ['/v1/financials?metric=country_reference', 400, ['reference-as-metric']],
  ['/v1/values?dataset=revenue', 400, ['unknown-dataset']],
  ['/v1/reference?dataset=ggr', 400, ['financial-as-reference']],
  ['/v1/financials?metric=ggr&countries=Malta', 400, ['misspelt-parameter']],
  ['/v1/totals?dataset=ggr&by=land', 400, ['misspelt-parameter']],
  ['/v1/values?dataset=ggr&dimension=land', 400, ['misspelt-parameter']],
  ['/v1/financials?metric=ggr&calculation=Reported', 400, ['dimension-of-another-dataset']],
  [
    '/v1/values?dataset=country_reference&period=2020-01-01:2020-01-02',
    400,
    ['dimension-of-another-dataset'],
  ],
  ['/v1/catalog?x=1', 400, ['no-parameters']],
  ['/v1/financials?metric=ggr&metric=ggr', 400, ['given-twice']],
  ['/v1/financials?metric=ggr&cursor=a&cursor=b', 400, ['given-twice']],
  [
    '/v1/financials?metric=ggr&period=2024-01-01:2024-01-02&period=2024-01-01:2024-01-02',
    400,
    ['given-twice'],
  ],
  ['/v1/financials?metric=ggr&period=2024', 400, ['period-format']],
  ['/v1/financials?metric=ggr&period=2023-02-30:2024-01-01', 400, ['period-day']],
  ['/v1/financials?metric=ggr&period=2024-01-01:2023-01-01', 400, ['period-turned-round']],
  ['/v1/financials?metric=ggr&limit=0', 400, ['limit']],
  ['/v1/financials?metric=ggr&year=MMXX', 400, ['year']],
  ['/v1/financials?limit=a&year=b', 400, ['metric-missing', 'year', 'limit']],
  ['/v1/financials?metric=ggr&country=Maltta', 400, ['unknown-value'], { prefer: 'handling=strict' }],
  ['/v1/financials?metric=ggr&country=%E9', 400, ['broken-encoding']],
  ['/v1/financials?metric=ggr&cursor=abc', 400, ['invalid-cursor']],
  ['/v1/catalog', 400, ['unknown-snapshot'], { 'x-snapshot': '1999-01' }],
  ['/v1/catalog', 400, ['snapshot-day'], { 'x-snapshot': '2026-09-31' }],
  ['/v1/changes?dataset=ggr', 400, ['since-missing']],
  ['/v1/changes?dataset=ggr&since=2026-11&change=renamed', 400, ['unknown-change']],
  ['/v1/totals?dataset=ggr', 400, ['sum-refused']],
  ['/v1/totals?dataset=ggr&fx=EUR', 400, ['sum-too-large']],
  ['/v1/totals?dataset=fx', 400, ['nothing-to-sum']],
  ['/v1/totals?dataset=ggr&by=fx&by=fx', 400, ['dimension-named-twice']],
  ['/v1/catalog', 401, ['key-missing'], { 'x-api-key': '' }],
  ['/v1/catalog', 401, ['key-as-bearer'], { 'x-api-key': '', authorization: 'Bearer abc' }],
  ['/v1/catalog?api_key=abc', 401, ['key-in-address'], { 'x-api-key': '' }],
  ['/v1/catalog', 401, ['key-refused'], { 'x-api-key': 'abc' }],
  ['/v1/cataloque', 404, ['unknown-path']],
  ['/catalog', 404, ['path-without-version']],
  ['/v1/Catalog', 404, ['path-spelling']],
  ['/v1/catalog/', 404, ['path-spelling']],
  ['/v1/datasets/nothing', 404, ['unknown-name']],
  ['/v1/export/ggr.json', 404, ['unknown-name']],
];

describe('a refused request', () => {
  it.each(CASES)('GET %s (%i) leads to %j', async (path, status, topics, headers = {}) => {
    const answer = await ask(server.url, path, { headers: { 'x-api-key': key, ...headers } });
    expect(answer.status).toBe(status);
    expect(topicsOf(answer.headers.link)).toEqual(topics);
  });

  it('with a key that is mistyped, unknown or revoked does not learn which', async () => {
    const keys = keysOf(redis.client);
    const revoked = await keys.issue({ label: 'revoked', by: 'test' });
    await keys.revoke(revoked.id, 'test');
    const cut = mistyped(key);
    expect(isWellFormedKey(cut)).toBe(false);
    for (const refused of [revoked.key, mintKey(), cut]) {
      const answer = await ask(server.url, '/v1/catalog', { headers: { 'x-api-key': refused } });
      expect([answer.status, topicsOf(answer.headers.link)]).toEqual([401, ['key-refused']]);
    }
  });

  it('over the limit of its key leads to rate-limit', async () => {
    const answer = await ask(server.url, '/v1/catalog', { headers: { 'x-api-key': limitedKey } });
    expect([answer.status, topicsOf(answer.headers.link)]).toEqual([429, ['rate-limit']]);
  });

  it('with another method leads to method', async () => {
    const answer = await ask(server.url, '/v1/catalog', { method: 'POST', headers: { 'x-api-key': key } });
    expect([answer.status, topicsOf(answer.headers.link)]).toEqual([404, ['method']]);
    const [unknown] = await send(server.url, 'get /v1/catalog HTTP/1.1\r\nHost: a\r\n\r\n');
    expect([unknown?.status, topicsOf(unknown?.headers.link)]).toEqual([404, ['method']]);
  });

  it('that is not valid HTTP leads to malformed-request', async () => {
    const [answer] = await send(
      server.url,
      'GET /v1/catalog HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    );
    expect([answer?.status, topicsOf(answer?.headers.link)]).toEqual([400, ['malformed-request']]);
  });

  it('over the limit of its address leads to address-limit', async () => {
    // The other tests also send requests without a valid key, so this test has a server of its own.
    const own = await startServer({
      authenticator: createAuthenticator(patientGate(redis.client), () => {}),
    });
    let answer = await ask(own.url, '/v1/catalog');
    for (let tries = 0; tries < 110 && answer.status === 401; tries++)
      answer = await ask(own.url, '/v1/catalog');
    await own.close();
    expect([answer.status, topicsOf(answer.headers.link)]).toEqual([429, ['address-limit']]);
  });
});

describe('a page with more behind it', () => {
  it('links to the next page alone', async () => {
    const { headers } = await ask(server.url, '/v1/financials?metric=ggr&limit=1', {
      headers: { 'x-api-key': key },
    });
    expect(headers.link).toMatch(/^<\/v1\/financials\?[^>]+>; rel="next"$/);
  });
});

describe('the help topics', () => {
  it('are all led to by a request above, or named here with the reason', () => {
    const REASONS = {
      'workbook-too-long': 'needs more than a million rows',
      'rate-limit': 'has a test of its own',
      'address-limit': 'has a test of its own',
      method: 'has a test of its own',
      'malformed-request': 'has a test of its own',
    };
    const reached = new Set([...CASES.flatMap(([, , topics]) => topics), ...Object.keys(REASONS)]);
    expect(Object.keys(HELP_TOPICS).filter((topic) => !reached.has(topic))).toEqual([]);
  });
});

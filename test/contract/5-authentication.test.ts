// Contract §5 and rulings 1, 2, 20, 21 and 24: which requests are admitted, and what the others get.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintKey } from '../../src/access/keys/keyText.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';
import { ask, getText, send } from './wire.ts';

const MISSING = { error: 'Missing x-api-key header' };
const INVALID = { error: 'Invalid or revoked API key' };

let api: ServerWithKeys;
beforeAll(async () => {
  api = await startServerWithKeys({ settings: { trustProxyHops: 1 } });
});
afterAll(() => api.close());

/** Each call of `elsewhere` gives a new address, so that no test uses up the window of another one. */
let address = 0;
const elsewhere = () => ({ 'x-forwarded-for': `192.0.2.${++address}` });

const asked = async (key: string | null, path = '/v1/catalog') => {
  const headers = { ...elsewhere(), ...(key !== null && { 'x-api-key': key }) };
  const { status, json } = await ask(api.url, path, { headers });
  return { status, json };
};

/** Sends header lines exactly as given. */
const sent = async (...lines: readonly string[]) => {
  const forwarded = `X-Forwarded-For: ${elsewhere()['x-forwarded-for']}`;
  const headers = [forwarded, ...lines, 'Connection: close', ''].join('\r\n');
  const [answer] = await send(api.url, getText('/v1/catalog', headers));
  return { status: answer?.status, json: answer?.json };
};

describe('5. authentication', () => {
  it('rule 1: lets a request with a valid key pass, on every endpoint', async () => {
    const key = await api.key();
    expect(key).toMatch(/^sk_live_/);
    for (const path of [
      '/v1/catalog',
      '/v1/financials?metric=ggr',
      '/v1/reference?dataset=country_reference',
    ])
      expect((await asked(key, path)).status).toBe(200);
  });

  it.each(['/v1/catalog', '/v1/financials?metric=ggr', '/v1/financials', '/v1/reference?dataset=x'])(
    'rule 4: a missing key is 401 on %s, before any parameter is looked at',
    async (path) => {
      expect(await asked(null, path)).toEqual({ status: 401, json: MISSING });
    },
  );

  it.each(['x-api-key:', 'x-api-key:  \t '])(
    'rule 4: an empty header counts as missing: %j',
    async (line) => {
      expect(await sent(line)).toEqual({ status: 401, json: MISSING });
    },
  );

  it('rule 5: a well-formed key that was never issued is 401', async () => {
    expect(await asked(mintKey())).toEqual({ status: 401, json: INVALID });
  });

  it('rule 5: a revoked key is 401 on the very next request (ruling 21)', async () => {
    const { key, id } = await api.keys.issue({ label: 'leaving', by: 'test' });
    expect((await asked(key)).status).toBe(200);
    await api.keys.revoke(id, 'test');
    expect(await asked(key)).toEqual({ status: 401, json: INVALID });
  });

  it('rule 5: an expired key is 401', async () => {
    const { key, id } = await api.keys.issue({ label: 'rotated', by: 'test' });
    await api.keys.rotate(id, { graceMs: 0, by: 'test' });
    expect(await asked(key)).toEqual({ status: 401, json: INVALID });
  });

  const key = `sk_live_${'0'.repeat(49)}`;
  it.each([
    ['too short', key.slice(0, -1)],
    ['too long', `${key}0`],
    ['of 10 KB', `sk_live_${'0'.repeat(10_240)}`],
    ['in capitals', key.toUpperCase()],
    ['of another prefix', key.replace('live', 'test')],
    ['without its prefix', key.slice(8)],
    ['with a space inside', `${key.slice(0, 20)} ${key.slice(20)}`],
    ['in quotes', `"${key}"`],
    ['with a scheme', `Bearer ${key}`],
    ['of other characters', key.replace('0', '-')],
    ['of Latin-1', `${key.slice(0, -1)}é`],
    ['twice in one line', `${key}, ${key}`],
    ['null', 'null'],
  ])('rule 5: a key %s is 401', async (_, malformed) => {
    expect(await asked(malformed)).toEqual({ status: 401, json: INVALID });
  });

  it('rule 5: a key with any character altered is 401, its checksum included (ruling 20)', async () => {
    const valid = await api.key();
    for (const at of [8, 30, 50, 51, 56]) {
      const altered = `${valid.slice(0, at)}${valid[at] === 'A' ? 'B' : 'A'}${valid.slice(at + 1)}`;
      expect(await asked(altered)).toEqual({ status: 401, json: INVALID });
    }
    expect((await asked(valid)).status).toBe(200);
  });

  it('takes a header name of any case, and ignores spaces around the value as HTTP does', async () => {
    const valid = await api.key();
    expect((await sent(`X-API-KEY:   ${valid} \t`)).status).toBe(200);
    expect((await sent(`X-Api-Key:${valid}`)).status).toBe(200);
    expect(await sent(`X-Api-Key: \u00a0${valid}`)).toEqual({ status: 401, json: INVALID });
  });

  it('refuses a repeated key header, even with the same valid key', async () => {
    const valid = await api.key();
    expect(await sent(`x-api-key: ${valid}`, `x-api-key: ${valid}`)).toEqual({ status: 401, json: INVALID });
    expect(await sent(`x-api-key: ${valid}`, 'x-api-key:')).toEqual({ status: 401, json: INVALID });
  });

  it('takes a key from nowhere but the header', async () => {
    const valid = await api.key();
    expect(await asked(null, `/v1/financials?metric=ggr&x-api-key=${valid}`)).toEqual({
      status: 401,
      json: MISSING,
    });
    const { status } = await ask(api.url, '/v1/catalog', {
      headers: { ...elsewhere(), authorization: `Bearer ${valid}`, cookie: `x-api-key=${valid}` },
    });
    expect(status).toBe(401);
  });
});

describe('ruling 1: the order of checks', () => {
  it.each(['/v1', '/v1/', '/v1/nope', '/v1/catalog/', '/v1/CATALOG'])(
    '%s is 404, key or no key',
    async (path) => {
      const valid = await api.key();
      for (const tried of [null, 'nonsense', valid])
        expect(await asked(tried, path)).toEqual({ status: 404, json: { error: 'Endpoint does not exist' } });
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s on an endpoint is 404, key or no key', async (method) => {
    for (const headers of [elsewhere(), { ...elsewhere(), 'x-api-key': await api.key() }])
      expect((await ask(api.url, '/v1/catalog', { method, headers })).status).toBe(404);
  });

  it('OPTIONS needs no key', async () => {
    const { status, headers } = await ask(api.url, '/v1/catalog', { method: 'OPTIONS' });
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('HEAD needs one', async () => {
    expect((await ask(api.url, '/v1/catalog', { method: 'HEAD', headers: elsewhere() })).status).toBe(401);
    const headers = { 'x-api-key': await api.key() };
    expect((await ask(api.url, '/v1/catalog', { method: 'HEAD', headers })).status).toBe(200);
  });

  it('the key comes before the parameters', async () => {
    expect((await asked(await api.key(), '/v1/financials')).status).toBe(400);
    expect((await asked(mintKey(), '/v1/financials')).status).toBe(401);
  });
});

describe('every refusal of a key', () => {
  it('has the same form, whatever is wrong with it', async () => {
    const revoked = await api.keys.issue({ label: 'gone', by: 'test' });
    await api.keys.revoke(revoked.id, 'test');
    const forms = [];
    for (const tried of [mintKey(), revoked.key, 'nonsense', `${mintKey()}x`]) {
      const headers = { ...elsewhere(), 'x-api-key': tried };
      const answer = await ask(api.url, '/v1/catalog', { headers });
      const { 'x-request-id': _, date: __, 'x-ratelimit-reset': ___, ...same } = answer.headers;
      forms.push(JSON.stringify({ ...same, body: answer.text, status: answer.status }));
    }
    expect(new Set(forms).size).toBe(1);
    expect(JSON.parse(forms[0] ?? '')).toMatchObject({ 'cache-control': 'no-store' });
  });

  it('has no key in it, and neither has the log', async () => {
    const lines: string[] = [];
    const note = (facts: object, message: string) => void lines.push(JSON.stringify({ message, ...facts }));
    const logged = await startServerWithKeys({ log: { info: note, warn: note, error: note } });
    const tried = [await logged.key(), mintKey(), 'sk_live_nonsense'];
    for (const key of tried) {
      const { text, headers } = await ask(logged.url, '/v1/catalog', { headers: { 'x-api-key': key } });
      expect(JSON.stringify({ text, headers })).not.toContain(key);
    }
    await logged.close();
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const key of tried) expect(lines.join()).not.toContain(key);
  });
});

describe('ruling 24: requests without a valid key', () => {
  it('are limited to 100 a minute for each address; then 429 in place of 401', async () => {
    const headers = elsewhere();
    const statuses = await Promise.all(
      Array.from({ length: 130 }, async (_, i) => {
        const key = [undefined, 'nonsense', mintKey()][i % 3];
        return (await api.get('/v1/catalog', { ...headers, ...(key && { 'x-api-key': key }) })).status;
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    const refused = await api.get('/v1/catalog', headers);
    expect(refused.json).toEqual({
      error: 'Too many requests — please try again later',
      retryAfterSeconds: Number(refused.headers.get('retry-after')),
    });
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    // Other clients, and valid keys from the same address, are not affected.
    expect((await asked(null)).status).toBe(401);
    expect((await api.get('/v1/catalog', { ...headers, 'x-api-key': await api.key() })).status).toBe(200);
  });
});

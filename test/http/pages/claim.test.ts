// The page of an invite: a link gives one key, whoever opens it and however often.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readAudit } from '../../../src/access/audit.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { DAY_MS, type Seen, type Site, startSite } from '../../support/site.ts';
import { expectWithin } from '../../support/within.ts';

let redis: TestRedis;
let site: Site;
let other: Site;
beforeAll(async () => {
  redis = await startRedis();
  [site, other] = await Promise.all([startSite(redis), startSite(redis, 'https://data.example')]);
});
beforeEach(() => {
  // A failed test may have left Redis paused.
  redis.resume();
  return redis.empty();
});
afterAll(async () => {
  await Promise.all([site.close(), other.close()]);
  await redis.close();
});

/** Opens the page and presses its button. */
async function claim(path: string, on: Site = site): Promise<Seen> {
  const { fields, cookie } = await on.get(path);
  return on.post(path, fields, { cookie });
}

const keyIn = ({ html }: Seen) => /sk_live_[0-9A-Za-z]{49}/.exec(html)?.[0] ?? '';

const unquote = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

describe('an open invite', () => {
  it('does not change when the invite page is opened repeatedly', async () => {
    const path = await site.invite();
    const before = await site.invites.list();
    const pages = await Promise.all(Array.from({ length: 40 }, () => site.get(path)));
    expect(new Set(pages.map(({ status, title }) => `${status} ${title}`))).toEqual(
      new Set(['200 Claim your API key']),
    );
    expect(await site.invites.list()).toEqual(before);
    expect(await site.keys.list()).toEqual([]);
    const names = await redis.client.keys('*');
    expect(names.map((name) => name.split(':')[0]).sort()).toEqual([
      'audit',
      'invite',
      'invite-ids',
      'visits',
    ]);
  });

  it('answers HEAD as GET without a body, and OPTIONS with what it takes', async () => {
    const path = await site.invite();
    await site.get(path);
    const head = await fetch(site.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await fetch(site.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  it('leads on: a first query in four languages with the key in place, the documentation and the explorer', async () => {
    const claimed = await claim(await site.invite());
    expect([...claimed.html.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, language]) => language)).toEqual([
      'curl',
      'Python',
      'R',
      'JavaScript',
    ]);
    const programs = [...unquote(claimed.html).matchAll(/<code id="query-[^>]*>(.*?)<\/code>/gs)];
    expect(programs.filter(([, program]) => program?.includes(keyIn(claimed)))).toHaveLength(4);
    for (const path of ['/docs', '/']) expect(claimed.html).toContain(`<a href="${site.url}${path}"`);
    const [, program = ''] = programs[3] ?? [];
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toContain('Malta');
  });

  it('becomes one key that works, carries the label, and is shown this once', async () => {
    const path = await site.invite('Acme, Jane');
    const claimed = await claim(path);
    expect([claimed.status, claimed.title]).toEqual([200, 'Your API key']);
    expect(await site.keys.list()).toMatchObject([{ label: 'Acme, Jane', state: 'active' }]);
    const [, header = '', key = '', url = ''] =
      /curl -H "([^:"]+): ([^"]+)" "([^"]+)"/.exec(unquote(claimed.html)) ?? [];
    expect([header, key, url]).toEqual([
      'x-api-key',
      keyIn(claimed),
      `${site.url}/v1/financials?metric=ggr&limit=5`,
    ]);
    expect((await fetch(url, { headers: { [header]: key } })).status).toBe(200);
    for (const again of [await site.get(path), await claim(path)]) {
      expect([again.status, again.title, keyIn(again)]).toEqual([410, 'This invite has been used', '']);
    }
    const [deed] = await readAudit(redis.client, { count: 1 });
    expect(deed).toMatchObject({ by: 'claim page', act: 'claim', details: { label: 'Acme, Jane' } });
  });

  it('becomes one key when sixteen claim it at once on two servers', async () => {
    const path = await site.invite();
    const tabs = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const on = i % 2 === 0 ? site : other;
        return { on, ...(await on.get(path)) };
      }),
    );
    const answers = await Promise.all(
      tabs.map(({ on, fields, cookie }) => on.post(path, fields, { cookie })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(410)]);
    expect(answers.map(keyIn).filter(Boolean)).toHaveLength(1);
    expect(await site.keys.list()).toHaveLength(1);
  });

  it('can be claimed from either of two tabs', async () => {
    const path = await site.invite();
    const first = await site.get(path);
    const second = await site.get(path, { cookie: first.cookie });
    expect(second.fields).toEqual(first.fields);
    expect((await site.post(path, first.fields, { cookie: second.cookie })).status).toBe(200);
  });

  it('shows a label as text, whatever is in it', async () => {
    const hostile = `<script>alert(1)</script> "x" & 'y'`;
    const { html } = await site.get(await site.invite(hostile));
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;x&quot; &amp; &#39;y&#39;');
  });
});

describe('a page', () => {
  it('is sent with headers that keep it private, and allow nothing but its own style and script', async () => {
    const { headers, html } = await site.get(await site.invite());
    const hashOf = (tag: string) => {
      const [, text = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html) ?? [];
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; " +
        `style-src ${hashOf('style')}; script-src ${hashOf('script')}`,
    );
    expect(html).not.toMatch(/ (?:style|on[a-z]+)=/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('set-cookie')).toMatch(/^nonce=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('keeps its cookie to https, and names PUBLIC_URL, when that is https', async () => {
    const path = await other.invite();
    const { headers, fields, cookie } = await other.get(path);
    expect(headers.get('set-cookie')).toMatch(/; Secure$/);
    const claimed = await other.post(path, fields, { cookie, origin: 'https://data.example' });
    expect(claimed.status).toBe(200);
    expect(unquote(claimed.html)).toContain('"https://data.example/v1/financials?metric=ggr&limit=5"');
  });
});

describe('an invite that is not open', () => {
  const spent: Record<string, [title: string, make: () => Promise<string>]> = {
    used: [
      'This invite has been used',
      async () => {
        const path = await site.invite();
        await claim(path);
        return path;
      },
    ],
    expired: [
      'This invite has expired',
      async () => {
        const { token } = await site.invites.create({ label: 'Late', claimableMs: 1, by: 'test' });
        await sleep(5);
        return `/claim/${token}`;
      },
    ],
    revoked: [
      'This invite was withdrawn',
      async () => {
        const { token, id } = await site.invites.create({ label: 'Back', claimableMs: DAY_MS, by: 'test' });
        await site.invites.revoke(id, 'test');
        return `/claim/${token}`;
      },
    ],
    unknown: ['This invite is not known', async () => `/claim/${'a'.repeat(43)}`],
    cut: ['This invite is not known', async () => (await site.invite()).slice(0, -1)],
    altered: [
      'This invite is not known',
      async () => (await site.invite()).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    ],
    'no token at all': ['This invite is not known', async () => '/claim/..;x=1'],
  };

  it.each(Object.entries(spent))(
    'that is %s says so with 410, whatever else is wrong',
    async (_, [title, make]) => {
      const path = await make();
      const opened = await site.get(path);
      expect([opened.status, opened.title]).toEqual([410, title]);
      expect(opened.headers.get('cache-control')).toBe('no-store');
      expect(opened.headers.get('set-cookie')).toBeNull();
      for (const headers of [{}, { origin: null }, { origin: 'https://evil.example' }]) {
        const posted = await site.post(path, {}, headers);
        expect([posted.status, posted.title]).toEqual([410, title]);
      }
    },
  );
});

describe('a POST that is not from the page’s own button', () => {
  const nonce = 'n'.repeat(43);
  const cookie = `nonce=${nonce}`;
  const refused: Record<string, [form: Record<string, string>, headers: Record<string, string | null>]> = {
    'has no cookie': [{ nonce }, {}],
    'has an empty cookie': [{ nonce: '' }, { cookie: 'nonce=' }],
    'has the cookie of another page': [{ nonce }, { cookie: `nonce=${'m'.repeat(43)}` }],
    'has no nonce': [{}, { cookie }],
    'has another nonce': [{ nonce: 'm'.repeat(43) }, { cookie }],
    'has half of the nonce': [{ nonce: nonce.slice(20) }, { cookie }],
    'has no Origin': [{ nonce }, { cookie, origin: null }],
    'hides its Origin': [{ nonce }, { cookie, origin: 'null' }],
    'comes from another site': [{ nonce }, { cookie, origin: 'https://evil.example' }],
    'comes from another port': [{ nonce }, { cookie, origin: 'http://127.0.0.1:1' }],
    'is not a form': [{ nonce }, { cookie, 'content-type': 'application/json' }],
    'says nothing of its content': [{ nonce }, { cookie, 'content-type': '' }],
  };

  it.each(Object.entries(refused))(
    'because it %s is 403, and the invite stays open',
    async (_, [form, headers]) => {
      const path = await site.invite();
      const answer = await site.post(path, form, headers);
      expect([answer.status, answer.title]).toEqual([403, 'Please press the button once more']);
      expect(await site.keys.list()).toEqual([]);
      expect((await site.post(path, { nonce }, { cookie })).status).toBe(200);
    },
  );

  it('is 413 when it sends more than a form holds', async () => {
    const path = await site.invite();
    const answer = await site.post(path, { nonce, more: 'x'.repeat(100_000) }, { cookie });
    expect([answer.status, answer.title]).toEqual([413, 'That was too much']);
    expect((await site.post(path, { nonce }, { cookie })).status).toBe(200);
  });
});

describe('a wrong address', () => {
  const addresses: readonly [name: string, method: string, alter: (path: string) => string][] = [
    ['another method', 'PUT', (path) => path],
    ['DELETE', 'DELETE', (path) => path],
    ['a slash at the end', 'GET', (path) => `${path}/`],
    ['a token that is not text', 'GET', () => '/claim/%zz'],
    ['no token', 'GET', () => '/claim/'],
    ['nothing at all', 'GET', () => '/claim'],
    ['another case', 'GET', (path) => path.replace('claim', 'Claim')],
    ['a doubled slash', 'GET', (path) => path.replace('/claim/', '/claim//')],
    ['an encoded slash', 'GET', (path) => path.replace('/claim/', '/claim%2F')],
  ];

  it.each(addresses)('with %s is 404, for programs in JSON', async (_, method, alter) => {
    const answer = await fetch(site.url + alter(await site.invite()), { method });
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'Endpoint does not exist' }]);
  });

  it('is 404 in words for people', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const seen = await site.get(`${await site.invite()}/`, { accept });
    expect([seen.status, seen.title]).toEqual([404, 'There is no such page']);
  });
});

describe('the log', () => {
  it('contains neither tokens nor keys, for every way of writing a link', async () => {
    const path = await site.invite();
    const token = path.slice('/claim/'.length);
    const loggedBefore = site.log.length;
    const key = keyIn(await claim(path));
    for (const written of [
      `${path}?from=mail`,
      `${path}/`,
      `/claim//${token}`,
      `/CLAIM/${token}`,
      `/x/${token}`,
    ])
      await site.get(written);
    const encoded = [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    await site.get(`/%63laim/${encoded}`);
    const lines = site.log.slice(loggedBefore).join('\n');
    expect(lines).toContain('"path":"/claim/…"');
    expect(lines).not.toContain(encoded.slice(0, 20));
    expect(lines).not.toContain(token.slice(0, 20));
    expect(lines).not.toContain(key.slice(0, 20));
    expect(lines).not.toContain('from=mail');
  });
});

describe('visits from one address', () => {
  it('are limited on all servers together, and say in words how long to wait', async () => {
    const path = await site.invite();
    await site.get(path);
    const [name = ''] = await redis.client.keys('visits:*');
    await redis.client.set(name, 599, 'KEEPTTL');
    expect((await other.get(path)).status).toBe(200);
    const limited = await site.get(path);
    expect([limited.status, limited.title]).toEqual([429, 'Too many visits from your network']);
    const seconds = Number(limited.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(limited.html).toContain(`wait ${seconds} seconds`);
    expect((await other.post(path, {})).status).toBe(429);
    expect((await fetch(`${site.url}/v1/catalog`)).status).toBe(401);
  });
});

describe('without Redis', () => {
  it('shows a key that was made, although Redis goes away at that moment', async () => {
    const path = await site.invite();
    const { fields, cookie } = await site.get(path);
    const real = redis.client.eval.bind(redis.client) as (...given: unknown[]) => Promise<unknown>;
    let isMade = false;
    const spy = jest.spyOn(redis.client as { eval: typeof real }, 'eval');
    spy.mockImplementation(async (script, ...rest) => {
      if (isMade) throw new Error('Connection is closed.');
      const reply = await real(script, ...rest);
      isMade = String(script).includes("'PERSIST'");
      return reply;
    });
    const claimed = await site.hasty.post(path, fields, { cookie });
    spy.mockRestore();
    expect([claimed.status, isMade, keyIn(claimed)]).toEqual([200, true, expect.stringMatching(/^sk_live_/)]);
  });

  const away = async (ask: () => Promise<Seen>, words = 'links and keys stay as they are') => {
    const { status, title, headers, html } = await expectWithin(300, ask);
    expect([status, title]).toEqual([503, 'We cannot look that up right now']);
    expect(html).toContain(words);
    expect(headers.get('retry-after')).toBe('1');
  };

  it('answers 503 within 300 ms while Redis is paused, and leaves the invite unchanged', async () => {
    const path = await site.invite();
    const { fields, cookie } = await site.get(path);
    redis.pause();
    await away(() => site.hasty.get(path));
    await away(() => site.hasty.post(path, fields, { cookie }), 'Whether the form took effect is not known');
    redis.resume();
    expect((await site.post(path, fields, { cookie })).status).toBe(200);
  });

  it('answers 503 within 300 ms while Redis is down, and works again once it is back', async () => {
    // Otherwise Redis may lose its last writes when it is killed while the disk is busy.
    await redis.client.call('CONFIG', 'SET', 'appendfsync', 'always');
    const path = await site.invite();
    const { fields, cookie } = await site.get(path);
    await redis.kill();
    await away(() => site.hasty.get(path));
    await away(() => site.hasty.post(path, fields, { cookie }), 'Whether the form took effect is not known');
    await redis.start();
    for (let tries = 0; tries < 100 && (await site.hasty.get(path)).status === 503; tries++) await sleep(20);
    expect((await site.post(path, fields, { cookie })).status).toBe(200);
  });
});

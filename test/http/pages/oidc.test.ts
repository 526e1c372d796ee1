// Signing in through an identity provider: a real one, and one that answers wrongly in every way that matters.

import { spawn } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readAudit } from '../../../src/access/audit.ts';
import type { OidcSettings } from '../../../src/http/pages/oidc/provider.ts';
import { itInDepth } from '../../support/depth.ts';
import { freePort } from '../../support/freePort.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { type Site, startSite } from '../../support/site.ts';

const settings = (issuer: string): OidcSettings => ({
  issuer,
  clientId: 'team-page',
  clientSecret: 'a secret of the test that is long enough',
  allow: ['example.org', 'guest@elsewhere.net'],
  roleClaim: 'roles',
});

let redis: TestDatabase;
let ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  redis = await openDatabase();
});
beforeEach(() => redis.empty());
afterAll(async () => {
  for (const end of ends) await end();
  await redis.close();
});

async function listening(server: http.Server, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  ends = [
    async () => {
      server.closeAllConnections();
      server.close();
    },
    ...ends,
  ];
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function siteWith(issuer: string): Promise<Site> {
  const site = await startSite(redis, 'http://127.0.0.1', '/nonexistent', settings(issuer));
  ends = [() => site.close(), ...ends];
  return site;
}

/** A browser without scripts. It follows redirects and keeps cookies by host. */
function aBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const cookiesFor = (url: string) =>
    [...(jars.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    jars,
    /** Signs out at the provider by the button on its page. */
    async signOutAt(issuer: string): Promise<void> {
      const { response } = await this.follow(`${issuer}/session/end`);
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(await response.text()) ?? [];
      const answer = await fetch(`${issuer}/session/end/confirm`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: cookiesFor(issuer) },
        body: new URLSearchParams({ xsrf, logout: 'yes' }),
      });
      expect(answer.status).toBe(303);
    },
    async follow(
      from: string,
      stopAt: (url: string) => boolean = () => false,
    ): Promise<{ url: string; response: Response }> {
      let url = from;
      for (let hops = 0; hops < 12; hops += 1) {
        const { host } = new URL(url);
        const jar = jars.get(host) ?? new Map<string, string>();
        jars.set(host, jar);
        const cookie = cookiesFor(url);
        const response = await fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const to = response.headers.get('location');
        if (to === null) return { url, response };
        url = new URL(to, url).href;
        if (stopAt(url)) return { url, response };
      }
      throw new Error(`too many redirects, the last to ${url}`);
    },
  };
}

const isAnswer = (url: string) => url.includes('/admin/oidc?');

describe('a real provider', () => {
  let site: Site;
  let issuer: string;

  /**
   * Sets whom the provider signs in, its claims about that person, or the client. Gives how often it has asked
   * somebody to sign in.
   */
  async function setup(change: object): Promise<number> {
    const response = await fetch(`${issuer}/test/setup`, { method: 'POST', body: JSON.stringify(change) });
    return ((await response.json()) as { logins: number }).logins;
  }

  beforeAll(async () => {
    const file = new URL('./identityProvider.mjs', import.meta.url);
    const child = spawn(process.execPath, [fileURLToPath(file)], { stdio: ['pipe', 'pipe', 'ignore'] });
    ends = [async () => child.stdin.end(), ...ends];
    const [line] = await once(child.stdout, 'data');
    issuer = String(line).trim();
    site = await siteWith(issuer);
    const { clientId, clientSecret } = settings(issuer);
    const redirectUri = `${site.url}/admin/oidc`;
    await setup({ redirectUri, logoutUri: `${redirectUri}/logout`, clientId, clientSecret });
  });
  beforeEach(() =>
    setup({
      account: {
        email: 'Jane@example.org',
        email_verified: true,
        name: 'Jane Doe',
        roles: ['staff', 'manager'],
      },
    }),
  );

  it('signs in with the role of the claim, names the verified address, and keeps the link as a way in', async () => {
    const browser = aBrowser();
    expect((await site.get('/admin')).html).toContain('admin/oidc/start');
    const { url, response } = await browser.follow(`${site.url}/admin/oidc/start`);
    expect([url, response.status]).toEqual([`${site.url}/admin`, 200]);
    expect(await response.text()).toContain('jane@example.org, manager');
    const log = await (await browser.follow(`${site.url}/admin/audit`)).response.text();
    expect(log).toContain(`<span class="quiet">by the identity provider</span> ${issuer}`);
    expect(log).not.toContain('by the link of');
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    expect((await site.get(`/admin/signin/${token}`)).status).toBe(200);
  });

  it('lowers the role in every session at the next sign-in once the claim is lower, and to viewer once it is gone', async () => {
    const account = { email: 'jane@example.org', email_verified: true };
    await setup({ account: { ...account, roles: ['owner'] } });
    const early = aBrowser();
    const roleOf = async (browser: ReturnType<typeof aBrowser>, at = '/admin') =>
      /jane@example\.org, (\w+)/.exec(await (await browser.follow(site.url + at)).response.text())?.[1];
    expect(await roleOf(early, '/admin/oidc/start')).toBe('owner');
    await setup({ account: { ...account, roles: ['manager'] } });
    expect(await roleOf(aBrowser(), '/admin/oidc/start')).toBe('manager');
    expect(await roleOf(early)).toBe('manager');
    await setup({ account });
    expect(await roleOf(aBrowser(), '/admin/oidc/start')).toBe('viewer');
    expect(await roleOf(early)).toBe('viewer');
  });

  it('is asked again after an hour, even while the session is in use', async () => {
    const browser = aBrowser();
    await browser.follow(`${site.url}/admin/oidc/start`);
    const [session] = await site.sessions.list();
    expect((session?.endsMs ?? 0) - (session?.beganMs ?? 0)).toBe(3_600_000);
  });

  it('ends the session here when the person signs out there, and no other', async () => {
    const [browser, other] = [aBrowser(), aBrowser()];
    await browser.follow(`${site.url}/admin/oidc/start`);
    await other.follow(`${site.url}/admin/oidc/start`);
    expect(await site.sessions.list()).toHaveLength(2);
    await browser.signOutAt(issuer);
    expect(await (await browser.follow(`${site.url}/admin`)).response.text()).toContain(
      'You have been signed out',
    );
    expect((await other.follow(`${site.url}/admin`)).response.status).toBe(200);
    const [end] = await readAudit(redis.client, { count: 1 });
    expect(end).toMatchObject({ by: issuer, act: 'end-session', details: { name: 'jane@example.org' } });
  });

  it('makes a person without a role a viewer, or what an owner made of them', async () => {
    await setup({ account: { email: 'joe@example.org', email_verified: true } });
    const first = await aBrowser().follow(`${site.url}/admin/oidc/start`);
    expect(await first.response.text()).toContain('joe@example.org, viewer');
    await redis.client.hset('people', 'joe@example.org', 'manager');
    const second = await aBrowser().follow(`${site.url}/admin/oidc/start`);
    expect(await second.response.text()).toContain('joe@example.org, manager');
  });

  it.each([
    ['of another domain', { email: 'eve@example.org.evil.net', email_verified: true }, 'not among those'],
    ['of a domain that ends alike', { email: 'eve@notexample.org', email_verified: true }, 'not among those'],
    [
      'that is not verified',
      { email: 'jane@example.org', email_verified: false },
      'no e-mail address that it has verified',
    ],
    ['that is missing', {}, 'no e-mail address'],
  ])('lets nobody in with an address %s', async (_, who, words) => {
    await setup({ account: who });
    const { response } = await aBrowser().follow(`${site.url}/admin/oidc/start`);
    expect([response.status, (await response.text()).includes(words)]).toEqual([403, true]);
    expect(await site.sessions.list()).toEqual([]);
  });

  it('takes an answer once, and in the browser alone that asked', async () => {
    const browser = aBrowser();
    const { url } = await browser.follow(`${site.url}/admin/oidc/start`, isAnswer);
    const { response: elsewhere } = await aBrowser().follow(url);
    expect([elsewhere.status, (await elsewhere.text()).includes('not begun in this browser')]).toEqual([
      403,
      true,
    ]);
    const cookies = new Map(browser.jars.get(new URL(site.url).host));
    expect((await browser.follow(url)).response.status).toBe(200);
    browser.jars.set(new URL(site.url).host, cookies);
    expect((await browser.follow(url)).response.status).toBe(403);
    expect(await site.sessions.list()).toHaveLength(1);
  });

  it('refuses an answer with another state', async () => {
    const browser = aBrowser();
    const { url } = await browser.follow(`${site.url}/admin/oidc/start`, isAnswer);
    const forged = new URL(url);
    forged.searchParams.set('state', 'forged');
    expect((await browser.follow(forged.href)).response.status).toBe(403);
    expect(await site.sessions.list()).toEqual([]);
  });

  it('says so when the person declines there, and asks again after they signed out there', async () => {
    await setup({ account: null });
    const { response } = await aBrowser().follow(`${site.url}/admin/oidc/start`);
    expect([response.status, (await response.text()).includes('ended without signing you in')]).toEqual([
      403,
      true,
    ]);
    await setup({ account: { email: 'jane@example.org', email_verified: true } });
    const browser = aBrowser();
    await browser.follow(`${site.url}/admin/oidc/start`);
    await browser.follow(`${site.url}/admin/oidc/start`);
    expect(await setup({})).toBe(1);
    for (const [host, jar] of browser.jars) if (host !== new URL(site.url).host) jar.clear();
    await browser.follow(`${site.url}/admin/oidc/start`);
    expect(await setup({})).toBe(2);
  });
});

describe('a provider that answers wrongly', () => {
  let site: Site;
  let issuer: string;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  let answer: (nonce: string) => { claims: object; key?: KeyObject | null } | 'rubbish' | 'nothing';
  let nonce = '';

  /** @param key The key that signs the token; null for an unsigned token. */
  const jwt = (claims: object, key: KeyObject | null) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    if (key === null) return `${part({ alg: 'none' })}.${part(claims)}.`;
    const text = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}`;
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
  };

  beforeAll(async () => {
    const server = http.createServer((request, response) => {
      const json = (value: unknown) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(value));
      };
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      if (pathname.startsWith('/.well-known'))
        json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
      else if (pathname === '/jwks')
        json({
          keys: [{ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: '1', alg: 'RS256' }],
        });
      else {
        const given = answer(nonce);
        if (given === 'nothing') return;
        if (given === 'rubbish') return void response.end('<html>Bad gateway</html>');
        const id_token = jwt(given.claims, given.key === undefined ? privateKey : given.key);
        json({ access_token: 'a', token_type: 'Bearer', id_token });
      }
    });
    issuer = await listening(server);
    site = await siteWith(issuer);
  });

  const now = () => Math.floor(Date.now() / 1000);
  const good = () => ({
    iss: issuer,
    aud: 'team-page',
    sub: '1',
    iat: now(),
    exp: now() + 300,
    nonce,
    email: 'jane@example.org',
    email_verified: true,
    roles: 'owner',
  });

  /** Goes through a sign-in at this provider. Gives the last response, which may be a refusal. */
  async function signIn() {
    const browser = aBrowser();
    const { url } = await browser.follow(`${site.url}/admin/oidc/start`, (at) => at.startsWith(issuer));
    const asked = new URL(url).searchParams;
    nonce = asked.get('nonce') ?? '';
    expect(asked.get('code_challenge_method')).toBe('S256');
    return (await browser.follow(`${site.url}/admin/oidc?code=c&state=${asked.get('state')}`)).response;
  }

  it('signs in when its answer is right, so that refusals have no other reason', async () => {
    answer = () => ({ claims: good() });
    const response = await signIn();
    expect([response.status, (await response.text()).includes('jane@example.org, owner')]).toEqual([
      200,
      true,
    ]);
  });

  it('takes an answer once, whatever the provider makes of its code', async () => {
    answer = () => ({ claims: good() });
    const browser = aBrowser();
    const { url } = await browser.follow(`${site.url}/admin/oidc/start`, (at) => at.startsWith(issuer));
    const asked = new URL(url).searchParams;
    nonce = asked.get('nonce') ?? '';
    const cookies = new Map(browser.jars.get(new URL(site.url).host));
    const take = async () => {
      browser.jars.set(new URL(site.url).host, new Map(cookies));
      return (await browser.follow(`${site.url}/admin/oidc?code=c&state=${asked.get('state')}`)).response;
    };
    expect((await take()).status).toBe(200);
    const again = await take();
    expect([again.status, (await again.text()).includes('not begun in this browser')]).toEqual([403, true]);
    expect(await site.sessions.list()).toHaveLength(1);
  });

  it.each<[string, () => ReturnType<typeof answer>, number, string]>([
    ['another audience', () => ({ claims: { ...good(), aud: 'other' } }), 403, 'could not be trusted'],
    [
      'another issuer',
      () => ({ claims: { ...good(), iss: 'https://evil.example' } }),
      403,
      'could not be trusted',
    ],
    ['another nonce', () => ({ claims: { ...good(), nonce: 'x' } }), 403, 'could not be trusted'],
    ['another key', () => ({ claims: good(), key: other }), 403, 'could not be trusted'],
    [
      'an expired token',
      () => ({ claims: { ...good(), exp: now() - 60 } }),
      403,
      'one of the two clocks is wrong',
    ],
    [
      'a clock ten minutes slow',
      () => ({ claims: { ...good(), iat: now() - 900, exp: now() - 600 } }),
      403,
      'one of the two clocks',
    ],
    [
      'a clock ten minutes fast',
      () => ({ claims: { ...good(), iat: now() + 600, nbf: now() + 600, exp: now() + 900 } }),
      403,
      'one of the two clocks',
    ],
    ['no signature', () => ({ claims: good(), key: null }), 403, 'could not be trusted'],
    ['rubbish', () => 'rubbish', 403, 'could not be trusted'],
  ])('lets nobody in with %s', async (_, make, status, words) => {
    answer = make;
    const response = await signIn();
    expect([response.status, (await response.text()).includes(words)]).toEqual([status, true]);
    expect(await site.sessions.list()).toEqual([]);
  });

  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  const notice = () => ({
    iss: issuer,
    aud: 'team-page',
    sub: '1',
    iat: now(),
    exp: now() + 120,
    jti: String(Math.random()),
    events: { [EVENT]: {} },
  });
  const sendNotice = (token: string) =>
    site.post('/admin/oidc/logout', { logout_token: token }, { origin: null });

  it('ends all sessions of an account with a notice that is right, and takes each notice once', async () => {
    answer = () => ({ claims: good() });
    await signIn();
    await signIn();
    expect(await site.sessions.list()).toHaveLength(2);
    const token = jwt(notice(), privateKey);
    expect((await sendNotice(token)).status).toBe(200);
    expect(await site.sessions.list()).toEqual([]);
    await signIn();
    expect((await sendNotice(token)).status).toBe(400);
    expect(await site.sessions.list()).toHaveLength(1);
  });

  it('is not blamed for a Redis that fails while a sign-in begins', async () => {
    const spy = jest.spyOn(redis.client as { set: (...given: unknown[]) => Promise<unknown> }, 'set');
    spy.mockRejectedValueOnce(new Error('Connection is closed.'));
    const failed = await site.hasty.get('/admin/oidc/start', { accept: 'text/html' });
    spy.mockRestore();
    expect([failed.status, failed.title]).toEqual([503, 'We cannot look that up right now']);
  });

  it('takes a notice again that Redis failed to carry out', async () => {
    answer = () => ({ claims: good() });
    await signIn();
    const token = jwt(notice(), privateKey);
    // Writes to an audit log of the wrong type fail, as they do when Redis is full.
    await redis.client.rename('audit', 'elsewhere');
    await redis.client.set('audit', '');
    const form = { logout_token: token };
    expect((await site.hasty.post('/admin/oidc/logout', form, { origin: null })).status).toBe(503);
    await redis.client.rename('elsewhere', 'audit');
    expect((await sendNotice(token)).status).toBe(200);
    expect(await site.sessions.list()).toEqual([]);
  });

  it.each<[string, () => object, KeyObject | null]>([
    ['another key', notice, other],
    ['no signature', notice, null],
    ['another audience', () => ({ ...notice(), aud: 'other' }), privateKey],
    ['another issuer', () => ({ ...notice(), iss: 'https://evil.example' }), privateKey],
    ['an age of ten minutes', () => ({ ...notice(), iat: now() - 600 }), privateKey],
    ['another event', () => ({ ...notice(), events: { other: {} } }), privateKey],
    ['neither an account nor a session', () => ({ ...notice(), sub: undefined }), privateKey],
    ['the nonce of an id token', () => ({ ...notice(), nonce: 'n' }), privateKey],
    ['no id of its own', () => ({ ...notice(), jti: undefined }), privateKey],
  ])('ends no session with a notice that has %s', async (_, make, key) => {
    answer = () => ({ claims: good() });
    await signIn();
    expect((await sendNotice(jwt(make(), key))).status).toBe(400);
    expect((await sendNotice('rubbish')).status).toBe(400);
    expect(await site.sessions.list()).toHaveLength(1);
  });

  it('ends no session of another account, nor one that a link began', async () => {
    answer = () => ({ claims: good() });
    await signIn();
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    await site.sessions.signIn(token);
    expect((await sendNotice(jwt({ ...notice(), sub: '2' }, privateKey))).status).toBe(200);
    expect((await sendNotice(jwt({ ...notice(), sid: 'unknown' }, privateKey))).status).toBe(200);
    expect(await site.sessions.list()).toHaveLength(2);
  });

  it('that was away is asked again, and a person can sign in once it answers', async () => {
    const port = Number(await freePort());
    const late = await siteWith(`http://127.0.0.1:${port}`);
    const start = () => late.get('/admin/oidc/start', { accept: 'text/html' });
    expect((await start()).status).toBe(503);
    const own = `http://127.0.0.1:${port}`;
    const server = http.createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          issuer: own,
          authorization_endpoint: `${own}/auth`,
          token_endpoint: `${own}/token`,
          jwks_uri: `${own}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      );
    });
    await listening(server, port);
    const led = await start();
    expect([led.status, led.headers.get('location')]).toEqual([303, expect.stringContaining(`${own}/auth?`)]);
  });

  itInDepth('is waited for five seconds, and reported as away when it cannot be reached', async () => {
    answer = () => 'nothing';
    const begun = performance.now();
    const slow = await signIn();
    expect([slow.status, performance.now() - begun < 15_000]).toEqual([503, true]);
    expect(await slow.text()).toContain('does not answer');
    const gone = await siteWith('http://127.0.0.1:9');
    const refused = await gone.get('/admin/oidc/start', { accept: 'text/html' });
    expect([refused.status, refused.title]).toEqual([503, 'You are not signed in']);
    // `fetch` refuses the ports of some old protocols, so it does not even connect.
    expect(gone.log.find((line) => line.includes('identity provider'))).toContain('"reason":"bad port"');
    // Without the provider's keys the notice cannot be checked. The provider repeats a notice that got 503.
    const form = { logout_token: jwt(notice(), privateKey) };
    const uncheckable = await gone.hasty.post('/admin/oidc/logout', form, { origin: null });
    expect([uncheckable.status, uncheckable.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

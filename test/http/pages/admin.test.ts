// Signing in to the team's page, and what its forms change.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readAudit } from '../../../src/access/audit.ts';
import { dateOf } from '../../../src/access/keys/dailyUsage.ts';
import { SESSION_TIMES, sessionsOf } from '../../../src/access/people/sessions.ts';
import { dayOf, keyRecord, PEOPLE, usageOfDay } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { clockAhead } from '../../support/clockOfRedis.ts';
import { itInDepth } from '../../support/depth.ts';
import { patientGate } from '../../support/patientGate.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { type Seen, type Site, signIn, startSite } from '../../support/site.ts';
import { inOneDay } from '../../support/wholeDay.ts';
import { expectWithin } from '../../support/within.ts';

let redis: TestRedis;
let site: Site;
beforeAll(async () => {
  redis = await startRedis();
  site = await startSite(redis);
});
beforeEach(inOneDay);
beforeEach(() => {
  // A failed test may have left Redis paused.
  redis.resume();
  return redis.empty();
});
afterAll(async () => {
  await site.close();
  await redis.close();
});

const keyIn = ({ html }: Seen) => /sk_live_[0-9A-Za-z]{49}/.exec(html)?.[0] ?? '';
const asks = (key: string) => fetch(`${site.url}/v1/catalog`, { headers: { 'x-api-key': key } });
const issue = (label = 'Acme') => site.keys.issue({ label, by: 'test' });

const LOOKS = ['/admin', '/admin?q=x&page=2', '/admin/invites', '/admin/audit', '/admin/keys/k1'];
const ACTS = [
  '/admin/invites',
  '/admin/invites/i1/revoke',
  '/admin/keys/k1/limits',
  '/admin/keys/k1/rotate',
  '/admin/keys/k1/revoke',
  '/admin/signout',
];

describe('without a session', () => {
  it.each(LOOKS)('%s asks to sign in', async (path) => {
    const { key } = await issue();
    for (const headers of [{}, { 'x-api-key': key }, { cookie: 'session=' }]) {
      const seen = await site.get(path, headers);
      expect([seen.status, seen.title]).toEqual([401, 'Please sign in']);
      expect(seen.html).toContain('npm run keys -- signin');
    }
    const stale = await site.get(path, { cookie: `session=${'s'.repeat(43)}` });
    expect([stale.status, stale.title]).toEqual([401, 'You have been signed out']);
  });

  it.each(ACTS)('nothing is done by a POST to %s', async (path) => {
    const seen = await site.post(path, { csrf: 'x', label: 'Acme', sure: 'yes' });
    expect([seen.status, seen.title]).toEqual([401, 'Please sign in']);
    expect(await site.invites.list()).toEqual([]);
  });
});

describe('a form that is sent after its session has ended', () => {
  const typed = { label: '', people: 'Jane <b>Doe</b>\r\nJoe Bloggs\r\n', note: 'spring' };
  const given = 'Jane &lt;b&gt;Doe&lt;/b&gt;\nJoe Bloggs\nspring';

  it('does nothing, and is given back to be copied, also in the next session', async () => {
    const { cookie, open } = await signIn(site);
    const { fields } = await open('/admin/invites');
    await site.post('/admin/signout', fields, { cookie });
    for (const stale of [cookie, null, (await signIn(site)).cookie]) {
      const seen = await site.post('/admin/invites', { ...fields, ...typed }, { cookie: stale });
      expect([401, 403]).toContain(seen.status);
      expect(seen.html).toContain('The form was not carried out.');
      expect(seen.html).toContain(given);
      expect(seen.html).not.toContain(fields.csrf);
    }
    expect(await site.invites.list()).toEqual([]);
  });

  it('is not given back when it comes from another site', async () => {
    for (const { cookie } of [{ cookie: '' }, await signIn(site)]) {
      const seen = await site.post('/admin/invites', typed, { cookie, origin: 'https://evil.example' });
      expect([401, 403]).toContain(seen.status);
      expect(seen.html).not.toContain('Joe');
    }
  });
});

describe('every form with typed texts', () => {
  /** Each form: the page that has it, its address, what is typed, and what is given back. */
  const FORMS: readonly [string, string, Record<string, string>, string][] = [
    [
      '/admin/invites',
      '/admin/invites',
      { label: 'Jane <b>Doe</b>', note: 'spring', perDay: '70', ends: '30' },
      'Jane &lt;b&gt;Doe&lt;/b&gt;\nspring\nRequests in any 24 hours: 70\nThe key ends after days: 30<',
    ],
    ['/admin/people', '/admin/people/link', { name: 'Jane Doe', role: 'manager' }, '>Jane Doe<'],
    ['/admin/keys/KEY', '/admin/keys/KEY/limits', { perMinute: '61' }, '>Requests in any minute: 61<'],
  ];
  /** Each failure: how it comes about, and what the page says to do. */
  const FAILURES: readonly [string, number, string, (session: Session) => Promise<unknown>][] = [
    ['Redis away', 503, 'Whether the form took effect is not known', async () => redis.pause()],
    ['too many visits', 429, 'The form was not carried out. Please wait', visitTooOften],
    [
      'an expired session',
      401,
      'The form was not carried out.',
      ({ cookie }) => site.sessions.end(secretOf(cookie)),
    ],
    ['a form of an earlier session', 403, 'press the button there', async (one) => one.signInAgain()],
    ['a role that was taken meanwhile', 403, 'An owner can give you the role', loseRole],
    ['a form that was sent before', 409, 'This form was sent before', ({ sendForm }) => sendForm()],
  ];

  interface Session {
    readonly cookie: string;
    readonly signInAgain: () => Promise<void>;
    readonly sendForm: () => Promise<Seen>;
  }

  async function visitTooOften() {
    for (const name of await redis.client.keys('visits:*')) await redis.client.set(name, 600, 'KEEPTTL');
  }
  async function loseRole() {
    await redis.client.hset(PEOPLE, 'ann', 'viewer');
  }
  const secretOf = (cookie: string) => cookie.split('=')[1] ?? '';

  it.each(
    FAILURES.flatMap(([failure, status, advice, fail]) =>
      FORMS.map(([page, at, typed, given]) => ({ failure, status, advice, fail, page, at, typed, given })),
    )
      // Limits may be set again and again.
      .filter(({ status, at }) => status !== 409 || !at.endsWith('/limits')),
  )('$at gives back what was typed: $failure', async ({ status, advice, fail, page, at, typed, given }) => {
    const { id } = await issue();
    const here = (path: string) => path.replace('KEY', id);
    let { cookie } = await signIn(site);
    const { fields } = await site.get(here(page), { cookie });
    const sendForm = () => site.hasty.post(here(at), { ...fields, ...typed }, { cookie });
    await fail({
      cookie,
      sendForm,
      signInAgain: async () => {
        ({ cookie } = await signIn(site));
      },
    });
    const seen = await sendForm();
    redis.resume();
    expect([seen.status, seen.html.includes(advice)]).toEqual([status, true]);
    expect(seen.html).toContain(given);
  });

  it('keeps what was chosen, too, when the form is refused', async () => {
    const { send } = await signIn(site);
    const invite = await send('/admin/invites', '/admin/invites', { label: 'Jane', perDay: 'x', days: '30' });
    expect(invite.html).toContain('<option value="30" selected>');
    const link = await send('/admin/people', '/admin/people/link', { name: '', role: 'manager' });
    const [form = ''] = /<form[^>]*people\/link.*?<\/form>/s.exec(link.html) ?? [];
    expect([link.status, form.includes('<option value="manager" selected>')]).toEqual([400, true]);
  });

  it('leads from a refusal back to the page with the form', async () => {
    const { cookie } = await signIn(site);
    for (const [at, back] of [
      ['/admin/people/link', '/admin/people'],
      ['/admin/keys/k1/limits', '/admin/keys/k1'],
    ]) {
      const { html, status } = await site.post(at ?? '', { csrf: 'x' }, { cookie });
      expect([status, html.includes('<a href="">Open the page again</a>')]).toEqual([403, true]);
      const { headers } = await site.get(at ?? '', { cookie });
      expect(new URL(headers.get('location') ?? '', site.url + at).pathname).toBe(back);
    }
  });
});

describe('signing in', () => {
  it('requires a click: opening a sign-in link does not use it up', async () => {
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    const path = `/admin/signin/${token}`;
    const opened = await Promise.all(Array.from({ length: 10 }, () => site.get(path)));
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { fields, cookie } = await site.get(path);
    const signedIn = await site.post(path, fields, { cookie });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '../../admin']);
    expect(signedIn.headers.get('set-cookie')).toMatch(
      /^session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await site.get('/admin', { cookie: signedIn.cookie })).title).toBe('Keys');
    for (const again of [await site.get(path), await site.post(path, fields, { cookie })]) {
      expect([again.status, again.title]).toEqual([410, 'This sign-in link does not work any more']);
    }
  });

  it('works once when two click at the same moment', async () => {
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    const { fields, cookie } = await site.get(`/admin/signin/${token}`);
    const both = await Promise.all([1, 2].map(() => site.post(`/admin/signin/${token}`, fields, { cookie })));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
  });

  it.each([
    ['without the cookie', { cookie: null }],
    ['without an Origin', { origin: null }],
    ['from another site', { origin: 'https://evil.example' }],
  ])('%s is 403, and the link stays good', async (_, headers) => {
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    const { fields, cookie } = await site.get(`/admin/signin/${token}`);
    const refused = await site.post(`/admin/signin/${token}`, fields, { cookie, ...headers });
    expect([refused.status, refused.cookie]).toEqual([403, '']);
    expect(await site.sessions.isOpen(token)).toBe(true);
  });

  it('sets a __Host- cookie when links begin with https', async () => {
    const secure = await startSite(redis, 'https://data.example');
    const { cookie } = await signIn(secure);
    expect(cookie).toMatch(/^__Host-session=/);
    expect((await secure.get('/admin', { cookie })).title).toBe('Keys');
    await secure.close();
  });

  it('ends by the button, and by being idle', async () => {
    const { cookie, send } = await signIn(site);
    const left = await send('/admin', '/admin/signout');
    expect([left.status, left.title]).toEqual([200, 'You are signed out']);
    expect(left.headers.get('set-cookie')).toMatch(/^session=; Path=\/; Max-Age=0;/);
    expect((await site.get('/admin', { cookie })).status).toBe(401);

    const brief = sessionsOf(redis.client, { ...SESSION_TIMES, linkMs: 60_000, idleMs: 150 });
    const { token } = await brief.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    const idle = `session=${(await brief.signIn(token))?.cookie}`;
    await sleep(200);
    expect((await site.get('/admin', { cookie: idle })).title).toBe('You have been signed out');
  });

  it('keeps the link and the cookie out of the log', async () => {
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    const { fields, cookie } = await site.get(`/admin/signin/${token}`);
    const session = (await site.post(`/admin/signin/${token}`, fields, { cookie })).cookie;
    const lines = site.log.join('\n');
    expect(lines).toContain('"path":"/admin/signin/…"');
    expect(lines).not.toContain(token.slice(0, 20));
    expect(lines).not.toContain(session.slice(8, 30));
  });
});

describe('a form', () => {
  it.each(ACTS)('sent to %s without its session’s token, or from elsewhere, does nothing', async (path) => {
    const { cookie, open } = await signIn(site);
    const { fields } = await open('/admin');
    const stranger = (await (await signIn(site)).open('/admin')).fields;
    const form = { label: 'Acme', sure: 'yes', perDay: '1' };
    const deeds = await redis.client.xlen('audit');
    for (const [hidden, headers] of [
      [{}, {}],
      [{ csrf: '' }, {}],
      [{ csrf: stranger.csrf ?? '' }, {}],
      [fields, { origin: 'https://evil.example' }],
      [fields, { origin: null }],
      [fields, { 'content-type': 'text/plain' }],
    ] as const) {
      const refused = await site.post(path, { ...form, ...hidden }, { cookie, ...headers });
      expect([refused.status, refused.title]).toEqual([403, 'Please press the button once more']);
    }
    expect(await redis.client.xlen('audit')).toBe(deeds);
    expect((await open('/admin')).status).toBe(200);
  });
});

describe('the page of a key', () => {
  it("ends its chart with today by Redis's clock, where it is another day than here", async () => {
    const { open } = await signIn(site);
    const { key, id } = await issue();
    const tomorrow = dayOf(Date.now()) + 1;
    await redis.client.set(usageOfDay(hashOf(key), tomorrow), 7);
    const putBack = clockAhead(redis.client, 86_400_000);
    const { html } = await open(`/admin/keys/${id}`);
    putBack();
    expect(html).toContain(`<span>${dateOf(tomorrow)}</span></p>`);
    const [chart = ''] = /<svg class="days".*?<\/svg>/s.exec(html) ?? [];
    expect(chart.match(/<rect /g)).toHaveLength(1);
  });

  it('shows its requests by day, the newest first, and those refused over a limit', async () => {
    const { open } = await signIn(site);
    const { key, id } = await site.keys.issue({ label: 'Acme', by: 'test' });
    expect((await open(`/admin/keys/${id}`)).html).toContain('No request in the last 31 days.');
    const gate = patientGate(redis.client, { perMinute: 2, perDay: 10 });
    for (let i = 0; i < 5; i++) await gate.admit(hashOf(key));
    await redis.client.set(usageOfDay(hashOf(key), dayOf(Date.now()) - 3), 12_345);
    const { html } = await open(`/admin/keys/${id}`);
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const rows = [...html.matchAll(/<time datetime="(\d{4}-\d{2}-\d{2})">.*?<span>(\d[\d,]*)<\/span>/gs)];
    expect(rows.map(([, date, requests]) => [date, requests])).toEqual([
      [dayAgo(0), '2'],
      [dayAgo(3), '12,345'],
    ]);
    expect(html).toMatch(/data-label="Refused" class="number"><span>3<\/span>/);
  });
});

describe('inviting', () => {
  it('gives a link that becomes a key, once however often the answer is loaded', async () => {
    const { cookie, open } = await signIn(site);
    const { fields } = await open('/admin');
    const form = { ...fields, label: 'Globex, data desk', days: '30' };
    const made = await site.post('/admin/invites', form, { cookie });
    const [, path = ''] = new RegExp(`${site.url}(/claim/[0-9A-Za-z]{43})<`).exec(made.html) ?? [];
    expect([made.status, (await site.get(path)).title]).toEqual([200, 'Claim your API key']);
    const again = await site.post('/admin/invites', form, { cookie });
    expect([again.status, again.title]).toEqual([409, 'This form was sent before']);
    const [invite, ...more] = await site.invites.list();
    expect([invite?.label, more]).toEqual(['Globex, data desk', []]);
    expect(Math.round(((invite?.expiresMs ?? 0) - (invite?.createdMs ?? 0)) / 86_400_000)).toBe(30);
    expect((await open('/admin/invites')).html).not.toContain(path);
  });

  it.each([
    ['', 'A label is needed'],
    ['   ', 'A label is needed'],
    ['x'.repeat(101), 'at most 100 characters'],
    [`for sk_live_${'a'.repeat(49)}`, 'must not hold a key'],
    ['two\nlines', 'one line'],
  ])('with the label %j says what is wrong, and keeps what was typed', async (label, problem) => {
    const { send } = await signIn(site);
    const refused = await send('/admin', '/admin/invites', { label });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(problem);
    expect(refused.html).toContain('aria-invalid="true"');
    expect(await site.invites.list()).toEqual([]);
  });

  it('is taken back by withdrawing, which a used invite does not allow', async () => {
    const { open, send } = await signIn(site);
    const { id, token } = await site.invites.create({ label: 'Gone', claimableMs: 1e6, by: 'test' });
    const used = await site.invites.create({ label: 'Used', claimableMs: 1e6, by: 'test' });
    const withdrawn = await send('/admin/invites', `/admin/invites/${id}/revoke`);
    expect(withdrawn.headers.get('location')).toBe('../../../admin/invites?said=withdrawn');
    expect((await site.get(`/claim/${token}`)).title).toBe('This invite was withdrawn');
    await site.invites.claim(used.token);
    const late = await send('/admin/invites', `/admin/invites/${used.id}/revoke`);
    expect(late.headers.get('location')).toContain('said=used');
    expect((await open('/admin/invites?said=withdrawn')).html).toContain('Its link does not work any more.');
    expect((await send('/admin/invites', '/admin/invites/i404/revoke')).status).toBe(404);
  });
});

describe('a key', () => {
  it('is shown with its state, last use and use of the day against its limit', async () => {
    const { open } = await signIn(site);
    const { id, key } = await issue('Acme');
    await site.keys.changeLimits(id, { perDay: 4 }, 'test');
    await asks(key);
    const { html } = await open('/admin');
    expect(html).toContain('1 active key, 1 request in the last 24 hours');
    expect(html).toContain('1 of 4');
    expect(html).toContain('<rect class="filled" width="25.0"');
    expect(html).toContain(`<code>${key.slice(-4)}</code>`);
    expect(html).not.toContain(key.slice(0, -4));
  });

  it('takes limits of its own, and goes back to the defaults', async () => {
    const { open, send } = await signIn(site);
    const { id, key } = await issue();
    const page = `/admin/keys/${id}`;
    const changed = await send(page, `${page}/limits`, { perMinute: '1', perDay: '20,000' });
    expect([changed.status, changed.headers.get('location')]).toEqual([
      303,
      `../../../admin/keys/${id}?said=limits`,
    ]);
    expect(await site.keys.find(id)).toMatchObject({ perMinute: 1, perDay: 20_000 });
    expect([(await asks(key)).status, (await asks(key)).status]).toEqual([200, 429]);
    const same = await send(page, `${page}/limits`, { perMinute: '1', perDay: '20000' });
    expect(same.headers.get('location')).toBe(`../../../admin/keys/${id}?said=same-limits`);
    expect((await open(`${page}?said=same-limits`)).html).toContain('Nothing was changed.');
    await send(page, `${page}/limits`, { perMinute: '', perDay: '' });
    expect(await site.keys.find(id)).toMatchObject({ perMinute: null, perDay: null });
  });

  it.each(['0', '-1', '1.5', 'ten', '1e3', '9'.repeat(16)])('does not take %s as a limit', async (typed) => {
    const { send } = await signIn(site);
    const { id } = await issue();
    const refused = await send(`/admin/keys/${id}`, `/admin/keys/${id}/limits`, {
      perMinute: typed,
      perDay: '5',
    });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(`value="${typed}"`);
    expect(refused.html).toContain('A limit is a positive whole number');
    expect(await site.keys.find(id)).toMatchObject({ perMinute: null, perDay: null });
  });

  it('is rotated once, however often the answer is loaded; the new one is shown this once', async () => {
    const { cookie, open } = await signIn(site);
    const old = await issue('Acme');
    const { fields } = await open(`/admin/keys/${old.id}`);
    const form = { ...fields, grace: '1' };
    const rotated = await site.post(`/admin/keys/${old.id}/rotate`, form, { cookie });
    expect([rotated.status, rotated.title]).toEqual([200, 'The new key']);
    expect((await asks(keyIn(rotated))).status).toBe(200);
    expect((await asks(old.key)).status).toBe(200);
    expect((await site.post(`/admin/keys/${old.id}/rotate`, form, { cookie })).status).toBe(409);
    const keys = await site.keys.list();
    expect(keys.map(({ label }) => label)).toEqual(['Acme', 'Acme']);
    const graceMs = (keys.find(({ id }) => id === old.id)?.expiresMs ?? 0) - Date.now();
    expect(Math.round(graceMs / 60_000)).toBe(60);
    expect((await open('/admin')).html).toContain('Active, ending');
  });

  it('is rotated with a day of grace, and an invite made for a week, unless something else is chosen', async () => {
    const { open, send } = await signIn(site);
    const { id } = await issue();
    const page = await open(`/admin/keys/${id}`);
    expect(page.html.match(/<option[^>]* selected[^>]*>/g)).toEqual(['<option value="24" selected>']);
    await send(`/admin/keys/${id}`, `/admin/keys/${id}/rotate`);
    const expires = (await site.keys.find(id))?.expiresMs ?? 0;
    expect(Math.round((expires - Date.now()) / 3_600_000)).toBe(24);
    const invites = await open('/admin/invites');
    expect(invites.html.match(/<option[^>]* selected[^>]*>/g)).toEqual(['<option value="7" selected>']);
    await send('/admin/invites', '/admin/invites', { label: 'Acme' });
    const [invite] = await site.invites.list();
    expect(Math.round(((invite?.expiresMs ?? 0) - Date.now()) / 86_400_000)).toBe(7);
  });

  it.each([
    ['active', null, 'Active'],
    ['active', 1, 'Active, ending'],
    ['expired', 1, 'Expired'],
    ['revoked', null, 'Revoked'],
    ['damaged', null, 'Damaged'],
  ] as const)('that is %s, with its end at %s, is called %s', async (state, expiresMs, word) => {
    const { keyState } = await import('../../../src/http/pages/templates/keyPages.ts');
    const shown = keyState({ state, expiresMs } as Parameters<typeof keyState>[0]).markup;
    expect(shown.replace(/<[^>]*>/g, '').trim()).toBe(word);
  });

  it('is listed and shown as damaged where Redis has something else, and can be revoked', async () => {
    const { open, cookie } = await signIn(site);
    const { key, id } = await issue();
    await redis.client.set(keyRecord(hashOf(key)), 'x');
    const list = await open('/admin?state=ended');
    expect(list.html).toMatch(new RegExp(`>${id}</a>[^]*Damaged[^]*unknown[^]*unknown`));
    const page = await open(`/admin/keys/${id}`);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('Choose the key in the list')]);
    // A form that was opened before the damage changes nothing, and the answer does not say that it did.
    const late = { ...list.fields, perMinute: '5', perDay: '' };
    const { status, headers } = await site.post(`/admin/keys/${id}/limits`, late, { cookie });
    expect([status, headers.get('location')]).toEqual([303, `../../../admin/keys/${id}`]);
    const confirmation = await site.post('/admin/revoke', { ...list.fields, id }, { cookie });
    await site.post(
      '/admin/revoke',
      { ...confirmation.fields, id, confirmed: 'yes', sure: 'yes' },
      { cookie },
    );
    expect(await site.keys.find(id)).toMatchObject({ state: 'revoked' });
  });

  it('is revoked when the box is ticked, and only then', async () => {
    const { open, send } = await signIn(site);
    const { id, key } = await issue();
    const page = `/admin/keys/${id}`;
    const unsure = await send(page, `${page}/revoke`);
    expect([unsure.status, (await asks(key)).status]).toEqual([400, 200]);
    expect(unsure.html).toContain('Tick the box');
    const revoked = await send(page, `${page}/revoke`, { sure: 'yes' });
    expect([revoked.status, (await asks(key)).status]).toEqual([303, 401]);
    const { html } = await open(`${page}?said=revoked`);
    expect(html).toContain('The key is revoked.');
    expect(html).not.toContain('Make the new key');
    const late = await send('/admin', `${page}/rotate`, { once: 'o'.repeat(43) });
    expect([late.status, (await site.keys.list()).length]).toEqual([303, 1]);
  });

  it('that was rotated, then revoked, worked until it was revoked', async () => {
    const { open } = await signIn(site);
    const { id } = await issue();
    const rotated = await site.keys.rotate(id, { graceMs: 7 * 86_400_000, by: 'test' });
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    // The page of the new key names the key that it replaces.
    expect((await open(`/admin/keys/${rotated.id}`)).html).toContain(`/admin/keys/${id}`);
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    expect((await open(`/admin/keys/${id}`)).html).toMatch(new RegExp(`Works until.*${inAWeek}`));
    await site.keys.revoke(id, 'test');
    const { html } = await open(`/admin/keys/${id}`);
    expect(html).toMatch(/Worked until/);
    expect(html).not.toContain(inAWeek);
  });

  it('that works is never said to be revoked, whatever the address says', async () => {
    const { open } = await signIn(site);
    const { id } = await issue();
    expect((await open(`/admin/keys/${id}?said=revoked`)).html).not.toContain('The key is revoked.');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'limits.length'])(
    'and the list of invites show no message for the word %s in the address',
    async (word) => {
      const { open } = await signIn(site);
      const { id } = await issue();
      for (const page of [`/admin/keys/${id}`, '/admin/invites']) {
        const { status, html } = await open(`${page}?said=${word}`);
        expect([status, html.includes('native code'), html.includes('role="status"')]).toEqual([
          200,
          false,
          false,
        ]);
      }
    },
  );

  it('that is not there is 404, in words', async () => {
    const { open, send } = await signIn(site);
    expect((await open('/admin/keys/k404')).title).toBe('There is no such key');
    for (const [act, form] of [
      ['limits', {}],
      ['rotate', {}],
      ['revoke', { sure: 'yes' }],
    ] as const)
      expect((await send('/admin', `/admin/keys/k404/${act}`, form)).status).toBe(404);
  });

  it('does not open the team’s page, nor a session the API', async () => {
    const { key } = await issue();
    const { cookie } = await signIn(site);
    expect((await site.get('/admin', { 'x-api-key': key, authorization: `Bearer ${key}` })).status).toBe(401);
    expect((await fetch(`${site.url}/v1/catalog`, { headers: { cookie } })).status).toBe(401);
  });
});

describe('the lists', () => {
  itInDepth('page and search a thousand keys, whatever their labels', async () => {
    const { open } = await signIn(site);
    const hostile = `<img src=x onerror=alert(1)> "><script>`;
    await issue(hostile);
    const labels = Array.from({ length: 999 }, (_, i) => `Client ${i} Ökonomie`);
    for (let at = 0; at < 999; at += 100) await Promise.all(labels.slice(at, at + 100).map(issue));
    const first = await open('/admin');
    expect(first.html).toContain('Page 1 of 20');
    expect(first.html).toContain('1,000 active keys');
    expect([...first.html.matchAll(/<tr role="row"><td/g)]).toHaveLength(50);
    const last = await open('/admin?page=999');
    expect(last.html).toContain('Page 20 of 20');
    const found = await open('/admin?q=CLIENT+77+okonomie');
    expect(found.html).toContain('1 of 1,000 keys');
    const odd = await open(`/admin?${new URLSearchParams({ q: hostile })}`);
    expect(odd.html).toContain('1 of 1,000 keys');
    expect(odd.html).not.toMatch(/<img|"><script>/);
    const none = await open(`/admin?${new URLSearchParams({ q: '"><script>no' })}`);
    expect(none.html).toContain('No key matches');
    expect(none.html).not.toContain('"><script>no');
    const both = await open('/admin?q=Client+1&page=2');
    expect(both.html).toContain('href="?q=Client+1&amp;page=3"');
  });

  it('say what to do while there is nothing in them', async () => {
    const { open } = await signIn(site);
    expect((await open('/admin')).html).toContain('No keys yet.');
    expect((await open('/admin/invites')).html).toContain('No invites yet.');
  });

  it('link only to pages that exist', async () => {
    const { open, cookie } = await signIn(site);
    const { id } = await issue();
    await site.keys.rotate(id, { graceMs: 1e6, by: 'test' });
    const { token } = await site.invites.create({ label: 'Used', claimableMs: 1e6, by: 'test' });
    await site.invites.claim(token);
    const seen = new Set<string>();
    const walk = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const page = await open(path);
      expect([path, page.status]).toEqual([path, 200]);
      for (const [, href = ''] of page.html.matchAll(/ href="([^"#]+)"/g)) {
        const to = new URL(href.replaceAll('&amp;', '&'), site.url + path);
        await walk(to.pathname + to.search);
      }
      for (const [, action = ''] of page.html.matchAll(/ action="([^"]+)"/g)) {
        const to = new URL(action, site.url + path);
        expect([200, 303]).toContain((await site.get(to.pathname, { cookie })).status);
      }
    };
    await walk('/admin');
    expect(seen.size).toBeGreaterThan(5);
  });
});

describe('the audit log', () => {
  it('says on the page who did what, and never shows a secret', async () => {
    const { open, send } = await signIn(site);
    const made = await send('/admin', '/admin/invites', { label: 'Acme' });
    const [, token = ''] = /\/claim\/([0-9A-Za-z]{43})/.exec(made.html) ?? [];
    const claimed = await site.invites.claim(token);
    const id = 'id' in claimed ? claimed.id : '';
    const page = `/admin/keys/${id}`;
    await send(page, `${page}/limits`, { perMinute: '70000', perDay: '' });
    const rotated = await send(page, `${page}/rotate`);
    await send(page, `${page}/revoke`, { sure: 'yes' });
    const deeds = await readAudit(redis.client, { count: 100 });
    expect(deeds.map(({ act }) => act).reverse()).toEqual([
      ...['signin-link', 'signin', 'invite', 'claim', 'limits', 'rotate', 'revoke'],
    ]);
    const [who, ...others] = new Set(deeds.filter(({ act }) => act !== 'claim').map(({ by }) => by));
    expect([who, others]).toEqual([expect.stringMatching(/^ann, team page s/), ['test']]);
    const { html } = await open('/admin/audit');
    expect(html).toContain('per minute</span> 70,000<');
    for (const words of ['Invited', 'Claimed a key', 'Changed limits', 'Rotated a key', 'Revoked a key'])
      expect(html).toContain(words);
    expect(html).not.toContain(token);
    expect(html).not.toContain('sk_live_');
    expect(site.log.join()).not.toContain(keyIn(rotated).slice(8, 30));
  });

  it('links to older entries', async () => {
    const { open } = await signIn(site);
    await Promise.all(Array.from({ length: 70 }, (_, i) => issue(`Key ${i}`)));
    const newest = await open('/admin/audit');
    const [, older = ''] = /href="(\?before=[^"]+)"/.exec(newest.html) ?? [];
    const next = await open(`/admin/audit${older}`);
    expect([...newest.html.matchAll(/Issued a key/g)]).toHaveLength(50);
    expect([...next.html.matchAll(/Issued a key/g)]).toHaveLength(20);
    expect((await open('/admin/audit?before=nonsense')).html).toBe((await open('/admin/audit')).html);
  });
});

describe('without Redis', () => {
  it('every page answers 503 within 300 ms while Redis is paused', async () => {
    const { cookie } = await signIn(site);
    redis.pause();
    for (const path of ['/admin', '/admin/audit', `/admin/signin/${'a'.repeat(43)}`]) {
      const seen = await expectWithin(300, () => site.hasty.get(path, { cookie }));
      expect([seen.status, seen.headers.get('retry-after')]).toEqual([503, '1']);
    }
    redis.resume();
    expect((await site.get('/admin', { cookie })).status).toBe(200);
  });

  it('the answer to a form has the texts that were typed, unless another site sent it', async () => {
    const { open, cookie } = await signIn(site);
    const { fields } = await open('/admin/invites');
    const people = Array.from({ length: 40 }, (_, i) => `Acme, Person ${i}`).join('\r\n');
    const form = { ...fields, people, note: 'For the <autumn> round' };
    redis.pause();
    const own = await site.hasty.post('/admin/invites', form, { cookie });
    const foreign = await site.hasty.post('/admin/invites', form, {
      cookie,
      origin: 'https://other.example',
    });
    redis.resume();
    expect([own.status, foreign.status]).toEqual([503, 503]);
    expect(own.html).toContain('Whether the form took effect is not known');
    expect(own.html).toContain(`${people.replaceAll('\r', '')}\nFor the &lt;autumn&gt; round`);
    expect(foreign.html).not.toContain('Person 1');
  });
});

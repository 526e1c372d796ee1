// The team's page with many keys and people: lists, roles, sessions, months, several invites at once, lost keys.

import { execFile } from 'node:child_process';
import { readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { count } from '../../../ingest/messages/numbers.ts';
import { readAudit } from '../../../src/access/audit.ts';
import { inviteIndexOf } from '../../../src/access/invites/inviteIndex.ts';
import { keyIndexOf } from '../../../src/access/keys/keyIndex.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { changeRole, personNamed, type Role } from '../../../src/access/people/people.ts';
import { dayLog, INVITE_IDS, inviteRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { readAnyManifest } from '../../../src/catalog/readManifest.ts';
import { STYLE } from '../../../src/http/pages/templates/pagesStyle.ts';
import { peoplePage } from '../../../src/http/pages/templates/peoplePages.ts';
import { isDeep } from '../../support/depth.ts';
import { patientGate } from '../../support/patientGate.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { aSample } from '../../support/sample.ts';
import { type Seen, type Site, signIn, startSite } from '../../support/site.ts';
import { aDataDir, type DataDir } from '../../support/snapshot.ts';
import { inOneDay } from '../../support/wholeDay.ts';

/** The number of keys or invites in a list. */
const MANY = isDeep ? 10_000 : 1200;

let redis: TestRedis;
let site: Site;
let data: DataDir;
beforeAll(async () => {
  [redis, data] = await Promise.all([startRedis(), aSample()]);
  site = await startSite(redis, 'http://127.0.0.1', data.dataDir);
});
beforeEach(inOneDay);
beforeEach(() => redis.empty());
afterAll(async () => {
  await site.close();
  await redis.close();
  await data.remove();
});

const person = (name: string, role: Role) => signIn(site, name, role);
const issue = (label: string) => site.keys.issue({ label, by: 'test' });
const labelsIn = ({ html }: Seen) =>
  [...html.matchAll(/class="label" href="[^"]*">([^<]*)</g)].map(([, label]) => label);

describe('the style', () => {
  it('has the colours of the explorer, in the light and in the dark', async () => {
    const explorer = await readFile(new URL('../../../src/explorer/style.css', import.meta.url), 'utf8');
    const colours = (css = '') =>
      new Map([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
    const [ours, theirs] = [STYLE, explorer].map((css) =>
      css.split('prefers-color-scheme: dark').map(colours),
    );
    for (const i of [0, 1]) {
      const shared = [...(ours?.[i] ?? [])].filter(([name]) => theirs?.[i]?.has(name));
      expect(shared.length).toBeGreaterThan(9);
      for (const [name, hex] of shared) expect([name, hex]).toEqual([name, theirs?.[i]?.get(name)]);
    }
  });
});

describe('the list of keys', () => {
  it('shows active keys, finds others by the word revoked and by a part of the last four, and sorts by every column', async () => {
    const { open } = await person('Ann', 'viewer');
    const [old, gone, busy] = [await issue('Old desk'), await issue('Acme former'), await issue('Acme busy')];
    await site.keys.revoke(gone.id, 'test');
    const gate = patientGate(redis.client);
    await gate.admit(hashOf(busy.key));
    // The list may have counted just before the request. Its counts are at most ten seconds old.
    while (labelsIn(await open('/admin'))[0] !== 'Acme busy') await sleep(1000);
    expect(labelsIn(await open('/admin'))).toEqual(['Acme busy', 'Old desk']);
    expect(labelsIn(await open('/admin?state=ended'))).toEqual(['Acme former']);
    expect(labelsIn(await open('/admin?state=revoked'))).toEqual(['Acme former']);
    const expired = await open('/admin?state=expired');
    expect(labelsIn(expired)).toEqual([]);
    expect(expired.html).toContain('<option value="expired" selected>Expired</option>');
    expect(labelsIn(await open('/admin?q=revoked'))).toEqual(['Acme former']);
    expect(labelsIn(await open('/admin?q=acme+Revoked'))).toEqual(['Acme former']);
    expect(labelsIn(await open(`/admin?q=${old.key.slice(-3)}`))).toContain('Old desk');
    expect(labelsIn(await open('/admin?use=never'))).toEqual(['Old desk']);
    expect(labelsIn(await open('/admin?sort=label&dir=asc&state=all'))).toEqual([
      'Acme busy',
      'Acme former',
      'Old desk',
    ]);
    for (const sort of ['label', 'state', 'created', 'used', 'today']) {
      const { html } = await open(`/admin?state=all&sort=${sort}&dir=desc`);
      expect(html.match(/aria-sort="descending"/g)).toHaveLength(1);
    }
    expect(labelsIn(await open('/admin?sort=today&dir=desc'))[0]).toBe('Acme busy');
  });

  it('shows what was done on another server at once', async () => {
    const { open } = await person('Ann', 'owner');
    const { id } = await issue('Acme');
    expect(labelsIn(await open('/admin'))).toEqual(['Acme']);
    const elsewhere = keysOf(redis.client);
    await elsewhere.revoke(id, 'Bob');
    expect(labelsIn(await open('/admin'))).toEqual([]);
    await elsewhere.issue({ label: 'New', by: 'Bob' });
    expect(labelsIn(await open('/admin'))).toEqual(['New']);
    await redis.client.del('audit');
    await redis.client.hdel('key-ids', id);
    expect((await open('/admin?state=all')).html).not.toContain(id);
  });

  it('is read again by one timer, however often somebody looks at it', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      const index = keyIndexOf(redis.client);
      for (let looks = 0; looks < 5; looks += 1) await index.list();
      expect(timers.mock.calls.filter(([, ms]) => ms === 7000)).toHaveLength(1);
    } finally {
      timers.mockRestore();
    }
  });

  it('reads counts of use again after ten seconds', async () => {
    let nowMs = 0;
    const { key } = await issue('Acme');
    const index = keyIndexOf(redis.client, { nowMs: () => nowMs });
    await index.list();
    const gate = patientGate(redis.client);
    await gate.admit(hashOf(key));
    nowMs = 10_001;
    expect((await index.list()).map(({ dayUse }) => dayUse)).toEqual([1]);
  });

  it('revokes several keys after a list to confirm, once, also when another person is faster', async () => {
    const { cookie, open } = await person('Ann', 'manager');
    const [a, b, c] = [await issue('A'), await issue('B'), await issue('C')];
    const send = async (page: Seen, ids: readonly string[], form: Record<string, string>) => {
      const body = new URLSearchParams({ ...page.fields, ...form });
      body.delete('id');
      for (const id of ids) body.append('id', id);
      return site.post('/admin/revoke', body, { cookie });
    };
    const confirm = await send(await open('/admin'), [a.id, b.id], {});
    expect([confirm.status, confirm.title]).toEqual([200, 'Revoke these 2 keys?']);
    expect((await site.keys.find(a.id))?.state).toBe('active');
    const unsure = await send(confirm, [a.id, b.id], {});
    expect([unsure.status, unsure.html.includes('Tick the box')]).toEqual([400, true]);
    await site.keys.revoke(b.id, 'Bob');
    const done = await send(unsure, [a.id, b.id], { sure: 'yes' });
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      '../admin?said=revoked&count=1&already=1',
    ]);
    const { html } = await open('/admin?said=revoked&count=1&already=1');
    expect(html).toContain('One key is revoked. Its next request is refused. One key was revoked meanwhile');
    const acts = (await readAudit(redis.client, { count: 50 })).filter(({ act }) => act === 'revoke');
    expect(acts.map(({ keyId }) => keyId)).toEqual([a.id, b.id]);
    expect((await site.keys.find(c.id))?.state).toBe('active');
  });

  it('lets two people revoke the same keys at once: one of them revokes each key, and both pages say so', async () => {
    const people = [await person('Ann', 'manager'), await person('Bob', 'manager')];
    const keys = await Promise.all(Array.from({ length: 5 }, (_, i) => issue(`Acme ${i}`)));
    const answers = await Promise.all(
      people.map(async ({ open, cookie }) => {
        const body = new URLSearchParams((await open('/admin')).fields);
        body.delete('id');
        for (const { id } of keys) body.append('id', id);
        const { fields } = await site.post('/admin/revoke', body, { cookie });
        for (const [name, value] of Object.entries({ ...fields, sure: 'yes' }))
          if (name !== 'id') body.set(name, value);
        return site.post('/admin/revoke', body, { cookie });
      }),
    );
    const results = answers.map(({ headers }) => new URLSearchParams(headers.get('location')?.split('?')[1]));
    expect(results.reduce((sum, one) => sum + Number(one.get('count')), 0)).toBe(5);
    expect(results.map((one) => Number(one.get('count')) + Number(one.get('already')))).toEqual([5, 5]);
    expect((await site.keys.list()).every(({ state }) => state === 'revoked')).toBe(true);
  });

  it('shows markup and marks of direction in a label as text, isolated from the text around it', async () => {
    const { open, cookie } = await person('Ann', 'owner');
    const { id } = await issue('<b>Acme</b>" onload="x');
    // A form refuses this label, but a backup may bring it.
    const hash = await redis.client.hget('key-ids', id);
    await redis.client.hset(`key:{${hash}}`, 'label', '<b>Acme</b> \u202eevil\u2066');
    const list = await open('/admin');
    const confirm = await site.post('/admin/revoke', { ...list.fields, id }, { cookie });
    for (const { html } of [list, confirm, await open(`/admin/keys/${id}`), await open('/admin/audit')]) {
      expect(html).toContain('&lt;b&gt;Acme');
      expect(html).not.toContain('<b>Acme');
    }
    expect(list.html).toMatch(/\.label, \.breakable, \.eyebrow \{ unicode-bidi: isolate; \}/);
    expect(
      (await site.post('/admin/invites', { ...list.fields, label: 'a\u202eb' }, { cookie })).status,
    ).toBe(400);
  });

  it('reads keys of one label in a call for each hundred, after idle minutes in few, and at the next look in none', async () => {
    const { open } = await person('Ann', 'viewer');
    // Redis counts as silent after two seconds, so a busy machine cannot write all keys at once.
    for (let start = 0; start < MANY; start += 1000) {
      const write = redis.client.pipeline();
      for (let i = start; i < Math.min(start + 1000, MANY); i += 1) {
        const [id, hash] = [`k${String(i).padStart(10, '0')}`, hashOf(String(i))];
        write.hset('key-ids', id, hash);
        write.hset(`key:{${hash}}`, { id, label: 'Acme', state: 'active', last4: 'aaaa', created: i });
      }
      await write.exec();
    }
    let nowMs = 0;
    let calls = 0;
    // Counts the calls of this index only, because the index of the site also calls Redis.
    const client = new Proxy(redis.client, {
      get(target, name) {
        if (name === 'eval') calls += 1;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    // On a busy machine the timer could read keys between two counts of calls, so its interval is an hour.
    const index = keyIndexOf(client, { nowMs: () => nowMs, refreshMs: 3_600_000 });
    const callsOf = async (act: () => Promise<unknown>) => {
      const before = calls;
      await act();
      return calls - before;
    };
    expect(await callsOf(() => index.list())).toBe(MANY / 100);
    expect(await callsOf(() => index.list())).toBe(0);
    nowMs = 600_000;
    const gate = patientGate(redis.client);
    await gate.admit(hashOf('77'));
    // The index reads the last use of all keys, and the count of the one that was used.
    expect(await callsOf(() => index.list())).toBe(MANY / 400 + 1);
    // A call that was retried may have been counted twice.
    expect((await index.list()).filter(({ dayUse }) => dayUse > 0).map(({ id }) => id)).toEqual([
      'k0000000077',
    ]);
    let turns = 0;
    let isLooking = true;
    const count = () => {
      turns += 1;
      if (isLooking) setImmediate(count);
    };
    count();
    expect((await open('/admin?page=20&sort=label&dir=asc')).html).toContain(`Page 20 of ${MANY / 50}`);
    isLooking = false;
    // No turn of the event loop filters or sorts more than a thousand keys.
    expect(turns).toBeGreaterThan((3 * MANY) / 1000);
    const first = (await open('/admin')).html;
    expect(first).toMatch(/<input id="jump" name="page" inputmode="numeric"/);
    expect([first.includes('rel="prev"'), first.includes('rel="next"')]).toEqual([false, true]);
  });

  it('counts each request of a second, and no request that is a day old', async () => {
    const gate = patientGate(redis.client);
    const redisMs = async () => {
      const [seconds = 0, microseconds = 0] = await redis.client.time();
      return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    };
    /**
     * The counts, with a request that becomes a day old in `leftMs`. Null when the machine was too busy to look in
     * time.
     */
    async function countsWithin(leftMs: number) {
      await redis.empty();
      let nowMs = 0;
      const hash = hashOf((await issue('Acme')).key);
      const begun = await redisMs();
      const agesMs = [86_400_000 - leftMs, 3_600_000];
      await redis.client.rpush(dayLog(hash), ...agesMs.map((age) => String((begun - age) * 1000)));
      const index = keyIndexOf(redis.client, { nowMs: () => nowMs });
      const today = async () => (await index.list()).map((one) => one.dayUse);
      const counts = [await today()];
      // The gate records the last use of a key once a second.
      for (let times = 0; times < 2; times++) {
        await gate.admit(hash);
        nowMs += 10_001;
        counts.push(await today());
      }
      if ((await redisMs()) >= begun + leftMs) return null;
      await sleep(begun + leftMs + 10 - (await redisMs()));
      nowMs += 10_001;
      return [...counts, await today()];
    }
    let counts = null;
    for (let leftMs = 500; counts === null; leftMs *= 2) counts = await countsWithin(leftMs);
    expect(counts).toEqual([[2], [3], [4], [3]]);
  });

  it('distinguishes a key that has expired since the keys were read', async () => {
    let nowMs = 0;
    const { id } = await issue('Acme');
    const index = keyIndexOf(redis.client, { nowMs: () => nowMs });
    await site.keys.rotate(id, { graceMs: 50, by: 'test' });
    await index.list();
    await sleep(60);
    nowMs = 20_000;
    expect((await index.list()).find((key) => key.id === id)).toMatchObject({
      state: 'expired',
      endedMs: expect.any(Number),
    });
  });
});

describe('the list of invites', () => {
  it('reads thousands of invites once, and later only those that changed, on whichever server', async () => {
    const { open } = await person('Ann', 'manager');
    // After this look, the site knows that there are no keys. Otherwise its timer would go on counting those of earlier
    // tests.
    await open('/admin');
    const write = redis.client.pipeline();
    const ids: Record<string, string> = {};
    const nowMs = Date.now();
    for (let i = 0; i < MANY; i += 1) {
      const [id, hash] = [`i${String(i).padStart(10, '0')}`, hashOf(String(i))];
      ids[id] = hash;
      const expires = i % 2 === 0 ? nowMs - 1 : nowMs + 600_000;
      write.hset(inviteRecord(hash), { id, label: `Desk ${i}`, state: 'open', created: i, expires });
    }
    await write.exec();
    // The id of an invite whose record no longer exists.
    await redis.client.hset(INVITE_IDS, { ...ids, i9999999999x: hashOf('forgotten') });
    const first = await open('/admin/invites');
    expect(first.html).toContain(`Page 1 of ${MANY / 50}`);
    expect(first.html.indexOf(`Desk ${MANY - 1}`)).toBeLessThan(first.html.indexOf(`Desk ${MANY - 3}`));
    expect(first.html).not.toContain(`Desk ${MANY - 2}`);
    // Every second invite is open. The list has the open ones first.
    const firstEnded = `/admin/invites?page=${MANY / 100 + 1}`;
    expect((await open(firstEnded)).html).toContain(`Desk ${MANY - 2}`);
    expect(await redis.client.hlen(INVITE_IDS)).toBe(MANY);
    const evals = async () =>
      Number(/cmdstat_eval:calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1] ?? 0);

    const { token, id } = await site.invites.create({ label: 'Elsewhere', claimableMs: 600_000, by: 'Bob' });
    const before = await evals();
    expect((await open('/admin/invites')).html).toContain('Elsewhere');
    expect((await evals()) - before).toBeLessThan(5);
    expect((await site.invites.claim(token)).outcome).toBe('claimed');
    expect((await open('/admin/invites')).html).not.toContain('Elsewhere');
    expect((await open(firstEnded)).html).toContain('Elsewhere');
    expect(await site.invites.revoke(id, 'Bob')).toBe('used');
    expect(await site.invites.revoke(`i${String(MANY - 1).padStart(10, '0')}`, 'Bob')).toBe('revoked');
    expect((await open('/admin/invites')).html).not.toContain(`Desk ${MANY - 1}`);
  });

  it('shows as expired what expires between two looks, and forgets what the server forgets', async () => {
    /** An invite that was open at the first look. Null when the machine was too busy to look in time. */
    async function openFor(claimableMs: number) {
      await redis.empty();
      const index = inviteIndexOf(redis.client);
      const { id } = await site.invites.create({ label: 'Acme', claimableMs, by: 'Bob' });
      const states = async () => (await index.list()).map(({ state }) => state);
      return (await states())[0] === 'open' ? { id, states, claimableMs } : null;
    }
    let invite = null;
    for (let ms = 300; invite === null; ms *= 2) invite = await openFor(ms);
    const { id, states, claimableMs } = invite;
    await sleep(claimableMs + 20);
    expect(await states()).toEqual(['expired']);
    const hash = (await redis.client.hget(INVITE_IDS, id)) ?? '';
    await redis.client.hset(inviteRecord(hash), { expires: Date.now() - 91 * 86_400_000 });
    await site.invites.revoke(id, 'Bob');
    expect(await states()).toEqual([]);
  });
});

describe('the page of a key', () => {
  it('has its use beside its limits, refused requests and its own audit', async () => {
    const { open } = await person('Ann', 'viewer');
    const { key, id } = await issue('Acme');
    await issue('Other');
    await site.keys.changeLimits(id, { perMinute: 3 }, 'Jane');
    const gate = patientGate(redis.client);
    for (let i = 0; i < 5; i += 1) await gate.admit(hashOf(key));
    const { html } = await open(`/admin/keys/${id}`);
    expect(html).toMatch(/Used of the minute’s limit<\/dt><dd>.*?3 of 3/);
    expect(html).toMatch(/Used of the day’s limit<\/dt><dd>.*?3 of 10,000/);
    expect(html).toContain('<dt>Refused in the last 31 days</dt><dd>2</dd>');
    const [, own = ''] = html.split('id="audit-of"');
    expect([own.includes('Jane'), own.includes('Changed limits'), own.includes('Other')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(html).toContain('Your role is viewer');
    expect(html).not.toContain('Revoke the key');
  });
});

describe('roles', () => {
  const FORMS: readonly [Role, string, string, Record<string, string>][] = [
    ['manager', '/admin/people', '/admin/invites', { label: 'Acme' }],
    ['manager', '/admin/people', '/admin/revoke', { id: 'KEY', confirmed: 'yes', sure: 'yes' }],
    ['manager', '/admin/people', '/admin/keys/KEY/limits', { perDay: '1' }],
    ['manager', '/admin/people', '/admin/keys/KEY/rotate', { once: 'o' }],
    ['manager', '/admin/people', '/admin/keys/KEY/revoke', { sure: 'yes' }],
    ['manager', '/admin/people', '/admin/keys/KEY/replace', { once: 'o' }],
    ['owner', '/admin/people', '/admin/people/link', { name: 'Eve', role: 'owner' }],
    ['owner', '/admin/people', '/admin/people/role', { person: 'Low', role: 'owner' }],
  ];

  it('refuse a form below the role it needs, and say which role and who gives it', async () => {
    await person('Olga Owner', 'owner');
    const { id } = await issue('Acme');
    const acts = async () =>
      (await readAudit(redis.client, { count: 99 })).filter(
        ({ act }) => act !== 'signin' && act !== 'signin-link',
      ).length;
    const before = await acts();
    for (const [needed, page, at, form] of FORMS) {
      const low = await person('Low', needed === 'owner' ? 'manager' : 'viewer');
      const filled = Object.fromEntries(
        Object.entries(form).map(([name, value]) => [name, value.replace('KEY', id)]),
      );
      const refused = await low.send(page, at.replace('KEY', id), filled);
      expect([at, refused.status, refused.title]).toEqual([at, 403, `This needs the role ${needed}`]);
      expect(refused.html).toContain('Olga Owner');
    }
    expect(await acts()).toBe(before);
  });

  it('are not in a link without a name, or with a role that there is not', async () => {
    const { open, cookie } = await person('Olga', 'owner');
    const { csrf = '', once = '' } = (await open('/admin/people')).fields;
    const refusals = [];
    for (const form of [{ name: 'Eve', role: 'root' }, { name: 'Eve' }, { role: 'viewer' }]) {
      const { status, html } = await site.post('/admin/people/link', { csrf, once, ...form }, { cookie });
      refusals.push([status, /role="alert">([^<]*)/.exec(html)?.[1]]);
    }
    const noRole = [400, 'Choose a role.'];
    expect(refusals).toEqual([noRole, noRole, [400, expect.stringContaining('name')]]);
  });

  it('hold from the next click on when they are lowered while signed in', async () => {
    const owner = await person('Olga', 'owner');
    const manager = await person('Max', 'manager');
    expect((await manager.send('/admin', '/admin/invites', { label: 'One' })).status).toBe(200);
    const changed = await owner.send('/admin/people', '/admin/people/role', {
      person: 'Max',
      role: 'viewer',
    });
    expect(changed.status).toBe(303);
    const late = await manager.send('/admin/people', '/admin/invites', { label: 'Two' });
    expect(late.status).toBe(403);
    expect((await manager.open('/admin')).html).not.toContain('Invite somebody</h2>');
  });

  it('are said to be as they were when a form gives the same role again', async () => {
    const owner = await person('Olga', 'owner');
    await person('Max', 'manager');
    const same = { person: 'Max', role: 'manager' };
    const { headers } = await owner.send('/admin/people', '/admin/people/role', same);
    expect(headers.get('location')).toBe('../../admin/people?said=same-role');
    expect((await owner.open('/admin/people?said=same-role')).html).toContain('Nothing was changed.');
  });

  it('are changed by a form that an earlier version of the program had written', async () => {
    const owner = await person('Olga', 'owner');
    await person('Max', 'manager');
    // The page of keys has no hidden field `person`, as pages of that version.
    const { headers } = await owner.send('/admin', '/admin/people/role', { name: 'Max', role: 'viewer' });
    expect(headers.get('location')).toBe('../../admin/people?said=role');
    expect((await personNamed(redis.client, 'Max'))?.role).toBe('viewer');
  });

  it('are not raised again by a sign-in link that was made before they were lowered', async () => {
    const owner = await person('Olga', 'owner');
    await person('Max', 'manager');
    const { token } = await site.sessions.createLink({ by: 'Olga', name: 'Max', role: 'manager' });
    await owner.send('/admin/people', '/admin/people/role', { person: 'Max', role: 'viewer' });
    expect((await site.sessions.signIn(token))?.session.role).toBe('viewer');
  });

  it('leave one owner when two lower each other at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      await redis.client.hset('people', { Olga: 'owner', Otto: 'owner by claim' });
      const outcomes = await Promise.all(
        ['Olga', 'Otto'].map((name) => changeRole(redis.client, { name, role: 'viewer', by: 'test' })),
      );
      expect(outcomes.sort()).toEqual(['changed', 'last owner']);
    }
  });

  it('leave one owner', async () => {
    const owner = await person('Olga', 'owner');
    const refused = await owner.send('/admin/people', '/admin/people/role', {
      person: 'Olga',
      role: 'viewer',
    });
    expect([refused.status, refused.html.includes('One owner has to remain')]).toEqual([400, true]);
    const acts = (await readAudit(redis.client, { count: 10 })).map(({ act }) => act);
    expect(acts).not.toContain('role');
  });

  it('name the person in every line of the audit log', async () => {
    const owner = await person('Olga', 'owner');
    await owner.send('/admin', '/admin/invites', { label: 'Acme' });
    const made = await owner.send('/admin/people', '/admin/people/link', { name: 'Max', role: 'manager' });
    expect(made.html).toMatch(/\/admin\/signin\/[0-9A-Za-z]{43}/);
    const by = (await readAudit(redis.client, { count: 9 })).map((entry) => entry.by);
    expect(by.slice(0, 2)).toEqual(Array(2).fill(expect.stringMatching(/^Olga, team page s/)));
    for (const name of ['', 'x'.repeat(101), 'a\u202eb'])
      expect((await owner.send('/admin/people', '/admin/people/link', { name, role: 'viewer' })).status).toBe(
        400,
      );
  });
});

describe('sessions', () => {
  it('of one person have buttons of different names', () => {
    const visit = { person: { name: 'Olga', role: 'owner' }, root: '', csrf: '' } as const;
    const terms = { name: 'Vera', role: 'viewer', invitedBy: 'Olga', endsMs: 0 } as const;
    const sessions = [5, 6].map((minute) => ({
      ...terms,
      id: `s${minute}`,
      beganMs: Date.UTC(2026, 10, 29, 9, minute),
    }));
    const view = {
      people: [],
      sessions,
      ownSession: '',
      confirmation: null,
      problem: null,
      typed: null,
      once: '',
    };
    const buttons = peoplePage(visit, view).main.markup.match(/<button.*?<\/button>/g) ?? [];
    expect(
      buttons.map((button) => button.replace(/<[^>]*>/g, '')).filter((name) => name.startsWith('End')),
    ).toEqual([
      'End the session of Vera since 29 Nov 2026, 09:05',
      'End the session of Vera since 29 Nov 2026, 09:06',
    ]);
  });

  it('are listed and ended by hand: one’s own by everybody, others by owners', async () => {
    const [owner, viewer] = [await person('Olga', 'owner'), await person('Vera', 'viewer')];
    const sessions = await site.sessions.list();
    const idOf = (name: string) => sessions.find((one) => one.name === name)?.id;
    const refused = await viewer.send('/admin/people', `/admin/sessions/${idOf('Olga')}/end`);
    expect([refused.status, refused.title]).toEqual([403, 'This needs the role owner']);
    const buttonsOf = async ({ open }: typeof owner) =>
      [...(await open('/admin/people')).html.matchAll(/ the session of (\w+) /g)].map(([, name]) => name);
    expect(new Set(await buttonsOf(owner))).toEqual(new Set(['Olga', 'Vera']));
    expect(await buttonsOf(viewer)).toEqual(['Vera']);
    expect((await owner.open('/admin/people')).html).toContain('this one');
    await owner.send('/admin/people', `/admin/sessions/${idOf('Vera')}/end`);
    expect((await viewer.open('/admin')).title).toBe('You have been signed out');
    expect((await owner.send('/admin/people', `/admin/sessions/${idOf('Vera')}/end`)).status).toBe(404);
    expect((await readAudit(redis.client, { count: 1 }))[0]).toMatchObject({
      act: 'end-session',
      details: { name: 'Vera' },
    });
  });
});

describe('months', () => {
  it('show publications with verdicts and who published, the report, and the difference of two', async () => {
    expect((await site.get('/admin/months')).status).toBe(401);
    expect((await site.get('/admin/months/2026-11.1/report')).status).toBe(401);
    const { open } = await person('Vera', 'viewer');
    const [october, november] = await Promise.all(
      ['2026-10.1', '2026-11.1'].map((id) => readAnyManifest(path.join(data.dataDir, 'snapshots', id))),
    );
    const [before, after] = [october?.datasets.ggr?.rows ?? 0, november?.datasets.ggr?.rows ?? 0];
    expect(after).toBeGreaterThan(before);
    const { html } = await open('/admin/months');
    for (const words of [
      '2026-11.1',
      '2026-10.1',
      'Served now',
      'values revised',
      'No objection',
      `${november?.sources.length} sources`,
    ])
      expect(html).toContain(words);
    expect(html).not.toContain('not recorded');
    const report = await open('/admin/months/2026-11.1/report');
    expect(report.html).toContain('<title>2026-11.1: publication report</title>');
    const policy = report.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; .*script-src 'sha256-[^']+'; sandbox allow-scripts allow-downloads$/,
    );
    const difference = await open('/admin/months/difference?a=2026-10.1&b=2026-11.1');
    expect(difference.html).toMatch(
      new RegExp(`${count(before)}.*${count(after)}.*\\+${count(after - before)}`, 's'),
    );
    expect(difference.html).toMatch(
      /[\d,]+ values revised.*href="[^"]*months\/2026-11.1\/report">The report/s,
    );
    const backwards = await open('/admin/months/difference?a=2026-11.1&b=2026-10.1');
    expect(backwards.html).not.toContain('values revised,');
    for (const at of [
      '/admin/months/2020-01.1/report',
      '/admin/months/difference?a=x&b=2026-11.1',
      '/admin/months/..%2f..%2fx/report',
    ])
      expect([at, (await open(at)).status]).toEqual([at, 404]);
  });

  it('show a damaged snapshot as such, and go on', async () => {
    const other = await aDataDir(data.dataDir);
    const { writeFile } = await import('node:fs/promises');
    const october = path.join(other.dataDir, 'snapshots', '2026-10.1', 'manifest.json');
    const { datasets, ...manifest } = JSON.parse(await readFile(october, 'utf8'));
    await writeFile(october, '{"id":');
    const damaged = await startSite(redis, 'http://127.0.0.1', other.dataDir);
    const { cookie } = await person('Vera', 'viewer');
    const { status, html } = await damaged.get('/admin/months', { cookie });
    expect([status, html.includes('Its manifest cannot be read')]).toEqual([200, true]);
    // In the manifest of another version of the program, a dataset is missing and an unknown one is added.
    const { fx: unknown, ...known } = datasets;
    await writeFile(october, JSON.stringify({ ...manifest, datasets: { ...known, odds: unknown } }));
    const older = await damaged.get('/admin/months', { cookie });
    expect(older.html).not.toContain('Its manifest cannot be read');
    const at = (a: string, b: string) => `/admin/months/difference?a=${a}&b=${b}`;
    const came = await damaged.get(at('2026-10.1', '2026-11.1'), { cookie });
    expect([came.status, came.html]).toEqual([
      200,
      expect.stringContaining('; 2026-10.1 lacks the dataset.'),
    ]);
    const went = await damaged.get(at('2026-11.1', '2026-10.1'), { cookie });
    expect(went.html).toContain(`${count(unknown.rows)} rows before; 2026-10.1 lacks the dataset.`);
    // A pipe is in the place of each file. Reading it would never end.
    for (const name of ['manifest.json', 'report.json', 'report.html']) {
      const file = path.join(path.dirname(october), name);
      await rm(file);
      await promisify(execFile)('mkfifo', [file]);
    }
    const piped = await damaged.get('/admin/months', { cookie });
    expect([piped.status, piped.html.includes('Its manifest cannot be read')]).toEqual([200, true]);
    expect((await damaged.hasty.get('/admin/months/2026-10.1/report', { cookie })).status).toBe(503);
    await damaged.close();
    await other.remove();
  });

  it('are unavailable, not pruned, while the folder of the snapshots is away or cannot be read', async () => {
    const other = await aDataDir(data.dataDir);
    const away = await startSite(redis, 'http://127.0.0.1', other.dataDir);
    const { cookie } = await person('Vera', 'viewer');
    const pages = ['', '/2026-11.1/report', '/difference?a=2026-10.1&b=2026-11.1'];
    const statuses = async () =>
      Promise.all(pages.map(async (one) => (await away.get(`/admin/months${one}`, { cookie })).status));
    const snapshots = path.join(other.dataDir, 'snapshots');
    await rename(snapshots, `${snapshots}.aside`);
    expect(await statuses()).toEqual([503, 503, 503]);
    // A link to itself exists and cannot be read.
    await symlink(snapshots, snapshots);
    expect(await statuses()).toEqual([503, 503, 503]);
    await rm(snapshots);
    await rename(`${snapshots}.aside`, snapshots);
    expect(await statuses()).toEqual([200, 200, 200]);
    await away.close();
    await other.remove();
  });
});

describe('inviting several people', () => {
  it('gives a link each, with limits, an end and a note, as a table to copy', async () => {
    const { send, open } = await person('Max', 'manager');
    const form = { label: '', people: 'Jane\n\nJoe Doe\r\n', perMinute: '5', ends: '30', note: 'trial 2026' };
    const made = await send('/admin', '/admin/invites', form);
    const tokens = [...made.html.matchAll(/(Jane|Joe Doe)\thttp\S*\/claim\/([0-9A-Za-z]{43})/g)];
    expect(tokens.map(([, label]) => label)).toEqual(['Jane', 'Joe Doe']);
    const claimed = await site.invites.claim(tokens[1]?.[2] ?? '');
    const key = 'id' in claimed ? await site.keys.find(claimed.id) : null;
    expect(key).toMatchObject({ label: 'Joe Doe', perMinute: 5, perDay: null, note: 'trial 2026' });
    expect(Math.round(((key?.expiresMs ?? 0) - (key?.createdMs ?? 0)) / 86_400_000)).toBe(30);
    expect((await open(`/admin/keys/${key?.id}`)).html).toContain('trial 2026');
    // A rotated key has the expiry of the earlier key, but the grace of the earlier key does not become its expiry.
    const once = await site.keys.rotate(key?.id ?? '', { graceMs: 1e6, by: 'test' });
    const twice = await site.keys.rotate(key?.id ?? '', { graceMs: 1e6, by: 'test' });
    for (const rotated of [once, twice])
      expect('id' in rotated && (await site.keys.find(rotated.id))?.expiresMs).toBe(key?.expiresMs);
  });

  it('shows the links that were made when Redis fails half way, and for whom there are none', async () => {
    const { send } = await person('Ann', 'manager');
    const enter = redis.client.hsetnx.bind(redis.client);
    const entering = jest.spyOn(redis.client, 'hsetnx');
    entering.mockImplementation((async (key: string, id: string, hash: string) => {
      if (entering.mock.calls.length === 2) throw new Error('Connection is closed.');
      return enter(key, id, hash);
    }) as typeof redis.client.hsetnx);
    try {
      const { status, html, title } = await send('/admin', '/admin/invites', { people: 'Jane\nJoe\nJim' });
      expect([status, title]).toEqual([200, '1 invite link']);
      const [, names = '', link = ''] =
        /id="missing"[^>]*>([^<]*)<.*id="links"[^>]*>Jane\t(\S+)</s.exec(html) ?? [];
      expect(names).toBe('Joe\nJim');
      expect((await site.get(new URL(link).pathname)).title).toBe('Claim your API key');
    } finally {
      entering.mockRestore();
    }
  });

  it('gives a refused form back as it was typed, a line for each person', async () => {
    const { send } = await person('Max', 'manager');
    const refused = await send('/admin', '/admin/invites', { people: 'Jane Doe\r\nJoe', perDay: '-3' });
    expect(refused.html).toMatch(/<textarea id="people"[^>]*>Jane Doe\nJoe<\/textarea>/);
  });

  it('takes fifty people with the longest names, and gives all of them back', async () => {
    const { send } = await person('Max', 'manager');
    const people = `${'🎰'.repeat(100)}\n`.repeat(50).trim();
    const refused = await send('/admin', '/admin/invites', { people, perDay: '-3' });
    expect([refused.status, refused.html.includes(people)]).toEqual([400, true]);
  });

  it.each([
    [{ people: 'Jane\nbad\u0007one' }, 'one line of text'],
    [{ people: 'x\n'.repeat(51) }, 'At most 50 people'],
    [{ label: 'Jane', perDay: '-1' }, 'A limit is a positive whole number'],
    [{ label: 'Jane', ends: '99999' }, 'The key ends after 1 to 3650 days'],
    [{ label: 'Jane', note: 'a\u202eb' }, 'A note is one line'],
    [{ people: 'a <b>x</b>', perDay: 'x' }, 'A limit is'],
  ])('says what is wrong with %j, and makes nothing', async (form, words) => {
    const { send } = await person('Max', 'manager');
    const refused = await send('/admin', '/admin/invites', { label: '', ...form });
    expect([refused.status, refused.html.includes(words)]).toEqual([400, true]);
    expect(refused.html).not.toContain('<b>x</b>');
    expect(await site.invites.list()).toEqual([]);
  });
});

describe('a key lost by two quick clicks', () => {
  it('is known to the browser that claimed it, and replaced by a new invite in one click', async () => {
    const manager = await person('Max', 'manager');
    const invited = await manager.send('/admin', '/admin/invites', { label: 'Acme', ends: '30' });
    const at = /\/claim\/[0-9A-Za-z]{43}/.exec(invited.html)?.[0] ?? '';
    const { fields, cookie } = await site.get(at);
    const [first, second] = [
      await site.post(at, fields, { cookie }),
      await site.post(at, fields, { cookie }),
    ];
    const key = /sk_live_[0-9A-Za-z]{49}/.exec(first.html)?.[0] ?? '';
    expect([second.status, second.title]).toEqual([410, 'You have just claimed this key']);
    expect(second.html).not.toContain(key);
    expect(second.html).toContain(key.slice(-4));
    expect((await site.get(at)).title).toBe('This invite has been used');
    const stranger = (await site.get(await site.invite('Other'))).cookie;
    expect((await site.get(at, { cookie: stranger })).title).toBe('This invite has been used');

    const [{ id } = { id: '' }] = await site.keys.list();
    const replaced = await manager.send(`/admin/keys/${id}`, `/admin/keys/${id}/replace`);
    expect([replaced.status, replaced.title]).toEqual([200, 'The invite link']);
    // The invite is made before the key is revoked. So if the process ends in between, the holder still has a valid
    // key.
    const acts = (await readAudit(redis.client, { count: 2 })).map(({ act }) => act);
    expect(acts).toEqual(['revoke', 'invite']);
    const link = /\/claim\/([0-9A-Za-z]{43})/.exec(replaced.html)?.[1] ?? '';
    const again = await site.invites.claim(link);
    const { createdMs = 0, plannedEndMs = 0 } = ('id' in again && (await site.keys.find(again.id))) || {};
    expect((plannedEndMs ?? 0) - createdMs).toBe(30 * 86_400_000);
    expect((await fetch(`${site.url}/v1/catalog`, { headers: { 'x-api-key': key } })).status).toBe(401);
    expect((await site.get(at, { cookie })).html).toContain('It does not work any more.');
  });

  it('is replaced by one invite where two people replace it at once', async () => {
    const manager = await person('Max', 'manager');
    const { id } = await issue('Acme');
    const replace = () => manager.send(`/admin/keys/${id}`, `/admin/keys/${id}/replace`);
    const replies = await Promise.all([replace(), replace(), replace()]);
    expect(replies.filter(({ title }) => title === 'The invite link')).toHaveLength(1);
    const states = (await site.invites.list()).map(({ state }) => state);
    expect(states.filter((state) => state !== 'revoked')).toEqual(['open']);
    expect((await site.keys.find(id))?.state).toBe('revoked');
  });

  it('is not replaced once it was used, and its first request is confirmed', async () => {
    const at = await site.invite('Acme');
    const { fields, cookie } = await site.get(at);
    const claimed = await site.post(at, fields, { cookie });
    const key = /sk_live_[0-9A-Za-z]{49}/.exec(claimed.html)?.[0] ?? '';
    expect((await site.get(at, { cookie })).html).toContain('We have not seen a request with it yet');
    const manager = await person('Max', 'manager');
    const [{ id } = { id: '' }] = await site.keys.list();
    const { fields: hidden } = await manager.open(`/admin/keys/${id}`);
    await fetch(`${site.url}/v1/catalog`, { headers: { 'x-api-key': key } });
    expect((await site.get(at, { cookie })).html).toContain('We have seen your first request');
    const late = await site.post(`/admin/keys/${id}/replace`, hidden, { cookie: manager.cookie });
    expect([late.status, late.html.includes('has been used meanwhile')]).toEqual([409, true]);
    expect((await site.keys.find(id))?.state).toBe('active');
  });
});

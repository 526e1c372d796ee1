// Sign-in links, sessions and roles: who is signed in, and until when.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readAudit } from '../../../src/access/audit.ts';
import { changeRole, peopleIn } from '../../../src/access/people/people.ts';
import { isCsrf, SESSION_TIMES, type Sessions, sessionsOf } from '../../../src/access/people/sessions.ts';
import { signinLink } from '../../../src/access/people/signinLinks.ts';
import { PEOPLE, SESSION_IDS, sessionRecord, signinRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf, mintSecret } from '../../../src/access/secret.ts';
import { beforeCommand } from '../../support/beforeCommand.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
let sessions: Sessions;
beforeAll(async () => {
  redis = await openDatabase();
  sessions = sessionsOf(redis.client);
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

const signedIn = async (of = sessions) => {
  const signed = await of.signIn((await of.createLink({ by: 'ada', name: 'ada', role: 'owner' })).token);
  if (signed === null) throw new Error('not signed in');
  return signed;
};

describe('a sign-in link', () => {
  it('is valid for ten minutes, independent of how often it is viewed', async () => {
    const { token, expiresMs } = await sessions.createLink({ by: 'ada', name: 'ada', role: 'owner' });
    expect(Math.abs(expiresMs - Date.now() - 600_000)).toBeLessThan(60_000);
    for (let i = 0; i < 20; i++) expect(await sessions.isOpen(token)).toBe(true);
    expect(await redis.client.pttl(signinRecord(hashOf(token)))).toBeGreaterThan(590_000);
    expect(signinLink('https://data.example', token)).toBe(`https://data.example/admin/signin/${token}`);
  });

  it('signs one of sixteen in', async () => {
    const { token } = await sessions.createLink({ by: 'ada', name: 'ada', role: 'owner' });
    const signed = await Promise.all(Array.from({ length: 16 }, () => sessions.signIn(token)));
    expect(signed.filter((session) => session !== null)).toHaveLength(1);
    expect([await sessions.isOpen(token), await sessions.signIn(token)]).toEqual([false, null]);
  });

  it.each([
    ['empty', ''],
    ['short', 'x'],
    ['unknown', mintSecret()],
  ])('that is %s signs nobody in', async (_, token) => {
    expect([await sessions.isOpen(token), await sessions.signIn(token)]).toEqual([false, null]);
  });

  it('changes the role of who signs in, unless an owner has changed it since', async () => {
    await signedIn();
    const linkFor = (role: 'viewer' | 'manager') => sessions.createLink({ by: 'ada', name: 'bob', role });
    const [first, early, late] = [await linkFor('viewer'), await linkFor('manager'), await linkFor('viewer')];
    const roleBy = async ({ token }: { readonly token: string }) =>
      (await sessions.signIn(token))?.session.role;
    // All three links were made when the person was still new.
    expect(await roleBy(first)).toBe('viewer');
    expect(await roleBy(early)).toBe('viewer');
    expect(await roleBy(await linkFor('manager'))).toBe('manager');
    expect(await roleBy(late)).toBe('manager');
    const before = await linkFor('manager');
    expect(await changeRole(redis.client, { name: 'bob', role: 'viewer', by: 'ada' })).toBe('changed');
    expect(await roleBy(before)).toBe('viewer');
    expect(await peopleIn(redis.client)).toEqual([
      { name: 'ada', role: 'owner', isByClaim: false },
      { name: 'bob', role: 'viewer', isByClaim: false },
    ]);
  });

  it('has no role to change for somebody who never signed in', async () => {
    await signedIn();
    expect(await changeRole(redis.client, { name: 'eve', role: 'manager', by: 'ada' })).toBe('unknown');
    expect((await peopleIn(redis.client)).map(({ name }) => name)).toEqual(['ada']);
  });

  it('does not lower the last owner', async () => {
    const roleBy = async (name: string, role: 'viewer' | 'owner') => {
      const { token } = await sessions.createLink({ by: 'root', name, role });
      return (await sessions.signIn(token))?.session.role;
    };
    expect([await roleBy('ada', 'owner'), await roleBy('ada', 'viewer')]).toEqual(['owner', 'owner']);
    expect([await roleBy('bob', 'owner'), await roleBy('ada', 'viewer')]).toEqual(['owner', 'viewer']);
  });

  it('that is overruled leaves a role of a claim as one of a claim', async () => {
    const { token } = await sessions.createLink({ by: 'ada', name: 'bob', role: 'viewer' });
    await redis.client.hset(PEOPLE, 'bob', 'manager by claim');
    expect((await sessions.signIn(token))?.session.role).toBe('manager');
    expect(await peopleIn(redis.client)).toEqual([{ name: 'bob', role: 'manager', isByClaim: true }]);
  });

  it('leaves one owner when two owners follow links to lower roles at the same moment', async () => {
    const lowering = (name: string) => sessions.createLink({ by: 'root', name, role: 'viewer' });
    for (let round = 0; round < 10; round += 1) {
      await redis.client.hset(PEOPLE, { ada: 'owner', bob: 'owner by claim' });
      const links = [await lowering('ada'), await lowering('bob')];
      const signed = await Promise.all(links.map(({ token }) => sessions.signIn(token)));
      const roles = signed.map((one) => one?.session.role);
      expect(roles.toSorted()).toEqual(['owner', 'viewer']);
      expect((await peopleIn(redis.client)).map(({ role }) => role)).toEqual(roles);
    }
  });

  it('gives its role to a person removed since, and where an earlier version stored no role before', async () => {
    const link = () => sessions.createLink({ by: 'ada', name: 'bob', role: 'manager' });
    const roleBy = async (token: string) => (await sessions.signIn(token))?.session.role;
    await roleBy((await link()).token);
    const late = await link();
    await redis.client.hdel(PEOPLE, 'bob');
    expect(await roleBy(late.token)).toBe('manager');
    const token = mintSecret();
    const stored = JSON.stringify({ by: 'ada', name: 'bob', role: 'viewer' });
    await redis.client.set(signinRecord(hashOf(token)), stored);
    expect(await roleBy(token)).toBe('viewer');
  });

  it('ends by itself', async () => {
    const quick = sessionsOf(redis.client, { ...SESSION_TIMES, linkMs: 20 });
    const { token } = await quick.createLink({ by: 'ada', name: 'ada', role: 'owner' });
    await sleep(30);
    expect(await quick.signIn(token)).toBeNull();
  });
});

describe('a session', () => {
  it('ends after half an hour without use, after twelve hours, or after one where a provider vouched', () => {
    const hourMs = 3_600_000;
    expect(SESSION_TIMES).toEqual({
      linkMs: hourMs / 6,
      idleMs: hourMs / 2,
      longestMs: 12 * hourMs,
      federatedMs: hourMs,
    });
  });

  it('is found by its cookie, of which only the hash is stored', async () => {
    const { cookie, session } = await signedIn();
    expect(session).toMatchObject({
      by: `ada, team page ${session.id}`,
      name: 'ada',
      role: 'owner',
      invitedBy: 'ada',
    });
    expect(Math.abs(session.endsMs - Date.now() - SESSION_TIMES.longestMs)).toBeLessThan(60_000);
    expect(await sessions.find(cookie)).toEqual(session);
    const kept = JSON.stringify(await redis.client.hgetall(sessionRecord(hashOf(cookie))));
    expect(kept).not.toContain(cookie);
    expect(kept).not.toContain(session.csrf);
    expect(await redis.client.keys('*')).toEqual(
      expect.arrayContaining(['audit', sessionRecord(hashOf(cookie))]),
    );
  });

  it('has a form token of its own', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    expect(one.session.csrf).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(one.session.csrf).not.toBe(other.session.csrf);
    expect(one.session.csrf).not.toBe(one.cookie);
  });

  it('expires when idle, and is extended by use', async () => {
    const { cookie } = await signedIn();
    const record = sessionRecord(hashOf(cookie));
    const idleMs = () => redis.client.pttl(record);
    const whole = SESSION_TIMES.idleMs;
    expect(await idleMs()).toBeGreaterThan(whole - 60_000);
    expect(await idleMs()).toBeLessThanOrEqual(whole);
    // The session was idle for almost too long. Then it is used.
    await redis.client.pexpire(record, 100_000);
    expect(await sessions.find(cookie)).not.toBeNull();
    expect(await idleMs()).toBeGreaterThan(whole - 60_000);
    await redis.client.pexpire(record, 1);
    await sleep(20);
    expect(await sessions.find(cookie)).toBeNull();
  });

  it('ends by hand, once', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    expect(await sessions.endById(one.session.id, 'bob')).toBe(true);
    expect([await sessions.find(one.cookie), await sessions.find(other.cookie)]).toEqual([
      null,
      other.session,
    ]);
    for (const gone of [one.session.id, 'unknown']) expect(await sessions.endById(gone, 'bob')).toBe(false);
    // The record of the session has expired, and nobody has read the list since.
    await redis.client.del(sessionRecord(hashOf(other.cookie)));
    expect(await sessions.endById(other.session.id, 'bob')).toBe(false);
    expect(await redis.client.hkeys(SESSION_IDS)).toEqual([]);
    const ends = (await readAudit(redis.client, { count: 99 })).filter(({ act }) => act === 'end-session');
    expect(ends).toMatchObject([{ by: 'bob', details: { name: 'ada', session: one.session.id } }]);
  });

  it('that could not be ended stays in the list, so that it can be ended again', async () => {
    const { session, cookie } = await signedIn();
    const failing = beforeCommand(
      redis.client,
      (name) => name === 'del',
      () => Promise.reject(new Error('Connection is closed.')),
    );
    await expect(sessionsOf(failing).endById(session.id, 'bob')).rejects.toThrow('closed');
    expect(await sessions.find(cookie)).toMatchObject({ id: session.id });
    expect(await sessions.list()).toMatchObject([{ id: session.id }]);
    expect(await sessions.endById(session.id, 'bob')).toBe(true);
    expect(await sessions.find(cookie)).toBeNull();
  });

  it('expires at its maximum age even when it is in use', async () => {
    const { cookie } = await signedIn();
    const record = sessionRecord(hashOf(cookie));
    expect(await sessions.find(cookie)).not.toBeNull();
    await redis.client.hset(record, 'ends', Date.now() - 1);
    expect(await sessions.find(cookie)).toBeNull();
    expect(await redis.client.exists(record)).toBe(0);
  });

  it('is listed, the latest first, until it is over', async () => {
    const all = [await signedIn(), await signedIn(), await signedIn()].map(({ session, cookie }) => ({
      id: session.id,
      record: sessionRecord(hashOf(cookie)),
    }));
    for (const [i, { record }] of all.entries()) await redis.client.hset(record, 'began', i === 0 ? 1 : 2);
    const [first, ...others] = all.map(({ id }) => id);
    const ids = async () => (await sessions.list()).map(({ id }) => id);
    const expected = [...others.sort(), first];
    expect(await ids()).toEqual(expected);
    // Redis lists a small hash in the order in which its fields were added, so they are added in another order.
    const hashes = Object.entries(await redis.client.hgetall(SESSION_IDS))
      .sort()
      .reverse();
    await redis.client.del(SESSION_IDS);
    await redis.client.hset(SESSION_IDS, ...hashes.flat());
    expect(await ids()).toEqual(expected);
    await redis.client.del(all[1]?.record ?? '');
    expect(await ids()).toEqual([all[2]?.id, first]);
  });

  it('is listed with who has it, by whom and how long, and not beyond its maximum age', async () => {
    const { session } = await signedIn();
    expect(session.id).toMatch(/^s[2-9a-z]{10}$/);
    const { id, name, role, invitedBy, endsMs } = session;
    const beganMs = endsMs - SESSION_TIMES.longestMs;
    expect(await sessions.list()).toEqual([{ id, name, role, invitedBy, beganMs, endsMs }]);
    const short = sessionsOf(redis.client, { ...SESSION_TIMES, longestMs: 200 });
    const { cookie, session: over } = await signedIn(short);
    expect(await redis.client.pttl(sessionRecord(hashOf(cookie)))).toBeLessThanOrEqual(200);
    await short.find(cookie);
    while ((await redis.client.exists(sessionRecord(hashOf(cookie)))) === 1)
      expect(Number((await redis.client.time())[0]) * 1000).toBeLessThan(over.endsMs + 10_000);
    expect((await sessions.list()).map((listed) => listed.id)).toEqual([id]);
    expect(await redis.client.hkeys(SESSION_IDS)).toEqual([id]);
  });

  it('keeps its role when the person is not known any more', async () => {
    const { cookie, session } = await signedIn();
    await redis.client.hdel(PEOPLE, session.name);
    expect((await sessions.find(cookie))?.role).toBe('owner');
    expect((await sessions.list()).map(({ role }) => role)).toEqual(['owner']);
  });

  it('has the fewest rights when its role is unknown and the person is not known any more', async () => {
    const { cookie, session } = await signedIn();
    await redis.client.hset(sessionRecord(hashOf(cookie)), 'role', 'king');
    expect((await sessions.find(cookie))?.role).toBe('owner');
    await redis.client.hdel(PEOPLE, session.name);
    expect((await sessions.find(cookie))?.role).toBe('viewer');
    expect((await sessions.list()).map(({ role }) => role)).toEqual(['viewer']);
  });

  it('accepts its own form token alone', async () => {
    const [{ session }, other] = [await signedIn(), await signedIn()];
    expect(isCsrf(session, session.csrf)).toBe(true);
    const { csrf } = session;
    for (const token of [other.session.csrf, `${csrf}0`, csrf.slice(1), ''])
      expect(isCsrf(session, token)).toBe(false);
  });

  it('ends by signing out, and another does not', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await sessions.end(one.cookie);
    expect(await sessions.find(one.cookie)).toBeNull();
    expect(await sessions.find(other.cookie)).not.toBeNull();
    await sessions.end(one.cookie);
    await sessions.end('no cookie');
    expect(await redis.client.hkeys(SESSION_IDS)).toEqual([other.session.id]);
    const acts = (await readAudit(redis.client, { count: 9 })).map(({ act }) => act);
    expect(acts.filter((act) => act === 'signout')).toHaveLength(1);
  });

  it.each([
    ['is empty', ''],
    ['is short', 'x'],
    ['nobody has', mintSecret()],
    ['is a name of JavaScript', '__proto__'],
  ])('is not found by a cookie that %s', async (_, cookie) => {
    expect(await sessions.find(cookie)).toBeNull();
  });

  it('is traced in the audit log from the link to the end', async () => {
    const { cookie, session } = await signedIn();
    await sessions.end(cookie);
    const recorded = (await readAudit(redis.client, { count: 9 })).map(({ by, act, details }) => [
      by,
      act,
      details,
    ]);
    expect(recorded).toEqual([
      [session.by, 'signout', {}],
      [session.by, 'signin', { link: 'ada', role: 'owner' }],
      ['ada', 'signin-link', { name: 'ada', role: 'owner' }],
    ]);
  });
});

describe('a federated session', () => {
  const federated = async (
    name: string,
    account: string,
    providerSession: string | null,
    store: Sessions = sessions,
  ) => {
    const terms = { by: 'https://login.example', name, claimedRole: 'manager' } as const;
    return (await store.beginFederated({ ...terms, account, providerSession })).session.id;
  };
  const ids = async () => (await sessions.list()).map(({ id }) => id).sort();

  it('lasts an hour, or less where no session lasts longer, and its role is that of the claim', async () => {
    const lasts = async () => (await sessions.list()).map(({ beganMs, endsMs }) => endsMs - beganMs);
    await federated('ada', 'a', 's1');
    expect(await lasts()).toEqual([3_600_000]);
    expect(await peopleIn(redis.client)).toEqual([{ name: 'ada', role: 'manager', isByClaim: true }]);
    await redis.empty();
    await federated('ada', 'a', 's1', sessionsOf(redis.client, { ...SESSION_TIMES, longestMs: 60_000 }));
    expect(await lasts()).toEqual([60_000]);
  });

  it('is recorded as a sign-in through the provider, not by a link', async () => {
    await federated('ada', 'a', 's1');
    const [entry] = await readAudit(redis.client, { count: 1 });
    expect(entry).toMatchObject({ act: 'signin' });
    expect(entry?.details).toEqual({ provider: 'https://login.example', role: 'manager' });
  });

  it('ends with the session there, and no other does', async () => {
    const [one, other] = [await federated('ada', 'a', 's1'), await federated('ada', 'a', 's2')];
    const unnamed = await federated('ada', 'a', null);
    const linked = (await signedIn()).session.id;
    expect(await sessions.endByProvider({ providerSession: 's3' }, 'provider')).toBe(0);
    expect(await sessions.endByProvider({ providerSession: 's1', account: 'b' }, 'provider')).toBe(0);
    expect(await ids()).toEqual([one, other, unnamed, linked].sort());
    expect(await sessions.endByProvider({ providerSession: 's1', account: 'a' }, 'provider')).toBe(1);
    // Reading the list would also remove ended sessions, so the stored ids are compared first.
    expect((await redis.client.hkeys(SESSION_IDS)).sort()).toEqual([other, unnamed, linked].sort());
    expect(await ids()).toEqual([other, unnamed, linked].sort());
    expect(await sessions.endByProvider({ providerSession: 's2' }, 'provider')).toBe(1);
    expect(await ids()).toEqual([unnamed, linked].sort());
    const [entry] = await readAudit(redis.client, { count: 1 });
    expect(entry).toMatchObject({
      by: 'provider',
      act: 'end-session',
      details: { name: 'ada', session: other },
    });
  });

  it('ends with all others of its account, and none of another account or of a link', async () => {
    await federated('ada', 'a', 's1');
    await federated('ada', 'a', null);
    const other = await federated('bob', 'b', 's1');
    const linked = (await signedIn()).session.id;
    expect(await sessions.endByProvider({ account: 'a' }, 'provider')).toBe(2);
    expect(await ids()).toEqual([other, linked].sort());
  });

  it('without a claim has the role that an owner gives meanwhile, which stands', async () => {
    const bob = { by: 'https://login.example', name: 'bob', account: 'b', providerSession: null };
    await sessions.beginFederated({ ...bob, claimedRole: 'owner' });
    await sessions.beginFederated({ ...bob, claimedRole: null });
    const bobs = { name: 'bob', isByClaim: false } as const;
    expect(await peopleIn(redis.client)).toEqual([{ ...bobs, role: 'viewer' }]);
    const promote = () => changeRole(redis.client, { name: 'bob', role: 'manager', by: 'ada' });
    const client = beforeCommand(redis.client, (name) => name === 'xadd', promote);
    const { session } = await sessionsOf(client).beginFederated({ ...bob, claimedRole: null });
    expect(session.role).toBe('manager');
    expect(await peopleIn(redis.client)).toEqual([{ ...bobs, role: 'manager' }]);
  });

  it('is passed over when its record has expired', async () => {
    const id = await federated('ada', 'a', 's1');
    await redis.client.del(sessionRecord((await redis.client.hget(SESSION_IDS, id)) ?? ''));
    expect(await sessions.endByProvider({ account: 'a' }, 'provider')).toBe(0);
    expect(await sessions.endByProvider({ providerSession: 's1' }, 'provider')).toBe(0);
  });
});

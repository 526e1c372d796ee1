// A backup restores keys, limits, usage, roles and the audit log, and holds no secret.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readAudit } from '../../src/access/audit.ts';
import {
  type BackupCounts,
  BackupRefused,
  exportAccess,
  importAccess,
  parseBackup,
} from '../../src/access/backup.ts';
import { type CreatedInvite, invitesOf } from '../../src/access/invites/invites.ts';
import { dateOf } from '../../src/access/keys/dailyUsage.ts';
import { type IssuedKey, keysOf } from '../../src/access/keys/keys.ts';
import { peopleIn } from '../../src/access/people/people.ts';
import { sessionsOf } from '../../src/access/people/sessions.ts';
import {
  AUDIT,
  dayLog,
  dayOf,
  INVITE_IDS,
  inviteRecord,
  KEY_IDS,
  keyRecord,
  usageOfDay,
} from '../../src/access/redis/keyNames.ts';
import { hashOf } from '../../src/access/secret.ts';
import { clockAhead } from '../support/clockOfRedis.ts';
import { itInDepth } from '../support/depth.ts';
import { patientGate } from '../support/patientGate.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { inOneDay } from '../support/wholeDay.ts';

const BOB = { by: 'https://id.example', name: 'Bob', account: 'bob', providerSession: null };
const LIMITS = { perMinute: 5, perDay: 100 };

let old: TestRedis;
let fresh: TestRedis;
/** The backup of `old`. */
let backup: string;
let secrets: readonly string[] = [];
let active: IssuedKey;
let revoked: IssuedKey;
let open: CreatedInvite;
/** What was restored into `fresh` before each test. */
let imported: BackupCounts;
beforeAll(inOneDay);
beforeAll(async () => {
  [old, fresh] = await Promise.all([startRedis(), startRedis()]);
});
afterAll(async () => {
  await Promise.all([old.close(), fresh.close()]);
});

const linesOf = async (redis: TestRedis) =>
  (await exportAccess(redis.client)).map((line) => JSON.stringify(line)).join('\n');

beforeAll(async () => {
  const keys = keysOf(old.client);
  active = await keys.issue({ label: 'Zoë & Co', by: 'test' });
  revoked = await keys.issue({ label: 'gone', by: 'test' });
  await keys.changeLimits(active.id, { perMinute: 4 }, 'test');
  await keys.revoke(revoked.id, 'test');
  open = await invitesOf(old.client).create({ label: 'guest', claimableMs: 600_000, by: 'test' });
  const sessions = sessionsOf(old.client);
  const { token } = await sessions.createLink({ by: 'test', name: 'Ann', role: 'owner' });
  const ann = await sessions.signIn(token);
  await sessions.beginFederated({ ...BOB, claimedRole: 'manager' });
  const unused = await sessions.createLink({ by: 'test', name: 'Eve', role: 'owner' });
  secrets = [token, ann?.cookie, ann?.session.csrf, unused.token, open.token, active.key].map(String);
  const gate = patientGate(old.client, LIMITS);
  for (let i = 0; i < 3; i++) await gate.admit(hashOf(active.key));
  backup = await linesOf(old);
});
beforeEach(async () => {
  await fresh.empty();
  imported = await importAccess(fresh.client, parseBackup(backup));
});

describe('a backup of keys', () => {
  it('restores keys, limits, windows, usage, invites, roles and the audit log onto an empty machine', async () => {
    expect(imported).toEqual({
      keys: 2,
      invites: 1,
      people: 2,
      auditEntries: 9,
    });

    const [listed, restored] = [await keysOf(old.client).list(), await keysOf(fresh.client).list()];
    expect(restored).toEqual(listed);
    const restoredGate = patientGate(fresh.client, LIMITS);
    const verdict = await restoredGate.admit(hashOf(active.key));
    expect(verdict).toMatchObject({
      outcome: 'admitted',
      windows: { minute: { limit: 4, used: 4 }, day: { used: 4 } },
    });
    expect((await restoredGate.admit(hashOf(active.key))).outcome).toBe('limited');
    expect((await restoredGate.admit(hashOf(revoked.key))).outcome).toBe('revoked');
    expect((await keysOf(fresh.client).usage(active.id)).days).toMatchObject([{ requests: 4, refused: 1 }]);
    expect(await peopleIn(fresh.client)).toEqual([
      { name: 'Ann', role: 'owner', isByClaim: false },
      { name: 'Bob', role: 'manager', isByClaim: true },
    ]);
    expect(await readAudit(fresh.client, { count: 10 })).toEqual(await readAudit(old.client, { count: 10 }));
    // Without its id, an invite could still be claimed, but nobody could list or revoke it.
    const invites = await invitesOf(fresh.client).list();
    expect(invites).toEqual(await invitesOf(old.client).list());
    expect(invites).toHaveLength(1);
    expect(await invitesOf(fresh.client).claim(open.token)).toMatchObject({
      outcome: 'claimed',
      label: 'guest',
    });
  });

  it('holds no key, no claim link, no sign-in link and no session', async () => {
    expect(backup).not.toMatch(/sk_live_|claim\//);
    expect(secrets).toHaveLength(6);
    for (const secret of secrets) {
      expect(backup).not.toContain(secret);
    }
    const left = (await fresh.client.keys('*')).filter((name) => /^(?:session|signin|form)/.test(name));
    expect(left).toEqual([]);
    expect(backup.split('\n').length).toBeGreaterThan(8);
  });

  it('leaves out a key that is still being issued', async () => {
    const hash = hashOf('pending');
    await fresh.client.hset(KEY_IDS, 'k2345678abc', hash);
    await fresh.client.hset(keyRecord(hash), { id: 'k2345678abc', label: 'Acme', state: 'pending' });
    const kept = (await exportAccess(fresh.client)).filter(({ kind }) => kind === 'key');
    expect(kept.map((line) => 'hash' in line && line.hash).sort()).toEqual(
      [active.key, revoked.key].map(hashOf).sort(),
    );
  });

  it('leaves out an invite whose record has expired', async () => {
    await old.client.hset(INVITE_IDS, 'i2345678', 'f'.repeat(64));
    expect((await exportAccess(old.client)).filter(({ kind }) => kind === 'invite')).toHaveLength(1);
    await old.client.hdel(INVITE_IDS, 'i2345678');
  });

  it('is the same when nothing has happened in between, apart from its time', async () => {
    const withoutTime = (text: string) => text.replace(/"at":"[^"]+"/, '');
    // Redis lists the ids in another order afterwards.
    const [[id, hash] = ['', '']] = Object.entries(await old.client.hgetall(KEY_IDS));
    await old.client.hdel(KEY_IDS, id);
    await old.client.hset(KEY_IDS, id, hash);
    expect(withoutTime(await linesOf(old))).toBe(withoutTime(backup));
  });

  it('restores all that expires with its lifetime, and nothing else expires', async () => {
    const names = await fresh.client.keys('*');
    const expiring: string[] = [];
    for (const name of names) {
      const [before, after] = [await old.client.pttl(name), await fresh.client.pttl(name)];
      expect([name, after > 0]).toEqual([name, before > 0]);
      // `fresh` was restored a moment later, so a log or a counter lives a little longer there.
      expect(Math.abs(after - before)).toBeLessThan(60_000);
      if (after > 0) expiring.push(name.replace(/:.*/, ''));
    }
    expect(expiring.sort()).toEqual(['day', 'invite', 'minute', 'usage']);
  });

  it.each([
    ['is no number', 'soon'],
    ['is beyond all dates', '1e99'],
  ])('restores a damaged invite whose end %s', async (_, expires) => {
    const [hash = ''] = await fresh.client.hvals(INVITE_IDS);
    await fresh.client.hset(inviteRecord(hash), { expires });
    const lines = await exportAccess(fresh.client);
    await fresh.empty();
    await importAccess(fresh.client, lines);
    expect(await invitesOf(fresh.client).list()).toMatchObject([{ id: open.id, state: 'damaged' }]);
  });

  itInDepth('restores a key with more requests in a day than one command takes', async () => {
    const { key } = await keysOf(fresh.client).issue({ label: 'large customer', by: 'test' });
    const log = dayLog(hashOf(key));
    // The log is written in parts: on a busy machine, one command for all entries may exceed the deadline of commands.
    const part =
      "for i = 1, 10000 do redis.call('RPUSH', KEYS[1], 1795800000000000 + ARGV[1] * 10000 + i) end";
    for (let i = 0; i < 15; i++) await fresh.client.eval(part, 1, log, i);
    const digest = () =>
      fresh.client.eval(
        "return redis.sha1hex(table.concat(redis.call('LRANGE', KEYS[1], 0, -1), ' '))",
        1,
        log,
      );
    const [before, lines] = [await digest(), await exportAccess(fresh.client)];
    await fresh.empty();
    expect(await digest()).not.toBe(before);
    await importAccess(fresh.client, lines);
    expect(await digest()).toBe(before);
  });

  it('has the usage of the last 31 days', async () => {
    const { key } = await keysOf(fresh.client).issue({ label: 'old customer', by: 'test' });
    const today = dayOf(Date.now());
    for (const age of [30, 31]) await fresh.client.set(usageOfDay(hashOf(key), today - age), '7');
    const line = (await exportAccess(fresh.client)).find(
      (one) => one.kind === 'key' && one.hash === hashOf(key),
    );
    expect(line).toMatchObject({ usage: { [today - 30]: '7' } });
    expect(line).not.toHaveProperty(['usage', String(today - 31)]);
  });

  it('leaves out a counter of usage that is not a number, with which it could not be restored', async () => {
    const { key } = await keysOf(fresh.client).issue({ label: 'damaged usage', by: 'test' });
    await fresh.client.set(usageOfDay(hashOf(key), dayOf(Date.now())), 'x');
    const lines = parseBackup(
      (await exportAccess(fresh.client)).map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    expect(lines).toContainEqual(expect.objectContaining({ hash: hashOf(key), usage: {} }));
  });

  it("has the usage of today by Redis's clock, where it is another day than here", async () => {
    const { key } = await keysOf(fresh.client).issue({ label: 'early customer', by: 'test' });
    const tomorrow = dayOf(Date.now()) + 1;
    await fresh.client.set(usageOfDay(hashOf(key), tomorrow), '7');
    const putBack = clockAhead(fresh.client, 86_400_000);
    const lines = await exportAccess(fresh.client);
    putBack();
    expect(lines).toContainEqual(expect.objectContaining({ hash: hashOf(key), usage: { [tomorrow]: '7' } }));
    expect(lines[0]).toMatchObject({ kind: 'begin', at: expect.stringContaining(dateOf(tomorrow)) });
  });

  it('has an audit log of several thousand entries once each', async () => {
    const entries = Array.from({ length: 2500 }, (_, i) => `9999999999999-${i}`);
    const adding = fresh.client.pipeline();
    for (const entry of entries) adding.xadd(AUDIT, entry, 'by', 'test', 'act', 'signin');
    await adding.exec();
    const lines = await exportAccess(fresh.client);
    const exported = lines.flatMap((line) => (line.kind === 'audit' ? [line.entry] : []));
    expect(exported.slice(-entries.length)).toEqual(entries);
    expect(exported).toHaveLength(await fresh.client.xlen(AUDIT));
  });

  it('of an earlier version, without people, is restored too', async () => {
    const earlier = backup.split('\n').filter((line) => !line.includes('"kind":"person"'));
    const end = JSON.stringify({ kind: 'end', lines: earlier.length - 1 });
    const empty = await startRedis();
    try {
      const restored = await importAccess(
        empty.client,
        parseBackup([...earlier.slice(0, -1), end].join('\n')),
      );
      expect(restored).toEqual({ keys: 2, invites: 1, people: 0, auditEntries: 9 });
    } finally {
      await empty.close();
    }
  });

  it('is read as well after an editor has put a byte order mark before it', () => {
    expect(parseBackup(`\uFEFF${backup}`)).toEqual(parseBackup(backup));
  });

  it('is not restored over keys', async () => {
    await expect(importAccess(old.client, parseBackup(backup))).rejects.toThrow(
      new BackupRefused(
        'this Redis has keys, invites, people or an audit log already; restore into an empty one',
      ),
    );
  });

  it.each([
    [
      'cut short',
      (text: string) => text.split('\n').slice(0, -1).join('\n'),
      /the end of the backup is missing/,
    ],
    [
      'with a line lost',
      (text: string) => text.split('\n').toSpliced(2, 1).join('\n'),
      /the end of the backup/,
    ],
    ['cut in a line', (text: string) => text.slice(0, -5), /line \d+ is not JSON; copy the file again/],
    ['empty', () => '', /line 1 is not the beginning of a backup of `keys export`/],
    ['cut after an empty line', (text: string) => `\n${text.split('\n')[0]}\n\n{`, /line 4 is not JSON/],
    ['cut behind its first line', (text: string) => `\n${text.split('\n')[0]}\n`, /line 2: the end of the/],
    ['without its beginning', () => '\n{"kind":"end","lines":0}', /line 2 is not the beginning/],
    [
      'of another kind',
      () => '{"kind":"begin","format":2,"at":"2026-11-22T00:00:00Z"}',
      /line 1 is not a line of a backup \(format/,
    ],
    [
      'with a line that is a number',
      (text: string) => text.replace('\n', '\n7\n'),
      /line 2 is not a line of a backup \(kind: /,
    ],
    [
      'with a role that does not exist',
      (text: string) => text.replace('"role":"manager","isByClaim"', '"role":"admin","isByClaim"'),
      /is not a line of a backup \(role/,
    ],
    [
      'with a person without a name',
      (text: string) => text.replace(/("kind":"person","name":)"[^"]*"/, '$1""'),
      /is not a line of a backup \(name/,
    ],
    [
      'with a number where a text belongs',
      (text: string) => text.replace(/"label":"[^"]*"/, '"label":1'),
      /is not a line of a backup \(\w+\.label: /,
    ],
    [
      'with a key instead of its hash',
      (text: string) => text.replace(/"hash":"[0-9a-f]+"/, '"hash":"abc"'),
      /line 2 is not a line/,
    ],
    [
      'with more before a hash',
      (text: string) => text.replace(/"hash":"/, '"hash":"key-'),
      /line 2 is not a line of a backup \(hash/,
    ],
    [
      'with more after a hash',
      (text: string) => text.replace(/("hash":"[0-9a-f]+)/, '$10'),
      /line 2 is not a line of a backup \(hash/,
    ],
  ])('%s is refused before anything is written', (_, damage, message) => {
    expect(() => parseBackup(damage(backup))).toThrow(message);
  });
});

// The life of an invite: its link, its claim, its end.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readAudit } from '../../../src/access/audit.ts';
import { inviteIndexOf } from '../../../src/access/invites/inviteIndex.ts';
import { claimLink, INVITE_MS, type Invites, invitesOf } from '../../../src/access/invites/invites.ts';
import { LAST_MS } from '../../../src/access/keys/keyRecords.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import type { OpenRedis } from '../../../src/access/redis/connection.ts';
import { INVITE_IDS, inviteRecord, KEY_IDS, keyRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf, mintSecret } from '../../../src/access/secret.ts';
import { beforeCommand } from '../../support/beforeCommand.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
let other: OpenRedis;
let invites: Invites;
beforeAll(async () => {
  redis = await openDatabase();
  other = redis.connect();
  await other.untilAnswered(60_000);
  invites = invitesOf(redis.client);
});
afterAll(async () => {
  await other.close();
  await redis.close();
});
beforeEach(() => redis.empty());

const WEEK_MS = 604_800_000;
const anInvite = (claimableMs = WEEK_MS) => invites.create({ label: 'Acme', claimableMs, by: 'ada' });

/** A client beside which somebody acts after the invite was read, and before it is revoked. */
const beforeRevoking = (act: () => Promise<unknown>) =>
  beforeCommand(
    redis.client,
    (name, [script]) => name === 'eval' && String(script).includes("'state', 'revoked'"),
    act,
  );

/** Makes the invite expire. */
const expire = (token: string) => redis.client.hset(inviteRecord(hashOf(token)), 'expires', 1);

describe('an invite', () => {
  it('is valid until it expires, and only its hash is stored', async () => {
    const { token, id, label, expiresMs } = await anInvite();
    expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(id).toMatch(/^i[0-9a-z]{10}$/);
    expect(Math.abs(expiresMs - Date.now() - WEEK_MS)).toBeLessThan(60_000);
    expect(await invites.stateOf(token)).toMatchObject({ state: 'open', label, expiresMs });
    expect(await redis.client.hgetall(INVITE_IDS)).toEqual({ [id]: hashOf(token) });
    expect(await invites.list()).toEqual([
      { id, label, state: 'open', createdMs: expiresMs - WEEK_MS, expiresMs, claimedMs: null, keyId: null },
    ]);
    await expire(token);
    expect(await invites.stateOf(token)).toMatchObject({ state: 'expired' });
    expect(await invites.claim(token)).toEqual({ outcome: 'expired' });
    expect(await keysOf(redis.client).list()).toEqual([]);
  });

  it('is remembered for 90 days after its end, then forgotten with its id', async () => {
    const { token } = await anInvite();
    const left = await redis.client.pttl(inviteRecord(hashOf(token)));
    expect(Math.abs(left - WEEK_MS - 90 * 86_400_000)).toBeLessThan(60_000);
    await redis.client.del(inviteRecord(hashOf(token)));
    expect(await invites.list()).toEqual([]);
    expect(await redis.client.exists(INVITE_IDS)).toBe(0);
  });

  it('is listed after older ones, and by its id among those of the same millisecond', async () => {
    const made = [await anInvite(), await anInvite(), await anInvite()];
    for (const [i, { token }] of made.entries())
      await redis.client.hset(inviteRecord(hashOf(token)), 'created', i === 2 ? 1 : 2);
    const [one, other, oldest] = made.map(({ id }) => id);
    // Redis lists a small hash in the order in which its fields were added, so they are added in both orders.
    const hashes = Object.entries(await redis.client.hgetall(INVITE_IDS)).sort();
    for (const added of [hashes, hashes.toReversed()]) {
      await redis.client.del(INVITE_IDS);
      await redis.client.hset(INVITE_IDS, ...added.flat());
      expect((await invites.list()).map(({ id }) => id)).toEqual([oldest, ...[one, other].sort()]);
    }
  });

  it('is not changed by a look at it', async () => {
    const { token } = await anInvite();
    const before = await redis.client.dump(inviteRecord(hashOf(token)));
    for (let i = 0; i < 20; i++) await invites.stateOf(token);
    expect(await redis.client.dump(inviteRecord(hashOf(token)))).toEqual(before);
  });

  it('has in the audit log the terms that were given, and no others', async () => {
    const common = { label: 'Acme', claimableMs: WEEK_MS, by: 'ada' };
    await invites.create({ ...common, perMinute: 5, perDay: null, endsAfterMs: null, note: null });
    const [entry] = await readAudit(redis.client, { count: 1 });
    expect(entry?.details).toEqual({ label: 'Acme', perMinute: '5' });
  });

  it('has a link without a query', () => {
    expect(claimLink('https://data.example/api', 'abc')).toBe('https://data.example/api/claim/abc');
  });
});

describe('claim', () => {
  it('gives a key with the label of the invite, and is recorded in the audit log', async () => {
    const { token, id: inviteId } = await anInvite();
    const claimed = await invites.claim(token);
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    const { key, id, label } = claimed;
    expect(label).toBe('Acme');
    expect(await keysOf(redis.client).list()).toMatchObject([{ id, label, state: 'active', perDay: null }]);
    expect(await redis.client.pttl(keyRecord(hashOf(key)))).toBe(-1);
    expect(await invites.list()).toMatchObject([
      { id: inviteId, state: 'used', keyId: id, claimedMs: expect.any(Number) },
    ]);
    const [deed] = await readAudit(redis.client, { count: 1 });
    expect(deed).toMatchObject({ by: 'claim page', act: 'claim', keyId: id, inviteId, details: { label } });
  });

  it('gives a key with the limits, the note and the end that the invite states', async () => {
    const terms = { perMinute: 5, perDay: 70, endsAfterMs: WEEK_MS, note: 'trial' };
    const { token } = await invites.create({ label: 'Acme', claimableMs: WEEK_MS, by: 'ada', ...terms });
    const claimed = await invites.claim(token);
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    const [key] = await keysOf(redis.client).list();
    expect(key).toMatchObject({ perMinute: 5, perDay: 70, note: 'trial' });
    expect((key?.expiresMs ?? 0) - (key?.createdMs ?? 0)).toBe(WEEK_MS);
    // The page of the claim shows these.
    expect(claimed).toMatchObject({ perMinute: 5, perDay: 70, expiresMs: key?.expiresMs });
    const endless = await invites.create({ label: 'Endless', claimableMs: WEEK_MS, by: 'ada' });
    expect(await invites.claim(endless.token)).toMatchObject({ outcome: 'claimed', expiresMs: null });
  });

  it('tells which browser claimed, where it said so', async () => {
    const [one, other] = [await anInvite(), await anInvite()];
    await invites.claim(one.token, 'browser');
    await invites.claim(other.token);
    expect(await invites.stateOf(one.token)).toMatchObject({ state: 'used', claimedBy: 'browser' });
    expect(await invites.stateOf(other.token)).toMatchObject({ state: 'used', claimedBy: null });
  });

  it('works once', async () => {
    const { token } = await anInvite();
    await invites.claim(token);
    expect(await invites.claim(token)).toEqual({ outcome: 'used' });
    await expire(token);
    expect(await invites.claim(token)).toEqual({ outcome: 'used' });
    expect(await keysOf(redis.client).list()).toHaveLength(1);
  });

  it('gives one key to sixteen who claim at the same moment, over two connections', async () => {
    for (let round = 0; round < 20; round++) {
      await redis.empty();
      const { token } = await anInvite();
      const servers = [invites, invitesOf(other.client)] as const;
      const claims = await Promise.all(
        Array.from({ length: 16 }, (_, i) => servers[i % 2 === 0 ? 0 : 1].claim(token)),
      );
      const outcomes = claims.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual(['claimed', ...Array(15).fill('used')]);
      expect(await redis.client.keys('key:*')).toHaveLength(1);
      expect(await redis.client.hlen(KEY_IDS)).toBe(1);
      expect(await keysOf(redis.client).list()).toHaveLength(1);
      expect((await readAudit(redis.client, { count: 99 })).map(({ act }) => act)).toEqual([
        'claim',
        'invite',
      ]);
    }
  });

  it.each([
    ['expired', (token: string, _: string) => expire(token)],
    ['revoked', (_: string, id: string) => invites.revoke(id, 'bob')],
  ])('gives no key when the invite is %s the moment before it is won', async (outcome, end) => {
    const { token, id } = await anInvite();
    // HSETNX lists the id of the new key. The command after it claims the invite.
    const client = new Proxy(redis.client, {
      get(target, name) {
        if (name === 'hsetnx')
          return async (...args: [string, string, string]) => {
            await end(token, id);
            return target.hsetnx(...args);
          };
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect(await invitesOf(client).claim(token)).toEqual({ outcome });
    expect(await redis.client.keys('key:*')).toEqual([]);
  });

  it.each([
    ['unknown', mintSecret],
    ['cut', async () => (await anInvite()).token.slice(0, -1)],
    ['longer', async () => `${(await anInvite()).token}0`],
    ['altered', async () => (await anInvite()).token.replace(/.$/, (end) => (end === '0' ? '1' : '0'))],
    ['empty', () => ''],
    ['no token at all', () => '../../etc/passwd\u0000'],
  ])('refuses a token that is %s', async (_, make) => {
    const token = await make();
    expect(await invites.stateOf(token)).toEqual({ state: 'unknown' });
    expect(await invites.claim(token)).toEqual({ outcome: 'unknown' });
    expect(await keysOf(redis.client).list()).toEqual([]);
  });

  it('treats an invite as used during a claim, and as open after the claim failed', async () => {
    const { token, id } = await anInvite();
    await invites.claim(token, 'browser');
    const [key = ''] = await redis.client.keys('key:*');
    await redis.client.hset(key, 'state', 'pending');
    expect(await invites.stateOf(token)).toMatchObject({ state: 'used' });
    await redis.client.del(key);
    expect(await invites.stateOf(token)).toMatchObject({ state: 'open', claimedBy: null });
    expect(await invites.list()).toMatchObject([{ id, state: 'open', claimedMs: null, keyId: null }]);
    expect(await invites.claim(token)).toMatchObject({ outcome: 'claimed' });
  });
});

describe('revoke', () => {
  it('makes the link invalid', async () => {
    const { token, id } = await anInvite();
    expect(await invites.revoke(id, 'bob')).toBe('revoked');
    expect(await invites.stateOf(token)).toMatchObject({ state: 'revoked' });
    expect(await invites.claim(token)).toEqual({ outcome: 'revoked' });
    expect(await invites.revoke(id, 'bob')).toBe('already');
    expect((await readAudit(redis.client, { count: 9 })).map(({ by, act }) => [by, act])).toEqual([
      ['bob', 'revoke-invite'],
      ['ada', 'invite'],
    ]);
  });

  it('works after a claim that was cut short, and is recorded with the label', async () => {
    const { token, id } = await anInvite();
    await invites.claim(token);
    await redis.client.del(...(await redis.client.keys('key:*')));
    expect(await invites.revoke(id, 'bob')).toBe('revoked');
    expect(await invites.stateOf(token)).toMatchObject({ state: 'revoked' });
    const [entry] = await readAudit(redis.client, { count: 1 });
    expect(entry).toMatchObject({ act: 'revoke-invite', inviteId: id, details: { label: 'Acme' } });
  });

  it('does not affect a key that was already claimed', async () => {
    const { token, id } = await anInvite();
    await invites.claim(token);
    expect(await invites.revoke(id, 'bob')).toBe('used');
    expect(await keysOf(redis.client).list()).toMatchObject([{ state: 'active' }]);
  });

  it('and a simultaneous claim: exactly one of the two succeeds', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 30; round++) {
      await redis.empty();
      const { token, id } = await anInvite();
      const [claimed, revoked] = await Promise.all([
        invites.claim(token),
        invitesOf(other.client).revoke(id, 'bob'),
      ]);
      const keys = await keysOf(redis.client).list();
      expect([`${claimed.outcome}, ${revoked}`, keys.length]).toEqual(
        claimed.outcome === 'claimed' ? ['claimed, used', 1] : ['revoked, revoked', 0],
      );
      seen.add(claimed.outcome);
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  it('writes no record, and no list entry without an end, for an invite that is forgotten the moment before', async () => {
    const { token, id } = await anInvite();
    const record = inviteRecord(hashOf(token));
    expect(await invitesOf(beforeRevoking(() => redis.client.del(record))).revoke(id, 'bob')).toBe('unknown');
    expect(await redis.client.exists(record)).toBe(0);
    expect(await invites.list()).toEqual([]);
  });

  it('tells the slower of two people that the invite was revoked already', async () => {
    const { id } = await anInvite();
    const client = beforeRevoking(() => invites.revoke(id, 'ada'));
    expect(await invitesOf(client).revoke(id, 'bob')).toBe('already');
    expect(await invites.list()).toMatchObject([{ id, state: 'revoked' }]);
  });

  it('finds no invite by another id', async () => {
    expect(await invites.revoke('i2345678abc', 'bob')).toBe('unknown');
    expect(await invites.revoke('no id', 'bob')).toBe('unknown');
  });
});

describe('invites', () => {
  it('are listed oldest first, whatever their order in Redis', async () => {
    const made = [await anInvite(), await anInvite(), await anInvite()];
    for (const [i, { token, id }] of made.entries()) {
      await redis.client.hset(inviteRecord(hashOf(token)), 'created', 3000 - i);
      // Redis lists a small hash in the order in which its fields were added: here, the newest invite first.
      expect(await redis.client.hget(INVITE_IDS, id)).toBe(hashOf(token));
    }
    expect((await invites.list()).map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  });
});

it('an invite whose record is gone is listed no more, and the others stay', async () => {
  const [one, gone, other] = [await anInvite(), await anInvite(), await anInvite()];
  await redis.client.del(inviteRecord(hashOf(gone.token)));
  expect(await invites.revoke(gone.id, 'ada')).toBe('unknown');
  const ids = async () => (await invites.list()).map(({ id }) => id).sort();
  for (let times = 0; times < 2; times++) expect(await ids()).toEqual([one.id, other.id].sort());
  expect((await redis.client.hkeys(INVITE_IDS)).sort()).toEqual([one.id, other.id].sort());
});

it.each<[string, (record: string) => Promise<unknown>]>([
  ['of another type', (record) => redis.client.set(record, 'x')],
  ['with a time that is none', (record) => redis.client.hset(record, { expires: 'soon' })],
  ['with a time after the last', (record) => redis.client.hset(record, { created: `${LAST_MS + 1}` })],
  ['without an id and a label', (record) => redis.client.hdel(record, 'id', 'label')],
  ['without the time of its creation', (record) => redis.client.hdel(record, 'created')],
  ['without an end', (record) => redis.client.hdel(record, 'expires')],
])(
  'a damaged record %s gives no key, stays in the list, and is replaced when it is revoked',
  async (_, damage) => {
    const whole = await anInvite();
    const { id, token } = await anInvite();
    await damage(inviteRecord(hashOf(token)));
    expect(await invites.stateOf(token)).toEqual({ state: 'unknown' });
    expect(await invites.claim(token)).toEqual({ outcome: 'unknown' });
    const index = inviteIndexOf(redis.client);
    const states = async () => [
      Object.fromEntries((await invites.list()).map((one) => [one.id, one.state])),
      Object.fromEntries((await index.list()).map((one) => [one.id, one.state])),
    ];
    expect((await invites.list()).map((one) => typeof one.label)).toEqual(['string', 'string']);
    // Reading the list removes no invite from it.
    for (let times = 0; times < 2; times++)
      expect(await states()).toEqual(Array(2).fill({ [whole.id]: 'open', [id]: 'damaged' }));
    expect(await invites.revoke(id, 'ada')).toBe('revoked');
    expect(await states()).toEqual(Array(2).fill({ [whole.id]: 'open', [id]: 'revoked' }));
    expect(await invites.claim(token)).toEqual({ outcome: 'revoked' });
    expect(await redis.client.pttl(inviteRecord(hashOf(token)))).toBeGreaterThan(0);
  },
);

it('an invite is listed although the record of its key is damaged', async () => {
  const { id, token } = await anInvite();
  const claimed = await invites.claim(token);
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  await redis.client.set(keyRecord(hashOf(claimed.key)), 'x');
  expect(await invites.list()).toMatchObject([{ id, state: 'used', keyId: claimed.id }]);
});

it('a link to claim a key works for seven days (ruling 26)', () => {
  expect(INVITE_MS).toBe(604_800_000);
});

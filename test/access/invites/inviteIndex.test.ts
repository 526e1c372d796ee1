// The index of invites reflects every act that precedes a read of it.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InviteIndex, inviteIndexOf } from '../../../src/access/invites/inviteIndex.ts';
import { invitesOf } from '../../../src/access/invites/invites.ts';
import type { RedisClient } from '../../../src/access/redis/connection.ts';
import { AUDIT, inviteRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

const invite = (label: string) => invitesOf(redis.client).create({ label, claimableMs: 600_000, by: 'ada' });
const labelsOf = async (index: InviteIndex) => (await index.list()).map(({ label }) => label);

/** The client with these functions in place of some commands. */
const withCommands = (commands: Record<string, () => Promise<unknown>>): RedisClient =>
  new Proxy(redis.client, {
    get(target, name) {
      const value: unknown = commands[String(name)] ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

describe('the index of invites', () => {
  it('has what was done before a look began, also while another look is under way', async () => {
    const index = inviteIndexOf(redis.client);
    const created = [await invite('first')];
    for (const label of ['second', 'third']) {
      const looks = [index.list()];
      created.push(await invite(label));
      looks.push(index.list());
      const [, last] = await Promise.all(looks);
      expect(last?.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());
    }
  });

  it('reads one after the other, so that no read is done twice', async () => {
    let running = 0;
    const runningAtEachRead: number[] = [];
    const client = withCommands({
      async hlen() {
        running += 1;
        runningAtEachRead.push(running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return redis.client.hlen('invite-ids');
      },
    });
    const index = inviteIndexOf(client);
    await index.list();
    await Promise.all([index.list(), index.list(), index.list()]);
    expect(runningAtEachRead).toEqual([1, 1, 1]);
  });

  it('fails with a read that fails, and is read again at the next look', async () => {
    await invite('Acme');
    let isAway = true;
    const index = inviteIndexOf(
      withCommands({
        hgetall: () =>
          isAway ? Promise.reject(new Error('Connection is closed.')) : redis.client.hgetall('invite-ids'),
      }),
    );
    await expect(index.list()).rejects.toThrow('Connection is closed.');
    isAway = false;
    expect(await labelsOf(index)).toEqual(['Acme']);
  });

  it('gives the facts of each invite that the team may see, and no others', async () => {
    const { id, label, expiresMs } = await invite('Acme');
    expect(await inviteIndexOf(redis.client).list()).toEqual([
      { id, label, state: 'open', createdMs: expiresMs - 600_000, expiresMs, claimedMs: null, keyId: null },
    ]);
  });

  it('opens an invite again whose claim was cut short, although no act says so', async () => {
    const { token } = await invite('Acme');
    await invitesOf(redis.client).claim(token);
    const [key = ''] = await redis.client.keys('key:*');
    await redis.client.hset(key, 'state', 'pending');
    // This act is much later than the claim, so that the claim is not among the recent acts, which the index reads again.
    await redis.client.xadd(AUDIT, `${Date.now() + 60_000}-0`, 'by', 'ada', 'act', 'signin');
    const index = inviteIndexOf(redis.client);
    expect(await index.list()).toMatchObject([{ label: 'Acme', state: 'used' }]);
    await redis.client.del(key);
    expect(await index.list()).toMatchObject([{ label: 'Acme', state: 'open', keyId: null }]);
  });

  it('gives the state of an invite right to the millisecond at which it ends, and at which it is forgotten', async () => {
    const created = [await invite('open'), await invite('revoked')];
    const ends = created[0]?.expiresMs ?? 0;
    await invitesOf(redis.client).revoke(created[1]?.id ?? '', 'ada');
    for (const { token } of created)
      await redis.client.hset(inviteRecord(hashOf(token)), { expires: ends, created: ends - 1 });
    let clockMs = 0;
    const call = async () => [String(Math.floor(clockMs / 1000)), String((clockMs % 1000) * 1000)];
    const index = inviteIndexOf(withCommands({ call }));
    const statesAt = async (ms: number) => {
      clockMs = ms;
      return (await index.list()).map(({ state }) => state).sort();
    };
    const forgotten = ends + 90 * 86_400_000;
    expect(await statesAt(ends - 1)).toEqual(['open', 'revoked']);
    expect(await statesAt(ends)).toEqual(['expired', 'revoked']);
    expect(await statesAt(forgotten - 1)).toEqual(['expired', 'revoked']);
    expect(await statesAt(forgotten)).toEqual([]);
  });
});

// The Redis user of deploy/redis has the rights for everything that the product does, and no others.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportAccess, importAccess } from '../../src/access/backup.ts';
import { keyUsage } from '../../src/access/keys/dailyUsage.ts';
import { type OpenRedis, openRedis } from '../../src/access/redis/connection.ts';
import { parseRedisAddress, type RedisAddress } from '../../src/access/redis/redisAddress.ts';
import { watchRedis } from '../../src/access/redis/watchRedis.ts';
import { hashOf } from '../../src/access/secret.ts';
import { ApiError } from '../../src/errors.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { type Site, signIn, startSite } from '../support/site.ts';

let folder: string;
let redis: TestRedis;
let opened: OpenRedis;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'acl-'));
  const users = path.join(folder, 'users.acl');
  const text = (await readFile('deploy/redis/redis-users.acl', 'utf8')).replace('PASSWORD', 'p-of-test');
  // The test administers the server as the default user, which the file disables.
  await writeFile(users, text.replace('user default off', 'user default on nopass ~* &* +@all'));
  redis = await startRedis('--aclfile', users);
  const address = parseRedisAddress(redis.url) as RedisAddress;
  opened = openRedis({
    address: { ...address, username: 'data-api', password: 'p-of-test' },
    dataDir: folder,
  });
  await opened.untilAnswered(60_000);
});
afterAll(async () => {
  await site?.close();
  await opened.close();
  await redis.close();
  await rm(folder, { recursive: true });
});

/** The commands that clients other than the administrator have called since the statistics were reset. */
async function called(): Promise<string[]> {
  const text = String(await redis.client.info('commandstats'));
  const names = [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = '']) => name);
  return names.filter((name) => !/^(?:config|acl|flush)/.test(name)).sort();
}

/** Repeats `ask` while a busy machine delays Redis beyond its deadline. */
async function patiently<Value>(ask: () => Promise<Value>, attempts = 20): Promise<Value> {
  for (; ; attempts -= 1) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.status === 503) || attempts === 0) throw cause;
    }
  }
}

describe('the Redis user of deploy/redis', () => {
  it('may do everything that the server, its pages and the commands do, and nothing else', async () => {
    await redis.client.config('RESETSTAT');
    const { client } = opened;
    const again = openRedis({
      address: {
        ...(parseRedisAddress(redis.url) as RedisAddress),
        username: 'data-api',
        password: 'p-of-test',
        db: 1,
      },
      dataDir: folder,
    });
    await again.untilAnswered(60_000);
    await again.close();
    const watch = watchRedis(client);
    site = await startSite({ ...redis, client });
    const { keys, invites, sessions } = site;

    const issued = await keys.issue({ label: 'one', by: 'test' });
    await keys.changeLimits(issued.id, { perMinute: 2 }, 'test');
    await keys.changeLimits(issued.id, { perMinute: null }, 'test');
    const ask = () =>
      retryUnavailable(() => fetch(`${site.url}/v1/catalog`, { headers: { 'x-api-key': issued.key } }));
    expect((await ask()).status).toBe(200);
    await keys.changeLimits(issued.id, { perMinute: 1 }, 'test');
    expect((await ask()).status).toBe(429);
    // Admissions leave the windows one by one and many at once. Then a limit is lowered below what is used.
    const { minuteLog, dayLog } = await import('../../src/access/redis/keyNames.ts');
    const hash = hashOf(issued.key);
    for (const [log, count] of [
      [minuteLog(hash), 8],
      [dayLog(hash), 2],
    ] as const) {
      await client.del(log);
      await client.rpush(log, ...Array.from({ length: count }, (_, i) => i + 1));
    }
    expect((await ask()).status).toBe(200);
    // The clock steps back, and then forward again.
    await client.rpush(dayLog(hash), String((Date.now() + 5000) * 1000));
    await ask();
    await client.del(dayLog(hash));
    await ask();
    expect((await keys.usage(issued.id)).days).not.toEqual([]);
    const usage = await patiently(() => keyUsage(client, hash, Date.now()));
    expect(usage.id).toBe(issued.id);
    expect(await keys.rotate(issued.id, { graceMs: 1000, by: 'test' })).toMatchObject({ outcome: 'rotated' });
    const page = await site.invite();
    const opening = await site.get(page);
    const claimed = await site.post(page, opening.fields, { cookie: opening.cookie });
    expect(claimed.status).toBe(200);
    const { id } = await invites.create({ label: 'two', claimableMs: 60_000, by: 'test' });
    expect(await invites.revoke(id, 'test')).toBe('revoked');
    await invites.list();

    const { cookie, open, send } = await signIn(site);
    expect(cookie).not.toBe('');
    expect((await open('/admin')).status).toBe(200);
    // The form is sent from a second page, which asks only for what changed since the first.
    expect((await send('/admin', '/admin/invites', { label: 'three' })).status).toBeLessThan(400);
    expect((await open('/admin/audit')).status).toBe(200);
    await sessions.end(cookie.split('=')[1] ?? '');
    await keys.revoke(issued.id, 'test');
    expect((await keys.list()).length).toBeGreaterThan(1);

    const backup = await exportAccess(client);
    await redis.client.flushall();
    await importAccess(client, backup);
    expect((await keys.list()).length).toBeGreaterThan(1);
    watch.stop();

    expect(site.log.filter((line) => line.includes('NOPERM'))).toEqual([]);
    const granted = [
      ...(await readFile('deploy/redis/redis-users.acl', 'utf8')).matchAll(/ \+([\w|-]+)/g),
    ].map(([, name = '']) => name);
    // CLUSTER SLOTS is granted for the clients of a cluster, and WAIT for a server with a replica. This test has neither.
    const used = ['cluster|slots', 'wait', ...(await called())];
    expect(granted.filter((name) => !used.includes(name))).toEqual([]);
  });

  it('may not read other keys, nor administer the server', async () => {
    for (const command of [
      ['get', 'other'],
      ['config', 'get', '*'],
      ['flushall'],
      ['keys', '*'],
      ['shutdown'],
      ['acl', 'list'],
    ])
      await expect(opened.client.call(command[0] ?? '', ...command.slice(1))).rejects.toThrow('NOPERM');
    await expect(opened.client.set('other', '1')).rejects.toThrow('NOPERM');
  });

  it('has a password, and the default user is switched off', async () => {
    const acl = await readFile('deploy/redis/redis-users.acl', 'utf8');
    expect(acl).toMatch(/^user default off$/m);
    expect(acl.match(/PASSWORD/g)).toHaveLength(1);
  });
});

// When Redis counts as away: silent, refusing writes, a replica.

import { createHook } from 'node:async_hooks';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openRedis } from '../../../src/access/redis/connection.ts';
import { parseRedisAddress, type RedisAddress } from '../../../src/access/redis/redisAddress.ts';
import { watchRedis } from '../../../src/access/redis/watchRedis.ts';
import type { Observation } from '../../../src/observations.ts';
import { itInDepth } from '../../support/depth.ts';
import { openDatabase, startRedis, type TestRedis } from '../../support/redis.ts';

it('Redis counts as away until it has answered once', async () => {
  const redis = await openDatabase();
  const watch = watchRedis(redis.client);
  expect(watch.isUp()).toBe(false);
  while (!watch.isUp()) await sleep(5);
  watch.stop();
  await redis.close();
});

it('Redis counts as away while it is connected and does not answer, or only with errors', async () => {
  const redis = await openDatabase();
  await redis.client.ping();
  const watched = [() => new Promise(() => {}), () => Promise.reject(new Error('LOADING'))].map((ping) => {
    const client: typeof redis.client = Object.create(redis.client, { ping: { value: ping } });
    return watchRedis(client);
  });
  await sleep(1100);
  expect([redis.client.status, ...watched.map((watch) => watch.isUp())]).toEqual(['ready', false, false]);
  for (const watch of watched) watch.stop();
  await redis.close();
});

it('Redis is asked at once, then whenever it is back and a second after the last time, until the watch ends', async () => {
  const redis = await openDatabase();
  await redis.client.ping();
  const counted = () => {
    let pings = 0;
    const ping = () => {
      pings += 1;
      return redis.client.ping();
    };
    const client: typeof redis.client = Object.create(redis.client, { ping: { value: ping } });
    return { watch: watchRedis(client), pings: () => pings };
  };
  const [one, other] = [counted(), counted()];
  expect([redis.client.status, one.pings(), one.watch.isUp()]).toEqual(['ready', 1, false]);
  // The connection returns twice before Redis has answered. Only the last of these checks may start the timer of the next.
  redis.client.emit('ready');
  redis.client.emit('ready');
  expect(one.pings()).toBe(3);
  while (one.pings() < 4) await sleep(20);
  // The connection returns between two checks.
  await sleep(10);
  redis.client.emit('ready');
  await sleep(10);
  // `one` stops between two checks, `other` during a check that Redis has not answered yet.
  one.watch.stop();
  const asked = one.pings();
  redis.client.emit('ready');
  other.watch.stop();
  const askedOther = other.pings();
  redis.client.emit('ready');
  await sleep(1200);
  expect([one.pings(), other.pings()]).toEqual([asked, askedOther]);
  await redis.close();
});

it('a watch leaves no timer behind, whether it ends between two checks or within one', async () => {
  const redis = await openDatabase();
  await redis.client.ping();
  const silent: typeof redis.client = Object.create(redis.client, {
    ping: { value: () => new Promise(() => {}) },
  });
  const timers = new Set<number>();
  let begun = 0;
  const hook = createHook({
    init(id, type) {
      if (type !== 'Timeout') return;
      timers.add(id);
      begun += 1;
    },
    destroy: (id) => timers.delete(id),
  }).enable();
  const watches = [watchRedis(redis.client), watchRedis(silent)];
  redis.client.emit('ready');
  while (!watches[0]?.isUp()) await setImmediate();
  for (const watch of watches) watch.stop();
  // The client has a timer for each command that Redis has not answered yet.
  for (let i = 0; i < 2; i += 1) await redis.client.ping();
  for (let i = 0; i < 2; i += 1) await setImmediate();
  hook.disable();
  // Both watches started a timer for each of two checks. The answered one also started a timer until its next check.
  expect([begun >= 5, timers.size]).toEqual([true, 0]);
  await redis.close();
});

describe('Redis counts as away while it refuses writes, because it', () => {
  const CASES = [
    ['is out of memory', 'maxmemory', 'OOM '],
    ['has too few replicas', 'min-replicas-to-write', 'NOREPLICAS '],
  ] as const;
  const seen = new Map<string, { readonly observed: readonly Observation[]; readonly dbsize: number }>();
  beforeAll(async () => {
    await Promise.all(CASES.map(async ([what, setting]) => seen.set(what, await refusing(setting))));
  });

  async function refusing(setting: string) {
    const redis = await startRedis();
    const observed: Observation[] = [];
    const watch = watchRedis(redis.client, (observation) => observed.push(observation));
    while (!watch.isUp()) await sleep(5);
    await redis.client.config('SET', setting, '1');
    while (watch.isUp()) await sleep(20);
    await redis.client.config('SET', setting, '0');
    while (!watch.isUp()) await sleep(20);
    const dbsize = await redis.client.dbsize();
    watch.stop();
    await redis.close();
    return { observed, dbsize };
  }

  it.each(CASES)('%s', (what, _, reason) => {
    expect(seen.get(what)).toEqual({
      observed: [
        { event: 'redis refuses writes', reason: expect.stringContaining(reason) },
        { event: 'redis takes writes' },
      ],
      dbsize: 0,
    });
  });
});

it('Redis that evicts when its memory is full is named', async () => {
  const redis = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru');
  const observed: Observation[] = [];
  const watch = watchRedis(redis.client, (observation) => observed.push(observation));
  while (observed.length === 0 || !watch.isUp()) await sleep(5);
  const [first, second] = ['volatile-lru', 'allkeys-lru'].map((policy) => ({
    event: 'redis may evict',
    policy,
  }));
  // The policy is read again every second, and reported once.
  await sleep(1100);
  expect(observed).toEqual([first]);
  await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  while (observed.length === 1) await sleep(20);
  expect(observed).toEqual([first, second]);
  watch.stop();
  await redis.close();
});

it('Redis with no limit of its memory is not named, whatever it would evict', async () => {
  const redis = await startRedis('--maxmemory', '0', '--maxmemory-policy', 'allkeys-lru');
  const observed: Observation[] = [];
  const watch = watchRedis(redis.client, (observation) => observed.push(observation));
  while (!watch.isUp()) await sleep(5);
  // Redis answers commands in their order, so it has answered the earlier INFO of the watch, too.
  await redis.client.info('memory');
  await sleep(0);
  expect(observed).toEqual([]);
  watch.stop();
  await redis.close();
});

it.each([
  ['redis_version:6.0.16', ['6.0.16']],
  ['redis_version:5.0.14', ['5.0.14']],
  ['redis_version:6.2.0', []],
  ['redis_version:8.0.2', []],
  ['redis_version:10.0.0', []],
  ['redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:9.1.2', []],
])('of a server that says %j, these versions are too old: %j', async (info, tooOld) => {
  const redis = await openDatabase();
  await redis.client.ping();
  const asked: string[] = [];
  const answer = async (section: string) => {
    asked.push(section);
    return `# Server\r\n${info}\r\nos:Linux\r\n`;
  };
  const client: typeof redis.client = Object.create(redis.client, { info: { value: answer } });
  const observed: Observation[] = [];
  const watch = watchRedis(client, (observation) => observed.push(observation));
  // It is reported once, however often Redis returns.
  redis.client.emit('ready');
  while (!watch.isUp()) await sleep(5);
  expect(asked.filter((section) => section === 'server')).toHaveLength(2);
  expect(observed).toEqual(tooOld.map((version) => ({ event: 'redis too old', version })));
  watch.stop();
  await redis.close();
});

itInDepth(
  'Redis counts as away while it is a replica, and the client does not reconnect for every question',
  async () => {
    const redis = await startRedis();
    const watch = watchRedis(redis.client);
    while (!watch.isUp()) await sleep(5);
    let connected = 0;
    redis.client.on('ready', () => {
      connected += 1;
    });
    await redis.client.call('REPLICAOF', '127.0.0.1', '1');
    while (watch.isUp()) await sleep(20);
    await sleep(1500);
    expect([watch.isUp(), connected]).toEqual([false, 0]);
    await redis.client.call('REPLICAOF', 'NO', 'ONE');
    while (!watch.isUp()) await sleep(20);
    watch.stop();
    await redis.close();
  },
);

describe('Redis counts as away and the log names the command while its user may not run', () => {
  const COMMANDS = [
    ...['time', 'hmget', 'hset', 'hdel', 'lindex', 'llen', 'lpop'],
    ...['ltrim', 'rpush', 'pexpire', 'incrby', 'evalsha', 'eval'],
  ];
  const seen = new Map<string, readonly Observation[]>();
  let dbsize = -1;
  // All users are tried at the same time, because each waits two seconds for the next checks.
  beforeAll(async () => {
    const redis = await startRedis();
    await Promise.all(
      COMMANDS.map(async (command) => seen.set(command, await observedWithout(redis, command))),
    );
    dbsize = await redis.client.dbsize();
    await redis.close();
  });

  async function observedWithout(redis: TestRedis, command: string): Promise<readonly Observation[]> {
    const username = `without-${command}`;
    await redis.client.call('ACL', 'SETUSER', username, 'on', '>secret', '~*', '&*', '+@all');
    const address = parseRedisAddress(redis.url) as RedisAddress;
    const opened = openRedis({ address: { ...address, username, password: 'secret' }, dataDir: '' });
    const observed: Observation[] = [];
    const watch = watchRedis(opened.client, (observation) => observed.push(observation));
    while (!watch.isUp()) await sleep(5);
    await redis.client.call('ACL', 'SETUSER', username, `-${command}`);
    // The client calls EVAL only when Redis does not have the script.
    while (watch.isUp()) {
      if (command === 'eval') await redis.client.script('FLUSH');
      await sleep(20);
    }
    await redis.client.call('ACL', 'SETUSER', username, `+${command}`);
    while (!watch.isUp()) await sleep(20);
    watch.stop();
    await opened.close();
    return observed;
  }

  it.each(COMMANDS)('%s', (command) => {
    const reason = expect.stringMatching(new RegExp(`^NOPERM .*\\b${command}\\b`, 'i'));
    expect(seen.get(command)).toEqual([
      { event: 'redis refuses writes', reason },
      { event: 'redis takes writes' },
    ]);
    expect(dbsize).toBe(0);
  });
});

it('Redis counts as away while its user may not use the keys of the gate', async () => {
  const redis = await startRedis();
  // The client warns that it cannot ask Redis whether it is loading.
  const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
  await redis.client.call(
    'ACL',
    'SETUSER',
    'reader',
    'on',
    '>secret',
    '~key:*',
    '~day:*',
    '~usage:*',
    '+@all',
    // Without INFO, the version of Redis stays unknown, which is no reason to warn.
    '-info',
  );
  const address = parseRedisAddress(redis.url) as RedisAddress;
  const login = { username: 'reader', password: 'secret' };
  const opened = openRedis({ address: { ...address, ...login }, dataDir: '' });
  const observed: Observation[] = [];
  const watch = watchRedis(opened.client, (observation) => observed.push(observation));
  while (observed.length === 0) await sleep(20);
  expect(observed).toEqual([{ event: 'redis refuses writes', reason: expect.stringMatching(/^NOPERM/) }]);
  expect(watch.isUp()).toBe(false);
  await redis.client.call('ACL', 'SETUSER', 'reader', '~minute:*');
  while (!watch.isUp()) await sleep(20);
  expect(observed.map(({ event }) => event)).toEqual(['redis refuses writes', 'redis takes writes']);
  watch.stop();
  await opened.close();
  await redis.close();
  warned.mockRestore();
});

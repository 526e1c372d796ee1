// The connection to Redis: each failure is observed once, with its reason.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { openRedis } from '../../../src/access/redis/connection.ts';
import { parseRedisAddress, type RedisAddress } from '../../../src/access/redis/redisAddress.ts';
import { itInDepth } from '../../support/depth.ts';
import { openDatabase, startRedis } from '../../support/redis.ts';

/** A connection, and the events that were observed of it. */
function observed(url: string, db = 0) {
  const events: string[] = [];
  const observe = ({ event }: { readonly event: string }) => void events.push(event);
  const address = { ...(parseRedisAddress(url) as RedisAddress), db };
  return { events, ...openRedis({ address, dataDir: '', observe }) };
}

it('a Redis that is not there is observed once, however often it is tried, and not when it is given up', async () => {
  const { events, client, close } = observed('unix:///nowhere/redis.sock');
  for (let tries = 0; tries < 3; tries += 1)
    await new Promise((resolve) => client.once('reconnecting', resolve));
  await close();
  expect(events).toEqual(['redis not reached']);
});

it('a Redis that goes away with an error is observed as down, and as up when it comes back', async () => {
  const database = await openDatabase();
  const { events, client, untilAnswered, close } = observed(database.url);
  await untilAnswered(60_000);
  client.emit('error', new Error('read ECONNRESET'));
  client.disconnect(true);
  await once(client, 'ready');
  // Closing the connection causes no event.
  const ended = once(client, 'end');
  await close();
  await ended;
  expect(events).toEqual(['redis up', 'redis down', 'redis up']);
  await database.close();
});

it('a Redis that refuses the password when it comes back is observed with its reason, once', async () => {
  const own = await startRedis();
  const { events, client, untilAnswered, close } = observed(own.url);
  await untilAnswered(60_000);
  await own.client.call('CONFIG', 'SET', 'requirepass', 'another');
  client.disconnect(true);
  for (let tries = 0; tries < 3; tries += 1)
    await new Promise((resolve) => client.once('reconnecting', resolve));
  await close();
  await own.close();
  expect(events).toEqual(['redis up', 'redis down', 'redis not reached']);
});

it('a Redis without the database of its address is not used, and observed once', async () => {
  const database = await openDatabase();
  const { events, client, untilAnswered, close } = observed(database.url, 1_000_000);
  for (let tries = 0; tries < 3; tries += 1)
    await new Promise((resolve) => client.once('reconnecting', resolve));
  await expect(untilAnswered(10)).rejects.toThrow('Redis does not answer');
  await close();
  await database.close();
  expect(events).toEqual(['redis not reached']);
});

itInDepth('a Redis that comes back and loads its data first is observed as loading, once', async () => {
  // Redis loads each key for 50 ms. Between two keys, it answers that it is loading.
  const slow = ['--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024'];
  const own = await startRedis('--appendonly', 'no', ...slow);
  for (let key = 0; key < 40; key += 1) await own.client.set(`key ${key}`, randomBytes(1024));
  await own.client.save();
  const { events, client, untilAnswered, close } = observed(own.url);
  await untilAnswered(60_000);
  await own.kill();
  await own.start();
  while (!events.includes('redis loading')) await sleep(10);
  // The client connects again while Redis is still loading.
  client.disconnect(true);
  await once(client, 'ready');
  await close();
  await own.close();
  expect(events).toEqual(['redis up', 'redis down', 'redis loading', 'redis up']);
});

it('a Redis that became a replica is left once a second at most, and is not observed as away', async () => {
  const own = await startRedis();
  const { events, client, untilAnswered, close } = observed(own.url);
  await untilAnswered(60_000);
  await own.client.call('REPLICAOF', '127.0.0.1', '1');
  const beganMs = performance.now();
  let connections = 0;
  client.on('connect', () => {
    connections += 1;
  });
  while (performance.now() - beganMs < 500)
    await client.set('key', 'value').catch(() => new Promise((resolve) => setTimeout(resolve, 5)));
  expect(connections).toBe(1);
  await own.client.call('REPLICAOF', 'NO', 'ONE');
  expect(events).toEqual(['redis up']);
  await own.kill();
  await new Promise((resolve) => client.once('reconnecting', resolve));
  expect(events).toEqual(['redis up', 'redis down']);
  await close();
  await own.close();
});

it('a process that gives up a Redis that is not there ends before the two seconds for which ioredis would keep it', async () => {
  const connection = pathToFileURL(path.resolve('dist/src/access/redis/connection.js'));
  const program = `
    const { openRedis } = await import('${connection}');
    const nodes = [{ path: '/nowhere/redis.sock' }];
    const { client, close } = openRedis({ address: { nodes, db: 0 }, dataDir: '' });
    await new Promise((resolve) => client.once('reconnecting', resolve));
    const beganMs = performance.now();
    process.on('exit', () => console.log(performance.now() - beganMs));
    await close();`;
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(Number(run.stdout)).toBeLessThan(1900);
});

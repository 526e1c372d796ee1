// Warnings of libraries become events with a remedy.

import { afterEach, expect, it } from '@jest/globals';
import { openRedis } from '../../src/access/redis/connection.ts';
import { parseRedisAddress, type RedisAddress } from '../../src/access/redis/redisAddress.ts';
import { observeLibraries } from '../../src/log/libraryWarnings.ts';
import type { Observation } from '../../src/observations.ts';
import { startRedis } from '../support/redis.ts';

const { warn } = console;
afterEach(() => {
  console.warn = warn;
});

it('that the user of Redis may not run INFO is an event with its remedy, and no line on the console', async () => {
  const observed: Observation[] = [];
  observeLibraries((observation) => observed.push(observation));
  const redis = await startRedis();
  await redis.client.call('ACL', 'SETUSER', 'lowly', 'on', '>p-of-test', '~*', '+@all', '-info');
  const address = parseRedisAddress(redis.url) as RedisAddress;
  const opened = openRedis({
    address: { ...address, username: 'lowly', password: 'p-of-test' },
    dataDir: '',
  });
  await opened.untilAnswered(60_000);
  await opened.close();
  await redis.close();
  expect(observed).toEqual([
    { event: 'library warned', warning: expect.stringContaining('give the user the right +info') },
  ]);
});

// A Lua script runs once a call, whether Redis has it already, does not have it yet, or it fails.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scriptOf } from '../../../src/access/redis/luaScript.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());

it('a script runs once a call, also the first one, for which Redis does not have it yet', async () => {
  const run = scriptOf("return redis.call('INCR', KEYS[1]) -- no other test has this text");
  for (let calls = 1; calls <= 2; calls++) expect(await run(redis.client, [1, 'calls'])).toBe(calls);
});

it('a script that fails is not run again', async () => {
  const run = scriptOf("redis.call('INCR', KEYS[1]) error('the script fails')");
  for (let calls = 1; calls <= 2; calls++) {
    await expect(run(redis.client, [1, 'failures'])).rejects.toThrow('the script fails');
    expect(await redis.client.get('failures')).toBe(String(calls));
  }
});

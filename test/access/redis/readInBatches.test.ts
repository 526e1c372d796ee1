// Records are read in batches of limited size.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mapConcurrently } from '../../../src/access/redis/mapConcurrently.ts';
import { readInBatches } from '../../../src/access/redis/readInBatches.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());

it.each([0, 1, 99, 100, 101, 400, 401, 1000])(
  'reads each of %d records once, in order, in few calls that are neither large nor many at once',
  async (count) => {
    const items = Array.from({ length: count }, (_, i) => i);
    const sizes: number[] = [];
    let running = 0;
    const read = async (_: unknown, batch: readonly number[]) => {
      running += 1;
      expect(running).toBeLessThanOrEqual(4);
      sizes.push(batch.length);
      await redis.client.ping();
      running -= 1;
      return batch.map((item) => 2 * item);
    };
    expect(await readInBatches(redis.client, items, read)).toEqual(items.map((item) => 2 * item));
    expect(sizes).toHaveLength(Math.ceil(count / 100));
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(100);
    expect(Math.min(1, ...sizes)).toBe(1);
  },
);

it('maps many small records at once, and few with long lists', async () => {
  const entries = [...Array(450).fill(1), 8000, 8000, 8000, 50_000, 1, 1];
  const batches: number[][] = [];
  let isNew = true;
  const map = async (count: number) => {
    if (isNew) batches.push([]);
    isNew = false;
    batches.at(-1)?.push(count);
    await redis.client.ping();
    isNew = true;
    return -count;
  };
  expect(await mapConcurrently(entries, map, (count) => count)).toEqual(entries.map((count) => -count));
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 52, 1, 1, 2]);
});

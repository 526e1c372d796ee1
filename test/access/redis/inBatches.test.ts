import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inBatches } from '../../../src/access/redis/inBatches.ts';
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
    expect(await inBatches(redis.client, items, read)).toEqual(items.map((item) => 2 * item));
    expect(sizes).toHaveLength(Math.ceil(count / 100));
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(100);
    expect(Math.min(1, ...sizes)).toBe(1);
  },
);

// Results of long computations are cached, and count with the memory that they take.

import { expect, it } from '@jest/globals';
import { CACHES, type Caches } from '../../../src/cache/caches.ts';
import type { LruCache } from '../../../src/cache/lruCache.ts';
import { createComputations, runOnEventLoop } from '../../../src/query/computations/computations.ts';
import type { RunJob } from '../../../src/query/computations/jobs.ts';
import { aTable } from '../../support/memoryTable.ts';
import { anOpenSnapshot } from '../../support/openSnapshot.ts';
import { aRow } from '../../support/snapshot.ts';

/**
 * Computations with caches that the test can inspect. `bytesOf` gives the bytes of the cached result of a kind, without
 * those that every entry takes, and without its key.
 */
function inspected() {
  const results = new Map<string, LruCache<unknown>>();
  const keys = new Map<string, string>();
  const caches: Caches = {
    ...CACHES,
    lruCache: (capacityBytes, name) => {
      const cache = CACHES.lruCache<never>(capacityBytes, name);
      const set: typeof cache.set = (key, value, bytes) => {
        keys.set(name, key);
        cache.set(key, value, bytes);
      };
      results.set(name, cache);
      return { ...cache, set };
    },
  };
  const computed: string[] = [];
  const runJob: RunJob = (kind, job, stop) => {
    computed.push(kind);
    return runOnEventLoop(kind, job, stop);
  };
  const bytesOf = (kind: string) =>
    (results.get(kind)?.bytes ?? 0) - 1024 - 2 * (keys.get(kind)?.length ?? 0);
  return { computations: createComputations(caches, runJob), computed, bytesOf };
}

it('a result is computed once, and counts in its cache with its arrays and its key', async () => {
  const { computations, computed, bytesOf } = inspected();
  const products = ['Bingo', 'Poker', 'Slots'];
  const table = aTable(
    'ggr',
    products.map((product) => aRow('ggr', { product })),
  );
  const tables = [table] as const;
  for (let times = 0; times < 2; times += 1) {
    await computations.values([], { tables, conditions: [], dimensions: ['product', 'fx'] });
    await computations.totals([], { tables, selected: 'everything', by: ['product'] });
    await computations.changes([], { tables: [aTable('ggr', []), table] });
  }
  expect(computed).toEqual(['values', 'totals', 'changes']);
  expect(['values', 'totals', 'changes'].map(bytesOf)).toEqual([4 * (3 + 1), 3 * (8 + 8), 2 * 4 * 3]);
});

it.each([
  ['a row of each metric for every group', ['country', 'state'], 3 * (8 + 2 * 8)],
  ['nothing where values do not add up', ['country'], 0],
] as const)('totals of two metrics count with %s', async (_what, by, bytes) => {
  const { computations, bytesOf } = inspected();
  const states = ['', 'North', 'South'];
  const table = aTable(
    'country',
    states.map((state) => aRow('country', { state })),
  );
  await computations.totals([], { tables: [table], selected: 'everything', by });
  expect(bytesOf('totals')).toBe(bytes);
});

it('computations over an open snapshot end, however many there are, and leave it free', async () => {
  const { snapshot, close } = await anOpenSnapshot();
  const computations = createComputations();
  const tables = [aTable('ggr', [aRow('ggr')])] as const;
  const job = { tables, conditions: [], dimensions: ['product'] as const };
  const asked = Array.from({ length: 60 }, (_, i) =>
    computations.values([snapshot], { ...job, dimensions: Array(i).fill('product') }),
  );
  for (const { rows } of await Promise.all(asked)) expect(rows).toBe(1);
  const failing = createComputations(CACHES, () => Promise.reject(new Error('no memory')));
  for (let i = 0; i < 10; i++) await expect(failing.values([snapshot], job)).rejects.toThrow('no memory');
  await close();
  expect(snapshot.inUse()).toBe(false);
});

it('results of other snapshots, and of snapshots in another order, are other results', async () => {
  const computations = createComputations();
  const [one, other] = [await anOpenSnapshot(), await anOpenSnapshot()];
  const renamed = { ...other.snapshot, id: '2026-12.1' };
  const run = (snapshots: readonly (typeof renamed)[], product: string) =>
    computations.totals(snapshots, {
      tables: [aTable('ggr', [aRow('ggr', { product, ggr: product.length })])],
      selected: 'everything',
      by: [],
    });
  const sumOf = async (...parameters: Parameters<typeof run>) => {
    const result = await run(...parameters);
    return result.outcome === 'summed' ? result.totals.sums.get('ggr')?.[0] : null;
  };
  expect(await sumOf([one.snapshot, renamed], 'A')).toBe(1);
  expect(await sumOf([renamed, one.snapshot], 'AB')).toBe(2);
  expect(await sumOf([one.snapshot], 'ABC')).toBe(3);
  expect(await sumOf([one.snapshot, renamed], 'ABCD')).toBe(1);
  await Promise.all([one.close(), other.close()]);
});

// Results of long computations are cached, and count with the memory that they take.

import { expect, it } from '@jest/globals';
import { CACHES, type Caches } from '../../src/cache/caches.ts';
import type { LruCache } from '../../src/cache/lruCache.ts';
import { createComputations, onEventLoop } from '../../src/query/computations.ts';
import type { RunJob } from '../../src/query/jobs.ts';
import { aRow } from '../support/snapshot.ts';
import { aTable } from '../support/table.ts';

it('a result is computed once, and counts in its cache with its arrays and its key', async () => {
  const results = new Map<string, LruCache<unknown>>();
  const caches: Caches = {
    ...CACHES,
    lruCache: (capacityBytes, name) => {
      const cache = CACHES.lruCache<never>(capacityBytes, name);
      results.set(name, cache);
      return cache;
    },
  };
  const computed: string[] = [];
  const runJob: RunJob = (kind, job, stop) => {
    computed.push(kind);
    return onEventLoop(kind, job, stop);
  };
  const computations = createComputations(caches, runJob);
  const products = ['Bingo', 'Poker', 'Slots'];
  const table = aTable(
    'ggr',
    products.map((product) => aRow('ggr', { product })),
  );
  const tables = [table] as const;
  for (let times = 0; times < 2; times += 1) {
    await computations.values.run('key', [], { tables, conditions: [], dimensions: ['product', 'fx'] });
    await computations.totals.run('key', [], { tables, selected: 'everything', by: ['product'] });
    await computations.changes.run('key', [], { tables: [aTable('ggr', []), table] });
  }
  expect(computed).toEqual(['values', 'totals', 'changes']);
  const bytesOf = (kind: string) => (results.get(kind)?.bytes ?? 0) - 1024 - 2 * ' key'.length;
  expect(['values', 'totals', 'changes'].map(bytesOf)).toEqual([4 * (3 + 1), 3 * (8 + 8), 2 * 4 * 3]);
});

// Every long computation yields when its slice is over, and only then.

import { describe, expect, it } from '@jest/globals';
import { groupRows } from '../../src/query/computations/groupRows.ts';
import { type ConditionCodes, compute, selectedCodes } from '../../src/query/computations/jobs.ts';
import { findTwinRows } from '../../src/query/computations/twinRows.ts';
import { compile } from '../../src/query/selection/compile.ts';
import { inSlices, type Slices, turn } from '../../src/query/slices.ts';
import { aTable } from '../support/memoryTable.ts';
import { aRow } from '../support/snapshot.ts';

const table = aTable(
  'ggr',
  ['Bingo', 'Poker'].map((product) => aRow('ggr', { product })),
);
/** Twins are searched in thousands of rows at a time. */
const long = aTable(
  'ggr',
  Array.from({ length: 5000 }, (_, i) => aRow('ggr', { product: `P${i}` })),
);
const tables = [table] as const;
const bingo = compile({ filters: new Map([['product', ['Bingo']]]), period: null }, table);
const conditions: readonly ConditionCodes[] = [{ dimension: 'product', codes: [0] }];

const COMPUTATIONS: readonly (readonly [name: string, run: (slices: Slices) => Promise<unknown>])[] = [
  ['values', (slices) => compute('values', { tables, conditions, dimensions: ['product'] }, slices)],
  ['totals of everything', (slices) => compute('totals', { tables, selected: 'everything', by: [] }, slices)],
  ['totals', (slices) => compute('totals', { tables, selected: selectedCodes(bingo), by: [] }, slices)],
  ['changes', (slices) => compute('changes', { tables: [table, table] }, slices)],
  [
    'many groups',
    (slices) => {
      const groups = groupRows(table, ['product'], 0);
      groups.add(Uint32Array.of(0, 1));
      return groups.finish(slices);
    },
  ],
  ['twins', (slices) => findTwinRows(long, 'temporal', slices)],
];

describe.each(COMPUTATIONS)('%s', (_, run) => {
  it('stop where the next slice is refused', async () => {
    const slices = { isOver: () => true, next: () => Promise.reject(new Error('the client has left')) };
    await expect(run(slices)).rejects.toThrow('the client has left');
  });

  it('go on without a rest while the slice lasts', async () => {
    const slices = { isOver: () => false, next: () => Promise.reject(new Error('the slice is not over')) };
    await run(slices);
  });
});

describe('a slice', () => {
  it('is over when its time has passed, and the next one begins in a later turn', async () => {
    expect(inSlices(60_000).isOver()).toBe(false);
    const begunMs = performance.now();
    const slices = inSlices(5);
    while (!slices.isOver()) expect(performance.now() - begunMs).toBeLessThan(60_000);
    expect(performance.now() - begunMs).toBeGreaterThanOrEqual(5);
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    await slices.next();
    expect(turns).toBe(1);
    const short = inSlices(30_000);
    await short.next();
    expect(short.isOver()).toBe(false);
  });

  it('is refused once the client has left', async () => {
    const client = new AbortController();
    const slices = inSlices(1, client.signal);
    await slices.next();
    client.abort();
    await expect(slices.next()).rejects.toMatchObject({ status: 503 });
  });

  it('runs alone in its turn of the event loop, in the order of asking', async () => {
    const turns: string[] = [];
    const asked = ['a', 'b', 'c'].map((name) => turn().then(() => turns.push(name)));
    const count = () => {
      turns.push('|');
      if (turns.length < 20) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(asked);
    expect(turns.join('')).toMatch(/^a\|b\|c/);
    await turn();
  });
});

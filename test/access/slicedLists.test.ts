// Long lists are sorted in slices, so that other work runs in between.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eachInSlices, sortedInSlices } from '../../src/access/slicedLists.ts';

/** How many turns of the event loop other work got during `act`. */
async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await act();
  isOver = true;
  return turns;
}

describe('work in slices', () => {
  it('sorts as a stable sort does, and leaves the list as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 5000, size: 'max' }), async (numbers) => {
        const items = numbers.map((number, place) => ({ number, place }));
        const before = [...items];
        const compare = (a: { number: number }, b: { number: number }) => a.number - b.number;
        expect(await sortedInSlices(items, compare)).toEqual([...items].sort(compare));
        expect(items).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });

  it('lets others act at least once in a thousand items', async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_000);
    const seen: number[] = [];
    expect(await turnsDuring(() => eachInSlices(items, (item) => seen.push(item)))).toBeGreaterThan(8);
    expect(seen).toEqual(items);
    expect(await turnsDuring(() => sortedInSlices(items, (a, b) => a - b))).toBeGreaterThan(30);
  });
});

// Works through long lists in slices. Between two slices the event loop serves other requests.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many items are handled in one turn of the event loop. Simple work on them takes a millisecond or two. */
const SLICE_ITEMS = 1000;

/** Calls `act` with each item, in order. */
export async function eachInSlices<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE_ITEMS) {
    if (start > 0) await nextTurn();
    for (const item of items.slice(start, start + SLICE_ITEMS)) act(item);
  }
}

/** A sorted copy. Equal items stay in their order. */
export async function sortedInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += SLICE_ITEMS) {
    if (start > 0) await nextTurn();
    runs.push(items.slice(start, start + SLICE_ITEMS).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await mergedRuns(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedRuns<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    if (merged.length % SLICE_ITEMS === 0) await nextTurn();
    const [a, b] = [left[l] as Item, right[r] as Item];
    const isLeft = compare(a, b) <= 0;
    merged.push(isLeft ? a : b);
    if (isLeft) l += 1;
    else r += 1;
  }
  return merged.concat(left.slice(l), right.slice(r));
}

// The history of a store is merged with that of a machine, or the two contradict each other.

import { describe, expect, it } from '@jest/globals';
import type { HistoryEntry } from '../../src/catalog/readHistory.ts';
import { isEarlierHistory, mergedHistory } from '../../src/store/sharedState.ts';

const entry = (event: HistoryEntry['event'], month: number): HistoryEntry => ({
  event,
  id: `2026-${String(month).padStart(2, '0')}.1`,
  at: `2026-${String(month).padStart(2, '0')}-01T00:00:00.000Z`,
});
const [one, two, three] = [1, 2, 3].map((month) => entry('published', month)) as [
  HistoryEntry,
  HistoryEntry,
  HistoryEntry,
];
const pruned = entry('pruned', 1);

describe('the history of a store', () => {
  it.each<[string, HistoryEntry[], HistoryEntry[], boolean]>([
    ['has fewer steps than the directory', [one], [one, two], true],
    ['has fewer steps, beside a prune of the directory', [one], [one, pruned, two], true],
    ['has the same steps', [one, two], [one, two], false],
    ['has the same steps, beside a prune of the directory', [one], [one, pruned], false],
    ['has more steps', [one, two], [one], false],
    ['has other steps', [two], [one, three], false],
    ['is empty', [], [one], false],
  ])('that %s', (_, shared, local, expected) => {
    expect(isEarlierHistory(shared, local)).toBe(expected);
  });

  it.each<[string, HistoryEntry[], HistoryEntry[], HistoryEntry[] | null]>([
    ['has all of the directory, and more', [one], [one, two, three], [one, two, three]],
    ['has steps before, between and behind', [two, pruned], [one, two, three], [one, two, pruned, three]],
    ['is that of the directory but for its prunes', [one, pruned, two], [one, two], [one, pruned, two]],
    ['lacks a step of the directory', [one, two], [one, three], null],
    ['has the steps of the directory in another order', [two, one], [one, two], null],
  ])('that %s is merged with that of the directory, or contradicts it', (_, local, shared, expected) => {
    expect(mergedHistory(local, shared)).toEqual(expected);
  });
});

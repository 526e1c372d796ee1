// A growing list holds all numbers in their order.

import { expect, test } from '@jest/globals';
import { createGrowingList } from '../../../src/query/computations/growingList.ts';

test('a list holds all numbers in their order, however many are added at a time', () => {
  const list = createGrowingList(2);
  const added: number[] = [];
  for (const count of [1, 1, 1, 0, 2, 100, 3, 1]) {
    const some = Uint32Array.from({ length: count }, (_, i) => added.length + i);
    if (count === 1) list.push(some[0] ?? 0);
    else list.pushAll(some);
    added.push(...some);
    expect([...list.view()]).toEqual(added);
  }
});

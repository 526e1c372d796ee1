// Repeated texts are recognised with few mistakes.

import { describe, expect, it } from '@jest/globals';
import { createRecentTexts } from '../../src/cache/recentTexts.ts';

const textOf = (i: number) => `metric=ggr&country=Country ${i}`;

describe('recent texts', () => {
  it('tell a text that came before from one that did not', () => {
    const { isRepeated } = createRecentTexts();
    expect([isRepeated('a'), isRepeated('b'), isRepeated('a'), isRepeated('')]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('rarely mistake a new text for a repeated one, and rarely forget one of the last thousand', () => {
    const { isRepeated } = createRecentTexts();
    const known = Array.from({ length: 50_000 }, (_, i) => isRepeated(textOf(i)));
    expect(known.filter(Boolean).length).toBeLessThan(5);
    const last = Array.from({ length: 1000 }, (_, i) => isRepeated(textOf(49_999 - i)));
    expect(last.filter(Boolean).length).toBeGreaterThan(900);
  });
});

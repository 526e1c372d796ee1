import { describe, expect, it } from '@jest/globals';
import { keepWithin } from '../../src/cache/lruCache.ts';

describe('keepWithin', () => {
  it('drops what was used longest ago when the bytes run out', () => {
    const kept = keepWithin<string>(10);
    kept.set('a', 'A', 4);
    kept.set('b', 'B', 4);
    kept.get('a');
    kept.set('c', 'C', 4);
    expect(['a', 'b', 'c'].map((key) => kept.get(key))).toEqual(['A', undefined, 'C']);
    expect(kept.bytes).toBe(8);
  });

  it('keeps nothing larger than the whole, and loses nothing for it', () => {
    const kept = keepWithin<string>(10);
    kept.set('a', 'A', 10);
    kept.set('b', 'B', 11);
    expect(['a', 'b'].map((key) => kept.get(key))).toEqual(['A', undefined]);
  });

  it('counts a value that is set again once', () => {
    const kept = keepWithin<string>(10);
    for (let i = 0; i < 100; i++) kept.set('a', String(i), 6);
    expect(kept.bytes).toBe(6);
    expect(kept.get('a')).toBe('99');
  });

  it('never holds more than it may, whatever is set', () => {
    const kept = keepWithin<number>(1000);
    for (let i = 0; i < 5000; i++) {
      kept.set(`key ${(i * 7919) % 313}`, i, (i * 104_729) % 1100);
      expect(kept.bytes).toBeLessThanOrEqual(1000);
    }
  });
});

// An LRU cache stays within its capacity and evicts the least recently used entries.

import { describe, expect, it } from '@jest/globals';
import { createLruCache } from '../../src/cache/lruCache.ts';

describe('an LRU cache', () => {
  it('evicts the least recently used entry when the bytes run out', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    cache.get('a');
    cache.set('c', 'C', 4);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
    expect(cache.bytes).toBe(8);
  });

  it('counts each read as a hit or a miss', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    for (const key of ['a', 'b', 'b', 'c', 'd']) cache.get(key);
    expect([cache.hits, cache.misses]).toEqual([3, 2]);
  });

  it('counts setting an entry again as a use', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    cache.set('a', 'again', 4);
    cache.set('c', 'C', 4);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['again', undefined, 'C']);
  });

  it('neither caches a value larger than its capacity nor evicts others for it', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'A', 10);
    cache.set('b', 'B', 11);
    expect(['a', 'b'].map((key) => cache.get(key))).toEqual(['A', undefined]);
  });

  it('counts a value that is set again once', () => {
    const cache = createLruCache<string>(10);
    for (let i = 0; i < 100; i++) cache.set('a', String(i), 6);
    expect(cache.bytes).toBe(6);
    expect(cache.get('a')).toBe('99');
  });

  it('never exceeds its capacity, whatever is set', () => {
    const cache = createLruCache<number>(1000);
    for (let i = 0; i < 5000; i++) {
      cache.set(`key ${(i * 7919) % 313}`, i, (i * 104_729) % 1100);
      expect(cache.bytes).toBeLessThanOrEqual(1000);
    }
  });
});

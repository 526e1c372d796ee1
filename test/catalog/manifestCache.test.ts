// Cached manifests take limited memory.

import { describe, expect, test } from '@jest/globals';
import type { AnyManifest } from '../../src/catalog/manifest.ts';
import { createManifestCache } from '../../src/catalog/manifestCache.ts';

const manifestOf = (id: string, characters = 1000) =>
  ({ id, text: 'x'.repeat(characters) }) as unknown as AnyManifest;

describe('the cache of manifests', () => {
  test('evicts the oldest one beyond its capacity', () => {
    const cache = createManifestCache(3 * 5200);
    for (const id of ['a', 'b', 'c', 'd']) cache.set(id, manifestOf(id));
    expect(['a', 'b', 'c', 'd'].map((id) => cache.get(id)?.id)).toEqual([undefined, 'b', 'c', 'd']);
    expect(cache.bytes()).toBeLessThanOrEqual(3 * 5200);
  });

  test('counts a manifest that is set again once', () => {
    const cache = createManifestCache();
    cache.set('a', manifestOf('a'));
    const once = cache.bytes();
    expect(once).toBeGreaterThan(1000);
    cache.set('a', manifestOf('a'));
    expect(cache.bytes()).toBe(once);
  });

  test('leaves out a manifest larger than its capacity, and keeps the others', () => {
    const cache = createManifestCache(5200);
    cache.set('a', manifestOf('a'));
    const before = cache.bytes();
    cache.set('b', manifestOf('b', 2000));
    expect([cache.get('a')?.id, cache.get('b'), cache.bytes()]).toEqual(['a', undefined, before]);
  });
});

// A cache that is limited in bytes and evicts the least recently used entries.

/** The counts of a cache's reads. Each cache counts them itself, because a wrapper around reads would cost more. */
export interface ReadCounts {
  readonly hits: number;
  readonly misses: number;
}

/** The counts of a cache that does nothing. */
export const NO_READS: ReadCounts = { hits: 0, misses: 0 };

export interface LruCache<Value> extends ReadCounts {
  get(key: string): Value | undefined;
  /** Stores a value in place of the one with the same key. A value larger than the capacity is not stored. */
  set(key: string, value: Value, bytes: number): void;
  readonly bytes: number;
}

/** A cache whose entries take `capacityBytes` at most, by the sizes that callers of `set` give. */
export function createLruCache<Value>(capacityBytes: number): LruCache<Value> {
  // Each access moves its entry to the end of the Map, so the first entry is the least recently used one.
  const entries = new Map<string, { value: Value; bytes: number }>();
  let totalBytes = 0;
  let newestKey: string | undefined;
  let hits = 0;
  let misses = 0;
  const evict = (key: string, bytes: number) => {
    totalBytes -= bytes;
    entries.delete(key);
  };
  const evictOldest = () => {
    for (const [key, { bytes }] of entries) {
      evict(key, bytes);
      if (totalBytes <= capacityBytes) return;
    }
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) {
        misses += 1;
        return undefined;
      }
      hits += 1;
      if (key === newestKey) return entry.value;
      entries.delete(key);
      entries.set(key, entry);
      newestKey = key;
      return entry.value;
    },
    set(key, value, bytes) {
      const known = entries.get(key);
      if (known && key === newestKey && bytes <= capacityBytes) {
        totalBytes += bytes - known.bytes;
        known.value = value;
        known.bytes = bytes;
      } else {
        if (known) evict(key, known.bytes);
        if (bytes > capacityBytes) return;
        entries.set(key, { value, bytes });
        newestKey = key;
        totalBytes += bytes;
      }
      if (totalBytes > capacityBytes) evictOldest();
    },
    get bytes() {
      return totalBytes;
    },
    get hits() {
      return hits;
    },
    get misses() {
      return misses;
    },
  };
}

/** The stand-in that does nothing: caches nothing. */
export const noLruCache = <Value>(): LruCache<Value> => ({
  get: () => undefined,
  set() {},
  bytes: 0,
  ...NO_READS,
});

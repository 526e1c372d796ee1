// Keeps what was used last within a number of bytes.

export interface Kept<Value> {
  get(key: string): Value | undefined;
  /** A value larger than the whole is not kept. */
  set(key: string, value: Value, bytes: number): void;
  readonly bytes: number;
}

export function keepWithin<Value>(maxBytes: number): Kept<Value> {
  // A Map remembers the order of insertion: the first is the one used longest ago.
  const entries = new Map<string, { value: Value; bytes: number }>();
  let held = 0;
  const drop = (key: string) => {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      drop(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      held += bytes;
      for (const oldest of entries.keys()) {
        if (held <= maxBytes) break;
        drop(oldest);
      }
    },
    get bytes() {
      return held;
    },
  };
}

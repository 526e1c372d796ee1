// Limits how many exports run at the same time, in all and per key.

export interface ExportPermits {
  /** Acquires a permit, which the returned function releases; null when no permit is free for the key. */
  tryAcquire(key: string): (() => void) | null;
}

/** Lets `atOnce` exports run at a time, and `perKey` of each key. */
export function createExportPermits({
  atOnce,
  perKey,
}: {
  readonly atOnce: number;
  readonly perKey: number;
}): ExportPermits {
  const permitsOfKey = new Map<string, number>();
  let permits = 0;
  return {
    tryAcquire(key) {
      const ofKey = permitsOfKey.get(key) ?? 0;
      if (permits >= atOnce || ofKey >= perKey) return null;
      permits += 1;
      permitsOfKey.set(key, ofKey + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        permits -= 1;
        const remaining = (permitsOfKey.get(key) ?? 1) - 1;
        if (remaining === 0) permitsOfKey.delete(key);
        else permitsOfKey.set(key, remaining);
      };
    },
  };
}

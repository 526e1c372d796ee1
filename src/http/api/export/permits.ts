// Permits for exports: limits how many run at once, in all and per key.

export interface ExportPermits {
  /** Acquires a permit until the returned function is called; null when none is free for that key. */
  tryAcquire(key: string): (() => void) | null;
}

export function createExportPermits({
  atOnce,
  perKey,
}: {
  readonly atOnce: number;
  readonly perKey: number;
}): ExportPermits {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    tryAcquire(key) {
      const own = taken.get(key) ?? 0;
      if (all >= atOnce || own >= perKey) return null;
      all += 1;
      taken.set(key, own + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        all -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}

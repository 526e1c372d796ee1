// Counts the exports that run: so many at once, and so many of one key.

export interface Places {
  /** Takes a place until the returned function is called; null when there is none for that key now. */
  take(key: string): (() => void) | null;
}

export function createPlaces({
  atOnce,
  perKey,
}: {
  readonly atOnce: number;
  readonly perKey: number;
}): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(key) {
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

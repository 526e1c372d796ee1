// Limits how many exports run at the same time, in all and per key.

export interface PermitLimits {
  /** How many exports may run at the same time in this process. */
  readonly atOnce: number;
  /** How many exports of one key may run at the same time. */
  readonly perKey: number;
}

/** Acquires a permit, which the returned function releases; null when no permit is free for the key. */
export type TryAcquire = (key: string) => (() => void) | null;

/** Makes the function that gives the permits for one kind of export. */
export function exportPermits({ atOnce, perKey }: PermitLimits): TryAcquire {
  const permitsOfKey = new Map<string, number>();
  let permits = 0;
  return (key) => {
    const ofKey = permitsOfKey.get(key) ?? 0;
    if (permits >= atOnce || ofKey >= perKey) return null;
    permits += 1;
    permitsOfKey.set(key, ofKey + 1);
    return () => {
      permits -= 1;
      const remaining = (permitsOfKey.get(key) ?? 1) - 1;
      if (remaining === 0) permitsOfKey.delete(key);
      else permitsOfKey.set(key, remaining);
    };
  };
}

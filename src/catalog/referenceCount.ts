// Frees a resource once: when it was closed and the last holder has released it.

export interface ReferenceCount {
  /** Keeps the resource from being freed until the returned function is called. */
  hold(): () => void;
  /** Whether anybody holds it. */
  inUse(): boolean;
  /** Frees the resource as soon as nobody holds it. */
  close(): void;
}

export function referenceCount(free: () => void): ReferenceCount {
  let holders = 0;
  let isClosed = false;
  let isFreed = false;
  const freeIfUnused = () => {
    if (!isClosed || holders > 0 || isFreed) return;
    isFreed = true;
    free();
  };
  return {
    hold() {
      if (isFreed) throw new Error('held after it was freed');
      holders++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders--;
        freeIfUnused();
      };
    },
    inUse: () => holders > 0,
    close() {
      isClosed = true;
      freeIfUnused();
    },
  };
}

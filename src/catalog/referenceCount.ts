// Counts the references to a resource, and frees it when it is closed and the last reference is released.

export interface ReferenceCount {
  /** Adds a reference. The returned function releases it. Further calls of that function do nothing. */
  acquire(): () => void;
  inUse(): boolean;
  /** Frees the resource as soon as there are no references left. */
  close(): void;
}

/** Makes the count of a new resource, without references. `free` frees the resource, and is called at most once. */
export function referenceCount(free: () => void): ReferenceCount {
  let references = 0;
  let isClosed = false;
  let isFreed = false;
  const freeIfUnused = () => {
    if (!isClosed || references > 0 || isFreed) return;
    isFreed = true;
    free();
  };
  return {
    acquire() {
      if (isFreed) throw new Error('acquired after it was freed');
      references++;
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        references--;
        freeIfUnused();
      };
    },
    inUse: () => references > 0,
    close() {
      isClosed = true;
      freeIfUnused();
    },
  };
}

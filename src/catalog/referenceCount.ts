// Frees something once, when that is asked for and nobody holds it any more.

export interface Holdable {
  /** Keeps it from being freed until the returned function is called. */
  hold(): () => void;
  /** Whether anybody holds it. */
  inUse(): boolean;
  /** Frees it as soon as nobody holds it. */
  close(): void;
}

export function holdable(free: () => void): Holdable {
  let holders = 0;
  let closing = false;
  let freed = false;
  const freeIfDone = () => {
    if (!closing || holders > 0 || freed) return;
    freed = true;
    free();
  };
  return {
    hold() {
      if (freed) throw new Error('held after it was freed');
      holders++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders--;
        freeIfDone();
      };
    },
    inUse: () => holders > 0,
    close() {
      closing = true;
      freeIfDone();
    },
  };
}

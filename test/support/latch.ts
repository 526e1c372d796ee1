// A moment for which a test or the tested code waits: `const begun = aLatch(); begun.open(); await begun.opened`.

export interface Latch {
  /** Settles when the latch is opened. */
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/** Makes a latch, which is closed at first. */
export function aLatch(): Latch {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

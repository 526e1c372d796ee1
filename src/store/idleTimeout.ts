// Gives up an answer of a store of which too little has arrived for a while, however long it is.

export interface IdleTimeout {
  /** Aborts when the store is given up. */
  readonly signal: AbortSignal;
  /** Bytes have arrived. */
  received(bytes: number): void;
  end(): void;
}

/**
 * Starts the timeout with the request. The store must send its head and `idleMs` × `BYTES_PER_MS` bytes within `idleMs`, and
 * each further part of that size within the same time.
 */
export function startIdleTimeout(idleMs: number): IdleTimeout {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new DOMException(TIMED_OUT, 'TimeoutError'));
  let timer = setTimeout(giveUp, idleMs);
  let pending = 0;
  return {
    signal: controller.signal,
    received(bytes) {
      pending += bytes;
      if (pending < idleMs * BYTES_PER_MS) return;
      pending = 0;
      clearTimeout(timer);
      timer = setTimeout(giveUp, idleMs);
    },
    end: () => clearTimeout(timer),
  };
}

/** The slowest answer that is waited for. A store that sends a byte now and then would keep its reader for days. */
const BYTES_PER_MS = 1;

/** Worded like the reason of `AbortSignal.timeout`. */
const TIMED_OUT = 'The operation was aborted due to timeout';

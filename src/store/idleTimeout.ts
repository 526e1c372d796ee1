// A timeout for an answer of a store that arrives too slowly. It does not limit how long the whole answer takes.

export type IdleTimeout = ReturnType<typeof startIdleTimeout>;

/**
 * Starts the timeout. It must be called when the request is sent. The store has `idleMs` to send the head and the first
 * `idleMs` × `BYTES_PER_MS` bytes, and the same time for each further part of that size.
 */
export function startIdleTimeout(idleMs: number) {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new DOMException(TIMED_OUT, 'TimeoutError'));
  let timer = setTimeout(giveUp, idleMs);
  let receivedBytes = 0;
  return {
    /** Aborts when the answer arrives too slowly. */
    signal: controller.signal,
    /** Must be called for each part of the answer that arrives. */
    received(bytes: number): void {
      receivedBytes += bytes;
      if (receivedBytes < idleMs * BYTES_PER_MS) return;
      receivedBytes = 0;
      clearTimeout(timer);
      timer = setTimeout(giveUp, idleMs);
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * The slowest speed that is accepted. A store that sends a byte now and then would keep its reader waiting for days.
 */
const BYTES_PER_MS = 1;

/** Worded like the reason of `AbortSignal.timeout`. */
const TIMED_OUT = 'The operation was aborted due to timeout';

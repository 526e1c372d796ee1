// Tries to start the private Redis server until it runs, with ever longer pauses. Observes each reason for a failure once.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../../observations.ts';

export interface StartTries {
  /** Settles when a server has opened its socket, or nobody needs it any more. */
  untilStarted(): Promise<void>;
  /** Notes that the server of a try has ended before it answered. */
  recordFailure(error: Error): void;
  /**
   * Notes that the server has answered: the next start has no pause, and the next failure is observed whatever its reason.
   */
  recordSuccess(): void;
}

export interface StartOptions {
  /** Settles when a server has opened its socket. */
  readonly start: () => Promise<void>;
  /** Aborted when nobody needs the server any more. */
  readonly signal: AbortSignal;
  /** Called at each failure. Further tries follow, because the cause may be gone by then. */
  readonly onFailure: (error: Error) => void;
  readonly observe: Observe;
}

/**
 * Makes the tries of one server. An opened socket is not yet a success. A server with damaged data opens its socket, and
 * ends while it loads the data. Without pauses it would be started many times a second, and fill the disk with its log.
 */
export function startTries({ start, signal, onFailure, observe }: StartOptions): StartTries {
  let tries = 0;
  let observed = '';

  function recordFailure(error: Error): void {
    if (signal.aborted) return;
    onFailure(error);
    if (error.message !== observed) observe({ event: 'redis not started', reason: error.message });
    observed = error.message;
  }

  return {
    async untilStarted() {
      while (!signal.aborted) {
        await sleep(pauseMs(tries), null, { signal }).catch(() => {});
        if (signal.aborted) return;
        tries += 1;
        try {
          return await start();
        } catch (error) {
          recordFailure(error as Error);
        }
      }
    },
    recordFailure,
    recordSuccess() {
      tries = 0;
      observed = '';
    },
  };
}

/** The pause before a try: none before the first, then half a second, doubled after each try up to `MAX_PAUSE_MS`. */
const pauseMs = (tries: number): number => (tries === 0 ? 0 : Math.min(500 * 2 ** (tries - 1), MAX_PAUSE_MS));

/** The longest pause. When somebody has repaired damaged data, the server starts within this time. */
const MAX_PAUSE_MS = 5000;

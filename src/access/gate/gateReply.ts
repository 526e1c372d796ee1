// Reads the replies of gate.lua: the verdicts on all requests of a call.

/** The gate's verdict on a request. `http/middleware/authenticate.ts` maps each outcome to HTTP. */
export type Verdict =
  | { readonly outcome: 'admitted' | 'limited'; readonly keyId: string | null; readonly windows: Windows }
  | { readonly outcome: 'unknown' | 'revoked' | 'expired'; readonly keyId: string | null };

/** The state of a key's two windows after the verdict. */
export interface Windows {
  readonly minute: Window;
  readonly day: Window;
  /** Redis's clock at the verdict, in epoch milliseconds. */
  readonly clockMs: number;
}

export interface Window {
  readonly limit: number;
  readonly used: number;
  /** Milliseconds until the window's next slot frees. */
  readonly freesMs: number;
}

/** A reply of gate.lua. */
export interface Reply {
  /** Doubles: Redis's clock in microseconds, then seven numbers for each key. */
  readonly numbers: Buffer;
  /** An empty text for an unknown key. The list is empty when the call came too late: see `isTooLate`. */
  readonly keyIds: readonly string[];
}

/** Reads the reply of Redis. It is two texts, because ioredis takes longer to read a list of numbers. */
export function readReply(sent: unknown): Reply {
  const [numbers, ids] = sent as readonly [Buffer, Buffer];
  return { numbers, keyIds: numbers.length === DOUBLE_BYTES ? [] : ids.toString('latin1').split(',') };
}

const DOUBLE_BYTES = 8;

/** Numbers of one key in a reply. */
const NUMBERS = 7;

/** Whether Redis counted nothing, because the call arrived when no client waited for it any more. */
export const isTooLate = ({ keyIds }: Reply): boolean => keyIds.length === 0;

/** Redis's clock when it ran the call, in epoch milliseconds. */
export const clockMsOf = ({ numbers }: Reply): number => numbers.readDoubleLE(0) / 1000;

/**
 * Why all requests of a key are refused: the reply has the index in this list in place of the number of admitted
 * requests.
 */
const REFUSALS = ['unknown', 'revoked', 'expired'] as const;

/** Returns the verdict on each request of a key: the first ones are admitted, the others are limited. */
export function verdictsIn(reply: Reply, key: number): (request: number) => Verdict {
  const number = (i: number) => reply.numbers.readDoubleLE(DOUBLE_BYTES * (1 + NUMBERS * key + i));
  const admitted = number(0);
  const keyId = reply.keyIds[key] || null;
  if (admitted < 0) {
    const verdict = { outcome: REFUSALS[-1 - admitted] ?? 'unknown', keyId };
    return () => verdict;
  }
  const clockMs = clockMsOf(reply);
  const [minute, day] = [number(1), number(4)];
  const [usedOfMinute, usedOfDay] = [number(2), number(5)];
  const [minuteFreesMs, dayFreesMs] = [number(3), number(6)];
  return (request) => {
    const admittedLater = Math.max(0, admitted - 1 - request);
    return {
      outcome: request < admitted ? 'admitted' : 'limited',
      keyId,
      windows: {
        minute: { limit: minute, used: usedOfMinute - admittedLater, freesMs: minuteFreesMs },
        day: { limit: day, used: usedOfDay - admittedLater, freesMs: dayFreesMs },
        clockMs,
      },
    };
  };
}

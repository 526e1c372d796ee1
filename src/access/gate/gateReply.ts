// Reads a reply of gate.lua, which has the verdicts on all requests of a call.

/**
 * The gate's verdict on a request. `http/middleware/authenticator.ts` maps each outcome to HTTP. `keyId` is null when the
 * key is unknown.
 */
export type Verdict =
  | { readonly outcome: 'admitted' | 'limited'; readonly keyId: string | null; readonly windows: Windows }
  | { readonly outcome: Refusal; readonly keyId: string | null };

/** Why all requests of a key are refused. */
export type Refusal = (typeof REFUSALS)[number];

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
  /** The milliseconds until the window's next slot is free. */
  readonly freesMs: number;
}

/** A reply of the script, unpacked. */
export interface Reply {
  /** Doubles: Redis's clock in microseconds, then seven numbers for each key. */
  readonly numbers: Buffer;
  /** The id of each key; an empty text for an unknown key. The list is empty when the call was too late. */
  readonly keyIds: readonly string[];
}

/** Reads a reply. The script packs it into two texts, because ioredis needs more time for a list of numbers. */
export function readReply(sent: unknown): Reply {
  const [numbers, ids] = sent as readonly [Buffer, Buffer];
  return { numbers, keyIds: numbers.length === DOUBLE_BYTES ? [] : ids.toString('latin1').split(',') };
}

const DOUBLE_BYTES = 8;

/** How many numbers a reply has for each key. */
const NUMBERS = 7;

/** Whether Redis ran the call when no client was waiting for it any more, and counted nothing. */
export const isTooLate = ({ keyIds }: Reply): boolean => keyIds.length === 0;

/** Redis's clock when it ran the call, in epoch milliseconds. */
export const clockMsOf = ({ numbers }: Reply): number => numbers.readDoubleLE(0) / 1000;

/**
 * The reasons why all requests of a key are refused. The reply has a negative number in place of the number of admitted
 * requests: -1 for the first reason, -2 for the second, and so on.
 */
const REFUSALS = ['unknown', 'revoked', 'expired'] as const;

/**
 * Returns a function that gives the verdict on each request of a key: the first ones are admitted, the rest limited.
 *
 * @param key the index of the key in the call. The function takes the index of the request among those of the key.
 */
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

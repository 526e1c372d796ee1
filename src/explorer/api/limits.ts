// Reads how many requests a key has left, from answers that arrive in any order.

export interface Limits {
  /** The number of requests left in each window, `minute` and `day`. */
  readonly left: Readonly<Record<string, number>>;
}

/** The limits that the latest answers state, with what decides whether another answer is newer. */
interface Known extends Limits {
  /** The header `Date` of the latest answer, in epoch milliseconds. */
  readonly dateMs: number;
  /** How many requests had been sent when the latest answer arrived. */
  readonly sent: number;
}

/** Reads the limits from the headers of the answer to one request; null when they say nothing new. */
export type ReadLimits = (headers: Headers) => Limits | null;

/** Registers a request before it is sent, and returns the function that reads the limits from its answer. */
export type ExpectLimits = () => ReadLimits;

/** The reader of the limits of one key. */
export function limitsReader(): ExpectLimits {
  let sent = 0;
  let known: Known | null = null;
  return () => {
    const number = sent;
    sent += 1;
    return (headers) => {
      const stated = limitsOf(headers.get('ratelimit'));
      const dateMs = Date.parse(headers.get('date') ?? '');
      if (stated === null) return null;
      if (known !== null && dateMs < known.dateMs - MAX_LATE_MS) return null;
      // The requests were under way together. The one that was counted last has the fewest left.
      const left = known !== null && number < known.sent ? fewest(known.left, stated) : stated;
      known = { left, sent, dateMs: Math.max(dateMs || 0, known?.dateMs ?? 0) };
      return { left };
    };
  };
}

/**
 * How much older than the latest answer an answer may be. An even older one is from the browser's cache, with the limits of that
 * time.
 */
const MAX_LATE_MS = 10_000;

type Left = Limits['left'];

const fewest = (a: Left, b: Left): Left =>
  Object.fromEntries(Object.entries(b).map(([name, left]) => [name, Math.min(left, a[name] ?? left)]));

/** Reads a header such as `"minute";r=91;t=33, "day";r=9991;t=86373`. */
function limitsOf(header: string | null): Left | null {
  const windows = [...(header ?? '').matchAll(/"(\w+)";r=(\d+)/g)];
  if (windows.length === 0) return null;
  return Object.fromEntries(windows.map(([, name = '', left]) => [name, Number(left)]));
}

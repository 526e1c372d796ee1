// Reads how many requests a key has left, from answers that arrive in any order.

/** The number of requests left in each window, `minute` and `day`. */
export type RequestsLeft = Readonly<Record<string, number>>;

/** The limits that the latest answers state, with what decides whether another answer is newer. */
interface LatestAnswer {
  readonly left: RequestsLeft;
  /** The header `Date` of the latest answer, in epoch milliseconds. */
  readonly dateMs: number;
  /** How many requests had been sent when the latest answer arrived. */
  readonly sentCount: number;
}

/**
 * The reader of the limits of one key. It must be called before each request is sent, and returns a function for the
 * answer. That function gives the limits in the answer's headers; null when they say nothing new.
 */
export function createRequestsLeftReader(): () => (headers: Headers) => RequestsLeft | null {
  let sentCount = 0;
  let latest: LatestAnswer | null = null;
  return () => {
    const requestNumber = sentCount;
    sentCount += 1;
    return (headers) => {
      const stated = requestsLeftIn(headers.get('ratelimit'));
      const dateMs = Date.parse(headers.get('date') ?? '');
      if (stated === null) return null;
      if (latest !== null && dateMs < latest.dateMs - MAX_LATE_MS) return null;
      // The requests were under way together. The one that was counted last has the fewest left.
      const left = latest !== null && requestNumber < latest.sentCount ? fewest(latest.left, stated) : stated;
      latest = { left, sentCount, dateMs: Math.max(dateMs || 0, latest?.dateMs ?? 0) };
      return left;
    };
  };
}

/**
 * How much older than the latest answer an answer may be. An even older one is from the browser's cache, with the
 * limits of that time.
 */
const MAX_LATE_MS = 10_000;

const fewest = (a: RequestsLeft, b: RequestsLeft): RequestsLeft =>
  Object.fromEntries(Object.entries(b).map(([name, left]) => [name, Math.min(left, a[name] ?? left)]));

/** Reads a header such as `"minute";r=91;t=33, "day";r=9991;t=86373`. */
function requestsLeftIn(header: string | null): RequestsLeft | null {
  const windows = [...(header ?? '').matchAll(/"(\w+)";r=(\d+)/g)];
  if (windows.length === 0) return null;
  return Object.fromEntries(windows.map(([, name = '', left]) => [name, Number(left)]));
}

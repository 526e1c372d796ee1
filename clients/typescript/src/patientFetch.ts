// A `fetch` that waits when the server says "later", and gives up a server that does not answer.

export interface Patience {
  /** How long the server may take to begin an answer, and how long it may pause within one that is not a file. */
  readonly answerSeconds: number;
  /** The longest sum of waits for a 429 or 503, as `Retry-After` states them. */
  readonly maxWaitSeconds: number;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * For requests without a body, which can be sent again. A server that never answered has another address, and is given up
 * at once; one that did is being restarted, and is tried a few times more.
 */
export function patientFetch({ answerSeconds, maxWaitSeconds }: Patience): Fetch {
  let hasAnswered = false;
  return async (request) => {
    const newTry = triesOf(request.signal);
    let waitedSeconds = 0;
    for (let breaks = 0; ; ) {
      let response: Response;
      const limit = { controller: newTry(), seconds: answerSeconds, url: request.url };
      try {
        response = await answerWithin(request, limit);
        hasAnswered = true;
        if (!isForFile(request)) await arrived(response, limit);
      } catch (error) {
        expectHeadThatFits(request, error);
        // `fetch` throws this error alone when there is no connection, or when it breaks.
        const isBroken = error instanceof TypeError && !request.signal.aborted;
        breaks += 1;
        if (!isBroken || !hasAnswered || breaks > RETRIES) throw error;
        await sleep(200 * 2 ** breaks, request.signal);
        continue;
      }
      expectNoRedirect(request, response);
      const pauseSeconds = laterBySeconds(response);
      if (pauseSeconds === null || waitedSeconds + pauseSeconds > maxWaitSeconds) return response;
      await response.body?.cancel();
      await sleep(pauseSeconds * 1000, request.signal);
      waitedSeconds += pauseSeconds;
    }
  };
}

/** The tries after the first one when the connection breaks. The pauses between them last 6 s in all. */
const RETRIES = 4;

/** Files are large, and are read as they come. */
const isForFile = ({ url }: Request): boolean => new URL(url).pathname.includes('/v1/export/');

/** How long one step of a request may take. The controller ends the request. */
interface TimeLimit {
  readonly controller: AbortController;
  readonly seconds: number;
  readonly url: string;
}

/**
 * Waits for the whole body, which stays readable. Each part of it has the time limit.
 *
 * @throws {TypeError} when it is cut.
 */
async function arrived(response: Response, limit: TimeLimit): Promise<void> {
  const parts = response.clone().body?.getReader();
  for (let isOver = parts === undefined; parts !== undefined && !isOver; )
    ({ done: isOver } = await within(limit, 'did not go on with its answer', () => parts.read()));
}

/**
 * Returns a function that gives the controller of the next try. The caller's signal ends the latest try. It has one
 * listener for all of them, because Node warns of a signal with more than ten.
 */
function triesOf(signal: AbortSignal): () => AbortController {
  let latest = new AbortController();
  const leave = () => latest.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  return () => {
    latest = new AbortController();
    if (signal.aborted) leave();
    return latest;
  };
}

/** The time limit only waits for the answer to begin. A redirect is an answer. */
const answerWithin = (request: Request, limit: TimeLimit): Promise<Response> =>
  within(limit, 'did not answer', () =>
    fetch(request, { signal: limit.controller.signal, redirect: 'manual' }),
  );

/** Ends the request when a step of it takes too long; `failure` says what the server did not do. */
async function within<Value>(
  { controller, seconds, url }: TimeLimit,
  failure: string,
  step: () => Promise<Value>,
): Promise<Value> {
  const end = () =>
    controller.abort(new Error(`${url} ${failure} within ${seconds} s; check the address and the network`));
  const timer = setTimeout(end, Math.min(seconds * 1000, LONGEST_TIMER_MS));
  try {
    return await step();
  } finally {
    clearTimeout(timer);
  }
}

/** The longest time that a timer can wait, some 24 days. A timer with a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The API redirects nowhere. `fetch` would send the key on to whatever address a redirect names.
 *
 * @throws {Error} that names the other address where the browser shows it.
 */
function expectNoRedirect({ url }: Request, { status, type, headers }: Response): void {
  const isRedirect = REDIRECTS.includes(status) || type === 'opaqueredirect';
  if (!isRedirect) return;
  const location = headers.get('location');
  const target =
    location !== null && URL.canParse(location, url) ? new URL(location, url).origin : 'another address';
  throw new Error(`${url} redirects to ${target}; give the address of the data API itself as url`);
}

/**
 * A longer head is just as long at the next try.
 *
 * @throws {Error} when Node refuses the head of the answer. The message says what to do.
 */
function expectHeadThatFits({ url }: Request, error: unknown): void {
  const cause = error instanceof TypeError ? error.cause : undefined;
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_HEADERS_OVERFLOW')) return;
  const { origin, pathname } = new URL(url);
  throw new Error(
    `the headers of the answer of ${origin}${pathname} are longer than Node reads; filter by fewer values, or start it with node --max-http-header-size=131072`,
    { cause: error },
  );
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** How long the server asks to wait; null when it has answered. */
function laterBySeconds({ status, headers }: Response): number | null {
  if (status !== 429 && status !== 503) return null;
  const seconds = Number(headers.get('retry-after') || 1);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(seconds, SHORTEST_PAUSE_SECONDS) : 1;
}

/** A proxy may say 0. Without a pause, the waits would never add up to the longest one. */
const SHORTEST_PAUSE_SECONDS = 0.25;

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', leave);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}

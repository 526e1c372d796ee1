// A `fetch` that waits after 429 and 503 and repeats the request, and gives up when the server does not answer in time.

export interface Patience {
  /** The longest wait for the beginning of an answer, and for each next part unless it is a file. */
  readonly answerSeconds: number;
  /** How long one request waits in all after answers 429 and 503. `Retry-After` states each wait. */
  readonly maxWaitSeconds: number;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * A `fetch` for requests without a body, because these can be sent again. When the connection fails, a server that has
 * answered before may be restarting, and the request is repeated a few times. A server that has never answered probably
 * has another address, and the error is thrown at once.
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
        // `fetch` throws a TypeError when the connection cannot be made, and when it breaks.
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

/** How many times a request is repeated after its connection broke. The pauses before these tries last 6 s together. */
const RETRIES = 4;

/** Whether a request is for a file. Files are large, so the caller reads them while they arrive. */
const isForFile = ({ url }: Request): boolean => new URL(url).pathname.includes('/v1/export/');

/** The time limit of each step of a request. The controller ends the request. */
interface TimeLimit {
  readonly controller: AbortController;
  readonly seconds: number;
  readonly url: string;
}

/**
 * Waits for the whole body. The caller can still read it, because a clone is read here. The time limit applies to each
 * part.
 *
 * @throws {TypeError} when the body is cut.
 */
async function arrived(response: Response, limit: TimeLimit): Promise<void> {
  const parts = response.clone().body?.getReader();
  for (let isOver = parts === undefined; parts !== undefined && !isOver; )
    ({ done: isOver } = await within(limit, 'did not go on with its answer', () => parts.read()));
}

/**
 * Returns a function that makes the controller of the next try. The caller's signal ends the latest try. The signal gets
 * one listener for all tries, because Node warns of more than ten listeners.
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

/** Sends a request. The time limit ends with the beginning of the answer. A redirect counts as an answer. */
const answerWithin = (request: Request, limit: TimeLimit): Promise<Response> =>
  within(limit, 'did not answer', () =>
    fetch(request, { signal: limit.controller.signal, redirect: 'manual' }),
  );

/** Runs a step of a request, and ends the request when the step takes too long. `failure` is a part of the message. */
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

/** The longest time of a timer, some 24 days. A timer with a longer time fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Refuses a redirect. The API never redirects, and `fetch` would send the key to the other address.
 *
 * @throws {Error} for a redirect. Browsers hide the other address; elsewhere the message names it.
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
 * Replaces the error that Node throws when the headers of an answer are too long. The request is not repeated, because
 * the headers would be as long again.
 *
 * @throws {Error} that names the remedies.
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

/** The seconds that the server asks to wait after 429 or 503; null for any other answer. */
function laterBySeconds({ status, headers }: Response): number | null {
  if (status !== 429 && status !== 503) return null;
  const seconds = Number(headers.get('retry-after') || 1);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(seconds, SHORTEST_PAUSE_SECONDS) : 1;
}

/** The shortest pause. A proxy may ask for 0 seconds, and such waits would never add up to `maxWaitSeconds`. */
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

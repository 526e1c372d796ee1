// A `fetch` that waits when the server says "later", and gives up a server that does not answer.

export interface Patience {
  /** How long the server may take to begin an answer. */
  readonly answerSeconds: number;
  /** The longest sum of waits for a 429 or 503, as `Retry-After` states them. */
  readonly maxWaitSeconds: number;
}

type Fetch = (request: Request) => Promise<Response>;

/** For requests without a body, which can be sent again. */
export function patientFetch({ answerSeconds, maxWaitSeconds }: Patience): Fetch {
  return async (request) => {
    let waitedSeconds = 0;
    for (;;) {
      const response = await answerWithin(request, answerSeconds);
      const pauseSeconds = laterBySeconds(response);
      if (pauseSeconds === null || waitedSeconds + pauseSeconds > maxWaitSeconds) return response;
      await response.body?.cancel();
      await sleep(pauseSeconds * 1000, request.signal);
      waitedSeconds += pauseSeconds;
    }
  };
}

/** The caller's signal ends the request and the answer; the time limit only waits for the answer to begin. */
async function answerWithin(request: Request, seconds: number): Promise<Response> {
  const controller = new AbortController();
  const { signal } = request;
  const leave = () => controller.abort(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  const timer = setTimeout(
    () =>
      controller.abort(
        new Error(`${request.url} did not answer within ${seconds} s; check the address and the network`),
      ),
    seconds * 1000,
  );
  try {
    return await fetch(request, { signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** How long the server asks to wait; null when it has answered. */
function laterBySeconds({ status, headers }: Response): number | null {
  if (status !== 429 && status !== 503) return null;
  const seconds = Number(headers.get('retry-after') || 1);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : 1;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}

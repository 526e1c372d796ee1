// Sends requests to a server at a steady rate, and records every unexpected answer: `const load = startLoad(…)`.

import http from 'node:http';

export interface Load {
  readonly asked: number;
  /** The number of answers for each status. The status 0 stands for no answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Bodies that differ from the first one. */
  readonly wrong: readonly string[];
  /** The time of the last answer other than 200, in milliseconds since the start; null when there was none. */
  readonly lastFailureMs: number | null;
  readonly firstFailureMs: number | null;
  /** The longest wait for an answer other than 200. */
  readonly slowestFailureMs: number;
  /** The number of failures for each reason. */
  readonly reasons: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** @param headers The headers of all requests, or a function that returns the headers of the next request. */
export function startLoad(
  url: string,
  headers: Record<string, string> | (() => Record<string, string>),
  perSecond: number,
): Load {
  return new SteadyLoad(url, typeof headers === 'function' ? headers : () => headers, perSecond);
}

class SteadyLoad implements Load {
  asked = 0;
  readonly statuses = new Map<number, number>();
  readonly reasons = new Map<string, number>();
  readonly wrong: string[] = [];
  lastFailureMs: number | null = null;
  firstFailureMs: number | null = null;
  slowestFailureMs = 0;
  readonly #url: string;
  readonly #headers: () => Record<string, string>;
  // `fifo` uses all connections in turn, so that none is idle for long: a proxy may close an idle one just as it is used.
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64, scheduling: 'fifo' });
  readonly #begunMs = performance.now();
  readonly #running = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  /** The first body. All others must be equal. */
  #expected: string | null = null;

  constructor(url: string, headers: () => Record<string, string>, perSecond: number) {
    this.#url = url;
    this.#headers = headers;
    // A busy machine runs timers late. Each run sends all requests that are due.
    this.#timer = setInterval(() => {
      const due = ((performance.now() - this.#begunMs) / 1000) * perSecond;
      while (this.asked < due) {
        const one = this.#ask().finally(() => this.#running.delete(one));
        this.#running.add(one);
      }
    }, 5);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  #ask(): Promise<void> {
    this.asked += 1;
    const askedMs = performance.now();
    return new Promise((resolve) => {
      const failed = (error: Error) => {
        this.#count(0, error.message, askedMs);
        resolve();
      };
      const request = http.get(this.#url, { agent: this.#agent, headers: this.#headers() }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', failed);
        response.on('end', () => {
          this.#check(response, text, askedMs);
          resolve();
        });
      });
      request.on('error', failed);
    });
  }

  #check({ statusCode = 0, headers }: http.IncomingMessage, text: string, askedMs: number): void {
    // An answer of a server has a request id. An answer of the proxy has none.
    const by = headers['x-request-id'] === undefined ? 'proxy' : 'server';
    this.#count(statusCode, `${statusCode} of the ${by}: ${text.slice(0, 100)}`, askedMs);
    if (statusCode !== 200) return;
    this.#expected ??= text;
    if (text !== this.#expected) this.wrong.push(text.slice(0, 200));
  }

  #count(status: number, reason: string, askedMs: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 200) return;
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    this.lastFailureMs = performance.now() - this.#begunMs;
    this.firstFailureMs ??= this.lastFailureMs;
    this.slowestFailureMs = Math.max(this.slowestFailureMs, performance.now() - askedMs);
  }
}

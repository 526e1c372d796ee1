// Sends requests to a server at a steady rate, and records every unexpected answer: `const load = startLoad(…)`.

import http from 'node:http';

export interface Load {
  readonly asked: number;
  /** The number of answers by status; 0 is a request without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Bodies that differ from the first one. */
  readonly wrong: readonly string[];
  /** When the last answer other than 200 came, in milliseconds since the start; null when there was none. */
  readonly lastFailureMs: number | null;
  readonly firstFailureMs: number | null;
  /** The longest that a client waited for an answer other than 200. */
  readonly slowestFailureMs: number;
  /** The number of failures by reason. */
  readonly reasons: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** @param headers of each request, in turn. */
export function startLoad(
  url: string,
  headers: Record<string, string> | (() => Record<string, string>),
  perSecond: number,
): Load {
  const headersOf = typeof headers === 'function' ? headers : () => headers;
  // All connections are used in turn. One that idles may be closed by a proxy at the moment at which it is used again.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64, scheduling: 'fifo' });
  const statuses = new Map<number, number>();
  const reasons = new Map<string, number>();
  const wrong: string[] = [];
  const begunMs = performance.now();
  const running = new Set<Promise<void>>();
  let expected: string | null = null;
  const load = {
    asked: 0,
    statuses,
    reasons,
    wrong,
    lastFailureMs: null as number | null,
    firstFailureMs: null as number | null,
    slowestFailureMs: 0,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
    },
  };
  const ended = (status: number, reason: string, askedMs: number) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) return;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    load.lastFailureMs = performance.now() - begunMs;
    load.firstFailureMs ??= load.lastFailureMs;
    load.slowestFailureMs = Math.max(load.slowestFailureMs, performance.now() - askedMs);
  };
  const ask = () =>
    new Promise<void>((resolve) => {
      load.asked += 1;
      const askedMs = performance.now();
      const request = http.get(url, { agent, headers: headersOf() }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', (error) => {
          ended(0, error.message, askedMs);
          resolve();
        });
        response.on('end', () => {
          // Only an answer of a server has an id, not one of a proxy.
          const by = response.headers['x-request-id'] === undefined ? 'proxy' : 'server';
          ended(
            response.statusCode ?? 0,
            `${response.statusCode} of the ${by}: ${text.slice(0, 100)}`,
            askedMs,
          );
          if (response.statusCode === 200) {
            expected ??= text;
            if (text !== expected) wrong.push(text.slice(0, 200));
          }
          resolve();
        });
      });
      request.on('error', (error) => {
        ended(0, error.message, askedMs);
        resolve();
      });
    });
  let due = 0;
  // A busy machine runs timers late. Each run sends all requests that are due.
  const timer = setInterval(() => {
    const target = ((performance.now() - begunMs) / 1000) * perSecond;
    for (; due < target; due++) {
      const one = ask().finally(() => running.delete(one));
      running.add(one);
    }
  }, 5);
  return load;
}

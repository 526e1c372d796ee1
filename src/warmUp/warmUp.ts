// Warms a fresh process up: sends it the requests that clients will send.
// V8 compiles the code that answers them, and the libraries that the start left out are loaded.

import { once } from 'node:events';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from '../access/gate/gate.ts';
import { mintKey } from '../access/keys/keyForm.ts';
import { hashKey } from '../access/keys/keys.ts';
import type { AnyManifest } from '../catalog/manifest.ts';
import { PAGE_REPRESENTATIONS } from '../http/api/negotiate.ts';
import { type AppDeps, createApp } from '../http/app.ts';
import { createGuard } from '../http/middleware/authenticate.ts';
import { createServer } from '../http/server/server.ts';
import type { Observe } from '../observations.ts';
import { compilingSooner } from '../process/compileTimes.ts';
import { connectTo, type WarmUpClient } from './client.ts';
import { computedQuestions, pageQuestions } from './questions.ts';

export interface WarmUpOptions {
  /** The gate of the clients, for compiling its code; it is asked about a key that does not exist. */
  readonly gate?: Gate;
  /** A log that writes its lines where nobody reads them. */
  readonly observe?: Observe;
  /** The app that is warmed up, with its endpoints: V8 compiles code for each closure. */
  readonly app: AppDeps & Required<Pick<AppDeps, 'endpoints'>>;
  /** The server of the clients. While it has requests, the warm-up rests: those requests warm the process up as well. */
  readonly clients?: http.Server;
  /** The warm-up ends after this time, even when requests are left. */
  readonly deadlineMs: number;
  /** Requests of a whole warm-up; none are sent when this or the deadline is 0. */
  readonly requests: number;
}

/** V8 needs about this many requests to compile the code of a page. They take a small part of a start. */
export const WARM_UP_REQUESTS = 3000;

/**
 * Sends requests to a second app with the same endpoints. That app admits a single key, which is made here and stored
 * nowhere. It listens on a loopback port of its own, because V8 also compiles code for the kind of socket.
 *
 * A failed warm-up must not keep a server from serving, so this never rejects.
 *
 * @returns the number of requests that were answered 200.
 */
export async function warmUp(options: WarmUpOptions): Promise<number> {
  const manifest = options.app.snapshots.retainedCurrent()?.manifest;
  if (manifest === undefined || options.deadlineMs === 0) return 0;
  const endMs = performance.now() + options.deadlineMs;
  const yielding = yieldingTo(options.clients, endMs);
  await yielding.next();
  const answered = await compilingSooner(() => sendRequests(manifest, options, yielding, endMs));
  yielding.end();
  return answered;
}

async function sendRequests(
  manifest: AnyManifest,
  { app, gate, observe = () => {}, requests }: WarmUpOptions,
  yielding: Yielding,
  endMs: number,
): Promise<number> {
  const key = mintKey();
  const guard = createGuard(admittingOnly(hashKey(key), gate), observe);
  const { server } = createServer(createApp({ ...app, observe, guard }), observe, guard);
  const clients: WarmUpClient[] = [];
  let answered = 0;
  try {
    // Without `exclusive`, the workers of a cluster would share one port.
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const { prepare } of PAGE_REPRESENTATIONS) await prepare?.();
    let isOver = false;
    const askAll = async (questions: Iterator<string, never>, count: number, isWalk: boolean) => {
      const client = await connectTo({ host: '127.0.0.1', port }, { 'x-api-key': key });
      clients.push(client);
      let next: string | null = null;
      for (let i = 0; i < count && !isOver && performance.now() < endMs; i++) {
        const { status, following } = await client.ask(next ?? questions.next().value);
        if (status === 200) answered += 1;
        next = isWalk ? following : null;
        // Clients come first.
        await yielding.next();
      }
    };
    const computed = Math.floor(requests / REQUESTS_PER_COMPUTATION);
    const pages = requests - computed;
    const questions = pageQuestions(manifest);
    // The second walk asks while the first waits for Redis.
    const walks = [Math.ceil(pages / 2), Math.floor(pages / 2)].map((count) =>
      askAll(questions, count, true),
    );
    const pagesAsked = Promise.all(walks).finally(() => {
      isOver = true;
    });
    // Values and totals of a large dataset are computed in another thread, so pages are requested meanwhile.
    await Promise.all([pagesAsked, askAll(computedQuestions(manifest), computed, false)]);
  } catch {
    // For example, the machine has no loopback address. The first clients then warm the server up.
  } finally {
    for (const client of clients) client.close();
    server.closeAllConnections();
    server.close();
  }
  return answered;
}

interface Yielding {
  /** Resolves in a later turn of the event loop, once no client has sent a request for a moment. */
  next(): Promise<void>;
  end(): void;
}

/** Makes a warm-up rest while clients send requests. Probes, such as `/readyz`, do not count. */
function yieldingTo(server: http.Server | undefined, endMs: number): Yielding {
  if (server === undefined) return { next: () => nextTurn(), end() {} };
  // The start counts as a request, because clients may have waited for the server to listen.
  let askedMs = performance.now();
  const note = ({ url = '' }: http.IncomingMessage) => {
    if (url.startsWith('/v1/')) askedMs = performance.now();
  };
  // The listener must run before the routes, which shorten `url`.
  server.prependListener('request', note);
  return {
    async next() {
      await nextTurn();
      while (performance.now() < Math.min(endMs, askedMs + REST_MS)) await sleep(REST_MS);
    },
    end: () => void server.off('request', note),
  };
}

/** Longer than a client takes from an answer to its next request. */
const REST_MS = 20;

/**
 * A gate that admits the key with this hash and no other. It also passes some of the requests on to the real gate, which
 * does not know the key, and ignores its verdict: only its code is to be compiled. Once Redis is away it stops doing so.
 */
function admittingOnly(admitted: string, gate: Gate | undefined): Gate {
  let isAway = gate === undefined;
  let requests = 0;
  const window = { limit: 1, used: 1, freesMs: 0 };
  return {
    async admit(keyHash) {
      if (keyHash !== admitted) return { outcome: 'unknown', keyId: null };
      if (!isAway && requests++ % REQUESTS_PER_GATE_CALL === 0) {
        await gate?.admit(keyHash).catch(() => {
          isAway = true;
        });
      }
      return {
        outcome: 'admitted',
        keyId: null,
        windows: { minute: window, day: window, clockMs: Date.now() },
      };
    },
    async check() {
      return { outcome: 'unknown', keyId: '' };
    },
  };
}

/** One of this many requests calls the real gate. The gate's code is short, and a call waits for half the time of a page. */
const REQUESTS_PER_GATE_CALL = 4;

/** One of this many requests asks for values or totals, which may take as long as twenty pages. */
const REQUESTS_PER_COMPUTATION = 32;

// Warms up a fresh process by sending it requests like those of clients.
// V8 then compiles the code that answers them, and libraries that the start has not loaded are loaded.

import { once } from 'node:events';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from '../access/gate/gate.ts';
import { mintKey } from '../access/keys/keyText.ts';
import { hashOf } from '../access/secret.ts';
import type { AnyManifest } from '../catalog/manifest.ts';
import { PAGE_REPRESENTATIONS } from '../http/api/negotiate.ts';
import { type AppDeps, createApp } from '../http/app.ts';
import { createAuthenticator } from '../http/middleware/authenticator.ts';
import { createServer } from '../http/server/server.ts';
import type { Observe } from '../observations.ts';
import { compilingSooner } from '../process/compileTimes.ts';
import { connectTo } from './warmUpClient.ts';
import { computedQueries, pageQueries } from './warmUpQueries.ts';

export interface WarmUpOptions {
  /**
   * The gate that the warm-up asks about an unknown key, so that V8 compiles the gate's code. When left out, no gate is
   * called.
   */
  readonly gate?: Gate;
  /** The log of the warm-up's requests. Nobody reads it, but V8 compiles its code. When left out, nothing is logged. */
  readonly observe?: Observe;
  /** The app that is warmed up. Its endpoints are required, because V8 compiles code for each closure of an endpoint. */
  readonly app: AppDeps & Required<Pick<AppDeps, 'endpoints'>>;
  /**
   * The server of clients, which listens. While clients send requests, the warm-up pauses, because their requests warm up
   * the process as well. When it no longer listens, the warm-up ends.
   */
  readonly clients?: http.Server;
  /** How long the warm-up may take. With 0 there is no warm-up. */
  readonly deadlineMs: number;
  /** How many requests a complete warm-up sends. */
  readonly requests: number;
}

/** How many requests a warm-up sends. V8 needs about this many to compile the code of a page. */
export const WARM_UP_REQUESTS = 3000;

/**
 * Sends requests to a second app with the same endpoints. The only key that this app admits is made here, and is stored
 * nowhere. The app listens on a loopback port, because V8 also compiles code for the kind of socket.
 *
 * It never rejects, because a server must serve even when its warm-up fails.
 *
 * @returns the number of requests that were answered 200.
 */
export async function warmUp(options: WarmUpOptions): Promise<number> {
  const manifest = options.app.snapshots.currentWithoutLease()?.manifest;
  if (manifest === undefined || options.deadlineMs === 0) return 0;
  const endMs = performance.now() + options.deadlineMs;
  const pauses = pausesFor(options.clients, endMs);
  await pauses.next();
  const answered = await compilingSooner(() => sendRequests(manifest, options, pauses, endMs));
  pauses.end();
  return answered;
}

async function sendRequests(
  manifest: AnyManifest,
  { app, gate, observe = () => {}, requests, clients }: WarmUpOptions,
  pauses: Pauses,
  endMs: number,
): Promise<number> {
  const key = mintKey();
  const authenticator = createAuthenticator(gateAdmittingOnly(hashOf(key), gate), observe);
  const { server } = createServer(createApp({ ...app, observe, authenticator }), observe, authenticator);
  const answers = { ok: 0 };
  let isOver = false;
  // A server that drains no longer listens. Its process should end, and not wait for the reads of a warm-up.
  const mayAsk = () => !isOver && clients?.listening !== false && performance.now() < endMs;
  try {
    // `exclusive` gives each worker of a cluster a port of its own.
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true });
    await once(server, 'listening');
    for (const { prepare } of PAGE_REPRESENTATIONS) await prepare?.();
    const terms = { server, key, mayAsk, pauses, answers };
    const computed = Math.floor(requests / REQUESTS_PER_COMPUTATION);
    const pages = requests - computed;
    const paths = pageQueries(manifest);
    // There are two walks, so that one is answered while the other waits for Redis.
    const walks = [Math.ceil(pages / 2), Math.floor(pages / 2)].map((count) =>
      ask(terms, paths, count, { isWalk: true }),
    );
    const pagesAsked = Promise.all(walks).finally(() => {
      isOver = true;
    });
    // Another thread computes values and totals of a large dataset, so they are requested at the same time as pages.
    await Promise.all([pagesAsked, ask(terms, computedQueries(manifest), computed, { isWalk: false })]);
  } catch {
    // Without a loopback address, for example, the requests fail. Then the first clients warm up the server.
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return answers.ok;
}

/** The parts that all connections of a warm-up share. */
interface WarmUpTerms {
  readonly server: http.Server;
  readonly key: string;
  readonly mayAsk: () => boolean;
  readonly pauses: Pauses;
  /** `ok` is how many requests were answered 200. */
  readonly answers: { ok: number };
}

/** Sends up to `count` requests over one connection. A walk follows the links to the next page. */
async function ask(
  { server, key, mayAsk, pauses, answers }: WarmUpTerms,
  paths: Iterator<string, never>,
  count: number,
  { isWalk }: { readonly isWalk: boolean },
): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const client = await connectTo({ host: '127.0.0.1', port }, { 'x-api-key': key });
  try {
    let next: string | null = null;
    for (let i = 0; i < count && mayAsk(); i++) {
      const { status, following } = await client.ask(next ?? paths.next().value);
      if (status === 200) answers.ok += 1;
      next = isWalk ? following : null;
      // Requests of clients come first.
      await pauses.next();
    }
  } finally {
    client.close();
  }
}

interface Pauses {
  /** Resolves in a later turn of the event loop, when no client has sent a request for `PAUSE_MS`. */
  next(): Promise<void>;
  end(): void;
}

/** Makes a warm-up pause while clients send requests. Probes, such as `/readyz`, do not count. */
function pausesFor(server: http.Server | undefined, endMs: number): Pauses {
  if (server === undefined) return { next: () => nextTurn(), end() {} };
  // The start counts as a request of a client, because clients may have been waiting for the server to listen.
  let askedMs = performance.now();
  const note = ({ url = '' }: http.IncomingMessage) => {
    if (url.startsWith('/v1/')) askedMs = performance.now();
  };
  // This listener must run before the app, whose routes shorten `url`.
  server.prependListener('request', note);
  return {
    async next() {
      await nextTurn();
      while (performance.now() < Math.min(endMs, askedMs + PAUSE_MS)) await sleep(PAUSE_MS);
    },
    end: () => void server.off('request', note),
  };
}

/**
 * How long the warm-up pauses after a request of a client. It is longer than a client takes to send its next request.
 */
const PAUSE_MS = 20;

/**
 * A gate that admits only the key with this hash. For some requests it also calls the real gate, so that V8 compiles the
 * gate's code. The real gate does not know the key. Once Redis is away, the real gate is no longer called.
 */
function gateAdmittingOnly(admitted: string, gate: Gate | undefined): Gate {
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
      return { outcome: 'unknown', keyId: null };
    },
  };
}

/** One of this many requests calls the real gate. A call takes half the time of a page, and few calls are enough. */
const REQUESTS_PER_GATE_CALL = 4;

/** One of this many requests asks for values or totals, which may take as long as twenty pages. */
const REQUESTS_PER_COMPUTATION = 32;

// Warms a fresh process up: asks its own code what clients will ask, so that V8 has compiled it before they do.
// It also loads the libraries that the start left out.

import { once } from 'node:events';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from './access/gate.ts';
import { mintKey } from './access/keyForm.ts';
import { hashKey } from './access/keys.ts';
import type { AnyManifest } from './catalog/manifest.ts';
import { compilingSooner } from './compileTimes.ts';
import { PAGE_REPRESENTATIONS } from './http/api/negotiate.ts';
import { type AppDeps, createApp } from './http/app.ts';
import { createGuard } from './http/middleware/authenticate.ts';
import { createServer } from './http/server/server.ts';
import type { Observe } from './observations.ts';
import { connectTo, type WarmUpClient } from './warmUpClient.ts';
import { questionsForFigures, questionsForPages } from './warmUpQuestions.ts';

export interface WarmUpOptions {
  /** Asked as for clients, with a key that nobody has. */
  readonly gate?: Gate;
  /** Writes lines of the log as for clients, where nobody reads them. */
  readonly observe?: Observe;
  /** The app that is warmed up, with its endpoints: V8 compiles code for each closure. */
  readonly app: AppDeps & Required<Pick<AppDeps, 'endpoints'>>;
  /** The server of the clients. While they ask, the warm-up rests: they then warm the process up themselves. */
  readonly clients?: http.Server;
  /** It ends then, whatever is left to ask. */
  readonly deadlineMs: number;
  /** Requests of a whole warm-up; none are asked when this or the deadline is 0. */
  readonly requests: number;
}

/** As many as V8 needs for the code of a page, at a small part of the seconds that a start takes. */
export const WARM_UP_REQUESTS = 3000;

/**
 * Asks the endpoints through a second app, which admits only a key that is made here and ends with it. The app listens on
 * a port of its own at the loopback address: V8 compiles code for the kind of socket, too. It settles when it is over; a
 * failure of it must not keep a server from serving, so it never rejects.
 *
 * @returns the number of requests that were answered 200.
 */
export async function warmUp(options: WarmUpOptions): Promise<number> {
  const manifest = options.app.snapshots.retainedCurrent()?.manifest;
  if (manifest === undefined || options.deadlineMs === 0) return 0;
  const endMs = performance.now() + options.deadlineMs;
  const yielding = yieldingTo(options.clients, endMs);
  await yielding.next();
  const answered = await compilingSooner(() => askAbout(manifest, options, yielding, endMs));
  yielding.end();
  return answered;
}

async function askAbout(
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
    // A worker of several would otherwise share the port with the others.
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
        // Requests of clients come first.
        await yielding.next();
      }
    };
    const figures = Math.floor(requests / FIGURES_EVERY);
    const pages = requests - figures;
    const questions = questionsForPages(manifest);
    // The second walk asks while the first waits for Redis.
    const walks = [Math.ceil(pages / 2), Math.floor(pages / 2)].map((count) =>
      askAll(questions, count, true),
    );
    const pagesAsked = Promise.all(walks).finally(() => {
      isOver = true;
    });
    // Of a large dataset, a thread computes values and totals while pages are asked for here.
    await Promise.all([pagesAsked, askAll(questionsForFigures(manifest), figures, false)]);
  } catch {
    // A machine without the loopback address, for example. The first clients then warm the server up.
  } finally {
    for (const client of clients) client.close();
    server.closeAllConnections();
    server.close();
  }
  return answered;
}

interface Yielding {
  /** Resolves in a later turn of the event loop, once no client asks. */
  next(): Promise<void>;
  end(): void;
}

/** Makes a warm-up rest while clients of a server ask. What only looks whether the server is up does not count. */
function yieldingTo(server: http.Server | undefined, endMs: number): Yielding {
  if (server === undefined) return { next: () => nextTurn(), end() {} };
  // Clients may have waited for the server to listen.
  let askedMs = performance.now();
  const note = ({ url = '' }: http.IncomingMessage) => {
    if (url.startsWith('/v1/')) askedMs = performance.now();
  };
  // Before the routes, which shorten the path.
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
 * Admits the key with this hash and no other. The gate, which does not know the key, is asked about some of the requests,
 * whatever it answers. Once Redis is away it is not asked again.
 */
function admittingOnly(admitted: string, gate: Gate | undefined): Gate {
  let isAway = gate === undefined;
  let requests = 0;
  const window = { limit: 1, used: 1, freesMs: 0 };
  return {
    async admit(keyHash) {
      if (keyHash !== admitted) return { outcome: 'unknown', keyId: null };
      if (!isAway && requests++ % GATE_EVERY === 0) {
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

/** Of so many requests one asks the gate: its code is short, and waiting for Redis takes as long as half a page. */
const GATE_EVERY = 4;

/** Of so many requests one asks for values or totals, because it may take as long as twenty pages. */
const FIGURES_EVERY = 32;

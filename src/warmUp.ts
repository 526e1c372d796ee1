// Warms a fresh process up: asks its own code what clients will ask, so that V8 has compiled it before they do.
// It also loads the libraries that the start left out.

import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Gate } from './access/gate.ts';
import { mintKey } from './access/keyForm.ts';
import {
  additiveMetrics,
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
} from './catalog/datasets.ts';
import type { AnyManifest } from './catalog/manifest.ts';
import { PAGE_REPRESENTATIONS } from './http/api/negotiate.ts';
import { type AppDeps, createApp } from './http/app.ts';
import { admitEverybody, createGuard } from './http/middleware/authenticate.ts';
import { createServer } from './http/server/server.ts';
import type { Observe } from './observations.ts';

export interface WarmUpOptions {
  /** Asked as for clients, with a key that nobody has. Without it no keys are checked. */
  readonly gate?: Gate;
  /** Writes lines of the log as for clients, where nobody reads them. */
  readonly observe?: Observe;
  /** The app that is warmed up, with its endpoints: V8 compiles code for each closure. */
  readonly app: AppDeps & Required<Pick<AppDeps, 'endpoints'>>;
  /** It ends then, whatever is left to ask. */
  readonly deadlineMs: number;
  /** Requests of a whole warm-up; none are asked when this or the deadline is 0. */
  readonly requests: number;
}

/** As many as V8 needs for the code of a page, at a small part of the seconds that a start takes. */
export const WARM_UP_REQUESTS = 1500;

/**
 * Asks the endpoints through a second app that admits everybody, on a socket that only this user can open. It settles
 * when it is over; a failure of it must not keep a server from serving, so it never rejects.
 *
 * @returns the number of requests that were answered 200.
 */
export async function warmUp({
  app,
  gate,
  observe = () => {},
  deadlineMs,
  requests,
}: WarmUpOptions): Promise<number> {
  const manifest = app.snapshots.retainedCurrent()?.manifest;
  if (manifest === undefined || deadlineMs === 0) return 0;
  const endMs = performance.now() + deadlineMs;
  const guard = gate ? createGuard(admittingAll(gate), observe) : admitEverybody;
  const { server } = createServer(createApp({ ...app, observe, guard }), observe, guard);
  let answered = 0;
  let folder: string | null = null;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
  const headers = { 'x-api-key': mintKey() };
  // A server may be asked to end before it is warm.
  const removeAtExit = () => folder !== null && rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  try {
    folder = await mkdtemp(path.join(os.tmpdir(), 'data-api-warm-'));
    const socketPath = path.join(folder, 'socket');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    for (const { prepare } of PAGE_REPRESENTATIONS) await prepare?.();
    let isOver = false;
    const askAll = async (questions: Iterator<string, never>, count: number, isWalk: boolean) => {
      let next: string | null = null;
      for (let i = 0; i < count && !isOver && performance.now() < endMs; i++) {
        const { status, following } = await ask({
          socketPath,
          path: next ?? questions.next().value,
          agent,
          headers,
        });
        if (status === 200) answered += 1;
        next = isWalk ? following : null;
        // Requests of clients come first.
        await nextTurn();
      }
    };
    // Of a large dataset, a thread computes values and totals while pages are asked for here.
    const figures = Math.floor(requests / FIGURES_EVERY);
    const pagesAsked = askAll(questionsForPages(manifest), requests - figures, true).finally(() => {
      isOver = true;
    });
    await Promise.all([pagesAsked, askAll(questionsForFigures(manifest), figures, false)]);
  } catch {
    // A temporary folder that cannot be written, for example. The first clients then warm the server up.
  } finally {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => {});
    process.off('exit', removeAtExit);
  }
  return answered;
}

/** Asks the gate about each request, and admits it whatever the answer. Once Redis is away it is not asked again. */
function admittingAll(gate: Gate): Gate {
  let isAway = false;
  const window = { limit: 1, used: 1, freesMs: 0 };
  return {
    ...gate,
    async admit(keyHash) {
      if (!isAway) {
        await gate.admit(keyHash).catch(() => {
          isAway = true;
        });
      }
      return {
        outcome: 'admitted',
        keyId: null,
        windows: { minute: window, day: window, clockMs: Date.now() },
      };
    },
  };
}

/** Of so many requests one asks for values or totals, because it may take as long as twenty pages. */
const FIGURES_EVERY = 16;

/** The documents, which are made when they are first asked for, then what clients ask most, without end. */
function* questionsForPages(manifest: AnyManifest): Generator<string, never> {
  yield* ['/docs', '/docs/plain', '/openapi.json'];
  // Walks of long pages and filtered short ones, each dataset in turn.
  for (let round = 0; ; round++) {
    for (const dataset of DATASET_NAMES) {
      const filter = filterOf(manifest, dataset, round);
      if (filter === null) continue;
      const rows = dataset === 'country_reference' ? 'reference?dataset' : 'financials?metric';
      yield `/v1/${rows}=${dataset}&limit=1000&${filter}`;
      yield `/v1/${rows}=${dataset}&limit=100&${filter}&${filterOf(manifest, dataset, round + 1)}`;
    }
    yield '/v1/catalog';
  }
}

/** Values and totals of the largest dataset, because V8 compiles a loop that ran long; without end. */
function* questionsForFigures(manifest: AnyManifest): Generator<string, never> {
  const rowsOf = (name: DatasetName) => manifest.datasets[name]?.rows ?? 0;
  const [dataset] = DATASET_NAMES.filter((name) => additiveMetrics(name).length > 0).sort(
    (a, b) => rowsOf(b) - rowsOf(a),
  );
  for (let round = 0; ; round++) {
    const filter = dataset === undefined ? null : filterOf(manifest, dataset, round);
    if (dataset === undefined || filter === null) {
      yield '/v1/catalog';
      continue;
    }
    const { dimensions } = datasetOf(dataset);
    // Totals over several values of these would be refused.
    const by = dimensions.filter((name) => name === 'country' || dimensionOf(name).notAdditive !== undefined);
    yield `/v1/values?dataset=${dataset}&${filter}`;
    yield `/v1/totals?dataset=${dataset}&${filter}${by.map((name) => `&by=${name}`).join('')}`;
  }
}

/** One value of one dimension; another one in each round. */
function filterOf({ datasets }: AnyManifest, dataset: DatasetName, round: number): string | null {
  const dimensions = Object.entries(datasets[dataset]?.dimensions ?? {}).filter(
    ([, values]) => values.length > 0,
  );
  const [name, values = []] = dimensions[round % Math.max(1, dimensions.length)] ?? [];
  const value = values[Math.floor(round / dimensions.length) % Math.max(1, values.length)]?.value;
  return name === undefined || value === undefined ? null : `${name}=${encodeURIComponent(value)}`;
}

interface Answer {
  readonly status: number | undefined;
  /** The path of the next page. */
  readonly following: string | null;
}

function ask(options: http.RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(options, (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () => {
          const [, following = null] = /<([^>]+)>; rel="next"/.exec(String(response.headers.link)) ?? [];
          resolve({ status: response.statusCode, following });
        });
      })
      .once('error', reject);
  });
}

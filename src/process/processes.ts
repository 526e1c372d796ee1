// Runs several worker processes that share the port: starts them, replaces one that dies, ends them together.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../observations.ts';

/** The message that asks a worker to end. Unlike a second signal, it does not interrupt a drain that has begun. */
export const END = 'end';

/** The first worker ended before it listened. It has printed the reason. */
export class StartFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of the server ended with ${exitCode} before it listened`);
    this.name = 'StartFailed';
    this.exitCode = exitCode;
  }
}

/**
 * Settles when `count` workers listen.
 *
 * Once the first worker listens, every worker that dies is replaced. The first signal makes all workers drain; this
 * process then calls `close` and exits with 0. A second signal ends everything at once.
 *
 * @throws {StartFailed} when the first worker ends before it listens. The other workers would fail for the same reason.
 */
export async function startProcesses(
  count: number,
  observe: Observe,
  close: () => Promise<void>,
): Promise<void> {
  const ending = endOnSignal(close);
  // Each worker accepts its own connections. The primary could hand one to a worker that is dying, and lose it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  await firstListens(cluster.fork());
  cluster.on('exit', async ({ process: { pid } }, code, signal) => {
    if (ending.aborted) return;
    observe({ event: 'worker died', pid, code, signal });
    await sleep(RESTART_MS);
    if (!ending.aborted) cluster.fork();
  });
  const all = allListen(count);
  for (let started = 1; started < count; started++) cluster.fork();
  await all;
}

/** The delay keeps a worker that always dies at its start from using a whole processor. */
const RESTART_MS = 1000;

async function firstListens(worker: Worker): Promise<void> {
  const died = once(worker, 'exit').then(([code]) => {
    throw new StartFailed(Number(code ?? 1));
  });
  await Promise.race([once(worker, 'listening'), died]);
  died.catch(() => {});
}

/** Settles when `count` workers listen at the same time. At least one listens already. */
function allListen(count: number): Promise<void> {
  const listening = new Set(workers());
  return new Promise((resolve) => {
    const check = () => {
      if (listening.size >= count) resolve();
    };
    cluster.on('listening', (worker) => {
      listening.add(worker);
      check();
    });
    cluster.on('exit', (worker) => listening.delete(worker));
    check();
  });
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function killWorkers(): void {
  for (const worker of workers()) worker.process.kill('SIGKILL');
}

/** A worker drains for 10 s at most. A worker that has not ended after 13 s is stopped or hangs, and never ends by itself. */
const END_MS = 13_000;

function endOnSignal(close: () => Promise<void>): AbortSignal {
  const ending = new AbortController();
  const listening = new WeakSet<Worker>();
  cluster.on('listening', (worker) => listening.add(worker));
  onSignal(async () => {
    if (ending.signal.aborted) {
      killWorkers();
      process.exit(0);
    }
    ending.abort();
    const late = setTimeout(killWorkers, END_MS);
    await Promise.all(
      workers().map((worker) => {
        const ended = once(worker, 'exit');
        // A worker that is still starting does not read messages yet. Without a callback, sending to a worker that has just
        // ended would be an error that ends this process.
        if (listening.has(worker)) worker.send(END, () => {});
        else worker.process.kill('SIGTERM');
        return ended;
      }),
    ).finally(() => clearTimeout(late));
    await close();
    process.exit(0);
  });
  return ending.signal;
}

/** Calls `act` at every signal that asks the process to end, including SIGHUP of a closed terminal. */
export function onSignal(act: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, act);
}

// Runs several worker processes that share the port: starts them, replaces those that die, and ends all of them.

import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Observe } from '../observations.ts';

/**
 * The message that asks a worker to drain and end. A worker that drains already ignores it, whereas a second signal would
 * end the worker at once.
 */
export const END_MESSAGE = 'end';

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
 * Starts `count` workers. Settles when all of them listen.
 *
 * As soon as the first worker listens, each worker that dies is replaced. The first signal makes all workers drain. Then
 * this process calls `close` and exits with 0. A second signal ends all processes at once.
 *
 * @throws {StartFailed} when the first worker ends before it listens. The others would fail for the same reason.
 */
export async function startProcesses(
  count: number,
  observe: Observe,
  close: () => Promise<void>,
): Promise<void> {
  const ending = endOnSignal(close);
  // Each worker accepts connections itself. The primary could pass a connection to a dying worker, and lose it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  await untilFirstListens(cluster.fork(), ending);
  cluster.on('exit', async ({ process: { pid } }, code, signal) => {
    if (ending.aborted) return;
    observe({ event: 'worker died', pid, code, signal });
    await sleep(RESTART_MS);
    if (!ending.aborted) cluster.fork();
  });
  const all = untilAllListen(count);
  for (let started = 1; started < count; started++) cluster.fork();
  await all;
}

/** The delay before a worker is replaced. Without it, a worker that always dies at its start would keep a core busy. */
const RESTART_MS = 1000;

async function untilFirstListens(worker: Worker, ending: AbortSignal): Promise<void> {
  const died = once(worker, 'exit').then(([code]): Promise<never> => {
    // A signal ends a worker that is still starting. `endOnSignal` then stops Redis, and ends this process with 0.
    if (ending.aborted) return new Promise(() => {});
    throw new StartFailed(Number(code ?? 1));
  });
  const listens = new Promise<void>((resolve) => {
    onListening((listening) => listening === worker && resolve());
  });
  await Promise.race([listens, died]);
  died.catch(() => {});
}

/**
 * Calls `act` for each worker that listens on a port. A worker that starts the private Redis first listens on a Unix
 * socket, which is the start lock. Node reports that socket too, but it does not count.
 */
function onListening(act: (worker: Worker) => void): void {
  cluster.on('listening', (worker, { addressType }: Address) => {
    if (addressType !== UNIX_SOCKET) act(worker);
  });
}

const UNIX_SOCKET = -1;

/** Settles when `count` workers listen at the same time. Those that exist at the call must listen already. */
function untilAllListen(count: number): Promise<void> {
  const listening = new Set(workers());
  return new Promise((resolve) => {
    const check = () => {
      if (listening.size >= count) resolve();
    };
    onListening((worker) => {
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

/** How long workers may take to end. A worker drains for at most 10 s. A worker that takes 13 s hangs, and is killed. */
const END_MS = 13_000;

function endOnSignal(close: () => Promise<void>): AbortSignal {
  const ending = new AbortController();
  const listening = new WeakSet<Worker>();
  onListening((worker) => listening.add(worker));
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
        // A worker that is still starting does not read messages, so it gets a signal. Without the callback, sending to
        // a worker that has just ended would throw an error, which would end this process.
        if (listening.has(worker)) worker.send(END_MESSAGE, () => {});
        else worker.process.kill('SIGTERM');
        return ended;
      }),
    ).finally(() => clearTimeout(late));
    await close();
    process.exit(0);
  });
  return ending.signal;
}

/** Calls `act` at every signal that asks the process to end, including SIGHUP from a terminal that was closed. */
export function onSignal(act: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, act);
}

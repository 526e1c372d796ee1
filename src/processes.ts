// Serves in several processes that share the port: starts them, replaces one that dies, ends them together.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './catalog/currentSnapshot.ts';

/** What a process is told that shall end as if by a signal; one that Ctrl-C has reached too is ending already. */
export const END = 'end';

/** A process ended before it listened; what was wrong it has said itself. */
export class StartFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of the server ended with ${exitCode} before it listened`);
    this.name = 'StartFailed';
    this.exitCode = exitCode;
  }
}

/**
 * Settles when as many processes as asked for listen. From then on one that dies is replaced, until a signal asks
 * for the end: all end what they are answering, then this process
 * closes what it holds and ends with 0. A second signal ends all at once.
 *
 * @throws {StartFailed} when the first cannot serve.
 */
export async function startProcesses(count: number, log: Log, close: () => Promise<void>): Promise<void> {
  const ending = endOnSignals(close);
  // Each takes connections itself: one handed to a process that dies before it has it would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // The first alone: what hinders one would be said by each.
  await listens(cluster.fork());
  await Promise.all(Array.from({ length: count - 1 }, () => listens(cluster.fork())));
  cluster.on('exit', async ({ process: { pid } }, code, signal) => {
    if (ending.aborted) return;
    log.error({ died: pid, code, signal }, 'a process of the server died: starting another');
    await sleep(RESTART_MS);
    if (!ending.aborted) cluster.fork();
  });
}

/** One that dies whenever it starts shall not keep the machine busy. */
const RESTART_MS = 1000;

async function listens(worker: Worker): Promise<void> {
  const died = once(worker, 'exit').then(([code]) => {
    throw new StartFailed(Number(code ?? 1));
  });
  await Promise.race([once(worker, 'listening'), died]);
  died.catch(() => {});
}

function endOnSignals(close: () => Promise<void>): AbortSignal {
  const ending = new AbortController();
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const listening = new WeakSet<Worker>();
  cluster.on('listening', (worker) => listening.add(worker));
  const end = async () => {
    if (ending.signal.aborted) {
      for (const worker of workers()) worker.process.kill('SIGKILL');
      process.exit(0);
    }
    ending.abort();
    await Promise.all(
      workers().map((worker) => {
        const ended = once(worker, 'exit');
        // One that is still starting hears signals alone.
        if (listening.has(worker)) worker.send(END);
        else worker.process.kill('SIGTERM');
        return ended;
      }),
    );
    await close();
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  return ending.signal;
}

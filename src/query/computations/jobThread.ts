// Runs jobs over large tables in a thread, which reads their columns in shared memory, so that other requests do not wait.

import { Worker } from 'node:worker_threads';
import type { Table } from '../../catalog/columns.ts';
import { unavailable } from '../../errors.ts';
import { runOnEventLoop } from './computations.ts';
import type { Job, JobKind, Result, RunJob } from './jobs.ts';

/**
 * Returns a function that runs a job in a thread if all its tables are in shared memory, as large tables are. All other
 * jobs run on the event loop: for small tables, a message to the thread would take longer than the job.
 *
 * @param script the compiled `jobThreadMain.ts`.
 */
export function jobRunner(script: URL): RunJob {
  const thread = createJobThread(script);
  return (kind, job, stop) => {
    const tables: readonly Table[] = job.tables;
    const run = tables.every(({ isShared }) => isShared) ? thread.run : runOnEventLoop;
    return run(kind, job, stop);
  };
}

/** A message to the thread. */
export type JobThreadMessage =
  | { readonly kind: 'table'; readonly id: number; readonly table: SentTable }
  | { readonly kind: 'job'; readonly id: number; readonly job: SentJob }
  | { readonly kind: 'stop'; readonly id: number };

/** The thread's answer to a job. */
export type JobThreadReply = { readonly id: number } & (
  | { readonly outcome: 'done'; readonly result: Result<JobKind> }
  | { readonly outcome: 'stopped' }
  | { readonly outcome: 'failed'; readonly error: unknown }
);

/** A table without the parts that the thread does not need. */
export type SentTable = Pick<Table, 'dataset' | 'rows' | 'metrics'> & {
  readonly dimensions: ReadonlyMap<string, Pick<SentColumn, 'values' | 'codes'>>;
};
type SentColumn = Table['dimensions'] extends ReadonlyMap<unknown, infer Column> ? Column : never;

export interface SentJob {
  readonly kind: JobKind;
  readonly tables: readonly number[];
  readonly parameters: object;
}

/**
 * Makes a runner whose thread starts at the first job.
 *
 * When the server no longer uses one of the thread's tables, the thread ends as soon as none of its jobs runs. The next job
 * starts another thread. An idle thread never collects its garbage, so it would keep the table's memory.
 *
 * @param script the compiled `jobThreadMain.ts`.
 */
export function createJobThread(script: URL) {
  let current: Thread | null = null;
  const collectedTables = new FinalizationRegistry<Thread>((thread) => {
    if (current === thread) current = null;
    thread.endWhenIdle();
  });

  function start(): Thread {
    const started = startThread(script, () => {
      if (current === started) current = null;
    });
    return started;
  }

  const run: RunJob = (kind, job, stop) => {
    current ??= start();
    const thread = current;
    for (const table of job.tables) {
      if (thread.send(table)) collectedTables.register(table, thread);
    }
    return thread.run(kind, job, stop);
  };

  return {
    /** @throws {ApiError} 503 when `stop` aborts, once the thread has stopped. */
    run,
    /** Ends the thread. Jobs that still run fail. */
    async close(): Promise<void> {
      await current?.end();
      current = null;
    },
  };
}

interface Thread {
  /** Sends a table to the thread, unless the thread already has it. Returns whether the table was sent. */
  send(table: Table): boolean;
  readonly run: RunJob;
  endWhenIdle(): void;
  end(): Promise<unknown>;
}

/**
 * Starts a thread.
 *
 * @param onEnd is called when the thread ends, before the jobs that still run fail.
 */
function startThread(script: URL, onEnd: () => void): Thread {
  const worker = new Worker(script);
  // The process may end while the thread still runs.
  worker.unref();
  const ids = new WeakMap<Table, number>();
  /** For each running job, by its id: the function that settles it. */
  const running = new Map<number, (answer: JobThreadReply) => void>();
  let lastId = 0;
  let isEnding = false;
  const post = (message: JobThreadMessage) => worker.postMessage(message);
  const fail = (error: unknown) => {
    onEnd();
    for (const [id, settle] of running) settle({ id, outcome: 'failed', error });
  };
  worker.on('message', (answer: JobThreadReply) => running.get(answer.id)?.(answer));
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the thread for computations ended with ${code}`)));
  const endIfIdle = () => {
    if (isEnding && running.size === 0) void worker.terminate();
  };

  return {
    send(table) {
      if (ids.has(table)) return false;
      const id = ++lastId;
      ids.set(table, id);
      post({ kind: 'table', id, table: sentTable(table) });
      return true;
    },
    run<Kind extends JobKind>(kind: Kind, job: Job<Kind>, stop: AbortSignal) {
      const id = ++lastId;
      const { tables, ...parameters } = job;
      return new Promise<Result<Kind>>((resolve, reject) => {
        const onStop = () => post({ kind: 'stop', id });
        running.set(id, (answer) => {
          running.delete(id);
          stop.removeEventListener('abort', onStop);
          if (answer.outcome === 'done') resolve(answer.result as Result<Kind>);
          else reject(answer.outcome === 'stopped' ? unavailable() : answer.error);
          endIfIdle();
        });
        const tableIds = tables.map((table) => ids.get(table) ?? 0);
        post({ kind: 'job', id, job: { kind, tables: tableIds, parameters } });
        stop.addEventListener('abort', onStop);
        if (stop.aborted) onStop();
      });
    },
    endWhenIdle() {
      isEnding = true;
      endIfIdle();
    },
    end: () => worker.terminate(),
  };
}

function sentTable({ dataset, rows, metrics, dimensions }: Table): SentTable {
  const columns = [...dimensions].map(([name, { values, codes }]) => [name, { values, codes }] as const);
  return { dataset, rows, metrics, dimensions: new Map(columns) };
}

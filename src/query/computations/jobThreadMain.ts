// The thread of `jobThread.ts`: computes jobs in turns, at a low priority.

import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Column, dictionaryOf, type Table } from '../../catalog/columns.ts';
import type { DimensionName } from '../../catalog/datasets.ts';
import { inSlices, type Slices } from '../slices.ts';
import { compute, type Job, type JobKind } from './jobs.ts';
import type { JobThreadMessage, JobThreadReply, SentJob, SentTable } from './jobThread.ts';

/** How long a job runs before another job has its turn. Between turns the thread reads messages, such as `stop`. */
const SLICE_MS = 3;

/**
 * How long the thread sleeps after each slice. It is as short as the system can sleep, which is less than 0.1 ms.
 * Without a sleep, the scheduler lets other processes that need the core wait for 4 ms or more, in spite of the
 * thread's low priority. Redis is one of them.
 */
const REST_MS = 0.02;

/** How much is added to the niceness of the thread, so that pages come first when all cores are busy. */
const NICER = 10;
/** The greatest niceness of Linux, which is its lowest priority. */
const MAX_NICENESS = 19;

// On other systems, a thread cannot have a priority of its own.
if (process.platform === 'linux') lowerPriority();

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
const tables = new Map<number, Table>();
const jobs = new Map<number, AbortController>();

parentPort?.on('message', (message: JobThreadMessage) => {
  const { id } = message;
  if (message.kind === 'table') tables.set(id, received(message.table));
  else if (message.kind === 'stop') jobs.get(id)?.abort();
  else void run(id, message.job).then((answer) => parentPort?.postMessage(answer, memoryOf(answer)));
});

async function run(id: number, { kind, tables: ids, parameters }: SentJob): Promise<JobThreadReply> {
  const controller = new AbortController();
  jobs.set(id, controller);
  try {
    const job = { ...parameters, tables: ids.map((table) => tables.get(table)) };
    const result = await compute(kind, job as unknown as Job<JobKind>, inRestedSlices(controller.signal));
    return { id, outcome: 'done', result };
  } catch (error) {
    return controller.signal.aborted ? { id, outcome: 'stopped' } : { id, outcome: 'failed', error };
  } finally {
    jobs.delete(id);
  }
}

/** Slices of a job. After each of them the thread sleeps. */
function inRestedSlices(signal: AbortSignal): Slices {
  const { isOver, next } = inSlices(SLICE_MS, signal);
  return {
    isOver,
    next() {
      Atomics.wait(neverNotified, 0, 0, REST_MS);
      return next();
    },
  };
}

function lowerPriority(): void {
  try {
    os.setPriority(Math.min(os.getPriority() + NICER, MAX_NICENESS));
  } catch {
    // A sandbox may forbid this. The thread then competes with pages for the cores.
  }
}

function received({ dataset, rows, metrics, dimensions }: SentTable): Table {
  const columns = [...dimensions].map(([name, { values, codes }]): [DimensionName, Column] => [
    name as DimensionName,
    { ...dictionaryOf(values), codes },
  ]);
  return { dataset, rows, metrics, dimensions: new Map(columns), isShared: true, ballast: null };
}

/** The buffers of all typed arrays in an answer. The message moves them to the other thread without a copy. */
function memoryOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (value instanceof Map) for (const part of value.values()) memoryOf(part, found);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) memoryOf(part, found);
  return [...found];
}

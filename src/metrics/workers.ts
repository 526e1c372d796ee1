// Collects the metrics of all worker processes in the primary process, by messages of node's cluster.

import cluster, { type Worker } from 'node:cluster';
import { METRICS, type MetricDefinition } from './definitions.ts';
import type { Metrics } from './metrics.ts';
import type { MetricJson } from './tallies.ts';

interface Question {
  readonly kind: 'metrics wanted';
  readonly number: number;
}

interface Reply {
  readonly kind: 'metrics';
  readonly number: number;
  readonly metrics: readonly MetricJson[];
}

/** How long a scrape waits for a worker. A worker that takes longer hangs, and so do its requests. */
const REPLY_MS = 2000;

/** Makes this worker answer the questions of the primary. */
export function answerPrimary(metrics: Metrics): void {
  process.on('message', async (message: Question | null) => {
    if (message?.kind !== 'metrics wanted') return;
    const reply: Reply = { kind: 'metrics', number: message.number, metrics: await metrics.json() };
    // The callback ignores the error when the primary has ended.
    process.send?.(reply, undefined, undefined, () => {});
  });
}

let lastNumber = 0;

const lastReplies = new WeakMap<Worker, readonly MetricJson[]>();

const countsOfDead = createCountsOfDead();
const dead = new WeakSet<Worker>();

/** Keeps the counts of workers that die. It must be called before the first worker starts. */
export function keepCountsOfDead(): void {
  cluster.on('exit', (worker) => {
    dead.add(worker);
    countsOfDead.add(lastReplies.get(worker) ?? []);
  });
}

/**
 * The metrics of each worker, and the counts of those that died. The metrics of a worker that hangs are from its last
 * reply, so that no counter falls.
 */
export async function askWorkers(): Promise<readonly (readonly MetricJson[])[]> {
  lastNumber += 1;
  const question: Question = { kind: 'metrics wanted', number: lastNumber };
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const living = workers.filter((worker) => !dead.has(worker));
  const answers = await Promise.all(
    living.map(async (worker) => ({ worker, metrics: await ask(worker, question) })),
  );
  // The counts of a worker that died meanwhile are among those of the dead.
  const replies = answers.filter(({ worker }) => !dead.has(worker)).map(({ metrics }) => metrics);
  return [...replies, countsOfDead.metrics()];
}

/**
 * The metrics of a worker. For a worker that hangs or is about to end: those of its last reply, and that it is not ready.
 */
function ask(worker: Worker, question: Question): Promise<readonly MetricJson[]> {
  return new Promise((resolve) => {
    const end = (metrics: readonly MetricJson[]) => {
      clearTimeout(timer);
      worker.off('message', read);
      worker.off('exit', leave);
      resolve(metrics);
    };
    const read = (message: Reply | null) => {
      if (message?.kind !== 'metrics' || message.number !== question.number) return;
      lastReplies.set(worker, message.metrics);
      end(message.metrics);
    };
    const leave = () => end(notReady(lastReplies.get(worker) ?? []));
    const timer = setTimeout(leave, REPLY_MS);
    worker.on('message', read);
    worker.on('exit', leave);
    worker.send(question, (error) => error && leave());
  });
}

/** Replaces the metric of readiness by that of a process that is not ready. */
function notReady(metrics: readonly MetricJson[]): readonly MetricJson[] {
  const { type, help, aggregator }: MetricDefinition = METRICS[READY];
  const ready = { name: READY, type, help, aggregator, values: [{ value: 0, labels: {} }] };
  return [...metrics.filter(({ name }) => name !== READY), ready];
}

const READY = 'data_api_ready';

/**
 * Collects the counts of dead processes. Without them, the sums over all processes would fall when one dies. Prometheus takes a
 * counter that falls for one that began again at 0. It would then count everything that the remaining processes have ever counted
 * as new, and old faults and refused snapshots would raise alerts.
 */
export function createCountsOfDead() {
  const counts = new Map<string, { readonly metric: MetricJson; readonly values: Map<string, Value> }>();
  return {
    /** Adds the last metrics of a process that died. */
    add(metrics: readonly MetricJson[]): void {
      for (const metric of metrics) {
        // A gauge, such as memory in use, ends with its process.
        if (metric.type !== 'counter' && metric.type !== 'histogram') continue;
        const { values } = counts.get(metric.name) ?? { values: new Map<string, Value>() };
        counts.set(metric.name, { metric, values });
        for (const value of metric.values) {
          const series = JSON.stringify([value.metricName, value.labels]);
          values.set(series, { ...value, value: value.value + (values.get(series)?.value ?? 0) });
        }
      }
    },
    /** The sums of all counters and histograms that were added, as the metrics of one more process. */
    metrics: (): readonly MetricJson[] =>
      [...counts.values()].map(({ metric, values }) => ({ ...metric, values: [...values.values()] })),
  };
}

type Value = MetricJson['values'][number];

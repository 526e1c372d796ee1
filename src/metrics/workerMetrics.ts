// Collects the metrics of all worker processes in the primary process, by messages of node's cluster.

import cluster, { type Worker } from 'node:cluster';
import { METRICS, type MetricDefinition } from './definitions.ts';
import type { Metrics } from './metrics.ts';
import type { MetricJson } from './tallies.ts';

interface MetricsQuestion {
  readonly kind: 'metrics wanted';
  readonly number: number;
}

interface MetricsReply {
  readonly kind: 'metrics';
  readonly number: number;
  readonly metrics: readonly MetricJson[];
}

/** How long a scrape waits for a worker. A worker that takes longer hangs, and so do its requests. */
const REPLY_MS = 2000;

/** Makes this worker answer the questions of the primary. */
export function answerPrimary(metrics: Metrics): void {
  process.on('message', async (message: MetricsQuestion | null) => {
    if (message?.kind !== 'metrics wanted') return;
    const reply: MetricsReply = { kind: 'metrics', number: message.number, metrics: await metrics.json() };
    // The callback ignores the error when the primary has ended.
    process.send?.(reply, undefined, undefined, () => {});
  });
}

let lastNumber = 0;

const lastReplies = new WeakMap<Worker, readonly MetricJson[]>();

const endedWorkerCounts = createEndedWorkerCounts();
const endedWorkers = new WeakSet<Worker>();

/** Keeps the counts of workers that die. It must be called before the first worker starts. */
export function keepCountsOfEndedWorkers(): void {
  cluster.on('exit', (worker) => {
    endedWorkers.add(worker);
    endedWorkerCounts.add(lastReplies.get(worker) ?? []);
  });
}

/**
 * The metrics of each worker, and the counts of those that died. The metrics of a worker that hangs are from its last
 * reply, so that no counter falls.
 */
export async function askWorkers(): Promise<readonly (readonly MetricJson[])[]> {
  lastNumber += 1;
  const question: MetricsQuestion = { kind: 'metrics wanted', number: lastNumber };
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const living = workers.filter((worker) => !endedWorkers.has(worker));
  const answers = await Promise.all(
    living.map(async (worker) => ({ worker, metrics: await askWorker(worker, question) })),
  );
  // The counts of a worker that died meanwhile are among those of the ended ones.
  const replies = answers.filter(({ worker }) => !endedWorkers.has(worker)).map(({ metrics }) => metrics);
  return [...replies, endedWorkerCounts.metrics()];
}

/**
 * The metrics of a worker. For a worker that hangs or is about to end: those of its last reply, and that it is not ready.
 */
function askWorker(worker: Worker, question: MetricsQuestion): Promise<readonly MetricJson[]> {
  return new Promise((resolve) => {
    const end = (metrics: readonly MetricJson[]) => {
      clearTimeout(timer);
      worker.off('message', read);
      worker.off('exit', leave);
      resolve(metrics);
    };
    const read = (message: MetricsReply | null) => {
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
 * Collects the counts of ended processes. Without them, the sums over all processes would fall when one dies. Prometheus
 * takes a counter that falls for one that began again at 0. It would then count everything that the remaining processes
 * have ever counted as new, and old faults and refused snapshots would raise alerts.
 */
export function createEndedWorkerCounts() {
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

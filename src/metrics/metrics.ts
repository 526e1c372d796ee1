// The metrics of one process. It counts observations, and reads states such as the size of a cache at each scrape.

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { AggregatorRegistry, collectDefaultMetrics, type MetricObject, Registry } from 'prom-client';
import { memoized } from '../basics/maps.ts';
import type { Observation, Observe, RequestAnswered } from '../observations.ts';
import { countEveryCollection } from './garbageCollections.ts';
import { createTallies, type MetricJson, type Tallies } from './tallies.ts';

export interface Metrics {
  readonly observe: Observe;
  json(): Promise<readonly MetricJson[]>;
}

/** Reads states, such as the size of a cache, into the tallies. It runs before each answer of `/metrics`. */
export type ReadState = (tallies: Tallies) => void | Promise<void>;

/** The metrics of this process, with those of Node.js and of the garbage collector. */
export function createMetrics(): Metrics & {
  /** Adds a function that brings the metrics of states up to date before each scrape. */
  addState(read: ReadState): void;
} {
  const tallies = createTallies();
  const consumers = consumersOf(tallies);
  const states: ReadState[] = [];
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countEveryCollection(registry);
  return {
    observe(observation) {
      // The table pairs each event with its own shape, but TypeScript loses that pairing at an index.
      (consumers[observation.event] as ((observation: Observation) => void) | undefined)?.(observation);
    },
    addState(read) {
      states.push(read);
    },
    async json() {
      for (const read of states) await read(tallies);
      const collected = (await registry.getMetricsAsJSON()) as readonly (MetricObject & {
        readonly values?: unknown;
      })[];
      const ofProcess = withAllFilesOpen(collected as unknown as readonly MetricJson[]);
      return [...tallies.json(), ...ofProcess.map(withWorstAggregator)];
    },
  };
}

/**
 * For these metrics of prom-client, only the worst process counts. prom-client would average the lag of the event loop,
 * and hide a blocked process. It would add up file descriptors, and hide a process that has none left. Each process has
 * its own limit, and the primary uses few.
 */
const WORST: ReadonlyMap<string, 'max' | 'min'> = new Map([
  ['nodejs_eventloop_lag_p99_seconds', 'max'],
  ['process_open_fds', 'max'],
  ['process_max_fds', 'min'],
  // prom-client would leave it out. The oldest process is the primary, so the time changes when the whole server restarts.
  ['process_start_time_seconds', 'min'],
]);

const withWorstAggregator = (metric: MetricJson): MetricJson => ({
  ...metric,
  aggregator: WORST.get(metric.name) ?? metric.aggregator,
});

/**
 * Reports all allowed files as open when this process can open no more. prom-client has to open a file to count them, so it
 * would repeat an older number.
 */
function withAllFilesOpen(metrics: readonly MetricJson[]): readonly MetricJson[] {
  const allowed = metrics.find(({ name }) => name === 'process_max_fds')?.values;
  if (allowed === undefined || canOpenFile()) return metrics;
  return metrics.map((metric) =>
    metric.name === 'process_open_fds' ? { ...metric, values: allowed } : metric,
  );
}

function canOpenFile(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** The text that Prometheus reads: the metrics of all processes, combined. */
export const metricsText = (parts: readonly (readonly MetricJson[])[]): Promise<string> =>
  AggregatorRegistry.aggregate(parts.map((part) => [...part])).metrics();

/** The media type of `metricsText`. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

type Event = Observation['event'];
type Consumers = { readonly [E in Event]?: (observation: Extract<Observation, { event: E }>) => void };

function consumersOf(tallies: Tallies): Consumers {
  const gateSeconds = tallies.histogram('data_api_gate_duration_seconds');
  const verdicts = memoized((outcome) => tallies.counter('data_api_key_verdicts_total', outcome));
  const selections = memoized((path) => tallies.counter('data_api_selections_total', path));
  const requests = requestCounter(tallies);
  let exportsRunning = 0;
  const addRunning = (change: 1 | 0 | -1) => {
    exportsRunning += change;
    tallies.set('data_api_exports_running', [], exportsRunning);
  };
  // The gauge must be 0, not absent, before the first export.
  addRunning(0);
  return {
    'request answered': (answered) => {
      requests(answered);
      if (answered.isCutShort) tallies.add('data_api_answers_cut_short_total', [], 1);
    },
    'request failed': () => tallies.add('data_api_request_faults_total', [], 1),
    'connection refused': () => tallies.add('data_api_connections_refused_total', [], 1),
    'key checked': ({ outcome }) => verdicts(outcome)(1),
    'gate answered': ({ durationMs }) => gateSeconds(durationMs / 1000),
    'keys cannot be checked': () => tallies.add('data_api_gate_failures_total', [], 1),
    'rows selected': ({ path }) => selections(path)(1),
    'snapshot served': () => tallies.add('data_api_snapshots_served_total', [], 1),
    'snapshot refused': () => tallies.add('data_api_snapshots_refused_total', [], 1),
    'snapshot fetched': () => tallies.add('data_api_store_downloads_total', ['complete'], 1),
    'snapshot not fetched': () => tallies.add('data_api_store_downloads_total', ['failed'], 1),
    'export begun': () => addRunning(1),
    'export ended': ({ isComplete }) => {
      addRunning(-1);
      tallies.add('data_api_exports_total', [isComplete ? 'complete' : 'cut'], 1);
    },
    'export refused': () => tallies.add('data_api_exports_total', ['refused'], 1),
    'worker died': () => tallies.add('data_api_worker_deaths_total', [], 1),
  };
}

/** Counts answers by route and status. It uses nested maps, which are faster than one map with a joined key. */
function requestCounter(tallies: Tallies): (answered: RequestAnswered) => void {
  const routes = memoized((route) => ({
    bytes: tallies.counter('data_api_response_bytes_total', route),
    statuses: memoized((status) => tallies.histogram('data_api_request_duration_seconds', route, status)),
  }));
  return ({ route, status, durationMs, bytes }) => {
    const counters = routes(route);
    counters.bytes(bytes);
    counters.statuses(String(status))(durationMs / 1000);
  };
}

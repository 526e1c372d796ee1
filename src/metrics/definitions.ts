// Defines every metric of the server: its name, type, labels and meaning, and how values of processes are combined.

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** How the values of several processes are combined. */
  readonly aggregator: 'sum' | 'min' | 'max';
  /** The upper bounds of a histogram's buckets, ascending. */
  readonly buckets?: readonly number[];
}

const counter = (help: string, ...labels: readonly string[]) =>
  ({ type: 'counter', help, labels, aggregator: 'sum' }) as const;

const gauge = (aggregator: 'sum' | 'min' | 'max', help: string, ...labels: readonly string[]) =>
  ({ type: 'gauge', help, labels, aggregator }) as const;

const histogram = (buckets: readonly number[], help: string, ...labels: readonly string[]) =>
  ({ type: 'histogram', help, labels, aggregator: 'sum', buckets }) as const;

/** The buckets for requests. An answer takes 0.1 ms from a cache, and up to 5 s. Exports take longer. */
const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30];

/** The buckets for calls of the gate, which are given up after 250 ms. */
const GATE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** All metrics except `process_*` and `nodejs_*`, which prom-client adds. */
export const METRICS = {
  data_api_request_duration_seconds: histogram(
    REQUEST_SECONDS,
    'Requests by route and status, from their arrival to the end of their answer',
    'route',
    'status',
  ),
  data_api_response_bytes_total: counter('Bytes of answers, heads included, by route', 'route'),
  data_api_answers_cut_short_total: counter('Answers whose client left before their end'),
  data_api_connections_refused_total: counter('Connections whose bytes were not a request'),
  data_api_request_faults_total: counter('Requests answered 500'),
  data_api_key_verdicts_total: counter('Verdicts on the key of a request', 'outcome'),
  data_api_gate_duration_seconds: histogram(
    GATE_SECONDS,
    'Calls to Redis that check a batch of keys, from sending to reply',
  ),
  data_api_gate_failures_total: counter('Seconds in which requests got 503 because Redis did not answer'),
  data_api_redis_up: gauge('min', '1 while Redis answers'),
  data_api_selections_total: counter('Pages by how their rows were found: known, scan or engine', 'path'),
  data_api_cache_requests_total: counter('Reads of a cache: hit or miss', 'cache', 'result'),
  data_api_cache_bytes: gauge('sum', 'Memory that a cache holds', 'cache'),
  data_api_cache_capacity_bytes: gauge('sum', 'Memory that a cache holds at most', 'cache'),
  data_api_queue_running: gauge('sum', 'Work that runs within a limit', 'queue'),
  data_api_queue_waiting: gauge(
    'max',
    'Work that waits in the longest queue of a limit, of all processes',
    'queue',
  ),
  data_api_snapshot_info: gauge('max', '1 for the snapshot that is served', 'snapshot'),
  data_api_snapshot_age_seconds: gauge('max', 'Seconds since the served snapshot was published'),
  data_api_snapshot_up_to_date: gauge(
    'min',
    '1 while the snapshot that `current` names is the one that is served',
  ),
  data_api_snapshot_memory_bytes: gauge('sum', 'Estimated memory of all open snapshots'),
  data_api_snapshot_memory_capacity_bytes: gauge('sum', 'What open snapshots may take: SNAPSHOT_MEMORY_MB'),
  data_api_snapshots_served_total: counter('Times that a snapshot became the served one'),
  data_api_snapshots_refused_total: counter('Snapshots that must not be served: damaged, or too large'),
  data_api_store_up: gauge('min', '1 while the snapshot store answers and is followed; absent without one'),
  data_api_store_downloads_total: counter('Snapshots fetched from the store: complete or failed', 'outcome'),
  data_api_exports_running: gauge('sum', 'Exports that are being sent'),
  data_api_exports_total: counter(
    'Exports that ended: complete or cut; or were refused for lack of a permit',
    'outcome',
  ),
  data_api_ready: gauge('min', '1 while /readyz answers 200'),
  data_api_worker_deaths_total: counter('Worker processes that died and were replaced'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;

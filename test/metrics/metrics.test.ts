// `/metrics` reports requests, caches, snapshots and events.

import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOf } from '../../src/access/keys/keys.ts';
import { CACHES } from '../../src/cache/caches.ts';
import { measuredCaches } from '../../src/cache/measuredCaches.ts';
import { createAuthenticator } from '../../src/http/middleware/authenticator.ts';
import { METRICS } from '../../src/metrics/definitions.ts';
import { createMetrics, metricsText } from '../../src/metrics/metrics.ts';
import { createMetricsServer } from '../../src/metrics/metricsServer.ts';
import { stateReader } from '../../src/metrics/state.ts';
import { createEndedWorkerCounts } from '../../src/metrics/workerMetrics.ts';
import type { Observation } from '../../src/observations.ts';
import { collectGarbage } from '../support/collectGarbage.ts';
import { itInDepth } from '../support/depth.ts';
import { orElse } from '../support/orElse.ts';
import { patientGate } from '../support/patientGate.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aRow } from '../support/snapshot.ts';

const metrics = createMetrics();
const measured = measuredCaches(CACHES);
const readiness = { isRedisUp: () => true, isWarm: () => true };

let server: TestServer;
let redis: TestRedis;
let key: string;
let asked = 0;
let answered = 0;
beforeAll(async () => {
  redis = await startRedis();
  const observe = (observation: Observation) => {
    metrics.observe(observation);
    if (observation.event === 'request answered') answered += 1;
  };
  server = await startServer({
    rows: { ggr: [aRow('ggr'), aRow('ggr', { country: 'Spain' })] },
    observe,
    caches: measured.caches,
    readiness,
    authenticator: createAuthenticator(
      patientGate(redis.client, { perMinute: 50, perDay: 100 }, observe),
      observe,
    ),
  });
  const sources = { caches: measured, snapshots: server.snapshots, readiness, snapshotMemoryBytes: 1000 };
  metrics.addState(stateReader(sources));
  ({ key } = await keysOf(redis.client).issue({ label: 'reader', by: 'test' }));
});
afterAll(async () => {
  await server.close();
  await redis.close();
});

/** The value of a series; `undefined` when it is missing. */
async function seriesValue(series: string): Promise<number | undefined> {
  const text = await metricsText([await metrics.json()]);
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** By how much the series grow during `act`. */
async function growthOf(names: readonly string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(names.map(seriesValue));
  await act();
  // The server counts an answer only after it has sent its last byte, so the client may be faster.
  while (answered < asked) await sleep(5);
  const after = await Promise.all(names.map(seriesValue));
  return after.map((value, i) => (value ?? 0) - (before[i] ?? 0));
}

function get(path: string, headers?: Record<string, string>) {
  asked += 1;
  return server.get(path, headers);
}

const ask = (path: string) => get(path, { 'x-api-key': key });

describe('the metrics of a server', () => {
  it('count requests by route and status, whatever the path holds', async () => {
    const names = [
      'data_api_request_duration_seconds_count{route="/v1/financials",status="200"}',
      'data_api_request_duration_seconds_count{route="/v1/financials",status="401"}',
      'data_api_request_duration_seconds_count{route="none",status="404"}',
      'data_api_request_duration_seconds_count{route="pages",status="404"}',
      'data_api_key_verdicts_total{outcome="admitted"}',
      'data_api_key_verdicts_total{outcome="missing"}',
      'data_api_gate_duration_seconds_count',
    ];
    const growth = await growthOf(names, async () => {
      await ask('/v1/financials?metric=ggr&country=Malta');
      await get('/v1/financials?metric=ggr');
      await get('/nowhere/else');
      await get('/claim/abc');
    });
    const calls = growth.pop();
    expect(growth).toEqual([1, 1, 1, 1, 1, 1]);
    // If a busy machine delays the first call, the gate calls again.
    expect(calls).toBeGreaterThanOrEqual(1);
    expect(calls).toBeLessThanOrEqual(2);
  });

  it('count the bytes of an answer with its head', async () => {
    let length = 0;
    const [bytes = 0] = await growthOf(['data_api_response_bytes_total{route="/v1/catalog"}'], async () => {
      length = (await ask('/v1/catalog')).text.length;
    });
    expect(bytes).toBeGreaterThan(length / 20);
    expect(bytes).toBeLessThan(length + 2000);
  });

  it('count how rows were found, and hits and misses of the caches', async () => {
    const names = [
      'data_api_selections_total{path="scan"}',
      'data_api_cache_requests_total{cache="responses",result="miss"}',
      'data_api_cache_requests_total{cache="responses",result="hit"}',
      'data_api_cache_requests_total{cache="queries",result="hit"}',
    ];
    const growth = await growthOf(names, async () => {
      // The response cache stores an answer at the second request for it, so the third one is a hit.
      for (let i = 0; i < 3; i++) await ask('/v1/financials?metric=ggr&country=Spain');
    });
    expect(growth).toEqual([1, 1, 2, 1]);
    expect(await seriesValue('data_api_cache_bytes{cache="responses"}')).toBeGreaterThan(0);
    for (const cache of [
      'responses',
      'queries',
      'selections',
      'values',
      'totals',
      'changes',
      'pages buffers',
    ])
      expect(await seriesValue(`data_api_cache_capacity_bytes{cache="${cache}"}`)).toBeGreaterThan(0);
    expect(await seriesValue('data_api_queue_waiting{queue="engine"}')).toBe(0);
  });

  it('name the snapshot, its age and its memory', async () => {
    expect(await seriesValue('data_api_snapshot_info{snapshot="2026-11.1"}')).toBe(1);
    // There is no age while a busy machine reads the history for longer than the metrics wait.
    while ((await seriesValue('data_api_snapshot_age_seconds')) === undefined) await sleep(5);
    expect(await seriesValue('data_api_snapshot_age_seconds')).toBeLessThan(600);
    expect(await seriesValue('data_api_snapshot_up_to_date')).toBe(1);
    expect(await seriesValue('data_api_snapshot_memory_bytes')).toBeGreaterThan(1000);
    expect(await seriesValue('data_api_snapshot_memory_capacity_bytes')).toBe(1000);
    expect([await seriesValue('data_api_redis_up'), await seriesValue('data_api_ready')]).toEqual([1, 1]);
  });

  it('say no age of a snapshot whose publication the history lacks, although they said that of one before', async () => {
    const other = createMetrics();
    let publishedAt: string | null = new Date().toISOString();
    const snapshots = { ...server.snapshots, currentPublishedAt: async () => publishedAt };
    other.addState(stateReader({ caches: measured, snapshots, readiness, snapshotMemoryBytes: 1000 }));
    expect(await metricsText([await other.json()])).toContain('\ndata_api_snapshot_age_seconds ');
    // The clock of the publishing machine is ahead.
    publishedAt = new Date(Date.now() + 60_000).toISOString();
    expect(await metricsText([await other.json()])).toContain('\ndata_api_snapshot_age_seconds 0\n');
    publishedAt = null;
    expect(await metricsText([await other.json()])).not.toContain('\ndata_api_snapshot_age_seconds ');
  });

  it('count each event under its own name', async () => {
    const other = createMetrics();
    const snapshot = '2026-11.1';
    const COUNTED: readonly (readonly [Observation, ...counted: string[]])[] = [
      [{ event: 'export begun' }],
      [{ event: 'export begun' }, 'exports_running'],
      [{ event: 'export begun' }, 'exports_running'],
      [{ event: 'export ended', format: 'csv', isComplete: false }, 'exports_total{outcome="cut"}'],
      [{ event: 'export refused' }, 'exports_total{outcome="refused"}'],
      [{ event: 'request failed', requestId: 'a', error: null }, 'request_faults_total'],
      [
        { event: 'connection refused', status: 400, code: undefined, address: '127.0.0.1' },
        'connections_refused_total',
      ],
      [{ event: 'keys cannot be checked', reason: '' }, 'gate_failures_total'],
      [{ event: 'snapshot served', snapshot }, 'snapshots_served_total'],
      [{ event: 'snapshot refused', snapshot, reason: '' }, 'snapshots_refused_total'],
      [
        { event: 'snapshot fetched', snapshot, bytes: 1, durationMs: 1 },
        'store_downloads_total{outcome="complete"}',
      ],
      [{ event: 'snapshot not fetched', snapshot, reason: '' }, 'store_downloads_total{outcome="failed"}'],
      [{ event: 'worker died', pid: 1, code: 1, signal: null }, 'worker_deaths_total'],
    ];
    for (const [observation] of COUNTED) other.observe(observation);
    const lines = (await metricsText([await other.json()])).split('\n');
    const counted = lines.filter((line) => /^data_api_\w+(?:\{.*\})? [1-9]/.test(line)).sort();
    const names = COUNTED.flatMap(([, ...each]) => each);
    expect(counted).toEqual(
      [...new Set(names)]
        .map((name) => `data_api_${name} ${names.filter((one) => one === name).length}`)
        .sort(),
    );
  });

  it('count exports that were sent whole, and the answers that were not', async () => {
    const names = [
      'data_api_exports_total{outcome="complete"}',
      'data_api_exports_running',
      'data_api_answers_cut_short_total',
    ];
    const growth = await growthOf(names, () => ask('/v1/export/ggr.csv'));
    expect(growth).toEqual([1, 0, 0]);
  });

  /** The metrics of the snapshot store, which this server does not have. */
  const OF_A_STORE = ['data_api_store_up', 'data_api_store_downloads_total'];

  it('have a value for every definition but those of a store, and the figures of the process', async () => {
    for (const path of ['/v1/financials?metric=ggr&country=Malta', '/v1/export/ggr.csv']) await ask(path);
    while (answered < asked) await sleep(5);
    const text = await metricsText([await metrics.json()]);
    for (const [name, { help, type }] of Object.entries(METRICS)) {
      expect(text).toContain(`# HELP ${name} ${help}`);
      expect(text).toContain(`# TYPE ${name} ${type}`);
    }
    const withoutValue = Object.keys(METRICS).filter(
      (name) => !new RegExp(`^${name}(?:_count)?[ {]`, 'm').test(text),
    );
    orElse('count the metric in src/metrics/metrics.ts, or set it in src/metrics/state.ts', () =>
      expect(withoutValue).toEqual(OF_A_STORE),
    );
    expect(text).toContain('process_resident_memory_bytes ');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds ');
  });

  it('measure every garbage collection, also of several that Node reports together', async () => {
    const majors = async () => (await seriesValue('nodejs_gc_duration_seconds_count{kind="major"}')) ?? 0;
    const before = await majors();
    for (let i = 0; i < 2; i += 1) collectGarbage();
    // Node reports a collection some turns of the event loop later.
    while ((await majors()) < before + 2) await sleep(5);
  });

  it('of several processes are added up; readiness is that of the worst', async () => {
    const [own, other] = [await metrics.json(), await metrics.json()];
    const text = await metricsText([own, other]);
    const single = await seriesValue('data_api_gate_duration_seconds_count');
    expect(text).toContain(`data_api_gate_duration_seconds_count ${2 * (single ?? 0)}\n`);
    expect(text).toContain('data_api_ready 1\n');
    expect(text).toContain('data_api_snapshot_info{snapshot="2026-11.1"} 1\n');
  });

  it('of several processes say the event loop lag of the worst, which idle ones would hide', async () => {
    const lag = 'nodejs_eventloop_lag_p99_seconds';
    const json = await metrics.json();
    const lagging = (value: number) =>
      json.map((metric) => (metric.name === lag ? { ...metric, values: [{ value, labels: {} }] } : metric));
    const text = await metricsText([lagging(0.01), lagging(0.4), lagging(0.01)]);
    expect(text).toContain(`\n${lag} 0.4\n`);
  });

  it('each say what they are', async () => {
    const text = await metricsText([await metrics.json()]);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(names).toContain('data_api_request_duration_seconds');
    expect([...text.matchAll(/^# HELP (\S+) \S.{8}/gm)].map(([, name]) => name)).toEqual(names);
  });

  it('keep what two processes that died had counted, but not their memory', async () => {
    const json = await metrics.json();
    const dead = createEndedWorkerCounts();
    expect(dead.metrics()).toEqual([]);
    dead.add(json);
    dead.add(json);
    const text = await metricsText([json, dead.metrics()]);
    const single = async (series: string) => (await seriesValue(series)) ?? 0;
    for (const series of [
      'data_api_gate_duration_seconds_count',
      'data_api_gate_duration_seconds_bucket{le="+Inf"}',
    ])
      expect(text).toContain(`\n${series} ${3 * (await single(series))}\n`);
    const held = json.find(({ name }) => name === 'process_resident_memory_bytes')?.values[0]?.value;
    expect(text).toContain(`\nprocess_resident_memory_bytes ${held}\n`);
  });

  it('of several processes say the open files of the one that has most, beside the fewest that one may have', async () => {
    const json = await metrics.json();
    const withFiles = (open: number, most: number) =>
      json.map((metric) => {
        const value = new Map([
          ['process_open_fds', open],
          ['process_max_fds', most],
        ]).get(metric.name);
        return value === undefined ? metric : { ...metric, values: [{ value, labels: {} }] };
      });
    const text = await metricsText([withFiles(30, 1024), withFiles(1000, 1024), withFiles(900, 1024)]);
    expect(text).toContain('\nprocess_open_fds 1000\n');
    expect(text).toContain('\nprocess_max_fds 1024\n');
  });

  it('of several processes say when the oldest started, which is when the server did', async () => {
    const json = await metrics.json();
    const startedAt = (value: number) =>
      json.map((metric) =>
        metric.name === 'process_start_time_seconds'
          ? { ...metric, values: [{ value, labels: {} }] }
          : metric,
      );
    const text = await metricsText([startedAt(100), startedAt(220)]);
    expect(text).toContain('\nprocess_start_time_seconds 100\n');
  });

  it('of several processes say the longest of their queues, because each has a bound of its own', async () => {
    const json = await metrics.json();
    const waiting = (value: number) =>
      json.map((metric) =>
        metric.name === 'data_api_queue_waiting'
          ? { ...metric, values: [{ value, labels: { queue: 'engine' } }] }
          : metric,
      );
    const text = await metricsText([waiting(20), waiting(40)]);
    expect(text).toContain('\ndata_api_queue_waiting{queue="engine"} 40\n');
  });

  it('hold no key, no key id and no query', async () => {
    const text = await metricsText([await metrics.json()]);
    expect(text).not.toMatch(/Malta|Spain|metric=|sk_live/);
    expect(text).not.toContain(key);
  });
});

it('the port of the metrics has them alone, and tells a scrape when they cannot be collected', async () => {
  let collect = async () => [await metrics.json()];
  const ownMetrics = createMetricsServer(() => collect()).listen(0, '127.0.0.1');
  await once(ownMetrics, 'listening');
  const { port } = ownMetrics.address() as AddressInfo;
  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [answer.status, (await answer.text()).split(' ')[0], answer.headers.get('cache-control')];
  };
  expect(await get('/metrics?a=b')).toEqual([200, '#', 'no-store']);
  expect(await get('/metrics', 'HEAD')).toEqual([200, '', 'no-store']);
  expect(await get('/metrics', 'POST')).toEqual([404, 'Only', null]);
  expect(await get('/')).toEqual([404, 'Only', null]);
  collect = () => Promise.reject(new Error('a worker is away'));
  expect(await get('/metrics')).toEqual([500, '', null]);
  ownMetrics.close();
  ownMetrics.closeAllConnections();
});

it('a connection to the metrics that cannot be accepted ends nothing', () => {
  const accept = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' });
  expect(() => createMetricsServer(async () => []).emit('error', accept)).not.toThrow();
});

itInDepth(
  'a connection to the metrics is closed soon when its request does not end',
  async () => {
    const ownMetrics = createMetricsServer(async () => []).listen(0, '127.0.0.1');
    await once(ownMetrics, 'listening');
    const { port } = ownMetrics.address() as AddressInfo;
    const closedAfterMs = async (sent: string) => {
      const begun = performance.now();
      const socket = net.connect(port, '127.0.0.1', () => socket.write(sent)).resume();
      await once(socket, 'close');
      return performance.now() - begun;
    };
    const parts = ['', 'GET /metr', 'GET /metrics HTTP/1.1\r\nHost: a\r\nX-A: b'];
    for (const ms of await Promise.all(parts.map(closedAfterMs))) expect(ms).toBeLessThan(20_000);
    ownMetrics.close();
  },
  60_000,
);

describe('histograms', () => {
  it('have buckets that ascend, also around the limits of the service', () => {
    const buckets = Object.values(METRICS).flatMap((metric) => ('buckets' in metric ? [metric.buckets] : []));
    expect(buckets.length).toBeGreaterThan(1);
    for (const bounds of buckets) {
      expect([...bounds].sort((a, b) => a - b)).toEqual(bounds);
      // The gate abandons a call after 250 ms.
      expect(bounds).toEqual(expect.arrayContaining([0.001, 0.25, 1]));
    }
  });

  it('put a value that equals a bound into the bucket of that bound', async () => {
    const { createTallies } = await import('../../src/metrics/tallies.ts');
    const tallies = createTallies();
    const observe = tallies.histogram('data_api_gate_duration_seconds');
    for (const value of [0.0005, 0.00051, 2]) observe(value);
    const text = await metricsText([tallies.json()]);
    expect(text).toContain('data_api_gate_duration_seconds_bucket{le="0.0005"} 1\n');
    expect(text).toContain('data_api_gate_duration_seconds_bucket{le="0.001"} 2\n');
    expect(text).toContain('data_api_gate_duration_seconds_bucket{le="1"} 2\n');
    expect(text).toContain('data_api_gate_duration_seconds_bucket{le="+Inf"} 3\n');
    expect(text).toMatch(/data_api_gate_duration_seconds_sum 2\.00101\d*\n/);
  });
});

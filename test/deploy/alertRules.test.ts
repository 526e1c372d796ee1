// Prometheus's own tests of the alert rules: each alert fires in its case, and stays silent in the healthy one.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { notTried } from '../support/notTried.ts';

const RULES = path.resolve('deploy/alerts.yml');
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  notTried('promtool is missing: the alert rules are not evaluated; apt-get install prometheus');
const withPromtool = hasPromtool ? it : it.skip;

/** Values by series, one every 15 s, in the notation of promtool: `0+2x9` counts from 0 in nine steps of 2. */
type Series = Readonly<Record<string, string>>;

interface Case {
  readonly firing: Series;
  readonly silent: Series;
  /** When the alert is looked at. By then the case has lasted for the whole `for` of the rule. */
  readonly minutes: number;
}

/** A state that lasts for two hours. */
const always = (value: number): string => `${value}x480`;
/** A counter that grows by `step` every 15 s. */
const growing = (step: number): string => `0+${step}x480`;

const requests = (part: string, labels: string): string =>
  `data_api_request_duration_seconds_${part}{${labels}}`;
const gateBucket = (le: string): string => `data_api_gate_duration_seconds_bucket{le="${le}"}`;

/** Cases by alert. `job` and `instance` are added to all series. */
const CASES: Readonly<Record<string, Case>> = {
  DataApiDown: { firing: { up: always(0) }, silent: { up: always(1) }, minutes: 3 },
  DataApiRestarts: {
    firing: { process_start_time_seconds: '100x8 220x8 340x8 460x8 580x400' },
    // Two restarts in a row, as an upgrade and a corrected setting cause.
    silent: { process_start_time_seconds: '100x8 220x8 340x400' },
    minutes: 10,
  },
  DataApiNotReady: {
    firing: { data_api_ready: always(0) },
    silent: { data_api_ready: always(1) },
    minutes: 4,
  },
  DataApiRedisAway: {
    firing: { data_api_redis_up: always(0) },
    silent: { data_api_redis_up: always(1) },
    minutes: 3,
  },
  DataApiRedisSlow: {
    firing: {
      [gateBucket('0.05')]: growing(90),
      [gateBucket('0.1')]: growing(100),
      [gateBucket('+Inf')]: growing(100),
    },
    silent: {
      [gateBucket('0.05')]: growing(100),
      [gateBucket('0.1')]: growing(100),
      [gateBucket('+Inf')]: growing(100),
    },
    minutes: 20,
  },
  DataApiErrors: {
    firing: {
      [requests('count', 'route="/v1/financials",status="503"')]: growing(2),
      [requests('count', 'route="/v1/financials",status="200"')]: growing(98),
    },
    // Probes of a server that is not ready are no answers to clients.
    silent: {
      [requests('count', 'route="/readyz",status="503"')]: growing(50),
      [requests('count', 'route="/v1/financials",status="200"')]: growing(50),
    },
    minutes: 12,
  },
  DataApiFaults: {
    firing: { data_api_request_faults_total: '0x8 1x400' },
    silent: { data_api_request_faults_total: always(1) },
    minutes: 5,
  },
  DataApiSlow: {
    firing: {
      [requests('bucket', 'route="/v1/totals",le="1"')]: growing(90),
      [requests('bucket', 'route="/v1/totals",le="2.5"')]: growing(100),
      [requests('bucket', 'route="/v1/totals",le="+Inf"')]: growing(100),
    },
    silent: {
      [requests('bucket', 'route="/v1/export/:file",le="1"')]: growing(90),
      [requests('bucket', 'route="/v1/export/:file",le="2.5"')]: growing(100),
      [requests('bucket', 'route="/v1/export/:file",le="+Inf"')]: growing(100),
    },
    minutes: 20,
  },
  DataApiQueueFull: {
    firing: { 'data_api_queue_waiting{queue="engine"}': always(60) },
    silent: { 'data_api_queue_waiting{queue="engine"}': always(30) },
    minutes: 3,
  },
  DataApiSnapshotOld: {
    firing: { data_api_snapshot_age_seconds: always(41 * 86_400) },
    silent: { data_api_snapshot_age_seconds: always(39 * 86_400) },
    minutes: 70,
  },
  DataApiSnapshotsDiffer: {
    firing: {
      'data_api_snapshot_info{snapshot="2026-10.1",machine="one"}': always(1),
      'data_api_snapshot_info{snapshot="2026-11.1",machine="two"}': always(1),
    },
    silent: {
      'data_api_snapshot_info{snapshot="2026-11.1",machine="one"}': always(1),
      'data_api_snapshot_info{snapshot="2026-11.1",machine="two"}': always(1),
    },
    minutes: 7,
  },
  DataApiSnapshotRefused: {
    firing: { data_api_snapshots_refused_total: '0x8 1x400' },
    silent: { data_api_snapshots_refused_total: always(1) },
    minutes: 5,
  },
  DataApiSnapshotBehind: {
    firing: { data_api_snapshot_up_to_date: always(0) },
    silent: { data_api_snapshot_up_to_date: always(1) },
    minutes: 7,
  },
  DataApiStoreAway: {
    firing: { data_api_store_up: always(0) },
    silent: { data_api_store_up: always(1) },
    minutes: 12,
  },
  DataApiEventLoopBlocked: {
    firing: { nodejs_eventloop_lag_p99_seconds: always(0.3) },
    silent: { nodejs_eventloop_lag_p99_seconds: always(0.1) },
    minutes: 7,
  },
  DataApiProcessDied: {
    firing: { data_api_worker_deaths_total: '0x8 1x400' },
    silent: { data_api_worker_deaths_total: always(1) },
    minutes: 5,
  },
  DataApiFewFiles: {
    firing: { process_open_fds: always(900), process_max_fds: always(1024) },
    silent: { process_open_fds: always(300), process_max_fds: always(1024) },
    minutes: 7,
  },
  DataApiKeysRefused: {
    firing: {
      'data_api_key_verdicts_total{outcome="unknown"}': growing(6),
      'data_api_key_verdicts_total{outcome="admitted"}': growing(4),
    },
    // Requests without a key, such as those of scanners, say nothing of keys.
    silent: {
      'data_api_key_verdicts_total{outcome="missing"}': growing(90),
      'data_api_key_verdicts_total{outcome="unknown"}': growing(4),
      'data_api_key_verdicts_total{outcome="admitted"}': growing(6),
    },
    minutes: 25,
  },
};

/** The series of a case as those of one job. */
const inputOf = (series: Series, job: string) =>
  Object.entries(series).map(([name, values]) => {
    const [, metric = '', labels] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
    const all = [labels, `job="${job}"`, 'instance="one"'].filter((label) => label !== undefined);
    return { series: `${metric}{${all.join(',')}}`, values };
  });

/** Asks promtool whether an alert fires. Settles with what it complains of; empty when it fires as expected. */
async function complaintsOf(cases: readonly Expected[]): Promise<string> {
  const tests = cases.map(({ alert, series, job, minutes, fires }) => ({
    interval: '15s',
    name: `${alert} ${fires ? 'fires' : 'is silent'} for ${job}`,
    input_series: inputOf(series, job),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: `${minutes}m`,
        exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
      },
    ],
  }));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'alert-rules-'));
  const file = path.join(folder, 'tests.json');
  await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '15s', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

interface Expected {
  readonly alert: string;
  readonly series: Series;
  readonly job: string;
  readonly minutes: number;
  readonly fires: boolean;
}

describe('the alert rules', () => {
  it('each have a case', () => {
    const alerts = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(Object.keys(CASES).sort()).toEqual(alerts.sort());
  });

  withPromtool('fire in their case, and neither in the healthy one nor for another job', async () => {
    const cases = Object.entries(CASES).flatMap(([alert, { firing, silent, minutes }]) => [
      { alert, series: firing, job: 'data-api', minutes, fires: true },
      { alert, series: silent, job: 'data-api', minutes, fires: false },
      { alert, series: firing, job: 'other', minutes, fires: false },
    ]);
    expect(await complaintsOf(cases)).toBe('');
  });
});

// The rows about running a server: the cost of counting for /metrics, and how soon a fresh server is warm.

import { setTimeout as sleep } from 'node:timers/promises';
import { dataDirOf, LARGE_ROWS, pathOf, SMALL_ROWS } from './data.ts';
import { type Figure, median, ofRounds } from './figures.ts';
import { freePort } from './freePort.ts';
import type { LoadJob } from './load.ts';
import { loadOf, type Running, ready, startOurs } from './processes.ts';

/** A server may be 4 % faster than another one that runs the same code, so many pairs are compared. */
const METRICS_PAIRS = 11;
const METRICS_ROUNDS = 3;
const METRICS_REQUESTS = 40_000;

/**
 * Requests a cached page, the cheapest request, from two servers in turns: one without METRICS_PORT, and one that is
 * scraped every second. Compares CPU rather than throughput, because the noise of throughput is more than 2 %.
 */
export async function metricsCost(): Promise<Figure[]> {
  const rounds: MetricsRounds = { without: [], counting: [], ratio: [] };
  for (let pair = 0; pair < METRICS_PAIRS; pair++) await addMetricsRounds(rounds);
  return [
    {
      what: 'hot page, scraped every second',
      unit: 'µs of CPU',
      ...ofRounds(rounds.counting),
      reference: median(rounds.without),
      referenceName: 'without METRICS_PORT',
      better: 'lower',
      mark: 1.02,
    },
    {
      what: 'the same, median of the ratios',
      unit: '×',
      ...ofRounds(rounds.ratio),
      better: 'lower',
      atMost: 1.02,
    },
  ];
}

interface MetricsRounds {
  readonly without: number[];
  readonly counting: number[];
  readonly ratio: number[];
}

/** Adds the rounds of a new pair of servers, in microseconds of CPU for each request. */
async function addMetricsRounds(rounds: MetricsRounds): Promise<void> {
  const dataDir = await dataDirOf(SMALL_ROWS);
  const METRICS_PORT = await freePort();
  const [without, counting] = [await startOurs(dataDir), await startOurs(dataDir, { METRICS_PORT })];
  const scraping = setInterval(() => {
    fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).then(
      (answer) => answer.text(),
      () => {},
    );
  }, 1000);
  const job = { clients: 16, requests: METRICS_REQUESTS, paths: [pathOf({ country: ['Malta'] })] };
  const cpu = async (server: Running) => (1e6 * (await cpuSecondsOf(server, job))) / METRICS_REQUESTS;
  // V8 compiles the code in the first rounds.
  for (let i = 0; i < 2; i++) for (const server of [without, counting]) await cpu(server);
  for (let round = 0; round < METRICS_ROUNDS; round++) {
    const order = round % 2 === 0 ? [without, counting] : [counting, without];
    for (const server of order) rounds[server === without ? 'without' : 'counting'].push(await cpu(server));
    rounds.ratio.push((rounds.counting.at(-1) ?? 0) / (rounds.without.at(-1) ?? 1));
  }
  clearInterval(scraping);
  await Promise.all([without.stop(), counting.stop()]);
}

const WALK_ROUNDS = 5;
const WALK_PAGES = 300;

/** The filter of the measured walk, and the filters of the walks that warm a server up. */
const MEASURED = 'sub_channel=Retail';
const OTHERS = ['sub_channel=Onshore', 'sub_channel=Offshore'];

/**
 * Walks the first 300 pages of a server that has just become ready, beside the same 300 pages of a server that has sent
 * 2,000 other pages. Both render the texts of these rows for the first time.
 */
export async function firstWalk(): Promise<Figure[]> {
  const dataDir = await dataDirOf(LARGE_ROWS);
  const rounds: Record<'fresh' | 'warm' | 'ratio' | 'cpuRatio' | 'again', number[]> = {
    ...{ fresh: [], warm: [], ratio: [], cpuRatio: [], again: [] },
  };
  // The first round warms the load generator up, and is not measured.
  for (let round = 0; round <= WALK_ROUNDS; round++) {
    const warmed = await startOurs(dataDir);
    await ready(warmed);
    for (const filter of OTHERS) await loadOf({ ...walkOf(filter, 1000), ...warmed.to });
    const started = await startOurs(dataDir);
    await ready(started);
    const fresh = await measuredWalk(started);
    const warm = await measuredWalk(warmed);
    // One row fewer on each page, so that no page is cached.
    const again = await measuredWalk(warmed, 999);
    await Promise.all([started.stop(), warmed.stop()]);
    if (round === 0) continue;
    rounds.fresh.push(fresh.ms);
    rounds.warm.push(warm.ms);
    rounds.again.push(again.ms);
    rounds.ratio.push(fresh.ms / warm.ms);
    rounds.cpuRatio.push(fresh.cpu / warm.cpu);
  }
  return [
    {
      what: 'first walk of a fresh server',
      unit: 'ms a page',
      ...ofRounds(rounds.fresh),
      reference: median(rounds.warm),
      referenceName: 'a warm server that makes the same texts',
      better: 'lower',
      mark: 1.3,
    },
    {
      what: 'the same, median of the ratios',
      unit: '×',
      ...ofRounds(rounds.ratio),
      better: 'lower',
      atMost: 1.3,
    },
    { what: 'the same by CPU, compiler included', unit: '×', ...ofRounds(rounds.cpuRatio), better: 'lower' },
    {
      what: 'the warm server once more, with texts it has made',
      unit: 'ms a page',
      ...ofRounds(rounds.again),
      better: 'lower',
    },
  ];
}

/** The job of a walk with this filter. */
const walkOf = (filter: string, requests: number, limit = 1000): Omit<LoadJob, 'port'> => ({
  ...{ clients: 1, walk: true, requests },
  paths: [`/v1/financials?metric=ggr&limit=${limit}&${filter}`],
});

/** Walks the measured pages of a server; gives the milliseconds of a page, and the CPU in seconds. */
async function measuredWalk(server: Running, limit = 1000): Promise<{ ms: number; cpu: number }> {
  let seconds = 0;
  const cpu = await cpuSecondsOf(server, walkOf(MEASURED, WALK_PAGES, limit), (result) => {
    seconds = result.seconds;
  });
  return { ms: (1000 * seconds) / WALK_PAGES, cpu };
}

/** The CPU that a server takes for a job, in seconds. */
async function cpuSecondsOf(
  server: Running,
  job: Omit<LoadJob, 'port'>,
  onResult: (result: Awaited<ReturnType<typeof loadOf>>) => void = () => {},
): Promise<number> {
  const before = server.cpuSeconds();
  onResult(await loadOf({ ...job, ...server.to }));
  // The work after the last answer is counted too.
  await sleep(20);
  return server.cpuSeconds() - before;
}

// Benchmarks of running a server: the cost of counting for /metrics, and how soon a fresh server is warm.

import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './benchPort.ts';
import { dataDirOf, LARGE_ROWS, pathOf, SMALL_ROWS } from './benchSnapshots.ts';
import { type Figure, median, ofRounds } from './figure.ts';
import { expectEqual, inTurns, measured } from './harness.ts';
import type { LoadJob } from './loadGenerator.ts';
import { loadOf, type Running, ready, startOurs } from './measuredProcesses.ts';

const METRICS_ROUNDS = 5;
const METRICS_REQUESTS = 40_000;
const SCRAPES = 50;
const SCRAPE_PAUSE_MS = 100;

/**
 * The CPU that metrics add to a cached page, the cheapest request: counting it, and its share of one scrape a second. Both
 * are measured alone. A server with metrics cannot be compared with one without: even with the same code, two servers
 * differ by up to 4 %. That is more than metrics take.
 */
export async function metricsCost(): Promise<Figure[]> {
  const METRICS_PORT = await freePort();
  const server = await startOurs(await dataDirOf(SMALL_ROWS), { METRICS_PORT });
  await ready(server);
  const job = { clients: 16, requests: METRICS_REQUESTS, paths: [pathOf({ country: ['Malta'] })] };
  // V8 compiles the code in the first rounds.
  for (let i = 0; i < 2; i++) await cpuSecondsOf(server, job);
  const { page, scrape, counting } = await inTurns(METRICS_ROUNDS, {
    page: async () => (1e6 * (await cpuSecondsOf(server, job))) / METRICS_REQUESTS,
    scrape: () => scrapeSeconds(server, METRICS_PORT),
    counting: async () => Number((await measured('counting.js', [])).stdout),
  });
  await server.stop();
  // In a second of CPU, a process sends 1 s / `page` pages. Each of them bears the same share of the CPU of one scrape.
  const scraped = median(page) * (1 + median(scrape));
  return [
    {
      what: 'hot page, counted, and a scrape every second',
      unit: 'µs of CPU',
      value: scraped,
      reference: median(page) - median(counting),
      referenceName: 'neither',
      better: 'lower',
      mark: 1.02,
    },
    { what: 'counting a page', unit: 'µs of CPU', ...ofRounds(counting), better: 'lower' },
    {
      what: 'a scrape',
      unit: 'ms of CPU',
      ...ofRounds(scrape.map((seconds) => 1000 * seconds)),
      better: 'lower',
    },
  ];
}

/** The CPU of a scrape, in seconds. The CPU that an idle server takes in the same time is subtracted. */
async function scrapeSeconds(server: Running, port: string): Promise<number> {
  const cpuOf = async (between: () => Promise<void>): Promise<number> => {
    const before = server.cpuSeconds();
    for (let i = 0; i < SCRAPES; i++) {
      await between();
      await sleep(SCRAPE_PAUSE_MS);
    }
    return server.cpuSeconds() - before;
  };
  const scraping = await cpuOf(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expectEqual('the status of /metrics', answer.status, 200);
    await answer.text();
  });
  return (scraping - (await cpuOf(async () => {}))) / SCRAPES;
}

const WALK_ROUNDS = 5;
const WALK_PAGES = 300;

/** The filter of the measured walk. `OTHERS` has the filters of the walks that warm a server up. */
const MEASURED = 'sub_channel=Retail';
const OTHERS = ['sub_channel=Onshore', 'sub_channel=Offshore'];

/**
 * Walks 300 pages on a server that has just become ready. The reference walks the same pages on a server that has sent
 * 2,000 other pages. Both render the texts of these rows for the first time.
 */
export async function firstWalk(): Promise<Figure[]> {
  const dataDir = await dataDirOf(LARGE_ROWS);
  const rounds: Record<'fresh' | 'warm' | 'ratio' | 'cpuRatio' | 'again', number[]> = {
    ...{ fresh: [], warm: [], ratio: [], cpuRatio: [], again: [] },
  };
  // Round 0 does not count, because the load generator is not warm yet.
  for (let round = 0; round <= WALK_ROUNDS; round++) {
    const warmed = await startOurs(dataDir);
    await ready(warmed);
    for (const filter of OTHERS) await loadOf({ ...walkOf(filter, 1000), ...warmed.to });
    const started = await startOurs(dataDir);
    await ready(started);
    const fresh = await measuredWalk(started);
    const warm = await measuredWalk(warmed);
    // Each page has one row fewer, so that no page is cached.
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

/** Walks the measured pages on a server. Gives the milliseconds of a page, and the CPU of the walk in seconds. */
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

// Benchmarks of cached pages and of walks from page to page, beside bare Express that sends the same bytes.

import { readFileSync } from 'node:fs';
import { dataDirOf, LARGE_ROWS, mixes, pathOf, SMALL_ROWS } from './benchSnapshots.ts';
import { type Figure, median, ofRounds } from './figure.ts';
import type { LoadResult } from './loadGenerator.ts';
import { loadOf, ready, startOurs, startReference } from './measuredProcesses.ts';
import { fetchOnce, fileOf, perSecond, ROUNDS } from './serving.ts';

/** Requests each page again and again, in turns with bare Express that sends the same bytes. */
export async function hotPages(): Promise<Figure[]> {
  const dataDir = await dataDirOf(SMALL_ROWS);
  const [mix] = mixes(1, 300);
  const hot = pathOf(mix ?? {});
  const twenty = pathOf({
    country: Array.from({ length: 20 }, (_, i) => `Country ${String(i * 3).padStart(3, '0')}`),
    year: ['2019', '2020', '2021', '2022', '2023'],
  });
  const large = pathOf({}, 1000);
  const hotRequests: readonly HotRequest[] = [
    { what: 'hot page', target: hot, mark: 1 },
    { what: '304', target: hot, isUnchanged: true },
    { what: 'catalog', target: '/v1/catalog' },
    { what: '20 countries × 5 years', target: twenty },
    { what: 'no filter', target: pathOf({}) },
    { what: 'no match', target: pathOf({ country: ['Atlantis'] }) },
    { what: 'large page of 1,000 rows', target: large, mark: 1 },
    { what: 'large page of 1,000 rows, 1 client', target: large, clients: 1, mark: 1 },
    { what: 'hot page, 1 client', target: hot, clients: 1, mark: 1 },
  ];
  const server = await startOurs(dataDir);
  const contests: Contest[] = [];
  for (const request of hotRequests) contests.push(await contestOf(request, server));
  for (let round = 0; round < ROUNDS; round++) for (const contest of contests) await runRound(contest);
  for (const { bare } of contests) await bare.stop();
  await server.stop();
  const [page, unchanged, ...others] = contests.map(figureOf);
  if (!page || !unchanged) throw new Error('no figures');
  const besidePage = {
    what: '304 beside the page',
    reference: page.value,
    referenceName: 'hot page',
    mark: 1,
  };
  return [page, unchanged, { ...unchanged, ...besidePage }, ...others];
}

/** A request that clients repeat. */
interface HotRequest {
  readonly what: string;
  /** The path and the query. */
  readonly target: string;
  /** Whether the clients send the answer's ETag, so that they get 304. */
  readonly isUnchanged?: boolean;
  readonly clients?: number;
  /** The least speed, as a multiple of the requests a second of bare Express. */
  readonly mark?: number;
}

/** A request to our server and to bare Express, which sends the same bytes, with the figures of the rounds. */
type Contest = Awaited<ReturnType<typeof contestOf>>;

async function contestOf(
  { what, target, isUnchanged = false, clients = 32, mark }: HotRequest,
  server: Awaited<ReturnType<typeof startOurs>>,
) {
  const answer = await fetchOnce(server, target);
  const file = await fileOf(answer);
  const bare = await startReference('bareExpress.js', file);
  const has = isUnchanged ? `If-None-Match: ${answer.headers.get('etag')}\r\n` : '';
  const headers = `${server.to.headers}${has}`;
  const ours = { ...server.to, paths: [target], headers, status: isUnchanged ? 304 : 200 };
  const floor = { ...bare.to, paths: ['/v1/financials'] };
  const body = isUnchanged ? '' : readFileSync(file, 'utf8');
  const rounds: Record<'ours' | 'floor' | 'cpuShare', number[]> = { ours: [], floor: [], cpuShare: [] };
  return { what, ours, floor, body, bare, rounds, clients, mark };
}

async function runRound({ ours, floor, body, rounds, clients }: Contest): Promise<void> {
  const job = { seconds: 2, sampleEvery: 100, clients };
  const result = await loadOf({ ...job, ...ours });
  expectBody(result, body);
  rounds.ours.push(perSecond(result));
  rounds.cpuShare.push(result.cpuShare);
  rounds.floor.push(perSecond(await loadOf({ ...job, ...floor })));
}

const figureOf = ({ what, rounds, mark }: Contest): Figure => ({
  what,
  unit: 'a second',
  ...ofRounds(rounds.ours),
  reference: median(rounds.floor),
  referenceName: 'bare Express',
  better: 'higher',
  generatorCpu: Math.max(...rounds.cpuShare),
  ...(mark !== undefined && { mark }),
});

/**
 * Walks through 300,000 rows in pages of 1,000 with one client. The reference is bare Express, which sends one such page
 * again and again. Also compares the last ten pages with the first ten.
 */
export async function walk(): Promise<Figure[]> {
  const server = await startOurs(await dataDirOf(LARGE_ROWS));
  await ready(server);
  const page = await fetchOnce(server, pathOf({}, 1000));
  const bare = await startReference('bareExpress.js', await fileOf(page));
  // Every walk has another filter, so that no page is cached from an earlier walk.
  const walked = async (filter: string, requests = 300) => {
    const ours = { paths: [`/v1/financials?metric=ggr&limit=1000&${filter}`], walk: true };
    const pages = await loadOf({ ...server.to, clients: 1, requests, ...ours });
    const floor = await loadOf({ ...bare.to, clients: 1, requests, paths: ['/v1/financials'] });
    return { pages, floor };
  };
  const fresh = await walked('sub_channel=Retail');
  // V8 has compiled the code of a page after some two thousand pages.
  for (const filter of ['sub_channel=Onshore', 'sub_channel=Offshore']) await walked(filter, 1000);
  const walks = [];
  for (const filter of ['fx=USD', 'fx=EUR', 'fx=GBP', 'channel=Land', 'channel=Online'])
    walks.push(await walked(filter));
  await bare.stop();
  await server.stop();
  return [
    {
      what: 'walk, 1,000 rows a page',
      unit: 'pages a second',
      ...ofRounds(walks.map(({ pages }) => perSecond(pages))),
      reference: median(walks.map(({ floor }) => perSecond(floor))),
      referenceName: 'bare Express, one page',
      better: 'higher',
      atLeast: 700,
      generatorCpu: Math.max(...walks.map(({ pages }) => pages.cpuShare)),
    },
    {
      what: 'walk, the first of a fresh server',
      unit: 'pages a second',
      value: perSecond(fresh.pages),
      reference: perSecond(fresh.floor),
      referenceName: 'bare Express, fresh too',
      better: 'higher',
    },
    {
      what: 'walk, last ten pages',
      unit: 'ms a page',
      value: median(walks.map(({ pages }) => median(pages.latenciesMs.slice(-10)))),
      reference: median(walks.map(({ pages }) => median(pages.latenciesMs.slice(1, 11)))),
      referenceName: 'first ten',
      better: 'lower',
      mark: 1.2,
    },
  ];
}

function expectBody({ samples }: LoadResult, body: string): void {
  const wrong = samples.find((sample) => sample.body !== body);
  if (wrong !== undefined || samples.length === 0) throw new Error('an answer was not what it had to be');
}

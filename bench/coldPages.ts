// Benchmarks of pages that are not cached, beside DuckDB in this process, a quick implementation and PostgreSQL.

import path from 'node:path';
import { dataDirOf, LARGE_ROWS, mixes, pathOf, SMALL_ROWS } from './benchSnapshots.ts';
import { type Figure, median, ofRounds, percentile } from './figure.ts';
import { expectEqual } from './harness.ts';
import { inProcess } from './inProcess.ts';
import { loadOf, startReference } from './measuredProcesses.ts';
import { startPostgres } from './postgres.ts';
import { fetchOnce, label, perSecond, ROUNDS, SIZES, startWarm, warm } from './serving.ts';

/**
 * Requests a page for each of 2,000 mixes of filters, once, with one client. The reference reads the same rows as objects
 * from a prepared statement.
 */
export async function coldPage(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const reference = await inProcess(dataDir);
    const [p50, p95, p99, refP50, refP95]: number[][] = [[], [], [], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      // Each round has a fresh server and other mixes, so that no page is cached from the previous round.
      const filterMixes = mixes(2000, 100 + round);
      const ours = await startWarm(dataDir);
      const result = await loadOf({
        ...ours.to,
        clients: 1,
        paths: filterMixes.map((mix) => pathOf(mix)),
        requests: 2000,
        sampleEvery: 100,
      });
      await reference.check(result);
      await ours.stop();
      const referenceMs = await reference.time(filterMixes);
      p50?.push(percentile(result.latenciesMs, 0.5));
      p95?.push(percentile(result.latenciesMs, 0.95));
      p99?.push(percentile(result.latenciesMs, 0.99));
      refP50?.push(percentile(referenceMs, 0.5));
      refP95?.push(percentile(referenceMs, 0.95));
    }
    reference.close();
    figures.push(
      {
        what: `cold page, 1 client, p50, ${label(rows)}`,
        unit: 'ms',
        ...ofRounds(p50),
        reference: median(refP50),
        referenceName: 'objects in process',
        better: 'lower',
        mark: 1.5,
      },
      {
        what: `cold page, 1 client, p95, ${label(rows)}`,
        unit: 'ms',
        ...ofRounds(p95),
        reference: median(refP95),
        referenceName: 'objects in process',
        better: 'lower',
      },
      {
        what: `cold page, 1 client, p99, ${label(rows)}`,
        unit: 'ms',
        ...ofRounds(p99),
        better: 'lower',
        atMost: rows === SMALL_ROWS ? 3 : 8,
      },
    );
  }
  return figures;
}

/**
 * Requests pages with 32 clients, and no query twice. The references are the quick implementation and PostgreSQL with
 * keyset pagination.
 */
export async function coldThroughput(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const postgres = await startPostgres(rows);
    const [ours, quick, keyset]: [number[], number[], number[]] = [[], [], []];
    let cpuShare = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const paths = mixes(30_000, 200 + round).map((mix) => pathOf(mix));
      const server = await startWarm(dataDir);
      const result = await loadOf({
        ...server.to,
        clients: 32,
        paths,
        requests: paths.length,
        seconds: 6,
        sampleEvery: 500,
      });
      cpuShare = Math.max(cpuShare, result.cpuShare);
      ours.push(perSecond(result));
      await server.stop();
      const reference = await startReference('quickServer.js', path.join(dataDir, 'current', 'ggr.parquet'));
      quick.push(perSecond(await loadOf({ ...reference.to, clients: 32, paths, seconds: 4 })));
      await reference.stop();
      if (postgres === null) continue;
      const peer = await startReference('keysetServer.js', postgres.socketDir);
      await warm(peer);
      for (const { path: urlPath, body } of result.samples.slice(0, 10))
        expectEqual(
          `the rows of ${urlPath}`,
          await (await fetchOnce(peer, urlPath)).text().then(rowsOf),
          rowsOf(body),
        );
      keyset.push(perSecond(await loadOf({ ...peer.to, clients: 32, paths, seconds: 6 })));
      await peer.stop();
    }
    await postgres?.stop();
    const marks = { [SMALL_ROWS]: 2500, [LARGE_ROWS]: 1500 };
    const figure = { unit: 'a second', ...ofRounds(ours), better: 'higher', generatorCpu: cpuShare } as const;
    figures.push({
      what: `cold pages, 32 clients, ${label(rows)}`,
      ...figure,
      reference: median(quick),
      referenceName: 'Express + read_parquet',
      atLeast: marks[rows],
    });
    figures.push({
      what: `the same beside PostgreSQL, ${label(rows)}`,
      ...figure,
      ...(postgres !== null && { reference: median(keyset), mark: rows === SMALL_ROWS ? 3 : 20 }),
      referenceName: postgres === null ? 'PostgreSQL is not installed' : 'PostgreSQL, keyset, Express',
    });
  }
  return figures;
}

/** The rows of an answer as JSON. */
const rowsOf = (body: string) => JSON.stringify((JSON.parse(body) as { data: unknown }).data);

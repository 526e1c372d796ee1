// Sends queries without repetitions to a server with small caches, in a separate process, and measures its memory.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { publishSql } from './snapshot.ts';

export interface MemoryAfterQueries {
  /** For each cache by its name, the bytes that it reports and its capacity. */
  readonly caches: Readonly<Record<string, { readonly bytes: number; readonly capacityBytes: number }>>;
  /** The growth of the heap and the buffers while the caches filled. */
  readonly grownBytes: number;
}

/**
 * The nth of the queries, which all differ. Half of them are pages, a quarter values and a quarter totals. The text of this
 * function also runs in another process, so it uses nothing from outside.
 */
export function neverRepeated(n: number): string {
  const pick = (values: number, step: number) => Math.floor(n / step) % values;
  const countries = `country=Country%20${pick(97, 1)}&country=Country%20${pick(89, 3)}`;
  const filters = `${countries}&year=${2000 + pick(20, 7)}&year=${2000 + pick(17, 11)}&year=${3000 + n}`;
  if (n % 4 === 2) return `/v1/values?dataset=ggr&${filters}`;
  if (n % 4 === 3) return `/v1/totals?dataset=ggr&by=year&by=country&fx=USD&${filters}`;
  return `/v1/financials?metric=ggr&limit=${50 + pick(150, 13)}&${filters}`;
}

/** The caches are this many times smaller than usual, so that a few thousand queries fill them. */
const SCALE = 16;

/** Publishes rows, sends `before` queries without caches and then `count` with them, and measures the memory. */
export async function askNeverRepeated(
  dataDir: string,
  count: number,
  before: number,
): Promise<MemoryAfterQueries> {
  await publishSql(dataDir, '2026-11.1', { ggr: NEVER_REPEATED_ROWS });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', program(), dataDir, String(count), String(before)],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  return JSON.parse(stdout) as MemoryAfterQueries;
}

/**
 * The program that serves the data directory, sends the queries, and prints the bytes of the caches and the growth of the
 * heap.
 */
function program(): string {
  const at = (file: string) => JSON.stringify(path.resolve('dist/src', file));
  return `
    import http from 'node:http';
    import { CACHES, NO_CACHES } from ${at('cache/caches.js')};
    import { measuredCaches } from ${at('cache/measuredCaches.js')};
    import { followSnapshots } from ${at('catalog/snapshots.js')};
    import { createApp } from ${at('http/app.js')};
    import { admitEverybody } from ${at('http/middleware/authenticator.js')};
    import { createServer } from ${at('http/server/server.js')};
    import { createSelector, SELECTOR_DEFAULTS } from ${at('query/selection/select.js')};

    const [dataDir, count, unweighed] = process.argv.slice(1);
    const observe = () => {};
    const snapshots = followSnapshots({ dataDir, maxBytes: 2 ** 31, connections: 4, observe });
    await snapshots.loaded;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

    const query = ${neverRepeated};
    async function load(caches, first, queries) {
      const selector = createSelector(SELECTOR_DEFAULTS, caches);
      const settings = { cacheMaxAgeSeconds: 3600, publicUrl: 'http://127.0.0.1:3000' };
      const app = createApp({ snapshots, selector, observe, caches, authenticator: admitEverybody, settings });
      const { server } = createServer(app, observe, admitEverybody);
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address();
      const ask = (path) => new Promise((resolve, reject) =>
        http.get({ port, host: '127.0.0.1', path, agent }, (response) => {
          if (response.statusCode !== 200) reject(new Error(path + ' ' + response.statusCode));
          response.resume().once('end', resolve);
        }).once('error', reject));
      let next = first;
      const client = async () => { while (next < first + queries) await ask(query(next++)); };
      await Promise.all([client(), client(), client(), client()]);
      return server;
    }
    async function weigh() {
      for (let i = 0; i < 4; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 50)); }
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    }

    // Before the measurement, code is compiled and row texts are prepared.
    const warm = await load(NO_CACHES, 0, Number(unweighed));
    const before = await weigh();
    const measured = measuredCaches(CACHES);
    const small = (make) => (capacityBytes, name) => make(capacityBytes / ${SCALE}, name);
    const caches = { ...measured.caches,
      lruCache: small(measured.caches.lruCache), responseCache: small(measured.caches.responseCache) };
    const server = await load(caches, Number(unweighed), Number(count));
    const grownBytes = (await weigh()) - before;
    console.log(JSON.stringify({ caches: Object.fromEntries(measured.cacheFigures()), grownBytes }));
    warm.close();
    server.closeAllConnections();
    process.exit(0);`;
}

/** The dataset of these queries, with 24,000 rows: 100 countries, 20 years, 12 products. */
export const NEVER_REPEATED_ROWS = `
  SELECT 2000 + year AS year, 'Region' AS region, 'Country ' || country AS country, '' AS state,
    'Category' AS category, 'Product ' || product AS product, 'Online' AS channel, 'Onshore' AS sub_channel,
    'USD' AS fx, 'Current' AS temporal, country * 1000 + product + year / 100 AS ggr
  FROM range(20) AS years(year), range(100) AS countries(country), range(12) AS products(product)`;

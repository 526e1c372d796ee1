// Serves a data directory, sends queries that are never repeated, and measures the caches and the growth of the heap.
// Arguments: DATA_DIR QUERIES QUERIES_BEFORE, with the option `--expose-gc` of node. Prints a `MemoryAfterQueries`.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { CACHES, type Caches, NO_CACHES } from '../../../src/cache/caches.ts';
import { measuredCaches } from '../../../src/cache/measuredCaches.ts';
import { followSnapshots } from '../../../src/catalog/snapshots.ts';
import { createApp } from '../../../src/http/app.ts';
import { admitEverybody } from '../../../src/http/middleware/authenticator.ts';
import { createServer } from '../../../src/http/server/server.ts';
import { createSelector, SELECTOR_DEFAULTS } from '../../../src/query/selection/selector.ts';
import { neverRepeated } from '../neverRepeatedQueries.ts';

export interface MemoryAfterQueries {
  /** For each cache by its name, the bytes that it reports and its capacity. */
  readonly caches: Readonly<Record<string, { readonly bytes: number; readonly capacityBytes: number }>>;
  /** The growth of the heap and the buffers while the caches filled. */
  readonly grownBytes: number;
}

/** The caches are this many times smaller than usual, so that a few thousand queries fill them. */
const SCALE = 16;

const [dataDir = '', count = '', before = ''] = process.argv.slice(2);
const observe = () => {};
const snapshots = followSnapshots({ dataDir, maxBytes: 2 ** 31, connections: 4, observe });
await snapshots.loaded;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

// Before the measurement, code is compiled and row texts are prepared.
const warm = await load(NO_CACHES, 0, Number(before));
const bytesBefore = await weigh();
const measured = measuredCaches(CACHES);
const { lruCache, responseCache } = measured.caches;
const small: Caches = {
  ...measured.caches,
  lruCache: (capacityBytes, name) => lruCache(capacityBytes / SCALE, name),
  responseCache: (capacityBytes, name) => responseCache(capacityBytes / SCALE, name),
};
const server = await load(small, Number(before), Number(count));
const grownBytes = (await weigh()) - bytesBefore;
const result: MemoryAfterQueries = { caches: Object.fromEntries(measured.cacheFigures()), grownBytes };
process.stdout.write(`${JSON.stringify(result)}\n`);
warm.close();
server.closeAllConnections();
process.exit(0);

/** Starts a server with these caches, and sends queries from the one with the number `first` on. */
async function load(caches: Caches, first: number, queries: number): Promise<http.Server> {
  const selector = createSelector(SELECTOR_DEFAULTS, caches);
  const settings = { cacheMaxAgeSeconds: 3600, publicUrl: 'http://127.0.0.1:3000' };
  const app = createApp({ snapshots, selector, observe, caches, authenticator: admitEverybody, settings });
  const { server } = createServer(app, observe, admitEverybody);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const request = http.get({ port, host: '127.0.0.1', path, agent }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path} ${response.statusCode}`));
        response.resume().once('end', resolve);
      });
      request.once('error', reject);
    });
  let next = first;
  const client = async () => {
    while (next < first + queries) await ask(neverRepeated(next++));
  };
  await Promise.all([client(), client(), client(), client()]);
  return server;
}

async function weigh(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// Staging databases in memory for tests: `const staging = await openStaging()`.

import { randomUUID } from 'node:crypto';
import { DuckDBInstance } from '@duckdb/node-api';
import { Staging } from '../../ingest/staging/database/staging.ts';
import { CONNECTIONS } from '../../ingest/staging/database/stagingEngine.ts';
import type { DuckDBConnection } from '../../src/duckdb.ts';

/** One engine for all staging databases of a worker: starting one takes a third of the time of reading a small month. */
const worker = globalThis as { stagingEngine?: Promise<DuckDBInstance> };

/** Opens an empty staging database in memory, in a new catalog of the shared engine. */
export async function openStaging(): Promise<Staging> {
  worker.stagingEngine ??= DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' });
  const instance = await worker.stagingEngine;
  const catalog = `staging_${randomUUID().replaceAll('-', '')}`;
  const connections: DuckDBConnection[] = [];
  for (let i = 0; i < CONNECTIONS; i++) connections.push(await instance.connect());
  const [first, ...others] = connections as [DuckDBConnection, ...DuckDBConnection[]];
  await first.run(`ATTACH ':memory:' AS ${catalog}`);
  for (const connection of connections) await connection.run(`USE ${catalog}`);
  const close = () => {
    for (const connection of connections) connection.closeSync();
    void detach(instance, catalog);
  };
  return await Staging.inEngine({ instance, connections: [first, ...others], close });
}

/** Frees the memory of a catalog. */
async function detach(instance: DuckDBInstance, catalog: string): Promise<void> {
  const connection = await instance.connect();
  await connection.run(`DETACH ${catalog}`);
  connection.closeSync();
}

// An engine for comparing that shares the engine of a small month's staging database.

import { expect, it } from '@jest/globals';
import { Engine } from '../../../ingest/compare/engine.ts';
import { openDuckDb } from '../../../src/duckdb.ts';

it('an engine within another has types of its own, and answers after the other one is closed', async () => {
  const database = await openDuckDb({ settings: { threads: '1' } });
  await database.connections[0].run("CREATE TYPE word AS ENUM ('a')");
  const engine = await Engine.within(database);
  try {
    await engine.run("CREATE TYPE word AS ENUM ('b')");
    database.close();
    expect(await engine.rows("SELECT 'b'::word::VARCHAR")).toEqual([['b']]);
    for await (const chunk of engine.chunks("SELECT 'b'::word::VARCHAR", 1)) expect(chunk.rowCount).toBe(1);
  } finally {
    engine.close();
  }
});

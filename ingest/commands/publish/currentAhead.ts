// Reads the current snapshot while the sources of a small month are read: reading sources leaves a core idle.

import { type Current, readCurrent } from '../../compare/compareWithCurrent.ts';
import { Engine } from '../../compare/engine.ts';
import type { Staging } from '../../staging/database/staging.ts';

/** The current snapshot while it is read. The promises may be rejected before anybody awaits them. */
export interface CurrentAhead {
  /** It shares the DuckDB instance of the staging database. */
  readonly engine: Promise<Engine>;
  /** The current snapshot; null when there is none. */
  readonly current: Promise<Current | null>;
  /** Waits until the snapshot is read, and closes the engine. Call it before `close` of the staging database. */
  readonly close: () => Promise<void>;
}

/** Begins to read the current snapshot. It shares the engine of the staging database, because opening a second one takes time. */
export function readCurrentAhead(dataDir: string, staging: Staging): CurrentAhead {
  const engine = Engine.within(staging.engine);
  const current = engine.then((opened) => readCurrent(dataDir, opened));
  // A month that fails its checks never awaits these promises, and a rejection without a handler would end the process.
  for (const promise of [engine, current]) promise.catch(() => {});
  return {
    engine,
    current,
    async close() {
      await Promise.allSettled([current]);
      const opened = await engine.catch(() => null);
      opened?.close();
    },
  };
}

// Reads the current snapshot while the sources of a small month are read.

import { type CurrentSide, readCurrentSide } from '../../compare/compareWithCurrent.ts';
import { ComparisonEngine } from '../../compare/comparisonEngine.ts';
import type { Staging } from '../../staging/database/staging.ts';

/** The current snapshot while it is read. The promises may be rejected before anybody awaits them. */
export interface CurrentReading {
  /** It shares the DuckDB instance of the staging database. */
  readonly engine: Promise<ComparisonEngine>;
  /** The current snapshot; null when there is none. */
  readonly current: Promise<CurrentSide | null>;
  /** Waits until the snapshot is read, and closes the engine. Call it before `close` of the staging database. */
  readonly close: () => Promise<void>;
}

/**
 * Begins to read the current snapshot while the sources of a small month are read, because reading sources leaves a core
 * idle. It shares the engine of the staging database, because opening a second one takes time.
 */
export function startReadingCurrent(dataDir: string, staging: Staging): CurrentReading {
  const engine = ComparisonEngine.within(staging.engine);
  const current = engine.then((opened) => readCurrentSide(dataDir, opened));
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

// Begins work of later phases while the rows of a staged month are checked, because a check of a small month uses one core.

import path from 'node:path';
import { Engine, threadsFor } from '../compare/engine.ts';
import { type Written, writeFiles } from '../store/files.ts';
import { monthContents } from './monthContents.ts';
import type { PublishOptions } from './publishOptions.ts';
import type { StagedMonth } from './stagedMonth.ts';

/** Work of later phases. Its promises may fail before anybody awaits them. */
export interface Ahead {
  /** The engine in which the month is compared and reported. */
  readonly engine: Promise<Engine>;
  /** Writes the files of the month; called once, after the checks. */
  readonly written: () => Promise<Written>;
  /** Waits for all work, and closes the engine. */
  readonly close: () => Promise<void>;
}

/** From this number of facts on, statements use both cores, and their memory adds up. */
const MANY_FACTS = 200_000;

/**
 * Sorting the facts of a whole sheet takes no longer with this much memory, beside which the buffers of two threads that
 * write Parquet take a hundred megabytes. More facts would be sorted in many more pieces on the disk.
 */
const MEMORY_WHILE_WRITING = '184MB';
const VERY_MANY_FACTS = 1_200_000;

/** @param directory Where the files of the month are written. */
export function workAhead(
  month: StagedMonth,
  options: PublishOptions,
  workDir: string,
  directory: string,
): Ahead {
  const { staging, reading, problems } = month;
  const facts = [...reading.facts.values()].reduce((sum, one) => sum + one, 0);
  const engine = Engine.open(path.join(workDir, 'compared'), threadsFor(2 * facts));
  const write = (connection: typeof staging.connection) =>
    writeFiles(connection, contentOf(month, options), directory);
  const writeLater = async () => {
    if (facts < VERY_MANY_FACTS) await staging.connection.run(`SET memory_limit = '${MEMORY_WHILE_WRITING}'`);
    return await write(staging.connection);
  };
  const isEarly = facts < MANY_FACTS && problems.count('error', 'unreadable') === 0;
  const writing = isEarly ? write(staging.otherConnection) : null;
  // What failed is thrown where the result is awaited, if the month gets so far.
  for (const promise of [engine, writing]) promise?.catch(() => {});
  return {
    engine,
    written: () => writing ?? writeLater(),
    async close() {
      await writing?.catch(() => {});
      const opened = await engine.catch(() => null);
      opened?.close();
    },
  };
}

const contentOf = ({ reading, recipe, options: { recorded } }: StagedMonth, options: PublishOptions) => ({
  datasets: monthContents(reading, options),
  sources: reading.files,
  recipe,
  reading: [...recorded, ...reading.recorded],
  accepted: [],
});

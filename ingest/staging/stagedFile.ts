// Defines the result of reading a file in another process, and adds it to the month.

import type { Origin } from '../messages/place.ts';
import { Problems, type StoredProblems } from '../messages/problems.ts';
import type { CopiedVersions } from '../sources/sourceCopies.ts';
import { addDatabase, type SealedDatabase } from './database/addDatabase.ts';
import { addRows, type Reading, type ReadingRun } from './reading.ts';

/** A file that another process read. It is plain data, because it is sent between processes. */
export interface StagedFile extends SealedDatabase {
  /** The origins of the rows in this database. */
  readonly origins: readonly Origin[];
  readonly problems: StoredProblems;
  readonly reading: Reading;
  readonly versions: CopiedVersions;
}

/** Adds a staged file to the month. The result is the same as if this process had read the file. */
export async function addStagedFile(file: StagedFile, run: ReadingRun): Promise<void> {
  const { staging, problems, reading, sourceCopies } = run;
  await addDatabase(staging, file);
  staging.origins.push(...file.origins);
  problems.absorb(Problems.of(file.problems));
  sourceCopies.add(file.versions);
  const { facts, sources, ...found } = file.reading;
  for (const [dataset, count] of facts)
    addRows(dataset, { facts: count, files: sources.get(dataset) ?? [] }, reading);
  reading.files.push(...found.files);
  reading.tables.push(...found.tables);
  reading.recorded.push(...found.recorded);
  for (const dataset of found.incomplete) reading.incomplete.add(dataset);
  for (const option of found.effective) reading.effective.add(option);
  reading.mayLackDatasets ||= found.mayLackDatasets;
}

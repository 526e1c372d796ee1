// The result of reading a file in another process, and how it joins the month.

import type { Origin } from '../messages/place.ts';
import { Problems, type StoredProblems } from '../messages/problems.ts';
import type { TakenVersions } from '../sources/intake.ts';
import { type Destination, expectDataset, type Reading } from './reading.ts';

/** A file that another process has read. It is sent between processes, so it holds data alone. */
export interface StagedFile {
  /** The staging database that holds its rows. */
  readonly database: string;
  /** By code. */
  readonly texts: readonly string[];
  /** By source. */
  readonly origins: readonly Origin[];
  readonly problems: StoredProblems;
  readonly reading: Reading;
  readonly versions: TakenVersions;
}

/** Adds the rows, problems and facts of a staged file, with the same result as reading the file in this process. */
export async function addStaged(file: StagedFile, to: Destination): Promise<void> {
  const { staging, problems, reading, intake } = to;
  await staging.addDatabase(file.database, file.texts, staging.origins.length);
  staging.origins.push(...file.origins);
  problems.absorb(Problems.of(file.problems));
  intake.add(file.versions);
  const { facts, sources, ...found } = file.reading;
  for (const [dataset, count] of facts) {
    expectDataset(dataset, reading);
    reading.facts.set(dataset, (reading.facts.get(dataset) ?? 0) + count);
  }
  for (const [dataset, names] of sources) {
    const known = reading.sources.get(dataset) ?? [];
    reading.sources.set(dataset, [...known, ...names.filter((name) => !known.includes(name))]);
  }
  reading.files.push(...found.files);
  reading.tables.push(...found.tables);
  reading.recorded.push(...found.recorded);
  for (const dataset of found.incomplete) reading.incomplete.add(dataset);
  for (const option of found.effective) reading.effective.add(option);
  reading.mayLackDatasets ||= found.mayLackDatasets;
}

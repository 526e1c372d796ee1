// Defines the input and the results of reading a month's sources: staging database, problems, record of what was read.

import { addTo } from '../../src/basics/maps.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import type { Problems } from '../messages/problems.ts';
import type { SourceCopies } from '../sources/sourceCopies.ts';
import type { Staging } from './database/staging.ts';
import type { KnownValues } from './knownValues.ts';
import type { ReadingOptions } from './readingOptions.ts';

/** A record of what was read: the files, their tables, and the datasets for which the month has sources. */
export interface Reading {
  readonly files: SourceManifest[];
  /** The sheets that were read, and the files that consist of one table. */
  readonly tables: TableRead[];
  /** The number of staged facts of each dataset. A dataset is in the map as soon as a file or sheet is named after it. */
  readonly facts: Map<DatasetName, number>;
  /** The files that the rows of each dataset come from. The Parquet file of the dataset names them. */
  readonly sources: Map<DatasetName, string[]>;
  /** Datasets with a table whose header lacks a column. */
  readonly incomplete: Set<DatasetName>;
  /**
   * How files were read, apart from the options of the command line: the options of a recipe, and styles found in columns.
   */
  readonly recorded: Manifest['reading'];
  /** The options that changed how a cell was read, as `effectOf` names them. */
  readonly effective: Set<string>;
  /** Whether a file or sheet that may hold another dataset was refused. No dataset is then reported as left out. */
  mayLackDatasets: boolean;
}

/** A sheet that was read, or a file that consists of one table. */
export interface TableRead {
  readonly file: string;
  readonly sheet: string | null;
  /** Null for a table that a recipe read. */
  readonly dataset: DatasetName | null;
  /** The number of rows that gave facts. */
  readonly rows: number;
  /** The number of these facts: one for each row in long form, one for each filled year of a row in wide form. */
  readonly facts: number;
}

/** The record before any source is read. */
export const nothingRead = (): Reading => ({
  files: [],
  tables: [],
  facts: new Map(),
  sources: new Map(),
  incomplete: new Set(),
  recorded: [],
  effective: new Set(),
  mayLackDatasets: false,
});

/** One run that reads sources: its options, and the receivers of the rows, the problems and the record. */
export interface ReadingRun {
  readonly staging: Staging;
  readonly problems: Problems;
  readonly reading: Reading;
  /** Copies the sources and hashes the copies, so that exactly the hashed bytes are read. */
  readonly sourceCopies: SourceCopies;
  readonly options: ReadingOptions;
  /** The values of the current snapshot, by dimension; null when there is none. */
  readonly known: KnownValues | null;
}

/** Records that the month has a source for a dataset. */
export function expectDataset(dataset: DatasetName, { facts }: Reading): void {
  if (!facts.has(dataset)) facts.set(dataset, 0);
}

/** Records rows of a dataset: the number of their facts, and their files. */
export function addRows(
  dataset: DatasetName,
  { facts, files }: { readonly facts: number; readonly files: readonly string[] },
  reading: Reading,
): void {
  addTo(reading.facts, dataset, facts);
  const known = reading.sources.get(dataset) ?? [];
  reading.sources.set(dataset, [...known, ...files.filter((file) => !known.includes(file))]);
}

/** The folder of the sources. */
export interface SourceFolder {
  readonly directory: string;
  /** A folder for databases of other processes. The caller removes it. */
  readonly workDir: string;
  /** Receives the name of the source that is being read, the bytes that were read, and the bytes of all sources. */
  readonly onProgress: (name: string, doneBytes: number, totalBytes: number) => void;
}

// The result of reading the sources of a month: rows in the staging database, problems, and a record of what was read.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import type { Problems } from '../messages/problems.ts';
import type { Intake } from '../sources/intake.ts';
import type { Staging } from './database/staging.ts';
import type { KnownValues } from './knownValues.ts';
import type { ReadingOptions } from './readingOptions.ts';

/** What was read: which datasets the month brings, and whether their rows can be compared. */
export interface Reading {
  readonly files: SourceManifest[];
  /** The sheets and files that rows came from. */
  readonly tables: TableRead[];
  /** Facts staged per dataset. A dataset is listed as soon as a file or sheet is named after it. */
  readonly facts: Map<DatasetName, number>;
  /** The files that the rows of a dataset come from; its Parquet file names them. */
  readonly sources: Map<DatasetName, string[]>;
  /** Datasets with a header that lacks a column. */
  readonly incomplete: Set<DatasetName>;
  /** How files were read, beside the options of the command line: options of a recipe, and what whole columns showed. */
  readonly recorded: Manifest['reading'];
  /** The options that changed how a cell was read, as `effectOf` names them. */
  readonly effective: Set<string>;
  /** Whether a file that may hold any dataset could not be read: then no dataset counts as left out. */
  mayLackDatasets: boolean;
}

/** A sheet, or a file that is one table, as the report shows it. */
export interface TableRead {
  readonly file: string;
  readonly sheet: string | null;
  /** Null for a table that a recipe took apart. */
  readonly dataset: DatasetName | null;
  /** Rows that were taken. */
  readonly rows: number;
  /** The facts they gave: one a row in long form, one for each filled year in wide form. */
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

/** How the sources are to be read, and where their rows and problems go. */
export interface Destination {
  readonly staging: Staging;
  readonly problems: Problems;
  readonly reading: Reading;
  /** Copies and hashes the sources, so that the bytes that are read are the ones that were hashed. */
  readonly intake: Intake;
  /** How the sources are to be read. */
  readonly options: ReadingOptions;
  /** The values of the current snapshot, by dimension; null when there is none. */
  readonly known: KnownValues | null;
}

/** Lists a dataset as one that the month has a source for. */
export function expectDataset(dataset: DatasetName, { facts }: Reading): void {
  if (!facts.has(dataset)) facts.set(dataset, 0);
}

/** Called with the number of bytes of all sources that have been read. */
export type OnProgress = (name: string, doneBytes: number, totalBytes: number) => void;

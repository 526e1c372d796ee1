// Reads a source directory into the staging database: which file holds which dataset, which sheets count.

import { stat } from 'node:fs/promises';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { SourceManifest } from '../../src/catalog/manifest.ts';
import { fileSha256 } from '../../src/catalog/verifyFiles.ts';
import { type Origin, wholeFile, wholeTable } from '../messages/place.ts';
import { faultOf, type Problems } from '../messages/problems.ts';
import { headingKey } from '../messages/spelling.ts';
import { datasetNamedBy, listSources, type SourceFile } from '../sources/folder.ts';
import { findHeader, HEADER_WITHIN_ROWS } from '../sources/header.ts';
import { isSpreadsheetLike, openFile } from '../sources/readers/open.ts';
import { type RawFile, type RawRow, type RawTable, UnreadableError } from '../sources/readers/raw.ts';
import { Normaliser, reportHeader } from './normalise.ts';
import type { Staging } from './staging.ts';

/** What was read: enough to know which datasets a month brings and whether their rows can be compared. */
export interface Reading {
  readonly files: SourceManifest[];
  /** The sheets and files that rows came from. */
  readonly tables: TableRead[];
  /** Facts staged per dataset; a dataset is here as soon as a file or sheet is named after it. */
  readonly facts: Map<DatasetName, number>;
  /** Where the rows of a dataset come from, as its Parquet file will say. */
  readonly sources: Map<DatasetName, string[]>;
  /** Datasets with a header that lacks a column. */
  readonly incomplete: Set<DatasetName>;
  /** True when a file could not be read that may have held any dataset. */
  unsure: boolean;
}

/** A sheet, or a file that is one table, as far as a report tells of it. */
export interface TableRead {
  readonly file: string;
  readonly sheet: string | null;
  /** Null for a table that a recipe took apart. */
  readonly dataset: DatasetName | null;
  /** Rows that were taken. */
  readonly rows: number;
  /** What they gave: as many facts, or in wide form one for each filled year. */
  readonly facts: number;
}

export const nothingRead = (): Reading => ({
  files: [],
  tables: [],
  facts: new Map(),
  sources: new Map(),
  incomplete: new Set(),
  unsure: false,
});

export interface Destination {
  readonly staging: Staging;
  readonly problems: Problems;
  readonly reading: Reading;
}

/** Told how many bytes of all the sources' have been read. */
export type OnProgress = (name: string, doneBytes: number, totalBytes: number) => void;

/** Reads every file of the directory that holds a dataset; what cannot be read or placed is a problem. */
export async function readSources(directory: string, to: Destination, onProgress: OnProgress): Promise<void> {
  const { files, folders } = await listSources(directory);
  for (const folder of folders)
    to.problems.add('note', wholeFile(`${folder}/`), 'a folder is not read; move its files up');
  const sources = files.filter((file) => belongs(file, to.problems));
  const sizes = await Promise.all(
    sources.map(async (file) => (await stat(file.path).catch(() => null))?.size ?? 0),
  );
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  let doneBytes = 0;
  for (const [index, source] of sources.entries()) {
    await readSource(source, to, (fraction) =>
      onProgress(source.name, doneBytes + fraction * (sizes[index] ?? 0), totalBytes),
    );
    doneBytes += sizes[index] ?? 0;
    onProgress(source.name, doneBytes, totalBytes);
  }
}

/** Reads one file, named after a dataset or with sheets that are. */
export async function readSource(
  source: SourceFile,
  to: Destination,
  onFraction: (fraction: number) => void,
): Promise<void> {
  let file: RawFile | undefined;
  try {
    if (source.dataset !== null) expect(source.dataset, to.reading);
    const before = await versionOf(source.path);
    const opened = await openFile(source.path, source.name);
    file = opened;
    const sha256 = await fileSha256(source.path);
    await readTables(opened, source.dataset, to, onFraction);
    const after = await versionOf(source.path);
    if (before === null || after === null || after.version !== before.version) {
      throw new UnreadableError(
        `${source.name}: changed while it was being read; run again when it is complete`,
      );
    }
    to.reading.files.push({ file: source.name, bytes: before.bytes, sha256 });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const fault = faultOf(error, source.name);
    to.problems.add('unreadable', fault.place, fault);
    if (source.dataset === null) to.reading.unsure = true;
  } finally {
    await file?.close();
  }
}

/** What differs when a file was written to, replaced or removed meanwhile; null for what is not there. */
async function versionOf(file: string): Promise<{ version: string; bytes: number } | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  const { dev, ino, size, mtimeMs, ctimeMs } = found;
  return { version: [dev, ino, size, mtimeMs, ctimeMs].join(' '), bytes: size };
}

async function readTables(
  file: RawFile,
  named: DatasetName | null,
  to: Destination,
  onFraction: (fraction: number) => void,
): Promise<void> {
  let read = 0;
  for (const table of file.tables) {
    const dataset = named ?? datasetNamedBy(table.name ?? '');
    const origin = { file: file.name, sheet: table.name, format: file.format, columns: new Map() };
    if (table.hidden) {
      if (dataset !== null && (await hasHeader(table, dataset))) {
        to.problems.add(
          'note',
          wholeTable(origin),
          'a hidden sheet was not read; unhide it if its rows count',
        );
      }
      continue;
    }
    const found =
      dataset !== null &&
      (await readTable(table, dataset, origin, to, () => onFraction(file.progress?.() ?? 0)));
    if (found) read += 1;
    else if (table.name !== null) await remark(table, origin, named, to.problems);
  }
  if (read === 0) to.problems.add('error', wholeFile(file.name), nothingIn(file, named));
}

/** Stages the rows of a table below its header; false when it has none. */
export async function readTable(
  table: RawTable,
  dataset: DatasetName,
  at: Origin,
  to: Destination,
  onBatch: () => void = () => {},
): Promise<boolean> {
  let first: RawRow[] = [];
  let normaliser: Normaliser | undefined;
  const begin = (): void => {
    const header = findHeader(dataset, first);
    if (header === null) return;
    const columns = new Map(
      header.columns.flatMap((column, i) => (column === undefined ? [] : [[column.name, i]])),
    );
    const origin = { ...at, columns };
    const source = to.staging.origins.push(origin) - 1;
    reportHeader(header, origin, to.problems);
    if (!header.complete) to.reading.incomplete.add(dataset);
    normaliser = new Normaliser({ dataset, header, source }, to.staging, to.problems);
    normaliser.take(first);
    first = [];
  };
  for await (const batch of table.rows()) {
    if (normaliser !== undefined) normaliser.take(batch);
    else {
      first.push(...batch);
      if (first.length >= HEADER_WITHIN_ROWS) begin();
      if (normaliser === undefined && first.length >= HEADER_WITHIN_ROWS) return false;
    }
    onBatch();
  }
  if (normaliser === undefined) begin();
  if (normaliser === undefined) return false;
  const { rows, facts } = (normaliser as Normaliser).finish(table.merged?.());
  expect(dataset, to.reading);
  to.reading.tables.push({ file: at.file, sheet: at.sheet, dataset, rows, facts });
  to.reading.facts.set(dataset, (to.reading.facts.get(dataset) ?? 0) + facts);
  const sources = to.reading.sources.get(dataset) ?? [];
  if (!sources.includes(at.file)) to.reading.sources.set(dataset, [...sources, at.file]);
  return true;
}

/** Whether a file is one to read; the others are remarked on. */
function belongs(file: SourceFile, problems: Problems): boolean {
  if (!isSpreadsheetLike(file.name)) {
    problems.add('note', wholeFile(file.name), 'not a spreadsheet, csv or Parquet file; left alone');
    return false;
  }
  if (file.dataset === null && /\.(?:csv|tsv|parquet)$/i.test(file.name)) {
    problems.add(
      'error',
      wholeFile(file.name),
      `belongs to no dataset; name it after one (${DATASET_NAMES.join(', ')}) or move it away`,
    );
    return false;
  }
  return true;
}

/** A visible sheet that was not read: harmless when it is called like notes, suspicious otherwise. */
async function remark(
  table: RawTable,
  origin: Origin,
  named: DatasetName | null,
  problems: Problems,
): Promise<void> {
  if (await isEmpty(table)) return;
  if (NOTES.has(headingKey(table.name ?? ''))) {
    problems.add('note', wholeTable(origin), 'a sheet of notes, not read');
    return;
  }
  const belongs = named !== null || datasetNamedBy(table.name ?? '') !== null;
  const why = belongs ? `has no header in its first ${HEADER_WITHIN_ROWS} rows` : 'is named after no dataset';
  problems.add('warning', wholeTable(origin), `this sheet ${why} and was not read`);
}

const NOTES = new Set(['notes', 'readme', 'contents', 'sources', 'metadata']);

function nothingIn(file: RawFile, named: DatasetName | null): string {
  if (named === null) {
    return `belongs to no dataset; name the file or its sheets after one (${DATASET_NAMES.join(', ')}) or move it away`;
  }
  const columns = [...datasetOf(named).dimensions, ...metricNames(named)];
  const where = file.format === 'xlsx' ? 'no visible sheet has' : 'there is';
  return `${where} ${file.format === 'xlsx' ? 'a' : 'no'} header of ${named}; write one with the columns ${columns.join(', ')}`;
}

async function hasHeader(table: RawTable, dataset: DatasetName): Promise<boolean> {
  const first: RawRow[] = [];
  for await (const batch of table.rows()) {
    first.push(...batch);
    if (first.length >= HEADER_WITHIN_ROWS) break;
  }
  return findHeader(dataset, first) !== null;
}

async function isEmpty(table: RawTable): Promise<boolean> {
  for await (const batch of table.rows()) if (batch.length > 0) return false;
  return true;
}

function expect(dataset: DatasetName, reading: Reading): void {
  if (!reading.facts.has(dataset)) reading.facts.set(dataset, 0);
}

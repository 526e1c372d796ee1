// Stages a table row by row, column by column and by SQL, and expects equal results:
// the same rows, codes, problems in order, and bytes of the snapshot.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import { rowsToWrite } from '../../../../ingest/commands/publish/rowsToWrite.ts';
import { UnreadableError } from '../../../../ingest/messages/fault.ts';
import { Problems } from '../../../../ingest/messages/problems.ts';
import {
  isColumns,
  type RawFile,
  type RawTable,
  type TableReading,
} from '../../../../ingest/sources/readers/rawFile.ts';
import { SourceCopies } from '../../../../ingest/sources/sourceCopies.ts';
import type { Staging } from '../../../../ingest/staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../../../../ingest/staging/database/stagingTables.ts';
import { nothingRead } from '../../../../ingest/staging/reading.ts';
import { type GivenOptions, readingOptions } from '../../../../ingest/staging/readingOptions.ts';
import { readTable } from '../../../../ingest/staging/readTable.ts';
import { type DatasetName, datasetOf, metricNames } from '../../../../src/catalog/datasets.ts';
import { isDeep } from '../../../support/depth.ts';
import { openStaging } from '../../../support/openStaging.ts';
import { writeDataset } from '../../../support/writeDataset.ts';

interface Outcome {
  /** The staged rows with texts in place of codes, or the text of the error that kept the file from being read. */
  readonly rows: unknown;
  readonly problems: readonly string[];
  readonly facts: unknown;
  /** The checksum of the Parquet file of the staged rows; null when it was not written. */
  readonly sha256: string | null;
  /** Whether SQL staged the rows after the first ones. */
  readonly bySql: boolean;
  /** The number of rows that were staged one by one although their batch was given column by column. */
  readonly oddRows: number;
  readonly columnRows: number;
}

type Way = 'rows' | 'columns' | 'sql';

/** A file with one table, and the options for reading it. */
export interface ReadInWays {
  readonly open: () => Promise<RawFile>;
  readonly dataset: DatasetName;
  /** The folder for the files of each way. */
  readonly folder: string;
  /** Whether the staged rows are also written as Parquet. */
  readonly isWritten: boolean;
  /** The options of reading, as on the command line. */
  readonly options?: GivenOptions;
}

/** Reads the table into a staging database in one of the ways. */
export async function outcomeOf(
  { open, dataset, folder, isWritten, options = {} }: ReadInWays,
  way: Way,
): Promise<Outcome> {
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  const staging = await openStaging();
  const problems = new Problems();
  const reading = nothingRead();
  const counts = { oddRows: 0, columnRows: 0 };
  const wasBySql = watchSql(staging);
  let rows: unknown;
  let sha256: string | null = null;
  let file: RawFile | undefined;
  try {
    file = await open();
    const table = inWay(file, way, counts);
    const origin = { file: file.name, sheet: null, format: file.format, columns: new Map() };
    const to = {
      staging,
      problems,
      reading,
      sourceCopies: new SourceCopies(workDir),
      options: readingOptions(options),
    };
    await readTable({ table, dataset, origin }, { ...to, known: null });
    await staging.finish();
    const { spelled, isRepeated } = await stagedRows(staging, dataset);
    const texts = Array.from({ length: staging.textCount }, (_, code) => staging.text(code));
    rows = [spelled, problems.count('error') === 0 ? texts : []];
    if (isWritten && way !== 'columns' && !isRepeated && problems.count('error', 'unreadable') === 0) {
      const { [dataset]: content } = rowsToWrite(reading, staging, { carry: [] });
      ({ sha256 } = await writeDataset(staging.connection, dataset, content, workDir));
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    rows = String(error);
  } finally {
    await file?.close();
    staging.close();
  }
  return {
    rows,
    problems: problems
      .list()
      .map(({ severity, place, message, kind }) => `${severity} ${place}: ${message} (${kind})`),
    facts: [reading.tables, [...reading.facts], reading.recorded],
    ...counts,
    sha256,
    bySql: wasBySql(),
  };
}

/** Returns a function that returns whether SQL has staged rows. */
function watchSql(staging: Staging): () => boolean {
  const { addSelected } = staging;
  let bySql = false;
  staging.addSelected = async <Result>(...args: Parameters<typeof addSelected<Result>>) => {
    const accepted = await addSelected.apply<Staging, typeof args, Promise<Result | null>>(staging, args);
    bySql = accepted !== null;
    return accepted;
  };
  return () => bySql;
}

/** The number of rows that a table gave column by column, and how many of them were then staged one by one. */
type Counts = { -readonly [name in 'columnRows' | 'oddRows']: Outcome[name] };

/** The table of a file, without the functions that only ways faster than `way` call. */
function inWay({ tables: [table] }: RawFile, way: Way, counts: Counts): RawTable {
  if (table === undefined) throw new Error('no table');
  const { read, sql, ...rowByRow } = table;
  if (way === 'rows') return rowByRow;
  const byColumn = { ...rowByRow, ...(read && { read }) };
  return way === 'columns' ? counted(byColumn, counts) : { ...byColumn, ...(sql && { sql }) };
}

const counted = (table: RawTable, counts: Counts): RawTable => {
  const { read } = table;
  if (read === undefined) return table;
  return {
    ...table,
    async read() {
      const reading = await read();
      return { ...reading, columns: (kinds) => countedBatches(reading.columns(kinds), counts) };
    },
  };
};

async function* countedBatches(all: ReturnType<TableReading['columns']>, counts: Counts) {
  for await (const batch of all) {
    if (!isColumns(batch)) {
      yield batch;
      continue;
    }
    counts.columnRows += batch.count;
    const rawRow = (i: number) => {
      counts.oddRows += 1;
      return batch.rawRow(i);
    };
    yield { ...batch, rawRow };
  }
}

/** The staged rows with texts in place of codes, and whether two of them agree in all dimensions. */
async function stagedRows(staging: Staging, dataset: DatasetName) {
  const columns = ['_source', '_row', '_column', '_metric'];
  const keys = datasetOf(dataset).dimensions.map(stagingColumn);
  const isCode = [...columns, ...keys].map((column) => column.endsWith('_code'));
  const read = await staging.connection.runAndReadAll(
    `SELECT ${[...columns, ...keys, ...metricNames(dataset)].join(', ')}
     FROM ${stagingTable(dataset)} ORDER BY _source, _row, _column`,
  );
  const rows = read.getRowsJS();
  const names = rows.map((row) => row.slice(columns.length, columns.length + keys.length).join());
  const spelled = rows.map((row) =>
    row.map((cell, i) => (isCode[i] === true && cell !== null ? staging.text(cell) : cell)),
  );
  return { spelled, isRepeated: new Set(names).size < names.length };
}

/** Calls `act` with a temporary folder, and removes the folder afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'plain-rows-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Stages a table in all three ways, and expects equal results. Returns the result by column, with the checksum and with
 * whether SQL staged the rows. Equal rows give equal files, so `make test` writes files in only a few tests.
 */
export async function everyWay(
  open: (folder: string) => Promise<() => Promise<RawFile>>,
  dataset: DatasetName,
  isWritten = isDeep,
  options: GivenOptions = {},
) {
  return await inFolder(async (folder) => {
    const read = { open: await open(folder), dataset, folder, isWritten, options };
    const slow = await outcomeOf(read, 'rows');
    const byColumn = await outcomeOf(read, 'columns');
    const bySql = await outcomeOf(read, 'sql');
    const { rows, problems, facts, sha256 } = slow;
    expect(byColumn).toMatchObject({ rows, problems, facts });
    expect(bySql).toMatchObject({ rows, problems, facts, sha256 });
    return { ...byColumn, rows, bySql: bySql.bySql, sha256 };
  });
}

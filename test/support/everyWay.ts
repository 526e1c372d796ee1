// Reads a table in each way of staging rows, and expects equal results: the same rows, codes, problems in order, and bytes
// of the snapshot.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import { monthContents } from '../../ingest/commands/publish/monthContents.ts';
import { UnreadableError } from '../../ingest/messages/fault.ts';
import { Problems } from '../../ingest/messages/problems.ts';
import { Intake } from '../../ingest/sources/intake.ts';
import { isColumns, type RawFile, type RawTable } from '../../ingest/sources/readers/raw.ts';
import type { Staging } from '../../ingest/staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../../ingest/staging/database/stagingTables.ts';
import { nothingRead } from '../../ingest/staging/reading.ts';
import { readingOptions } from '../../ingest/staging/readingOptions.ts';
import { readTable } from '../../ingest/staging/readTable.ts';
import { type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { isDeep } from './depth.ts';
import { openStaging } from './staging.ts';
import { writeDataset } from './writeDataset.ts';

interface Outcome {
  /** The staged rows with texts for codes, or the text of the error that kept the file from being read. */
  readonly rows: unknown;
  readonly problems: readonly string[];
  readonly facts: unknown;
  /** The checksum of the Parquet file of the staged rows; null when it was not written. */
  readonly sha256: string | null;
  /** Whether SQL staged the rows after the first one. */
  readonly bySql: boolean;
  /** Rows that were staged one by one although their batch came column by column. */
  readonly oddRows: number;
  readonly columnRows: number;
}

type Way = 'rows' | 'columns' | 'sql';

/** Reads a table into a staging database in one of the ways. */
export async function outcomeOf(
  open: () => Promise<RawFile>,
  dataset: DatasetName,
  way: Way,
  folder: string,
  isWrittenToo: boolean,
): Promise<Outcome> {
  const keys = datasetOf(dataset).dimensions.map(stagingColumn);
  const isCode = ['', '', '', '', ...keys].map((column) => column.endsWith('_code'));
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  const staging = await openStaging();
  const problems = new Problems();
  const reading = nothingRead();
  let [oddRows, columnRows, bySql] = [0, 0, false];
  let sha256: string | null = null;
  const counted = (table: RawTable): RawTable => ({
    ...table,
    ...(table.batches && {
      async *batches(wanted: Parameters<NonNullable<RawTable['batches']>>[0]) {
        for await (const batch of table.batches?.(wanted) ?? []) {
          if (!isColumns(batch)) yield batch;
          else {
            columnRows += batch.count;
            const { rawRow } = batch;
            yield {
              ...batch,
              rawRow: (i: number) => {
                oddRows += 1;
                return rawRow(i);
              },
            };
          }
        }
      },
    }),
  });
  try {
    const to = {
      staging,
      problems,
      reading,
      intake: new Intake(workDir),
      options: readingOptions({}),
      known: null,
    };
    let rows: unknown;
    let file: RawFile | undefined;
    try {
      file = await open();
      const [table] = file.tables;
      if (table === undefined) throw new Error('no table');
      const { batches, sql, ...rowByRow } = table;
      const tables = {
        rows: rowByRow,
        columns: counted({ ...rowByRow, ...(batches && { batches }) }),
        sql: { ...rowByRow, ...(batches && { batches }), ...(sql && { sql }) },
      };
      const { addSelected } = staging;
      staging.addSelected = async <Result>(...args: Parameters<typeof addSelected<Result>>) => {
        const accepted = await addSelected.apply<Staging, typeof args, Promise<Result | null>>(staging, args);
        bySql = accepted !== null;
        return accepted;
      };
      const at = { file: file.name, sheet: null, format: file.format, columns: new Map() };
      await readTable({ table: tables[way], dataset, at }, to);
      await staging.finish();
      const read = await staging.connection.runAndReadAll(
        `SELECT _source, _row, _column, _metric, ${[...keys, ...metricNames(dataset)].join(', ')}
         FROM ${stagingTable(dataset)} ORDER BY _source, _row, _column`,
      );
      const staged = read.getRowsJS();
      const spelled = staged.map((row) =>
        row.map((cell, i) => (isCode[i] === true && cell !== null ? staging.text(cell) : cell)),
      );
      const texts = Array.from({ length: staging.textCount }, (_, code) => staging.text(code));
      rows = [spelled, problems.count('error') === 0 ? texts : []];
      const places = new Set(staged.map((row) => row.slice(4, 4 + keys.length).join()));
      const isWritten = isWrittenToo && way !== 'columns' && places.size === staged.length;
      if (isWritten && problems.count('error', 'unreadable') === 0) {
        const { [dataset]: content } = monthContents(reading, staging, { carry: [] });
        ({ sha256 } = await writeDataset(staging.connection, dataset, content, workDir));
      }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      rows = String(error);
    } finally {
      await file?.close();
    }
    return {
      rows,
      problems: problems
        .list()
        .map(({ severity, place, message, kind }) => `${severity} ${place}: ${message} (${kind})`),
      facts: [reading.tables, [...reading.facts], reading.recorded],
      oddRows,
      columnRows,
      sha256,
      bySql,
    };
  } finally {
    staging.close();
  }
}

export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'plain-rows-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads in every way, expects equal results, and returns those of the fast ways. Equal rows give equal files, so `make test`
 * writes the files of a few tests only.
 */
export async function everyWay(
  open: (folder: string) => Promise<() => Promise<RawFile>>,
  dataset: DatasetName,
  isWritten = isDeep,
) {
  return await inFolder(async (folder) => {
    const file = await open(folder);
    const slow = await outcomeOf(file, dataset, 'rows', folder, isWritten);
    const byColumn = await outcomeOf(file, dataset, 'columns', folder, isWritten);
    const bySql = await outcomeOf(file, dataset, 'sql', folder, isWritten);
    const { rows, problems, facts, sha256 } = slow;
    expect(byColumn).toMatchObject({ rows, problems, facts });
    expect(bySql).toMatchObject({ rows, problems, facts, sha256 });
    return { ...byColumn, rows, bySql: bySql.bySql, sha256 };
  });
}

// Samples the staged rows of each file and sheet, for questions about tables after the staging database is closed.

import { addTo } from '../../../src/basics/maps.ts';
import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { chunksOfWhole, numbersOf } from '../../../src/duckdb.ts';
import type { Reading } from '../reading.ts';
import type { Staging } from './staging.ts';
import { stagingColumn, stagingTable } from './stagingTables.ts';

/** About how many rows of a large table are sampled. More rows say little more about it. */
export const MOST_SAMPLED_ROWS = 2_000;

/** A file or sheet, and its number of facts. */
export interface SampledTable {
  readonly file: string;
  readonly sheet: string | null;
  readonly facts: number;
  /** The number of rows of the table in the sample. */
  readonly sampledRows: number;
}

/** A row of the sample. */
export interface SampledRow {
  /** Index into `tables`. */
  readonly table: number;
  /** The index of the metric whose value the row holds; -1 for a row that may hold all metrics. */
  readonly metric: number;
  /** A number for each dimension, in the dataset's order: the year, or the code of the text. */
  readonly dimensions: readonly number[];
}

/** Rows of all tables of a dataset: some rows of each large table, and all rows of the others. */
export interface SampledRows {
  readonly dataset: DatasetName;
  readonly tables: readonly SampledTable[];
  readonly rows: readonly SampledRow[];
}

/** Takes a sample of each table of a dataset; null when its rows come from one table. */
export async function sampleTables(
  dataset: DatasetName,
  staging: Staging,
  reading: Reading,
): Promise<SampledRows | null> {
  const tables = reading.tables.filter((table) => table.dataset === dataset && table.facts > 0);
  if (tables.length < 2) return null;
  const tableOf = new Map<number, number>();
  const steps: string[] = [];
  for (const [source, { file, sheet }] of staging.origins.entries()) {
    const index = tables.findIndex((table) => table.file === file && table.sheet === sheet);
    if (index < 0) continue;
    tableOf.set(source, index);
    const step = Math.ceil((tables[index]?.facts ?? 0) / MOST_SAMPLED_ROWS);
    if (step > 1) steps.push(`WHEN ${source} THEN hash(rowid) % ${step} = 0`);
  }
  const columns = ['_source', '_metric::INTEGER', ...datasetOf(dataset).dimensions.map(stagingColumn)];
  // Rows are chosen by a hash of their number. Taking every third row could take rows of one year only.
  const condition = steps.length === 0 ? '' : ` WHERE CASE _source ${steps.join(' ')} ELSE true END`;
  const select = `SELECT ${columns.join(', ')} FROM ${stagingTable(dataset)}${condition}`;
  const rows: SampledRow[] = [];
  for await (const chunk of chunksOfWhole(staging.connection, select)) {
    const [sources, metrics, ...dimensions] = columns.map((_, i) => numbersOf(chunk, i));
    for (let i = 0; i < chunk.rowCount; i += 1) {
      const table = tableOf.get(sources?.[i] ?? -1);
      if (table === undefined) continue;
      const codes = dimensions.map((column) => column[i] as number);
      rows.push({ table, metric: metrics?.[i] ?? -1, dimensions: codes });
    }
  }
  const sampledRows = new Map<number, number>();
  for (const { table } of rows) addTo(sampledRows, table, 1);
  return {
    dataset,
    tables: tables.map((table, index) => ({ ...table, sampledRows: sampledRows.get(index) ?? 0 })),
    rows,
  };
}

// The rows that staging holds in memory are those of the staging table, or no rows are held.

import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { StagedRows } from '../../../../ingest/checks/stagedRows.ts';
import { MOST_ROWS_IN_MEMORY } from '../../../../ingest/staging/database/rowsInMemory.ts';
import { Staging } from '../../../../ingest/staging/database/staging.ts';
import { stagingColumns, stagingTable } from '../../../../ingest/staging/database/stagingTables.ts';
import { datasetOf, metricNames } from '../../../../src/catalog/datasets.ts';
import { queryRows } from '../../../../src/duckdb.ts';

let staging: Staging;
beforeEach(async () => {
  staging = await Staging.openInMemory(path.join(os.tmpdir(), 'nowhere'));
});
afterEach(() => staging.close());

const { dimensions } = datasetOf('country');

/** Adds rows with the numbers from `from` on. Some have no value of a metric, and every fifth lacks a dimension. */
function add(from: number, count: number): void {
  for (let i = from; i < from + count; i += 1)
    staging.add('country', {
      source: Math.floor(i / 9),
      row: i + 2,
      column: i % 7,
      metric: -1,
      dimensions: dimensions.map((_, d) => (i % 5 === 0 && d === 1 ? -1 : i + d)),
      values: metricNames('country').map((_, m) => (i % (m + 3) < 2 ? null : i / 8 - m)),
    });
}

/** The rows that are held in memory, in the form of rows of the staging table; null when none are held. */
function held(): unknown[][] | null {
  const columns = staging.buffer('country').columnsInMemory;
  if (columns === null) return null;
  const { count, sources, rowNumbers, placeColumns, metrics } = columns;
  const all = [sources, rowNumbers, placeColumns, metrics, ...columns.dimensions, ...columns.values];
  return Array.from({ length: count }, (_, row) =>
    all.map((column) => (Number.isNaN(column[row]) ? null : column[row])),
  );
}

const inTable = () =>
  queryRows(
    staging.connection,
    `SELECT ${stagingColumns('country')
      .map(([name]) => name)
      .join(', ')} FROM ${stagingTable('country')} ORDER BY rowid`,
  );

it.each([0, 1, 2047, 2048, 2049, 9_000])('%i rows are held as they are in the table', async (count) => {
  add(0, count);
  await staging.finish();
  const rows = await inTable();
  expect(rows).toHaveLength(count);
  expect(held()).toEqual(rows);
});

it('as many rows as the memory is meant for are held', async () => {
  add(0, MOST_ROWS_IN_MEMORY);
  await staging.finish();
  expect(held()).toHaveLength(MOST_ROWS_IN_MEMORY);
});

it('no row is held of one row more', async () => {
  add(0, MOST_ROWS_IN_MEMORY + 1);
  await staging.finish();
  expect(held()).toBeNull();
});

it.each<[string, () => Promise<unknown>, number]>([
  [
    'SQL added some',
    () =>
      staging.addSelected(
        'country',
        `SELECT ${stagingColumns('country')
          .map(() => '1')
          .join(', ')}`,
        async (rows) => rows,
      ),
    21,
  ],
  ['some were discarded', async () => staging.discardSince('country', 5), 15],
])('the checks read the table when %s', async (_, change, expected) => {
  add(0, 10);
  await change();
  add(10, 10);
  await staging.finish();
  expect(held()).toBeNull();
  expect((await StagedRows.first(staging, 'country')).count).toBe(expected);
  expect(await inTable()).toHaveLength(expected);
});

it('rows of SQL that were not accepted change nothing', async () => {
  add(0, 10);
  const select = `SELECT ${stagingColumns('country')
    .map(() => '1')
    .join(', ')}`;
  await staging.addSelected('country', select, async () => null);
  await staging.finish();
  expect(held()).toEqual(await inTable());
});

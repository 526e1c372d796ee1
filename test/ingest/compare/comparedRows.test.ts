// The files that comparedRows.ts writes for tests are like published ones, as far as a comparison reads them.

import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DATASET_NAMES, rowOrder } from '../../../src/catalog/datasets.ts';
import { parquetRows } from '../../../src/duckdb.ts';
import { comparedRows } from '../../support/comparedRows.ts';
import { aDataDir, aRow, type DataDir, type Rows, writeRows } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';

let made: DataDir;
beforeAll(async () => {
  made = await aDataDir();
});
afterAll(() => made.remove());

const ROWS: Rows = {
  ggr: ['Malta', 'Åland', '𝔐alta', '￿'].flatMap((country) =>
    [2031, 2024].map((year) => aRow('ggr', { country, year, ggr: year / 3 })),
  ),
  turnover: [],
  country: [aRow('country', { inflation: null }), aRow('country', { year: 1999, gdp_usd: 1e-300 })],
};

it.each(DATASET_NAMES)('rows of %s are those that publishing writes', async (name) => {
  const published = (await writeRows(path.join(made.dataDir, name), ROWS)).datasets[name];
  const rows = ROWS[name] ?? [aRow(name)];
  const compared = await comparedRows(made.dataDir, name, rows);
  for (const property of ['rows', 'years', 'dimensions'] as const)
    expect(compared[property]).toEqual(published[property]);
  const nulls = ({ metrics }: typeof compared) =>
    Object.entries(metrics).map(([metric, one]) => [metric, one.nulls]);
  expect(nulls(compared)).toEqual(nulls(published));
  const rowsIn = async (file: string) => {
    const found = await query(`FROM ${parquetRows(file)}`);
    return [found.columnNames(), found.columnTypes().map(String), found.getRowsJS()];
  };
  expect(await rowsIn(path.join(made.dataDir, compared.file))).toEqual(
    await rowsIn(path.join(made.dataDir, name, published.file)),
  );
  const [first, ...others] = rows;
  if (first === undefined) return;
  const changed = [{ ...first, [rowOrder(name)[0] ?? '']: 'another' }, ...others];
  expect((await comparedRows(made.dataDir, name, changed)).fingerprint).not.toBe(compared.fingerprint);
});

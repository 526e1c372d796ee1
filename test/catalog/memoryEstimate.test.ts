// The estimate of a snapshot's memory counts the columns that opening it makes, and more.

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import { estimateMemoryBytes } from '../../src/catalog/memoryEstimate.ts';
import { readAnyManifest } from '../../src/catalog/readManifest.ts';
import { openIn } from '../support/openSnapshot.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';

const ID = '2026-11.1';

let dataDir: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
});
afterEach(() => remove());

it('counts the columns of all datasets as they are in memory, and what the largest one needs during the load', async () => {
  // More countries than one byte can number.
  const countries = Array.from({ length: 300 }, (_, i) => `Country ${i}`);
  const ggr = countries.map((country) => aRow('ggr', { country }));
  const fx = countries
    .slice(0, 10)
    .flatMap((country) => [2022, 2023].map((year) => aRow('fx', { country, year })));
  await publishRows(dataDir, ID, { ggr, fx });
  const manifest = await readAnyManifest(snapshotDirectory(dataDir, ID));
  const snapshot = await openIn(dataDir, ID);
  const columns = Object.values(snapshot.tables).flatMap(({ dimensions, metrics }) => [
    ...[...dimensions.values()].map(({ codes }) => codes.byteLength),
    ...[...metrics.values()].map(({ byteLength }) => byteLength),
  ]);
  snapshot.close();
  const rows = Object.values(manifest.datasets).map((dataset) => dataset?.rows ?? 0);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const empty = estimateMemoryBytes({ ...manifest, datasets: {} });
  expect(empty).toBeGreaterThan(2 ** 20);
  const needed = estimateMemoryBytes(manifest) - empty - sum(columns);
  // The engine's table takes two bytes a row, and the load of the largest dataset 60.
  expect(needed).toBe(2 * sum(rows) + 60 * Math.max(...rows));
});

import { expect, test } from '@jest/globals';
import type { Snapshot } from '../../../src/catalog/snapshot.ts';
import { aboutLines } from '../../../src/query/export/aboutLines.ts';
import { anOpenSnapshot } from '../../support/openSnapshot.ts';

test.each([
  [['a.csv', 'b.xlsx'], 'a.csv; b.xlsx'],
  [[], 'unknown'],
])('a workbook names the sources %j as %j', async (sources, named) => {
  const { snapshot, close } = await anOpenSnapshot();
  const { datasets } = snapshot.manifest;
  const manifest = { ...snapshot.manifest, datasets: { ...datasets, ggr: { ...datasets.ggr, sources } } };
  const of: Snapshot = Object.create(snapshot, { manifest: { value: manifest } });
  const lines = aboutLines({ dataset: 'ggr', filters: new Map(), period: null }, of, '2026-11-21', 1);
  expect(lines.at(-1)).toEqual(['Sources', named]);
  await close();
});

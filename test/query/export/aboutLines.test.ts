// The lines of a workbook about itself: sums that would be wrong, and texts longer than a cell.

import { expect, test } from '@jest/globals';
import { DATASET_NAMES, datasetOf, type Metric } from '../../../src/catalog/datasets.ts';
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

test('a workbook says which levels do not add up over the years, and which metrics do not add up at all', async () => {
  const { snapshot, close } = await anOpenSnapshot();
  for (const dataset of DATASET_NAMES) {
    const metrics = Object.entries(datasetOf(dataset).metrics);
    const lines = aboutLines({ dataset, filters: new Map(), period: null }, snapshot, '2026-11-21', 1);
    const named = (label: string) => lines.filter(([one]) => one === label).map(([, name]) => name);
    const namesOf = (is: (metric: Metric) => boolean | undefined) =>
      metrics.filter(([, metric]) => is(metric)).map(([name]) => name);
    expect(named('Do not sum over year')).toEqual(namesOf(({ addsUp, isStock }) => addsUp && isStock));
    expect(named('Does not add up')).toEqual(namesOf(({ addsUp }) => !addsUp));
  }
  await close();
});

test('a workbook says that nothing is filtered, and names the dimensions over which its values must not be summed', async () => {
  const { snapshot, close } = await anOpenSnapshot();
  const valuesOf = (dataset: 'ggr' | 'country_reference', label: string) =>
    aboutLines({ dataset, filters: new Map(), period: null }, snapshot, '2026-11-21', 1)
      .filter(([one]) => one === label)
      .map(([, value]) => value);
  expect(valuesOf('ggr', 'Filters')).toEqual(['none']);
  expect(valuesOf('ggr', 'Do not sum over')).toEqual(['state, fx, temporal']);
  expect(valuesOf('country_reference', 'Do not sum over')).toEqual(['nothing to sum']);
  const filters = new Map([['state', ['']]] as const);
  const filtered = aboutLines({ dataset: 'ggr', filters, period: null }, snapshot, '2026-11-21', 1);
  expect(filtered.filter(([label]) => label.startsWith('Filter'))).toEqual([['Filter state', '(empty)']]);
  await close();
});

test('a text that is too long for a cell takes several lines, divided between its values or between characters', async () => {
  const { snapshot, close } = await anOpenSnapshot();
  const values = Array.from({ length: 4000 }, (_, i) => `Country ${i}`);
  // The first cell would end in the middle of the last emoji.
  const product = '🎰'.repeat(16_384) + 'x'.repeat(10_000);
  const filters = new Map([
    ['country', values],
    ['product', [product]],
  ] as const);
  const lines = aboutLines({ dataset: 'ggr', filters, period: null }, snapshot, '2026-11-21', 1);
  const textsOf = (name: string) => lines.filter(([label]) => label === name).map(([, text]) => String(text));
  for (const [, text] of lines) expect(String(text).length).toBeLessThanOrEqual(32_767);
  const countries = textsOf('Filter country');
  expect(countries).toHaveLength(2);
  expect(countries.join('')).toBe(values.join('; '));
  expect(countries[1]).toMatch(/^Country \d+; /);
  const products = textsOf('Filter product');
  expect(products.map((text) => Buffer.from(text).toString())).toEqual(products);
  expect(products.join('')).toBe(product);
  await close();
});

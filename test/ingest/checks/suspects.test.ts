// The cheap queries about large datasets never miss rows that an expensive check reports.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countriesIn } from '../../../ingest/checks/lookupChecks.ts';
import { readRowsInMemory } from '../../../ingest/checks/stagedRows.ts';
import { Suspects, sumsOf } from '../../../ingest/checks/suspects.ts';
import { UsedValues } from '../../../ingest/checks/usedValues.ts';
import { Staging } from '../../../ingest/staging/database/staging.ts';
import { EVERY_METRIC } from '../../../ingest/staging/database/stagingTables.ts';
import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { itInDepth, runs } from '../../support/depth.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'suspects-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The rows in memory: none. */
const NONE = new Map();

/** From this number of rows on, each suspicion is looked for by an SQL statement of its own. */
const MANY = 200_100;

interface Rows {
  /** The SQL expressions for row `i`. */
  readonly product: string;
  readonly category: string;
  readonly ggr: string;
  readonly more?: readonly string[];
}

/**
 * Whether a category, or the values of other dimensions, may be the sum of others, and whether rows may occur twice.
 */
async function suspected({ product, category, ggr, more = [] }: Rows, without = 'category') {
  const staging = await Staging.open(await mkdtemp(path.join(folder, 'work-')));
  try {
    // Every number that the cases use as a code gets a text.
    for (let code = 0; code < 80; code += 1) staging.code(code === 0 ? '' : `text ${code}`);
    const row = (i: string) =>
      `SELECT 0, ${i}, 0, -1, 1000 + ${i} // 60, 1, 2, 0, ${category}, ${product}, 3, 4, 5, 6, ${ggr} FROM (SELECT ${i} AS i)`;
    const rows = `SELECT 0, i, 0, -1, 1000 + i // 60, 1, 2, 0, ${category}, ${product}, 3, 4, 5, 6, ${ggr} FROM range(${MANY}) r(i)`;
    const select = [rows, ...more.map(row)].join(' UNION ALL ');
    await staging.addSelected('ggr', select, async (rows) => rows);
    await staging.finish();
    const checked = { staging, datasets: ['ggr'] as const };
    const used = await UsedValues.of(checked, NONE);
    const suspects = await Suspects.of({
      staging,
      datasetsWithSeveralRows: ['ggr'],
      usedValues: used,
      rowsInMemory: NONE,
    });
    const over = sumsOf('ggr').find((one) => one.without.join(' ') === without);
    if (over === undefined) throw new Error(`ggr has no sums over ${without}`);
    return { sums: suspects.haveSums('ggr', over), duplicates: suspects.haveDuplicates('ggr') };
  } finally {
    staging.close();
  }
}

describe('sums over categories in a large dataset', () => {
  it('are not suspected where each product belongs to one category', async () => {
    const rows = {
      product: '10 + i % 60 // 2',
      category: '1 + (i % 60 // 2) % 3',
      ggr: '(1 + i % 7)::DOUBLE',
    };
    // In each year a product has two rows, of which the second is a duplicate.
    expect(await suspected(rows)).toMatchObject({ duplicates: true });
    expect(await suspected({ ...rows, product: '10 + i % 60', category: '1 + i % 60 % 3' })).toEqual({
      sums: false,
      duplicates: false,
    });
  });

  it('are suspected where three categories of a product add up', async () => {
    const ggr = 'CASE i % 3 WHEN 0 THEN 5 WHEN 1 THEN 7 ELSE 12 END';
    expect(await suspected({ product: '10 + i % 60 // 3', category: '30 + i % 3', ggr })).toEqual({
      sums: true,
      duplicates: false,
    });
  });

  itInDepth('are not suspected where a product has two categories, unless a row is duplicated', async () => {
    const rows = {
      product: '10 + i % 60 // 2 % 30',
      category: '30 + i % 2 + i % 60 // 2 % 2 * 2',
      ggr: '(5 + i % 2 * 5)::DOUBLE',
    };
    expect(await suspected(rows)).toEqual({ sums: false, duplicates: false });
  });

  itInDepth('are suspected where a duplicated row adds up to another', async () => {
    const rows = {
      product: '10 + i % 60 // 2 % 30',
      category: '30 + i % 2 + i % 60 // 2 % 2 * 2',
      ggr: '(5 + i % 2 * 5)::DOUBLE',
    };
    expect(await suspected({ ...rows, more: ['0'] })).toEqual({ sums: true, duplicates: true });
  });
});

describe('sums over products of several categories in a large dataset', () => {
  it('are found by a sample of the groups', async () => {
    // Each year has sixty products. The last one is the total of the others and has a category of its own.
    const rows = { product: '10 + i % 60', category: 'CASE i % 60 WHEN 59 THEN 9 ELSE 1 + i % 3 END' };
    const figures = (total: number) => `CASE i % 60 WHEN 59 THEN ${total} ELSE 2 END`;
    expect(await suspected({ ...rows, ggr: figures(118) }, 'product category')).toMatchObject({ sums: true });
    expect(await suspected({ ...rows, ggr: figures(119) }, 'product category')).toMatchObject({
      sums: false,
    });
  });
});

type StagedRow = Parameters<Staging['add']>[1];

const DATASETS: readonly DatasetName[] = ['ggr', 'country'];

/** The known facts and suspicions about random rows. The rows of both datasets are in memory, or queries read them. */
async function knownOf(rows: readonly StagedRow[], isInMemory: boolean) {
  const staging = await Staging.open(await mkdtemp(path.join(folder, 'work-')));
  try {
    for (let code = 0; code < 4; code += 1) staging.code(code === 0 ? '' : `text ${code}`);
    for (const row of rows) {
      staging.add('ggr', { ...row, values: row.values.slice(0, 1), metric: EVERY_METRIC });
      staging.add('country', { ...row, dimensions: row.dimensions.slice(0, 6) });
    }
    await staging.finish();
    const checked = { staging, datasets: DATASETS };
    const known = isInMemory ? await readRowsInMemory(staging, DATASETS) : NONE;
    const used = await UsedValues.of(checked, known);
    const suspects = await Suspects.of({
      staging,
      datasetsWithSeveralRows: DATASETS,
      usedValues: used,
      rowsInMemory: known,
    });
    const countries = await Promise.all(
      DATASETS.map((dataset) => countriesIn(staging, dataset, known.get(dataset))),
    );
    return DATASETS.map((dataset, i) => ({
      countries: countries[i],
      rows: used.rows(dataset),
      used: datasetOf(dataset).dimensions.map((dimension) => used.in(dataset, dimension)),
      duplicates: suspects.haveDuplicates(dataset),
      sums: sumsOf(dataset).map((over) => suspects.haveSums(dataset, over)),
    }));
  } finally {
    staging.close();
  }
}

interface Drawn {
  readonly source: number;
  readonly metric: number;
  readonly dimensions: number[];
  readonly values: (number | null)[];
}

const aStagedRow: fc.Arbitrary<Drawn> = fc.record({
  source: fc.nat({ max: 2 }),
  metric: fc.constantFrom(EVERY_METRIC, EVERY_METRIC, 0, 1, 2),
  dimensions: fc.tuple(fc.constantFrom(2020, 2021), ...Array.from({ length: 9 }, () => fc.nat({ max: 1 }))),
  values: fc.tuple(
    ...Array.from({ length: 4 }, () => fc.constantFrom(null, 0, 1, 2, 3, 0.1, 0.2, 0.1 + 0.2, -1)),
  ),
});

/** A row of one source with this category and value. */
const staged = (category: number, value: number) => ({
  source: 0,
  metric: EVERY_METRIC,
  dimensions: [2020, 0, 0, 0, category, 0, 0, 0, 0, 0],
  values: [value, value, value, value],
});
const TWICE = [staged(1, 1), staged(1, 1)];
/** Rows of wide form. Each holds one metric. */
const OTHER_METRICS = [0, 1].map((metric) => ({ ...staged(1, 1), metric }));
const A_SUM = [staged(0, 1), staged(1, 2), staged(2, 3)];

it('small datasets in memory show what queries show', async () => {
  const found = { duplicates: 0, sums: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(aStagedRow, { minLength: 2, maxLength: 25 }), async (drawn) => {
      // Every row of a source has another row number, in any order.
      const rows = drawn.map((row, i) => ({ ...row, row: (7 * i) % 31, column: 0 }));
      const known = await knownOf(rows, true);
      expect(known).toEqual(await knownOf(rows, false));
      if (known.some(({ duplicates }) => duplicates)) found.duplicates += 1;
      if (known.some(({ sums }) => sums.includes(true))) found.sums += 1;
    }),
    { numRuns: runs(4), endOnFailure: true, examples: [[TWICE], [A_SUM], [OTHER_METRICS]] },
  );
  expect(found.duplicates).toBeGreaterThan(0);
  expect(found.sums).toBeGreaterThan(0);
});

// Holds the questions asked of large datasets to what a costly check would find.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Suspects, sumsOver } from '../../../ingest/checks/suspects.ts';
import { sumsOf } from '../../../ingest/checks/totals.ts';
import { UsedValues } from '../../../ingest/checks/usedValues.ts';
import { Staging } from '../../../ingest/staging/staging.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'suspects-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As many rows that each question is a statement of its own. */
const MANY = 200_100;

interface Rows {
  /** Of row `i`, in SQL. */
  readonly product: string;
  readonly category: string;
  readonly ggr: string;
  readonly more?: readonly string[];
}

/** Whether a category may be the sum of others, and whether rows stand twice. */
async function suspected({ product, category, ggr, more = [] }: Rows) {
  const staging = await Staging.open(await mkdtemp(path.join(folder, 'work-')));
  try {
    // Codes for every number that the cases use as one.
    for (let code = 0; code < 80; code += 1) staging.code(code === 0 ? '' : `text ${code}`);
    const row = (i: string) =>
      `SELECT 0, ${i}, 0, -1, 1000 + ${i} // 60, 1, 2, 0, ${category}, ${product}, 3, 4, 5, 6, ${ggr} FROM (SELECT ${i} AS i)`;
    const rows = `SELECT 0, i, 0, -1, 1000 + i // 60, 1, 2, 0, ${category}, ${product}, 3, 4, 5, 6, ${ggr} FROM range(${MANY}) r(i)`;
    const select = [rows, ...more.map(row)].join(' UNION ALL ');
    await staging.addSelected('ggr', select, MANY + more.length);
    await staging.finish();
    const checked = { staging, datasets: ['ggr'] as const };
    const used = await UsedValues.of(checked);
    const suspects = await Suspects.of(checked, ['ggr'], used, sumsOf);
    const [over] = sumsOver('ggr', 'category');
    if (over === undefined) throw new Error('ggr has no categories');
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
    // Two rows of a product in each year: the second stands twice.
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

  it('are not suspected where a product has two categories, unless a row stands twice', async () => {
    const rows = {
      product: '10 + i % 60 // 2 % 30',
      category: '30 + i % 2 + i % 60 // 2 % 2 * 2',
      ggr: '(5 + i % 2 * 5)::DOUBLE',
    };
    expect(await suspected(rows)).toEqual({ sums: false, duplicates: false });
  });

  it('are suspected where a row that stands twice adds up to another', async () => {
    const rows = {
      product: '10 + i % 60 // 2 % 30',
      category: '30 + i % 2 + i % 60 // 2 % 2 * 2',
      ggr: '(5 + i % 2 * 5)::DOUBLE',
    };
    expect(await suspected({ ...rows, more: ['0'] })).toEqual({ sums: true, duplicates: true });
  });
});

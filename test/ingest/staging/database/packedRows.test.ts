// Rows that are sorted as packed integers give the same bytes as rows that are sorted by their texts.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rowsToWrite } from '../../../../ingest/commands/publish/rowsToWrite.ts';
import { isSortedFast, PACKED_FROM_ROWS } from '../../../../ingest/staging/database/packedRows.ts';
import { Staging } from '../../../../ingest/staging/database/staging.ts';
import { nothingRead } from '../../../../ingest/staging/reading.ts';
import { datasetOf, dimensionOf } from '../../../../src/catalog/datasets.ts';
import { itInDepth } from '../../../support/depth.ts';
import { writeDataset } from '../../../support/writeDataset.ts';

let folder: string;
let staging: Staging;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'packed-'));
  staging = await Staging.open(folder);
});
afterEach(async () => {
  staging.close();
  await rm(folder, { recursive: true, force: true });
});

const { dimensions } = datasetOf('ggr');

/** Texts whose order by code points differs from that by UTF-16, or that SQL and JSON quote. */
const ODD_TEXTS = ['', 'b', 'B', 'é', "O'Neil", 'a"b', 'a\\b', '\u{1F600}', '\uFFFD', 'Zürich'];

/** Stages rows that all differ: a number steps through all combinations of `texts` and years, and its digits choose one. */
async function stage(rows: number, texts: readonly (readonly string[])[], years: number): Promise<void> {
  let weight = 1n;
  const columns = dimensions.map((dimension, d) => {
    const isText = dimensionOf(dimension).type === 'text';
    const count = isText ? (texts[d]?.length ?? 1) : years;
    const digit = count === 1 ? '0' : `((mix // ${weight}) % ${count})::BIGINT`;
    weight *= BigInt(count);
    if (!isText) return `${1990} + ${digit}`;
    return `list_extract([${(texts[d] ?? []).map((text) => staging.code(text)).join(', ')}], ${digit} + 1)`;
  });
  if (weight < rows) throw new Error(`there are ${weight} mixes for ${rows} rows`);
  const amount = 'CASE WHEN i % 97 = 0 THEN NULL ELSE i / 7 END';
  await staging.addSelected(
    'ggr',
    `SELECT 0, i, 0, -1, ${columns.join(', ')}, ${amount}
     FROM (SELECT i, (i::HUGEINT * 7919 * 104729 * 1000003) % ${weight} AS mix FROM range(${rows}) one(i))`,
    async (added) => added === rows || null,
  );
  await staging.finish();
}

/** For each dimension, the given number of texts. */
const texts = (counts: Partial<Record<string, number>>) =>
  dimensions.map((dimension) =>
    Array.from({ length: counts[dimension] ?? 1 }, (_, i) => ODD_TEXTS[i] ?? `${dimension} ${i}`),
  );

async function written(isPacked: boolean) {
  const { selectSorted, ...content } = rowsToWrite(nothingRead(), staging, { carry: [] }).ggr;
  const given = isPacked && selectSorted !== undefined ? { ...content, selectSorted } : content;
  return await writeDataset(staging.connection, 'ggr', given, folder);
}

const sortedOf = async () =>
  await rowsToWrite(nothingRead(), staging, { carry: [] }).ggr.selectSorted?.(staging.connection);

describe('rows as packed integers', () => {
  it('are written to the same bytes as rows sorted by their texts', async () => {
    await stage(
      PACKED_FROM_ROWS,
      texts({ country: 60, state: 10, category: 3, product: 12, fx: 7, region: 5 }),
      40,
    );
    expect(await sortedOf()).toContain('ORDER BY packed');
    expect(isSortedFast(staging, 'ggr')).toBe(true);
    const byTexts = await written(false);
    expect(byTexts.rows).toBe(PACKED_FROM_ROWS);
    expect(await written(true)).toEqual(byTexts);
  });

  it('are not used for few rows', async () => {
    await stage(1_000, texts({ country: 30 }), 40);
    expect(await sortedOf()).toBeNull();
  });

  it('are not used for more texts than a statement should list', async () => {
    await stage(100_000, texts({ country: 4_100 }), 40);
    expect(await sortedOf()).toBeNull();
    expect(isSortedFast(staging, 'ggr')).toBe(false);
  });

  itInDepth('are not used for values that need more bits than an integer has', async () => {
    // Each of the five columns takes twelve bits, and the years take six.
    await stage(
      100_000,
      texts({ country: 4_000, state: 4_000, product: 4_000, region: 4_000, category: 4_000 }),
      40,
    );
    expect(await sortedOf()).toBeNull();
  });

  itInDepth('are sorted by their texts where they need more bits', async () => {
    await stage(100_000, texts(Object.fromEntries(dimensions.map((dimension) => [dimension, 130]))), 40);
    expect((await written(true)).rows).toBe(100_000);
  });

  itInDepth('hold a dimension with one value in all rows', async () => {
    await stage(100_000, texts({ country: 100_000 / 40 }), 40);
    expect(await written(true)).toEqual(await written(false));
  });
});

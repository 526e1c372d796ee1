// Rows that the manifest does not describe are refused. Many distinct values are read correctly.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { compare, compareIn } from '../../../../ingest/compare/compare.ts';
import { ComparisonEngine } from '../../../../ingest/compare/comparisonEngine.ts';
import { packedWords } from '../../../../ingest/compare/rows/codeSql.ts';
import { Codes } from '../../../../ingest/compare/rows/codes.ts';
import { readRows } from '../../../../ingest/compare/rows/readRows.ts';
import type { Side } from '../../../../ingest/compare/side.ts';
import type { DatasetManifest } from '../../../../src/catalog/manifest.ts';
import { aDataDir, aRow, writeRows } from '../../../support/snapshot.ts';

const rows = ['Bingo', 'Poker', 'Slots'].map((product) => aRow('ggr', { product }));

/** Compares a month with itself and one more row. `edit` changes the later manifest's entry for ggr. */
async function compareWith(edit: (ggr: DatasetManifest) => DatasetManifest) {
  const { dataDir, remove } = await aDataDir();
  const side = async (name: string, more: readonly string[]): Promise<Side> => {
    const directory = path.join(dataDir, name);
    const ggr = [...rows, ...more.map((product) => aRow('ggr', { product, year: 2030 }))];
    const { datasets } = await writeRows(directory, { ggr });
    return { id: null, month: '2026-11', directory, datasets };
  };
  try {
    const before = await side('before', []);
    const after = await side('after', ['Tombola']);
    const datasets = { ...after.datasets, ggr: edit(after.datasets.ggr) };
    return await compare(before, { ...after, datasets }, { spillDir: path.join(dataDir, 'spill'), limit: 9 });
  } finally {
    await remove();
  }
}

/** Compares two months whose lookups have these countries, after the files of both lookups were removed. */
async function compareLookups(...countries: readonly [string, string]) {
  const { dataDir, remove } = await aDataDir();
  const side = async (country: string, name: string): Promise<Side> => {
    const directory = path.join(dataDir, name);
    const { datasets } = await writeRows(directory, {
      country_reference: [aRow('country_reference', { country })],
    });
    await rm(path.join(directory, datasets.country_reference.file));
    return { id: null, month: '2026-11', directory, datasets };
  };
  try {
    const [before, after] = [await side(countries[0], 'before'), await side(countries[1], 'after')];
    return await compare(before, after, { spillDir: path.join(dataDir, 'spill'), limit: 9 });
  } finally {
    await remove();
  }
}

describe('the rows of a lookup', () => {
  it('are not read when both months have the same', async () => {
    const { datasets } = await compareLookups('Malta', 'Malta');
    expect(datasets.country_reference).toMatchObject({ same: true, rows: { before: 1, after: 1 } });
  });

  it('are read when they differ', async () => {
    await expect(compareLookups('Malta', 'Spain')).rejects.toThrow('country_reference.parquet');
  });
});

describe('the rows of a file', () => {
  it('are no longer being read when those of the other snapshot could not be, because the engine is closed then', async () => {
    const { dataDir, remove } = await aDataDir();
    const side = async (product: string): Promise<Side> => {
      const directory = path.join(dataDir, product);
      const { datasets } = await writeRows(directory, { ggr: [aRow('ggr', { product })] });
      return { id: null, month: '2026-11', directory, datasets };
    };
    const [before, after] = [await side('Bingo'), await side('Poker')];
    await rm(path.join(before.directory, 'ggr.parquet'));
    const engine = await ComparisonEngine.open(path.join(dataDir, 'spill'), 1);
    const chunks = engine.chunks.bind(engine);
    let reading = 0;
    engine.chunks = async function* (select, which, rows) {
      reading += 1;
      try {
        // The second read takes longer than the first one, which fails.
        if (which === 1) await sleep(200);
        yield* chunks(select, which, rows);
      } finally {
        reading -= 1;
      }
    };
    try {
      await expect(compareIn(engine, before, after, { limit: 9 })).rejects.toThrow('ggr.parquet');
      expect(reading).toBe(0);
    } finally {
      engine.close();
      await remove();
    }
  });

  it('are refused when the manifest does not list one of their values', async () => {
    const without = (ggr: DatasetManifest) => ({
      ...ggr,
      dimensions: { ...ggr.dimensions, product: ggr.dimensions.product?.slice(0, -1) ?? [] },
    });
    await expect(compareWith(without)).rejects.toThrow(
      'ggr.parquet holds a product that its manifest does not list',
    );
  });

  it('are refused when the manifest does not list one of their years', async () => {
    await expect(compareWith((ggr) => ({ ...ggr, years: ggr.years.slice(0, -1) }))).rejects.toThrow(
      'ggr.parquet holds a year that its manifest does not list',
    );
  });

  it('are read through a type when a dimension has more values than a list finds quickly', async () => {
    const many = (ggr: DatasetManifest) => ({
      ...ggr,
      dimensions: {
        ...ggr.dimensions,
        product: [
          ...(ggr.dimensions.product ?? []),
          ...Array.from({ length: 1200 }, (_, i) => ({ value: `it's ${i}`, rows: 0 })),
        ],
      },
    });
    const { datasets } = await compareWith(many);
    expect(datasets.ggr.rows).toMatchObject({ before: 3, after: 4, added: 1, removed: 0, revised: 0 });
    expect(datasets.ggr.added.map(({ product }) => product)).toEqual(['Tombola']);
  });

  it('have the same codes when many are looked up in the dictionaries of a file, and the same faults', async () => {
    const { dataDir, remove } = await aDataDir();
    const engine = await ComparisonEngine.open(path.join(dataDir, 'spill'), 1);
    try {
      const ggr = [...rows, aRow('ggr', { product: "Bingo's", state: 'Gozo', year: 2019, ggr: null })];
      const { datasets } = await writeRows(dataDir, { ggr });
      const manifest = datasets.ggr;
      const read = async (codes: Codes) => {
        const found = await readRows(engine, codes, { directory: dataDir, datasets }, 0);
        return { codes: codes.dimensions.map((d) => [...found.codes(d)]), values: [...found.values(0)] };
      };
      const [few, many] = [{ ...manifest }, { ...manifest, rows: 200_000 }];
      const looksUp = (codes: Codes) =>
        packedWords(codes).every(({ sql }) => sql.includes('map_extract_value'));
      expect([few, many].map((one) => looksUp(new Codes('ggr', one, manifest)))).toEqual([false, true]);
      expect(await read(new Codes('ggr', many, manifest))).toEqual(
        await read(new Codes('ggr', few, manifest)),
      );
      const products = Array.from({ length: 2 ** 16 + 1 }, (_, i) => ({ value: `P ${i}`, rows: 1 }));
      const most = { ...many, dimensions: { ...many.dimensions, product: products } };
      expect([...new Codes('ggr', most, most).arrayFor('product', 1).fill(2 ** 16)]).toEqual([2 ** 16]);
      const without = { ...many, dimensions: { ...many.dimensions, product: [{ value: 'Slots', rows: 1 }] } };
      await expect(read(new Codes('ggr', without, without))).rejects.toThrow(
        'ggr.parquet holds a product that its manifest does not list',
      );
    } finally {
      engine.close();
      await remove();
    }
  });
});

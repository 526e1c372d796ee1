// Rows of both sides form the same groups, whether their names are few, many or texts.

import { describe, expect, it } from '@jest/globals';
import { Codes } from '../../../ingest/compare/codes.ts';
import { allRows, Groups, NO_GROUP, rowsWhere } from '../../../ingest/compare/groups.ts';
import { Rows } from '../../../ingest/compare/rows.ts';
import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../../src/catalog/manifest.ts';

const DIMENSIONS = datasetOf('ggr').dimensions;

/** A side whose dimensions have so many values each, and rows that are drawn from them. */
function aSide(valuesEach: number, count: number, seed: number): { codes: Codes; rows: Rows } {
  const values = Array.from({ length: valuesEach }, (_, i) => ({
    value: `v${String(i).padStart(7, '0')}`,
    rows: 1,
  }));
  const manifest = {
    rows: count,
    years: [2000, 2000 + Math.min(valuesEach, 100) - 1],
    dimensions: Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, values])),
  } as unknown as DatasetManifest;
  const codes = new Codes('ggr', manifest, manifest);
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const columns = DIMENSIONS.map((dimension) => {
    const column = codes.arrayFor(dimension, count);
    for (let row = 0; row < count; row += 1)
      column[row] = draw(Math.min(codes.size(dimension), 7)) * (row % 2 === 0 ? 1 : draw(2));
    return [dimension, column] as const;
  });
  return { codes, rows: new Rows(count, new Map(columns), [new Float64Array(count)]) };
}

describe('groups of rows', () => {
  it.each([
    ['few names, each with a place', 3, ['country', 'year', 'fx']],
    ['many names, in a hash table', 40, DIMENSIONS.slice(0, 9)],
    ['names beyond what a number holds exactly', 70_000, DIMENSIONS],
  ] as const)('are those that agree in the dimensions: %s', (_, valuesEach, dimensions) => {
    const { codes, rows } = aSide(valuesEach, 20_000, 7);
    const groups = new Groups(codes, dimensions as readonly DimensionName[]);
    const plain = new Map<string, number>();
    const nameOf = (row: number) => dimensions.map((dimension) => rows.code(dimension, row)).join(' ');
    const half = rowsWhere(allRows(rows), (row) => row < rows.count / 2);
    const wanted = Array.from(half, (row) => {
      const name = nameOf(row);
      if (!plain.has(name)) plain.set(name, plain.size);
      return plain.get(name);
    });
    expect([...groups.addRows(rows, half)]).toEqual(wanted);
    expect(groups.count).toBe(plain.size);
    const all = allRows(rows);
    const found = Array.from(all, (row) => plain.get(nameOf(row)) ?? NO_GROUP);
    expect([...groups.ofRows(rows, all)]).toEqual(found);
    expect(Array.from(all, (row) => groups.at(rows, row))).toEqual(found);
    expect(groups.add(rows, 0)).toBe(0);
  });
});

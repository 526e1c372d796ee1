// Rows of both sides form the same groups, whether their keys are few, many or texts.

import { describe, expect, it } from '@jest/globals';
import { type CodeArray, compareRows, Rows } from '../../../../ingest/compare/rows/codedRows.ts';
import { Codes } from '../../../../ingest/compare/rows/codes.ts';
import { GroupNumbers, groupedItems, NO_GROUP } from '../../../../ingest/compare/rows/groupNumbers.ts';
import { partCounts } from '../../../../ingest/compare/rows/partCounts.ts';
import { RowCounts } from '../../../../ingest/compare/rows/rowCounts.ts';
import { allRowsWhere, rowsWhere } from '../../../../ingest/compare/rows/rowLists.ts';
import { NO_ROW, nationRowsOf } from '../../../../ingest/compare/rows/stateRows.ts';
import { type DimensionName, datasetOf } from '../../../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../../../src/catalog/manifest.ts';
import { isDeep } from '../../../support/depth.ts';

const DIMENSIONS = datasetOf('ggr').dimensions;

/** One side of a comparison. Each dimension has `valuesEach` values, and the rows are drawn from these. */
function aSide(valuesEach: number, count: number, seed: number): { codes: Codes; rows: Rows } {
  // The first state is empty, as in the row of a whole country.
  const values = Array.from({ length: valuesEach }, (_, i) => ({
    value: i === 0 ? '' : `v${String(i).padStart(7, '0')}`,
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
    // With 70,000 values, codes have more than 16 bits. `make test` leaves such codes to codeWords.test.ts.
    ['names beyond what a number holds exactly', isDeep ? 70_000 : 300, DIMENSIONS],
  ] as const)('are those that agree in the dimensions: %s', (_, valuesEach, dimensions) => {
    const { codes, rows } = aSide(valuesEach, 8_000, 7);
    const groups = new GroupNumbers(codes, dimensions as readonly DimensionName[]);
    const plain = new Map<string, number>();
    const nameOf = (row: number) => dimensions.map((dimension) => rows.code(dimension, row)).join(' ');
    const half = rowsWhere(
      allRowsWhere(rows, () => true),
      (row) => row < rows.count / 2,
    );
    const wanted = Array.from(half, (row) => {
      const name = nameOf(row);
      if (!plain.has(name)) plain.set(name, plain.size);
      return plain.get(name);
    });
    expect([...groups.addRows(rows, half)]).toEqual(wanted);
    expect(groups.count).toBe(plain.size);
    const all = allRowsWhere(rows, () => true);
    const found = Array.from(all, (row) => plain.get(nameOf(row)) ?? NO_GROUP);
    expect([...groups.ofRows(rows, all)]).toEqual(found);
    expect(Array.from(all, (row) => groups.at(rows, row))).toEqual(found);
    expect(groups.add(rows, 0)).toBe(0);
  });

  it('are found batch by batch as all at once', () => {
    const { codes, rows } = aSide(40, 140_000, 11);
    const groups = new GroupNumbers(codes, ['country', 'product', 'year']);
    const all = allRowsWhere(rows, () => true);
    groups.addRows(rows, all.subarray(0, 50));
    const [batches, found] = [[] as number[], [] as number[]];
    groups.eachBatch(rows, all, (batch, groupOf) => {
      for (const row of batch) batches.push(row);
      for (const group of groupOf) found.push(group);
    });
    expect(Int32Array.from(batches)).toEqual(all);
    expect(Int32Array.from(found)).toEqual(groups.ofRows(rows, all));
    expect(found).toContain(NO_GROUP);
  });

  it('list their items in order', () => {
    const groupOf = Int32Array.from([1, NO_GROUP, 0, 1, 3, 1]);
    const { starts, items } = groupedItems(groupOf, 4);
    const lists = Array.from({ length: 4 }, (_, group) => [
      ...items.subarray(starts[group], starts[group + 1]),
    ]);
    expect(lists).toEqual([[2], [0, 3, 5], [], [4]]);
  });

  it.each([[[]], [['fx']], [['country', 'fx']], [['country', 'product', 'year']]] as const)(
    'by %j are counted as a plain walk counts them',
    (dimensions) => {
      const { codes, rows } = aSide(20, 5000, 3);
      const list = rowsWhere(
        allRowsWhere(rows, () => true),
        (row) => row % 3 === 0,
      );
      const nameOf = (row: number) => dimensions.map((dimension) => rows.code(dimension, row)).join(' ');
      const counted = new RowCounts(codes, rows, list);
      const wanted = [0, 1, 2, 17, 4999].map(
        (row) => list.filter((other) => nameOf(other) === nameOf(row)).length,
      );
      const found = () => [0, 1, 2, 17, 4999].map((row) => counted.by(dimensions)?.(rows, row));
      expect(found()).toEqual(wanted);
      // These calls cache finer groups, from which the groups of fewer dimensions are then added up.
      counted.by(['country', 'fx', 'channel']);
      counted.by(['country', 'product', 'year']);
      expect(found()).toEqual(wanted);
    },
  );

  it('that are parts of countries are counted up to a limit each', () => {
    const { codes, rows: drawn } = aSide(9, 4000, 5);
    const rows = sortedAndDistinct(codes, drawn);
    const passes = (row: number) => row % 2 === 0;
    const nameOf = (row: number) => `${rows.code('country', row)} ${rows.code('year', row)}`;
    const parts = [0, 1, 700, rows.count - 1].flatMap((row) => [
      { row: [rows, row] as const, most: 3 },
      { row: [rows, row] as const, most: rows.count },
    ]);
    const sizeOf = (row: number) =>
      allRowsWhere(rows, (other) => passes(other) && nameOf(other) === nameOf(row)).length;
    const wanted = parts.map(({ row: [, row], most }) => Math.min(sizeOf(row), most + 1));
    expect(partCounts(codes, rows, { dimensions: ['country', 'year'], parts, passes })).toEqual(wanted);
    expect(Math.max(...wanted)).toBeGreaterThan(4);
    expect(wanted).toContain(4);
  });

  it('of more combinations than an array has room for are not counted in one', () => {
    const { codes, rows } = aSide(1001, 10, 3);
    expect(
      new RowCounts(
        codes,
        rows,
        allRowsWhere(rows, () => true),
      ).by(['country', 'product']),
    ).toBeNull();
  });
});

describe('rows of states', () => {
  it.each([
    ['whose names are numbers', 9],
    ['whose names are not exact numbers', 100],
  ] as const)('%s belong to the row of their country that agrees with them', (_, valuesEach) => {
    const { codes, rows: drawn } = aSide(valuesEach, 4000, 11);
    const rows = sortedAndDistinct(codes, drawn);
    const others = DIMENSIONS.filter((dimension) => dimension !== 'state');
    const nameOf = (row: number) => others.map((dimension) => rows.code(dimension, row)).join(' ');
    const wholes = new Map<string, number>();
    for (const row of allRowsWhere(rows, () => true))
      if (rows.code('state', row) === 0) wholes.set(nameOf(row), row);
    const withStates = new Set(
      [...allRowsWhere(rows, () => true)]
        .filter((row) => rows.code('state', row) !== 0)
        .map((row) => rows.code('country', row)),
    );
    const wanted = Array.from(
      allRowsWhere(rows, () => true),
      (row) => (withStates.has(rows.code('country', row)) ? (wholes.get(nameOf(row)) ?? NO_ROW) : NO_ROW),
    );
    expect([...(nationRowsOf(codes, rows) ?? [])]).toEqual(wanted);
    expect(wanted.filter((row, i) => row !== NO_ROW && row !== i).length).toBeGreaterThan(20);
  });
});

it('rows of states belong to their country also when they are calculated in another way', () => {
  const dimensions = datasetOf('country').dimensions;
  const given: Readonly<Record<string, readonly string[]>> = {
    country: ['Canada'],
    state: ['', 'Ontario'],
    calculation: ['Calculated', 'Estimated', 'Reported'],
    temporal: ['Current'],
    region: ['Americas'],
  };
  const manifest = {
    rows: 6,
    years: [2024, 2025],
    dimensions: Object.fromEntries(
      Object.entries(given).map(([name, values]) => [name, values.map((value) => ({ value, rows: 1 }))]),
    ),
  } as unknown as DatasetManifest;
  const codes = new Codes('country', manifest, manifest);
  const [own, ontario] = [0, 1];
  const [calculated, estimated, reported] = [0, 1, 2];
  const rowsAsDrawn = [
    { state: own, calculation: estimated, year: 0 },
    { state: own, calculation: reported, year: 0 },
    { state: ontario, calculation: calculated, year: 0 },
    { state: ontario, calculation: calculated, year: 1 },
    { state: ontario, calculation: reported, year: 0 },
  ];
  const columns = dimensions.map((dimension): [DimensionName, CodeArray] => {
    const column = codes.arrayFor(dimension, rowsAsDrawn.length);
    for (const [i, row] of rowsAsDrawn.entries())
      column[i] = dimension in row ? row[dimension as keyof typeof row] : 0;
    return [dimension, column];
  });
  const rows = new Rows(rowsAsDrawn.length, new Map(columns), [new Float64Array(rowsAsDrawn.length)]);
  expect([...(nationRowsOf(codes, rows) ?? [])]).toEqual([0, 1, 0, NO_ROW, 1]);
});

/** The rows in order. Rows that agree in all dimensions occur once. */
function sortedAndDistinct(codes: Codes, rows: Rows): Rows {
  const compare = compareRows(codes.order, rows, rows);
  const order = [...allRowsWhere(rows, () => true)]
    .sort(compare)
    .filter((row, i, all) => i === 0 || compare(all[i - 1] as number, row) !== 0);
  const columns = DIMENSIONS.map((dimension): [DimensionName, CodeArray] => {
    const column = codes.arrayFor(dimension, order.length);
    for (const [i, row] of order.entries()) column[i] = rows.code(dimension, row);
    return [dimension, column];
  });
  return new Rows(order.length, new Map(columns), [new Float64Array(order.length)]);
}

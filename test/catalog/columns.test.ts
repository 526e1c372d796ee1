// Codes have the narrowest possible type, and a row out of order is detected.

import { describe, expect, it } from '@jest/globals';
import {
  codeType,
  dictionaryOf,
  firstMisplacedRow,
  makeTable,
  type Table,
} from '../../src/catalog/columns.ts';
import { datasetOf } from '../../src/catalog/datasets.ts';

const A_TO_Z = dictionaryOf([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']);

/** A lookup of these countries, regions and types, as letters. */
function lookup(rows: readonly string[]): Table {
  const { dimensions } = datasetOf('country_reference');
  const table = makeTable(
    'country_reference',
    rows.length,
    new Map(dimensions.map((name) => [name, A_TO_Z])),
  );
  const columns = ['country', 'region', 'country_type'] as const;
  columns.forEach((name, i) => {
    const codes = rows.map((row) => A_TO_Z.codeByValue.get(row[i] ?? '') ?? 0);
    table.dimensions.get(name)?.codes.set(codes);
  });
  return table;
}

describe('codeType', () => {
  it.each([
    [0, 'UTINYINT'],
    [256, 'UTINYINT'],
    [257, 'USMALLINT'],
    [65_536, 'USMALLINT'],
    [65_537, 'UINTEGER'],
  ])('holds every code of a dictionary of %i values as %s', (size, type) => {
    expect(codeType(size)).toBe(type);
  });
});

describe('firstMisplacedRow', () => {
  it.each([
    [['AAA', 'ABA', 'BAA'], -1],
    [['AAZ', 'ABA'], -1],
    [['AAA', 'AAA'], 1],
    [['AAA', 'BAA', 'AZA'], 2],
    [['BAA', 'AAA', 'CAA'], 1],
    [[], -1],
  ])('looks for %j and finds the first out of order at %i', (rows, row) => {
    expect(firstMisplacedRow(lookup(rows), 0, rows.length)).toBe(row);
  });

  it('compares the first row of a part with the last of the part before', () => {
    expect(firstMisplacedRow(lookup(['AAA', 'BAA', 'AAB', 'AAC']), 2, 4)).toBe(2);
  });
});

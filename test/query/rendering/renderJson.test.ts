// Pages as JSON have the bytes that `JSON.stringify` would write.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBufferPool } from '../../../src/cache/bufferPool.ts';
import { type Dictionary, dictionaryOf, makeTable, type Table } from '../../../src/catalog/columns.ts';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import { filtersApplied } from '../../../src/query/filtersApplied.ts';
import { draftRows, type RowsPage } from '../../../src/query/rendering/renderJson.ts';
import { codePoint } from '../../support/codePoint.ts';

/** A table whose columns have these values, row by row. Years are numbers. */
function tableOf(dataset: DatasetName, rows: readonly (readonly (string | number | null)[])[]): Table {
  const { dimensions } = datasetOf(dataset);
  const column = (i: number) => rows.map((row) => String(row[i]));
  const dictionaries = new Map<DimensionName, Dictionary>(
    dimensions.map((name, i) => [name, dictionaryOf([...new Set(column(i))])]),
  );
  const table = makeTable(dataset, rows.length, dictionaries);
  for (const [i, name] of dimensions.entries()) {
    const { codes, codeByValue } = table.dimensions.get(name) ?? {};
    codes?.set(column(i).map((value) => codeByValue?.get(value) ?? 0));
  }
  for (const [i, name] of metricNames(dataset).entries()) {
    const values = rows.map((row) => Number(row[dimensions.length + i] ?? Number.NaN));
    table.metrics.get(name)?.set(values);
  }
  return table;
}

/** The rows as plain objects. */
function plainRows(dataset: DatasetName, rows: readonly (readonly (string | number | null)[])[]) {
  const { dimensions } = datasetOf(dataset);
  const metrics = metricNames(dataset);
  return rows.map((row) => {
    const named = Object.fromEntries(dimensions.map((name, i) => [name, row[i]]));
    const values = Object.fromEntries(metrics.map((name, i) => [name, row[dimensions.length + i]]));
    return metrics.length > 0 ? { dimensions: named, values } : named;
  });
}

const text = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('', '"', '\\', '\u2028', '\0', '</script>', '\ud800'),
);
const year = fc.integer({ min: 1000, max: 9999 });
const metric = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, -0, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53),
);

const rowsOf = (dataset: DatasetName) =>
  fc.array(
    fc.tuple(
      ...datasetOf(dataset).dimensions.map((name) => (name === 'year' ? year : text)),
      ...metricNames(dataset).map(() => metric),
    ),
    { maxLength: 20 },
  );

/** Rows of ggr that differ in year, country and value. */
const numbered = (count: number, region: string) =>
  Array.from({ length: count }, (_, i) => [i, region, `${i}`, 's', 'a', 'b', 'c', 'd', 'e', 'f', i]);

/** The bytes of a page as JSON, written in one step. */
const pageOf = (page: RowsPage) => draftRows(page, buffers).finish().bytes;

const buffers = createBufferPool();

describe('a JSON page', () => {
  it.each<DatasetName>(['ggr', 'fx', 'country', 'country_reference'])(
    'writes %s byte for byte as JSON.stringify would',
    (dataset) => {
      const parts = fc.tuple(
        rowsOf(dataset),
        fc.option(fc.string()),
        fc.dictionary(fc.string(), fc.array(fc.string())),
      );
      fc.assert(
        fc.property(parts, ([rows, cursor, applied]) => {
          const plain = {
            meta: {
              dataset,
              ...(dataset !== 'country_reference' && { metric: dataset }),
              filters_applied: applied,
              row_count: rows.length,
            },
            data: plainRows(dataset, rows),
            pagination: { cursor, has_more: cursor !== null },
          };
          const every = Uint32Array.from(rows.keys());
          const body = pageOf({
            table: tableOf(dataset, rows),
            positions: every,
            filtersApplied: applied,
            cursor,
          });
          expect(body.toString()).toBe(JSON.stringify(plain));
        }),
      );
    },
  );

  it.each([1, 49, 50, 51, 100, 101, 999, 1000])('writes a page of %d rows whole, however long', (count) => {
    const rows = numbered(count, '€'.repeat(3000));
    const every = Uint32Array.from(rows.keys());
    const body = pageOf({ table: tableOf('ggr', rows), positions: every, filtersApplied: {}, cursor: null });
    expect(JSON.parse(body.toString()).data).toEqual(plainRows('ggr', rows));
  });

  it.each([0, 1, 199, 200, 201, 999, 1000])('is the same in many steps, of %d rows', (count) => {
    const rows = numbered(count, 'r');
    const positions = Uint32Array.from(rows.keys());
    const page = { table: tableOf('ggr', rows), positions, filtersApplied: {}, cursor: 'on' };
    const whole = pageOf(page).toString();
    const most = Math.max(1, Math.ceil(count / 200));
    for (let steps = 0; steps <= most; steps++) {
      const draft = draftRows(page, buffers);
      // Meanwhile, other pages are written in buffers of their own.
      const done = Array.from({ length: steps }, () => {
        pageOf(page);
        return draft.writeSome();
      });
      expect(done).toEqual(Array.from({ length: steps }, (_, i) => i + 1 >= most));
      expect(draft.finish().bytes.toString()).toBe(whole);
    }
  });

  it('says how much memory it holds as long as it is a draft', () => {
    const rows = numbered(400, '€'.repeat(100));
    const positions = Uint32Array.from(rows.keys());
    const page = { table: tableOf('ggr', rows), positions, filtersApplied: {}, cursor: null };
    const draft = draftRows(page, createBufferPool(5000));
    expect(draft.bufferBytes).toBe(5000);
    draft.writeSome();
    expect(draft.bufferBytes).toBeGreaterThanOrEqual(200 * 300);
  });

  it('leaves earlier pages as they were', () => {
    const pages = ['first', 'another'].map((name) => {
      const rows = [[2020, name, 's', 's', 'a', 'b', 'c', 'd', 'e', 'f', 1]];
      return pageOf({
        table: tableOf('ggr', rows),
        positions: Uint32Array.of(0),
        filtersApplied: {},
        cursor: null,
      });
    });
    expect(pages.map((body) => JSON.parse(body.toString()).data[0].dimensions.region)).toEqual([
      'first',
      'another',
    ]);
  });

  it('writes the rows asked for, in the order asked for', () => {
    const rows = [2001, 2002, 2003].map((y) => [y, 'r', 'c', 's', 'EUR', 't', 'x', 1, 2, null, 4]);
    const body = pageOf({
      table: tableOf('fx', rows),
      positions: Uint32Array.of(2, 0),
      filtersApplied: {},
      cursor: null,
    });
    const { data } = JSON.parse(body.toString());
    expect(data.map((row: { dimensions: { year: number } }) => row.dimensions.year)).toEqual([2003, 2001]);
  });
});

describe('filtersApplied', () => {
  const table = tableOf(
    'ggr',
    [2019, 2020, 2021].map((y) => [y, '', '', '', '', '', '', '', '', '', 1]),
  );
  const query = (filters: [DimensionName, string[]][], period: [number, number] | null) => ({
    dataset: 'ggr' as const,
    filters: new Map(filters),
    period: period && { firstYear: period[0], lastYear: period[1] },
    limitRows: 1,
    cursor: null,
  });

  it('echoes values as given', () => {
    const given = query(
      [
        ['fx', ['USD']],
        ['country', ['B', 'A']],
      ],
      null,
    );
    expect(JSON.stringify(filtersApplied(given, table))).toBe('{"fx":["USD"],"country":["B","A"]}');
  });

  it('echoes a period as the years of the dataset that it touches', () => {
    expect(filtersApplied(query([], [2020, 2030]), table)).toEqual({ year: ['2020', '2021'] });
    expect(filtersApplied(query([], [1990, 1999]), table)).toEqual({ year: [] });
  });

  it('echoes the given years within the period, in the order given', () => {
    const years: [DimensionName, string[]][] = [['year', ['2022', '2019', '2020']]];
    expect(filtersApplied(query(years, [2020, 2030]), table)).toEqual({ year: ['2022', '2020'] });
    expect(filtersApplied(query(years, [1990, 1999]), table)).toEqual({ year: [] });
  });
});

// The changes between two tables are those that a plain search finds.

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Table } from '../../../src/catalog/columns.ts';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { changeAt, findChangedRows, NO_ROW } from '../../../src/query/computations/changedRows.ts';
import { inSlices } from '../../../src/query/slices.ts';
import { runs } from '../../support/depth.ts';
import { aTable, distinctRows, inRowOrder } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

/** The dimensions and the metrics of a row, each as one text. */
const rowOf = (table: Table, position: number) => ({
  key: JSON.stringify([...table.dimensions].map(([, { codes, values }]) => values[codes[position] ?? 0])),
  values: [...table.metrics].map(([, values]) => values[position]),
});

const rowsOf = (table: Table) =>
  new Map(
    Array.from({ length: table.rows }, (_, position) => {
      const { key, values } = rowOf(table, position);
      return [key, values];
    }),
  );

const row = (dataset: DatasetName) =>
  fc
    .record({
      year: fc.constantFrom(999, 2019, 2020),
      country: fc.constantFrom('A', 'B', 'Å', '\uff21', '\u{1f600}'),
      state: fc.constantFrom('', 'X'),
      country_type: fc.constantFrom('Tracked', 'Amalgamated'),
      ggr: fc.constantFrom(null, 0, 1, 2.5),
      inflation: fc.constantFrom(null, 1),
    })
    .map((changes) => {
      const known = Object.keys(aRow(dataset));
      return aRow(
        dataset,
        Object.fromEntries(Object.entries(changes).filter(([name]) => known.includes(name))),
      );
    });

it.each(['ggr', 'country', 'country_reference'] as const)(
  'changes of %s, applied to the older rows, give the newer ones',
  async (dataset) => {
    const rows = fc.array(row(dataset), { maxLength: 40 }).map((some) => distinctRows(dataset, some));
    await fc.assert(
      fc.asyncProperty(rows, rows, async (was, is) => {
        const [older, newer] = [aTable(dataset, was), aTable(dataset, is)];
        const changes = await findChangedRows(older, newer, inSlices(1));
        const applied = rowsOf(older);
        const keys: string[] = [];
        for (const [i, before] of changes.before.entries()) {
          const after = changes.after[i] ?? NO_ROW;
          const key = after === NO_ROW ? rowOf(older, before).key : rowOf(newer, after).key;
          keys.push(key);
          expect(applied.has(key)).toBe(changeAt(changes, i) !== 'added');
          if (after === NO_ROW) applied.delete(key);
          else {
            // A row that stayed the same is not a change.
            expect(applied.get(key)).not.toEqual(rowOf(newer, after).values);
            applied.set(key, rowOf(newer, after).values);
          }
        }
        expect(applied).toEqual(rowsOf(newer));
        const both = distinctRows(dataset, [...was, ...is]);
        const order = [...rowsOf(aTable(dataset, inRowOrder(dataset, both))).keys()];
        expect(keys).toEqual(order.filter((key) => keys.includes(key)));
        const { before } = await findChangedRows(newer, newer, inSlices(1));
        expect(before).toHaveLength(0);
      }),
      { numRuns: runs(10, 30) },
    );
  },
);

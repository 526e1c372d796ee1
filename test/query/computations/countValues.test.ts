// Values are counted as the engine counts them.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../../src/catalog/snapshot.ts';
import { countValues } from '../../../src/query/computations/countValues.ts';
import { type Condition, compile } from '../../../src/query/selection/compile.ts';
import { matchingBlocks, matchingRows } from '../../../src/query/selection/matchingRows.ts';
import { inSlices } from '../../../src/query/slices.ts';
import { runs } from '../../support/depth.ts';
import { aTable } from '../../support/memoryTable.ts';
import { openIn } from '../../support/openSnapshot.ts';
import { aDataDir, aRow, publishSql } from '../../support/snapshot.ts';

/** The rows make several blocks. The first columns are constant in some of the blocks. */
const SELECT = `
  SELECT 2010 + (i % 11)::INTEGER AS year, 'Europe' AS region,
    CASE WHEN i < 12000 THEN 'A' WHEN i < 29000 THEN 'B' ELSE 'C' || i % 3 END AS country,
    CASE WHEN i < 11000 THEN '' ELSE 'X' END AS state, 'Betting' AS category, 'P' || i % 500 AS product,
    CASE WHEN i % 3 = 0 THEN 'Land' ELSE 'Online' END AS channel, 'S' || i // 500 AS sub_channel,
    ['EUR', 'USD', 'GBP', 'SEK', 'SEK'][1 + (i * 7) % 5] AS fx, 'Current' AS temporal, i::DOUBLE AS ggr
  FROM range(32000) AS t(i)`;

let snapshot: Snapshot;
let close: () => Promise<void>;
beforeAll(async () => {
  const { dataDir, remove } = await aDataDir();
  await publishSql(dataDir, '2026-11.1', { ggr: SELECT });
  snapshot = await openIn(dataDir, '2026-11.1');
  close = async () => {
    snapshot.close();
    await remove();
  };
});
afterAll(() => close());

const FILTERED = ['country', 'state', 'channel', 'fx', 'year'] as const;

const filters = fc
  .dictionary(fc.constantFrom(...FILTERED), fc.infiniteStream(fc.nat()), { maxKeys: 3 })
  .map((chosen) => {
    const ggr = tableOf(snapshot, 'ggr');
    return new Map(
      Object.entries(chosen).map(([name, numbers]): [DimensionName, string[]] => {
        const values = ggr.dimensions.get(name as DimensionName)?.values ?? [];
        const [count = 0] = numbers;
        return [
          name as DimensionName,
          Array.from(
            { length: 1 + (count % 3) },
            () => values[(numbers.next().value ?? 0) % values.length] ?? '',
          ),
        ];
      }),
    );
  });

const sqlOf = (conditions: readonly Condition[]) =>
  conditions.map(({ dimension, codes }) => `${dimension} IN (${codes})`).join(' AND ') || 'true';

it('counts of values are those of the engine, whatever is filtered', async () => {
  const table = tableOf(snapshot, 'ggr');
  const [connection] = snapshot.connections;
  const dimensions = [...table.dimensions.keys()];
  await fc.assert(
    fc.asyncProperty(filters, fc.subarray(dimensions, { minLength: 1 }), async (chosen, asked) => {
      const compiled = compile({ filters: chosen, period: null }, table);
      const conditions = typeof compiled === 'string' ? [] : compiled.conditions;
      const counted = await countValues(table, conditions, asked, inSlices(1));
      const rows = await connection?.runAndReadAll(`SELECT count(*) FROM ggr WHERE ${sqlOf(conditions)}`);
      expect(BigInt(counted.rows)).toBe(rows?.getRows()[0]?.[0]);
      for (const name of asked) {
        const others = conditions.filter(({ dimension }) => dimension !== name);
        const reader = await connection?.runAndReadAll(
          `SELECT ${name}, count(*)::INTEGER FROM ggr WHERE ${sqlOf(others)} GROUP BY 1 ORDER BY 1`,
        );
        const found = [...(counted.counts.get(name) ?? [])].flatMap((rows, code) =>
          rows > 0 ? [[code, rows]] : [],
        );
        expect(found).toEqual(reader?.getRows());
      }
    }),
    { numRuns: runs(8, 15) },
  );
});

it('no value is counted where a filter on another dimension excludes every row of a block', async () => {
  const table = tableOf(snapshot, 'ggr');
  const [connection] = snapshot.connections;
  // The first block has only one country and state, so one row decides for all.
  for (const [name, value] of [
    ['country', 'C1'],
    ['state', 'X'],
  ] as const) {
    const compiled = compile({ filters: new Map([[name, [value]]]), period: null }, table);
    const conditions = typeof compiled === 'string' ? [] : compiled.conditions;
    const counted = await countValues(table, conditions, ['fx'], inSlices(1));
    const reader = await connection?.runAndReadAll(
      `SELECT count(*)::INTEGER FROM ggr WHERE ${sqlOf(conditions)} GROUP BY fx ORDER BY fx`,
    );
    expect([...(counted.counts.get('fx') ?? [])]).toEqual(reader?.getRows().flat());
    expect(counted.rows).toBe(reader?.getRows().reduce((sum, [rows]) => sum + Number(rows), 0));
  }
});

it('the values of a filtered dimension are counted also where that filter excludes every row of a block', async () => {
  const table = tableOf(snapshot, 'ggr');
  const [connection] = snapshot.connections;
  const counted = async (filters: Readonly<Record<string, readonly string[]>>) => {
    const query = { filters: new Map(Object.entries(filters) as [DimensionName, string[]][]), period: null };
    const compiled = compile(query, table);
    const conditions = typeof compiled === 'string' ? [] : compiled.conditions;
    return countValues(table, conditions, ['country'], inSlices(1));
  };
  const inEngine = async (condition: string) =>
    (
      await connection?.runAndReadAll(
        `SELECT count(*) FILTER (${condition})::INTEGER FROM ggr GROUP BY country ORDER BY country`,
      )
    )
      ?.getRows()
      .flat();
  // The first block has country A and no state.
  const { counts, rows } = await counted({ country: ['C1'], channel: ['Online'] });
  const online = table.dimensions.get('channel')?.codeByValue.get('Online');
  expect([...(counts.get('country') ?? [])]).toEqual(await inEngine(`channel = ${online}`));
  const one = table.dimensions.get('country')?.codeByValue.get('C1');
  expect([rows]).toEqual((await inEngine(`channel = ${online} AND country = ${one}`))?.filter(Boolean));
  const stateless = await counted({ country: ['C1'], state: ['X'] });
  const x = table.dimensions.get('state')?.codeByValue.get('X');
  expect([...(stateless.counts.get('country') ?? [])]).toEqual(await inEngine(`state = ${x}`));
});

it('a value that only the last row of a block has is counted', async () => {
  // In the order of rows, Z comes last.
  const rows = Array.from({ length: 2 ** 13 }, (_, i) =>
    aRow('ggr', { country: i === 0 ? 'Z' : 'A', product: `P${i}` }),
  );
  const { counts } = await countValues(aTable('ggr', rows), [], ['country'], inSlices(1));
  expect([...(counts.get('country') ?? [])]).toEqual([2 ** 13 - 1, 1]);
});

it('matching rows are those of the engine, in order', async () => {
  const table = tableOf(snapshot, 'ggr');
  const [connection] = snapshot.connections;
  await fc.assert(
    fc.asyncProperty(filters, async (chosen) => {
      const compiled = compile({ filters: chosen, period: null }, table);
      const found: number[] = [];
      for await (const rows of matchingRows(table, compiled, inSlices(1))) {
        expect(rows.length).toBeGreaterThan(0);
        found.push(...rows);
      }
      const conditions = typeof compiled === 'string' ? [] : compiled.conditions;
      const reader = await connection?.runAndReadAll(
        `SELECT position FROM ggr WHERE ${compiled === 'nothing' ? 'false' : sqlOf(conditions)} ORDER BY 1`,
      );
      expect(found).toEqual(reader?.getRows().flat());
    }),
    { numRuns: runs(5, 10) },
  );
});

it.each([
  ['everything of a table without rows', 'everything', () => aTable('ggr', [])],
  ['nothing of a table with rows', 'nothing', () => tableOf(snapshot, 'ggr')],
] as const)('no block of rows matches %s', async (_, selected, table) => {
  const blocks: unknown[] = [];
  for await (const block of matchingBlocks(table(), selected, inSlices(1))) blocks.push(block);
  expect(blocks).toEqual([]);
});

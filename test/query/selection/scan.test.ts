// A scan finds the same page as the engine, or leaves it to the engine.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Table } from '../../../src/catalog/columns.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../../src/catalog/snapshot.ts';
import { compile } from '../../../src/query/selection/compile.ts';
import { type Page, pageOf } from '../../../src/query/selection/cutPage.ts';
import { scan } from '../../../src/query/selection/scan.ts';
import { createSelector } from '../../../src/query/selection/selector.ts';
import { runs } from '../../support/depth.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { anOpenSnapshot } from '../../support/openSnapshot.ts';
import { aRow } from '../../support/snapshot.ts';

const VALUES = {
  country: ['A', 'B', 'C', 'D', 'E'],
  state: ['', 'X', 'Y'],
  category: ['Betting', 'Gaming'],
  product: ['P', 'Q', 'R'],
  fx: ['EUR', 'USD'],
  year: ['2019', '2020', '2021', '2022'],
} as const;
const NAMES = Object.keys(VALUES) as (keyof typeof VALUES)[];

/** The table has three of every four combinations, so that no dimension follows from another. */
const rows = NAMES.reduce<Record<string, string>[]>(
  (some, name) => some.flatMap((row) => VALUES[name].map((value) => ({ ...row, [name]: value }))),
  [{}],
)
  .filter((_, i) => (i * 7) % 4 !== 0)
  .map((row) => aRow('ggr', { ...row, year: Number(row.year) }));

const filters = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.subarray([...VALUES[name]], { minLength: 1 })])),
  { requiredKeys: [] },
);

describe('scan', () => {
  let snapshot: Snapshot;
  let table: Table;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ snapshot, close } = await anOpenSnapshot({ ggr: rows }));
    table = tableOf(snapshot, 'ggr');
  });
  afterAll(() => close());

  const engine = createSelector(LONG_DEADLINE);
  const compiled = (given: Readonly<Record<string, readonly string[] | undefined>>) => {
    const query = { filters: new Map(Object.entries(given) as [DimensionName, string[]][]), period: null };
    return compile(query, table);
  };

  it('finds the page that the engine selects, or says that it looked at too few rows', async () => {
    let found = 0;
    let leftToTheEngine = 0;
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.integer({ min: -1, max: rows.length - 1 }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(0, 1, 10, 100, 1000, Number.POSITIVE_INFINITY),
        // The scan reads rows one by one, searches always, or chooses.
        fc.constantFrom(Number.POSITIVE_INFINITY, 0, 2),
        async (given, after, limitRows, maxRows, minRowsPerSearch) => {
          const statement = compiled(given);
          if (typeof statement === 'string') return;
          const page = scan(table, statement.conditions, { after, limitRows }, { maxRows, minRowsPerSearch });
          expect(page === null && maxRows === Number.POSITIVE_INFINITY).toBe(false);
          if (page === null) {
            leftToTheEngine++;
            return;
          }
          found++;
          const selection = await engine.select(snapshot, table, statement);
          expect(page).toEqual(pageOf(selection, { after, limitRows }));
        },
      ),
      { numRuns: runs(250, 500) },
    );
    expect(found).toBeGreaterThan(50);
    expect(leftToTheEngine).toBeGreaterThan(50);
  });

  it('walks every row once, however few it may look at', () => {
    const statement = compiled({ country: ['B', 'D'], product: ['Q'], year: ['2020', '2022'] });
    if (typeof statement === 'string') throw new Error('the filters leave no choice');
    const walked: number[] = [];
    for (let page: Page | null = null; page === null || page.hasMore; ) {
      const after: number = walked.at(-1) ?? -1;
      page = scan(table, statement.conditions, { after, limitRows: 3 }, { maxRows: 10_000 });
      if (!page) throw new Error('too few rows looked at');
      walked.push(...page.positions);
    }
    const wanted = rows.filter(
      ({ country, product, year }) =>
        (country === 'B' || country === 'D') && product === 'Q' && (year === 2020 || year === 2022),
    );
    expect(walked).toHaveLength(wanted.length);
    expect(new Set(walked).size).toBe(wanted.length);
  });

  it.each([Number.POSITIVE_INFINITY, 64, 0])(
    'looks at no row of another country when a country is given, with %d rows a search',
    (minRowsPerSearch) => {
      const statement = compiled({ country: ['E'] });
      if (typeof statement === 'string') throw new Error('the filter leaves no choice');
      const ofCountry = rows.filter(({ country }) => country === 'E').length;
      const maxRows = minRowsPerSearch === Number.POSITIVE_INFINITY ? rows.length + 1 : ofCountry + 100;
      const asked = { after: -1, limitRows: 1000 };
      const page = scan(table, statement.conditions, asked, { maxRows, minRowsPerSearch });
      expect(page?.positions.length).toBe(ofCountry);
    },
  );

  it.each([
    ['takes all rows of a country', { country: ['E'] }, -1, 32 + 108 + 1],
    ['searches where no row is left', { country: ['A', 'C'] }, rows.length - 1, 2 * 32 + 1],
    ['goes through the values of the columns before', { state: ['X'] }, -1, 5 * 32 + 5 * 32 + 180 + 1],
  ])('leaves it to the engine when it %s, and that takes too long', (_, given, after, maxRows) => {
    const statement = compiled(given);
    if (typeof statement === 'string') throw new Error('the filter leaves no choice');
    const asked = { after, limitRows: 1000 };
    // A search costs as much as 32 rows.
    const scanned = (limit: number) =>
      scan(table, statement.conditions, asked, { maxRows: limit, minRowsPerSearch: 0 });
    expect(scanned(maxRows)).toMatchObject({ hasMore: false });
    expect(scanned(maxRows - 32)).toBeNull();
  });

  it('looks once at each row behind the page before', () => {
    const statement = compiled({ product: ['Q'] });
    if (typeof statement === 'string') throw new Error('the filter leaves no choice');
    const asked = { after: 99, limitRows: 1000 };
    const scanned = (maxRows: number) =>
      scan(table, statement.conditions, asked, { maxRows, minRowsPerSearch: Number.POSITIVE_INFINITY });
    expect(scanned(rows.length - 100 + 1)?.hasMore).toBe(false);
    expect(scanned(rows.length - 100)).toBeNull();
  });
});

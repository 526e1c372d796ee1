// A walk gives every row once, even while snapshots change.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { datasetOf, metricNames, rowOrder } from '../../../src/catalog/datasets.ts';
import { createSelector, SELECTOR_DEFAULTS } from '../../../src/query/selection/selector.ts';
import { isDeep, runs } from '../../support/depth.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { byCodePoints } from '../../support/memoryTable.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aRow, countryReference, publishRows, type Row } from '../../support/snapshot.ts';

/** All rows of a walk, page by page, and the snapshots that answered. The limits are used in turn. */
async function walk(server: TestServer, query: string, limits: readonly number[]) {
  const rows: unknown[] = [];
  const snapshots = new Set<string | null>();
  for (let turn = 0, cursor = ''; ; turn++) {
    const limit = limits[turn % limits.length] ?? 1;
    const { status, headers, json } = await server.get(`/v1/${query}&limit=${limit}${cursor}`);
    expect(status).toBe(200);
    expect(json.meta.row_count).toBe(json.data.length);
    rows.push(...json.data);
    snapshots.add(headers.get('x-snapshot'));
    if (!json.pagination.has_more) {
      expect(json.pagination.cursor).toBeNull();
      return { rows, snapshots: [...snapshots] };
    }
    expect(json.data).toHaveLength(limit);
    cursor = `&cursor=${json.pagination.cursor}`;
  }
}

const VALUES = {
  country: ['A', 'B', 'Å', 'Ａ', '\u{1f600}', '"', 'a,b', 'Z'],
  state: ['', 'X', 'Y'],
  fx: ['EUR', 'USD'],
  channel: ['Land', 'Online'],
  temporal: ['Current', 'Forecast'],
  year: [999, 2019, 2020, 2021],
} as const;
type Varied = keyof typeof VALUES;
const VARIED = Object.keys(VALUES) as Varied[];

/** Rows in the order of ruling 13. Their keys must differ. */
function sorted(dataset: DatasetName, rows: readonly Row[]): Row[] {
  const order = rowOrder(dataset);
  const key = (row: Row) => JSON.stringify(order.map((name) => row[name]));
  const unique = [...new Map(rows.map((row) => [key(row), row])).values()];
  return unique.sort((a, b) => {
    for (const name of order) {
      const [one, other] = [a[name] ?? '', b[name] ?? ''];
      const step = name === 'year' ? Number(one) - Number(other) : byCodePoints(String(one), String(other));
      if (step !== 0) return step;
    }
    return 0;
  });
}

const asAnswered = (dataset: DatasetName) => (row: Row) => ({
  dimensions: Object.fromEntries(datasetOf(dataset).dimensions.map((name) => [name, row[name]])),
  values: Object.fromEntries(metricNames(dataset).map((name) => [name, row[name]])),
});

describe('a walk', () => {
  it('gives the rows that a plain filter gives, in order, whatever is filtered and however it is paged', async () => {
    const row = fc
      .record(
        Object.fromEntries(VARIED.map((name) => [name, fc.constantFrom<string | number>(...VALUES[name])])),
      )
      .chain((dimensions) =>
        fc
          .option(fc.double({ noNaN: true, noDefaultInfinity: true }))
          .map((ggr) => aRow('ggr', { ...dimensions, ggr: Object.is(ggr, -0) ? 0 : ggr })),
      );
    const filter = fc.record(
      Object.fromEntries(
        VARIED.map((name) => [
          name,
          fc.array(
            fc.oneof(
              fc.constantFrom<string | number>(...VALUES[name]),
              fc.constant(name === 'year' ? 1234 : 'no'),
            ),
            { minLength: 1, maxLength: 4 },
          ),
        ]),
      ) as Record<Varied, fc.Arbitrary<(string | number)[]>>,
      { requiredKeys: [] },
    );
    const questions = fc.array(
      fc.tuple(filter, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 })),
      { minLength: 8, maxLength: 8 },
    );
    const tables = fc.array(row, { minLength: 1, maxLength: 120 });
    // The most rows that a scan reads before the engine takes over: none, few, or the default.
    const looking = fc.constantFrom(0, 20, SELECTOR_DEFAULTS.scannedRows);
    await fc.assert(
      fc.asyncProperty(tables, questions, looking, async (made, asked, scannedRows) => {
        const rows = sorted('ggr', made);
        const selector = createSelector({ ...LONG_DEADLINE, scannedRows });
        const server = await startServer({ selector, rows: { ggr: rows } });
        try {
          for (const [filters, limits] of asked) {
            const given = Object.entries(filters) as [Varied, (string | number)[]][];
            const parameters = given.flatMap(([name, values]) =>
              values.map((value) => [name, String(value)]),
            );
            const query = new URLSearchParams([['metric', 'ggr'], ...parameters] as [string, string][]);
            const walked = await walk(server, `financials?${query}`, limits);
            const kept = rows.filter((one) =>
              given.every(([name, values]) => values.includes(one[name] ?? '')),
            );
            expect(walked.rows).toEqual(kept.map(asAnswered('ggr')));
          }
        } finally {
          await server.close();
        }
      }),
      { numRuns: runs(4) },
    );
  });

  it('gives every country of the lookup once, by country and region', async () => {
    const rows = countryReference(['Å', 'B', 'A', 'a']);
    const server = await startServer({ rows: { country_reference: rows } });
    const walked = await walk(server, 'reference?dataset=country_reference', [1, 2]);
    expect(walked.rows.map((row) => (row as Row).country)).toEqual(['A', 'B', 'a', 'Å']);
    await server.close();
  });
});

describe('while snapshots change', () => {
  const many = (mark: string) =>
    ['A', 'B', 'C', 'D'].flatMap((country) =>
      Array.from({ length: 50 }, (_, i) => aRow('ggr', { country, year: 1900 + i, product: mark })),
    );
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ rows: { ggr: many('first') } });
  });
  afterEach(() => server.close());

  const products = (rows: readonly unknown[]) =>
    new Set(rows.map((row) => (row as { dimensions: Row }).dimensions.product));

  /** The pause of each client after a page, in which a slow machine can switch to the next snapshot. */
  const REST_MS = isDeep ? 100 : 200;
  const CLIENTS = isDeep ? 32 : 6;
  it(`answers ${CLIENTS} clients at once, each page from one snapshot whole, through every switch`, async () => {
    let running = true;
    const seen = new Set<string>();
    const client = async (n: number) => {
      for (let turn = 0; running; turn++) {
        const filters = ['', '&country=A', '&country=B&country=C', `&year=${1900 + ((n + turn) % 50)}`];
        const path = `/v1/financials?metric=ggr&limit=1000${filters[turn % filters.length]}`;
        const { status, headers, json } = await server.get(path);
        const marks = [...products(json.data)];
        if (status !== 200 || marks.length !== 1) throw new Error(`${status} ${marks}`);
        seen.add(`${headers.get('x-snapshot')} ${marks[0]}`);
        await sleep(REST_MS);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    for (const [id, mark] of [
      ['2026-11.2', 'second'],
      ['2026-11.3', 'third'],
    ] as const) {
      await publishRows(server.dataDir, id, { ggr: many(mark) });
      while (![...seen].some((one) => one.startsWith(id))) await sleep(20);
    }
    running = false;
    await clients;
    expect([...seen].sort()).toEqual(['2026-11.1 first', '2026-11.2 second', '2026-11.3 third']);
  });

  it('keeps paging on the snapshot it began with, as long as that one is retained', async () => {
    const first = await server.get('/v1/financials?metric=ggr&country=A&country=B&limit=30');
    expect(first.headers.get('x-snapshot')).toBe('2026-11.1');
    await publishRows(server.dataDir, '2026-12.1', { ggr: many('second') });
    while ((await server.get('/v1/catalog')).headers.get('x-snapshot') !== '2026-12.1') {
      await sleep(20);
    }
    const next = `financials?metric=ggr&country=B&country=A&cursor=${first.json.pagination.cursor}`;
    const page = await server.get(`/v1/${next}&limit=1000`);
    expect(page.headers.get('x-snapshot')).toBe('2026-11.1');
    expect(page.json.data).toHaveLength(70);
    expect(products([...first.json.data, ...page.json.data])).toEqual(new Set(['first']));
    await rm(path.join(server.dataDir, 'snapshots', '2026-11.1'), { recursive: true });
    const pruned = await server.get(`/v1/${next}&limit=1000`);
    expect([pruned.status, pruned.json]).toEqual([400, { error: 'Invalid pagination cursor' }]);
  });
});

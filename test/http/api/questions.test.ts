// Values, totals and changes over HTTP, compared with plain SQL.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { randomOf } from '../../../bench/seededRandom.ts';
import { DATASET_NAMES, datasetOf } from '../../../src/catalog/datasets.ts';
import { query, walk } from '../../contract/world.ts';
import { runs } from '../../support/depth.ts';
import { distinctRows } from '../../support/memoryTable.ts';
import { nearestSum } from '../../support/nearestSum.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aDataDir, aRow, countryReference, publishRows, type Row } from '../../support/snapshot.ts';

const VALUES = {
  year: [2019, 2020, 2021, 2024],
  region: ['Europe', 'Asia'],
  country: ['A', 'B', 'Å', '\uff21', '\u{1f600}', "c'd", 'a,"b'],
  state: ['', 'X', 'Y'],
  product: ['P', 'Q'],
  channel: ['Land', 'Online'],
  fx: ['EUR', 'USD'],
  temporal: ['Current', 'Forecast'],
} as const;
type Varied = keyof typeof VALUES;
const VARIED = Object.keys(VALUES) as Varied[];

function someRows(seed: number, count: number): Row[] {
  const draw = randomOf(seed);
  const random = (below: number) => Math.floor(draw() * below);
  return Array.from({ length: count }, () => {
    const chosen = VARIED.map((name) => [name, VALUES[name][random(VALUES[name].length)] ?? '']);
    const ggr = [null, 0.1, 1e15, -1e15, random(1e9) / 100][random(5)] ?? null;
    return aRow('ggr', { ...Object.fromEntries(chosen), ggr });
  });
}

const someRowsOnce = (seed: number, count: number) => distinctRows('ggr', someRows(seed, count));

const COUNTRY = [
  aRow('country', { year: 2023, inflation: 3 }),
  aRow('country', { year: 2024, inflation: null, adult_population: null }),
  aRow('country', { year: 2024, country: 'Spain', gdp_usd: null }),
];

const OLDER = distinctRows('ggr', someRows(1, 300));
// Most rows stay. Some are removed, some added, some revised.
const NEWER = distinctRows('ggr', [
  ...OLDER.slice(30).map((row, i) => (i % 7 === 0 ? { ...row, ggr: i % 14 === 0 ? null : i } : row)),
  ...someRows(2, 60),
]);

/** Three earlier months, so that changes over several months can be requested. */
const MONTHS: Readonly<Record<string, readonly Row[]>> = {
  '2026-08.1': someRowsOnce(3, 200),
  '2026-09.1': distinctRows('ggr', [...someRowsOnce(3, 200).slice(50), ...someRows(4, 150)]),
  '2026-10.1': OLDER,
  '2026-11.1': NEWER,
};
const IDS = Object.keys(MONTHS);

let server: TestServer;
let sql: (statement: string) => Promise<Record<string, unknown>[]>;
let close: () => Promise<void>;
beforeAll(async () => {
  const { dataDir, remove } = await aDataDir();
  const reference = countryReference(['Malta', 'Spain']);
  for (const id of IDS.slice(0, 2)) await publishRows(dataDir, id, { ggr: MONTHS[id] ?? [] });
  await publishRows(dataDir, '2026-10.1', { ggr: OLDER, country: COUNTRY, country_reference: reference });
  const moved = [reference[0] ?? {}, { ...reference[1], country_type: 'Amalgamated' }];
  await publishRows(dataDir, '2026-11.1', {
    ggr: NEWER,
    country: COUNTRY.slice(1),
    country_reference: moved,
  });
  server = await startServer({ dataDir });
  // The exports are written to the same file in turn, so the engine must not cache it.
  const instance = await DuckDBInstance.create(':memory:', { enable_external_file_cache: 'false' });
  const connection: DuckDBConnection = await instance.connect();
  for (const id of IDS) {
    const file = path.join(dataDir, 'snapshots', id, 'ggr.parquet');
    await connection.run(`CREATE VIEW "${id}" AS FROM read_parquet('${file}')`);
  }
  sql = async (statement) => (await connection.runAndReadAll(statement)).getRowObjectsJS();
  close = async () => {
    connection.closeSync();
    instance.closeSync();
    await server.close();
    await remove();
  };
});
afterAll(() => close());

type Filters = Readonly<Partial<Record<Varied, readonly (string | number)[]>>>;

const filters: fc.Arbitrary<Filters> = fc
  .array(
    fc.constantFrom(...VARIED).chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.subarray<string | number>([...VALUES[name], name === 'year' ? 1999 : 'nowhere'], {
          minLength: 1,
        }),
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs));

const literal = (value: string | number) => `'${String(value).replaceAll("'", "''")}'`;
const where = (chosen: Filters, without?: string) =>
  Object.entries(chosen)
    .filter(([name]) => name !== without)
    .map(([name, values]) => `${name}::VARCHAR IN (${values.map(literal)})`)
    .join(' AND ') || 'true';
const asQuery = (chosen: Filters) =>
  query(Object.fromEntries(Object.entries(chosen).map(([name, values]) => [name, values.map(String)])));

describe('GET /v1/values', () => {
  it('counts what plain SQL counts, whatever is filtered', async () => {
    const dimensions = fc.subarray([...datasetOf('ggr').dimensions]);
    await fc.assert(
      fc.asyncProperty(filters, dimensions, async (chosen, asked) => {
        const named = asked.map((name) => `&dimension=${name}`).join('');
        const { status, json } = await server.get(`/v1/values?dataset=ggr&${asQuery(chosen)}${named}`);
        expect(status).toBe(200);
        const [all] = await sql(`SELECT count(*)::INTEGER AS rows FROM "2026-11.1" WHERE ${where(chosen)}`);
        const applied = Object.entries(chosen).map(([name, values]) => [name, values.map(String)]);
        expect(json.meta).toEqual({
          dataset: 'ggr',
          filters_applied: Object.fromEntries(applied),
          row_count: all?.rows,
        });
        const wanted: Record<string, unknown> = {};
        for (const name of asked.length > 0 ? asked : datasetOf('ggr').dimensions)
          wanted[name] = await sql(
            `SELECT ${name} AS value, count(*)::INTEGER AS row_count FROM "2026-11.1"
             WHERE ${where(chosen, name)} GROUP BY 1 ORDER BY 1`,
          );
        expect(json.values).toEqual(wanted);
      }),
      { numRuns: runs(3, 5) },
    );
  });

  it.each([
    [
      'dataset=ggr&dimension=planet',
      'Invalid filter dimension "planet" for dataset "ggr". Valid dimensions: year, region',
    ],
    ['dataset=ggr&limit=3', 'Invalid filter dimension "limit" for dataset "ggr"'],
    ['dataset=ggr&year=x', 'Invalid query parameters'],
  ])('refuses ?%s', async (text, error) => {
    const { status, json } = await server.get(`/v1/values?${text}`);
    expect({ status, error: json.error }).toEqual({ status: 400, error: expect.stringContaining(error) });
  });

  it('answers for the lookup, for an older snapshot, and with the alias of several dimensions', async () => {
    const reference = await server.get('/v1/values?dataset=country_reference&country=Malta', {
      'X-Snapshot': '2026-10',
    });
    expect(reference.json).toEqual({
      meta: { dataset: 'country_reference', filters_applied: { country: ['Malta'] }, row_count: 1 },
      values: {
        region: [{ value: 'Europe', row_count: 1 }],
        country: [
          { value: 'Malta', row_count: 1 },
          { value: 'Spain', row_count: 1 },
        ],
        country_type: [{ value: 'Tracked', row_count: 1 }],
      },
    });
    const two = await server.get('/v1/values?dataset=ggr&dimension[]=fx&dimension=year&dimension=fx');
    expect(Object.keys(two.json.values)).toEqual(['year', 'fx']);
  });
});

it('values and totals of another value of a filter are computed anew, though those of the first are cached', async () => {
  const rows = [2022, 2023].map((year) => aRow('ggr', { country: 'B', year }));
  const ownServer = await startServer({
    rows: { ggr: [aRow('ggr', { country: 'A', year: 2022 }), ...rows] },
  });
  for (const [country, years] of [
    ['A', 1],
    ['B', 2],
    ['A', 1],
  ] as const) {
    const values = (await ownServer.get(`/v1/values?dataset=ggr&country=${country}&dimension=year`)).json;
    expect([values.meta.row_count, values.values.year.length]).toEqual([years, years]);
    expect((await ownServer.get(`/v1/totals?dataset=ggr&country=${country}&by=year`)).json.data).toHaveLength(
      years,
    );
  }
  await ownServer.close();
});

describe('GET /v1/totals', () => {
  interface Group {
    readonly dimensions: Readonly<Record<string, string | number>>;
    readonly values: { readonly ggr: number | null };
    readonly rows_summed: number;
  }

  it('sums what plain SQL selects, exactly, or refuses what plain SQL finds wrong', async () => {
    const outcomes = { summed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.shuffledSubarray(VARIED),
        fc.integer({ min: 1, max: 20 }),
        async (chosen, by, limit) => {
          const named = by.map((name) => `&by=${name}`).join('');
          const asked = `/v1/totals?dataset=ggr&${asQuery(chosen)}${named}`;
          const { status, json } = await server.get(asked);
          const selected = `(FROM "2026-11.1" WHERE ${where(chosen)})`;
          const wrong: string[] = [];
          for (const name of ['state', 'fx', 'temporal'] as const) {
            const [found] = await sql(`SELECT count(DISTINCT ${name}) > 1 AS several FROM ${selected}`);
            const others = datasetOf('ggr').dimensions.filter((other) => other !== name);
            const [twins] = await sql(
              `SELECT count(*) > 0 AS any FROM (SELECT ${others} FROM ${selected} GROUP BY ALL HAVING count(DISTINCT ${name}) > 1)`,
            );
            if (!by.includes(name) && found?.several && (name !== 'temporal' || twins?.any)) wrong.push(name);
          }
          if (wrong.length > 0) {
            outcomes.refused += 1;
            const fieldErrors = wrong.map((name) => [
              name,
              [`ggr cannot be summed over ${name}: name one value, or add by=${name}`],
            ]);
            expect({ status, json }).toEqual({
              status: 400,
              json: {
                error: 'Invalid query parameters',
                details: { formErrors: [], fieldErrors: Object.fromEntries(fieldErrors) },
              },
            });
            return;
          }
          outcomes.summed += 1;
          expect(status).toBe(200);
          const groups = await sql(
            `SELECT ${[...by, 'list(ggr) AS given', 'count(*)::INTEGER AS rows']} FROM ${selected}
           ${by.length > 0 ? 'GROUP BY ALL ORDER BY ALL' : 'HAVING count(*) > 0'}`,
          );
          const data = await walk<Group>(server.url, `${asked}&limit=${limit}`);
          const wanted = groups.map((group) => {
            const given = (group.given as (number | null)[]).filter((value) => value !== null);
            return {
              dimensions: Object.fromEntries(by.map((name) => [name, group[name]])),
              values: { ggr: given.length > 0 ? nearestSum(given) : null },
              rows_summed: group.rows,
            };
          });
          expect(data).toEqual(wanted);
          const [missing] = await sql(
            `SELECT count(*) FILTER (ggr IS NULL)::INTEGER AS missing FROM ${selected}`,
          );
          expect(json.meta.missing?.ggr ?? 0).toBe(missing?.missing);
          expect(json.meta.by).toEqual(by);
        },
      ),
      {
        numRuns: runs(5, 12),
        // There is at least one example of each outcome, whatever else is drawn.
        examples: [
          [{}, [...VARIED], 7],
          [{}, [], 7],
        ],
      },
    );
    expect(outcomes.summed).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  it('leaves out what does not add up, and says so', async () => {
    const { json } = await server.get('/v1/totals?dataset=country&by=country', { 'X-Snapshot': '2026-10' });
    expect(json).toEqual({
      meta: {
        dataset: 'country',
        by: ['country'],
        filters_applied: {},
        row_count: 2,
        missing: { gdp_usd: 1 },
        not_summed: ['gdp_local_currency', 'adult_population', 'inflation'],
      },
      data: [
        { dimensions: { country: 'Malta' }, values: { gdp_usd: 2 }, rows_summed: 2 },
        { dimensions: { country: 'Spain' }, values: { gdp_usd: null }, rows_summed: 1 },
      ],
      pagination: { cursor: null, has_more: false },
    });
  });

  it.each([
    ['dataset=ggr&metric=ggr', 'Invalid filter dimension "metric" for dataset "ggr"'],
    ['dataset=ggr&by=year&cursor=', 'Invalid pagination cursor'],
  ])('refuses ?%s', async (text, error) => {
    const { status, json } = await server.get(`/v1/totals?${text}`);
    expect({ status, error: json.error }).toEqual({ status: 400, error: expect.stringContaining(error) });
  });

  it('notes that a forecast and reported values were summed, where no year has both', async () => {
    const { json } = await server.get('/v1/totals?dataset=turnover');
    expect(json.meta).toEqual({ dataset: 'turnover', by: [], filters_applied: {}, row_count: 1 });
    expect(json.data).toEqual([{ dimensions: {}, values: { turnover: 1 }, rows_summed: 1 }]);
  });

  it('says of which years the forecasts and reported values of a sum are', async () => {
    const rows = [2019, 2020, 2021, 2023].map((year) => aRow('ggr', { year }));
    const forecasts = [2023, 2026, 2027].map((year) =>
      aRow('ggr', { year, temporal: 'Forecast', country: 'Spain' }),
    );
    const ownServer = await startServer({ rows: { ggr: [...rows, ...forecasts] } });
    const notes = async (text: string) =>
      (await ownServer.get(`/v1/totals?dataset=ggr${text}`)).json.meta.notes;
    const together = (values: string) => [
      `The sum includes several values of temporal: ${values}. No series has two of them for one year`,
    ];
    const all = together('Current of 2019 to 2021, 2023; Forecast of 2023, 2026 to 2027');
    expect(await notes('')).toEqual(all);
    expect(await notes('&by=country&by=year')).toEqual(all);
    expect(await notes('&year=2023')).toEqual(together('Current of 2023; Forecast of 2023'));
    expect(await notes('&period=2020-01-01:2026-12-31')).toEqual(
      together('Current of 2020 to 2021, 2023; Forecast of 2023, 2026'),
    );
    for (const text of ['&by=temporal', '&country=Spain', '&year=2027'])
      expect([text, await notes(text)]).toEqual([text, undefined]);
    await ownServer.close();
  });

  it('notes that the sum of a country is of one state, when nobody chose it', async () => {
    const rows = [
      aRow('ggr', { country: 'A', product: 'P', state: '' }),
      aRow('ggr', { country: 'B', product: 'P', state: 'X' }),
      aRow('ggr', { country: 'B', product: 'Q', state: 'X' }),
    ];
    const ownServer = await startServer({ rows: { ggr: rows } });
    const notes = async (text: string) =>
      (await ownServer.get(`/v1/totals?dataset=ggr&by=country&${text}`)).json.meta.notes;
    expect(await notes('product=Q')).toEqual([
      'Every row summed is of state "X": the selection has none of a whole country',
    ]);
    expect(await notes('country=B')).toHaveLength(1);
    for (const text of ['state=X', 'product=Q&state=X', 'product=Q&by=state', 'country=A', 'country=C'])
      expect([text, await notes(text)]).toEqual([text, undefined]);
    await ownServer.close();
  });

  it('names the countries with rows of states alone, which a sum of whole countries leaves out', async () => {
    const rows = [
      aRow('ggr', { country: 'A', state: '', product: 'P' }),
      aRow('ggr', { country: 'A', state: 'X', product: 'Q' }),
      aRow('ggr', { country: 'B', state: 'X', product: 'P' }),
      aRow('ggr', { country: 'B', state: 'Y', product: 'P' }),
      aRow('ggr', { country: 'C', state: '', product: 'Q', year: 2020 }),
      aRow('ggr', { country: 'C', state: 'Z', product: 'R', year: 2021 }),
    ];
    const ownServer = await startServer({ rows: { ggr: rows } });
    const meta = async (text: string) => (await ownServer.get(`/v1/totals?dataset=ggr&${text}`)).json.meta;
    const alone = async (text: string) => [text, (await meta(text)).states_alone];
    for (const [text, countries] of [
      ['state=', ['B', 'C']],
      ['state=&by=country&limit=1', ['B', 'C']],
      ['state=&country=C&year=2020', undefined],
      ['state=&country=C&by=year', ['C']],
      ['state=&country=B', ['B']],
      ['state=&product=Q', ['A']],
      ['state=&period=2024-01-01:2024-12-31', ['B']],
      ['state=&country=A', undefined],
      ['state=&product=Q&year=2020', undefined],
      ['state=X', undefined],
      ['by=state', undefined],
      ['state=&state=X&by=state', undefined],
    ] as const)
      expect(await alone(text)).toEqual([text, countries]);
    const notes = [
      'state= leaves out the countries in states_alone: in some year they have rows of states alone',
    ];
    expect((await meta('state=')).notes).toEqual(notes);
    // Formats that have no place for `meta` put it into a header.
    for (const Accept of ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream']) {
      const { headers } = await ownServer.get('/v1/totals?dataset=ggr&state=', { Accept });
      expect(JSON.parse(headers.get('x-meta') ?? '')).toEqual({ states_alone: ['B', 'C'], notes });
    }
    await ownServer.close();
  });

  it('notes the countries that a sum in one currency leaves out, because they have rows in others alone', async () => {
    const rows = [
      aRow('ggr', { country: 'A', product: 'P', fx: 'EUR' }),
      aRow('ggr', { country: 'A', product: 'P', fx: 'USD' }),
      aRow('ggr', { country: 'B', product: 'P', fx: 'HRK', year: 2022 }),
      aRow('ggr', { country: 'B', product: 'P', fx: 'EUR', year: 2023 }),
      aRow('ggr', { country: 'B', product: 'Q', fx: 'USD', year: 2023 }),
      ...Array.from({ length: 11 }, (_, i) => aRow('ggr', { country: `N${10 + i}`, fx: 'NOK' })),
    ];
    const ownServer = await startServer({ rows: { ggr: rows } });
    const notes = async (text: string) => [
      text,
      (await ownServer.get(`/v1/totals?dataset=ggr&${text}`)).json.meta.notes,
    ];
    const names = Array.from({ length: 9 }, (_, i) => `N${10 + i}`).join('; ');
    const noteOn = (fx: string, countries: string) => [
      `fx=${fx} leaves out ${countries}: in some year, all their rows are in other currencies`,
    ];
    for (const [text, expected] of [
      ['fx=EUR&product=P&by=year', noteOn('EUR', 'B')],
      ['fx=XXX&fx=EUR&product=P&by=year', noteOn('EUR', 'B')],
      ['fx=EUR&by=country&limit=1', noteOn('EUR', `B; ${names} and 2 more`)],
      // A note names at most ten countries.
      [
        `fx=EUR&by=country&country=B&${names.replaceAll(/(?:; )?(N\d+)/g, '&country=$1').slice(1)}`,
        noteOn('EUR', `B; ${names}`),
      ],
      ['fx=HRK&country=B', noteOn('HRK', 'B')],
      ['fx=HRK&country=B&year=2022', undefined],
      ['fx=EUR&country=B&product=P&year=2023', undefined],
      ['fx=EUR&country=A', undefined],
      ['fx=HRK&country=A', noteOn('HRK', 'A')],
      // The Kelvin sign is a K in NFC, in which filter values are compared.
      ['fx=NO%E2%84%AA&country=A', noteOn('NOK', 'A')],
      ['fx=XXX', undefined],
      ['by=fx&fx=EUR&fx=HRK&country=B', undefined],
      ['by=fx', undefined],
    ] as const)
      expect(await notes(text)).toEqual([text, expected]);
    const { json } = await ownServer.get('/v1/totals?dataset=ggr&fx=EUR&by=country&limit=1');
    expect(json.meta.currencies_alone).toEqual(['B', ...rows.slice(5).map(({ country }) => country)]);
    await ownServer.close();
  });

  it('notes the countries of which one temporal has no rows of a year', async () => {
    const rows = [
      aRow('ggr', { country: 'A', year: 2025, temporal: 'Current' }),
      aRow('ggr', { country: 'B', year: 2025, temporal: 'Forecast' }),
      aRow('ggr', { country: 'A', year: 2026, temporal: 'Forecast' }),
    ];
    const ownServer = await startServer({ rows: { ggr: rows } });
    const meta = async (text: string) => (await ownServer.get(`/v1/totals?dataset=ggr&${text}`)).json.meta;
    expect(await meta('temporal=Current')).toMatchObject({
      temporal_alone: ['B'],
      notes: ['temporal=Current leaves out B: in some year, all their rows have another temporal'],
    });
    expect(await meta('temporal=Forecast&by=year')).toMatchObject({ temporal_alone: ['A'] });
    for (const text of ['temporal=Current&country=A', 'by=temporal', 'temporal=Current&temporal=Forecast'])
      expect(await meta(text)).not.toHaveProperty('temporal_alone');
    await ownServer.close();
  });

  it('comes as CSV too, and a header says what is left out', async () => {
    const { text, headers } = await server.get('/v1/totals?dataset=country&by=year&by=country', {
      Accept: 'text/csv',
    });
    expect(text).toBe(
      'year,country,gdp_usd,adult_population,rows_summed\r\n2024,Malta,1,,1\r\n2024,Spain,,1,1\r\n',
    );
    expect(JSON.parse(headers.get('x-meta') ?? '')).toEqual({
      missing: { gdp_usd: 1, adult_population: 1 },
      not_summed: ['gdp_local_currency', 'inflation'],
    });
  });
});

describe('GET /v1/changes', () => {
  interface ChangedRow {
    readonly change: 'added' | 'removed' | 'revised';
    readonly dimensions: Readonly<Record<string, string | number>>;
    readonly before: Readonly<Record<string, number | null>> | null;
    readonly after: Readonly<Record<string, number | null>> | null;
  }

  it('applied to the older rows gives the newer ones, whatever is filtered', async () => {
    const dimensions = datasetOf('ggr').dimensions;
    const keyOf = (row: Readonly<Record<string, unknown>>) =>
      JSON.stringify(dimensions.map((name) => row[name]));
    /** Names a snapshot by its id or its month. */
    const named = fc.constantFrom(...IDS, ...IDS.map((id) => id.slice(0, 7)));
    const pair = fc.tuple(named, named);
    await fc.assert(
      fc.asyncProperty(
        filters,
        pair,
        fc.integer({ min: 1, max: 100 }),
        async (chosen, [since, until], limit) => {
          const asked = `/v1/changes?dataset=ggr&since=${since}&until=${until}&limit=${limit}&${asQuery(chosen)}`;
          const changes = await walk<ChangedRow>(server.url, asked);
          const rowsOf = async (id: string) =>
            new Map(
              (await sql(`FROM "${id.slice(0, 7)}.1" WHERE ${where(chosen)}`)).map((row) => [
                keyOf(row),
                row.ggr,
              ]),
            );
          const applied = await rowsOf(since);
          for (const { change, dimensions, before, after } of changes) {
            const key = keyOf(dimensions);
            expect(applied.get(key)).toBe(before === null ? undefined : before.ggr);
            expect(change).toBe(before === null ? 'added' : after === null ? 'removed' : 'revised');
            if (after === null) applied.delete(key);
            else applied.set(key, after.ggr);
          }
          expect([...applied].sort()).toEqual([...(await rowsOf(until))].sort());
          const { json } = await server.get(asked);
          const count = (kind: string) => changes.filter(({ change }) => change === kind).length;
          expect(json.meta.counts).toEqual({
            added: count('added'),
            removed: count('removed'),
            revised: count('revised'),
          });
        },
      ),
      { numRuns: runs(2, 4) },
    );
  });

  it('can be asked for one kind at a time, with all counted', async () => {
    const all = await server.get('/v1/changes?dataset=ggr&since=2026-10.1&limit=1000');
    const added = await server.get('/v1/changes?dataset=ggr&since=2026-10.1&limit=1000&change=added');
    expect(added.json.meta.counts).toEqual(all.json.meta.counts);
    expect(added.json.data).toEqual(all.json.data.filter(({ change }: ChangedRow) => change === 'added'));
    expect(added.json.data.length).toBeGreaterThan(10);
    expect(all.headers.get('x-snapshot')).toBe('2026-11.1');
    expect(all.headers.get('cache-control')).toBe('private, max-age=3600');
    const named = await server.get('/v1/changes?dataset=ggr&since=2026-10.1&until=2026-11.1');
    expect(named.headers.get('cache-control')).toMatch(/immutable/);
  });

  it('of the lookup are rows without values: another type is one removed and one added', async () => {
    const { json } = await server.get('/v1/changes?dataset=country_reference&since=2026-10');
    const dimensions = { region: 'Europe', country: 'Spain' };
    expect(json.data).toEqual([
      {
        change: 'added',
        dimensions: { ...dimensions, country_type: 'Amalgamated' },
        before: null,
        after: {},
      },
      { change: 'removed', dimensions: { ...dimensions, country_type: 'Tracked' }, before: {}, after: null },
    ]);
  });

  it('know a strict value that one of the two snapshots has', async () => {
    const strict = (asked: string) =>
      server.get(`/v1/changes?dataset=country_reference&${asked}`, { Prefer: 'handling=strict' });
    const pairs = ['since=2026-10', 'since=2026-11&until=2026-10'];
    const answers = await Promise.all(pairs.map((pair) => strict(`${pair}&country_type=Amalgamated`)));
    expect(answers.map(({ json }) => json.data.map(({ change }: ChangedRow) => change))).toEqual([
      ['added'],
      ['removed'],
    ]);
    const unknown = await strict('since=2026-11&until=2026-10&country_type=Amalgamate');
    expect(unknown.json.details.fieldErrors).toEqual({
      country_type: ['Unknown value "Amalgamate"; did you mean "Amalgamated"?'],
    });
  });

  it('comes as CSV: the change, the dimensions, the values before, the values after', async () => {
    const { text } = await server.get('/v1/changes?dataset=country&since=2026-10', { Accept: 'text/csv' });
    expect(text).toBe(
      'change,year,region,country,state,temporal,calculation,before_gdp_local_currency,before_gdp_usd,' +
        'before_adult_population,before_inflation,after_gdp_local_currency,after_gdp_usd,after_adult_population,after_inflation\r\n' +
        'removed,2023,Europe,Malta,,Current,Reported,1,1,1,3,,,,\r\n',
    );
  });

  it('takes `until` from X-Snapshot, unless a parameter says it', async () => {
    const ask = async (more: string) =>
      (await server.get(`/v1/changes?dataset=ggr&since=2026-11${more}`, { 'X-Snapshot': '2026-10' })).json
        .meta;
    expect(await ask('')).toMatchObject({ since: '2026-11.1', until: '2026-10.1' });
    expect(await ask('&until=2026-11')).toMatchObject({ until: '2026-11.1', row_count: 0 });
  });

  it.each([
    ['dataset=ggr&since=2026-10&since=2026-10', 'Invalid query parameters'],
    ['dataset=ggr&since=2026-10&change=moved', 'Invalid query parameters'],
    ['dataset=ggr&since=', "Unknown snapshot: ''. Use GET /snapshots to see retained snapshots."],
    [
      'dataset=ggr&since=2026-10&until=',
      "Unknown snapshot: ''. Use GET /snapshots to see retained snapshots.",
    ],
    ['dataset=ggr&since=2026-10&cursor=x', 'Invalid pagination cursor'],
  ])('refuses ?%s', async (text, error) => {
    const { status, json } = await server.get(`/v1/changes?${text}`);
    expect({ status, error: json.error }).toEqual({ status: 400, error: expect.stringContaining(error) });
  });
});

it('a cursor belongs to its endpoint, its groups and its kinds of change', async () => {
  const fixed = 'fx=EUR&state=&temporal=Current';
  const cursorOf = async (asked: string) => (await server.get(`/v1/${asked}&limit=1`)).json.pagination.cursor;
  const asked = [
    `financials?metric=ggr&${fixed}`,
    `totals?dataset=ggr&by=country&${fixed}`,
    `totals?dataset=ggr&by=year&${fixed}`,
    `changes?dataset=ggr&since=2026-10&${fixed}`,
    `changes?dataset=ggr&since=2026-10&change=removed&change=added&${fixed}`,
  ];
  for (const from of asked) {
    const cursor = await cursorOf(from);
    expect(cursor).toEqual(expect.any(String));
    for (const to of asked) {
      const { status } = await server.get(`/v1/${to}&limit=1&cursor=${cursor}`);
      expect({ from, to, status }).toEqual({ from, to, status: from === to ? 200 : 400 });
    }
  }
});

it('a cursor whose position lies behind the last group is invalid', async () => {
  const asked = '/v1/totals?dataset=ggr&by=year&fx=EUR&state=&temporal=Current';
  const first = await server.get(`${asked}&limit=1`);
  const payload = Buffer.from(first.json.pagination.cursor, 'base64url').subarray(0, -4);
  const goOnAfter = (position: number) => {
    payload.writeUInt32BE(position, 1);
    const check = createHash('sha256').update(payload).digest().subarray(0, 4);
    return server.get(`${asked}&cursor=${Buffer.concat([payload, check]).toString('base64url')}`);
  };
  const { data } = (await server.get(asked)).json;
  expect((await goOnAfter(data.length - 2)).json.data).toEqual(data.slice(-1));
  for (const position of [data.length - 1, data.length, 2 ** 32 - 1])
    expect((await goOnAfter(position)).json).toEqual({ error: 'Invalid pagination cursor' });
});

describe('GET /v1/export', () => {
  const csvField = (value: unknown) =>
    value === null
      ? ''
      : /[",\r\n]/.test(String(value))
        ? `"${String(value).replaceAll('"', '""')}"`
        : String(value);

  it.each(['csv', 'arrow', 'parquet'])(
    'gives what plain SQL selects, in the published order, whatever is filtered: %s',
    async (format) => {
      const columns = [...datasetOf('ggr').dimensions, 'ggr'];
      await fc.assert(
        fc.asyncProperty(filters, fc.constantFrom(...IDS), async (chosen, id) => {
          const wanted = await sql(`FROM "${id}" WHERE ${where(chosen)}`);
          const headers = { 'X-Snapshot': id };
          const response = await fetch(`${server.url}/v1/export/ggr.${format}?${asQuery(chosen)}`, {
            headers,
          });
          const bytes = Buffer.from(await response.arrayBuffer());
          if (format === 'csv') {
            const lines = wanted.map((row) => columns.map((name) => csvField(row[name])).join(','));
            expect(bytes.toString()).toBe([columns.join(','), ...lines, ''].join('\r\n'));
          } else if (format === 'arrow') {
            const table = tableFromIPC(bytes);
            const got = columns.map((name) => [...(table.getChild(name) ?? [])]);
            expect(got).toEqual(columns.map((name) => wanted.map((row) => row[name])));
          } else {
            const file = path.join(server.dataDir, 'exported.parquet');
            await writeFile(file, bytes);
            expect(await sql(`FROM read_parquet('${file}')`)).toEqual(wanted);
          }
        }),
        { numRuns: runs(1, 2) },
      );
    },
  );
});

describe('GET /v1/datasets', () => {
  it('says what a person needs before using a number', async () => {
    const { json } = await server.get('/v1/datasets/country', { 'X-Snapshot': '2026-10' });
    expect(json).toMatchObject({
      name: 'country',
      granularities: ['annual'],
      row_count: 3,
      years: { first: 2023, last: 2024 },
      not_additive_over: ['state', 'temporal', 'calculation'],
      sort_order: ['country', 'state', 'temporal', 'calculation', 'year', 'region'],
      files: {
        parquet: {
          href: '/v1/export/country.parquet',
          bytes: expect.any(Number),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        csv: { href: '/v1/export/country.csv' },
        arrow: { href: '/v1/export/country.arrow' },
        xlsx: { href: '/v1/export/country.xlsx' },
      },
    });
    expect(json.dimensions[2]).toEqual({
      name: 'country',
      type: 'text',
      description: 'Country name',
      values: 2,
    });
    expect(
      json.metrics.map((metric: Record<string, unknown>) =>
        ['name', 'adds_up', 'adds_up_over_years', 'missing'].map((field) => metric[field]),
      ),
    ).toEqual([
      ['gdp_local_currency', false, false, 0],
      ['gdp_usd', true, true, 1],
      ['adult_population', true, false, 1],
      ['inflation', false, false, 1],
    ]);
  });

  it('lists every question and answers 404 for any other', async () => {
    const { json } = await server.get('/v1/datasets');
    const names = json.datasets.map(({ name }: { name: string }) => name);
    expect(names).toEqual(DATASET_NAMES);
    const lookup = json.datasets.find(({ name }: { name: string }) => name === 'country_reference');
    expect(lookup.years).toEqual({ first: null, last: null });
    for (const path of ['/v1/datasets/nope', '/v1/datasets/', '/v1/datasets/ggr/', '/v1/datasets/GGR'])
      expect((await server.get(path)).status).toBe(404);
    expect((await server.get('/v1/datasets?x=1')).json.details.fieldErrors).toEqual({
      x: ['This endpoint takes no parameters'],
    });
  });
});

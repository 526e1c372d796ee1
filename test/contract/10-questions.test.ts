// Contract §10: the endpoints and headers beyond the first three, a test for each rule.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';
import { inOneDay } from '../support/wholeDay.ts';
import { type Answer, ask } from './wire.ts';
import { DATASETS, WORLD } from './world.ts';

/** The ggr of two months. The newer month revises one row, adds one and removes one. */
const OLDER_GGR = WORLD.ggr;
const ADDED = aRow('ggr', { country: 'Andorra', year: 2021, ggr: 7 });
const NEWER_GGR = [...OLDER_GGR.slice(1).map((row, i) => (i === 0 ? { ...row, ggr: -1 } : row)), ADDED];
const OLDER = '2026-10.1';
const NEWER = '2026-11.1';

let api: ServerWithKeys;
let key: string;
let dataDir: string;
let remove: () => Promise<void>;
beforeEach(inOneDay);
beforeAll(async () => {
  ({ dataDir, remove } = await aDataDir());
  await publishRows(dataDir, OLDER, WORLD);
  await publishRows(dataDir, NEWER, { ...WORLD, ggr: NEWER_GGR });
  api = await startServerWithKeys({ dataDir, limits: { perMinute: 100_000, perDay: 100_000 } });
  key = await api.key();
});
afterAll(async () => {
  await api.close();
  await remove();
});

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of a body.
type Json = any;
const get = async (asked: string, headers: Record<string, string> = {}): Promise<Answer & { json: Json }> => {
  const all = { 'x-api-key': key, ...headers };
  const answer = await retryUnavailable(() => ask(api.url, asked, { headers: all }));
  return answer as Answer & { json: Json };
};
/** Gets a body that is not JSON. */
const download = async (asked: string, headers: Record<string, string> = {}) => {
  const all = { 'x-api-key': key, 'Accept-Encoding': 'identity', ...headers };
  const response = await retryUnavailable(() => fetch(api.url + asked, { headers: all }));
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

const PATHS = [
  '/v1/values?dataset=ggr',
  '/v1/totals?dataset=ggr&fx=EUR&state=&temporal=Current',
  '/v1/snapshots',
  '/v1/changes?dataset=ggr&since=2026-10',
  '/v1/datasets',
  '/v1/datasets/fx',
  '/v1/explain?metric=ggr',
  '/v1/export/country.csv',
  '/v1/usage',
];
const OF_A_SNAPSHOT = PATHS.filter((one) => one !== '/v1/usage' && !one.includes('export'));
const WITH_FILTERS = [
  '/v1/values?dataset=ggr',
  '/v1/totals?dataset=ggr',
  '/v1/changes?dataset=ggr&since=2026-10',
];

describe('§10.1', () => {
  it.each(PATHS)('rule 1: %s needs a key and takes one slot', async (asked) => {
    expect(await ask(api.url, asked)).toMatchObject({
      status: 401,
      json: { error: 'Missing x-api-key header' },
    });
    const remaining = async () =>
      Number((await download(asked)).response.headers.get('x-ratelimit-remaining'));
    expect((await remaining()) - (await remaining())).toBe(1);
  });

  it.each(OF_A_SNAPSHOT)(
    'rule 2: %s has ETag, Cache-Control and X-Snapshot; its errors are not stored',
    async (asked) => {
      const { headers } = await get(asked);
      const own = { etag: headers.etag, 'cache-control': 'private, max-age=3600', 'x-snapshot': NEWER };
      expect(headers).toMatchObject(own);
      const unchanged = await get(asked, { 'If-None-Match': String(headers.etag) });
      expect([unchanged.status, unchanged.headers]).toEqual([304, expect.objectContaining(own)]);
      const refused = await get(`${asked}${asked.includes('?') ? '&' : '?'}planet=Mars`);
      expect([refused.status, refused.headers['cache-control']]).toEqual([400, 'no-store']);
    },
  );

  it('rule 3: dataset is one of the five names, once', async () => {
    for (const endpoint of ['values', 'totals', 'changes']) {
      for (const given of ['', 'dataset=', 'dataset=ggr&dataset=fx']) {
        const { status, json } = await get(`/v1/${endpoint}?${given}`);
        expect([status, json.error]).toEqual([400, 'Invalid query parameters']);
        expect(json.details.fieldErrors).toHaveProperty('dataset');
      }
      expect((await get(`/v1/${endpoint}?dataset=poker&since=2026-10`)).json).toEqual({
        error: "Unknown dataset: 'poker'. Use GET /catalog to see available datasets.",
      });
    }
  });

  it('rule 4: a parameter that is not a dimension is refused with the dimensions', async () => {
    const valid = DATASETS.ggr.dimensions.join(', ');
    for (const asked of [...WITH_FILTERS, '/v1/export/ggr.csv?year=2020'])
      expect([asked, (await get(`${asked}&planet=Mars`)).json]).toEqual([
        asked,
        { error: `Invalid filter dimension "planet" for dataset "ggr". Valid dimensions: ${valid}` },
      ]);
    const period = 'period=2020-01-01:2020-12-31';
    expect((await get(`/v1/values?dataset=country_reference&${period}`)).json).toEqual({
      error:
        'Invalid filter dimension "period" for dataset "country_reference". Valid dimensions: region, country, country_type',
    });
    const { json } = await get(`/v1/values?dataset=ggr&${period}`);
    expect(json.meta).toMatchObject({ filters_applied: { year: ['2020'] }, row_count: 40 });
  });

  it.each(PATHS)('rule 5: %s answers HEAD and OPTIONS', async (asked) => {
    const headers = { 'x-api-key': key };
    const head = await retryUnavailable(() => ask(api.url, asked, { method: 'HEAD', headers }));
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await ask(api.url, asked, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});

describe('§10.2', () => {
  const rowsOf = async (asOf: string) => {
    const { json, headers } = await get('/v1/values?dataset=ggr&dimension=country', { 'X-Snapshot': asOf });
    return [headers['x-snapshot'], json.meta?.row_count];
  };

  it('rule 1: the header names the snapshot by id, month or day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(await rowsOf(OLDER)).toEqual([OLDER, 160]);
    expect(await rowsOf('2026-10')).toEqual([OLDER, 160]);
    expect(await rowsOf(today)).toEqual([NEWER, 160]);
  });

  it('rule 2: a day to come means the current snapshot', async () => {
    expect(await rowsOf('2999-12-31')).toEqual([NEWER, 160]);
  });

  it.each(['2026-10.2', '2026-09', '1999-01-01', 'yesterday', ''])('rule 3: %j is unknown', async (asOf) => {
    const error = `Unknown snapshot: '${asOf}'. Use GET /snapshots to see retained snapshots.`;
    for (const asked of OF_A_SNAPSHOT.filter((one) => one !== '/v1/snapshots'))
      expect([asked, (await get(asked, { 'X-Snapshot': asOf })).json]).toEqual([asked, { error }]);
  });

  it('rule 4: a cursor and the header must mean the same snapshot', async () => {
    const asked = '/v1/totals?dataset=ggr&by=country&fx=EUR&state=&temporal=Current&limit=1';
    const { cursor } = (await get(asked)).json.pagination;
    expect((await get(`${asked}&cursor=${cursor}`, { 'X-Snapshot': '2026-11' })).status).toBe(200);
    expect((await get(`${asked}&cursor=${cursor}`, { 'X-Snapshot': OLDER })).json).toEqual({
      error: 'Invalid pagination cursor',
    });
  });

  it('rule 5: only an answer asked for by id is immutable', async () => {
    const cacheControl = async (asOf: string) =>
      (await get('/v1/datasets/ggr', { 'X-Snapshot': asOf })).headers['cache-control'];
    expect(await cacheControl(OLDER)).toBe('private, max-age=3600, immutable');
    expect(await cacheControl('2026-10')).toBe('private, max-age=3600');
  });
});

describe('§10.3', () => {
  const CSV = 'text/csv; charset=utf-8; header=present';
  const ARROW = 'application/vnd.apache.arrow.stream';
  const FORMATTED = [
    '/v1/financials?metric=country&limit=3',
    '/v1/reference?dataset=country_reference&limit=3',
    '/v1/totals?dataset=country&by=country&by=year&by=calculation&by=temporal&state=&limit=3',
    '/v1/changes?dataset=ggr&since=2026-10&limit=2',
  ];

  it.each(FORMATTED)('rule 1: %s comes as CSV, Arrow or JSON', async (asked) => {
    const typeOf = async (accept: string) =>
      (await download(asked, { Accept: accept })).response.headers.get('content-type');
    expect(await typeOf('text/csv')).toBe(CSV);
    expect(await typeOf(ARROW)).toBe(ARROW);
    for (const accept of ['*/*', 'text/html', `text/csv, application/json, ${ARROW}`])
      expect(await typeOf(accept)).toMatch(/^application\/json/);
    expect(await typeOf(`${ARROW}, text/csv`)).toBe(CSV);
    const { bytes } = await download(asked, { Accept: ARROW });
    expect(tableFromIPC(bytes).numRows).toBe((await get(asked)).json.data.length);
  });

  it('rule 2: CSV has CRLF, a header, and empty fields for missing values', async () => {
    const { bytes } = await download(`/v1/changes?dataset=ggr&since=2026-10&change=added`, {
      Accept: 'text/csv',
    });
    const header = ['change', ...DATASETS.ggr.dimensions, 'before_ggr', 'after_ggr'].join(',');
    const row = ['added', ...DATASETS.ggr.dimensions.map((name) => ADDED[name]), '', 7].join(',');
    expect(bytes.toString()).toBe(`${header}\r\n${row}\r\n`);
  });

  it.each(FORMATTED)('rule 3: %s links to the next page in every format', async (asked) => {
    for (const accept of ['application/json', 'text/csv', ARROW]) {
      const link = (await download(asked, { Accept: accept })).response.headers.get('link') ?? '';
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
      expect(next).toContain('cursor=');
      const { response } = await download(next, { Accept: accept });
      expect(response.status).toBe(200);
    }
  });

  it.each(FORMATTED)('rule 6: %s says in every format what JSON says in its meta', async (asked) => {
    const { meta } = (await get(asked)).json;
    const names = [
      'missing',
      'not_summed',
      'states_alone',
      'currencies_alone',
      'temporal_alone',
      'notes',
      'since',
      'until',
      'counts',
    ];
    const stated = Object.fromEntries(Object.entries(meta).filter(([name]) => names.includes(name)));
    for (const Accept of ['application/json', 'text/csv', ARROW]) {
      const { response, bytes } = await download(asked, { Accept });
      const header = response.headers.get('x-meta');
      if (!/totals|changes/.test(asked)) expect(header).toBeNull();
      else expect(JSON.parse(header ?? '')).toEqual(stated);
      if (header === null || Accept !== ARROW) continue;
      expect(JSON.parse(tableFromIPC(bytes).schema.metadata.get('meta') ?? '')).toEqual(meta);
    }
  });

  it.each(FORMATTED)('rule 4: %s has an ETag for each format', async (asked) => {
    const answers = await Promise.all(
      ['application/json', 'text/csv', ARROW].map((accept) => download(asked, { Accept: accept })),
    );
    expect(new Set(answers.map(({ response }) => response.headers.get('etag'))).size).toBe(3);
    for (const name of ['Accept', 'Prefer', 'X-Snapshot'])
      expect(answers[0]?.response.headers.get('vary')?.split(', ')).toContain(name);
  });

  it('rule 5: an error is JSON', async () => {
    const { response } = await download('/v1/totals?dataset=fx', { Accept: 'text/csv' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      400,
      expect.stringMatching(/^application\/json/),
    ]);
  });
});

describe('§10.4', () => {
  const STRICT = { Prefer: 'handling=strict' };

  it('rule 1: unknown values are refused, with the nearest known one', async () => {
    for (const asked of [...WITH_FILTERS, '/v1/financials?metric=ggr', '/v1/export/ggr.csv?year=2020'])
      expect([asked, (await get(`${asked}&country=Maltta&country=Atlantis`, STRICT)).json]).toEqual([
        asked,
        {
          error: 'Invalid query parameters',
          details: {
            formErrors: [],
            fieldErrors: {
              country: ['Unknown value "Maltta"; did you mean "Malta"?', 'Unknown value "Atlantis"'],
            },
          },
        },
      ]);
  });

  it('rule 2: answers say that the preference was applied', async () => {
    const { headers } = await get('/v1/values?dataset=ggr&country=Malta', STRICT);
    expect(headers['preference-applied']).toBe('handling=strict');
  });
});

describe('§10.5', () => {
  const asked = '/v1/values?dataset=ggr&country=Malta&year=2021&year=1999';

  it('rule 1: meta.row_count counts the rows that meet all filters', async () => {
    expect((await get(asked)).json.meta).toEqual({
      dataset: 'ggr',
      filters_applied: { country: ['Malta'], year: ['2021', '1999'] },
      row_count: 4,
    });
  });

  it('rule 2: each dimension shows its alternatives, ascending, without values that have no rows', async () => {
    const { json } = await get(asked);
    expect(Object.keys(json.values)).toEqual(DATASETS.ggr.dimensions);
    // Only the filter by Malta restricts the years, and only that by 2021 the countries.
    expect(json.values.year.map(({ value }: Json) => value)).toEqual([2019, 2020, 2021, 2026]);
    const countries = new Set(NEWER_GGR.filter(({ year }) => year === 2021).map(({ country }) => country));
    const points = (text: unknown) => Array.from(String(text), (one) => one.codePointAt(0) ?? 0);
    const ascending = [...countries].sort((a, b) => {
      const [left, right] = [points(a), points(b)];
      const i = left.findIndex((point, at) => point !== right[at]);
      return (left[i] ?? -1) - (right[i] ?? -1);
    });
    expect(json.values.country.map(({ value }: Json) => value)).toEqual(ascending);
    expect(json.values.category).toEqual([
      { value: 'Betting', row_count: 2 },
      { value: 'Gaming', row_count: 1 },
      { value: 'Lottery', row_count: 1 },
    ]);
  });

  it('rule 3: `dimension` restricts the answer', async () => {
    const { json } = await get(`${asked}&dimension=fx&dimension=region`);
    expect(Object.keys(json.values).sort()).toEqual(['fx', 'region']);
  });
});

describe('§10.6', () => {
  const ONE = 'fx=EUR&state=&temporal=Current';

  it('rule 1: groups have dimensions, values and rows_summed, and ascend; no rows give none', async () => {
    const { json } = await get(`/v1/totals?dataset=ggr&by=year&by=country&${ONE}`);
    expect(json.data[0]).toEqual({
      dimensions: { year: expect.any(Number), country: expect.any(String) },
      values: { ggr: expect.any(Number) },
      rows_summed: expect.any(Number),
    });
    expect(Object.keys(json.data[0].dimensions)).toEqual(['year', 'country']);
    const years = json.data.map(({ dimensions }: Json) => dimensions.year);
    expect(years).toEqual([...years].sort());
    expect((await get(`/v1/totals?dataset=ggr&${ONE}&country=Atlantis`)).json.data).toEqual([]);
  });

  it('rule 2: what would be wrong is refused, all dimensions at once', async () => {
    expect((await get('/v1/totals?dataset=ggr')).json.details.fieldErrors).toEqual({
      fx: ['ggr cannot be summed over fx: name one value, or add by=fx'],
      state: ['ggr cannot be summed over state: name one value, or add by=state'],
    });
    const { fieldErrors } = (await get('/v1/totals?dataset=country&state=')).json.details;
    expect(Object.keys(fieldErrors)).toEqual(['calculation']);
    expect((await get('/v1/totals?dataset=ggr&by=fx&by=state')).status).toBe(200);
    expect((await get('/v1/totals?dataset=ggr&by=fx&by=fx')).json.details.fieldErrors).toEqual({
      by: ['Each dimension can be named once'],
    });
  });

  it('rule 3: a forecast and reported years are summed where they do not overlap, and it is noted', async () => {
    const { meta } = (await get('/v1/totals?dataset=ggr&fx=EUR&state=')).json;
    expect(meta.notes).toEqual([
      expect.stringContaining('temporal'),
      expect.stringMatching(
        /^fx=EUR leaves out Congo, Democratic Republic of; .*: in some year, all their rows/,
      ),
    ]);
    expect((await get(`/v1/totals?dataset=ggr&${ONE}&country=Malta`)).json.meta).not.toHaveProperty('notes');
  });

  it('rule 4: what does not add up is left out and named', async () => {
    const { json } = await get('/v1/totals?dataset=country&by=calculation&state=');
    expect(json.meta.not_summed).toEqual(expect.arrayContaining(['gdp_local_currency', 'inflation']));
    for (const dataset of ['fx', 'country_reference'])
      expect((await get(`/v1/totals?dataset=${dataset}`)).json).toEqual({
        error: `Nothing to sum in dataset "${dataset}"`,
      });
  });

  it('rules 5 and 6: sums are exact, and a missing value is not a zero', async () => {
    const { dataDir: own, remove: removeOwn } = await aDataDir();
    const rows = [1e100, 1, -1e100, null].map((ggr, year) => aRow('ggr', { year: 2000 + year, ggr }));
    await publishRows(own, NEWER, { ggr: rows });
    const other = await startServerWithKeys({ dataDir: own });
    const headers = { 'x-api-key': await other.key() };
    const total = async (asked: string): Promise<Json> =>
      (await retryUnavailable(() => ask(other.url, asked, { headers }))).json;
    const all = await total('/v1/totals?dataset=ggr');
    expect(all.data).toEqual([{ dimensions: {}, values: { ggr: 1 }, rows_summed: 4 }]);
    expect(all.meta.missing).toEqual({ ggr: 1 });
    const none = await total('/v1/totals?dataset=ggr&year=2003');
    expect(none.data).toEqual([{ dimensions: {}, values: { ggr: null }, rows_summed: 1 }]);
    await other.close();
    await removeOwn();
  });

  it('rule 7: `by` takes each dimension once', async () => {
    const twice = await get('/v1/totals?dataset=ggr&by=year&by=year');
    expect([twice.status, Object.keys(twice.json.details.fieldErrors)]).toEqual([400, ['by']]);
    expect((await get('/v1/totals?dataset=ggr&by=planet')).json.error).toMatch(
      /^Invalid filter dimension "planet" for dataset "ggr"/,
    );
  });
});

describe('§10.7', () => {
  it('rule 1: lists the snapshots, the last publication first', async () => {
    const { snapshots } = (await get('/v1/snapshots')).json;
    expect(snapshots.map(({ id, month, current }: Json) => [id, month, current])).toEqual([
      [NEWER, '2026-11', true],
      [OLDER, '2026-10', false],
    ]);
    expect(snapshots[0]).toMatchObject({
      published_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      fingerprint: expect.any(String),
      datasets: { ggr: { row_count: 160, first_year: 2019, last_year: 2026 } },
    });
  });

  it('rule 2: names no unreadable snapshots when there are none', async () => {
    expect(Object.keys((await get('/v1/snapshots')).json)).toEqual(['snapshots']);
  });
});

describe('§10.8', () => {
  const asked = '/v1/changes?dataset=ggr&since=2026-10';
  const keyOf = (row: Json) => JSON.stringify(DATASETS.ggr.dimensions.map((name) => row[name]));

  it('rules 1 and 2: the changes turn the older rows into the newer ones', async () => {
    const rows = new Map(OLDER_GGR.map((row) => [keyOf(row), row.ggr]));
    const changes = (await get(asked)).json.data;
    for (const { change, dimensions, before, after } of changes) {
      expect(change).toBe(before === null ? 'added' : after === null ? 'removed' : 'revised');
      expect(rows.get(keyOf(dimensions))).toBe(before?.ggr);
      if (after === null) rows.delete(keyOf(dimensions));
      else rows.set(keyOf(dimensions), after.ggr);
    }
    expect(new Map([...rows].sort())).toEqual(
      new Map(NEWER_GGR.map((row) => [keyOf(row), row.ggr] as const).sort()),
    );
  });

  it('rule 3: counts do not depend on `change`', async () => {
    const counts = { added: 1, removed: 1, revised: 1 };
    for (const change of ['', '&change=added', '&change=removed&change=revised'])
      expect((await get(`${asked}${change}`)).json.meta.counts).toEqual(counts);
    expect((await get(`${asked}&change=added`)).json.data).toHaveLength(1);
  });

  it('rule 4: until is the current snapshot, may be the older one, or the same', async () => {
    expect((await get(asked)).json.meta).toMatchObject({ since: OLDER, until: NEWER });
    const back = (await get('/v1/changes?dataset=ggr&since=2026-11&until=2026-10')).json;
    expect(back.meta.counts).toEqual({ added: 1, removed: 1, revised: 1 });
    expect((await get(`${asked}&until=2026-10.1`)).json.data).toEqual([]);
  });

  it('rule 5: since is required and must be known', async () => {
    expect(Object.keys((await get('/v1/changes?dataset=ggr')).json.details.fieldErrors)).toEqual(['since']);
    expect((await get('/v1/changes?dataset=ggr&since=2026-09')).json).toEqual({
      error: "Unknown snapshot: '2026-09'. Use GET /snapshots to see retained snapshots.",
    });
  });
});

describe('§10.9', () => {
  it('rule 1: lists all datasets, describes one, and answers 404 for an unknown one', async () => {
    const { datasets } = (await get('/v1/datasets')).json;
    const names = datasets.map(({ name }: Json) => name);
    expect(names).toEqual((await get('/v1/catalog')).json.datasets.map(({ name }: Json) => name));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(DATASETS), 'country_reference']));
    const one = (await get('/v1/datasets/ggr')).json;
    expect(one).toEqual(datasets[0]);
    expect(Object.keys(one).sort()).toEqual(
      'description dimensions files granularities metrics name not_additive_over row_count sort_order sources years'.split(
        ' ',
      ),
    );
    expect((await get('/v1/datasets/poker')).status).toBe(404);
  });
});

describe('§10.10', () => {
  // The long tests run every program and compare its rows.
  it('rule 1: gives programs in six languages, and the number of their rows', async () => {
    const { json } = await get('/v1/explain?metric=ggr&country=Malta&year=2021');
    expect(json.meta.row_count).toBe(4);
    for (const language of ['sql', 'curl', 'python', 'polars', 'r', 'javascript'])
      expect(json[language]).toContain('Malta');
    expect((await get('/v1/explain?dataset=country_reference')).json.meta.row_count).toBe(8);
  });
});

describe('§10.11', () => {
  it('rule 1: exports all rows that the filters select in four formats, and answers 404 for others', async () => {
    const rows = NEWER_GGR.filter(({ country }) => country === 'Malta').length;
    const file = async (format: string) => (await download(`/v1/export/ggr.${format}?country=Malta`)).bytes;
    expect((await file('csv')).toString().split('\r\n')).toHaveLength(rows + 2);
    expect(tableFromIPC(await file('arrow')).numRows).toBe(rows);
    expect((await file('parquet')).subarray(0, 4).toString()).toBe('PAR1');
    expect((await file('xlsx')).subarray(0, 2).toString()).toBe('PK');
    for (const name of ['poker.csv', 'ggr.pdf', 'ggr'])
      expect((await get(`/v1/export/${name}`)).status).toBe(404);
  });

  it('rules 2, 3 and 4: serves the published file with ranges, and other files with weak ETags', async () => {
    const published = await readFile(path.join(dataDir, 'current', 'ggr.parquet'));
    const whole = await download('/v1/export/ggr.parquet');
    expect(whole.bytes.equals(published)).toBe(true);
    expect(Object.fromEntries(whole.response.headers)).toMatchObject({
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'accept-ranges': 'bytes',
      'repr-digest': expect.stringMatching(/^sha-256=:.+:$/),
      'content-disposition': `attachment; filename="ggr-${NEWER}.parquet"`,
    });
    const statusOf = async (range: string) =>
      (await download('/v1/export/ggr.parquet', { Range: range })).response.status;
    expect(await statusOf('bytes=0-3')).toBe(206);
    expect(await statusOf(`bytes=${published.length}-`)).toBe(416);
    for (const range of ['bytes=0-1,3-4', 'bytes=x', 'pages=1-2']) expect(await statusOf(range)).toBe(200);
    const { headers } = (await download('/v1/export/ggr.csv')).response;
    expect(headers.get('etag')).toMatch(/^W\/"/);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="ggr-${NEWER}.csv"`);
  });

  it('rule 5: runs two exports of a key and four in all, and answers others 503 with Retry-After', async () => {
    // All limits are 0, so every export exceeds them.
    const nothing = { atOnce: 0, perKey: 0 };
    const exports = { ...nothing, parts: nothing, pace: { minBytes: 1, windowMs: 60_000 } };
    const none = await startServerWithKeys({ dataDir, exports });
    const headers = { 'x-api-key': await none.key() };
    const { status, headers: answered } = await ask(none.url, '/v1/export/ggr.csv', { headers });
    expect([status, answered['retry-after']]).toEqual([503, '5']);
    await none.close();
  });
});

describe('§10.12', () => {
  it('rules 1 and 2: shows the key, its limits and its days, and may not be stored', async () => {
    const { json, headers } = await get('/v1/usage');
    expect(Object.keys(json)).toEqual(['key', 'limits', 'days']);
    expect(json.limits.map(({ name }: Json) => name)).toEqual(['minute', 'day']);
    expect(json.days[0]).toMatchObject({ date: new Date().toISOString().slice(0, 10), refused: 0 });
    expect(headers['cache-control']).toBe('no-store');
    expect((await get('/v1/usage?x=1')).status).toBe(400);
  });
});

it('every rule of §10 has a test that names it', async () => {
  const contract = await readFile(new URL('../../docs/contract.md', import.meta.url), 'utf8');
  const tests = await readFile(new URL(import.meta.url), 'utf8');
  const untested: string[] = [];
  for (const [, section = '', text = ''] of contract.matchAll(
    /^### (10\.\d+) [^\n]*\n([\s\S]*?)(?=\n###? |(?![\s\S]))/gm,
  )) {
    const [, block = ''] =
      new RegExp(`describe\\('§${section.replace('.', '\\.')}', ([\\s\\S]*?)\n}\\);`).exec(tests) ?? [];
    const named = [...block.matchAll(/rules? ([\d, and]+):/g)].flatMap(
      ([, numbers = '']) => numbers.match(/\d+/g) ?? [],
    );
    for (const [, number = ''] of text.matchAll(/^(\d+)\. /gm))
      if (!named.includes(number)) untested.push(`§${section} rule ${number}`);
  }
  expect(contract).toContain('### 10.12');
  expect(untested).toEqual([]);
});

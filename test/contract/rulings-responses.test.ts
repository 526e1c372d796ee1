// Rulings 11 to 19: the content and order of an answer, its pages, and how long clients may keep it.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDeep, some } from '../support/depth.ts';
import { startServer } from '../support/server.ts';
import {
  aDataDir,
  aRow,
  countryReference,
  type DataDir,
  publishRows,
  type Rows,
} from '../support/snapshot.ts';
import { ask } from './wire.ts';
import { answered, inOrder, pageOf, query, WORLD, walk } from './world.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

// Names that sort differently by UTF-16 units, by code points, by alphabet and by their English name.
const NAMES = [
  'Zambia',
  'aland',
  'Åland',
  'A',
  'a',
  'AA',
  'A A',
  'Ａ',
  '\uff5e',
  '\u{1f600}',
  '\ufb01',
  '\u{10000}',
  '\ue000',
  "Côte d'Ivoire",
  'Cote',
  'Côte',
  'Cotf',
  'Congo',
  'Congo, Democratic Republic of',
  'Congo-Brazzaville',
  'Türkiye',
  'Turkey',
];

const SORTED: Rows = {
  ggr: NAMES.flatMap((country) => [
    aRow('ggr', { country, state: '', year: 2021, ggr: 1 }),
    aRow('ggr', { country, state: '\u{1f600}', year: 2020, ggr: 2 }),
    aRow('ggr', { country, state: '\uff5e', year: 999, ggr: 3 }),
    aRow('ggr', { country, state: '\uff5e', year: 1000, ggr: 4 }),
    aRow('ggr', { country, state: '\uff5e', year: -5, ggr: 4.5 }),
    aRow('ggr', { country, state: '\uff5e', year: 1000, region: 'Asia', ggr: 5 }),
    aRow('ggr', { country, state: '\uff5e', year: 999, fx: 'USD', temporal: 'A', ggr: 6 }),
    aRow('ggr', { country, state: '\uff5e', year: 999, category: 'betting', ggr: 7 }),
  ]),
  country_reference: countryReference(NAMES),
};

/** Numbers that are easily written wrongly in JSON. */
const NUMBERS = [
  0,
  0.1,
  0.30000000000000004,
  1 / 3,
  -1.5,
  123456789.125,
  1e21,
  1.5e300,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  9007199254740991,
  9007199254740992,
  123456789012345680,
  4.35,
  2.5e-5,
  100,
  -0.000001,
  16385919535.6742,
];

/** Texts that are easily encoded wrongly in JSON. */
const TEXTS = ['"', '\\', '\\"', '\n', '\t', '\u0001', '\u2028', '</script>', '\u007f', '{"a":1}', "'", '😀'];

describe('one snapshot', () => {
  let server: Server;
  beforeAll(async () => {
    const numbers = NUMBERS.map((fx_current_usd, i) =>
      aRow('fx', {
        year: 1900 + i,
        fx_current_usd,
        fx_current_eur: null,
        fx_constant_usd: null,
        fx_constant_eur: 2,
      }),
    );
    const texts = TEXTS.map((state) => aRow('country', { country: 'Texts', state }));
    server = await startServer({ rows: { ...WORLD, fx: numbers, country: texts } });
  });
  afterAll(() => server.close());
  const get = (target: string, headers: Record<string, string> = {}) => ask(server.url, target, { headers });

  describe('ruling 11: row_count', () => {
    it("is the number of rows in this page's data", async () => {
      for (const filters of ['limit=7', 'limit=1000', 'country=Nowhere', 'country=Malta&limit=15']) {
        const { data, meta } = pageOf(await get(`/v1/financials?metric=ggr&${filters}`));
        expect(meta.row_count).toBe(data.length);
      }
    });
  });

  describe('ruling 12: the last page', () => {
    it.each([1, 5, 15, 16, 17])('is recognised exactly at limit %i of 16 rows', async (limit) => {
      let cursor = '';
      for (let seen = 0; seen < 16; ) {
        const page = pageOf(await get(`/v1/financials?metric=ggr&country=Malta&limit=${limit}${cursor}`));
        expect(page.data.length).toBe(Math.min(limit, 16 - seen));
        seen += page.data.length;
        expect(page.pagination.has_more).toBe(seen < 16);
        if (seen === 16) expect(page.pagination.cursor).toBeNull();
        else expect(page.pagination.cursor).toEqual(expect.stringMatching(/./));
        cursor = `&cursor=${page.pagination.cursor}`;
      }
    });
  });

  describe('ruling 15: numbers and text', () => {
    it('gives every double in its shortest form', async () => {
      const answer = await get('/v1/financials?metric=fx&limit=1000');
      const { data } = pageOf(answer);
      expect(data.map(({ values }) => values.fx_current_usd)).toEqual(NUMBERS);
      for (const number of NUMBERS)
        expect(answer.text).toContain(`"fx_current_usd":${JSON.stringify(number)}`);
    });

    it('gives null for a value that the source leaves empty', async () => {
      const { data } = pageOf(await get('/v1/financials?metric=fx&limit=1'));
      expect(data[0]?.values).toEqual({
        fx_constant_usd: null,
        fx_current_eur: null,
        fx_constant_eur: 2,
        fx_current_usd: 0,
      });
    });

    it('gives every text as it is', async () => {
      const { data } = pageOf(await get('/v1/financials?metric=country'));
      expect(new Set(data.map(({ dimensions }) => dimensions.state))).toEqual(new Set(TEXTS));
      for (const state of TEXTS) {
        const page = pageOf(await get(`/v1/financials?${query({ metric: 'country', state })}`));
        expect(page).toMatchObject({
          meta: { filters_applied: { state: [state] }, row_count: 1 },
          data: [{ dimensions: { state } }],
        });
      }
    });
  });

  describe('ruling 17: /v1/reference', () => {
    const reference = (parameters: Parameters<typeof query>[0]) =>
      get(`/v1/reference?${query({ dataset: 'country_reference', ...parameters })}`);

    it('has the envelope of the financial answer, without a metric', async () => {
      const page = pageOf<unknown>(await reference({ region: 'Africa', limit: 2 }));
      expect(page).toEqual({
        meta: { dataset: 'country_reference', filters_applied: { region: ['Africa'] }, row_count: 2 },
        data: [
          { region: 'Africa', country: 'Congo, Democratic Republic of', country_type: 'Tracked' },
          { region: 'Africa', country: "Côte d'Ivoire", country_type: 'Tracked' },
        ],
        pagination: { cursor: expect.any(String), has_more: true },
      });
      const rest = await reference({ region: 'Africa', limit: 2, cursor: page.pagination.cursor ?? '' });
      expect(pageOf<unknown>(rest)).toMatchObject({
        data: [{ country: 'Zambia' }],
        pagination: { cursor: null, has_more: false },
      });
    });

    it('filters by region, country and country_type, alone and together', async () => {
      for (const filters of [
        { country: ['Zambia', 'Malta'] },
        { country_type: ['Amalgamated'] },
        { region: ['Africa', 'Europe'], country_type: ['Tracked'] },
        { country: [''] },
        { 'country[]': ['Türkiye'] },
      ]) {
        const { data } = pageOf<Record<string, string>>(await reference({ ...filters, limit: 1000 }));
        const fits = (row: Readonly<Record<string, string | number>>) =>
          Object.entries(filters).every(([name, values]) =>
            values.includes(String(row[name.replace('[]', '')])),
          );
        expect(data).toEqual(inOrder(WORLD.country_reference).filter(fits));
      }
    });

    it('requires dataset', async () => {
      const { status, json } = await get('/v1/reference?region=Africa');
      expect({ status, json }).toEqual({
        status: 400,
        json: {
          error: 'Invalid query parameters',
          details: { formErrors: [], fieldErrors: { dataset: [expect.stringMatching(/\S/)] } },
        },
      });
    });

    it.each(['ggr', 'turnover', 'fx', 'country', 'nope', 'COUNTRY_REFERENCE', '__proto__', "a'b"])(
      'knows no dataset %s',
      async (dataset) => {
        const { status, json } = await reference({ dataset });
        expect({ status, json }).toEqual({
          status: 400,
          json: { error: `Unknown dataset: '${dataset}'. Use GET /catalog to see available datasets.` },
        });
      },
    );
  });

  describe('ruling 18: 404', () => {
    it('is JSON, whatever format is requested', async () => {
      const { status, headers, json } = await get('/wp-login.php', { Accept: 'text/html' });
      expect({ status, json }).toEqual({ status: 404, json: { error: 'Endpoint does not exist' } });
      expect(headers['content-type']).toMatch(/^application\/json/);
    });
  });

  describe('ruling 19: caching', () => {
    const ANSWERS = [
      '/v1/catalog',
      '/v1/financials?metric=ggr',
      '/v1/financials?metric=fx&limit=3',
      '/v1/reference?dataset=country_reference',
    ];
    const REFUSALS = [
      '/nowhere',
      '/v1/financials',
      '/v1/financials?metric=ggr&cursor=x',
      '/v1/totals?dataset=ggr',
      '/v1/catalog?%ZZ',
      '/v1/%ZZ',
    ];

    it.each(ANSWERS)('lets %s be kept for an hour, by its reader alone', async (target) => {
      const { headers } = await get(target);
      expect(headers).toMatchObject({
        etag: expect.stringMatching(/^(W\/)?"[^"]+"$/),
        'cache-control': 'private, max-age=3600',
        'x-snapshot': expect.stringMatching(/^\d{4}-\d{2}\.[1-9]\d*$/),
        'x-request-id': expect.stringMatching(/\S/),
        vary: expect.stringMatching(/\S/),
      });
    });

    it.each(REFUSALS)('lets no one keep the error of %s', async (target) => {
      const { headers } = await get(target);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/\S/),
        vary: expect.stringMatching(/\S/),
      });
      expect(headers.etag).toBeUndefined();
    });

    it('gives the answer to OPTIONS a request id and Vary as well', async () => {
      const { headers } = await ask(server.url, '/v1/catalog', { method: 'OPTIONS' });
      expect(headers).toMatchObject({
        'x-request-id': expect.stringMatching(/\S/),
        vary: expect.stringMatching(/\S/),
      });
    });

    it('gives every request an id of its own', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => get('/v1/catalog')));
      expect(new Set(ids.map(({ headers }) => headers['x-request-id'])).size).toBe(20);
    });

    it.each(ANSWERS)('answers 304 without a body when the reader has %s', async (target) => {
      const { headers } = await get(target);
      const etag = headers.etag ?? '';
      const opaque = etag.replace(/^W\//, '');
      for (const known of [
        etag,
        opaque,
        `W/${opaque}`,
        '*',
        `"x", ${etag}`,
        `${etag},"y"`,
        `W/"x" , W/${opaque} ,"z"`,
        `, ,${etag},`,
      ]) {
        const again = await get(target, { 'If-None-Match': known });
        expect([known, again.status, again.text]).toEqual([known, 304, '']);
        for (const name of ['etag', 'cache-control', 'x-snapshot', 'vary']) {
          expect(again.headers[name]).toBe(headers[name]);
        }
        expect(again.headers['x-request-id']).toMatch(/\S/);
      }
    });

    it('answers in full when the reader has something else', async () => {
      const etag = (await get('/v1/catalog')).headers.etag ?? '';
      for (const known of [
        '"x"',
        'W/"x"',
        '"x", "y"',
        '',
        '"*"',
        etag.slice(0, -1),
        etag.replaceAll('"', ''),
        `"${etag}`,
        `x${etag}`,
        `${etag} x`,
        `"x" ${etag}`,
        `x, ${etag}`,
        `*, ${etag}`,
      ]) {
        const { status, text } = await get('/v1/catalog', { 'If-None-Match': known });
        expect([known, status, text.length > 0]).toEqual([known, 200, true]);
      }
    });

    it.each(REFUSALS)('never answers 304 for what would be an error: %s', async (target) => {
      const refused = await get(target);
      expect((await get(target, { 'If-None-Match': '*' })).status).toBe(refused.status);
    });

    it('answers 304 to HEAD too', async () => {
      const etag = (await get('/v1/catalog')).headers.etag ?? '';
      const { status } = await ask(server.url, '/v1/catalog', {
        method: 'HEAD',
        headers: { 'If-None-Match': etag },
      });
      expect(status).toBe(304);
    });

    it('gives different bytes different ETags, and the same query the same', async () => {
      const queries = [
        'metric=ggr',
        'metric=turnover',
        'metric=ggr&limit=99',
        'metric=ggr&country=Malta&country=Spain',
        'metric=ggr&country=Spain&country=Malta',
        'country=Malta&metric=ggr&fx=EUR',
        'fx=EUR&metric=ggr&country=Malta',
        'metric=ggr&year=2019&year=2020',
        'metric=ggr&period=2019-01-01:2020-12-31',
        'metric=ggr&year=02019&year=2020',
        'metric=ggr&country=T%C3%BCrkiye',
        'metric=ggr&country=Tu%CC%88rkiye',
        'metric=ggr&country=Nowhere',
        'metric=ggr&country=Neverland',
        'metric=ggr&country=a&country=b',
        'metric=ggr&country=a%00b',
        'metric=ggr&country=a,b',
        'metric=ggr&country=a%22,%22b',
      ];
      const bodies = new Map<string, string>();
      for (const text of queries) {
        const { headers, text: body } = await get(`/v1/financials?${text}`);
        const etag = headers.etag ?? '';
        expect([text, bodies.get(etag) ?? body]).toEqual([text, body]);
        bodies.set(etag, body);
        expect((await get(`/v1/financials?${text}`)).headers.etag).toBe(etag);
      }
    });
  });
});

describe('ruling 19: how long an answer may be cached', () => {
  it.each(some([0, 60, 2_592_000], 2))('can be set to %i seconds', async (cacheMaxAgeSeconds) => {
    const server = await startServer({ settings: { cacheMaxAgeSeconds } });
    try {
      const { headers } = await ask(server.url, '/v1/financials?metric=ggr');
      expect(headers['cache-control']).toBe(`private, max-age=${cacheMaxAgeSeconds}`);
      const refused = await ask(server.url, '/v1/financials');
      expect(refused.headers['cache-control']).toBe('no-store');
    } finally {
      await server.close();
    }
  });
});

describe('ruling 13: row order', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ rows: SORTED });
  });
  afterAll(() => server.close());

  it.each(some([3, 1, 50, 10, 1000], 3))('is the same in a walk at limit %i', async (limit) => {
    const expected = answered('ggr', SORTED.ggr ?? []);
    expect(await walk(server.url, `/v1/financials?metric=ggr&limit=${limit}`)).toEqual(expected);
  });

  it('is by code points, not by UTF-16 units or alphabet', async () => {
    const rows = await walk(server.url, '/v1/financials?metric=ggr&limit=1000');
    const countries = [...new Set(rows.map(({ dimensions }) => dimensions.country))];
    expect(countries).toEqual([
      'A',
      'A A',
      'AA',
      'Congo',
      'Congo, Democratic Republic of',
      'Congo-Brazzaville',
      'Cote',
      'Cotf',
      'Côte',
      "Côte d'Ivoire",
      'Turkey',
      'Türkiye',
      'Zambia',
      'a',
      'aland',
      'Åland',
      '\ue000',
      '\ufb01',
      'Ａ',
      '\uff5e',
      '\u{10000}',
      '\u{1f600}',
    ]);
  });

  it('applies within filters', async () => {
    const country = ['\u{1f600}', '\uff5e', 'Åland', 'Zambia'];
    const { data } = pageOf(
      await ask(server.url, `/v1/financials?${query({ metric: 'ggr', limit: 1000, country })}`),
    );
    const fits = (SORTED.ggr ?? []).filter((row) => country.includes(String(row.country)));
    expect(data).toEqual(answered('ggr', fits));
    expect(data).toHaveLength(32);
  });

  it('of country_reference is by country', async () => {
    const rows = await walk(server.url, '/v1/reference?dataset=country_reference&limit=4');
    expect(rows).toEqual(inOrder(SORTED.country_reference ?? []));
  });
});

describe('ruling 14: cursors', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ rows: WORLD });
  });
  afterAll(() => server.close());

  const FILTERS = 'metric=ggr&country=Malta&country=Spain&channel=Online';
  const first = async (filters = FILTERS, limit = 3) => {
    const page = pageOf(await ask(server.url, `/v1/financials?${filters}&limit=${limit}`));
    return page.pagination.cursor ?? '';
  };
  const INVALID = { status: 400, json: { error: 'Invalid pagination cursor' } };
  const refusal = async (target: string) => {
    const { status, json } = await ask(server.url, target);
    return { status, json };
  };

  it('are URL-safe as they are', async () => {
    expect(await first()).toMatch(/^[A-Za-z0-9._~-]+$/);
  });

  // test/query/cursor.test.ts alters, cuts and stretches a cursor at every character.
  it('are refused when altered, cut, stretched, doubled or written otherwise', async () => {
    const cursor = await first();
    const last = cursor.at(-1) ?? '';
    const all = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    const odd = [
      // The last character of base64 has unused bits. Every other character must be refused in its place.
      ...all.filter((other) => other !== last).map((other) => cursor.slice(0, -1) + other),
      cursor.slice(1),
      cursor.slice(0, -1),
      ...['=', '==', 'A', '-', '.', '%20', '+', '%00', '%0A', '%E2%80%8B'].flatMap((more) => [
        cursor + more,
        more + cursor,
      ]),
      cursor + cursor,
      cursor.toLowerCase(),
      cursor.toUpperCase(),
    ];
    for (const altered of odd)
      expect({ altered, ...(await refusal(`/v1/financials?${FILTERS}&cursor=${altered}`)) }).toEqual({
        altered,
        ...INVALID,
      });
  });

  it.each([
    'metric=ggr&country=Malta&channel=Online',
    'metric=ggr&country=Malta&country=Spain',
    'metric=ggr&country=Malta&country=Spain&channel=Land',
    'metric=ggr&country=Malta&country=Spain&channel=Online&state=',
    'metric=ggr&country=Malta&country=Spain&sub_channel=Online',
    'metric=ggr&country=Malta,Spain&channel=Online',
    'metric=ggr',
    'metric=turnover&country=Malta&country=Spain&channel=Online',
  ])('are refused with other filters or another dataset: %s', async (filters) => {
    expect(await refusal(`/v1/financials?${filters}&cursor=${await first()}`)).toEqual(INVALID);
  });

  it('are refused on the other endpoint, in both directions', async () => {
    const mine = await first('metric=ggr');
    expect(await refusal(`/v1/reference?dataset=country_reference&cursor=${mine}`)).toEqual(INVALID);
    const page = pageOf(await ask(server.url, '/v1/reference?dataset=country_reference&limit=3'));
    for (const metric of ['ggr', 'turnover', 'fx', 'country']) {
      expect(await refusal(`/v1/financials?metric=${metric}&cursor=${page.pagination.cursor}`)).toEqual(
        INVALID,
      );
    }
  });

  it('go on with another limit, and with the values in another order or repeated', async () => {
    const cursor = await first();
    const path = `/v1/financials?${FILTERS}&limit=4&cursor=${cursor}`;
    const expected = pageOf(await ask(server.url, path)).data;
    expect(expected).toHaveLength(4);
    for (const filters of [
      'metric=ggr&country=Spain&country=Malta&channel=Online',
      'channel=Online&country=Spain&metric=ggr&country=Malta&country=Spain',
      'metric=ggr&country[]=Malta&country[]=Spain&channel[]=Online',
    ]) {
      expect(
        pageOf(await ask(server.url, `/v1/financials?${filters}&limit=4&cursor=${cursor}`)).data,
      ).toEqual(expected);
    }
    const longer = pageOf(
      await ask(server.url, `/v1/financials?${FILTERS}&limit=1000&cursor=${cursor}`),
    ).data;
    expect(longer).toHaveLength(13);
    expect(longer.slice(0, 4)).toEqual(expected);
  });

  it('give the same page again, and name the same place again', async () => {
    const cursor = await first();
    expect(await first()).toBe(cursor);
    const path = `/v1/financials?${FILTERS}&limit=4&cursor=${cursor}`;
    expect((await ask(server.url, path)).text).toBe((await ask(server.url, path)).text);
  });

  it('work on every server over the same snapshots, whose ETags agree', async () => {
    const other = await startServer({ dataDir: server.dataDir });
    try {
      const path = `/v1/financials?${FILTERS}&limit=4&cursor=${await first()}`;
      const [here, there] = [await ask(server.url, path), await ask(other.url, path)];
      expect(there.text).toBe(here.text);
      expect(there.headers.etag).toBe(here.headers.etag);
      const known = { 'If-None-Match': here.headers.etag ?? '' };
      expect((await ask(other.url, path, { headers: known })).status).toBe(304);
    } finally {
      await other.close();
    }
  });
});

describe('ruling 14: cursors while snapshots come and go', () => {
  const GGR = WORLD.ggr;
  // The new month revises every value, adds a year within the requested period, and a country before all others.
  const NEXT: Rows = {
    ...WORLD,
    ggr: [
      ...GGR.map((row) => ({ ...row, ggr: Number(row.ggr) * 2 })),
      aRow('ggr', { country: 'Andorra' }),
      aRow('ggr', { country: 'Malta', year: 2022 }),
    ],
  };
  let folder: DataDir;
  beforeAll(async () => {
    folder = await aDataDir();
  });
  afterAll(() => folder.remove());

  it('keep to the snapshot they began with, over a publish and a restart, until that one is pruned', async () => {
    const { dataDir } = folder;
    await publishRows(dataDir, '2026-11.1', WORLD);
    const limits = [40, 5];
    const paths = ['metric=ggr', 'metric=ggr&country=Malta&period=2019-06-01:2022-06-01'].map(
      (filters, i) => `/v1/financials?${filters}&limit=${limits[i]}`,
    );
    let server = await startServer({ dataDir });
    try {
      const begun = await Promise.all(paths.map((target) => ask(server.url, target)));
      const before = begun.map((answer) => pageOf(answer));
      expect(begun.map(({ headers }) => headers['x-snapshot'])).toEqual(['2026-11.1', '2026-11.1']);
      await publishRows(dataDir, '2026-12.1', NEXT);
      expect(await snapshotWithin(server, '2026-12.1', SERVED_MS)).toBe('2026-12.1');
      const fresh = pageOf(await ask(server.url, paths[0] ?? ''));
      expect(fresh.data).toEqual(answered('ggr', NEXT.ggr ?? []).slice(0, 40));
      const refreshed = pageOf(await ask(server.url, paths[1] ?? ''));
      expect(refreshed.meta.filters_applied.year).toEqual(['2019', '2020', '2021', '2022']);

      const old = answered('ggr', GGR);
      const wanted = [
        old.slice(40),
        old
          .filter(({ dimensions: { country, year } }) => country === 'Malta' && Number(year) < 2022)
          .slice(5),
      ];
      const continued = async () => {
        for (const [i, target] of paths.entries()) {
          const from = `${target}&cursor=${before[i]?.pagination.cursor}`;
          const next = await ask(server.url, from);
          expect(next.headers['x-snapshot']).toBe('2026-11.1');
          expect(pageOf(next).meta.filters_applied).toEqual(before[i]?.meta.filters_applied);
          const rest = [...pageOf(next).data];
          for (let { cursor } = pageOf(next).pagination; cursor !== null; ) {
            const page = pageOf(await ask(server.url, `${target}&cursor=${cursor}`));
            rest.push(...page.data);
            cursor = page.pagination.cursor;
          }
          expect(rest).toEqual(wanted[i]);
        }
      };
      await continued();
      await server.close();
      server = await startServer({ dataDir });
      await continued();

      await server.close();
      await rm(path.join(dataDir, 'snapshots', '2026-11.1'), { recursive: true });
      server = await startServer({ dataDir });
      const refused = async () => {
        for (const [i, target] of paths.entries()) {
          const { status, json } = await ask(server.url, `${target}&cursor=${before[i]?.pagination.cursor}`);
          expect({ status, json }).toEqual({ status: 400, json: { error: 'Invalid pagination cursor' } });
        }
      };
      await refused();
      // This snapshot has the same id, but it is not the one with which the walk began.
      await publishRows(dataDir, '2026-11.1', NEXT);
      await refused();
    } finally {
      await server.close();
    }
  });
});

describe('ruling 18: no snapshot yet', () => {
  it('answers 503 as JSON until one is published, then serves it within 2 s', async () => {
    const { dataDir, remove } = await aDataDir();
    const server = await startServer({ dataDir });
    try {
      for (const target of ['/v1/financials?metric=ggr', '/v1/reference?dataset=country_reference']) {
        const { status, headers, json } = await ask(server.url, target);
        expect({ status, json }).toEqual({
          status: 503,
          json: { error: 'Service temporarily unavailable — please try again later' },
        });
        expect(headers).toMatchObject({
          'content-type': expect.stringMatching(/^application\/json/),
          'retry-after': '1',
          'cache-control': 'no-store',
          'x-request-id': expect.stringMatching(/\S/),
          vary: expect.stringMatching(/\S/),
        });
      }
      expect((await ask(server.url, '/v1/nothing')).status).toBe(404);
      await publishRows(dataDir, '2026-11.1');
      expect(await snapshotWithin(server, '2026-11.1', SERVED_MS)).toBe('2026-11.1');
    } finally {
      await server.close();
      await remove();
    }
  });
});

/** A poll takes two seconds, and a request follows. A busy machine takes longer for both. */
const SERVED_MS = isDeep ? 2500 : 60_000;

/** The value of `X-Snapshot` once it is the expected one, or at the deadline. */
async function snapshotWithin(server: Server, id: string, deadlineMs: number): Promise<string | undefined> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const { headers } = await ask(server.url, '/v1/financials?metric=ggr&limit=1');
    if (headers['x-snapshot'] === id || performance.now() > end) return headers['x-snapshot'];
    await sleep(50);
  }
}

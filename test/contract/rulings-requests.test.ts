// Rulings 1 to 10: how a request is read, and in what order it is refused.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { aRow } from '../support/snapshot.ts';
import { ask, getText, send } from './wire.ts';
import { answered, pageOf, query, WORLD, walk } from './world.ts';

// Beside the small market, there is a country for each of 200 values, and a name in decomposed form to compare with.
const MANY = Array.from({ length: 200 }, (_, i) => `Country ${String(i).padStart(3, '0')}`);
const GGR = [
  ...WORLD.ggr,
  ...MANY.map((country, i) => aRow('ggr', { country, region: 'Oceania', ggr: i + 0.5 })),
];

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({ rows: { ...WORLD, ggr: GGR } });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => ask(server.url, path, { headers });
const financials = (text: string) => get(`/v1/financials?${text}`);
const NOT_FOUND = { error: 'Endpoint does not exist' };
const MARKET = 'year, region, country, state, category, product, channel, sub_channel, fx, temporal';
const noDimension = (name: string, metric = 'ggr', valid = MARKET) => ({
  error: `Invalid filter dimension "${name}" for metric "${metric}". Valid dimensions: ${valid}`,
});

/** The fields that a 400 for the form of parameters names. Any other answer fails the test. */
async function fieldsOf(path: string): Promise<readonly string[]> {
  const { status, json } = await get(path);
  expect({ status, json }).toEqual({
    status: 400,
    json: {
      error: 'Invalid query parameters',
      details: { formErrors: [], fieldErrors: expect.any(Object) },
    },
  });
  const { fieldErrors } = (json as { details: { fieldErrors: Record<string, string[]> } }).details;
  for (const messages of Object.values(fieldErrors)) {
    expect(messages).toEqual([expect.stringMatching(/\S/)]);
  }
  return Object.keys(fieldErrors);
}

describe('ruling 1: the order of checks', () => {
  it('refuses an unknown path before any parameter', async () => {
    const { status, json } = await get('/v1/nothing?limit=0&%ZZ');
    expect({ status, json }).toEqual({ status: 404, json: NOT_FOUND });
  });

  it('names every parameter of a wrong shape at once, before anything else', async () => {
    const text = 'metric=nope&limit=0&period=x&year=MMXX&foo=1&cursor=x';
    expect(new Set(await fieldsOf(`/v1/financials?${text}`))).toEqual(new Set(['limit', 'period', 'year']));
    expect(new Set(await fieldsOf('/v1/financials?limit=0&foo=1'))).toEqual(new Set(['metric', 'limit']));
  });

  it('refuses an unknown metric before a parameter that is not a dimension', async () => {
    const { status, json } = await financials('foo=1&cursor=x&metric=nope');
    expect(status).toBe(400);
    expect(json).toEqual({ error: "Unknown metric: 'nope'. Use GET /catalog to see available datasets." });
  });

  it('refuses a parameter that is not a dimension before the cursor', async () => {
    const { status, json } = await financials('cursor=x&metric=ggr&foo=1');
    expect(status).toBe(400);
    expect(json).toEqual(noDimension('foo'));
  });

  it('refuses a wrong cursor last', async () => {
    const { status, json } = await financials('cursor=x&metric=ggr&country=Malta');
    expect(status).toBe(400);
    expect(json).toEqual({ error: 'Invalid pagination cursor' });
  });

  it('keeps to that order on /v1/reference', async () => {
    expect(await fieldsOf('/v1/reference?limit=0&dataset=nope&foo=1&cursor=x')).toEqual(['limit']);
    const unknown = await get('/v1/reference?dataset=nope&foo=1&cursor=x');
    expect(unknown.json).toEqual({
      error: "Unknown dataset: 'nope'. Use GET /catalog to see available datasets.",
    });
    const column = await get('/v1/reference?dataset=country_reference&cursor=x&foo=1');
    expect(column.json).toEqual({
      error:
        'Invalid filter dimension "foo" for dataset "country_reference". Valid dimensions: region, country, country_type',
    });
  });
});

describe('ruling 2: paths and methods', () => {
  it.each([
    '/V1/catalog',
    '/v1/Catalog',
    '/v1/CATALOG',
    '/v1/catalog/',
    '/v1/financials/?metric=ggr',
    '//v1/catalog',
    '/v1//catalog',
    '/v1/catalog//',
    '/v1%2Fcatalog',
    '/v1%2fcatalog',
    '/%76%31/catalog',
    '/v1/%63atalog',
    '/v1/catalog%20',
    '/v1/catalog%',
    '/v1/%ZZ',
    '/%',
    '/%FF',
    '/v1/./catalog',
    '/v1/x/../catalog',
    '/v1/catalog;v=1',
    '/v1/catalog.json',
    '/v1/__proto__',
    '/__proto__',
    '/v1/catalog\\',
  ])('takes no path but the exact one: %s', async (path) => {
    const { status, json } = await get(path);
    expect({ status, json }).toEqual({ status: 404, json: NOT_FOUND });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('answers %s with 404', async (method) => {
    for (const path of [
      '/v1/catalog',
      '/v1/financials?metric=ggr',
      '/v1/reference?dataset=country_reference',
    ]) {
      const { status, json } = await ask(server.url, path, { method });
      expect({ status, json }).toEqual({ status: 404, json: NOT_FOUND });
    }
  });

  it('answers a POST with a body, then the next request of the same connection', async () => {
    const body = '{"metric":"ggr"}';
    const posted = `POST /v1/financials HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answers = await send(server.url, posted + getText('/v1/catalog'));
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  it.each(['/v1/catalog', '/v1/financials', '/v1/financials?metric=nope', '/v1/reference?%ZZ'])(
    'answers OPTIONS %s with what is allowed',
    async (path) => {
      const { status, headers, text } = await ask(server.url, path, { method: 'OPTIONS' });
      expect({ status, allow: headers.allow, text }).toEqual({
        status: 204,
        allow: 'GET, HEAD, OPTIONS',
        text: '',
      });
    },
  );

  it('has no OPTIONS for what does not exist', async () => {
    for (const path of ['/v1/nothing', '/', '/v1/catalog/']) {
      expect((await ask(server.url, path, { method: 'OPTIONS' })).status).toBe(404);
    }
  });

  it.each([
    '/v1/catalog',
    '/v1/financials?metric=ggr&limit=3',
    '/v1/reference?dataset=country_reference',
    '/v1/financials',
    '/no',
  ])('answers HEAD %s as GET, without a body', async (path) => {
    const head = await ask(server.url, path, { method: 'HEAD' });
    const full = await get(path);
    expect(head.text).toBe('');
    expect(head.status).toBe(full.status);
    const changing = ['date', 'x-request-id', 'connection', 'keep-alive'];
    const steady = ({ headers }: typeof head) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)));
    expect(steady(head)).toEqual(steady(full));
  });

  it('reads header names in any case', async () => {
    const etag = (await get('/v1/catalog')).headers.etag ?? '';
    for (const name of ['If-None-Match', 'if-none-match', 'IF-NONE-MATCH']) {
      expect((await get('/v1/catalog', { [name]: etag })).status).toBe(304);
    }
  });

  it('takes the absolute form of a request line, as RFC 9112 asks of every server', async () => {
    const [found, missing] = await send(
      server.url,
      getText('http://localhost/v1/catalog', '') + getText('http://localhost/v1/catalog/'),
    );
    expect([found?.status, missing?.status]).toEqual([200, 404]);
  });

  it('answers requests sent in one go in their order', async () => {
    const paths = [
      '/v1/catalog',
      '/no',
      '/v1/financials?metric=ggr&limit=1',
      '/v1/financials',
      '/v1/catalog',
    ];
    const text = paths.map((path, i) => getText(path, i === paths.length - 1 ? undefined : '')).join('');
    expect((await send(server.url, text)).map(({ status }) => status)).toEqual([200, 404, 200, 400, 200]);
  });
});

describe('ruling 3: several values of one filter', () => {
  it.each([1, 2, 20, 21, 22, 199, 200])('takes %i of them', async (count) => {
    const wanted = MANY.slice(0, count);
    const { data, meta } = pageOf(await financials(query({ metric: 'ggr', limit: 1000, country: wanted })));
    expect(data).toEqual(
      answered(
        'ggr',
        GGR.filter(({ country }) => wanted.includes(String(country))),
      ),
    );
    expect(meta.filters_applied).toEqual({ country: wanted });
  });

  it('takes them in any order and echoes that order', async () => {
    const wanted = ['Spain', 'Malta', 'Åland', 'Country 007'];
    const { data, meta } = pageOf(await financials(query({ metric: 'ggr', limit: 1000, country: wanted })));
    expect(meta.filters_applied.country).toEqual(wanted);
    expect(data).toEqual(
      answered(
        'ggr',
        GGR.filter(({ country }) => wanted.includes(String(country))),
      ),
    );
  });

  it('takes the brackets as an alias, also encoded, also mixed', async () => {
    for (const text of [
      'country[]=Spain&country[]=Malta',
      'country%5B%5D=Spain&country=Malta',
      'country=Spain&country[]=Malta',
    ]) {
      const { data, meta } = pageOf(await financials(`metric=ggr&${text}`));
      expect(meta.filters_applied).toEqual({ country: ['Spain', 'Malta'] });
      expect(data).toHaveLength(32);
    }
  });

  it('keeps the order in which a filter was given when other parameters stand between', async () => {
    const { meta } = pageOf(await financials('country=Spain&metric=ggr&year=2020&country=Malta&year=2019'));
    expect(meta.filters_applied).toEqual({ country: ['Spain', 'Malta'], year: ['2020', '2019'] });
  });

  it('drops repeats', async () => {
    const { data, meta } = pageOf(
      await financials('metric=ggr&country=Malta&country=Spain&country=Malta&country[]=Malta'),
    );
    expect(meta.filters_applied).toEqual({ country: ['Malta', 'Spain'] });
    expect(data).toHaveLength(32);
  });

  it('never splits at a comma', async () => {
    const congo = 'Congo, Democratic Republic of';
    const { data, meta } = pageOf(await financials(query({ metric: 'ggr', country: congo })));
    expect(meta.filters_applied).toEqual({ country: [congo] });
    expect(data).toHaveLength(16);
    expect(pageOf(await financials('metric=ggr&country=Malta,Spain')).data).toEqual([]);
    expect(await fieldsOf('/v1/financials?metric=ggr&year=2019,2020')).toEqual(['year']);
  });

  it.each(['country[0]', 'country[a]', 'country.0', 'country[][]', '[]country', 'country[', 'country]'])(
    'knows no other notation: %s is not a dimension',
    async (name) => {
      const { status, json } = await financials(`metric=ggr&${encodeURIComponent(name)}=Malta`);
      expect({ status, json }).toEqual({ status: 400, json: noDimension(name) });
    },
  );

  it('takes requests of almost 64 KiB', async () => {
    const values = Array.from({ length: 3000 }, (_, i) => `country=No+land+${i}`).join('&');
    expect(values.length).toBeGreaterThan(59_000);
    expect(values.length).toBeLessThan(63_000);
    const { data, meta } = pageOf(await financials(`metric=ggr&country=Malta&${values}`));
    expect(data).toHaveLength(16);
    expect(meta.filters_applied.country).toHaveLength(3001);
  });

  const TOO_LONG = [
    ['a query of 70 KB', getText(`/v1/financials?metric=ggr&country=${'x'.repeat(70_000)}`)],
    ['a query of 100 KB', getText(`/v1/financials?metric=ggr&country=${'x'.repeat(100_000)}`)],
    ['a query of 1 MB', getText(`/v1/financials?metric=ggr&country=${'x'.repeat(1_000_000)}`)],
    ['a header of 70 KB', getText('/v1/catalog', `X-Long: ${'x'.repeat(70_000)}\r\nConnection: close\r\n`)],
    ['many headers of 70 KB', getText('/v1/catalog', `X-Long: ${'x'.repeat(700)}\r\n`.repeat(100))],
  ] as const;

  it.each(TOO_LONG)('refuses %s with 431 as JSON, every time', async (_, text) => {
    for (let again = 0; again < 5; again++) {
      const [answer] = await send(server.url, text);
      expect(answer?.status).toBe(431);
      expect(answer?.json).toEqual({ error: expect.stringMatching(/\S/) });
      expect(answer?.headers).toMatchObject({
        'content-type': expect.stringMatching(/^application\/json/),
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/\S/),
        vary: expect.stringMatching(/\S/),
      });
    }
    expect((await get('/v1/catalog')).status).toBe(200);
  });
});

describe('ruling 4: encoding', () => {
  const BROKEN = [
    '%',
    '%Z',
    '%ZZ',
    '%4',
    '%FF',
    '%C3',
    '%C3%28',
    '%C0%AF',
    '%ED%A0%80',
    '%F4%90%80%80',
    '%80',
    'a%E2%82',
  ];

  it.each(BROKEN)('refuses %s in a value, a name or alone', async (broken) => {
    for (const path of [
      `/v1/financials?metric=ggr&country=${broken}`,
      `/v1/financials?metric=ggr&${broken}=x`,
      `/v1/financials?${broken}`,
      `/v1/financials?metric=nope&limit=0&country=${broken}`,
      `/v1/reference?dataset=country_reference&country=${broken}`,
      `/v1/catalog?${broken}`,
    ]) {
      const { status, json } = await get(path);
      expect({ path, status, json }).toEqual({
        path,
        status: 400,
        json: {
          error: 'Invalid query parameters',
          details: { formErrors: [expect.stringMatching(/\S/)], fieldErrors: {} },
        },
      });
    }
  });

  it('refuses bytes beyond ASCII that are not UTF-8', async () => {
    const bytes = Buffer.from(getText('/v1/financials?metric=ggr&country=T\u00fcrkiye'), 'latin1');
    const [answer] = await send(server.url, bytes);
    expect(answer?.status).toBe(400);
    expect(answer?.json).toMatchObject({ error: expect.stringMatching(/\S/) });
  });

  it('never misreads unencoded UTF-8: the rows of that name, or an error', async () => {
    const [answer] = await send(
      server.url,
      Buffer.from(getText('/v1/financials?metric=ggr&country=Türkiye')),
    );
    if (answer?.status !== 200) expect(answer?.status).toBe(400);
    else
      expect(pageOf(answer)).toMatchObject({
        meta: { filters_applied: { country: ['Türkiye'] }, row_count: 16 },
      });
  });

  it.each([
    ['U+FFFD itself', '%EF%BF%BD', '\ufffd'],
    ['a byte order mark', '%EF%BB%BFMalta', '\ufeffMalta'],
    ['NUL', 'Malta%00', 'Malta\u0000'],
    ['a line break', 'Malta%0D%0A', 'Malta\r\n'],
    ['an emoji', '%F0%9F%98%80', '😀'],
    ['a quote', "O'Higgins%22%5C", 'O\'Higgins"\\'],
    ['a percent sign', '%2525', '%25'],
    ['an ampersand', 'a%26b%3Dc', 'a&b=c'],
    ['equals signs', 'a=b=c', 'a=b=c'],
    ['SQL', "x';DROP+TABLE+ggr;--", "x';DROP TABLE ggr;--"],
  ])('takes %s as text that no row has, and echoes it', async (_, written, value) => {
    const { data, meta } = pageOf(await financials(`metric=ggr&country=${written}`));
    expect(data).toEqual([]);
    expect(meta.filters_applied).toEqual({ country: [value] });
  });

  it('reads + and %20 as a space', async () => {
    for (const text of ['country=United+States', 'country=United%20States']) {
      expect(pageOf(await financials(`metric=ggr&limit=1&${text}`)).meta.row_count).toBe(1);
    }
  });

  it.each(["Co\u0302te d'Ivoire", "Côte d'Ivoire", 'A\u030aland', '\u212bland', 'Tu\u0308rkiye'])(
    'compares %s in NFC and echoes it as given',
    async (country) => {
      const { data, meta } = pageOf(await financials(query({ metric: 'ggr', country })));
      expect(data.map(({ dimensions }) => dimensions.country)).toEqual(
        Array(16).fill(country.normalize('NFC')),
      );
      expect(meta.filters_applied).toEqual({ country: [country] });
      const reference = pageOf(
        await get(`/v1/reference?${query({ dataset: 'country_reference', country })}`),
      );
      expect(reference.meta).toMatchObject({ filters_applied: { country: [country] }, row_count: 1 });
    },
  );

  it('gives a row once when two spellings of its value are asked for', async () => {
    const country = ["Co\u0302te d'Ivoire", "Côte d'Ivoire"];
    expect(pageOf(await financials(query({ metric: 'ggr', country }))).data).toHaveLength(16);
  });
});

describe('ruling 5: the shape of parameters', () => {
  it.each(['metric', 'period', 'limit', 'cursor'])('refuses %s given twice, alike or not', async (name) => {
    const value: Record<string, string> = {
      metric: 'ggr',
      period: '2020-01-01:2020-12-31',
      limit: '5',
      cursor: 'x',
    };
    const rest = name === 'metric' ? '' : 'metric=ggr&';
    expect(await fieldsOf(`/v1/financials?${rest}${name}=${value[name]}&${name}=${value[name]}`)).toEqual([
      name,
    ]);
    expect(await fieldsOf(`/v1/financials?${rest}${name}=${value[name]}&${name}=`)).toEqual([name]);
  });

  it.each(['dataset', 'limit', 'cursor'])('refuses %s given twice on /v1/reference', async (name) => {
    const value: Record<string, string> = { dataset: 'country_reference', limit: '5', cursor: 'x' };
    const rest = name === 'dataset' ? '' : 'dataset=country_reference&';
    expect(await fieldsOf(`/v1/reference?${rest}${name}=${value[name]}&${name}=${value[name]}`)).toEqual([
      name,
    ]);
  });

  it('refuses an empty metric', async () => {
    expect(await fieldsOf('/v1/financials?metric=')).toEqual(['metric']);
    expect(await fieldsOf('/v1/financials?metric')).toEqual(['metric']);
  });

  const LIMITS = [
    '0',
    '00',
    '1001',
    '99999999999999999999',
    '-1',
    '+1',
    '1.0',
    '1e2',
    '0x10',
    '',
    ' 5',
    '5 ',
    'ten',
    '５',
    '1,000',
    'NaN',
    'Infinity',
    '5\n',
  ];
  it.each(LIMITS)('refuses the limit %j', async (limit) => {
    expect(await fieldsOf(`/v1/financials?${query({ metric: 'ggr', limit })}`)).toEqual(['limit']);
    expect(await fieldsOf(`/v1/reference?${query({ dataset: 'country_reference', limit })}`)).toEqual([
      'limit',
    ]);
  });

  it.each([
    ['1', 1],
    ['007', 7],
    ['1000', 360],
  ])('takes the limit %s', async (limit, rows) => {
    expect(pageOf(await financials(query({ metric: 'ggr', limit }))).meta.row_count).toBe(rows);
  });

  const NO_YEARS = [
    '',
    'x',
    '2020.0',
    '2e3',
    '+2020',
    ' 2020',
    '2020 ',
    '--1',
    '-',
    '0x7e4',
    '２０２０',
    '2020\n',
    '2019-2020',
  ];
  it.each(NO_YEARS)('refuses the year %j', async (year) => {
    expect(await fieldsOf(`/v1/financials?${query({ metric: 'ggr', year })}`)).toEqual(['year']);
    expect(await fieldsOf(`/v1/financials?${query({ metric: 'ggr', year: ['2020', year] })}`)).toEqual([
      'year',
    ]);
    expect(await fieldsOf(`/v1/financials?${query({ metric: 'ggr', 'year[]': year })}`)).toEqual(['year']);
  });

  it.each(['-1', '0', '-2020', '2147483648', '-2147483649', '9007199254740993', '1'.repeat(400)])(
    'takes the year %s, which no row has',
    async (year) => {
      const { data, meta } = pageOf(await financials(query({ metric: 'ggr', year })));
      expect(data).toEqual([]);
      expect(meta.filters_applied).toEqual({ year: [year] });
    },
  );
});

describe('ruling 6: the default limit', () => {
  it('is 100', async () => {
    const { meta, pagination } = pageOf(await financials('metric=ggr'));
    expect([meta.row_count, pagination.has_more]).toEqual([100, true]);
    expect(await walk(server.url, '/v1/financials?metric=ggr')).toEqual(answered('ggr', GGR));
  });
});

describe('ruling 7: values without rows', () => {
  it.each([
    { country: 'Atlantis' },
    { country: '' },
    { country: 'malta' },
    { fx: 'eur' },
    { year: '1850' },
    { country: ['Atlantis', 'Mu'] },
  ])('answers %j with no rows and no error', async (filters) => {
    const { data, meta, pagination } = pageOf(await financials(query({ metric: 'ggr', ...filters })));
    expect(data).toEqual([]);
    expect(meta.row_count).toBe(0);
    expect(pagination).toEqual({ cursor: null, has_more: false });
    const echo = Object.entries(filters).map(([name, value]) => [name, [value].flat()]);
    expect(meta.filters_applied).toEqual(Object.fromEntries(echo));
  });

  it('keeps the rows of the known values when others are unknown', async () => {
    const { data } = pageOf(await financials('metric=ggr&country=Atlantis&country=Malta'));
    expect(data).toHaveLength(16);
  });

  it.each(['state=', 'state', 'state[]='])('takes %s as the rows without a state', async (text) => {
    const { data, meta } = pageOf(await financials(`metric=ggr&country=United+States&${text}`));
    expect(data.map(({ dimensions }) => dimensions.state)).toEqual(Array(16).fill(''));
    expect(meta.filters_applied.state).toEqual(['']);
  });

  it('takes the rows without a state together with one state', async () => {
    const { data } = pageOf(await financials('metric=ggr&country=United+States&state=&state=Nevada'));
    expect(data).toHaveLength(32);
  });
});

describe('ruling 8: period', () => {
  const period = async (value: string, more = '') =>
    pageOf(await financials(`metric=country&country=Malta&period=${value}${more}`));
  const years = (page: Awaited<ReturnType<typeof period>>) =>
    page.data.map(({ dimensions }) => Number(dimensions.year)).sort((a, b) => a - b);

  it.each([
    ['2020-06-01:2021-05-31', [2020, 2021]],
    ['2020-12-31:2021-01-01', [2020, 2021]],
    ['2020-07-15:2020-07-15', [2020]],
    ['2020-02-29:2020-02-29', [2020]],
    ['2000-02-29:2019-01-01', [2019]],
    ['2021-01-02:2030-01-01', [2021, 2026]],
    ['0000-01-01:9999-12-31', [2019, 2020, 2021, 2026]],
    ['2022-01-01:2025-12-31', []],
  ])('%s keeps every year that it touches, and echoes those the dataset has', async (value, kept) => {
    const page = await period(value);
    expect(years(page)).toEqual(kept);
    expect(page.meta.filters_applied).toEqual({ country: ['Malta'], year: kept.map(String) });
  });

  it.each([
    '2021-02-29:2021-12-31',
    '1900-02-29:2021-12-31',
    '2020-02-30:2021-12-31',
    '2020-04-31:2021-12-31',
    '2020-13-01:2021-12-31',
    '2020-00-10:2021-12-31',
    '2020-01-00:2021-12-31',
    '2020-01-32:2021-12-31',
    '2020-01-01:2020-99-99',
    '2021-01-01:2020-12-31',
    '2020-05-02:2020-05-01',
  ])('%s is not a period: such dates do not exist, or the start is after the end', async (value) => {
    const { status, json } = await financials(`metric=country&period=${value}`);
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        error: 'Invalid query parameters',
        details: { formErrors: [], fieldErrors: { period: ['Expected format: YYYY-MM-DD:YYYY-MM-DD'] } },
      },
    });
  });

  it('holds together with year, and echoes the years given that it keeps, in the order given', async () => {
    const page = await period('2020-01-01:2026-12-31', '&year=2021&year=2019&year=2020');
    expect(years(page)).toEqual([2020, 2021]);
    expect(page.meta.filters_applied.year).toEqual(['2021', '2020']);
  });

  it('keeps no row when year and period share none', async () => {
    const page = await period('2020-01-01:2020-12-31', '&year=2019');
    expect(page.meta).toMatchObject({ filters_applied: { country: ['Malta'], year: [] }, row_count: 0 });
    expect(page.pagination).toEqual({ cursor: null, has_more: false });
  });

  it('takes the years from the whole dataset, not from the other filters', async () => {
    const page = pageOf(await financials('metric=ggr&country=Country+000&period=2019-01-01:2020-12-31'));
    expect(page.meta.filters_applied.year).toEqual(['2019', '2020']);
    expect(page.data).toEqual([]);
  });

  it('pages like any other filter', async () => {
    const path = '/v1/financials?metric=ggr&period=2020-06-01:2021-05-31&limit=7';
    const fits = GGR.filter(({ year }) => year === 2020 || year === 2021);
    expect(await walk(server.url, path)).toEqual(answered('ggr', fits));
  });
});

describe('ruling 9: the dimension named in an error', () => {
  it('is the first of several, in the order of the query', async () => {
    expect((await financials('zzz=1&metric=ggr&aaa=1&calculation=x')).json).toEqual(noDimension('zzz'));
    expect((await financials('metric=ggr&calculation=x&zzz=1')).json).toEqual(noDimension('calculation'));
  });

  it('has no brackets when another dataset has it, and keeps them otherwise', async () => {
    expect((await financials('metric=ggr&calculation[]=x')).json).toEqual(noDimension('calculation'));
    expect((await financials('metric=ggr&fx_local_currency%5B%5D=x')).json).toEqual(
      noDimension('fx_local_currency'),
    );
    expect((await financials('metric=ggr&country_type[]=x')).json).toEqual(noDimension('country_type'));
    expect((await financials('metric=ggr&foo[]=x')).json).toEqual(noDimension('foo[]'));
    expect((await financials('metric=ggr&limit[]=5')).json).toEqual(noDimension('limit[]'));
    expect((await financials('metric=ggr&__proto__[]=5')).json).toEqual(noDimension('__proto__[]'));
  });
});

describe('ruling 10: unknown parameters are never ignored', () => {
  it.each(['foo', 'metric', 'limit', 'cursor', 'constructor', 'toString', 'a b', 'é'])(
    'names %j in an error of /v1/catalog',
    async (name) => {
      expect(await fieldsOf(`/v1/catalog?${encodeURIComponent(name)}=1`)).toEqual([name]);
      expect(await fieldsOf(`/v1/catalog?${encodeURIComponent(name)}`)).toEqual([name]);
    },
  );

  it('names __proto__ too', async () => {
    const { status, text } = await get('/v1/catalog?__proto__=1');
    expect(status).toBe(400);
    expect(text).toMatch(
      /^\{"error":"Invalid query parameters","details":\{"formErrors":\[\],"fieldErrors":\{"__proto__":\["[^"]+"\]\}\}\}$/,
    );
  });

  it('names all of them', async () => {
    expect(new Set(await fieldsOf('/v1/catalog?foo=1&bar=2&foo=3'))).toEqual(new Set(['foo', 'bar']));
  });

  it.each(['foo', 'metric', 'year', 'period', 'state', 'country[0]', '__proto__', 'constructor'])(
    'names %s in an error of /v1/reference',
    async (name) => {
      const { status, json } = await get(
        `/v1/reference?${query({ dataset: 'country_reference', [name]: '2020' })}`,
      );
      expect({ status, json }).toEqual({
        status: 400,
        json: {
          error: `Invalid filter dimension "${name}" for dataset "country_reference". Valid dimensions: region, country, country_type`,
        },
      });
    },
  );
});

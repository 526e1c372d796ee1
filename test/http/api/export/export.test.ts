// Exports as Parquet, CSV, Arrow and workbook: rows, headers, ranges, limits.

import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import XLSX from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecordBatchReader, tableFromIPC } from 'apache-arrow';
import { strFromU8, unzipSync } from 'fflate';
import { datasetOf } from '../../../../src/catalog/datasets.ts';
import { requestedRange } from '../../../../src/http/api/export/byteRange.ts';
import { EXPORT_DEFAULTS } from '../../../../src/http/api/export/export.ts';
import { createYielding, YIELDING_DEFAULTS } from '../../../../src/query/yielding.ts';
import { ask } from '../../../contract/wire.ts';
import { isDeep, itInDepth, some } from '../../../support/depth.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { aDataDir, publishRows, publishSql } from '../../../support/snapshot.ts';
import { tablesOf } from '../../../support/sourceFile.ts';
import { query } from '../../../support/testEngine.ts';

/** The rows make several batches and several megabytes of text. A few of them have odd texts. */
const ROWS = isDeep ? 40_000 : 20_000;
const SELECT = `
  SELECT 2010 + (i % 10)::INTEGER AS year, 'Europe' AS region, 'C' || i // ${ROWS / 4} AS country, '' AS state,
    CASE WHEN i < 50 THEN ' a,"b"<&>_x0041_' || chr(31) || chr(10) || 'é😀' ELSE 'Betting' END AS category,
    'P' || i // 10 AS product, 'Land' AS channel, 'Venue' AS sub_channel, 'EUR' AS fx, 'Current' AS temporal,
    CASE WHEN i % 7 = 0 THEN NULL ELSE i / 8 END AS ggr
  FROM range(${ROWS}) AS t(i)`;

/**
 * The file is larger than the buffers between server and client, even compressed. It has only 2,000 different long texts,
 * so the server prepares them fast.
 */
const LARGE = SELECT.replace(`range(${ROWS})`, 'range(150000)')
  .replace("'' AS state", "'S' || i // 2000 AS state")
  .replace("'P' || i // 10", 'repeat(md5((i % 2000)::VARCHAR) || md5((i % 2000 + 1)::VARCHAR), 2)')
  .replace('AS ggr', 'AS turnover');

/** A row whose metrics are null before another value and at the end. */
const FX = `
  SELECT 2020 AS year, 'Europe' AS region, 'Malta' AS country, '' AS state, 'EUR' AS fx_local_currency,
    'Current' AS temporal, 'Reported' AS calculation, 1.5::DOUBLE AS fx_constant_usd, NULL::DOUBLE AS fx_current_eur,
    1e11::DOUBLE AS fx_constant_eur, NULL::DOUBLE AS fx_current_usd`;

const FOLDER = path.join(os.tmpdir(), 'exports-');
const FILTER = 'country=C1&country=C3&year=2015&year=2016';

let server: TestServer;
let dataDir: string;
let folder: string;
let rows: Record<string, unknown>[];
let remove: () => Promise<void>;
const instances: TestServer[] = [];
beforeAll(async () => {
  ({ dataDir, remove } = await aDataDir());
  folder = await mkdtemp(FOLDER);
  await publishSql(dataDir, '2026-11.1', { ggr: SELECT, turnover: LARGE, fx: FX });
  server = await start(LENIENT_PACE);
  rows = await parquetRows(path.join(dataDir, 'current', 'ggr.parquet'));
});
afterAll(async () => {
  for (const one of instances) await one.close();
  await remove();
  await rm(folder, { recursive: true });
});

/** On a busy machine clients read slowly, so this pace is lenient. */
const LENIENT_PACE = { minBytes: 65_536, windowMs: 60_000 };

async function start(pace: { readonly minBytes: number; readonly windowMs: number }) {
  const exports = { ...EXPORT_DEFAULTS, pace, temporaryFolder: folder };
  const started = await startServer({ dataDir, exports });
  instances.push(started);
  return started;
}

const parquetRows = async (file: string): Promise<Record<string, unknown>[]> =>
  (await query(`FROM read_parquet('${file}')`)).getRowObjectsJS();

async function bytesOf(asked: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + asked, {
    headers: { 'Accept-Encoding': 'identity', ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

const selected = () =>
  rows.filter(
    ({ country, year }) => ['C1', 'C3'].includes(String(country)) && [2015, 2016].includes(Number(year)),
  );

it.each([
  ['parquet', 'application/vnd.apache.parquet'],
  ['csv', 'text/csv; charset=utf-8; header=present'],
  ['arrow', 'application/vnd.apache.arrow.file'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
])('an export as .%s has the media type %s', async (format, mediaType) => {
  const { response } = await bytesOf(`/v1/export/ggr.${format}?country=C1`);
  expect(response.headers.get('content-type')).toBe(mediaType);
});

describe('the published Parquet file', () => {
  it('is sent byte for byte, with its digest', async () => {
    const { response, bytes } = await bytesOf('/v1/export/ggr.parquet');
    const published = await readFile(path.join(dataDir, 'current', 'ggr.parquet'));
    expect(bytes.equals(published)).toBe(true);
    const sha256 = createHash('sha256').update(published);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${sha256.copy().digest('hex')}"`,
      'repr-digest': `sha-256=:${sha256.digest('base64')}:`,
      'accept-ranges': 'bytes',
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(published.length),
      'content-disposition': 'attachment; filename="ggr-2026-11.1.parquet"',
      'x-snapshot': '2026-11.1',
    });
    const head = await fetch(`${server.url}/v1/export/ggr.parquet`, {
      method: 'HEAD',
      headers: { Range: 'bytes=0-1' },
    });
    expect({ status: head.status, length: head.headers.get('content-length') }).toEqual({
      status: 200,
      length: String(published.length),
    });
  });

  it('is sent in parts to clients that have the same file', async () => {
    const published = await readFile(path.join(dataDir, 'current', 'ggr.parquet'));
    const etag = (await bytesOf('/v1/export/ggr.parquet')).response.headers.get('etag') ?? '';
    const part = async (headers: Record<string, string>) => {
      const { response, bytes } = await bytesOf('/v1/export/ggr.parquet', headers);
      return { status: response.status, range: response.headers.get('content-range'), bytes };
    };
    const size = published.length;
    expect(await part({ Range: 'bytes=-8' })).toEqual({
      status: 206,
      range: `bytes ${size - 8}-${size - 1}/${size}`,
      bytes: published.subarray(-8),
    });
    expect(await part({ Range: 'bytes=4-9', 'If-Range': etag })).toEqual({
      status: 206,
      range: `bytes 4-9/${size}`,
      bytes: published.subarray(4, 10),
    });
    expect(await part({ Range: 'bytes=4-9', 'If-Range': `W/${etag}` })).toMatchObject({
      status: 200,
      range: null,
    });
    expect(await part({ Range: 'bytes=0-1,4-9' })).toMatchObject({ status: 200, range: null });
    const beyond = await part({ Range: `bytes=${size}-` });
    expect({ ...beyond, bytes: JSON.parse(beyond.bytes.toString()) }).toMatchObject({
      status: 416,
      range: `bytes */${size}`,
      bytes: { error: expect.stringContaining(String(size)) },
    });
    expect((await part({ Range: 'bytes=0-1', 'If-None-Match': etag })).status).toBe(304);
  });

  it('is never sent in parts of two files to clients that say which one they have', async () => {
    const whole = await bytesOf('/v1/export/ggr.parquet');
    const etag = whole.response.headers.get('etag') ?? '';
    const part = async (ifMatch: string) => {
      const headers = { Range: 'bytes=4-9', 'If-Match': ifMatch };
      const { response, bytes } = await bytesOf('/v1/export/ggr.parquet', headers);
      return { status: response.status, bytes, caching: response.headers.get('cache-control') };
    };
    for (const matching of [etag, '*', `"other", ${etag}`])
      expect(await part(matching)).toMatchObject({ status: 206, bytes: whole.bytes.subarray(4, 10) });
    for (const other of ['"other"', `W/${etag}`, '', etag.replaceAll('"', '')]) {
      const refused = await part(other);
      expect(refused).toMatchObject({ status: 412, caching: 'no-store' });
      expect(JSON.parse(refused.bytes.toString()).error).toContain('If-Match');
    }
    // If-Match is decided first: even a matching If-None-Match does not turn the 412 into a 304.
    const both = { 'If-Match': '"other"', 'If-None-Match': etag };
    expect((await bytesOf('/v1/export/ggr.parquet', both)).response.status).toBe(412);
  });

  it.each([
    ['bytes=0-0', { kind: 'part', first: 0, last: 0 }],
    ['bytes=5-', { kind: 'part', first: 5, last: 9 }],
    ['bytes=5-100', { kind: 'part', first: 5, last: 9 }],
    ['bytes=-3', { kind: 'part', first: 7, last: 9 }],
    ['bytes=-100', { kind: 'part', first: 0, last: 9 }],
    ['BYTES=1-2', { kind: 'part', first: 1, last: 2 }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=10-', { kind: 'unsatisfiable' }],
    ['bytes=99999999999999999999-', { kind: 'unsatisfiable' }],
    ...[
      '',
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=2-1',
      'bytes=a-b',
      'bytes=1-2-3',
      'bytes=1-2,3-4',
      'bytes=+1-2',
      'bytes=1.5-2',
      'items=0-1',
      'bytes 0-1',
      'bytes=0x1-2',
      'bytes=--1',
      'bytes = 0-1',
      'bytes=0 - 1',
      'bytes= 0-1',
    ].map((text) => [text, { kind: 'whole' }] as const),
  ] as const)('reads Range: %j', (range, wanted) => {
    expect(requestedRange({ range }, 10, '"x"')).toEqual(wanted);
  });
});

describe('an export', () => {
  it('as CSV has every row in order', async () => {
    const page = await server.get('/v1/financials?metric=ggr&limit=1000', { Accept: 'text/csv' });
    const { response, bytes } = await bytesOf('/v1/export/ggr.csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('content-encoding')).toBeNull();
    const text = bytes.toString();
    expect(text.startsWith(page.text)).toBe(true);
    expect(text.split('\r\n')).toHaveLength(ROWS + 2);
    const zipped = await fetch(`${server.url}/v1/export/ggr.csv`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(await zipped.text()).toBe(text);
    const { bytes: selection } = await bytesOf(`/v1/export/ggr.csv?${FILTER}`);
    expect(selection.toString().split('\r\n')).toHaveLength(selected().length + 2);
  });

  it('as Parquet and as Arrow has the very rows that the filters select, in their order', async () => {
    const { response, bytes } = await bytesOf(`/v1/export/ggr.parquet?${FILTER}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="ggr-.+\.parquet"$/),
      'x-snapshot': '2026-11.1',
    });
    const file = path.join(folder, 'got.parquet');
    await writeFile(file, bytes);
    expect(await parquetRows(file)).toEqual(selected());
    await rm(file);
    for (const [filter, wanted] of [
      [FILTER, selected()],
      ['', rows],
      ['country=nowhere', []],
    ] as const) {
      const table = tableFromIPC((await bytesOf(`/v1/export/ggr.arrow?${filter}`)).bytes);
      const names = table.schema.fields.map(({ name }) => name);
      expect(names).toEqual(Object.keys(rows[0] ?? {}));
      const columns = names.map((name) => [...(table.getChild(name) ?? [])]);
      expect(columns).toEqual(names.map((name) => wanted.map((row) => row[name])));
    }
    expect(await parquetRows(await written('country=nowhere'))).toEqual([]);
    // The server removes its temporary files once the client has received the last byte.
    let files = await readdir(folder);
    for (let attempts = 0; files.length > 1 && attempts < 500; attempts++) {
      await sleep(10);
      files = await readdir(folder);
    }
    expect(files).toEqual(['empty.parquet']);
  });

  it.each([
    ['ggr', ''],
    ['ggr', FILTER],
    ['ggr', 'country=nowhere'],
    ['fx', ''],
  ])(
    'carry the units and descriptions of %s with the filter "%s", Arrow as Parquet does',
    async (dataset, filter) => {
      const published = path.join(dataDir, 'current', `${dataset}.parquet`);
      const pairs = await query(
        `SELECT decode(key), decode(value) FROM parquet_kv_metadata('${published}') WHERE decode(key) <> 'ARROW:schema'`,
      );
      const wanted = new Map(pairs.getRows().map(([key, value]) => [String(key), String(value)]));
      const { bytes } = await bytesOf(`/v1/export/${dataset}.arrow?${filter}`);
      for (const { schema } of [tableFromIPC(bytes), ...RecordBatchReader.from(bytes)]) {
        expect(schema.metadata).toEqual(wanted);
        for (const { name, metadata } of schema.fields)
          expect([name, Object.fromEntries(metadata)]).toEqual([
            name,
            { unit: wanted.get(`${name}.unit`), description: wanted.get(`${name}.description`) },
          ]);
      }
    },
  );

  async function written(filter: string): Promise<string> {
    const file = path.join(folder, 'empty.parquet');
    await writeFile(file, (await bytesOf(`/v1/export/ggr.parquet?${filter}`)).bytes);
    return file;
  }

  it('as a workbook reads as rows and as what they are, by our own reader and by another', async () => {
    const { bytes } = await bytesOf(`/v1/export/ggr.xlsx?${FILTER}&country=C0&state=`);
    const wanted = rows.filter(
      ({ country, year }) =>
        ['C0', 'C1', 'C3'].includes(String(country)) && [2015, 2016].includes(Number(year)),
    );
    const names = Object.keys(rows[0] ?? {});
    const [sheet, about] = await tablesOf('ggr.xlsx', bytes);
    expect([sheet?.name, about?.name]).toEqual(['ggr', 'About']);
    for (const part of Object.values(unzipSync(bytes)))
      expect(strFromU8(part.subarray(0, 19))).toBe('<?xml version="1.0"');
    const read = sheet?.rows.map(({ cells }) => names.map((_, i) => cells[i] ?? null)) ?? [];
    const empty = (value: unknown) => (value === '' ? null : value);
    expect(read[0]).toEqual(names);
    // Our reader keeps spaces, but gives an empty text as an empty cell.
    expect(read.slice(1).map((row) => row.map(empty))).toEqual(
      wanted.map((row) => names.map((name) => empty(row[name]))),
    );
    const other = XLSX.read(bytes);
    expect(other.SheetNames).toEqual(['ggr', 'About']);
    expect(other.Sheets.ggr?.['!autofilter']).toEqual({ ref: `A1:K${wanted.length + 1}` });
    const sheetRows = XLSX.utils.sheet_to_json<unknown[]>(other.Sheets.ggr ?? {}, {
      header: 1,
      raw: true,
      defval: null,
    });
    expect(sheetRows.length).toBe(wanted.length + 1);
    expect(sheetRows.slice(1).map((row) => row.at(-1))).toEqual(wanted.map(({ ggr }) => ggr));
    expect(sheetRows[1]?.[4]).toBe(wanted[0]?.category);
    const lines = about?.rows.map(({ cells }) => cells.slice(0, 2)) ?? [];
    expect(lines).toEqual([
      ['Dataset', expect.stringMatching(/^ggr: Gross gaming revenue: /)],
      ['Snapshot', '2026-11.1'],
      ['Published', expect.stringMatching(/^\d{4}-/)],
      ['Rows', wanted.length],
      ['Filter country', 'C1; C3; C0'],
      ['Filter year', '2015; 2016'],
      ['Filter state', '(empty)'],
      ['ggr', 'Gross gaming revenue; unit: currency of the fx dimension'],
      ['Missing values', 'empty cells'],
      ['Do not sum over', 'state, fx, temporal'],
      ['Sources', 'test'],
    ]);
    const numbers = Object.values(other.Sheets.About ?? {}).filter(({ t }) => t === 'n');
    expect(numbers.map(({ v }) => v)).toEqual([wanted.length]);
  });

  it('as a workbook has a cell for each missing value, and a type for each of its parts', async () => {
    const { bytes } = await bytesOf('/v1/export/fx.xlsx');
    const [names, values] = XLSX.utils.sheet_to_json<unknown[]>(XLSX.read(bytes).Sheets.fx ?? {}, {
      header: 1,
      raw: true,
      defval: null,
    });
    expect(names?.slice(-4)).toEqual(Object.keys(datasetOf('fx').metrics));
    expect(values?.slice(-4)).toEqual([1.5, null, 1e11, null]);
    const parts = unzipSync(bytes);
    const types = strFromU8(parts['[Content_Types].xml'] ?? new Uint8Array());
    const overrides = [
      ...types.matchAll(/<Override PartName="\/([^"]+)" ContentType="[^"]+spreadsheetml\.([\w.]+)\+xml"\/>/g),
    ];
    expect(Object.fromEntries(overrides.map(([, part, type]) => [part, type]))).toEqual({
      'xl/workbook.xml': 'sheet.main',
      'xl/worksheets/sheet1.xml': 'worksheet',
      'xl/worksheets/sheet2.xml': 'worksheet',
      'xl/styles.xml': 'styles',
      'xl/sharedStrings.xml': 'sharedStrings',
    });
    for (const [, part = ''] of overrides) expect(Object.keys(parts)).toContain(part);
  });

  it('as a workbook shows all digits of large numbers, in columns that are wide enough', async () => {
    const sheetOf = async (dataset: string, address: string) => {
      const { Sheets } = XLSX.read((await bytesOf(address)).bytes, { cellStyles: true });
      return Sheets[dataset] ?? {};
    };
    const widthsOf = (sheet: XLSX.WorkSheet) => sheet['!cols']?.map(({ width }) => width);
    const fx = await sheetOf('fx', '/v1/export/fx.xlsx');
    expect(['H2', 'J2'].map((cell) => fx[cell].w)).toEqual(['1.5', '100000000000']);
    expect(widthsOf(fx)).toEqual([8, 10, 11, 9, 21, 12, 15, 19, 18, 19, 18]);
    // The longest category has 21 characters, and the longest figure 15. In all other columns, the heading is the longest
    // text.
    const ggr = await sheetOf('ggr', '/v1/export/ggr.xlsx?country=C0&product=P0');
    expect(widthsOf(ggr)).toEqual([8, 10, 11, 9, 23, 11, 11, 15, 6, 12, 17]);
  });

  it('as a workbook gives each row and cell its address, and keeps its texts in one place', async () => {
    const { bytes } = await bytesOf('/v1/export/ggr.xlsx?country=C0');
    const { 'xl/worksheets/sheet1.xml': sheet, 'xl/worksheets/sheet2.xml': about } = unzipSync(bytes);
    expect(addressesIn(sheet)).toEqual(addressesOf(ROWS / 4 + 1, [...'ABCDEFGHIJK']));
    expect(addressesIn(about)).toEqual(addressesOf(9, ['A', 'B']));
  });

  it.each<readonly [string, string, readonly string[], readonly string[]]>([
    ['fx', 'state, temporal, calculation', Object.keys(datasetOf('fx').metrics), []],
    ['country', 'state, temporal, calculation', ['gdp_local_currency', 'inflation'], ['adult_population']],
    ['country_reference', 'nothing to sum', [], []],
  ])(
    'of the whole of %s as a workbook says what cannot be added up',
    async (dataset, dimensions, metrics, levels) => {
      const [, about] = await tablesOf(
        `${dataset}.xlsx`,
        (await bytesOf(`/v1/export/${dataset}.xlsx`)).bytes,
      );
      const lines = about?.rows.map(({ cells: [label, text] }) => [label, text]) ?? [];
      const end = lines.findIndex(([label]) => label === 'Missing values');
      expect(lines[4]).toEqual(['Filters', 'none']);
      expect(lines.slice(end)).toEqual([
        ['Missing values', 'empty cells'],
        ['Do not sum over', dimensions],
        ...metrics.map((name) => ['Does not add up', name]),
        ...levels.map((name) => ['Do not sum over year', name]),
        ['Sources', 'test'],
      ]);
    },
  );

  it('has an ETag of its own, answers HEAD, 304, OPTIONS and an older snapshot', async () => {
    for (const format of ['parquet', 'csv', 'arrow', 'xlsx']) {
      const asked = `/v1/export/ggr.${format}?${FILTER}`;
      const head = await fetch(server.url + asked, { method: 'HEAD' });
      const etag = head.headers.get('etag') ?? '';
      expect({ status: head.status, etag }).toEqual({ status: 200, etag: expect.stringMatching(/^W\/"/) });
      expect(head.headers.get('content-disposition')).toBe(`attachment; filename="ggr-2026-11.1.${format}"`);
      expect((await ask(server.url, asked, { headers: { 'If-None-Match': etag } })).status).toBe(304);
      expect((await ask(server.url, asked, { method: 'OPTIONS' })).headers.allow).toBe('GET, HEAD, OPTIONS');
      const named = await ask(server.url, asked, { method: 'HEAD', headers: { 'X-Snapshot': '2026-11.1' } });
      expect(named.headers['cache-control']).toMatch(/immutable/);
    }
  });

  it.each([
    ['/v1/export/nope.csv', 404, 'Endpoint does not exist'],
    ['/v1/export/ggr.json', 404, 'Endpoint does not exist'],
    ['/v1/export/ggr', 404, 'Endpoint does not exist'],
    ['/v1/export/ggr.csv?planet=Mars', 400, 'Invalid filter dimension "planet" for dataset "ggr"'],
    ['/v1/export/ggr.csv?limit=1', 400, 'Invalid filter dimension "limit" for dataset "ggr"'],
    ['/v1/export/ggr.csv?dataset=fx', 400, 'Invalid filter dimension "dataset" for dataset "ggr"'],
    ['/v1/export/ggr.csv?period=2020', 400, 'Invalid query parameters'],
    [
      '/v1/export/country_reference.csv?period=2020-01-01:2020-12-31',
      400,
      'Invalid filter dimension "period"',
    ],
  ])('%s is refused', async (asked, status, error) => {
    const answer = await server.get(asked);
    expect({ status: answer.status, error: answer.json.error }).toEqual({
      status,
      error: expect.stringContaining(error),
    });
    expect((await server.get('/v1/export/ggr.csv', { 'X-Snapshot': 'x' })).json.error).toMatch(
      /^Unknown snapshot/,
    );
  });
});

it('an export in any format rests while pages are answered, and only then', async () => {
  let rests = 0;
  const clock = {
    ...YIELDING_DEFAULTS.clock,
    async sleep() {
      rests += 1;
    },
  };
  // With 0 ms, every slice ends at once. `pageRecencyMs` is long, because on a busy machine an export may begin long after
  // the page.
  const yielding = createYielding({ ...YIELDING_DEFAULTS, sliceMs: 0, pageRecencyMs: 60_000, clock });
  const ownServer = await startServer({ dataDir, yielding });
  const exported = async ({ format, gzip = false }: { format: string; gzip?: boolean }) => {
    const asked = `${ownServer.url}/v1/export/turnover.${format}?year=2012&country=C1&country=C2`;
    const response = await fetch(asked, { headers: { 'Accept-Encoding': gzip ? 'gzip' : 'identity' } });
    return (await response.arrayBuffer()).byteLength;
  };
  const kinds = [
    ...['csv', 'arrow', 'xlsx', 'parquet'].map((format) => ({ format })),
    { format: 'csv', gzip: true },
  ];
  const alone: number[] = [];
  for (const kind of kinds) alone.push(await exported(kind));
  expect(rests).toBe(0);
  for (const [i, kind] of kinds.entries()) {
    const before = rests;
    await ownServer.get('/v1/catalog');
    expect([kind, await exported(kind)]).toEqual([kind, alone[i]]);
    expect([kind, rests > before]).toEqual([kind, true]);
  }
  await ownServer.close();
});

describe('clients of exports', () => {
  /** A client that reads nothing until the test says so. */
  function slow(target: TestServer, asked: string, key = 'a') {
    const { hostname, port } = new URL(target.url);
    const request = http.get({ hostname, port, path: asked, agent: false, headers: { 'x-api-key': key } });
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    answered.catch(() => {});
    return { answered, leave: () => request.destroy() };
  }

  it('have two places each, four together, and give them back when they leave', async () => {
    const first = [slow(server, '/v1/export/turnover.xlsx'), slow(server, '/v1/export/turnover.csv')];
    for (const { answered } of first) expect((await answered).statusCode).toBe(200);
    const third = await server.get('/v1/export/turnover.csv', { 'x-api-key': 'a' });
    expect(third).toMatchObject({ status: 503, json: { error: expect.stringContaining('try again later') } });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    const others = [
      slow(server, '/v1/export/turnover.xlsx', 'b'),
      slow(server, '/v1/export/turnover.csv', 'b'),
    ];
    for (const { answered } of others) expect((await answered).statusCode).toBe(200);
    expect((await server.get('/v1/export/fx.csv', { 'x-api-key': 'c' })).status).toBe(503);
    // Requests that need no place for an export are still answered.
    expect((await server.get('/v1/financials?metric=ggr', { 'x-api-key': 'a' })).status).toBe(200);
    for (const { leave } of [...first, ...others]) leave();
    let status = 503;
    for (const end = Date.now() + 10_000; status === 503 && Date.now() < end; await sleep(20))
      ({ status } = await server.get('/v1/export/fx.csv', { 'x-api-key': 'a' }));
    expect(status).toBe(200);
  });

  it('have places of their own for small parts of a published file', async () => {
    const exports = { atOnce: 0, perKey: 0, parts: { atOnce: 1, perKey: 1 }, pace: LENIENT_PACE };
    const [few, none] = await Promise.all([
      startServer({ exports }),
      startServer({ exports: { ...exports, parts: { atOnce: 0, perKey: 0 } } }),
    ]);
    instances.push(few, none);
    const asked = async (target: TestServer, headers: Record<string, string>) => {
      const response = await fetch(`${target.url}/v1/export/fx.parquet`, { headers });
      await response.arrayBuffer();
      return [response.status, response.headers.get('retry-after')];
    };
    // The place is free again once the part is sent.
    for (let i = 0; i < 3; i++) expect(await asked(few, { Range: 'bytes=0-3' })).toEqual([206, null]);
    expect(await asked(few, {})).toEqual([503, '5']);
    expect(await asked(none, { Range: 'bytes=0-3' })).toEqual([503, '1']);
  });

  itInDepth('who hardly read are cut, and see that the file is not whole', async () => {
    const ownServer = await start({ windowMs: 300, minBytes: 2 ** 22 });
    const client = slow(ownServer, '/v1/export/turnover.csv');
    const response = await client.answered;
    const failure = await new Promise<Error | null>((resolve) => {
      response.on('error', resolve);
      response.on('end', () => resolve(null));
      // The client reads once and then pauses.
      response.once('data', () => {
        response.pause();
        setTimeout(() => response.resume(), 1500);
      });
    });
    expect(failure).toMatchObject({ code: 'ECONNRESET' });
    expect(response.complete).toBe(false);
  });

  itInDepth('get the whole file in any format although its snapshot is pruned meanwhile', async () => {
    const { dataDir: own, remove } = await aDataDir();
    const all = ['parquet', 'csv', 'arrow', 'xlsx'];
    // Parquet is sent as the published file. The other formats are written from rows while the client reads.
    const formats = some(all, 2).map((format, i) => [`2026-0${i + 1}.1`, format] as const);
    for (const [id] of formats)
      await publishSql(own, id, { ggr: SELECT.replace(`range(${ROWS})`, 'range(10000)') });
    await publishRows(own, '2026-11.1');
    const ownServer = await startServer({ dataDir: own });
    for (const [id, format] of formats) {
      const asked = `${ownServer.url}/v1/export/ggr.${format}`;
      const ask = () => fetch(asked, { headers: { 'X-Snapshot': id } });
      const contentOf = async (response: Response) => {
        const bytes = Buffer.from(await response.arrayBuffer());
        // A workbook contains the time at which it was made, so only its tables are compared.
        return format === 'xlsx' ? tablesOf('ggr.xlsx', bytes) : bytes;
      };
      const whole = await contentOf(await ask());
      const response = await ask();
      expect([format, response.status]).toEqual([format, 200]);
      await rm(path.join(own, 'snapshots', id), { recursive: true });
      const isSame = isDeepStrictEqual(await contentOf(response), whole);
      expect([format, isSame]).toEqual([format, true]);
    }
    await ownServer.close();
    await remove();
  });

  it('get 503 for selected rows whose snapshot was pruned just now', async () => {
    const { dataDir: own, remove } = await aDataDir();
    await publishRows(own, '2026-11.1');
    // The server polls so rarely that it does not know of the removal when the request comes.
    const ownServer = await startServer({ dataDir: own, follow: { pollMs: 60_000 } });
    await rm(path.join(own, 'snapshots', '2026-11.1'), { recursive: true });
    for (const address of ['/v1/export/ggr.parquet', `/v1/export/ggr.parquet?${FILTER}`])
      expect((await ownServer.get(address)).status).toBe(503);
    await ownServer.close();
    await remove();
  });

  it('get an error, not other rows or a short file, when the published file was changed by hand', async () => {
    const { dataDir: own, remove } = await aDataDir();
    await publishRows(own, '2026-11.1');
    const failures: unknown[] = [];
    const ownServer = await startServer({
      dataDir: own,
      observe: (one) => one.event === 'request failed' && failures.push(one.error),
    });
    const file = path.join(own, 'snapshots', '2026-11.1', 'ggr.parquet');
    const addresses = ['/v1/export/ggr.parquet', `/v1/export/ggr.parquet?${FILTER}`];
    const statuses = () =>
      Promise.all(addresses.map(async (address) => (await ownServer.get(address)).status));
    const bytes = await readFile(file);
    expect(await statuses()).toEqual([200, 200]);
    // Another file of the same length replaces it. It can be read, but has other rows than the pages.
    const [last = 0] = bytes.subarray(-1);
    await writeFile(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([last ^ 1])]));
    expect(await statuses()).toEqual([500, 500]);
    await truncate(file, bytes.length - 100);
    expect(await statuses()).toEqual([500, 500]);
    expect(failures.map((error) => String(error))).toEqual([
      ...Array(2).fill(expect.stringMatching(/2026-11\.1\/ggr\.parquet was changed after it was published/)),
      ...Array(2).fill(expect.stringMatching(/bytes and the manifest says/)),
    ]);
    await writeFile(file, bytes);
    expect(await statuses()).toEqual([200, 200]);
    await ownServer.close();
    await remove();
  });

  it('are 503 while the temporary folder is gone', async () => {
    const { dataDir: own, remove } = await aDataDir();
    await publishRows(own, '2026-11.1');
    const exports = { ...EXPORT_DEFAULTS, temporaryFolder: path.join(folder, 'missing') };
    const ownServer = await startServer({ dataDir: own, exports });
    const { status, headers } = await ownServer.get(`/v1/export/ggr.parquet?${FILTER}`);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect((await ownServer.get(`/v1/export/ggr.csv?${FILTER}`)).status).toBe(200);
    await ownServer.close();
    await remove();
  });
});

/** The addresses of all rows and cells of a sheet, in the order of the file. A text in a cell adds its element `<is>`. */
const addressesIn = (sheet = new Uint8Array()): string[] =>
  [...strFromU8(sheet).matchAll(/<(?:row|c(?=[ />]))(?: r="([A-Z]*\d+)")?|<is>/g)].map(
    ([element, address]) => address ?? element,
  );

const addressesOf = (rows: number, columns: readonly string[]): string[] =>
  Array.from({ length: rows }, (_, i) => [
    `${i + 1}`,
    ...columns.map((column) => `${column}${i + 1}`),
  ]).flat();

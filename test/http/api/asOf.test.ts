// `X-Snapshot` and parameters that name a snapshot by id, month or day.

import { appendFile, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { send } from '../../contract/wire.ts';
import { itInDepth } from '../../support/depth.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aDataDir, aRow, publishRows } from '../../support/snapshot.ts';

const rowsOf = (ggr: number) => ({
  ggr: ['Malta', 'Spain', 'Åland'].map((country) => aRow('ggr', { country, ggr })),
});

const NOW = new Date('2026-11-20T12:00:00Z');
/** A history with a rollback on 12 October, after which the clock was set back. */
const HISTORY_FILE = [
  { event: 'published', id: '2026-09.1', at: '2026-09-05T10:00:00Z' },
  { event: 'published', id: '2026-10.1', at: '2026-10-10T23:59:59.999Z' },
  { event: 'published', id: '2026-10.2', at: '2026-10-11T00:00:00Z' },
  { event: 'rolled-back', id: '2026-10.1', from: '2026-10.2', at: '2026-10-12T08:00:00Z' },
  { event: 'published', id: '2026-08.1', at: '2026-10-20T08:00:00Z' },
  { event: 'pruned', id: '2026-08.1', at: '2026-10-21T08:00:00Z' },
  { event: 'published', id: '2026-11.1', at: '2026-11-01T08:00:00Z' },
  { event: 'published', id: '2026-11.2', at: '2026-10-30T08:00:00Z' },
];

let server: TestServer;
let dataDir: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ dataDir, remove } = await aDataDir());
  for (const [i, id] of ['2026-09.1', '2026-10.1', '2026-10.2', '2026-11.1', '2026-11.2'].entries())
    await publishRows(dataDir, id, rowsOf(i));
  await rm(path.join(dataDir, 'history.jsonl'), { force: true });
  await appendFile(
    path.join(dataDir, 'history.jsonl'),
    HISTORY_FILE.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  server = await startServer({ dataDir, follow: { now: () => NOW } });
});
afterAll(async () => {
  await server.close();
  await remove();
});

const GGR = '/v1/financials?metric=ggr';
const get = (path: string, asOf: string) => server.get(path, { 'X-Snapshot': asOf });

describe('X-Snapshot', () => {
  it.each([
    ['2026-10.1', '2026-10.1'],
    ['2026-11.2', '2026-11.2'],
    ['2026-10', '2026-10.2'],
    ['2026-09', '2026-09.1'],
    ['2026-09-05', '2026-09.1'],
    ['2026-10-09', '2026-09.1'],
    ['2026-10-10', '2026-10.1'],
    ['2026-10-11', '2026-10.2'],
    ['2026-10-12', '2026-10.1'],
    ['2026-11-01', '2026-11.2'],
    ['2026-11-20', '2026-11.2'],
    ['2030-01-01', '2026-11.2'],
  ])('of %s is answered from %s', async (asOf, id) => {
    const { status, headers, json } = await get(GGR, asOf);
    expect({ status, id: headers.get('x-snapshot') }).toEqual({ status: 200, id });
    const ids = ['2026-09.1', '2026-10.1', '2026-10.2', '2026-11.1', '2026-11.2'];
    expect(json.data[0].values.ggr).toBe(ids.indexOf(id));
    expect(headers.get('vary')).toMatch(/X-Snapshot/);
  });

  it.each([
    '2026-10.3',
    '2026-08.1',
    '2026-08',
    '2026-09-04',
    '2026-10-20',
    '2026-02-30',
    '2026-13',
    '2026-9-5',
    'current',
    '',
    '2026-10.01',
    '../2026-10.1',
    '2026-10.1 2026-10.1',
    `2026-10${'0'.repeat(10_000)}`,
    `2026-10.${'1'.repeat(300)}`,
  ])('of %j is unknown', async (asOf) => {
    const { status, json } = await get(GGR, asOf);
    expect({ status, json }).toEqual({
      status: 400,
      json: { error: `Unknown snapshot: '${asOf}'. Use GET /snapshots to see retained snapshots.` },
    });
  });

  itInDepth(
    'of a day is what was current then although the clock of the server is behind that of the publisher',
    async () => {
      const snapshotOf = async (day: string, now: string) => {
        const behind = await startServer({ dataDir, follow: { now: () => new Date(now) } });
        const { headers } = await behind.get(GGR, { 'X-Snapshot': day });
        await behind.close();
        return headers.get('x-snapshot');
      };
      // 2026-10.2 was published at midnight after 10 October.
      expect(await snapshotOf('2026-10-10', '2026-10-10T23:59:50Z')).toBe('2026-10.1');
      // Nothing has been published after this day.
      expect(await snapshotOf('2026-11-01', '2026-11-01T23:59:50Z')).toBe('2026-11.2');
      // A clock that is a day behind is wrong, so it is ignored.
      expect(await snapshotOf('2026-10-10', '2026-10-09T23:59:50Z')).toBe('2026-11.2');
    },
  );

  it('of a day after the last event of a history that lacks the current snapshot is unknown', async () => {
    const restored = await aDataDir();
    for (const [i, id] of ['2026-09.1', '2026-10.1', '2026-11.1'].entries())
      await publishRows(restored.dataDir, id, rowsOf(i));
    const file = path.join(restored.dataDir, 'history.jsonl');
    await rm(file, { force: true });
    const lines = HISTORY_FILE.slice(0, 2).map((line) => `${JSON.stringify(line)}\n`);
    await appendFile(file, lines.join(''));
    const behind = await startServer({ dataDir: restored.dataDir, follow: { now: () => NOW } });
    const statusOf = async (day: string) => {
      const { status, headers } = await behind.get(GGR, { 'X-Snapshot': day });
      return headers.get('x-snapshot') ?? status;
    };
    // The current snapshot, 2026-11.1, may have been published on any day since 2026-10.1.
    expect(await statusOf('2026-11-05')).toBe(400);
    expect(await statusOf('2026-10-11')).toBe(400);
    expect(await statusOf('2026-10-09')).toBe('2026-09.1');
    expect(await statusOf('2026-11-20')).toBe('2026-11.1');
    await behind.close();
    await restored.remove();
  });

  it('given twice is unknown, and one with control characters never gets through', async () => {
    const ask = (lines: string) => `GET ${GGR} HTTP/1.1\r\nHost: x\r\n${lines}Connection: close\r\n\r\n`;
    const [twice] = await send(server.url, ask('X-Snapshot: 2026-10.1\r\nX-Snapshot: 2026-10.1\r\n'));
    expect(twice).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('2026-10.1, 2026-10.1') },
    });
    const [control] = await send(server.url, ask('X-Snapshot: 2026-10.1\x01\r\n'));
    expect(control?.status).toBe(400);
    const [tab] = await send(server.url, ask('X-Snapshot: 2026\t10\r\n'));
    expect(tab).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/^Unknown snapshot: '2026\t10'/) },
    });
  });

  it('that is unknown is repeated as it was sent, in UTF-8 or else in Latin-1', async () => {
    const named = async (path: string, header: Buffer) => {
      const ask = [
        Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Snapshot: `),
        header,
        Buffer.from('\r\n\r\n'),
      ];
      return (await send(server.url, Buffer.concat(ask)))[0]?.json;
    };
    for (const path of [GGR, '/v1/export/ggr.csv']) {
      const error = "Unknown snapshot: 'août 日'. Use GET /snapshots to see retained snapshots.";
      expect(await named(path, Buffer.from('août 日'))).toEqual({ error });
      expect(await named(path, Buffer.from('août', 'latin1'))).toEqual({ error: error.replace(' 日', '') });
    }
  });

  it('applies to the catalog and the lookup too', async () => {
    for (const path of ['/v1/catalog', '/v1/reference?dataset=country_reference']) {
      expect((await get(path, '2026-10')).headers.get('x-snapshot')).toBe('2026-10.2');
      expect((await get(path, '2020-01')).status).toBe(400);
    }
  });

  it('answers with the ETag of that snapshot, and 304', async () => {
    const [named, current, older] = [
      await get(GGR, '2026-11.2'),
      await server.get(GGR),
      await get(GGR, '2026-10.2'),
    ];
    const etag = named.headers.get('etag') ?? '';
    expect(current.headers.get('etag')).toBe(etag);
    expect(older.headers.get('etag')).not.toBe(etag);
    const again = await server.get(GGR, {
      'X-Snapshot': '2026-10.2',
      'If-None-Match': older.headers.get('etag') ?? '',
    });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.get('x-snapshot')).toBe('2026-10.2');
  });

  it('has to agree with a cursor', async () => {
    const first = await get(`${GGR}&limit=1`, '2026-10');
    const next = `${GGR}&limit=1&cursor=${first.json.pagination.cursor}`;
    for (const asOf of ['2026-10.2', '2026-10', '2026-10-11'])
      expect((await get(next, asOf)).json.data[0].dimensions.country).toBe('Spain');
    const without = await server.get(next);
    expect(without.headers.get('x-snapshot')).toBe('2026-10.2');
    const other = await get(next, '2026-10.1');
    expect(other).toMatchObject({ status: 400, json: { error: 'Invalid pagination cursor' } });
  });

  it('is checked after the dimensions, before unknown values, and those before the cursor', async () => {
    const ask = (query: string, asOf: string) =>
      server.get(`${GGR}${query}`, { 'X-Snapshot': asOf, Prefer: 'handling=strict' });
    expect((await ask('&planet=Mars&cursor=x', 'x')).json.error).toMatch(/^Invalid filter dimension/);
    expect((await ask('&country=Maltta&cursor=x', 'x')).json.error).toMatch(/^Unknown snapshot/);
    expect((await ask('&country=Maltta&cursor=x', '2026-10')).json.details.fieldErrors).toEqual({
      country: ['Unknown value "Maltta"; did you mean "Malta"?'],
    });
    expect((await ask('&country=Malta&cursor=x', '2026-10')).json.error).toBe('Invalid pagination cursor');
  });
});

describe('GET /v1/snapshots', () => {
  it('lists what is retained, newest publication first', async () => {
    const { status, json, headers } = await server.get('/v1/snapshots');
    expect({ status, id: headers.get('x-snapshot') }).toEqual({ status: 200, id: '2026-11.2' });
    expect(json.snapshots.map(({ id }: { id: string }) => id)).toEqual([
      '2026-11.2',
      '2026-11.1',
      '2026-10.2',
      '2026-10.1',
      '2026-09.1',
    ]);
    expect(json.snapshots[0]).toEqual({
      id: '2026-11.2',
      month: '2026-11',
      published_at: '2026-10-30T08:00:00Z',
      current: true,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      datasets: Object.fromEntries(
        DATASET_NAMES.map((name) => {
          const year = name === 'country_reference' ? null : 2024;
          return [name, { row_count: name === 'ggr' ? 3 : 1, first_year: year, last_year: year }];
        }),
      ),
    });
    expect(json.snapshots.slice(1).some(({ current }: { current: boolean }) => current)).toBe(false);
  });

  it('takes no parameter, and ignores X-Snapshot', async () => {
    const { status, json } = await server.get('/v1/snapshots?limit=1');
    expect({ status, fields: Object.keys(json.details.fieldErrors) }).toEqual({
      status: 400,
      fields: ['limit'],
    });
    expect((await get('/v1/snapshots', '1999-01')).status).toBe(200);
  });

  it('has another ETag once a snapshot is published, damaged or pruned', async () => {
    const etag = async () => (await server.get('/v1/snapshots')).headers.get('etag') ?? '';
    const before = await etag();
    const again = await server.get('/v1/snapshots', { 'If-None-Match': before });
    expect(again.status).toBe(304);
    const manifest = path.join(dataDir, 'snapshots', '2026-09.1', 'manifest.json');
    await rename(manifest, `${manifest}.away`);
    expect((await server.get('/v1/snapshots')).json.snapshots).toHaveLength(4);
    expect(await etag()).not.toBe(before);
    await rename(`${manifest}.away`, manifest);
  });
});

describe('Prefer: handling=strict', () => {
  const strict = (query: string) => server.get(`${GGR}${query}`, { Prefer: 'handling=strict' });

  it('names every unknown value, with the nearest one', async () => {
    const answer = await strict('&country=Malta&country=maltta&country=Atlantis&year=2024&year=20240&fx=');
    expect(answer).toMatchObject({ status: 400, json: { error: 'Invalid query parameters' } });
    expect(answer.json.details).toEqual({
      formErrors: [],
      fieldErrors: {
        country: ['Unknown value "maltta"; did you mean "Malta"?', 'Unknown value "Atlantis"'],
        year: ['Unknown value "20240"; did you mean "2024"?'],
        fx: ['Unknown value ""'],
      },
    });
    expect(answer.headers.get('preference-applied')).toBe('handling=strict');
  });

  it('suggests for the first hundred values of a dimension, so that thousands cost little', async () => {
    const near = Array.from({ length: 101 }, (_, i) => `Malt${String.fromCharCode(0x4e00 + i)}`);
    const answer = await strict(near.map((value) => `&country=${encodeURIComponent(value)}`).join(''));
    const messages: string[] = answer.json.details.fieldErrors.country;
    expect(messages[99]).toBe(`Unknown value "${near[99]}"; did you mean "Malta"?`);
    expect(messages.slice(100)).toEqual([`Unknown value "${near[100]}"`]);
  });

  it('says that it was applied, and changes nothing else', async () => {
    const [plain, asked] = [
      await server.get(`${GGR}&country=A%CC%8Aland&year=02024`),
      await strict('&country=A%CC%8Aland&year=02024'),
    ];
    expect(asked.text).toBe(plain.text);
    expect(asked.json.data).toHaveLength(1);
    expect(asked.headers.get('preference-applied')).toBe('handling=strict');
    expect(plain.headers.get('preference-applied')).toBeNull();
    expect(asked.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(asked.headers.get('vary')).toMatch(/Prefer/);
  });

  it('is not asked for by other preferences', async () => {
    const { status, json } = await server.get(`${GGR}&country=Maltta`, { Prefer: 'handling=lenient' });
    expect({ status, data: json.data }).toEqual({ status: 200, data: [] });
  });
});

describe('a page as CSV', () => {
  const csv = (path: string) => server.get(path, { Accept: 'text/csv' });

  it('has the same rows as JSON, and its own type and ETag', async () => {
    const [plain, asked] = [await server.get(`${GGR}&limit=2`), await csv(`${GGR}&limit=2`)];
    expect(asked.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(asked.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    expect(asked.text).toBe(
      'year,region,country,state,category,product,channel,sub_channel,fx,temporal,ggr\r\n' +
        '2024,Europe,Malta,,Betting,Sport Betting,Online,Onshore,EUR,Current,4\r\n' +
        '2024,Europe,Spain,,Betting,Sport Betting,Online,Onshore,EUR,Current,4\r\n',
    );
    const reference = await csv('/v1/reference?dataset=country_reference');
    expect(reference.text).toBe('region,country,country_type\r\nEurope,Malta,Tracked\r\n');
  });

  it('links to the next page, which JSON does too', async () => {
    for (const accept of ['text/csv', 'application/json']) {
      let path: string | undefined = `${GGR}&limit=2&country=Malta&country=%C3%85land&country=Spain`;
      const seen: string[] = [];
      while (path !== undefined) {
        const { text, headers } = await server.get(path, { Accept: accept });
        seen.push(...(text.match(/Malta|Spain|Åland/g) ?? []));
        const link = headers.get('link');
        path = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
      }
      expect(seen.filter((name, i) => seen.indexOf(name) === i)).toEqual(
        accept === 'text/csv' ? ['Malta', 'Spain', 'Åland'] : ['Malta', 'Åland', 'Spain'],
      );
    }
  });

  it('links to the very request, whatever is written in it', async () => {
    const { headers } = await server.get(`${GGR}&limit=1&country[]=Malta&country=Spain&country=%3Cb%3E%22`);
    expect(headers.get('link')).toMatch(
      /^<\/v1\/financials\?metric=ggr&limit=1&country\[\]=Malta&country=Spain&country=%3Cb%3E%22&cursor=[\w-]+>; rel="next"$/,
    );
  });

  it('has links that begin with the path of PUBLIC_URL, and so do links to help and to files', async () => {
    const below = await startServer({ dataDir, settings: { publicUrl: 'https://data.example/api' } });
    const linkOf = async (path: string) => (await below.get(path)).headers.get('link');
    expect(await linkOf(`${GGR}&limit=1`)).toMatch(
      /^<\/api\/v1\/financials\?metric=ggr&limit=1&cursor=[\w-]+>; rel="next"$/,
    );
    expect(await linkOf(`${GGR}&limit=0`)).toBe('</api/docs#limit>; rel="help"');
    const [files, one, elsewhere] = await Promise.all([
      below.get('/v1/datasets'),
      below.get('/v1/datasets/ggr'),
      server.get('/v1/datasets/ggr'),
    ]);
    for (const text of [files.text, one.text]) expect(text).toContain('"href":"/api/v1/export/ggr.csv"');
    expect(elsewhere.text).toContain('"href":"/v1/export/ggr.csv"');
    expect(one.headers.get('etag')).not.toBe(elsewhere.headers.get('etag'));
    await below.close();
  });
});

describe('while the folder of the snapshots is away', () => {
  const at = (name: string) => path.join(dataDir, name);
  const CASES: readonly [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['renamed', async () => {}, async () => {}],
    ['an unmounted disk', () => mkdir(at('snapshots')), () => rmdir(at('snapshots'))],
    [
      'together with the history',
      () => rename(at('history.jsonl'), at('history.aside')),
      () => rename(at('history.aside'), at('history.jsonl')),
    ],
  ];

  it.each(CASES)(
    '%s, questions for older snapshots are unavailable, not wrong',
    async (_, leave, comeBack) => {
      const older = ['2026-10.1', '2026-10', '2026-10-10', '2026-11'];
      const walk = `${GGR}&limit=1&cursor=${(await get(`${GGR}&limit=1`, '2026-10')).json.pagination.cursor}`;
      const statuses = async () => ({
        older: await Promise.all(older.map(async (one) => (await get(GGR, one)).status)),
        walk: (await server.get(walk)).status,
        changes: (await server.get('/v1/changes?dataset=ggr&since=2026-10.1')).status,
        list: (await server.get('/v1/snapshots')).status,
        current: (await server.get(GGR)).status,
        malformed: (await get(GGR, 'x')).status,
      });
      const whole = {
        older: older.map(() => 200),
        walk: 200,
        changes: 200,
        list: 200,
        current: 200,
        malformed: 400,
      };
      expect(await statuses()).toEqual(whole);
      await rename(at('snapshots'), at('aside'));
      await leave();
      const away = await statuses();
      await comeBack();
      await rename(at('aside'), at('snapshots'));
      expect(away).toEqual({
        ...whole,
        older: older.map(() => 503),
        walk: 503,
        changes: 503,
        list: 503,
      });
      expect(await statuses()).toEqual(whole);
    },
  );

  it('a workbook of the current one goes on saying when it was published', async () => {
    const published = async () => {
      const response = await fetch(`${server.url}/v1/export/ggr.xlsx`);
      const about = XLSX.read(await response.arrayBuffer()).Sheets.About ?? {};
      return XLSX.utils
        .sheet_to_json<string[]>(about, { header: 1 })
        .find(([label]) => label === 'Published');
    };
    await rename(at('snapshots'), at('aside'));
    const away = await published();
    await rename(at('aside'), at('snapshots'));
    expect(away).toEqual(['Published', '2026-10-30T08:00:00Z']);
  });
});

// Other people's programs read the exports. When a disk or a workbook is full, exports end in an error.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { canMount, startWithDisks } from '../support/disks.ts';
import { freePort } from '../support/freePort.ts';
import { notTried } from '../support/notTried.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aKeyOf } from '../support/serverProcess.ts';
import { aDataDir, publishSql } from '../support/snapshot.ts';

const run = promisify(execFile);

/** These are more rows than a sheet holds. */
const ROWS = 1_100_000;
const SELECT = `
  SELECT 2010 + (i % 11)::INTEGER AS year, 'Europe' AS region, 'C' || i // 10000 AS country, '' AS state,
    'Bét, "ting"' AS category, 'P' || i // 11 AS product, 'Land' AS channel, 'Venue' AS sub_channel, 'EUR' AS fx,
    'Current' AS temporal, CASE WHEN i % 7 = 0 THEN NULL ELSE i / 8 END AS ggr
  FROM range(${ROWS}) AS t(i)`;
const FILTER = '?year=2012';
const SELECTED = ROWS / 11;

let server: TestServer;
let dataDir: string;
let remove: () => Promise<void>;
let folder: string;
let python: Python;
const answered: { readonly bytes: number }[] = [];

beforeAll(async () => {
  ({ dataDir, remove } = await aDataDir());
  folder = await mkdtemp(path.join(os.tmpdir(), 'exported-'));
  await publishSql(dataDir, '2026-11.1', { ggr: SELECT });
  server = await startServer({
    dataDir,
    observe: (one) => one.event === 'request answered' && answered.push(one),
  });
  python = await pythonWith(
    'docs/notebooks/requirements.txt',
    'test/long/requirements.txt',
    'test/long/exports.requirements.txt',
  );
}, 600_000);
afterAll(async () => {
  await server.close();
  await remove();
  await rm(folder, { recursive: true });
});

it.each([{}, { 'If-None-Match': '*' }])(
  'a workbook of more rows than a sheet holds is refused with what to do: %j',
  async (headers) => {
    const { status, json } = await server.get('/v1/export/ggr.xlsx', headers);
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        error:
          'A workbook holds at most 1,048,575 rows and the selection has 1,100,000: filter it, or export .csv or .parquet',
      },
    });
  },
);

describe('other programs', () => {
  it('read all formats, and fetch only the part of the Parquet file that they need', async () => {
    if ('missing' in python) return void notTried(python.missing);
    for (const format of ['xlsx', 'csv', 'arrow']) {
      const response = await fetch(`${server.url}/v1/export/ggr.${format}${FILTER}`);
      if (response.body === null) throw new Error('no body');
      await pipeline(Readable.fromWeb(response.body), createWriteStream(path.join(folder, `ggr.${format}`)));
    }
    const hasLibreOffice = (await run('soffice', ['--version']).catch(() => null)) !== null;
    if (hasLibreOffice) {
      const to = path.join(folder, 'saved');
      await run('soffice', [
        '--headless',
        '--convert-to',
        'xlsx',
        '--outdir',
        to,
        path.join(folder, 'ggr.xlsx'),
      ]);
      await rename(path.join(to, 'ggr.xlsx'), path.join(folder, 'ggr-by-libreoffice.xlsx'));
    } else notTried('soffice is not there');
    answered.length = 0;
    const { stdout } = await run(python.interpreter, ['test/long/exported.py', server.url, 'none', folder]);
    const found = JSON.parse(stdout);
    const numbers = Array.from({ length: ROWS }, (_, i) => i).filter((i) => i % 11 === 2 && i % 7 !== 0);
    const sum = numbers.reduce((total, i) => total + i / 8, 0);
    const workbook = {
      rows: SELECTED,
      sum,
      types: ['NoneType', 'float', 'int', 'str'],
      about: expect.any(Number),
    };
    expect(found.partly.rows).toBe(ROWS);
    for (const name of ['openpyxl', ...(hasLibreOffice ? ['libreoffice'] : [])])
      expect([name, { ...found[name], types: undefined }]).toEqual([name, { ...workbook, types: undefined }]);
    for (const name of ['pandas', 'polars', 'feather', 'csv'])
      expect([name, found[name]]).toEqual([name, { rows: SELECTED, sum }]);
    const { size } = await stat(path.join(dataDir, 'current', 'ggr.parquet'));
    const fetched = answered.reduce((total, { bytes }) => total + bytes, 0);
    expect(fetched).toBeGreaterThan(0);
    expect(fetched).toBeLessThan(size / 4);
  }, 600_000);
});

it('a filtered Parquet file that fills the disk is an error, and leaves nothing behind', async () => {
  if (!canMount()) return;
  const port = await freePort();
  const child = startWithDisks('mount -t tmpfs -o size=256k none /mnt; exec "$NODE" dist/src/start.js', {
    TMPDIR: '/mnt',
    DATA_DIR: dataDir,
    PORT: port,
    LOG_LEVEL: 'silent',
  });
  child.stderr.pipe(process.stderr);
  try {
    await new Promise((resolve) =>
      child.stdout.on('data', (text) => String(text).includes('Listening') && resolve(null)),
    );
    const headers = { 'x-api-key': await aKeyOf(dataDir) };
    const ask = (filter: string) =>
      fetch(`http://127.0.0.1:${port}/v1/export/ggr.parquet${filter}`, { headers });
    const full = await ask('?year=2012&year=2013&year=2014');
    expect({ status: full.status, retry: full.headers.get('retry-after'), body: await full.json() }).toEqual({
      status: 503,
      retry: expect.stringMatching(/^\d+$/),
      body: { error: 'Service temporarily unavailable — please try again later' },
    });
    // The disk has space again.
    expect((await ask('?year=2012&country=C1')).status).toBe(200);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
}, 120_000);

// Answers are the same with every cache replaced by its stand-in, which does nothing.

import http from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CACHES, type Caches, NO_CACHES } from '../../../src/cache/caches.ts';
import { createSelector } from '../../../src/query/selection/selector.ts';
import { some } from '../../support/depth.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../../support/snapshot.ts';

const rows = {
  ggr: Array.from({ length: 1200 }, (_, i) =>
    aRow('ggr', {
      country: `Land ${i % 40}`,
      year: 1990 + (i % 30),
      product: `P ${Math.floor(i / 40)}`,
      ggr: i / 7,
    }),
  ),
};

let data: DataDir;
let real: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  data = await aDataDir();
  await publishRows(data.dataDir, '2026-10.1', { ggr: rows.ggr.slice(0, 700) });
  await publishRows(data.dataDir, '2026-11.1', rows);
  real = await answersWith(CACHES);
});
afterAll(() => data.remove());

const PATHS = [
  '/v1/catalog',
  '/v1/financials?metric=ggr',
  '/v1/financials?metric=ggr&limit=1000',
  '/v1/financials?metric=ggr&limit=1000&product=P%203&year=1993',
  '/v1/financials?metric=ggr&country=Nowhere',
  '/v1/financials?metric=ggr&country=Land%207&period=1995-01-01:1999-12-31&limit=3',
  '/v1/reference?dataset=country_reference',
  '/v1/values?dataset=ggr&country=Land%207',
  '/v1/totals?dataset=ggr&by=country&limit=7',
  '/v1/changes?dataset=ggr&since=2026-10&limit=5',
  '/v1/datasets',
  '/v1/snapshots',
  '/v1/financials?metric=nothing',
  '/v1/financials?metric=ggr&cursor=nothing',
];

const ENCODINGS = ['identity', 'gzip'];

/** The status, headers and body of every kind of answer, by encoding. Each is requested three times. */
async function answersWith(caches: Caches): Promise<Record<string, string[]>> {
  // The limit on scanned rows leaves half of the selections to the engine.
  const selector = createSelector({ ...LONG_DEADLINE, scannedRows: 40 }, caches);
  const server = await startServer({ dataDir: data.dataDir, caches, selector });
  try {
    const all: Record<string, string[]> = {};
    for (const encoding of ENCODINGS) {
      const answers: string[] = [];
      all[encoding] = answers;
      for (const path of PATHS) {
        // Each path is requested twice at the same time, and once more afterwards.
        const together = await Promise.all([1, 2].map(() => answerOf(server, path, encoding)));
        answers.push(...together, await answerOf(server, path, encoding));
      }
      answers.push(...(await walk(server, '/v1/financials?metric=ggr&limit=250', encoding)));
      answers.push(...(await walk(server, '/v1/financials?metric=ggr&limit=90&product=P%203', encoding)));
    }
    return all;
  } finally {
    await server.close();
  }
}

async function walk(server: TestServer, path: string, encoding: string): Promise<string[]> {
  const answers: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const asked: string = cursor === '' ? path : `${path}&cursor=${cursor}`;
    const answer = await answerOf(server, asked, encoding);
    answers.push(answer, await answerOf(server, asked, encoding));
    cursor = /"cursor":"([\w-]+)"/.exec((await server.get(asked)).text)?.[1];
  }
  return answers;
}

/** The bytes of an answer, without what differs between two requests. */
function answerOf({ url }: TestServer, path: string, encoding: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get(url + path, { headers: { 'Accept-Encoding': encoding } }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('end', () => {
          const { 'x-request-id': _id, date: _date, ...headers } = response.headers;
          const body = Buffer.concat(pieces).toString('base64');
          resolve(JSON.stringify([path, encoding, response.statusCode, headers, body]));
        });
      })
      .on('error', reject);
  });
}

it.each<[string, Caches]>([
  // Here each cache is replaced alone. The run without any caches already uses every stand-in.
  ...some(Object.keys(CACHES) as (keyof Caches)[], 1).map((part): [string, Caches] => [
    part,
    { ...CACHES, [part]: NO_CACHES[part] },
  ]),
  ['all of them', NO_CACHES],
])('answers byte for byte the same without %s', async (_, caches) => {
  expect(await answersWith(caches)).toEqual(real);
});

// The Python, polars and R programs of /v1/explain give the rows of the walk for any values in the query.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { notTried } from '../support/notTried.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aRow } from '../support/snapshot.ts';

const run = promisify(execFile);

const NAMES = [
  `O'Higgins; --`,
  'a "quoted" \\ name',
  '$(x) `y` {z}',
  'line\nbreak',
  "Côte d'Ivoire",
  '中文 🎰',
  'a&b=c#d%20+e',
];
/** Texts that readers of JSON may take for numbers or for missing values. */
const NUMBER_LIKE = ['Inf', 'NA', 'NaN'];
const QUERY = `metric=ggr&fx=EUR&${NAMES.map((name) => `country=${encodeURIComponent(name)}`).join('&')}`;
const EVERYTHING = 'metric=ggr';
const NOTHING = 'metric=ggr&country=Nowhere';
const LIKE_NUMBERS = `metric=ggr&${NUMBER_LIKE.map((name) => `country=${name}`).join('&')}`;
const QUERIES = [QUERY, EVERYTHING, NOTHING, LIKE_NUMBERS];

let python: Python;
let server: TestServer;
let hasR: boolean;
beforeAll(async () => {
  python = await pythonWith('docs/notebooks/requirements.txt', 'test/long/requirements.txt');
  hasR = await run('Rscript', ['-e', 'library(httr); library(jsonlite)']).then(
    () => true,
    () => false,
  );
  const rows = NAMES.map((country, i) => aRow('ggr', { country, ggr: i === 0 ? null : i / 10 })).concat(
    Array.from({ length: 2500 }, (_, i) => aRow('ggr', { country: `C${i}`, ggr: i })),
    // This number needs more than 64 bits.
    NUMBER_LIKE.map((country) => aRow('ggr', { country, ggr: 2 ** 66 })),
  );
  server = await startServer({ rows: { ggr: rows } });
}, 600_000);
afterAll(() => server.close());

const environment = { ...process.env, API_KEY: 'none' };

async function programOf(language: string, query: string): Promise<{ program: string; rows: number }> {
  const { json } = await server.get(`/v1/explain?${query}`);
  return {
    program: json[language].replaceAll('http://127.0.0.1:3000', server.url),
    rows: json.meta.row_count,
  };
}

/** The country and the ggr of each row that the server itself gives for the query, up to 1,000 rows. */
async function expected(query: string): Promise<[string, number | null][]> {
  const { json } = await server.get(`/v1/financials?${query}&limit=1000`);
  return json.data.map(
    ({ dimensions, values }: { dimensions: { country: string }; values: { ggr: number } }) => [
      dimensions.country,
      values.ggr,
    ],
  );
}

describe.each(['python', 'polars'])('%s', (language) => {
  it.each(QUERIES)('gives every row: query %#', async (query) => {
    if ('missing' in python) return void notTried(python.missing);
    const { program, rows } = await programOf(language, query);
    const pairs =
      language === 'python'
        ? 'list(zip(table.country, [None if pandas.isna(v) else v for v in table.ggr]))'
        : 'table.select("country", "ggr").rows()';
    const type = 'str(table["ggr"].dtype).lower()';
    const printed = `${program}\nimport json; print(json.dumps([len(table), table.shape[1], ${type}, ${pairs}[:100]]))`;
    const { stdout } = await run(python.interpreter, ['-c', printed], {
      env: environment,
      maxBuffer: 2 ** 26,
    });
    expect(JSON.parse(stdout)).toEqual([rows, 11, 'float64', (await expected(query)).slice(0, 100)]);
  });
});

describe('r', () => {
  it.each(QUERIES)('gives every row: query %#', async (query) => {
    if (!hasR) {
      notTried('the programs in R need them: apt-get install r-base-core r-cran-jsonlite r-cran-httr');
      return;
    }
    const { program, rows } = await programOf('r', query);
    const printed = `${program}
rows <- head(table, 100)
ggr <- ifelse(is.na(rows$ggr), NA_character_, sprintf("%.17g", rows$ggr))
cat(toJSON(list(n = NROW(table), country = rows$country, ggr = ggr), na = "null"))`;
    const { stdout } = await run('Rscript', ['-e', printed], { env: environment });
    const { n, country, ggr } = JSON.parse(stdout.slice(stdout.indexOf('{"n"')));
    const pairs = country.map((name: string, i: number) => [name, ggr[i] === null ? null : Number(ggr[i])]);
    expect([n[0], pairs]).toEqual([rows, (await expected(query)).slice(0, 100)]);
  });
});

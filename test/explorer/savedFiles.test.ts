// Files that the explorer saves: each holds the published rows of the selection, digit for digit.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import xlsx from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import type { Browser, Download, Page } from 'playwright-core';
import { copied, openBrowser } from '../support/browser.ts';
import { itInDepth } from '../support/depth.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, goTo, type Stay, staying, visiting } from './visiting.ts';

type Cells = readonly (string | number | null)[];

let browser: Browser;
let server: SharedServer;
let folder: string;
let stay: Stay;
let database: DuckDBConnection;
beforeAll(async () => {
  [browser, server, folder] = await Promise.all([
    openBrowser(),
    sharedServer(),
    mkdtemp(path.join(os.tmpdir(), 'explorer-')),
  ]);
  database = await (await DuckDBInstance.create()).connect();
  stay = await staying({ browser, url: server.url, key: server.key });
});
afterAll(async () => {
  await stay?.leave();
  await rm(folder, { recursive: true, force: true });
});

/** Goes to an address in the window that the tests share. */
async function at(address: string, act: (page: Page) => Promise<void>): Promise<void> {
  const page = await stay.goTo(address);
  await answered(page);
  await act(page);
}

const rowsOf = async (sql: string) => (await database.runAndReadAll(sql)).getRowsJson() as Cells[];

/** The published rows, with numbers as DuckDB writes them in JSON. */
const published = () =>
  rowsOf(`SELECT * FROM '${process.env.SAMPLE_DATA_DIR}/snapshots/2026-11.1/ggr.parquet'
    WHERE country = 'Malta' AND fx = 'USD' AND state = '' AND year BETWEEN 2023 AND 2024`);

/**
 * Downloads a file. If the page asks for another try, because a busy machine delays Redis, the button is pressed
 * again.
 */
async function downloaded(page: Page, name: string): Promise<Download> {
  let download: Download | null = null;
  page.once('download', (one) => {
    download = one;
  });
  const button = page.getByRole('button', { name, exact: true });
  const refused = page.getByText('Try again in');
  await button.click();
  while (download === null) {
    await page.waitForTimeout(20);
    if (!(await refused.isVisible())) continue;
    await button.click();
    await refused.waitFor({ state: 'hidden' });
  }
  return download;
}

async function take(page: Page, name: string): Promise<{ name: string; file: string; content: Buffer }> {
  const download = await downloaded(page, name);
  const file = path.join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return { name: download.suggestedFilename(), file, content: await readFile(file) };
}

describe('a file of the selection', () => {
  it('holds the published rows in their order, whether CSV, Excel, Parquet or Arrow, and is named by the selection', () =>
    at('/?country=Malta&from=2023&to=2024', async (page) => {
      const rows = await published();
      expect(rows.length).toBeGreaterThan(5);

      const csv = await take(page, 'CSV');
      expect(csv.name).toBe('ggr-malta-usd-2023-2024-2026-11.1.csv');
      // A screen reader announces the end of the download, too.
      await page.getByRole('status').getByText(`${csv.name} is downloaded.`).waitFor();
      expect(
        await rowsOf(
          `SELECT * REPLACE (coalesce(state, '') AS state) FROM read_csv('${csv.file}', types = {'year': 'INTEGER', 'ggr': 'DOUBLE'})`,
        ),
      ).toEqual(rows);

      const parquet = await take(page, 'Parquet');
      expect(await rowsOf(`SELECT * FROM '${parquet.file}'`)).toEqual(rows);

      const arrow = tableFromIPC((await take(page, 'Arrow')).content);
      const names = arrow.schema.fields.map(({ name }) => name);
      expect(arrow.toArray().map((row) => names.map((name) => row?.[name]))).toEqual(rows);

      const book = xlsx.read((await take(page, 'Excel')).content);
      const [head, ...cells] = xlsx.utils.sheet_to_json<Cells>(book.Sheets.ggr ?? {}, {
        header: 1,
        defval: '',
      });
      expect(head).toEqual(names);
      expect(cells).toEqual(rows);
      expect(book.SheetNames).toEqual(['ggr', 'About']);
    }));

  itInDepth('of many chunks is what the API sends, byte for byte', () =>
    at('/', async (page) => {
      const asking = page.waitForRequest(/\/v1\/export\//);
      const { content } = await take(page, 'CSV');
      const response = await patientFetch((await asking).url(), { headers: { 'x-api-key': server.key } });
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBeGreaterThan(2 ** 19);
      expect(content.equals(bytes)).toBe(true);
    }),
  );

  it('agrees with the table, its copy, the chart and the code, digit for digit', () =>
    at('/?country=Malta&from=2023&to=2024&by=none', async (page) => {
      const rows = await published();
      const sum = rows.filter(([year]) => year === 2024).reduce((all, row) => all + Number(row.at(-1)), 0);
      expect(await page.locator('.readout').textContent()).toContain(sum.toLocaleString('en'));

      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await page.locator('tbody tr').first().waitFor();
      const shown = (await page.locator('tbody td:last-child').allTextContents()).map((text) =>
        Number(text.replaceAll(',', '')),
      );
      expect(shown).toEqual(rows.map((row) => row.at(-1)));
      await page.getByRole('button', { name: 'Copy as CSV' }).click();
      const text = await copied(page);
      const csv = await take(page, 'CSV');
      expect(text).toBe(csv.content.toString());

      await page.getByRole('button', { name: 'Code', exact: true }).click();
      await page.getByText(`It gives the ${rows.length} rows of the table`).waitFor();
      await page.getByRole('button', { name: 'SQL (DuckDB)' }).click();
      const sql = ((await page.locator('.code-box pre').textContent()) ?? '').replace(
        "'data/",
        `'${process.env.SAMPLE_DATA_DIR}/`,
      );
      expect(await rowsOf(sql)).toEqual(rows);
    }));
});

it('a negative figure that is selected and copied is a number in a spreadsheet', () =>
  at('/?dataset=country&metric=inflation&view=table&country=Japan&from=2009&to=2010', async (page) => {
    await page.getByText('\u22121').first().waitFor();
    const [plain, rich] = await page.evaluate<[string, string]>(`new Promise((resolve) => {
      addEventListener('copy', ({ clipboardData }) =>
        resolve([clipboardData.getData('text/plain'), clipboardData.getData('text/html')]));
      getSelection().selectAllChildren(document.querySelector('tbody'));
      document.execCommand('copy');
    })`);
    expect(plain).toMatch(/^2009\t-1\t/);
    expect(rich).toMatch(/^<table><tr.*<td[^>]*>-1/s);
    expect(plain + rich).not.toContain('\u2212');
  }));

it('a comparison says how many revisions it lists, and copies all of them as the API gives them', () =>
  at('/?view=compare', async (page) => {
    await page.getByText('The 100 largest of 2,875 are listed.').waitFor();
    await page.getByRole('button', { name: 'Copy these 2,875 rows as CSV' }).click();
    const linesOf = (csv: string) => csv.trimEnd().split('\r\n');
    const [head, ...lines] = linesOf(await copied(page));
    const own: string[] = [];
    const query =
      'dataset=ggr&since=2026-10.1&change=revised&fx=USD&state=&period=2018-01-01:2030-12-31&limit=1000';
    for (let next: string | null = `/v1/changes?${query}`; next !== null; ) {
      const headers = { 'x-api-key': server.key, accept: 'text/csv' };
      const response: Response = await patientFetch(`${server.url}${next}`, { headers });
      const [ownHead, ...page] = linesOf(await response.text());
      expect(`change,${head}`).toBe(ownHead);
      own.push(...page);
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(lines.map((line) => `revised,${line}`).sort()).toEqual(own.sort());
  }));

it('all series of a chart that draws only the largest are copied with the sums of the API', () =>
  at('/?channel=Online&fx=EUR&from=2019&to=2024&by=country', async (page) => {
    await page.getByRole('button', { name: /^Copy all \d+ for a spreadsheet$/ }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const [head = [], ...lines] = (await copied(page))
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd().split('\t'));
    const found = await rowsOf(
      `SELECT year, country, sum(ggr) FROM '${process.env.SAMPLE_DATA_DIR}/current/ggr.parquet'
       WHERE channel = 'Online' AND fx = 'EUR' AND state = '' AND year BETWEEN 2019 AND 2024 GROUP BY ALL`,
    );
    const sums = new Map(found.map(([year, country, sum]) => [`${year} ${country}`, sum]));
    const countries = head.slice(1, -1);
    expect(countries.length).toBeGreaterThan(100);
    const shown = lines.flatMap(([year, ...cells]) =>
      countries.flatMap((country, i) =>
        cells[i] ? [[`${year} ${country}`, Number(cells[i])] as const] : [],
      ),
    );
    expect(new Map(shown)).toEqual(sums);
  }));

it('the chart as numbers has the sums of the API, with the years of forecasts marked', () =>
  at('/?from=2024&to=2026', async (page) => {
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    const [head = '', ...lines] = (await copied(page)).trimEnd().split('\r\n');
    const response = await patientFetch(
      `${server.url}/v1/totals?dataset=ggr&by=year&by=region&fx=USD&state=&period=2024-01-01:2026-12-31`,
      { headers: { 'x-api-key': server.key } },
    );
    const { data } = (await response.json()) as {
      data: { dimensions: { year: number; region: string }; values: { ggr: number } }[];
    };
    const regions = head.split(',').slice(1, -1);
    const sumOf = (year: number, region: string) =>
      data.find(({ dimensions }) => dimensions.year === year && dimensions.region === region)?.values.ggr;
    expect(regions).toHaveLength(6);
    expect(head).toBe(`year,${regions.join(',')},forecast`);
    expect(lines).toEqual(
      Object.entries({ 2024: '', 2025: 'some', 2026: 'all' }).map(([year, forecast]) =>
        [year, ...regions.map((region) => sumOf(Number(year), region)), forecast].join(','),
      ),
    );
  }));

describe('the chart as a picture', () => {
  it('says title, unit, coverage, forecast, source and snapshot by itself, in SVG and PNG', () =>
    at('/?from=2010', async (page) => {
      const svg = (await take(page, 'SVG')).content.toString();
      for (const words of [
        'Gross gaming revenue by region',
        'US dollars, 2010–2030, converted at each year’s rate',
        'countries begin in 2015',
        'Forecast',
        'North America',
        'currency USD, snapshot 2026-11.1',
        'Dashed: forecast.',
      ])
        expect(svg).toContain(words);
      expect(svg).not.toContain('var(--');
      const png = (await take(page, 'PNG')).content;
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      // Width and height are twice those on the screen.
      expect(png.readUInt32BE(16)).toBe(2 * 948);
      expect(png.readUInt32BE(20)).toBeGreaterThan(1000);
    }));

  itInDepth('names what it leaves out, and speaks of a forecast only where it has one', () =>
    at('/?from=2010&to=2018', async (page) => {
      for (const chart of ['lines', 'areas', 'multiples']) {
        // The sample has no forecast for these years.
        await goTo(page, `/?from=2010&to=2018&chart=${chart}`);
        await answered(page);
        expect(await page.textContent('.chart-figure .source')).not.toContain('forecast');
        expect((await take(page, 'SVG')).content.toString()).not.toMatch(/forecast/i);
      }

      await goTo(page, '/?fx=GBP');
      await answered(page);
      expect((await take(page, 'SVG')).content.toString()).toContain('Albania, Argentina');
      await goTo(page, '/?by=country');
      await answered(page);
      expect((await take(page, 'SVG')).content.toString().replace(/<[^>]*>/g, ' ')).toMatch(
        /\d+ more\s+are\s+not\s+drawn\./,
      );
    }),
  );
});

describe('a download that cannot be had', () => {
  it('says what the service says, such as the limit of a workbook', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.route('**/v1/export/**', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/json',
          body: '{"error":"Too many rows for xlsx; take csv"}',
        }),
      );
      await page.goto(`${server.url}/?country=Malta`);
      await answered(page);
      await page.getByRole('button', { name: 'Excel', exact: true }).click();
      await page.getByText('Too many rows for xlsx; take csv').waitFor();
    }));

  itInDepth('is said to be cut off only if it had begun', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta`);
      await answered(page);
      await page.route('**/v1/export/**', (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '7' }, body: '{}' }),
      );
      await page.getByRole('button', { name: 'CSV', exact: true }).click();
      await page.getByText('The service is busy, or does not answer. Try again in 7 s.').waitFor();
      await page.evaluate(() => {
        const whole = globalThis.fetch;
        globalThis.fetch = async (...asked: Parameters<typeof fetch>) => {
          if (!String(asked[0]).includes('/v1/export/')) return whole(...asked);
          let parts = 0;
          const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
            parts += 1;
            if (parts === 1) controller.enqueue(new Uint8Array(9));
            else controller.error(new TypeError('network error'));
          };
          return new Response(new ReadableStream({ pull }), { status: 200 });
        };
      });
      await page.getByRole('button', { name: 'CSV', exact: true }).click();
      await page.getByText('The download was cut off. Try again in a moment.').waitFor();
    }),
  );
});

describe('a citation', () => {
  it('leads to the question in the snapshot that it names, from every view', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&view=about`);
      await page.getByRole('button', { name: 'Copy the full form' }).click();
      expect(await copied(page)).toContain(`${server.url}/?country=Malta&as-of=2026-11.1, retrieved `);
    }));
});

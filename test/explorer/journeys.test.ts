// The explorer as an analyst meets it: from a pasted key to a chart, a table and a link.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, visiting } from './visiting.ts';

let browser: Browser;
let server: SharedServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), sharedServer()]);
});
afterAll(() => browser?.close());

const totals = async (search: string) => {
  const response = await fetch(`${server.url}/v1/totals?${search}`, { headers: { 'x-api-key': server.key } });
  return (await response.json()) as {
    data: { dimensions: Record<string, unknown>; values: Record<string, number> }[];
  };
};

describe('from a key to an answer', () => {
  it('a pasted key gives a chart at once, in five requests, with the exact numbers of the API', () =>
    visiting({ browser, url: server.url }, async ({ page, asked }) => {
      await page.goto(`${server.url}/`);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Explore the data');
      await page.getByLabel('Your API key').fill(server.key);
      await page.getByRole('button', { name: 'Open the explorer' }).click();
      await answered(page);
      expect(asked.length).toBeLessThanOrEqual(5);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'Gross gaming revenue by region',
      );
      await page.locator('.chart .series-label').first().waitFor();
      const { data } = await totals('dataset=ggr&by=region&year=2024&fx=USD&state=');
      const readout = (await page.locator('.readout').textContent()) ?? '';
      expect(data.length).toBe(6);
      for (const { values } of data) expect(readout).toContain((values.ggr ?? 0).toLocaleString('en'));
      expect(page.url()).toBe(`${server.url}/`);
    }));

  it('the table has the rows of the chart, and a link repeats it for somebody else', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&by=product&from=2020&to=2021`);
      await answered(page);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'Gross gaming revenue, Malta, by product',
      );
      await page.getByRole('button', { name: 'Table' }).click();
      await page.locator('tbody tr').first().waitFor();
      const rows = await page.locator('tbody tr').count();
      expect(await page.getByText(`${rows} of ${rows} rows`).count()).toBe(1);
      expect(page.url()).toContain('country=Malta&from=2020&to=2021&by=product&view=table');
      await page.goBack();
      await answered(page);
      expect(await page.locator('.chart').count()).toBe(1);
      await page.reload();
      await answered(page);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'Gross gaming revenue, Malta, by product',
      );
    }));
});

/** The requests that the page sent while `act` ran and until the answer stood. */
async function cost(page: Page, asked: readonly string[], act: () => Promise<unknown>): Promise<number> {
  const before = asked.length;
  await act();
  await page
    .locator('.answer[aria-busy=true]')
    .waitFor({ timeout: 2000 })
    .catch(() => {});
  await answered(page);
  return asked.length - before;
}

describe('a question that changes', () => {
  it('costs at most ten requests for a hundred quick clicks, and shows the last one; asked again, it costs none', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page, asked }) => {
      await page.goto(`${server.url}/?dataset=ggr`);
      await answered(page);
      await page.locator('summary', { hasText: 'Product' }).click();
      await page.locator('.picker[open] input[type=checkbox]').first().waitFor();
      const clicks = await cost(page, asked, () =>
        page.evaluate(`(async () => {
          for (let i = 0; i < 100; i++) {
            const boxes = document.querySelectorAll('.picker[open] input[type=checkbox]');
            boxes[i % boxes.length].click();
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        })()`),
      );
      expect(clicks).toBeLessThanOrEqual(10);
      const chosen = new URL(page.url()).searchParams.getAll('product');
      expect(chosen.length).toBeGreaterThan(0);
      expect(await page.locator('.picker[open] input:checked').count()).toBe(chosen.length);
      const search = new URLSearchParams([
        ['dataset', 'ggr'],
        ['by', 'region'],
        ['year', '2024'],
        ['fx', 'USD'],
        ['state', ''],
      ]);
      for (const product of chosen) search.append('product', product);
      const { data } = await totals(search.toString());
      await page.getByLabel('Year', { exact: true }).fill('2024');
      const readout = (await page.locator('.readout').textContent()) ?? '';
      for (const { values } of data) expect(readout).toContain((values.ggr ?? 0).toLocaleString('en'));

      expect(
        await cost(page, asked, () =>
          page
            .getByRole('button', { name: 'Drop all filters' })
            .or(page.getByRole('button', { name: 'Clear product' }))
            .first()
            .click(),
        ),
      ).toBe(0);
    }));

  it('takes a default where a sum must not be made and says so; without it, asks and draws the answer', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/`);
      await answered(page);
      await page.getByRole('button', { name: 'Drop USD' }).click();
      await page.getByRole('heading', { name: 'Which currency?' }).waitFor();
      await page.getByRole('button', { name: 'EUR', exact: true }).click();
      await page.locator('.chart .series-label').first().waitFor();
      expect(await page.locator('.headline p').textContent()).toContain('Euros');
      await page.goto(`${server.url}/?state=&state=Alberta&by=region`);
      await page.getByRole('heading', { name: 'States or whole countries?' }).waitFor();
      await page.getByRole('button', { name: 'Whole countries', exact: true }).click();
      await page.locator('.chart .series-label').first().waitFor();
    }));

  it('marks a jump in coverage and says which countries begin, so that it is not read as growth', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?from=2010&to=2020`);
      await answered(page);
      expect(await page.locator('.notes').textContent()).toMatch(/2015: \d+ countries begin/);
      expect(await page.locator('.chart').textContent()).toMatch(/countries begin in 2015/);
      // No growth is told across the last break.
      expect(await page.locator('.summary').textContent()).toMatch(/since 2018/);
    }));

  it('shows the numbers of another month as of that month, and what changed since', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Italy&as-of=2026-10.1&by=none&from=2024&to=2024&chart=bars`);
      await answered(page);
      const response = await fetch(
        `${server.url}/v1/totals?dataset=ggr&country=Italy&year=2024&fx=USD&state=`,
        { headers: { 'x-api-key': server.key, 'x-snapshot': '2026-10.1' } },
      );
      const before = (await response.json()) as { data: { values: { ggr: number } }[] };
      const shown = (await page.locator('.readout').textContent()) ?? '';
      expect(shown).toContain(before.data[0]?.values.ggr.toLocaleString('en'));
      await page.getByLabel('As of').selectOption('');
      await answered(page);
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByRole('heading', { name: 'Largest revisions' }).waitFor();
      const first = page.locator('.compare-view tbody tr').first();
      expect(await first.textContent()).toContain('2024 · Italy');
    }));
});

describe('what an address may hold', () => {
  it('is shown as text and explained: unknown datasets, values, dimensions, and marks of other directions', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      const script = '<script>document.title="hurt"</script>';
      await page.goto(
        `${server.url}/?country=${encodeURIComponent(script)}&country=Maltta&planet=Mars&view=sideways`,
      );
      await page.getByText('2 values do not exist').waitFor();
      expect(await page.getByRole('alert').textContent()).toContain(script);
      expect(await page.getByText('view=sideways').count()).toBe(1);
      await page.getByRole('button', { name: 'Malta', exact: true }).click();
      await page.getByRole('button', { name: 'Go on without it' }).click();
      await page.getByText('Gross gaming revenue, Malta').first().waitFor();
      expect(await page.title()).not.toBe('hurt');

      await page.goto(`${server.url}/?dataset=${encodeURIComponent('"\u202eevil')}`);
      await page.getByRole('heading', { name: /There is no dataset/ }).waitFor();
      const many = Array.from({ length: 200 }, (_, i) => `country=Land${i}`).join('&');
      await page.goto(`${server.url}/?${many}`);
      await page.getByText('200 values do not exist').waitFor();
      await page.getByRole('button', { name: 'Go on without them' }).click();
      await answered(page);
      await page.goto(`${server.url}/country/${encodeURIComponent(script)}`);
      await page.getByText(/The data has no country/).waitFor();
    }));

  it('may select nothing: the page says so and offers the filter to drop', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&state=Alberta`);
      await page.getByRole('heading', { name: 'No rows have all of this together' }).waitFor();
      await page.getByRole('button', { name: /Without state/ }).click();
      await page.getByText('Gross gaming revenue, Malta').first().waitFor();
    }));

  it('may name a snapshot that is not retained: the current one is offered', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?as-of=2001-01.1&country=Malta`);
      await page.getByRole('button', { name: 'Use the current data' }).click();
      await page.getByText('Gross gaming revenue, Malta').first().waitFor();
    }));
});

describe('files', () => {
  it('hold the rows on the screen, the picture its source, and the code the same rows', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&from=2023&to=2024`);
      await answered(page);
      const folder = await mkdtemp(path.join(os.tmpdir(), 'explorer-'));
      const take = async (name: string) => {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name, exact: true }).click(),
        ]);
        const saved = path.join(folder, file.suggestedFilename());
        await file.saveAs(saved);
        return { name: file.suggestedFilename(), saved, content: await readFile(saved) };
      };
      const csv = await take('CSV');
      expect(csv.name).toBe('ggr-malta-usd-2023-2024-2026-11.1.csv');
      const rows = csv.content.toString().trimEnd().split('\r\n').slice(1);
      const parquet = await take('Parquet');
      const connection = await (await DuckDBInstance.create()).connect();
      const read = await connection.runAndReadAll(
        `SELECT sum(ggr)::DOUBLE, count(*)::INTEGER FROM '${parquet.saved}'`,
      );
      const ggr = rows.map((row) => Number(row.split(',').at(-1)));
      expect(read.getRows()).toEqual([[ggr.reduce((sum, value) => sum + value, 0), ggr.length]]);
      expect((await take('Excel')).content.subarray(0, 2).toString()).toBe('PK');
      expect((await take('Arrow')).content.subarray(0, 6).toString()).toBe('ARROW1');
      const svg = (await take('SVG')).content.toString();
      expect(svg).toContain('snapshot 2026-11.1');
      expect(svg).not.toContain('var(--');
      expect((await take('PNG')).content.subarray(1, 4).toString()).toBe('PNG');
      await rm(folder, { recursive: true });
      await page.getByRole('button', { name: 'Code' }).click();
      await page.getByText(`It gives the ${rows.length} rows of the table`).waitFor();
    }));
});

describe('for everybody', () => {
  it.each([
    ['light', 1280, '/'],
    ['dark', 360, '/?by=country&chart=bars'],
    ['dark', 1280, '/?view=table&country=Malta'],
    ['light', 360, '/?view=about'],
    ['dark', 1280, '/?view=compare&country=Malta'],
    ['light', 360, '/country/Malta'],
    ['dark', 2560, '/product/Poker'],
    ['light', 360, '/?all=fx'],
  ] as const)(
    '%s, %i px, %s: no findings of axe, nothing to scroll sideways, controls by thumb',
    (colorScheme, width, address) =>
      visiting(
        {
          browser,
          url: server.url,
          key: server.key,
          options: { colorScheme, viewport: { width, height: 800 } },
        },
        async ({ page }) => {
          await page.goto(server.url + address);
          await page.locator('.view, .entity-body').first().waitFor();
          await page.locator('.wait').waitFor({ state: 'detached' });
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(
            violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
            ),
          ).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        },
      ),
  );

  it('every step can be done with the keyboard: a filter, a year, the table', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/`);
      await answered(page);
      await page.locator('summary', { hasText: 'Country' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.picker[open] input[type=checkbox]').first().waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type('malt');
      await page.getByLabel('Malta').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.getByText('Gross gaming revenue, Malta').first().waitFor();
      await page.getByLabel('Year', { exact: true }).focus();
      await page.keyboard.press('Home');
      expect(await page.locator(':focus').getAttribute('aria-valuetext')).toMatch(/^2015: Gaming Machines/);
      await page.getByRole('button', { name: 'Table' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('tbody tr').first().waitFor();
    }));
});

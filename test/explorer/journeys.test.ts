// The explorer as an analyst meets it: from a pasted key to a chart, a table and a link.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
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

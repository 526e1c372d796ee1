// The page of a country whose revenue has no sum says why, and never that there is no revenue.

import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createExplorer } from '../../src/http/pages/serveExplorer.ts';
import { openBrowser } from '../support/browser.ts';
import { itInDepth, some } from '../support/depth.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';
import { visiting } from './visiting.ts';

let browser: Browser;
let server: ServerWithKeys;
let remove: () => Promise<void>;
beforeAll(async () => {
  const { dataDir, ...rest } = await aDataDir();
  ({ remove } = rest);
  const usd = { fx: 'USD', year: 2024 };
  await publishRows(dataDir, '2026-10.1', {
    ggr: [
      aRow('ggr', { ...usd, country: 'Malta', temporal: 'Current', ggr: 5 }),
      aRow('ggr', { ...usd, country: 'Malta', temporal: 'Forecast', ggr: 6 }),
      aRow('ggr', { ...usd, country: 'Canada', state: 'Alberta', ggr: 7 }),
      aRow('ggr', { ...usd, country: 'Canada', state: 'Ontario', ggr: 8 }),
      aRow('ggr', { ...usd, year: 2023, country: 'Spain', ggr: 9 }),
      aRow('ggr', { ...usd, year: 2023, country: 'Chile', ggr: 10 }),
      aRow('ggr', { ...usd, year: 2023, country: 'Canada', state: 'Alberta', ggr: 6 }),
    ],
  });
  const pages = [createExplorer(path.resolve('dist/explorer'))];
  [browser, server] = await Promise.all([openBrowser(), startServerWithKeys({ dataDir, pages })]);
});
afterAll(async () => {
  await server?.close();
  await remove?.();
});

const UNCLEAR = [
  ['a forecast beside its reported value', 'Malta', 'Some years have both a reported value and a forecast'],
  ['states alone', 'Canada', 'A state is part of its country'],
] as const;
it.each(some(UNCLEAR, 1))(
  'a country with %s is asked about, and leads to the choice',
  async (_, country, why) => {
    await visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
      await page.goto(`${server.url}/country/${country}`);
      const notice = page.locator('.notice');
      await notice.waitFor();
      const text = await notice.textContent();
      expect(text).toContain(why);
      expect(text).not.toContain('no revenue');
      await notice.getByRole('link', { name: `Explore ${country} in full` }).click();
      await page
        .getByRole('button', { name: country === 'Malta' ? 'Current' : 'States, side by side' })
        .click();
      await page.locator('.chart svg, .chart-figure').first().waitFor();
    });
  },
);

itInDepth(
  'years with reported values alone are drawn without a question, although other years have forecasts beside them',
  async () => {
    await visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
      await page.goto(`${server.url}/?by=none&from=2023&to=2023`);
      await page.locator('.readout').waitFor();
      expect(await page.locator('.readout').textContent()).toContain('19');
      await page.goto(`${server.url}/?by=none&from=2023&to=2024`);
      await page.getByRole('heading', { name: 'Reported or forecast?' }).waitFor();
    });
  },
);

itInDepth(
  'a sum of whole countries names those with states alone, and no share of the world is made of it',
  async () => {
    await visiting({ browser, url: server.url, key: await server.key() }, async ({ page }) => {
      await page.goto(`${server.url}/?temporal=Current&by=country`);
      await page
        .getByText('Not in all of the sums: Canada. It has rows of states alone in a year or more.')
        .waitFor();
      await page.goto(`${server.url}/?temporal=Current&by=country&country=Spain`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.readout, svg').first().waitFor();
      expect(await page.getByText('Not in the sums').count()).toBe(0);
      await page.goto(`${server.url}/country/Spain`);
      await page.locator('.key-figures').waitFor();
      const figures = await page.locator('.key-figures').textContent();
      expect(figures).toContain('2 of 2');
      expect(figures).not.toContain('Share of the world');
    });
  },
);

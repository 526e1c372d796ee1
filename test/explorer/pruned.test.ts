// While somebody looks at a snapshot in the explorer, it is pruned, or another one becomes current.

import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { prune } from '../../ingest/store/prune.ts';
import { createExplorer } from '../../src/http/pages/serveExplorer.ts';
import { openBrowser } from '../support/browser.ts';
import { itInDepth, some } from '../support/depth.ts';
import { type ServerWithKeys, startServerWithKeys } from '../support/serverWithKeys.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';
import { answered, visiting } from './visiting.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

let server: ServerWithKeys;
let dataDir: string;
let url: string;
let key: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
  for (const id of ['2026-08.1', '2026-09.1', '2026-10.1']) await publishNumbered(id);
  const pages = [createExplorer(path.resolve('dist/explorer'))];
  server = await startServerWithKeys({ dataDir, pages });
  ({ url } = server);
  key = await server.key();
});
afterEach(async () => {
  await server.close();
  await remove();
});

/** Publishes a snapshot whose values are made of its month and a year, so that each has other values. */
const publishNumbered = (id: string) =>
  publishRows(dataDir, id, {
    ggr: [2022, 2023, 2024].flatMap((year) =>
      ['Online', 'Land'].map((channel) =>
        aRow('ggr', { country: 'Malta', year, channel, fx: 'USD', ggr: Number(id.slice(5, 7)) * 1e6 + year }),
      ),
    ),
  });

const valueIn = (id: string) => (Number(id.slice(5, 7)) * 1e6 + 2024).toLocaleString('en');

async function pruneAndWait(keep: number, gone: string): Promise<void> {
  await prune({ dataDir, keep, dryRun: false, at: new Date(Date.now() + 3 * 86_400_000) });
  await untilAnswered(gone, 400);
}

/** Publishes a snapshot and waits until it is the server's current one. The server may already serve it by its id. */
async function publishAndWait(id: string): Promise<void> {
  await publishNumbered(id);
  await until({}, ({ headers }) => headers.get('x-snapshot') === id, `has ${id} as the current snapshot`);
}

/** Waits until requests for a snapshot are answered with this status. */
const untilAnswered = (snapshot: string, status: number) =>
  until({ 'x-snapshot': snapshot }, (one) => one.status === status, `answers ${status} for ${snapshot}`);

async function until(
  headers: Readonly<Record<string, string>>,
  isThere: (response: Response) => boolean,
  what: string,
): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    const address = `${url}/v1/values?dataset=ggr&dimension=fx`;
    const response = await fetch(address, { headers: { 'x-api-key': key, ...headers } });
    await response.text();
    if (isThere(response)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No answer shows that the server ${what}`);
}

const split = async (page: Page, by: string) => {
  await page.getByLabel('Split').selectOption(by);
};

describe('a snapshot that is pruned while somebody looks at it', () => {
  it('leaves its last answer on the screen, says that it is not retained, and offers the others', () =>
    visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?as-of=2026-08.1&by=channel`);
      await answered(page);
      await pruneAndWait(2, '2026-08.1');
      await split(page, 'country');
      const notice = page.getByRole('alert');
      await notice.getByText('2026-08.1 is not retained').waitFor();
      expect(await notice.textContent()).toContain('Below is its last answer');
      expect(await page.locator('.readout').textContent()).toContain(valueIn('2026-08.1'));
      expect(await page.locator('.as-of option').allTextContents()).toEqual([
        '2026-10.1 (current)',
        '2026-08.1',
        '2026-09.1',
      ]);
      // The snapshot has no files any more, and the page says why.
      await page.getByRole('button', { name: 'CSV', exact: true }).click();
      await page.getByText('This snapshot is no longer retained, so it has no files.').waitFor();
      await notice.getByRole('button', { name: 'Use 2026-09.1' }).click();
      await page.getByRole('heading', { name: /by country/ }).waitFor();
      await answered(page);
      expect(page.url()).toContain('as-of=2026-09.1');
      expect(await page.locator('.source').textContent()).toContain('snapshot 2026-09.1');
    }));

  itInDepth('in a comparison, names the one of the two that is gone, and offers the others', () =>
    visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?view=compare&since=2026-08.1`);
      await page.getByRole('heading', { name: 'Largest revisions' }).waitFor();
      await pruneAndWait(2, '2026-08.1');
      await page.getByLabel('Last year', { exact: true }).first().fill('2023');
      await page.keyboard.press('Enter');
      await page.getByText('2026-08.1 is not retained').waitFor();
      await page.getByRole('button', { name: 'Compare with 2026-09.1' }).click();
      await page.getByRole('heading', { name: 'Largest revisions' }).waitFor();
      expect(page.url()).toContain('since=2026-09.1');
    }),
  );

  itInDepth('says so once when it is then compared', () =>
    visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?as-of=2026-08.1&by=channel`);
      await answered(page);
      await pruneAndWait(2, '2026-08.1');
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('2026-08.1 is not retained').first().waitFor();
      await page.locator('.is-old').waitFor();
      expect(await page.getByText('2026-08.1 is not retained').count()).toBe(1);
    }),
  );

  itInDepth('as the current one, is replaced by the new current one, and the page says so', () =>
    visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?by=channel`);
      await answered(page);
      expect(await page.locator('.source').textContent()).toContain('snapshot 2026-10.1');
      for (const id of ['2026-11.1', '2026-12.1']) await publishAndWait(id);
      await pruneAndWait(2, '2026-10.1');
      // This view sends its own requests, so it is the first to notice that the snapshot was removed.
      await page.getByRole('button', { name: 'About', exact: true }).click();
      await page
        .getByText('The data was updated: 2026-12.1 answers now. 2026-10.1 is no longer retained.')
        .waitFor();
      await page.getByText('Snapshot 2026-12.1').first().waitFor();
      await page.getByRole('button', { name: 'Chart', exact: true }).click();
      await page.locator('.chart svg').waitFor();
      expect(await page.locator('.readout').textContent()).toContain(valueIn('2026-12.1'));
    }),
  );
});

describe('a snapshot that is no longer the current one, and still retained', () => {
  const WAYS = [
    ['with the next question', ''],
    ['when somebody comes back to the tab', 'document.dispatchEvent(new Event("visibilitychange"))'],
  ] as const;
  it.each(some(WAYS, 1))('is replaced %s after minutes, and the page says so', (_when, event) =>
    visiting({ browser, url, key }, async ({ page, asked }) => {
      await page.goto(`${url}/?by=channel`);
      await answered(page);
      await publishAndWait('2026-11.1');
      const before = asked.length;
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.evaluate('Date.now = ((now) => () => now() + 301_000)(Date.now)');
      if (event === '') await split(page, 'country');
      else await page.evaluate(event);
      await page.getByText('The data was updated: 2026-11.1 answers now.', { exact: true }).waitFor();
      await page.locator('.source', { hasText: 'snapshot 2026-11.1' }).waitFor();
      await answered(page);
      expect(await page.locator('.as-of option').allTextContents()).toContain('2026-11.1 (current)');
      // The list was fetched just now, so returning to the page sends no request.
      const after = asked.length;
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await answered(page);
      const isOfFacts = (address: string) => address === '/v1/snapshots';
      expect(asked.slice(before, after).filter(isOfFacts)).toHaveLength(1);
      expect(asked.slice(after).filter(isOfFacts)).toHaveLength(0);
    }),
  );

  itInDepth('stays on the screen where the address names it, and is not called current', () =>
    visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?by=channel&as-of=2026-10.1`);
      await answered(page);
      await publishAndWait('2026-11.1');
      await page.evaluate('Date.now = ((now) => () => now() + 301_000)(Date.now)');
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.locator('.as-of option', { hasText: '2026-11.1 (current)' }).waitFor({ state: 'attached' });
      expect(await page.locator('.readout').textContent()).toContain(valueIn('2026-10.1'));
      expect(await page.getByText('The data was updated').count()).toBe(0);
    }),
  );
});

// The explorer loses nothing when limits are reached, the server restarts, Redis is away or the key is revoked.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createGate } from '../../src/access/gate/gate.ts';
import { type Keys, keysOf } from '../../src/access/keys/keys.ts';
import { createClient } from '../../src/explorer/api/client.ts';
import { createAuthenticator } from '../../src/http/middleware/authenticator.ts';
import { createExplorer } from '../../src/http/pages/serveExplorer.ts';
import { copied, inWindow, openBrowser } from '../support/browser.ts';
import { itInDepth, some } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { answered, visiting } from './visiting.ts';

let browser: Browser;
let redis: TestRedis;
let keys: Keys;
let server: TestServer;
let port: number;
let url: string;

async function start(): Promise<void> {
  server = await startServer({
    port,
    dataDir: process.env.SAMPLE_DATA_DIR ?? '',
    authenticator: createAuthenticator(
      createGate(redis.client, { perMinute: 100, perDay: 10_000 }),
      () => {},
    ),
    pages: [createExplorer(path.resolve('dist/explorer'))],
  });
  ({ url } = server);
}

beforeAll(async () => {
  [browser, redis] = await Promise.all([openBrowser(), startRedis()]);
  keys = keysOf(redis.client);
  port = Number(await freePort());
  await start();
});
afterAll(async () => {
  await server?.close();
  await redis?.close();
});

it('429: says that the requests are used up, counts down, keeps question and answer, and goes on', async () => {
  const { key, id } = await keys.issue({ label: 'few', by: 'test' });
  await keys.changeLimits(id, { perMinute: 6, perDay: null }, 'test');
  await visiting({ browser, url, key }, async ({ page }) => {
    await page.goto(`${url}/?country=Malta`);
    await answered(page);
    await page.getByLabel('Split').selectOption('channel');
    await page.getByRole('heading', { name: 'This key has used up its requests for now' }).waitFor();
    expect(await page.locator('.countdown').textContent()).toMatch(/^The next attempt is in \d+ s\.$/);
    expect(page.url()).toContain('by=channel');
    // The previous answer is still shown, and is marked as previous.
    expect(await page.locator('.chart svg').count()).toBe(1);
    await page.getByText('Below is the answer to the question before.').waitFor();
    // A link that is copied meanwhile leads to the shown answer, not to the question that has none yet.
    await page.getByRole('button', { name: 'Link to 2026-11.1' }).click();
    const link = await copied(page);
    expect(link).toContain('country=Malta');
    expect(link).not.toContain('by=channel');
    await keys.changeLimits(id, { perMinute: 1000, perDay: null }, 'test');
    await page.getByRole('button', { name: 'Ask now' }).click();
    await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by channel' }).waitFor();
  });
});

itInDepth(
  '429: bars stay those of the year that was answered, with their title, sentence and picture',
  async () => {
    const { key, id } = await keys.issue({ label: 'bars', by: 'test' });
    await visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?by=country&country=Malta&country=Spain&chart=bars&to=2020`);
      await answered(page);
      const figure = () => page.locator('.chart-figure').textContent();
      const before = await figure();
      expect(before).toMatch(/US dollars, 2020.* in 2020/s);
      await keys.changeLimits(id, { perMinute: 1, perDay: null }, 'test');
      const refused = page.getByRole('heading', { name: 'This key has used up its requests for now' });
      // A year that the sample lacks, as a link or the browser's history may name it.
      await page.evaluate(
        "history.pushState(null, '', location.search.replace('to=2020', 'from=2031&to=2040')); dispatchEvent(new PopStateEvent('popstate'))",
      );
      await refused.waitFor();
      expect(await figure()).toBe(before);
      // A year that the sample has.
      await page.getByRole('slider', { name: 'Year', exact: true }).press('ArrowLeft');
      await page.waitForURL(/to=2019/);
      await refused.waitFor();
      expect(await figure()).toBe(before);
      await keys.changeLimits(id, { perMinute: 1000, perDay: null }, 'test');
      await page.getByRole('button', { name: 'Ask now' }).click();
      await page.getByText('US dollars, 2019, converted').waitFor();
    });
  },
);

itInDepth(
  '429: what is offered without a filter, with its rows, drops it from the question that was answered',
  async () => {
    const { key, id } = await keys.issue({ label: 'empty', by: 'test' });
    await visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?country=Malta&fx=JPY`);
      await answered(page);
      await page.getByText('No rows', { exact: false }).first().waitFor();
      await keys.changeLimits(id, { perMinute: 1, perDay: null }, 'test');
      await page.evaluate(
        "history.pushState(null, '', location.search + '&product=Poker'); dispatchEvent(new PopStateEvent('popstate'))",
      );
      await page.getByRole('heading', { name: 'This key has used up its requests for now' }).waitFor();
      await page.getByRole('button', { name: /Malta/ }).last().click();
      await page.waitForURL((address) => !address.search.includes('country='));
      expect(new URL(page.url()).search).toBe('?fx=JPY');
    });
  },
);

itInDepth('a server that restarts in the middle: says so, and repeats the question by itself', async () => {
  const { key } = await keys.issue({ label: 'restart', by: 'test' });
  await visiting({ browser, url, key }, async ({ page }) => {
    await page.goto(`${url}/?country=Malta`);
    await answered(page);
    await server.close();
    await page.getByLabel('Split').selectOption('channel');
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor();
    await start();
    await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by channel' }).waitFor();
  });
});

itInDepth('a page that waits to open: opens at once when it is asked to', async () => {
  const { key } = await keys.issue({ label: 'opening', by: 'test' });
  await visiting({ browser, url, key }, async ({ page }) => {
    await page.route('**/v1/datasets', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '600' }, body: '{}' }),
    );
    await page.goto(`${url}/?country=Malta`);
    await page.getByText(/^The next attempt is in \d+ s\.$/).waitFor();
    await page.unroute('**/v1/datasets');
    await page.getByRole('button', { name: 'Ask now' }).click();
    await page.locator('.chart svg').waitFor();
  });
});

it('an error in the page itself: says so above the old answer, and loads the question again', async () => {
  const { key } = await keys.issue({ label: 'error', by: 'test' });
  const initScript = `sessionStorage.setItem('api-key', ${JSON.stringify(key)})`;
  await inWindow(browser, { initScript }, async (page) => {
    await page.goto(`${url}/?country=Malta`);
    await answered(page);
    // Errors of extensions are not the page's.
    await page.evaluate('void Promise.reject(new Error("of an extension"))');
    await page.route(/\/v1\/totals/, (route) => route.fulfill({ json: {} }));
    await page.getByLabel('Split').selectOption('channel');
    const notice = page.getByRole('alert').filter({ hasText: 'This page has made an error' });
    await notice.waitFor();
    expect(await notice.count()).toBe(1);
    await page.unroute(/\/v1\/totals/);
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by channel' }).waitFor();
    await answered(page);
    expect(await notice.count()).toBe(0);
    await page.evaluate('void Promise.reject(new Error("of an extension"))');
    await page.waitForTimeout(100);
    expect(await notice.count()).toBe(0);
  });
});

it('an answer that never comes: counts as none after a while, so that the page asks again', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const options = { root: `http://127.0.0.1:${port}/`, key: '', onRequestsLeft() {}, onKeyRefused() {} };
  const client = createClient({ ...options, maxAnswerMs: 200 });
  const connected = once(silent, 'connection');
  const reply = client.ask('/v1/totals', []);
  const [socket] = (await connected) as [Socket];
  expect(await reply).toEqual({ kind: 'away', waitSeconds: 5 });
  socket.destroy();
  silent.close();
});

it('Redis away: the page still loads, says that the service does not answer, and goes on by itself', async () => {
  const { key } = await keys.issue({ label: 'away', by: 'test' });
  redis.pause();
  try {
    await visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(`${url}/?country=Malta`);
      await page.getByRole('heading', { name: 'The service does not answer' }).waitFor();
      redis.resume();
      await page.locator('.chart svg').waitFor();
      expect(page.url()).toBe(`${url}/?country=Malta`);
    });
  } finally {
    redis.resume();
  }
});

it('a revoked key: the form comes back and the question stays; a forgotten key is in no storage and no cookie', async () => {
  const { key, id } = await keys.issue({ label: 'gone', by: 'test' });
  await visiting({ browser, url, key }, async ({ page }) => {
    await page.goto(`${url}/?country=Malta`);
    await answered(page);
    await keys.revoke(id, 'test');
    await page.getByLabel('Split').selectOption('channel');
    await page.getByText('This key is not valid.').waitFor();
    // The message is also the description of its field, for people who cannot see it.
    expect(
      await page.evaluate(`[...document.activeElement.getAttribute('aria-describedby').split(' ')]
        .map((id) => document.getElementById(id).textContent.slice(0, 17))`),
    ).toEqual(['This key is not v', 'It begins with sk']);
    expect(await page.evaluate('sessionStorage.getItem("api-key")')).toBeNull();
    const { key: other } = await keys.issue({ label: 'other', by: 'test' });
    await page.getByLabel('Your API key').fill(other);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by channel' }).waitFor();
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByText('The key is forgotten.').waitFor();
    expect(
      await page.evaluate('JSON.stringify([sessionStorage, localStorage, document.cookie])'),
    ).not.toContain(other);
  });
});

itInDepth(
  'Redis away when a table is opened: its rows come by themselves later, as the notice promises',
  async () => {
    const { key } = await keys.issue({ label: 'table', by: 'test' });
    try {
      await visiting({ browser, url, key }, async ({ page }) => {
        await page.goto(`${url}/?country=Malta`);
        await answered(page);
        redis.pause();
        await page.getByRole('button', { name: 'Table' }).click();
        await page.getByRole('heading', { name: 'The service does not answer' }).waitFor();
        redis.resume();
        await page.getByText('220 of 220 rows').or(page.getByText('110 of 110 rows')).waitFor();
        await page.getByRole('cell', { name: 'Sport Betting' }).first().waitFor();
      });
    } finally {
      redis.resume();
    }
  },
);

const ASKED = [
  ['a table', '/?country=Malta', (page: Page) => page.getByRole('button', { name: 'Table' }).click()],
  [
    'a file',
    '/?country=Malta',
    (page: Page) => page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ],
  [
    'a page of a country',
    '/',
    (page: Page) =>
      page.evaluate(
        "history.pushState(null, '', '/country/Malta'), dispatchEvent(new PopStateEvent('popstate'))",
      ),
  ],
] as const;
it.each(some(ASKED, 1))(
  'a revoked key is asked for by %s too, and not said to be a service that is away',
  async (_, path, act) => {
    const { key, id } = await keys.issue({ label: 'gone', by: 'test' });
    await visiting({ browser, url, key }, async ({ page }) => {
      await page.goto(url + path);
      await answered(page);
      await keys.revoke(id, 'test');
      await act(page);
      await page.getByText('This key is not valid.').waitFor();
    });
  },
);

const STORAGES = [
  [
    'blocks storage',
    "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('denied'); } })",
  ],
  ['has no storage left', "Storage.prototype.setItem = () => { throw new Error('full'); }"],
] as const;
it.each(some(STORAGES, 1))(
  'a browser that %s: the key is asked for, and opens the page',
  async (_, script) => {
    const { key } = await keys.issue({ label: 'without storage', by: 'test' });
    await visiting({ browser, url }, async ({ page }) => {
      const added = await page.addInitScript(script);
      await page.goto(`${url}/?country=Malta`);
      await page.getByLabel('Your API key').fill(key);
      await page.keyboard.press('Enter');
      await answered(page);
      await page.getByRole('button', { name: 'Forget key' }).click();
      await page.getByText('The key is forgotten').waitFor();
      await added.dispose();
    });
  },
);

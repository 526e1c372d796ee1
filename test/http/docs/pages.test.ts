// The documentation in Chromium: without scripts, in dark mode, on a phone, and reached from an error.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { HELP_TOPICS } from '../../../src/http/docs/help/helpTopics.ts';
import { OPERATIONS } from '../../../src/http/docs/operations/operations.ts';
import { violations } from '../../support/axe.ts';
import { inWindow, openBrowser } from '../../support/browser.ts';
import { itInDepth } from '../../support/depth.ts';
import { patientFetch } from '../../support/retryUnavailable.ts';
import { type SharedServer, sharedServer } from '../../support/sharedServer.ts';
import { withoutFaults } from '../../support/withoutFaults.ts';

let server: SharedServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
});

/** Opens a page and runs `act`. Fails when a request went to another host or was blocked. */
async function visiting(
  path: string,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  await inWindow(browser, options, async (page) => {
    const isOurs = (address: string) => address.startsWith(`${server.url}/`);
    await withoutFaults(page, isOurs, async () => {
      await page.goto(server.url + path);
      await act(page);
    });
  });
}

const PAGES = ['/docs', '/docs/plain'];
const PHONE = { width: 320, height: 700 };

/** The controls, and the links outside of texts, that a finger may miss. */
const LOW = `[...document.querySelectorAll('.top a, .side a, summary, button, input, select, textarea')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
  .map((one) => one.outerHTML.slice(0, 80))`;

describe.each(PAGES)('GET %s', (path) => {
  it('has nothing that axe finds wrong, and on a phone controls of 44 px and nothing that is cut off', async () => {
    await visiting(path, {}, async (page) => {
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await page.evaluate(LOW)).toEqual([]);
    });
  });

  it('has a section for every help topic and every operation', async () => {
    const text = await (await fetch(server.url + path)).text();
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
    const wanted = [...Object.keys(HELP_TOPICS), ...OPERATIONS.map(({ id }) => id)];
    expect(wanted.filter((id) => !ids.has(id))).toEqual([]);
    const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('names the address for assistants, which takes a key as the page says', async () => {
    const text = await (await fetch(server.url + path)).text();
    const [, address = ''] = /<code>http[^<]*(\/mcp)<\/code>/.exec(text) ?? [];
    const response = await patientFetch(server.url + address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect([response.status, address]).toEqual([200, '/mcp']);
  });

  it('needs no key, has an ETag, and forbids everything that is not its own', async () => {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(server.url + path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('/docs', () => {
  itInDepth('is printed with the examples and schemas that are closed on the screen', async () => {
    const hidden = `[...document.querySelectorAll('.example > pre')].filter((one) => !one.checkVisibility()).length`;
    await visiting('/docs/plain', {}, async (page) => {
      expect(await page.evaluate(hidden)).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(hidden)).toBe(0);
    });
  });

  it('shows the section that the link of an error names', async () => {
    const refused = await patientFetch(
      `${server.url}/v1/financials?metric=ggr&period=2024-02-30:2024-12-31`,
      {
        headers: { 'x-api-key': server.key },
      },
    );
    const address = /<([^>]+)>; rel="help"/.exec(refused.headers.get('link') ?? '')?.[1] ?? '';
    await visiting(address, { viewport: PHONE }, async (page) => {
      await page.getByRole('heading', { name: HELP_TOPICS['period-day'].title }).waitFor();
      const top = await page.evaluate<number>(
        'document.querySelector(":target").getBoundingClientRect().top',
      );
      expect(top).toBeLessThan(PHONE.height);
    });
  });

  it('links and asks relative to itself, for servers below a path of a proxy', async () => {
    const below = `${server.url}/api`;
    await inWindow(browser, {}, async (page) => {
      const asked: string[] = [];
      await page.route('**/*', (route) => {
        const address = route.request().url();
        asked.push(address);
        return route.continue({ url: address.replace(below, server.url) });
      });
      await page.goto(`${below}/docs`);
      await page.getByLabel('Your key').fill(server.key);
      const catalog = page.locator('#getCatalog');
      await catalog.locator('.try > summary').click();
      await catalog.getByRole('button', { name: 'Send' }).click();
      await catalog.getByText('200 OK').waitFor();
      await page.getByRole('link', { name: 'Without scripts' }).click();
      await page.getByRole('link', { name: 'With forms to try it' }).click();
      await page.getByRole('link', { name: 'Gambling data API' }).click();
      await page.waitForURL(`${below}/`);
      await page.unroute('**/*');
      expect(asked).toEqual(expect.arrayContaining([`${below}/v1/catalog`, `${below}/docs/plain`]));
      expect(asked.filter((address) => !address.startsWith(`${below}/`))).toEqual([]);
    });
  });

  it('works when its address ends in a section that cannot be decoded', async () => {
    await visiting('/docs#%ZZ', {}, async (page) => {
      expect(await page.locator('#key-form').isVisible()).toBe(true);
    });
  });

  it('asks for the key where there is none, sends a request with it, and leads on from its error', async () => {
    await visiting('/docs', {}, async (page) => {
      const catalog = page.locator('#getCatalog');
      await catalog.locator('.try > summary').click();
      await catalog.getByRole('button', { name: 'Send' }).click();
      await catalog.getByText('Enter your key').waitFor();
      await page.getByLabel('Your key').fill(server.key);
      const totals = page.locator('#getTotals');
      await totals.locator('.try > summary').click();
      await totals.getByLabel('country', { exact: true }).fill('Malta\nSpain');
      await totals.getByRole('button', { name: 'Send' }).click();
      await totals.getByText('400 Bad Request').waitFor();
      await totals.getByRole('link', { name: 'What this means' }).click();
      expect(new URL(page.url()).hash).toBe('#sum-refused');
      await totals.getByLabel('fx', { exact: true }).fill('USD');
      await totals.getByLabel('state', { exact: true }).fill('""');
      await totals.getByLabel('by', { exact: true }).fill('country\ntemporal');
      await totals.getByRole('button', { name: 'Send' }).click();
      await totals.getByText('200 OK').waitFor();
      expect(await totals.getByLabel('Body of the answer').textContent()).toContain('"country": "Spain"');
    });
  });
});

describe('/docs/plain', () => {
  it('is whole without scripts', async () => {
    await visiting('/docs/plain#limit', { javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('script').count()).toBe(0);
      await page.getByRole('heading', { name: HELP_TOPICS.limit.title }).waitFor();
    });
  });
});

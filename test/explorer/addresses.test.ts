// Addresses that name what the data does not have, or that are hostile: explained as text, never executed.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { isDeep } from '../support/depth.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, visiting } from './visiting.ts';

let browser: Browser;
let server: SharedServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), sharedServer()]);
});
afterAll(() => browser?.close());

const at = (address: string, act: (page: Page, asked: readonly string[]) => Promise<void>) =>
  visiting({ browser, url: server.url, key: server.key }, async ({ page, asked }) => {
    await page.goto(server.url + address);
    await act(page, asked);
  });

describe('an address with something unknown', () => {
  it('dataset: says so and offers those that exist', () =>
    at('/?dataset=ggrr', async (page) => {
      await page.getByRole('heading', { name: 'There is no dataset “ggrr”' }).waitFor();
      await page.getByRole('button', { name: 'Turnover' }).click();
      await page.getByRole('heading', { name: /^Turnover by/ }).waitFor();
    }));

  it('dimension, metric, split and view: are named as left out, and the rest is answered', () =>
    at('/?country=Malta&planet=Mars&metric=profit&by=colour&view=sideways&from=MMX', async (page) => {
      await answered(page);
      const said =
        (await page.getByText('This link says more than the data can answer').locator('..').textContent()) ??
        '';
      for (const name of ['“planet”', '“profit”', '“colour”', 'view=sideways', 'from=MMX'])
        expect(said).toContain(name);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
        /^Gross gaming revenue, Malta/,
      );
    }));

  it('values: are named, with the nearest name and a way on without them', () =>
    at('/?country=Maltta&country=Atlantis&channel=Online', async (page) => {
      await page.getByText('2 values do not exist').waitFor();
      await page.getByRole('button', { name: 'Malta', exact: true }).click();
      await page.getByRole('button', { name: 'Go on without it' }).click();
      await page.getByRole('heading', { name: 'Gross gaming revenue, Online, Malta, by product' }).waitFor();
    }));

  it('snapshot: says that it is not retained and offers those that are', () =>
    at('/?as-of=2001-01.1&country=Malta', async (page) => {
      await page.getByText('2001-01.1 is no longer retained').waitFor();
      await page.getByRole('button', { name: 'Use 2026-10.1' }).waitFor();
      await page.getByRole('button', { name: 'Use the current data' }).click();
      await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by product' }).waitFor();
    }));

  it('country or product page: says so, with the nearest name as a link', () =>
    at('/country/Maltta', async (page) => {
      await page.getByRole('heading', { name: /The data has no country/ }).waitFor();
      await page.getByRole('button', { name: 'Malta' }).click();
      await page.locator('.key-figures').waitFor();
      expect(page.url()).toMatch(/\/country\/Malta$/);
    }));
});

describe('an address with 200 filters', () => {
  it('of unknown values: names ten, counts the rest, and goes on without them', () => {
    const many = Array.from({ length: 200 }, (_, i) => `country=Land${i}`).join('&');
    return at(`/?${many}`, async (page) => {
      await page.getByText('200 values do not exist').waitFor();
      expect(await page.getByText('And 190 more.').count()).toBe(1);
      await page.getByRole('button', { name: 'Go on without them' }).click();
      await answered(page);
      expect(new URL(page.url()).search).toBe('');
    });
  });

  it('on 200 unknown dimensions: names a few and answers the rest', () => {
    const many = Array.from({ length: 200 }, (_, i) => `planet${i}=Mars`).join('&');
    return at(`/?${many}&country=Malta`, async (page) => {
      await answered(page);
      expect(await page.getByText('And more.').count()).toBe(1);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/Malta/);
    });
  });

  it('of known values: is answered, with one chip for each dimension', async () => {
    const headers = { 'x-api-key': server.key };
    const response = await fetch(`${server.url}/v1/values?dataset=ggr`, { headers });
    const { values } = (await response.json()) as { values: Record<string, { value: string }[]> };
    const pairs = ['country', 'product', 'category', 'channel', 'sub_channel', 'region', 'fx'].flatMap(
      (name) => (values[name] ?? []).map(({ value }): [string, string] => [name, value]),
    );
    expect(pairs.length).toBeGreaterThanOrEqual(200);
    await at(`/?${new URLSearchParams(pairs)}`, async (page) => {
      await page.getByRole('heading', { name: 'Which currency?' }).waitFor();
      expect(await page.locator('.chips').textContent()).toContain('110 countries');
      await page.getByRole('button', { name: 'USD', exact: true }).click();
      await page.locator('.chart svg').waitFor();
    });
  });
});

const HOSTILE = {
  'a script tag': '<script>document.title="hurt"</script>',
  'an image with a handler': '<img src=x onerror=\'document.title="hurt"\'>',
  quotes: `"' onmouseover="document.title='hurt'" x='`,
  'right-to-left marks': '\u202eatlaM\u202c \u2066x\u2069',
  'a javascript address': 'javascript:document.title="hurt"',
  'template and header syntax': '$'.concat('{document.title="hurt"}{{1+1}}%0d%0aX-Evil: 1'),
} as const;

describe('an address with hostile text', () => {
  // A sixth of the places for each text, and all of them in the long tests.
  it.each(Object.entries(HOSTILE).map(([name, text], turn) => [name, text, turn] as const))(
    '%s: is shown as text, and nothing is executed',
    (_, text, turn) =>
      visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
        const hostile = encodeURIComponent(text);
        const addresses = [
          `/?${hostile}=x&metric=${hostile}&by=${hostile}&view=${hostile}&chart=${hostile}`,
          `/?dataset=${hostile}`,
          `/?as-of=${hostile}`,
          `/?view=compare&since=${hostile}`,
          `/country/${hostile}`,
          `/product/${hostile}`,
        ];
        const share = addresses.filter((_, i) => isDeep || i === turn);
        for (const address of [...share, `/?country=${hostile}`]) {
          await page.goto(server.url + address);
          await page.locator('.notice').first().waitFor();
          await page.locator('.wait').waitFor({ state: 'detached' });
          expect([address, await page.title()]).not.toEqual([address, 'hurt']);
          expect(
            await page
              .locator('.page script, .page img, .page [onmouseover], .page a[href^="javascript"]')
              .count(),
          ).toBe(0);
        }
        // Marks of direction stay inside their own element, so they cannot turn the words around them.
        expect(await page.getByRole('alert').locator('bdi').first().textContent()).toContain(text);
      }),
  );
});

describe('an empty selection', () => {
  it('says so and offers the filter to drop, with the rows that this gives', () =>
    at('/?country=Malta&state=Alberta', async (page) => {
      await page.getByRole('heading', { name: 'No rows have all of this together' }).waitFor();
      await page.getByRole('button', { name: /^Without state Alberta: [\d,]+ rows$/ }).click();
      await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by product' }).waitFor();
    }));

  it('of a period says so and offers all years', () =>
    at('/?country=Malta&from=2003&to=2004', async (page) => {
      await page.getByRole('heading', { name: 'No rows have all of this together' }).waitFor();
      await page.getByRole('button', { name: /^All years: [\d,]+ rows$/ }).click();
      await page.locator('.chart svg').waitFor();
    }));
});

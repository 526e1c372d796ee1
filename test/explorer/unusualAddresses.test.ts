// Addresses that are hostile, or name something that the data lacks, are explained as text and never executed.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { COUNTRIES } from '../../ingest/sample/tables/countries.ts';
import { openBrowser } from '../support/browser.ts';
import { isDeep, itInDepth, some } from '../support/depth.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, type Stay, staying, visiting } from './visiting.ts';

let browser: Browser;
let server: SharedServer;
let stay: Stay;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), sharedServer()]);
  stay = await staying({ browser, url: server.url, key: server.key });
});
afterAll(() => stay?.leave());

const at = async (address: string, act: (page: Page) => Promise<void>) => act(await stay.goTo(address));

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
      const notices =
        (await page.getByText('Some parts of this link do not fit the data').locator('..').textContent()) ??
        '';
      for (const name of ['“planet”', '“profit”', '“colour”', 'view=sideways', 'from=MMX'])
        expect(notices).toContain(name);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
        /^Gross gaming revenue, Malta/,
      );
      expect(await page.locator('.chip').allTextContents()).not.toContainEqual(
        expect.stringContaining('Mars'),
      );
    }));

  it('value: the notice beside it names the parts that are left out', () =>
    at('/?country=Maltta&planet=Mars&from=MMX', async (page) => {
      await page.locator('.notice[role=alert]').waitFor();
      const left = page.getByText('Some parts of this link do not fit the data').locator('..');
      const text = (await left.textContent()) ?? '';
      for (const name of ['“planet”', 'from=MMX']) expect(text).toContain(name);
      // A part that is left out is no filter.
      expect(await page.locator('.sheet-opener').textContent()).toBe('Filters and period (1)');
    }));

  itInDepth('years that the data does not have: the chart names those that it draws', () =>
    at('/?country=Malta&from=1900&to=3000', async (page) => {
      await answered(page);
      expect(await page.locator('.headline p').textContent()).toMatch(/^US dollars, 2015–2030/);
      await page.getByRole('button', { name: 'Bars' }).click();
      await page.getByText('US dollars, 2030, converted').waitFor();
    }),
  );

  itInDepth(
    'filters of a country page: are named as left out, because its figures are those of the whole',
    () =>
      at('/country/Malta?fx=EUR&from=2020&as-of=2026-10', async (page) => {
        await page.locator('.key-figures').waitFor();
        const notices = (await page.locator('.notice').allTextContents()).join(' ');
        expect(notices).toContain('fx=EUR');
        expect(notices).toContain('from=2020');
        expect(notices).not.toContain('as-of');
      }),
  );

  it('a name in another form of Unicode: is the same country, with its place among the others', () =>
    at(`/country/${encodeURIComponent("Côte d'Ivoire".normalize('NFD'))}`, async (page) => {
      await page.getByRole('heading', { name: 'Place among countries' }).waitFor();
    }));

  it('values: are named, with the nearest name and a way on without them', () =>
    at('/?country=Maltta&country=Atlantis&channel=Online', async (page) => {
      await page.getByText('2 values do not exist').waitFor();
      await page.getByRole('button', { name: 'Malta', exact: true }).click();
      await page.getByRole('button', { name: 'Go on without it' }).click();
      await page.getByRole('heading', { name: 'Gross gaming revenue, Online, Malta, by product' }).waitFor();
    }));

  it('a value in another form of Unicode: is replaced by the nearest name as well', () =>
    at(`/?country=${encodeURIComponent("Côte d'Ivoir".normalize('NFD'))}`, async (page) => {
      await page.getByRole('button', { name: "Côte d'Ivoire", exact: true }).click();
      await page.getByRole('heading', { name: "Gross gaming revenue, Côte d'Ivoire, by product" }).waitFor();
    }));

  // pruned.test.ts tests the same for a snapshot that existed.
  it('snapshot: says that it is not retained and offers those that are', () =>
    at('/?as-of=2001-01.1&country=Malta', async (page) => {
      await page.getByText('2001-01.1 is not retained').waitFor();
      expect(await page.getByLabel('Split').inputValue()).toBe('product');
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
  itInDepth('of unknown values: names ten, counts the rest, and goes on without them', () => {
    const many = Array.from({ length: 200 }, (_, i) => `country=Land${i}`).join('&');
    return at(`/?${many}`, async (page) => {
      await page.getByText('200 values do not exist').waitFor();
      expect(await page.getByText('And 190 more.').count()).toBe(1);
      await page.getByRole('button', { name: 'Go on without them' }).click();
      await answered(page);
      expect(new URL(page.url()).search).toBe('');
    });
  });

  itInDepth('on 200 unknown dimensions: names a few and answers the rest', () => {
    const many = Array.from({ length: 200 }, (_, i) => `planet${i}=Mars`).join('&');
    return at(`/?${many}&country=Malta`, async (page) => {
      await answered(page);
      expect(await page.getByText('And 192 more.').count()).toBe(1);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/Malta/);
    });
  });

  it('of known values: is answered, with one chip for each dimension', async () => {
    const headers = { 'x-api-key': server.key };
    const response = await patientFetch(`${server.url}/v1/values?dataset=ggr`, { headers });
    const { values } = (await response.json()) as { values: Record<string, { value: string }[]> };
    const pairs = ['country', 'product', 'category', 'channel', 'sub_channel', 'region', 'fx'].flatMap(
      (name) => (values[name] ?? []).map(({ value }): [string, string] => [name, value]),
    );
    expect(pairs.length).toBeGreaterThanOrEqual(200);
    await at(`/?${new URLSearchParams(pairs)}`, async (page) => {
      await page.getByRole('heading', { name: 'Which currency?' }).waitFor();
      expect(await page.locator('.chips').textContent()).toContain(`${COUNTRIES.length} countries`);
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
  const texts = Object.values(HOSTILE);

  /** Opens an address. Its notice must show these texts, and none of them may become an element or run. */
  async function look(page: Page, address: string, shown: readonly string[]): Promise<void> {
    await page.goto(server.url + address);
    await page.locator('.notice').first().waitFor();
    await page.locator('.wait').waitFor({ state: 'detached' });
    expect([address, await page.title()]).not.toEqual([address, 'hurt']);
    const elements = '.page script, .page img, .page [onmouseover], .page a[href^="javascript"]';
    expect([address, await page.locator(elements).count()]).toEqual([address, 0]);
    // Direction marks stay inside their own element, so they cannot reorder the words around it.
    const apart = (await page.getByRole('alert').locator('bdi').allTextContents()).join('\n');
    for (const text of shown) expect(apart).toContain(text);
  }

  itInDepth('as values: each is shown as text, and nothing is executed', () =>
    visiting({ browser, url: server.url, key: server.key }, ({ page }) =>
      look(page, `/?${new URLSearchParams(texts.map((text): [string, string] => ['country', text]))}`, texts),
    ),
  );

  const PLACES: readonly ((text: string) => string)[] = [
    (text) => `/?${text}=x&metric=${text}&by=${text}&view=${text}&chart=${text}`,
    (text) => `/?dataset=${text}`,
    (text) => `/?as-of=${text}`,
    (text) => `/?view=compare&since=${text}`,
    (text) => `/country/${text}`,
    (text) => `/product/${text}`,
  ];

  it('in any other place: it is shown as text, and nothing is executed', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      // The long tests put each text in each place. Here each place gets one text.
      for (const [i, place] of some(PLACES, 1).entries())
        for (const text of isDeep ? texts : texts.slice(2 * i, 2 * i + 1))
          await look(page, place(encodeURIComponent(text)), []);
    }));
});

describe('an empty selection', () => {
  const EMPTY = [
    ['/?country=Malta&state=Alberta', 'Without state Alberta: up to '],
    ['/?country=Malta&product=Poker&fx=USD&state=', 'Without product Poker: '],
  ] as const;
  it.each(some(EMPTY, 1))(
    'says so and offers the filter to drop, with the rows that this gives: %s',
    (address, offer) =>
      at(address, async (page) => {
        await page.getByRole('heading', { name: 'No rows have all of this together' }).waitFor();
        const button = page.getByRole('button', { name: new RegExp(`^${offer}[\\d,]+ rows$`) });
        const offered = (await button.textContent()) ?? '';
        await button.click();
        await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by product' }).waitFor();
        const rows = (text: string) => Number(/([\d,]+) rows/.exec(text)?.[1]?.replaceAll(',', ''));
        const given = rows((await page.locator('.export-panel').textContent()) ?? '');
        // Where the page adds its default currency, fewer rows are left than the offer says.
        expect(given < rows(offered)).toBe(offer.endsWith('up to '));
        expect(given).toBeLessThanOrEqual(rows(offered));
      }),
  );

  itInDepth('of a period says so and offers all years', () =>
    at('/?country=Malta&from=2003&to=2004', async (page) => {
      await page.getByRole('heading', { name: 'No rows have all of this together' }).waitFor();
      await page.getByRole('button', { name: /^All years: up to [\d,]+ rows$/ }).click();
      await page.locator('.chart svg').waitFor();
    }),
  );
});

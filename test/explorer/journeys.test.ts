// An analyst's way through the explorer: from a pasted key to a chart, a table, a link and a comparison.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { copied, openBrowser } from '../support/browser.ts';
import { itInDepth } from '../support/depth.ts';
import { aLatch } from '../support/latch.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, goTo, visiting } from './visiting.ts';

let browser: Browser;
let server: SharedServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), sharedServer()]);
});

const totals = async (search: string) => {
  const response = await patientFetch(`${server.url}/v1/totals?${search}`, {
    headers: { 'x-api-key': server.key },
  });
  return (await response.json()) as {
    data: { dimensions: Record<string, unknown>; values: Record<string, number> }[];
  };
};

/** As most people see the page: an answer fades while the next one is on its way. */
const WITH_MOTION = { reducedMotion: 'no-preference' } as const;

describe('from a key to an answer', () => {
  it('a pasted key gives a chart at once, in five requests, with the exact numbers of the API', () =>
    visiting({ browser, url: server.url, options: WITH_MOTION }, async ({ page, asked }) => {
      await page.goto(`${server.url}/`);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Explore the data');
      await page.getByLabel('Your API key').fill(server.key);
      await page.getByRole('button', { name: 'Open the explorer' }).click();
      await answered(page);
      // The form is gone, and the keyboard goes on from where it was.
      expect(await page.locator(':focus').getAttribute('id')).toBe('main');
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
      // When a name takes several lines, the exact figure still follows the value directly.
      const gap = await page.evaluate(`(() => {
        const row = document.querySelector('.readout-exact').parentElement;
        const [name, value, exact] = ['name', 'value', 'exact'].map((part) => row.querySelector('.readout-' + part));
        name.textContent = 'A long name '.repeat(20);
        return exact.getBoundingClientRect().top - value.getBoundingClientRect().bottom;
      })()`);
      expect(gap).toBeLessThan(5);
    }));

  it('a typed year is the end of the period, and a field with anything else shows its year again', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&from=2018&to=2022`);
      await answered(page);
      const [first, last] = ['First year', 'Last year'].map((name) => page.getByRole('spinbutton', { name }));
      await last?.fill('20');
      await last?.press('Tab');
      expect(await last?.inputValue()).toBe('2022');
      await first?.fill('');
      await first?.press('Tab');
      expect(await first?.inputValue()).toBe('2018');
      await last?.fill('2016');
      await last?.press('Tab');
      await page.waitForURL(/from=2016&to=2016/);
    }));

  it('a year that is moved leaves the other end of the period as it was, also where that was not chosen', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta`);
      await answered(page);
      const choose = async (name: 'First year' | 'Last year', year: string) => {
        const field = page.getByRole('spinbutton', { name });
        await field.fill(year);
        await field.press('Tab');
        await page.waitForURL(new RegExp(`(from|to)=${year}`));
        await answered(page);
      };
      const period = () => [...new URL(page.url()).searchParams].filter(([name]) => /from|to/.test(name));
      await choose('Last year', '2022');
      expect(period()).toEqual([['to', '2022']]);
      await page.goto(`${server.url}/?country=Malta`);
      await answered(page);
      await choose('First year', '2018');
      expect(period()).toEqual([['from', '2018']]);
      await choose('Last year', '2016');
      expect(period()).toEqual([
        ['from', '2016'],
        ['to', '2016'],
      ]);
    }));

  it('the table has the rows of the chart; back, forward and reload repeat the question', () =>
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
      await page.goForward();
      await page.locator('tbody tr').first().waitFor();
      await page.reload();
      await page.locator('tbody tr').first().waitFor();
      expect(await page.locator('tbody tr').count()).toBe(rows);
    }));

  it('the name of the service leads from any question to the start', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&by=product`);
      await answered(page);
      await page.getByRole('link', { name: 'Gambling data explorer' }).click();
      await answered(page);
      expect(page.url()).toBe(`${server.url}/`);
    }));

  it('a copied link has no key, and shows a colleague with another key the same title, numbers and snapshot', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Malta&country=Italy&from=2020&channel=Online`);
      await answered(page);
      await page.getByRole('button', { name: 'Link to 2026-11.1' }).click();
      const link = await copied(page);
      expect(link).toContain('as-of=2026-11.1');
      expect(link).not.toContain(server.key);
      const seen = async (one: Page) =>
        Promise.all(
          ['h1', '.readout', '.source', '.summary'].map((at) => one.locator(at).first().textContent()),
        );
      const here = await seen(page);
      const colleague = await sharedServer();
      expect(colleague.key).not.toBe(server.key);
      await visiting({ browser, url: server.url }, async ({ page: other }) => {
        await other.goto(link);
        await other.getByLabel('Your API key').fill(colleague.key);
        await other.keyboard.press('Enter');
        await answered(other);
        expect(await seen(other)).toEqual(here);
      });
    }));

  it('the values of a year appear beside the pointer with unit, total, all digits and source, and other lines are muted', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/`);
      await answered(page);
      const { data } = await totals('dataset=ggr&by=region&year=2022&fx=USD&state=');
      const chart = (await page.locator('.chart svg').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      // The pointer moves along the chart until it is over 2022.
      const tip = page.locator('.tip');
      for (let x = 60; x < chart.width; x += 20) {
        await page.mouse.move(chart.x + x, chart.y + 120);
        // The chart shows a move with the next frame.
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
        );
        if ((await tip.textContent())?.startsWith('2022')) break;
      }
      const text = (await tip.textContent()) ?? '';
      expect(text).toMatch(/^2022 US dollars\s*Total\d{3} bn/);
      for (const { values } of data) expect(text).toContain((values.ggr ?? 0).toLocaleString('en'));
      expect(text).toContain('snapshot 2026-11.1');
      const box = (await tip.boundingBox()) ?? { x: 0, width: 0 };
      expect(box.x).toBeGreaterThan(chart.x);
      expect(box.x + box.width).toBeLessThanOrEqual(chart.x + chart.width);
      // The pointer moves to the end of the line, which is beside its label.
      const label = page.locator('.chart .series-label', { hasText: 'North America' });
      const end = (await label.boundingBox()) ?? { x: 0, y: 0, height: 0 };
      await page.mouse.move(end.x - 16, end.y + end.height / 2);
      const muted = page.locator('.chart .is-muted').first();
      await muted.waitFor({ state: 'attached' });
      await page.mouse.move(5, 5);
      await tip.waitFor({ state: 'detached' });
      await muted.waitFor({ state: 'detached' });
    }));

  it('states have their share of the country beside their values, and no total', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Canada&by=state&to=2024`);
      await answered(page);
      const dataOf = async (search: string) =>
        (await totals(`dataset=ggr&country=Canada&year=2024&fx=USD&${search}`)).data;
      const [[ontario], [canada]] = [await dataOf('state=Ontario'), await dataOf('state=')];
      const part = (ontario?.values.ggr ?? 0) / (canada?.values.ggr ?? 1);
      const row = page.locator('.readout li', { hasText: 'Ontario' });
      expect(await row.textContent()).toContain(`${(part * 100).toFixed(1)} % of Canada`);
      expect(await page.locator('.readout .is-total').count()).toBe(0);
    }));

  itInDepth('bars show the year of the slider, and the link repeats it', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?by=country&chart=bars`);
      await answered(page);
      await page.getByRole('slider', { name: 'Year', exact: true }).fill('2016');
      await page.waitForURL(/to=2016/);
      await answered(page);
      expect(await page.locator('.headline p').textContent()).toContain('US dollars, 2016');
      expect(await page.locator('.summary').textContent()).not.toContain('Forecast');

      // On a product's page, the year of the bars is not part of the address.
      await page.goto(`${server.url}/product/Poker`);
      const bars = page.locator('figure', { has: page.getByRole('heading', { name: 'by country' }) });
      await bars.getByRole('slider').fill('2016');
      await bars.getByText('US dollars, 2016').waitFor();
      expect(await bars.locator('.readout-year').textContent()).toBe('2016 US dollars');
      expect(await bars.locator('.summary').textContent()).toContain(' in 2016');
    }),
  );
});

/** How many requests the page sends from the start of `act` until the answer is shown. */
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

const CLICKS = 100;

describe('a question that changes', () => {
  itInDepth(
    `costs at most ten requests for ${CLICKS} quick clicks, and shows the last one; asked again, it costs none`,
    () =>
      visiting({ browser, url: server.url, key: server.key }, async ({ page, asked }) => {
        await page.goto(`${server.url}/?dataset=ggr`);
        await answered(page);
        await page.locator('summary', { hasText: 'Product' }).click();
        await page.locator('.picker[open] input[type=checkbox]').first().waitFor();
        const clicks = await cost(page, asked, () =>
          page.evaluate(`(async () => {
          for (let i = 0; i < ${CLICKS}; i++) {
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
      }),
  );

  it('takes a default where a sum must not be made and says so; without it, asks and draws the answer', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/`);
      await answered(page);
      await page.getByRole('button', { name: 'Drop USD' }).click();
      await page.getByRole('heading', { name: 'Which currency?' }).waitFor();
      await page.getByRole('button', { name: 'EUR', exact: true }).click();
      await page.locator('.chart .series-label').first().waitFor();
      expect(await page.locator('.headline p').textContent()).toContain('Euros');
      expect(await page.locator('.left-out').count()).toBe(0);
      // In pounds, Europe has only the United Kingdom.
      for (const [address, place] of [
        ['/?fx=GBP&from=2020', '.headline'],
        ['/?fx=GBP&view=compare', '.notes'],
      ] as const) {
        await goTo(page, address);
        await page
          .locator(place, {
            hasText: /Albania, Argentina, Armenia and \d+ more\. In a year or more, all their rows/,
          })
          .waitFor();
      }
      await goTo(page, '/?state=&state=Alberta&by=region');
      await page.getByRole('heading', { name: 'States or whole countries?' }).waitFor();
      await page.getByRole('button', { name: 'Whole countries', exact: true }).click();
      await page.locator('.chart .series-label').first().waitFor();
    }));

  it('goes to another dataset and another metric, with the filters that they have as well', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      const filters = 'country=Italy&product=Bingo&product=Sport+Betting&from=2020';
      await page.goto(`${server.url}/?${filters}`);
      await answered(page);
      const choose = async (label: string, value: string, heading: string) => {
        await page.getByLabel(label).selectOption(value);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await answered(page);
        return new URL(page.url()).search;
      };
      expect(await choose('Data', 'turnover', 'Turnover, Italy, by product')).toBe(
        `?dataset=turnover&${filters}`,
      );
      expect(await choose('Data', 'country', 'Gross domestic product by country')).toBe(
        '?dataset=country&country=Italy&from=2020',
      );
      expect(await choose('Metric', 'adult_population', 'Adult population by country')).toBe(
        '?dataset=country&metric=adult_population&country=Italy&from=2020',
      );
    }));

  itInDepth(
    'leads from a chart to the page of each product that it shows, and from that page to no other copy of it',
    () =>
      visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
        await page.goto(`${server.url}/?country=Italy&product=Bingo&product=Sport+Betting&from=2020`);
        await answered(page);
        const links = page.locator('.entity-links a');
        expect((await links.allTextContents()).sort()).toEqual(['Bingo', 'Sport Betting']);
        await links.getByText('Bingo').click();
        await page.waitForURL(`${server.url}/product/Bingo`);
        await page.getByRole('heading', { level: 1, name: /^Bingo/ }).waitFor();
        expect(await links.allTextContents()).not.toContain('Bingo');
      }),
  );

  itInDepth(
    'says that a value is in every row only when it is, in rows that are not loaded too; keeps the rows of the new question when a page of the one before arrives late',
    () =>
      visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
        await page.goto(`${server.url}/?country=Canada&country=Malta&all=fx&all=state&from=2003&view=table`);
        await page.locator('tbody tr').first().waitFor();
        // The first thousand rows all belong to Canada.
        const head = page.locator('.table-head p').first();
        expect(await head.textContent()).toMatch(/^1,000 of 2,/);
        expect(await page.locator('thead').textContent()).toContain('Country');
        expect(await page.locator('.table-view').textContent()).not.toContain('In every row: North America');
        await page.getByRole('button', { name: 'Copy these 1,000 rows as CSV' }).waitFor();

        const released = aLatch();
        await page.route(/cursor=/, async (route) => {
          await released.opened;
          await route.continue();
        });
        await page.getByRole('button', { name: 'Load 1,000 more rows' }).click();
        await page.evaluate(
          "history.pushState(null, '', '/?country=Malta&view=table'), dispatchEvent(new PopStateEvent('popstate'))",
        );
        await page.getByRole('heading', { level: 1 }).getByText('Malta', { exact: false }).waitFor();
        await answered(page);
        await page.locator('tbody tr', { hasText: 'Sport Betting' }).first().waitFor();
        const rows = await page.locator('tbody tr').count();
        expect(rows).toBeLessThan(1000);
        const late = page.waitForResponse(/cursor=/);
        released.open();
        await (await late).finished();
        await page.waitForTimeout(300);
        expect(await head.textContent()).toContain(`${rows} of ${rows} rows`);
        expect(await page.locator('tbody tr').count()).toBe(rows);
      }),
  );

  it('offers one button where further rows could not be loaded: that of the notice', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?country=Canada&country=Malta&all=fx&all=state&from=2003&view=table`);
      await page.locator('tbody tr').first().waitFor();
      await page.route(/cursor=/, (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '50' },
          json: { error: 'Too many requests' },
        }),
      );
      await page.getByRole('button', { name: 'Load 1,000 more rows' }).click();
      await page.getByRole('button', { name: 'Ask now' }).waitFor();
      expect(await page.getByRole('button', { name: /^Load/ }).count()).toBe(0);
      await page.unroute(/cursor=/);
      await page.getByRole('button', { name: 'Ask now' }).click();
      await page.locator('.table-head', { hasText: '2,000 of' }).waitFor();
      await page.getByRole('button', { name: /^Load/ }).waitFor();
    }));

  it('offers no copy of rows that could not be loaded', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.route(/\/v1\/financials/, (route) => route.abort());
      await page.goto(`${server.url}/?country=Malta&view=table`);
      await page.getByRole('button', { name: 'Ask now' }).waitFor();
      const copies = page.getByRole('button', { name: /^Copy/ });
      expect(await copies.count()).toBe(0);
      await page.unroute(/\/v1\/financials/);
      await page.getByRole('button', { name: 'Ask now' }).click();
      await page.locator('tbody tr').first().waitFor();
      expect(await copies.count()).toBe(2);
    }));

  // oddData.test.ts tests jumps in coverage, and files.test.ts the one in the sample.
  itInDepth('marks a jump in coverage and says which countries begin, so that it is not read as growth', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      await page.goto(`${server.url}/?from=2010&to=2020`);
      await answered(page);
      expect(await page.locator('.notes').textContent()).toMatch(/2015: \d+ countries begin/);
      expect(await page.locator('.chart').textContent()).toMatch(/countries begin in 2015/);
      // The sentence compares with the first year after the last break.
      expect(await page.locator('.summary').textContent()).toMatch(/since 2018/);
    }),
  );

  it('shows the numbers of another month as of that month, and what changed since', () =>
    visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
      // An address that names a month means its last snapshot.
      await page.goto(`${server.url}/?country=Italy&as-of=2026-10&by=none&from=2024&to=2024&chart=bars`);
      await answered(page);
      expect(await page.locator('.source').textContent()).toContain('snapshot 2026-10.1');
      expect(await page.locator('.chips').textContent()).toContain('As of 2026-10');
      const response = await patientFetch(
        `${server.url}/v1/totals?dataset=ggr&country=Italy&year=2024&fx=USD&state=`,
        { headers: { 'x-api-key': server.key, 'x-snapshot': '2026-10.1' } },
      );
      const before = (await response.json()) as { data: { values: { ggr: number } }[] };
      const shown = (await page.locator('.readout').textContent()) ?? '';
      expect(shown).toContain(before.data[0]?.values.ggr.toLocaleString('en'));
      // The shown code fetches the same month. Code for the latest data names no snapshot.
      await page.getByRole('button', { name: 'Code', exact: true }).click();
      await page.locator('.code-box pre', { hasText: '"x-snapshot": "2026-10.1"' }).waitFor();
      await page.locator('.as-of select').selectOption('');
      await answered(page);
      const latest = page.locator('.code-box pre', { hasNotText: 'x-snapshot' });
      await latest.waitFor();
      expect(await latest.textContent()).toContain('Italy');
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByRole('heading', { name: 'Largest revisions' }).waitFor();
      expect(await page.locator('.compare-view h1').textContent()).toBe(
        'What changed in gross gaming revenue, Italy',
      );
      expect(await page.getByRole('link', { name: 'the files of 2026-10.1' }).getAttribute('href')).toMatch(
        /view=about.*as-of=2026-10\.1|as-of=2026-10\.1.*view=about/,
      );
      const first = page.locator('.compare-view tbody tr').first();
      expect(await first.textContent()).toContain('2024 · Italy');

      // Sums that lack values are marked, as they are in a chart.
      await goTo(page, '/?dataset=country&metric=gdp_usd&view=compare');
      await page.locator('.compare-view .notes', { hasText: 'values are missing in the source' }).waitFor();

      // When no year has a sum, no axes with invented years are drawn.
      await goTo(page, '/?dataset=country&metric=gdp_usd&view=compare&from=2019&to=2024');
      await page.getByText('No year has a sum, so no lines are drawn.').waitFor();
      await page.locator('.compare-view .notes', { hasText: '6 points mix' }).waitFor();
      expect(await page.locator('.chart').count()).toBe(0);
    }));
});

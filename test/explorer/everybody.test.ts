// The explorer is usable by everybody: axe, keyboard alone, forced colours, reduced motion, print, and any width.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { getOrInsert } from '../../src/basics/maps.ts';
import { violations } from '../support/axe.ts';
import { copied, openBrowser, setScreen } from '../support/browser.ts';
import { isDeep, itInDepth, some } from '../support/depth.ts';
import { tabUntil } from '../support/journeys.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, goTo, type Stay, staying, visiting } from './visiting.ts';

let browser: Browser;
let server: SharedServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), sharedServer()]);
});

/** The windows that the tests share: one without a touch screen, and one with. Each opens at its first use. */
const stays = new Map<boolean, Promise<Stay>>();
afterAll(async () => {
  for (const stay of stays.values()) await (await stay).leave();
});

const stayWith = (hasTouch: boolean): Promise<Stay> =>
  getOrInsert(stays, hasTouch, () =>
    staying({ browser, url: server.url, key: server.key, options: { hasTouch } }),
  );

/** Runs `act` in a shared window that already shows the explorer. */
async function withKey(
  act: (page: Page) => Promise<void>,
  { hasTouch = false, ...screen }: BrowserContextOptions = {},
): Promise<void> {
  const { page } = await stayWith(hasTouch);
  await setScreen(page, screen);
  await act(page);
}

async function open(page: Page, address: string): Promise<void> {
  await goTo(page, address);
  await page.locator('.view, .entity-body, .notice').first().waitFor();
  await page.locator('.wait, .is-old, [aria-busy=true]').first().waitFor({ state: 'detached' });
  // For a moment after the waiting text, there is no heading.
  await page.locator('h1').first().waitFor({ state: 'attached' });
}

const scrollsSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Every view, and every notice that replaces a view. */
const VIEWS = [
  '/',
  '/?chart=areas',
  '/?by=country&chart=bars',
  '/?by=country&chart=multiples',
  '/?scale=log',
  '/?country=Canada&by=state',
  '/?dataset=fx',
  '/?dataset=country&metric=inflation',
  '/?dataset=country_reference',
  '/?view=table&country=Malta',
  '/?view=compare&country=Italy',
  '/?view=code',
  '/?view=about',
  '/country/Malta',
  '/product/Poker',
  '/?country=Malta&state=Alberta',
  '/?all=fx',
  '/?country=Maltta&planet=Mars',
  '/?as-of=2001-01.1',
  '/?as-of=2026-10',
  '/?dataset=nothing',
  '/country/Atlantis',
];

const LOOKS = (
  [
    ['light', 360],
    ['dark', 390],
    ['light', 1440],
    ['dark', 2560],
  ] as const
).filter(([colorScheme, width]) => isDeep || (colorScheme === 'light') === width < 1000);

/** The views to check at a width: all in `make test-long`; in `make test` one, which differs for each width. */
function viewsAt(width: number): readonly string[] {
  const turn = LOOKS.findIndex(([, one]) => one === width);
  return isDeep ? VIEWS : some(VIEWS, LOOKS.length).filter((_, i) => i === turn);
}

/** Contrasts take most of the time. `make test` checks them in two views only, in light and dark. */
const COLOURS = isDeep ? undefined : 'none';

describe('axe finds nothing, and nothing scrolls sideways', () => {
  it.each(LOOKS)('on its share of the views in %s at %i px', (colorScheme, width) =>
    withKey(
      async (page) => {
        for (const address of viewsAt(width)) {
          await open(page, address);
          const colours = width < 1000 ? undefined : COLOURS;
          expect([address, await violations(page, colours)]).toEqual([address, []]);
          expect([address, await scrollsSideways(page)]).toEqual([address, false]);
        }
      },
      { colorScheme, viewport: { width, height: 800 } },
    ),
  );

  it('a table on a phone has a head of one height, and texts fade where the fixed column covers them', () =>
    withKey(
      async (page) => {
        await open(page, '/?view=table&country=Malta');
        const heights = await page
          .locator('thead th')
          .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
        expect([new Set(heights).size, (heights[0] ?? 0) % 1]).toEqual([1, 0]);
        const buttons = await page
          .locator('thead button')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
        expect(Math.min(...buttons)).toBeGreaterThanOrEqual(43.5);
        const fade = "getComputedStyle(document.querySelector('td:last-child'), '::before')";
        expect(await page.evaluate(`${fade}.backgroundImage`)).toContain('linear-gradient');
      },
      { viewport: { width: 390, height: 800 } },
    ));

  itInDepth(
    'on the form for the key, on the open sheet of filters of a phone, and on the values beside the pointer',
    async () => {
      await visiting({ browser, url: server.url }, async ({ page }) => {
        await page.goto(`${server.url}/`);
        await page.getByLabel('Your API key').waitFor();
        expect(await violations(page, COLOURS)).toEqual([]);
      });
      await withKey(
        async (page) => {
          await open(page, '/');
          await page.getByRole('button', { name: 'Filters and period' }).click();
          await page.locator('summary', { hasText: 'Country' }).click();
          await page.locator('.picker[open] input[type=checkbox]').first().waitFor();
          expect(await violations(page, COLOURS, '.question')).toEqual([]);
          await page.getByRole('button', { name: /^Show .* rows$/ }).click();
          await page.locator('.chart').tap();
          await page.locator('.tip.is-docked').waitFor();
          // Screen readers do not get these values, so only their contrasts can be wrong.
          expect(await violations(page, 'only', '.tip')).toEqual([]);
        },
        { viewport: { width: 360, height: 780 }, hasTouch: true },
      );
    },
  );

  it('in forced colours, where the chosen tab and kind of chart still differ from the others; nothing moves where less motion is asked for', () =>
    withKey(
      async (page) => {
        await open(page, '/');
        if (isDeep) expect(await violations(page, 'none')).toEqual([]);
        const styles = (await page.evaluate(`[
          ['.tabs [aria-current]', '.tabs button:not([aria-current])', 'borderBottomColor'],
          ['.segments [aria-pressed=true]', '.segments [aria-pressed=false]', 'backgroundColor'],
        ].map(([chosen, other, style]) => [chosen, other].map((at) => getComputedStyle(document.querySelector(at))[style]))`)) as string[][];
        for (const [chosen, other] of styles) expect(chosen).not.toBe(other);
        // The browser replaces the colour of the name, and not the fill of the mark beside it.
        const [mark, name] = await page.evaluate<string[]>(
          "[getComputedStyle(document.querySelector('.brand svg')).fill, getComputedStyle(document.querySelector('.brand')).color]",
        );
        expect(mark).toBe(name);
        await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none' });
        const moving = await page.evaluate(`[...document.querySelectorAll('*')].filter((one) => {
          const { transitionDuration, animationName } = getComputedStyle(one);
          return /[1-9]/.test(transitionDuration) || animationName !== 'none';
        }).length`);
        expect(moving).toBe(0);
      },
      { forcedColors: 'active' },
    ));
});

describe('any width', () => {
  it.each(isDeep ? [360, 768, 1440, 2560] : [360])('at %i px no label of a chart touches another', (width) =>
    withKey(
      async (page) => {
        const addresses = [
          '/?from=2003',
          '/?by=product',
          '/?dataset=country&by=country',
          '/?chart=areas',
          '/',
        ];
        for (const address of some(addresses, 2)) {
          await open(page, address);
          const [labels, touching] = (await page.evaluate(`(() => {
            const boxes = [...document.querySelectorAll('.chart .series-label, .chart .break-label')].map((label) => ({
              text: label.textContent, ...label.getBoundingClientRect().toJSON(),
            }));
            return [boxes.length, boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) =>
              a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom,
            ).map((b) => a.text + ' / ' + b.text))];
          })()`)) as [number, string[]];
          expect([address, labels > 1, touching]).toEqual([address, true, []]);
        }
      },
      { viewport: { width, height: 900 } },
    ),
  );

  const LARGE = [
    ['/country/Malta', 1200],
    ['/product/Poker', 1200],
    ['/?dataset=fx', 1200],
    ['/?by=country&chart=bars', 1200],
    ['/', 360],
    ['/?by=country&chart=multiples', 360],
    ['/country/Malta', 360],
  ] as const;
  it.each(some(LARGE, 2))('%s with text at 200 %% does not scroll sideways at %i px', (address, width) =>
    withKey(
      async (page) => {
        const enlarge = (size: string) =>
          page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
        await enlarge('200%');
        await open(page, address);
        await page.locator('.year-slider').first().waitFor();
        const years = 'document.querySelectorAll(".year-slider output")';
        const ends = `[...${years}].map((one) => one.getBoundingClientRect().right <= innerWidth)`;
        expect([await scrollsSideways(page), await page.evaluate(ends)]).toEqual([
          false,
          expect.not.arrayContaining([false]),
        ]);
        await enlarge('');
      },
      { viewport: { width, height: 800 } },
    ),
  );

  it.each(some([980, 320], 1))('at %i px a comparison shows its last column whole', (width) =>
    withKey(
      async (page) => {
        await open(page, '/?view=compare');
        const table = page.locator('.compare-view .table-box');
        await table.waitFor();
        expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      },
      { viewport: { width, height: 800 } },
    ),
  );

  itInDepth('on a phone, a comparison fits, with its figures below the names of their rows', () =>
    withKey(
      async (page) => {
        await open(page, '/?view=compare');
        await page.locator('.compare-view table').waitFor();
        expect(await scrollsSideways(page)).toBe(false);
        await page.getByRole('table', { name: 'Largest revisions' }).waitFor();
        const table = page.locator('.compare-view .table-box');
        expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
        expect(await table.getByRole('row').nth(1).getByRole('cell').count()).toBe(4);
        const gap = `[...document.querySelector('.compare-view .table-box').parentElement.children].slice(1)
          .map((part) => part.getBoundingClientRect().top - part.previousElementSibling.getBoundingClientRect().bottom)`;
        expect(Math.min(...((await page.evaluate(gap)) as number[]))).toBeGreaterThan(8);
      },
      { viewport: { width: 360, height: 780 } },
    ),
  );

  itInDepth(
    'on a phone, a country and a product show their years with all digits, without scrolling sideways',
    () =>
      withKey(
        async (page) => {
          for (const address of ['/product/Casino%20Slots', '/country/United%20States']) {
            await open(page, address);
            await page.locator('.year-table .table-box').waitFor();
            const [wide, shown] = (await page.evaluate(`(() => {
            const box = document.querySelector('.year-table .table-box');
            return [box.scrollWidth, box.clientWidth];
          })()`)) as number[];
            expect([address, wide]).toEqual([address, shown]);
            expect(await scrollsSideways(page)).toBe(false);
          }
        },
        { viewport: { width: 360, height: 780 }, hasTouch: true },
      ),
  );

  it('on a phone, the current snapshot and the button beside it can be read in full, controls are 44 px high, and a tap on the chart shows its values until the next tap', () =>
    withKey(
      async (page) => {
        await open(page, '/');
        const missing = await page.evaluate(`(() => {
          const select = document.querySelector('.as-of select');
          const wide = select.cloneNode(true);
          Object.assign(wide.style, { width: 'max-content', maxWidth: 'none', position: 'absolute' });
          select.after(wide);
          const pixels = wide.offsetWidth - select.offsetWidth;
          wide.remove();
          return pixels;
        })()`);
        expect(missing).toBeLessThanOrEqual(0);
        const isCut = await page.evaluate(`(() => {
          const button = document.querySelector('.sheet-opener');
          return button.scrollWidth > button.clientWidth || button.scrollHeight > button.clientHeight;
        })()`);
        expect(isCut).toBe(false);
        expect(await scrollsSideways(page)).toBe(false);
        const low =
          await page.evaluate(`[...document.querySelectorAll('.segments button, .chip button, .tabs button, .button, select, .year-slider input, .masthead-end :is(a, button)')]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 80))`);
        expect(low).toEqual([]);
        const chart = page.locator('.chart');
        await chart.tap({ position: { x: 120, y: 150 } });
        const tip = page.locator('.tip.is-docked');
        await tip.waitFor();
        expect(await tip.textContent()).toContain('US dollars');
        await tip.tap();
        await tip.waitFor({ state: 'detached' });
      },
      { viewport: { width: 360, height: 780 }, hasTouch: true },
    ));
});

itInDepth(
  'on a phone of usual width, the first chips are all in view, and the button of the filters has one line',
  () =>
    withKey(
      async (page) => {
        await open(page, '/');
        const boxes = await page.locator('.chip').evaluateAll((all) =>
          all.map((one) => {
            const { top, right } = one.getBoundingClientRect();
            return { top, right };
          }),
        );
        expect(boxes.map(({ right }) => right <= 390)).toEqual([true, true, true]);
        expect(new Set(boxes.map(({ top }) => top)).size).toBe(1);
        const lines = await page.evaluate(`(() => {
        const text = document.createRange();
        text.selectNodeContents(document.querySelector('.sheet-opener'));
        return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
      })()`);
        expect(lines).toBe(1);
        // More chips are on further lines, and none is cut off.
        await open(page, '/?view=table&country=Malta&country=Spain&country=Italy');
        const rights = await page
          .locator('.chip')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
        expect(rights.length).toBeGreaterThan(4);
        expect(Math.max(...rights)).toBeLessThanOrEqual(390);
        expect(await page.locator('.table-head').textContent()).toMatch(/ rows, not split, not added up/);
      },
      { viewport: { width: 390, height: 844 } },
    ),
);

for (const width of [360, 1440])
  itInDepth(`at ${width} px the value of each row is beside its year, without scrolling`, () =>
    withKey(
      async (page) => {
        await open(page, '/?view=table');
        const table = page.getByRole('table', { name: /^Gross gaming revenue/ });
        const cells = table.locator('tbody tr').first().locator('td');
        await cells.first().waitFor();
        for (const cell of [cells.first(), cells.last()]) {
          const box = await cell.boundingBox();
          expect(box === null ? null : box.x >= 0 && box.x + box.width <= width).toBe(true);
        }
      },
      { viewport: { width, height: 780 } },
    ),
  );

describe('print', () => {
  it.each(some(['/', '/?view=table&country=Malta', '/country/Malta', '/product/Poker'], 1))(
    'printed, %s has its heading, numbers and source in dark on white, and no controls',
    (address) =>
      withKey(
        async (page) => {
          await open(page, address);
          await page.emulateMedia({ media: 'print' });
          for (const control of [
            '.subject',
            '.question',
            '.tabs',
            '.export-panel',
            '.year-slider',
            '.key-state',
          ])
            expect([control, await page.locator(`${control}:visible`).count()]).toEqual([control, 0]);
          expect(await page.locator('h1').isVisible()).toBe(true);
          expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
          expect(await scrollsSideways(page)).toBe(false);
          expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
        },
        // A view with dark colours is printed in light ones.
        { viewport: { width: 794, height: 1123 }, colorScheme: 'dark' },
      ),
  );
});

it.each(some(['/?view=table&country=Malta&fx=USD', '/?view=compare&country=Italy'], 1))(
  'printed, the table of %s has its unit, its source, and nothing to click',
  (address) =>
    withKey(
      async (page) => {
        await open(page, address);
        await page.locator('tbody tr').first().waitFor();
        const source = page.locator('.source');
        expect(await source.isVisible()).toBe(false);
        await page.emulateMedia({ media: 'print' });
        expect(await source.textContent()).toMatch(/^Source: .*, ggr, currency USD, snapshot .*, published /);
        expect(await source.isVisible()).toBe(true);
        expect(await page.locator('thead .unit').allTextContents()).toContain('USD');
        // Chromium does not print a button in a repeated head, and prints text after a grid over the grid's last
        // rows.
        expect(
          await page.evaluate(`[...document.querySelectorAll('thead button')]
            .filter((one) => getComputedStyle(one).display !== 'contents').length`),
        ).toBe(0);
        expect(
          await page.evaluate(`[...document.querySelectorAll('main *:has(table)')]
            .filter((one) => /grid|flex/.test(getComputedStyle(one).display)).map((one) => one.className)`),
        ).toEqual([]);
        expect(await page.locator('.button:visible, .text-button:visible, input:visible').count()).toBe(0);
      },
      { viewport: { width: 794, height: 1123 } },
    ),
);

itInDepth('printed, code has all of its letters and nothing to press', () =>
  withKey(
    async (page) => {
      await open(page, '/?view=code');
      const code = page.locator('.code-box pre');
      await code.waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      expect(await page.locator('button:visible').count()).toBe(0);
    },
    { viewport: { width: 794, height: 1123 } },
  ),
);

it('printed, a heading of About stays on the page of its text', () =>
  withKey(
    async (page) => {
      await open(page, '/?view=about');
      const view = page.locator('.about-view');
      await view.waitFor();
      expect(await view.textContent()).toContain('“Current” is a reported figure.');
      await page.emulateMedia({ media: 'print' });
      // Browsers break a page after a heading that is an item of a grid.
      expect(
        await page.evaluate(
          "[getComputedStyle(document.querySelector('.about-view')).display, getComputedStyle(document.querySelector('.about-view h2')).breakAfter]",
        ),
      ).toEqual(['block', 'avoid']);
    },
    { viewport: { width: 794, height: 1123 } },
  ));

it('at 320 px all tabs are in sight, and the closed list of snapshots shows the id of the current one and the word that says so', () =>
  withKey(
    async (page) => {
      await open(page, '/?view=compare');
      // In WebKit, a row of tabs that is a pixel too high gets a scrollbar.
      expect(
        await page.evaluate(`(() => {
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('.tabs');
          return [scrollWidth - clientWidth, scrollHeight - clientHeight];
        })()`),
      ).toEqual([0, 0]);
      await page.locator('.as-of select').waitFor();
      const roomForArrow = await page.evaluate(`(() => {
        const list = document.querySelector('.as-of select');
        const style = getComputedStyle(list);
        const canvas = document.createElement('canvas').getContext('2d');
        canvas.font = style.font;
        const text = canvas.measureText(list.options[list.selectedIndex].text).width;
        return list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - text;
      })()`);
      expect(roomForArrow).toBeGreaterThan(18);
    },
    { viewport: { width: 320, height: 780 } },
  ));

for (const width of [320, 1280])
  itInDepth(`at ${width} px the texts of a chart have room for the letter and word spacing of readers`, () =>
    withKey(
      async (page) => {
        await page.evaluate(`(() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync('* { letter-spacing: .12em !important; word-spacing: .16em !important; }');
          document.adoptedStyleSheets = [sheet];
        })()`);
        for (const address of ['/', '/?dataset=fx', '/?by=country&chart=bars', '/product/Poker']) {
          await open(page, address);
          await page.locator('.chart text').first().waitFor();
          const beyond = await page.evaluate(`[...document.querySelectorAll('.chart text')].filter((one) => {
            const [text, chart] = [one, one.ownerSVGElement].map((part) => part.getBoundingClientRect());
            return text.left < chart.left - 1 || text.right > chart.right + 1;
          }).map(({ textContent }) => textContent)`);
          expect([address, beyond]).toEqual([address, []]);
        }
        await page.evaluate('document.adoptedStyleSheets = []');
      },
      { viewport: { width, height: 780 } },
    ),
  );

describe('the keyboard alone', () => {
  /**
   * Presses Tab until the element with this accessible name has the focus. Every element on the way must show its
   * focus.
   */
  async function tabTo(page: Page, wanted: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const isThere = await tabUntil(
      page,
      `() => {
        const one = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        const name = (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim();
        if (one !== document.body && (outlineStyle === 'none' || outlineWidth === '0px'))
          throw new Error('The focus on “' + name + '” is invisible');
        return ${wanted}.test(name);
      }`,
      key,
    );
    if (!isThere) throw new Error(`${key} never comes to ${wanted}`);
  }

  itInDepth(
    'goes from the key to a filter, the period, a year, another chart, a sorted table, a copy, a file and a comparison',
    () =>
      visiting({ browser, url: server.url }, async ({ page }) => {
        await page.goto(`${server.url}/`);
        await page.getByLabel('Your API key').waitFor();
        await tabTo(page, /^Skip to the content$/);
        await tabTo(page, /^Your API key$/);
        await page.keyboard.type(server.key);
        await page.keyboard.press('Enter');
        await answered(page);

        await tabTo(page, /^Country$/);
        await page.keyboard.press('Enter');
        await page.locator('.picker[open] input[type=checkbox]').first().waitFor();
        await tabTo(page, /^Search Country$/);
        const found = page.locator('.picker[open] [role=status]');
        expect(await found.textContent()).toBe('110 in all');
        await page.keyboard.type('malt');
        await page.getByLabel('Malta').waitFor();
        expect(await found.textContent()).toBe('1 of 110');
        await tabTo(page, /^Malta/);
        await page.keyboard.press('Space');
        await page.getByRole('heading', { name: 'Gross gaming revenue, Malta, by product' }).waitFor();
        await answered(page);
        expect(await page.locator(':focus').getAttribute('type')).toBe('checkbox');

        await page.getByRole('link', { name: 'Skip to the content' }).focus();
        await tabTo(page, /^First year$/);
        await tabTo(page, /^First year$/);
        await page.keyboard.press('ArrowRight');
        await page.waitForURL(/from=2016/);
        await answered(page);

        await tabTo(page, /^Year$/);
        await page.keyboard.press('Home');
        expect(await page.locator(':focus').getAttribute('aria-valuetext')).toMatch(
          /^2016: Total .*Gaming Machines/,
        );
        expect(await page.locator('.tip').textContent()).toMatch(
          /^2016 US dollars.*Gaming Machines[\d,]{9,}/,
        );
        await page.keyboard.press('Escape');
        expect(await page.locator('.tip').count()).toBe(0);

        await tabTo(page, /^Small charts$/, 'Shift+Tab');
        await page.keyboard.press('Enter');
        await page.waitForURL(/chart=multiples/);

        await tabTo(page, /^Table$/, 'Shift+Tab');
        await page.keyboard.press('Enter');
        await page.locator('tbody tr').first().waitFor();
        await tabTo(page, /^Copy as CSV$/);
        await page.keyboard.press('Enter');
        await page.getByText('Copied').first().waitFor();
        expect(await copied(page)).toMatch(/^year,region,country,/);
        await tabTo(page, /^Rows$/);
        await page.keyboard.press('End');
        await tabTo(page, /^Gross gaming revenue USD/);
        await page.keyboard.press('Enter');
        const head = page.locator('th', { hasText: 'Gross gaming revenue' });
        expect(await head.getAttribute('aria-sort')).toBe('descending');

        await tabTo(page, /^CSV$/);
        const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
        expect(file.suggestedFilename()).toMatch(/^ggr-malta-usd-2016-2030-.*\.csv$/);

        await tabTo(page, /^Compare$/, 'Shift+Tab');
        await page.keyboard.press('Enter');
        await page.locator('.compare-view .figures, .compare-view .notice').first().waitFor();

        // The focused element is removed, so the focus moves to its neighbour.
        await page.getByRole('button', { name: 'Drop Malta' }).focus();
        await page.keyboard.press('Enter');
        await page.locator('.chip button:focus').waitFor();
        await page.getByRole('link', { name: 'Gambling data explorer' }).focus();
        await page.keyboard.press('Enter');
        await page.locator('main:focus').waitFor();
      }),
  );

  it('opens and closes the sheet of filters on a phone, and the focus comes back', () =>
    withKey(
      async (page) => {
        await open(page, '/');
        await tabTo(page, /^Filters and period/);
        await page.keyboard.press('Enter');
        // The sheet gets the focus once it is drawn.
        await page.locator('.question.is-open:focus-within').waitFor();
        await page.keyboard.press('Escape');
        expect(await page.locator(':focus').textContent()).toContain('Filters and period');
        // While the sheet is open, elements behind it cannot be reached.
        await page.keyboard.press('Enter');
        await page.locator('.question.is-open:focus-within').waitFor();
        await tabTo(page, /^Show .* rows$/);
        await page.keyboard.press('Tab');
        await page.locator('.question.is-open').waitFor({ state: 'detached' });
        expect(await page.locator('.answer :focus').count()).toBe(1);
      },
      { viewport: { width: 390, height: 780 } },
    ));
});

describe('a screen reader', () => {
  it('gets each chart as one sentence, its values by year, and each new answer and notice as a status', () =>
    withKey(async (page) => {
      const addresses = ['/', '/?chart=areas', '/?by=country&chart=bars', '/?by=country&chart=multiples'];
      for (const address of some(addresses, 2)) {
        await open(page, address);
        const sentence = (await page.locator('.summary').textContent()) ?? '';
        expect(sentence).toMatch(/ of gross gaming revenue in US dollars, .*: .* in 2024.*\.$/);
        expect(await page.getByRole('img', { name: sentence }).count()).toBe(1);
        expect(
          await page.getByRole('slider', { name: 'Year', exact: true }).getAttribute('aria-valuetext'),
        ).toMatch(/^2024: /);
      }
      await page.getByLabel('Split').selectOption('channel');
      await answered(page);
      expect(await page.locator('.announcement[role=status]').textContent()).toMatch(
        /^Gross gaming revenue by channel/,
      );
    }));

  it('gets the name of each key figure before its value, which is drawn above its name', () =>
    withKey(async (page) => {
      await open(page, '/country/Malta');
      const figures = page.locator('.key-figures > div');
      await figures.first().waitFor();
      const order = await figures.evaluateAll((all) =>
        all.map(({ children }) => {
          const [first, second] = [...children];
          const isBelow =
            (first?.getBoundingClientRect().top ?? 0) >= (second?.getBoundingClientRect().bottom ?? 0);
          return `${first?.tagName} ${second?.tagName} ${isBelow}`;
        }),
      );
      expect(new Set(order)).toEqual(new Set(['DT DD true']));
      // The values of a row stand on one line, however long their names are.
      const tops = await page
        .locator('.key-figures dd')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      expect(new Set(tops.slice(0, 3)).size).toBe(1);
    }));
});

/**
 * Replaces all texts as the translators of browsers do: they put elements of their own in the place of the page's text
 * nodes, and leave out what the page marks with `translate="no"`.
 */
const TRANSLATE = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  const translated = texts.filter((text) => text.data.trim() !== '' && text.parentElement.translate);
  for (const text of translated) {
    const font = document.createElement('font');
    font.textContent = text.data;
    text.replaceWith(font);
  }
})()`;

it('the translator of a browser leaves no value of one year beside the name of another', () =>
  visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
    await page.goto(`${server.url}/?country=Malta&by=channel`);
    await answered(page);
    await page.evaluate(TRANSLATE);
    const slider = page.getByRole('slider', { name: 'Year', exact: true });
    await slider.press('ArrowLeft');
    const [year = '', ...values] = ((await slider.getAttribute('aria-valuetext')) ?? '').split(/: |, /);
    const shown = await page.locator('.readout').textContent();
    expect(values.length).toBeGreaterThan(0);
    expect(shown).toContain(year);
    expect(await page.locator('.readout font').count()).toBe(0);
  }));

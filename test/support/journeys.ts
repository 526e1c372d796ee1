// Journeys through the pages in Chromium: `const { visiting, signIn } = journeysOn(site, browser)`.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inWindow } from './browser.ts';
import type { Site } from './site.ts';
import { withoutFaults } from './withoutFaults.ts';

export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
}

export interface Journeys {
  /** Runs `act` in a new window, and fails when a page asks another site, is blocked or logs an error. */
  visiting(options: BrowserContextOptions, act: (person: Person) => Promise<void>): Promise<void>;
  /** Signs in as the owner ann. */
  signIn(page: Page): Promise<void>;
}

/** @param others The beginnings of addresses outside the site to which a journey may lead. */
export const journeysOn = (site: Site, browser: Browser, others: readonly string[] = []): Journeys => ({
  async visiting(options, act) {
    await inWindow(browser, options, async (page) => {
      const isOurs = (address: string) =>
        address.startsWith('blob:') || [site.url, ...others].some((ours) => address.startsWith(`${ours}/`));
      try {
        await withoutFaults(page, isOurs, () => act({ page, context: page.context() }));
      } catch (error) {
        const shown = await page.textContent('body').catch(() => 'nothing');
        throw new Error(`${(error as Error).message}\nThe page shows: ${shown}`, { cause: error });
      }
    });
  },

  async signIn(page) {
    const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
    await open(page, `${site.url}/admin/signin/${token}`);
    await press(page, 'Sign in');
    await page.waitForURL(`${site.url}/admin`);
  },
});

/** Opens a page. Repeats it after a 503 of a busy machine, as a person would. */
export async function open(page: Page, url: string): Promise<void> {
  let status: number | undefined = 503;
  for (let tries = 0; status === 503 && tries < 10; tries++) status = (await page.goto(url))?.status();
}

/** Presses the button of a form. Repeats it after a 503 of a busy machine, because a 503 has changed nothing. */
export async function press(page: Page, name: string, how: 'click' | 'dblclick' = 'click'): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    await page.getByRole('button', { name, exact: true })[how]();
    await page.waitForLoadState();
    const again = page.getByRole('link', { name: 'Open it again' });
    if ((await again.count()) === 0) return;
    await again.click();
  }
}

/** Presses Tab, or Shift and Tab, until the element with that label or text has the focus. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isThere = await tabUntil(page, `() => ${FOCUSED} === ${JSON.stringify(name)}`, key);
  if (!isThere) throw new Error(`${key} never reached ${name} on ${await page.title()}`);
}

const FOCUSED = `(({ labels, ariaLabel, textContent }) =>
  (ariaLabel ?? labels?.[0]?.textContent ?? textContent).replace(/\\s+/g, ' ').trim())(document.activeElement)`;

/** How often Tab is pressed before each look at the page. */
const BATCHES = [4, 8, ...Array<number>(15).fill(16)];

/**
 * Presses Tab until `look` returns true. Returns whether it did. `look` is the text of a function, which the page calls at
 * each element that gets the focus. The page records its result, because an `evaluate` takes longer than a press.
 *
 * @throws the error of `look`.
 */
export async function tabUntil(page: Page, look: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<boolean> {
  await page.evaluate(`(() => {
    const state = { isThere: false, wrong: null };
    let presses = 0;
    const see = () => {
      try {
        state.isThere ||= (${look})();
      } catch (error) {
        state.wrong ??= error.message;
      }
    };
    const onKey = (event) => {
      if (event.key !== 'Tab') return;
      if (presses > 0) see();
      presses += 1;
      if (state.isThere || state.wrong !== null) event.preventDefault();
    };
    document.addEventListener('keydown', onKey, true);
    globalThis.tabbing = { see, state, end: () => document.removeEventListener('keydown', onKey, true) };
  })()`);
  let state = { isThere: false, wrong: null as string | null };
  for (const presses of BATCHES) {
    for (let press = 0; press < presses; press++) await page.keyboard.press(key);
    state = await page.evaluate<typeof state>('(tabbing.see(), tabbing.state)');
    if (state.isThere || state.wrong !== null) break;
  }
  await page.evaluate('tabbing.end()');
  if (state.wrong !== null) throw new Error(state.wrong);
  return state.isThere;
}

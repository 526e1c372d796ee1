// Opens the explorer in Chromium for tests. Fails when a page asks another host, is blocked or logs an error.

import type { Browser, BrowserContextOptions, Page, Request, Response } from 'playwright-core';
import { inWindow } from '../support/browser.ts';
import { withoutFaults } from '../support/withoutFaults.ts';

export interface Visitor {
  readonly page: Page;
  /** The requests to the API in order, as path and query. A request that is repeated after a 503 counts once. */
  readonly asked: readonly string[];
}

export interface Visit {
  readonly browser: Browser;
  /** The address of the server. It does not end in a slash. */
  readonly url: string;
  /** The key, written into session storage as the claim page does. A visitor without one has no key yet. */
  readonly key?: string;
  readonly options?: BrowserContextOptions;
}

/**
 * Runs `act` in a window that nobody else uses meanwhile. Fails when the page asked another host, violated its
 * content policy or logged an error.
 */
export async function visiting(
  { browser, url, key, options }: Visit,
  act: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  // The script is text, because code would need the types of browsers, which would then apply to the whole project.
  const initScript = `sessionStorage.setItem('api-key', ${JSON.stringify(key)})`;
  await inWindow(browser, { ...options, ...(key !== undefined && { initScript }) }, async (page) => {
    const asked: string[] = [];
    const onRequest = (request: Request) => {
      const address = request.url();
      if (address.startsWith(`${url}/v1/`)) asked.push(address.slice(url.length));
    };
    const onResponse = (response: Response) => {
      const at = response.status() === 503 ? asked.indexOf(response.url().slice(url.length)) : -1;
      if (at >= 0) asked.splice(at, 1);
    };
    const isOurs = (address: string) => address.startsWith(`${url}/`) || address.startsWith(`blob:${url}/`);
    page.on('request', onRequest).on('response', onResponse);
    await withoutFaults(page, isOurs, () => act({ page, asked }), /^Failed to load resource|\[DOM\]/);
    page.off('request', onRequest).off('response', onResponse);
  });
}

/**
 * Waits until the answer is on the screen and no request is running. When a busy server refuses the question, the
 * page still shows the previous answer, so that is not the end.
 */
export async function answered(page: Page): Promise<void> {
  await page.locator('.answer[aria-busy=false]:not(:has(.is-old))').waitFor();
}

/** Goes to an address as a link within the page does. This takes half as long as loading the page. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(address)}), dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** A window that stays open for several tests. */
export interface Stay {
  readonly page: Page;
  /** Goes to an address, and gives the page. */
  goTo(address: string): Promise<Page>;
  /** Closes the window. Fails when something went wrong since it was opened. */
  leave(): Promise<void>;
}

/** Opens the explorer in a window that stays open. */
export async function staying(visit: Visit): Promise<Stay> {
  return await new Promise((entered, failed) => {
    const visited = visiting(visit, async ({ page }) => {
      await page.goto(`${visit.url}/?country=Malta`);
      await answered(page);
      await new Promise<void>((leave) =>
        entered({
          page,
          async goTo(address) {
            await goTo(page, address);
            return page;
          },
          async leave() {
            leave();
            await visited;
          },
        }),
      );
    });
    visited.catch(failed);
  });
}

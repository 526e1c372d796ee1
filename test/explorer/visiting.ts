// Opens the explorer in Chromium for tests, and finds out what went elsewhere, was blocked or failed.

import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface Visitor {
  readonly page: Page;
  /** The requests to the API, as path and query, in order. */
  readonly asked: readonly string[];
}

export interface Visit {
  readonly browser: Browser;
  /** Of the server, without a slash at the end. */
  readonly url: string;
  /** Put into session storage, as the claim page does; left out, the visitor has no key yet. */
  readonly key?: string;
  readonly options?: BrowserContextOptions;
}

/** Opens a window, does something in it, and finds that nothing went elsewhere and the browser had nothing to complain of. */
export async function visiting(
  { browser, url, key, options }: Visit,
  act: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const wrong: string[] = [];
  const asked: string[] = [];
  context.on('request', (request) => {
    const address = request.url();
    if (address.startsWith(`${url}/v1/`)) asked.push(address.slice(url.length));
    else if (!address.startsWith(`${url}/`) && !address.startsWith(`blob:${url}/`))
      wrong.push(`asked for ${address}`);
  });
  page.on('console', (message) => {
    // A refused request is told of as a failure; the test asked for it.
    if (!/^Failed to load resource|\[DOM\]/.test(message.text())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  // What runs in the page is text: the types of browsers would hold for the whole project.
  if (key !== undefined)
    await page.addInitScript(`sessionStorage.setItem('api-key', ${JSON.stringify(key)})`);
  try {
    await act({ page, asked });
    expect(wrong).toEqual([]);
  } finally {
    await context.close();
  }
}

/** The answer is on the screen and nothing is being asked. */
export async function answered(page: Page): Promise<void> {
  await page.locator('.answer[aria-busy=false]').waitFor();
}

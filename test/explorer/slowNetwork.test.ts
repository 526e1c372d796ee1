// The explorer on a line of 1 Mbit/s: the first visit transfers little, and the page works meanwhile.

import { beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';
import { answered, visiting } from './visiting.ts';

let browser: Browser;
let server: SharedServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), sharedServer()]);
});

const BYTES_PER_SECOND = 125_000;
const ROUND_TRIP_SECONDS = 0.04;

/**
 * Round trips for the page, its script, the datasets, the counts and the sums, and one to spare. Everything else is
 * fetched at the same time.
 */
const ROUND_TRIPS = 6;

it('a first visit needs less than 3 s of a line of 1 Mbit/s, and a change meanwhile leaves the right answer', () =>
  visiting({ browser, url: server.url, key: server.key }, async ({ page }) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    // Another test may have filled the cache of this window.
    await session.send('Network.clearBrowserCache');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: ROUND_TRIP_SECONDS * 1000,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(`${server.url}/`);
    await page.locator('.answer[aria-busy=false] .chart svg').waitFor();
    // The time is computed from bytes, because a machine that runs all tests at once is slower than the line. `make
    // bench ONLY=explorer` measures it.
    const neededSeconds = bytes / BYTES_PER_SECOND + ROUND_TRIPS * ROUND_TRIP_SECONDS;
    expect(bytes).toBeGreaterThan(50_000);
    expect(neededSeconds).toBeLessThan(2.5);

    await page.getByLabel('Split').selectOption('product');
    await page.getByLabel('Split').selectOption('channel');
    await page.getByRole('heading', { name: 'Gross gaming revenue by channel' }).waitFor();
    await answered(page);
    expect(await page.locator('.chart .series-label').allTextContents()).toEqual(['Land', 'Online']);
    // The next test may get this window, and must not get the slow line.
    await session.detach();
  }));

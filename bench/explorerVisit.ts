// The benchmark of the explorer: how long a first visit takes until the page is usable, at full speed and on a slow line.

import { type Browser, chromium } from 'playwright-core';
import { dataDirOf, SMALL_ROWS } from './benchSnapshots.ts';
import { chromiumArgs, chromiumPath } from './chromium.ts';
import { type Figure, ofRounds } from './figure.ts';
import { startOurs } from './measuredProcesses.ts';

const ROUNDS = 7;

/** 1 Mbit/s with a round trip of 40 ms. */
const SLOW = { offline: false, latency: 40, downloadThroughput: 125_000, uploadThroughput: 125_000 };

/** Measures the seconds from opening the page with a key until a chart is drawn, in a browser with an empty cache. */
export async function explorerUsable(): Promise<Figure[]> {
  const executablePath = chromiumPath();
  if (executablePath === null)
    throw new Error('Chromium is not installed: apt-get install chromium, or leave the row out with ONLY=');
  const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
  const server = await startOurs(await dataDirOf(SMALL_ROWS));
  const { port, headers } = server.to;
  const key = headers.replace(/^x-api-key: |\s+$/g, '');
  const visit = { browser, url: `http://127.0.0.1:${port}/`, key };
  const fast: number[] = [];
  const slow: number[] = [];
  await usableSeconds({ ...visit, isSlow: false });
  for (let round = 0; round < ROUNDS; round++) {
    fast.push(await usableSeconds({ ...visit, isSlow: false }));
    slow.push(await usableSeconds({ ...visit, isSlow: true }));
  }
  await server.stop();
  await browser.close();
  return [
    { what: 'explorer usable, first visit', unit: 's', ...ofRounds(fast), better: 'lower', atMost: 1 },
    { what: 'explorer usable at 1 Mbit/s', unit: 's', ...ofRounds(slow), better: 'lower', atMost: 3 },
  ];
}

interface Visit {
  readonly browser: Browser;
  readonly url: string;
  readonly key: string;
  readonly isSlow: boolean;
}

async function usableSeconds({ browser, url, key, isSlow }: Visit): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (isSlow) {
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
  }
  await page.addInitScript(`sessionStorage.setItem('api-key', ${JSON.stringify(key)})`);
  const startedMs = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('.answer[aria-busy=false] .chart svg').waitFor();
  const seconds = (performance.now() - startedMs) / 1000;
  await context.close();
  return seconds;
}

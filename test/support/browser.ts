// Connects to the Chromium that all test files of a run share: `const browser = await openBrowser()`.

import { type Browser, chromium } from 'playwright-core';
import { service } from './services.ts';

/** A browser whose contexts nobody else sees; `close` closes them and leaves Chromium running. */
export async function openBrowser(): Promise<Browser> {
  const { endpoint } = await service('chromium');
  return chromium.connect(endpoint);
}

// Fails a test when a page in Chromium asks another site, is blocked or logs an error.

import type { ConsoleMessage, Page, Request } from 'playwright-core';

/** Chromium reports an answer such as 401 or 410 as a failure, although the test asked for it. */
const REFUSED = /^Failed to load resource/;

/**
 * Runs `act`. Fails when meanwhile the window requested an address for which `isOurs` is false, or when its page logged an
 * error or a message that does not match `expected`.
 */
export async function withoutFaults(
  page: Page,
  isOurs: (address: string) => boolean,
  act: () => Promise<void>,
  expected = REFUSED,
): Promise<void> {
  const faults: string[] = [];
  const onRequest = (request: Request) => {
    if (!isOurs(request.url())) faults.push(`asked for ${request.url()}`);
  };
  const onMessage = (message: ConsoleMessage) => {
    if (!expected.test(message.text())) faults.push(message.text());
  };
  const onError = (error: Error) => faults.push(error.message);
  const context = page.context().on('request', onRequest);
  page.on('console', onMessage).on('pageerror', onError);
  await act();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  // Other tests use the window again.
  context.off('request', onRequest);
  page.off('console', onMessage).off('pageerror', onError);
}

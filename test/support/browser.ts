// Connects to the Chromium that all test files of a run share: `const browser = await openBrowser()`.

import { createRequire } from 'node:module';
import type * as Playwright from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { service } from './services.ts';

// `import` would parse the whole package for its exports first, which takes as long as loading a page.
const { chromium }: typeof Playwright = createRequire(import.meta.url)('playwright-core');

/** A connection with browser contexts of its own. `close` closes these and leaves Chromium running. */
export async function openBrowser(): Promise<Browser> {
  const { endpoint } = await service('chromium');
  return chromium.connect(endpoint);
}

export interface WindowOptions extends BrowserContextOptions {
  /** A script that runs before those of each page in this window. */
  readonly initScript?: string;
}

/**
 * Runs `act` in a window without cookies and storage. Windows are cleaned and used again: a new one starts a process of
 * Chromium, which takes four times as long as loading a page.
 */
export async function inWindow(
  browser: Browser,
  { initScript, ...options }: WindowOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const { viewport, colorScheme, reducedMotion, forcedColors, ...fixed } = options;
  const idle = idleWindows(browser, JSON.stringify(fixed));
  const page = idle.pop() ?? (await newWindow(browser, fixed));
  const context = page.context();
  let isClean = false;
  try {
    await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
    await page.emulateMedia({
      media: null,
      colorScheme: colorScheme ?? 'light',
      reducedMotion: reducedMotion ?? 'no-preference',
      forcedColors: forcedColors ?? 'none',
    });
    const script = initScript === undefined ? undefined : await page.addInitScript(initScript);
    await act(page);
    await script?.dispose();
    isClean = await clean(page);
  } finally {
    if (isClean) idle.push(page);
    else await context.close();
  }
}

async function newWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  // Playwright's default is 30 s, which a busy machine may need for one step. Jest ends tests that hang.
  context.setDefaultTimeout(STEP_MS);
  await context.addInitScript(REMEMBER_COPIES);
  return context.newPage();
}

const STEP_MS = 120_000;

/** Makes a page remember what it copies: all windows, also those of other test files, share one clipboard. */
const REMEMBER_COPIES = `if (navigator.clipboard) {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = async (text) => {
    globalThis.copied = text;
    await write(text);
  };
}
document.addEventListener('copy', () => { globalThis.copied = String(getSelection()); });`;

/** Waits until the page has copied a text, and returns it. */
export async function copied(page: Page): Promise<string> {
  for (const endMs = performance.now() + STEP_MS; performance.now() < endMs; await page.waitForTimeout(10)) {
    const text = await page.evaluate<string | undefined>('globalThis.copied');
    if (text !== undefined) return text;
  }
  throw new Error(`nothing was copied; the page shows: ${await page.textContent('body')}`);
}

/** Prepares a window for the next test; false when it cannot be used again. Its page stays open until then. */
async function clean(page: Page): Promise<boolean> {
  const context = page.context();
  if (page.isClosed() || context.pages().length > 1) return false;
  try {
    await page.evaluate(QUIET);
    await context.clearCookies();
    return true;
  } catch {
    return false;
  }
}

/** Stops everything that could send a request, so that the next test counts only its own. */
const QUIET = `stop();
  for (let id = setTimeout(() => {}); id > 0; id--) { clearTimeout(id); clearInterval(id); }
  if (location.protocol.startsWith('http')) { sessionStorage.clear(); localStorage.clear(); }`;

const idleByBrowser = new WeakMap<Browser, Map<string, Page[]>>();

function idleWindows(browser: Browser, kind: string): Page[] {
  const kinds = idleByBrowser.get(browser) ?? new Map<string, Page[]>();
  idleByBrowser.set(browser, kinds);
  const idle = kinds.get(kind) ?? [];
  kinds.set(kind, idle);
  return idle;
}

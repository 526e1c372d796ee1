// Connects to the Chromium that all test files of a run share: `const browser = await openBrowser()`.

import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type * as Playwright from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { isDeep } from './depth.ts';
import { service } from './services.ts';

// `import` would first parse the whole package for its exports. That takes as long as loading a page.
const { chromium }: typeof Playwright = createRequire(import.meta.url)('playwright-core');

/**
 * The connection and the windows that the test files of a worker share. A new connection would have no windows to use
 * again.
 */
const worker = globalThis as { testBrowser?: Promise<Browser>; testWindows?: Map<string, Page[]> };

/** The connection of this worker to the shared Chromium. It has its own browser contexts. Tests leave it open. */
export function openBrowser(): Promise<Browser> {
  worker.testBrowser ??= connect();
  return worker.testBrowser;
}

async function connect(): Promise<Browser> {
  const { endpoint } = await service('chromium');
  const browser = await chromium.connect(endpoint);
  // Without this, the open connection would keep the worker from ending.
  for (const handle of openHandles())
    if (handle instanceof Socket && handle.remotePort === Number(new URL(endpoint).port)) handle.unref();
  return browser;
}

/**
 * The open handles of this process, such as sockets: Playwright does not expose its socket. Node's types lack this
 * function.
 */
const openHandles = (): readonly unknown[] =>
  (process as unknown as { _getActiveHandles(): readonly unknown[] })._getActiveHandles();

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
  const { viewport: _, colorScheme: __, reducedMotion: ___, forcedColors: ____, ...fixed } = options;
  const idle = idleWindows(JSON.stringify(fixed));
  const page = idle.pop() ?? (await newWindow(browser, fixed));
  const context = page.context();
  let isClean = false;
  try {
    await setScreen(page, options);
    const script = initScript === undefined ? undefined : await page.addInitScript(initScript);
    await act(page);
    await script?.dispose();
    isClean = await clean(page);
  } finally {
    if (isClean) idle.push(page);
    else await context.close();
  }
}

/** Sets the size of the window and the wishes of the reader, such as dark colours; the usual ones when left out. */
export async function setScreen(page: Page, options: BrowserContextOptions): Promise<void> {
  const { viewport, colorScheme, reducedMotion, forcedColors } = options;
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? 'light',
    reducedMotion: reducedMotion ?? MOTION,
    forcedColors: forcedColors ?? 'none',
  });
}

/**
 * Chromium draws a page at each step of a fade. In `make test`, pages are asked for no motion unless a test says otherwise;
 * `make test-long` leaves it on.
 */
const MOTION = isDeep ? 'no-preference' : 'reduce';

async function newWindow(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  // A busy machine may need Playwright's default of 30 s for one step. Jest ends tests that hang.
  context.setDefaultTimeout(STEP_MS);
  await context.addInitScript(REMEMBER_COPIES);
  return context.newPage();
}

const STEP_MS = 120_000;

/** Makes a page remember the texts that it copies, because all windows of all test files share one clipboard. */
const REMEMBER_COPIES = `if (navigator.clipboard) {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = async (text) => {
    globalThis.copied = text;
    await write(text);
  };
  const writeItems = navigator.clipboard.write.bind(navigator.clipboard);
  navigator.clipboard.write = async (items) => {
    await writeItems(items);
    globalThis.copied = await (await items[0].getType('text/plain')).text();
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

/** Prepares a window for the next test. Returns false when it cannot be used again. Its page stays open. */
async function clean(page: Page): Promise<boolean> {
  const context = page.context();
  if (page.isClosed() || context.pages().length > 1) return false;
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(QUIET);
    await context.clearCookies();
    return true;
  } catch {
    return false;
  }
}

/** Stops all timers and downloads of a page, because the next test counts requests. */
const QUIET = `stop();
  for (let id = setTimeout(() => {}); id > 0; id--) { clearTimeout(id); clearInterval(id); }
  if (location.protocol.startsWith('http')) { sessionStorage.clear(); localStorage.clear(); }`;

/** The windows that were opened with these options and are not in use. */
function idleWindows(kind: string): Page[] {
  worker.testWindows ??= new Map();
  const idle = worker.testWindows.get(kind) ?? [];
  worker.testWindows.set(kind, idle);
  return idle;
}

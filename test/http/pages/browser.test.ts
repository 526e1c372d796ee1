// The pages in Chromium: by keyboard, without scripts, in dark mode, on a phone.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hashOf } from '../../../src/access/secret.ts';
import { violations } from '../../support/axe.ts';
import { copied, openBrowser } from '../../support/browser.ts';
import { isDeep, itInDepth, some } from '../../support/depth.ts';
import { type Journeys, journeysOn, open, press, tabTo } from '../../support/journeys.ts';
import { patientGate } from '../../support/patientGate.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';
import { type Site, startSite } from '../../support/site.ts';

let redis: TestDatabase;
let site: Site;
let browser: Browser;
/** The same service, with an identity provider that is unreachable. */
let withProvider: Site;
let visiting: Journeys['visiting'];
let signIn: Journeys['signIn'];
beforeAll(async () => {
  [redis, browser] = await Promise.all([openDatabase(), openBrowser()]);
  site = await startSite(redis, 'http://127.0.0.1', process.env.SAMPLE_DATA_DIR);
  withProvider = await startSite(redis, 'http://127.0.0.1', process.env.SAMPLE_DATA_DIR, {
    issuer: 'http://127.0.0.1:9',
    clientId: 'team-page',
    clientSecret: 'secret',
    allow: ['example.org'],
    roleClaim: 'roles',
  });
  ({ visiting, signIn } = journeysOn(site, browser, [withProvider.url]));
});
beforeEach(() => redis.empty());
afterAll(async () => {
  await site?.close();
  await withProvider?.close();
  await redis?.close();
});

describe('claiming a key', () => {
  it('works with the keyboard only, from the invite to the copied key', () =>
    visiting({}, async ({ page }) => {
      await open(page, site.url + (await site.invite()));
      await tabTo(page, 'Create my API key');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your API key' }).waitFor();
      await tabTo(page, 'Copy the key');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('Copied').waitFor();
      const key = await copied(page);
      expect(key).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
      await tabTo(page, 'Copy the curl command');
      await page.keyboard.press('Space');
      await page.getByText('Copied').nth(1).waitFor();
      const query = `${site.url}/v1/financials?metric=ggr&limit=5`;
      expect(await copied(page)).toBe(`curl -H "x-api-key: ${key}" "${query}"`);
      const answer = await fetch(query, { headers: { 'x-api-key': key } });
      expect(answer.status).toBe(200);
      // In this tab, the explorer gets the key from the page.
      await page.getByRole('link', { name: 'explore the data' }).click();
      await page.waitForURL(`${site.url}/`);
      expect(await page.evaluate("sessionStorage.getItem('api-key')")).toBe(key);
    }));

  it('works without JavaScript', () =>
    visiting({ javaScriptEnabled: false }, async ({ page }) => {
      await open(page, site.url + (await site.invite()));
      await press(page, 'Create my API key');
      const key = await page.getByRole('textbox', { name: 'the key' }).textContent();
      expect(key).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
      expect(await page.getByRole('button').count()).toBe(0);
      expect(await page.locator('noscript').allInnerTexts()).toEqual([
        ...Array(2).fill('Select the text above and copy it.'),
        // Programs in other languages are hidden until their name is pressed.
        ...Array(3).fill(''),
      ]);
    }));

  itInDepth('is not done by a browser that only opens the link, as mail scanners do', () =>
    visiting({}, async ({ page }) => {
      const path = await site.invite();
      for (let times = 0; times < 3; times++) {
        await open(page, site.url + path);
        await page.mouse.wheel(0, 500);
      }
      await page.waitForLoadState('networkidle');
      expect(await site.invites.list()).toMatchObject([{ state: 'open' }]);
      expect(await site.keys.list()).toEqual([]);
    }),
  );

  itInDepth('shows the key to somebody who clicks twice', () =>
    visiting({}, async ({ page }) => {
      await open(page, site.url + (await site.invite()));
      await press(page, 'Create my API key', 'dblclick');
      await page.getByRole('heading', { name: 'Your API key' }).waitFor();
    }),
  );

  itInDepth('shows the key only once: neither loading the page again nor going back shows it again', () =>
    visiting({}, async ({ page }) => {
      await open(page, site.url + (await site.invite()));
      await press(page, 'Create my API key');
      await page.getByRole('heading', { name: 'Your API key' }).waitFor();
      await page.reload();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'You have just claimed this key',
      );
      await page.goBack();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'You have just claimed this key',
      );
      expect(await site.keys.list()).toHaveLength(1);
    }),
  );

  itInDepth('copies where the browser offers no clipboard to scripts', () =>
    visiting({}, async ({ page }) => {
      const script = await page.addInitScript(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })",
      );
      await open(page, site.url + (await site.invite()));
      await press(page, 'Create my API key');
      await page.getByRole('button', { name: 'Copy the key' }).click();
      await page.getByText('Copied').waitFor();
      expect(await copied(page)).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
      // The next test may get this window.
      await script.dispose();
    }),
  );
});

describe('the team’s page', () => {
  it('sends an invite with a few key presses, and revokes a key without JavaScript', async () => {
    await visiting({}, async ({ page }) => {
      await signIn(page);
      await page.getByLabel('Who is it for?').focus();
      await page.keyboard.type('Globex, data desk');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'The invite link' }).waitFor();
      await tabTo(page, 'Copy the link');
      await page.keyboard.press('Enter');
      await page.getByText('Copied').waitFor();
      const { status } = await fetch(await copied(page));
      expect(status).toBe(200);
    });
    await visiting({ javaScriptEnabled: false }, async ({ page }) => {
      await site.keys.issue({ label: 'Acme', by: 'test' });
      await signIn(page);
      await page.getByRole('link', { name: 'Acme' }).click();
      await press(page, 'Revoke the key');
      expect(await site.keys.list()).toMatchObject([{ state: 'active' }]);
      await page.getByLabel('Yes, refuse this key from now on').check();
      await press(page, 'Revoke the key');
      await page.getByText('The key is revoked.').waitFor();
      expect(await site.keys.list()).toMatchObject([{ state: 'revoked' }]);
    });
  });

  it('gives a long list of people back in a box that scrolls, with its button below', () =>
    visiting({ viewport: PHONE }, async ({ page }) => {
      await signIn(page);
      await open(page, `${site.url}/admin/invites`);
      await page.locator('summary').first().click();
      const people = Array.from({ length: 400 }, (_, i) => `Person ${i}`).join('\n');
      await page.getByLabel('Several people one a line').fill(people);
      await page.context().clearCookies();
      await press(page, 'Make the invite link');
      const box = page.getByRole('textbox', { name: 'the text' });
      expect(await box.textContent()).toBe(people);
      expect(await page.evaluate("document.querySelector('#typed').clientHeight < innerHeight")).toBe(true);
      await page.getByRole('button', { name: 'Copy the text' }).click();
      expect(await copied(page)).toBe(people);
    }));

  itInDepth('shows a new key once, and does not make another when it is loaded again', () =>
    visiting({}, async ({ page }) => {
      const { id } = await site.keys.issue({ label: 'Acme', by: 'test' });
      await signIn(page);
      await open(page, `${site.url}/admin/keys/${id}`);
      await page.getByLabel('The old key ends').selectOption('after 7 days');
      await press(page, 'Make the new key', 'dblclick');
      await page.getByRole('heading', { name: 'The new key' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'This form was sent before' }).waitFor();
      expect(await site.keys.list()).toHaveLength(2);
    }),
  );
});

/** Visits every page, in the order in which a signed-in person reaches it. */
async function* everyPage(page: Page): AsyncGenerator<string> {
  const long =
    'Österreichische Gesellschaft für Glücksspielforschung und Statistik, <b>Abteilung</b> Datenaustausch 7b';
  const { id, key } = await site.keys.issue({ label: long, by: 'test' });
  const gate = patientGate(redis.client, { perMinute: 2, perDay: 10 });
  for (let i = 0; i < 5; i++) await gate.admit(hashOf(key));
  const old = await site.keys.issue({ label: 'x'.repeat(100), by: 'test' });
  await site.keys.changeLimits(old.id, { perDay: 1e9 }, 'test');
  await site.keys.rotate(old.id, { graceMs: 1e6, by: 'test' });
  const gone = await site.keys.issue({ label: 'Gone', by: 'test' });
  await site.keys.revoke(gone.id, 'test');
  const invite = await site.invite(long);
  const see = async (path: string, on = site) => {
    await open(page, on.url + path);
    return page.title();
  };
  yield see(invite);
  await press(page, 'Create my API key');
  await page.getByRole('heading', { name: 'Your API key' }).waitFor();
  yield page.title();
  yield see(invite);
  yield see('/claim');
  yield see('/admin');
  const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
  yield see(`/admin/signin/${token}`);
  await signIn(page);
  yield page.title();
  yield see('/admin?q=none');
  yield see(`/admin/keys/${id}?said=limits`);
  await page.getByLabel('Requests in any minute').fill('ten');
  await press(page, 'Change the limits');
  await page.getByRole('alert').waitFor();
  yield page.title();
  yield see(`/admin/keys/${gone.id}`);
  await site.invite(long);
  await see('/admin/invites');
  await page.locator('summary').first().click();
  yield page.title();
  await page.getByLabel('Who is it for?').fill(long);
  await press(page, 'Make the invite link');
  await page.getByRole('heading', { name: 'The invite link' }).waitFor();
  yield page.title();
  yield see('/admin/audit');
  yield see('/admin/people');
  const spent = await site.invite();
  await site.invites.claim(spent.replace('/claim/', ''));
  yield see(spent);
  await see('/admin/people');
  await page.getByLabel('Name').fill('Jane Doe');
  await press(page, 'Make the sign-in link');
  await page.getByRole('heading', { name: 'The sign-in link' }).waitFor();
  yield page.title();
  await page.reload();
  yield page.title();
  yield see('/admin/months');
  yield see('/admin/months/difference?a=2026-10.1&b=2026-11.1');
  yield see('/admin/keys/k0');
  await see('/admin/invites');
  await page.locator('summary').first().click();
  await page.getByLabel('Several people one a line').fill('Jane Doe\nJoe Bloggs');
  await press(page, 'Make the invite link');
  await page.getByRole('heading', { name: '2 invite links' }).waitFor();
  yield page.title();
  await see('/admin');
  await page.getByRole('checkbox').first().check();
  await press(page, 'Revoke the chosen keys …');
  await page.getByRole('heading', { name: 'Revoke this key?' }).waitFor();
  yield page.title();
  await page.evaluate("document.querySelector('input[required]').required = false");
  await press(page, 'Revoke this key');
  await page.getByRole('alert').waitFor();
  yield page.title();
  await redis.client.hset('people', 'ann', 'viewer');
  await page.getByRole('checkbox').check();
  await press(page, 'Revoke this key');
  yield page.title();
  await page.context().clearCookies();
  yield see('/admin', withProvider);
  yield see('/admin/oidc?code=c&state=s', withProvider);
  await page.goto(`${withProvider.url}/admin/oidc/start`);
  yield page.title();
}

describe('every page', () => {
  /** The facts about each page, in the order of the visits. */
  const seen: (Facts & {
    readonly title: string;
    readonly violations: readonly string[];
    /** Tables that are wider than their card, which cuts off the rest. */
    readonly hidden: readonly string[];
  })[] = [];

  /** The tables that are partly hidden at some width, from phones to laptops. */
  async function hiddenPartsOf(page: Page): Promise<string[]> {
    const found: string[] = [];
    const hasTable = (await page.locator('.table-card').count()) > 0;
    for (const width of hasTable ? [PHONE.width, ...WIDTHS] : []) {
      if (width !== PHONE.width) await page.setViewportSize({ width, height: 800 });
      for (const label of await page.evaluate<string[]>(HIDDEN)) found.push(`${width}: ${label}`);
    }
    if (hasTable) await page.setViewportSize(PHONE);
    return found;
  }

  /** The violations that axe finds on a wide screen. `make test` checks only the first page of each kind. */
  async function violationsOf(page: Page, title: string): Promise<string[]> {
    const kind = KINDS.find((one) => title.startsWith(one));
    const isFirst = kind !== undefined && !seen.some((one) => one.title.startsWith(kind));
    if (!isDeep && !isFirst) return [];
    await page.setViewportSize({ width: 1280, height: 800 });
    // All pages have one style sheet. So one page is checked in light colours and another one in dark.
    const isLight = isDeep || kind === 'Your API key';
    const isDark = isDeep || kind === 'Key k';
    const found = await violations(page, isLight ? undefined : 'none');
    found.push(...(await page.evaluate<string[]>(COVERED)));
    if (isDark) {
      await page.emulateMedia({ colorScheme: 'dark' });
      found.push(...(await violations(page, 'only')));
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await page.setViewportSize(PHONE);
    return found;
  }

  beforeAll(() =>
    // Without reduced motion, axe would measure colours that are still changing.
    visiting({ reducedMotion: 'reduce', viewport: PHONE }, async ({ page }) => {
      for await (const title of everyPage(page)) {
        const [facts, found] = [await page.evaluate<Facts>(FACTS), await violationsOf(page, title)];
        const hidden = await hiddenPartsOf(page);
        seen.push({
          title,
          ...facts,
          hidden,
          violations: found.map((violation) => `${title}: ${violation}`),
        });
      }
    }),
  );

  it('is visited by these tests', () => {
    expect(seen.map(({ title }) => title.replace(' · Gambling data API', ''))).toEqual([
      ...['Claim your API key', 'Your API key', 'You have just claimed this key', 'There is no such page'],
      ...['Please sign in', 'Sign in', 'Keys', 'Keys'],
      ...[1, 2, 3].map(() => expect.stringMatching(/^Key k/)),
      ...['Invites', 'New invite', 'Audit log', 'People', 'This invite has been used'],
      ...['New sign-in link', 'This form was sent before', 'Months', '2026-10.1 and 2026-11.1'],
      ...['There is no such key', 'New invites', 'Revoke keys', 'Revoke keys'],
      ...['This needs the role manager', 'Please sign in', 'You are not signed in', 'You are not signed in'],
    ]);
  });

  it('has nothing that axe finds wrong, in the light and in the dark', () => {
    expect(KINDS.filter((kind) => !seen.some(({ title }) => title.startsWith(kind)))).toEqual([]);
    expect(seen.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('fits a screen of 320 pixels, with fields and buttons that a finger hits', () => {
    expect(seen.filter(({ width }) => width > 320)).toEqual([]);
    expect(seen.flatMap(({ small }) => small)).toEqual([]);
    expect(seen.flatMap(({ covered }) => covered)).toEqual([]);
    expect(seen.flatMap(({ cut }) => cut)).toEqual([]);
    expect(seen.flatMap(({ narrow }) => narrow)).toEqual([]);
    expect(seen.flatMap(({ blank }) => blank)).toEqual([]);
  });

  it('shows its tables whole on a screen of any width', () => {
    expect(seen.flatMap(({ title, hidden }) => hidden.map((one) => `${title}, ${one}`))).toEqual([]);
  });

  it('has one main part with one first heading', () => {
    const odd = seen.filter(({ headings, mains }) => headings !== 1 || mains !== 1);
    expect(odd).toEqual([]);
  });

  it('lets the keyboard skip to its content', () =>
    visiting({}, async ({ page }) => {
      await open(page, site.url + (await site.invite()));
      await tabTo(page, 'Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.locator(':focus').getAttribute('id')).toBe('main');
    }));
});

/** The beginnings of the titles of the pages that `make test` checks with axe: a page of text, a list and a form. */
const KINDS = ['Your API key', 'Keys', 'Key k'];

const PHONE = { width: 320, height: 640 };

/** The other widths at which tables must be whole. */
const WIDTHS = some([737, 736, 800, 961, 960, 1280], 2);

interface Facts {
  /** The number of headings of the first level. */
  readonly headings: number;
  readonly mains: number;
  /** The width of the content in pixels. */
  readonly width: number;
  /** Visible fields and buttons that are lower than 32 pixels. */
  readonly small: readonly string[];
  /** Numbers that the bar in their cell covers. */
  readonly covered: readonly string[];
  /** Times that are wider than their cell, so that the card cuts them off. */
  readonly cut: readonly string[];
  /** Names of rows that take less than half of the width. Long names would break inside words. */
  readonly narrow: readonly string[];
  /** Labels of a row on a phone that have no value beside them. */
  readonly blank: readonly string[];
}

const COVERED = `[...document.querySelectorAll('.bar-with-text')].filter((one) => {
  const [number, bar] = [...one.children].map((element) => element.getBoundingClientRect());
  const text = document.createRange();
  text.selectNodeContents(one.firstElementChild);
  return text.getBoundingClientRect().right > bar.left && number.bottom > bar.top;
}).map((one) => 'covered: ' + one.textContent)`;

const HIDDEN = `[...document.querySelectorAll('.table-card')]
  .filter((card) => card.scrollWidth > card.clientWidth)
  .map((card) => card.firstElementChild.getAttribute('aria-label') + ' by ' + (card.scrollWidth - card.clientWidth))`;

const FACTS = `({
  headings: [...document.querySelectorAll('h1')].filter((element) => element.checkVisibility()).length,
  mains: document.querySelectorAll('main').length,
  width: document.documentElement.scrollWidth,
  small: [...document.querySelectorAll('button, .button, select, input:not([type=hidden], [type=checkbox]), label:has(> [type=checkbox]), summary, td a, .links a')]
    .filter((element) => element.checkVisibility() && element.offsetHeight < 44)
    .map((element) => element.outerHTML),
  covered: ${COVERED},
  cut: [...document.querySelectorAll('td time:not(.unseen *)')]
    .filter((one) => one.getBoundingClientRect().right > one.closest('td').getBoundingClientRect().right)
    .map((one) => one.textContent),
  narrow: [...document.querySelectorAll('td.first')]
    .filter((one) => one.offsetWidth > 0 && one.offsetWidth < one.parentElement.clientWidth / 2)
    .map((one) => one.textContent),
  blank: [...document.querySelectorAll('td[data-label]')]
    .filter((one) => one.offsetWidth > 0 && one.textContent.trim() === '')
    .map((one) => one.dataset.label),
})`;

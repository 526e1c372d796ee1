// The team's page in Chromium with the keyboard alone: three hundred keys, several invites, people, months.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hashOf } from '../../src/access/secret.ts';
import { copied, openBrowser } from '../support/browser.ts';
import { type Journeys, journeysOn, tabTo } from '../support/journeys.ts';
import { openDatabase, type TestDatabase } from '../support/redis.ts';
import { type Site, startSite } from '../support/site.ts';

let redis: TestDatabase;
let site: Site;
let browser: Browser;
let visiting: Journeys['visiting'];
beforeAll(async () => {
  [redis, browser] = await Promise.all([openDatabase(), openBrowser()]);
  site = await startSite(redis, 'http://127.0.0.1', process.env.SAMPLE_DATA_DIR);
  ({ visiting } = journeysOn(site, browser));
});
beforeEach(() => redis.empty());
afterAll(async () => {
  await site?.close();
  await redis?.close();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

async function enter(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

async function signIn(page: Page): Promise<void> {
  const { token } = await site.sessions.createLink({ by: 'ann', name: 'ann', role: 'owner' });
  await page.goto(`${site.url}/admin/signin/${token}`);
  await enter(page, 'Sign in');
  await page.waitForURL(`${site.url}/admin`);
}

/** Makes active keys, the newest first: `Acme 0`, `Acme 1` … */
async function someKeys(count: number): Promise<void> {
  const ids: Record<string, string> = {};
  for (let i = 0; i < count; i += 1) {
    const [id, hash] = [`k${i}`, hashOf(`k${i}`)];
    ids[id] = hash;
    const record = { id, label: `Acme ${i}`, state: 'active', last4: `x${i}`.slice(-4), created: 1e12 - i };
    await redis.client.hset(`key:{${hash}}`, record);
  }
  await redis.client.hset('key-ids', ids);
}

describe('with the keyboard alone', () => {
  it('keys are searched, sorted, paged, and several revoked after a list to confirm', () =>
    visiting({}, async ({ page }) => {
      await someKeys(160);
      await signIn(page);
      await tabTo(page, 'Search');
      await page.keyboard.type('acme 15');
      await page.keyboard.press('Enter');
      await heading(page, '11 of 160 keys');
      await tabTo(page, 'Search');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Enter');
      await heading(page, 'Active keys');
      await enter(page, 'Key');
      await page.locator('th[aria-sort=ascending]').getByText('Key').waitFor();
      await tabTo(page, 'Use');
      await page.keyboard.type('Never');
      await enter(page, 'Show');
      await page.waitForURL(/use=never.*sort=label/);
      await page.getByText('Page 1 of 4').waitFor();
      // This tabs backwards from the end of the page, because fifty rows precede the link.
      await tabTo(page, 'Go to page', 'Shift+Tab');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('4');
      await page.keyboard.press('Enter');
      await page.getByText('Page 4 of 4').waitFor();
      for (const i of [152, 154]) {
        await tabTo(page, `Choose Acme ${i}, ends in x${i}`);
        await page.keyboard.press('Space');
      }
      await enter(page, 'Revoke the chosen keys …');
      await heading(page, 'Revoke these 2 keys?');
      await page.getByText('Acme 154').waitFor();
      await tabTo(page, 'Yes, refuse these 2 keys from now on');
      await page.keyboard.press('Space');
      await enter(page, 'Revoke these 2 keys');
      await page.getByText('2 keys are revoked.').waitFor();
      const revoked = (await site.keys.list()).filter(({ state }) => state === 'revoked');
      expect(revoked.map(({ label }) => label).sort()).toEqual(['Acme 152', 'Acme 154']);
    }));

  it('several people are invited at once, and the table of links is copied', () =>
    visiting({}, async ({ page }) => {
      await someKeys(1);
      await signIn(page);
      await enter(page, 'Invite somebody');
      await enter(page, 'Several people, limits, an end or a note');
      await tabTo(page, 'Several people one a line, each gets a link; at most 50');
      await page.keyboard.type('Jane Doe\nJoe Bloggs');
      await tabTo(page, 'The key ends after days');
      await page.keyboard.type('30');
      await enter(page, 'Make the invite link');
      await heading(page, '2 invite links');
      await enter(page, 'Copy the table');
      await page.getByRole('status').getByText('Copied').waitFor();
      const lines = (await copied(page)).split('\n');
      expect(lines.map((line) => line.split('\t')[0])).toEqual(['Jane Doe', 'Joe Bloggs']);
      for (const line of lines) expect((await fetch(line.split('\t')[1] ?? '')).status).toBe(200);
    }));

  it('a role is changed, and the session of somebody else is ended', () =>
    visiting({}, async ({ page }) => {
      const { token } = await site.sessions.createLink({ by: 'ann', name: 'Max', role: 'manager' });
      const other = await site.sessions.signIn(token);
      await signIn(page);
      await enter(page, 'People');
      await heading(page, 'People');
      await tabTo(page, 'Role of Max');
      await page.keyboard.type('viewer');
      await enter(page, 'Change the role of Max');
      await page.getByText('The role is changed.').waitFor();
      expect((await site.sessions.find(other?.cookie ?? ''))?.role).toBe('viewer');
      await enter(
        page,
        (await page.getByRole('button', { name: 'End the session of Max' }).textContent()) ?? '',
      );
      await page.getByText('The session is ended.').waitFor();
      expect(await site.sessions.find(other?.cookie ?? '')).toBeNull();
    }));

  it('months are compared, and the report of one is opened, searched, and a table saved', () =>
    visiting({}, async ({ page }) => {
      await signIn(page);
      await enter(page, 'Months');
      await heading(page, 'Months');
      await enter(page, 'Show the difference');
      await heading(page, '2026-10.1 → 2026-11.1');
      await enter(page, 'All months');
      await heading(page, 'Months');
      await enter(page, 'Report of 2026-11.1');
      await heading(page, '2026-11.1');
      await tabTo(page, 'Search all tables');
      await page.keyboard.type('malta');
      await page.keyboard.press('Enter');
      await page.getByText(/^Row 1 of \d+$/).waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.locator('tr[hidden]').first().waitFor({ state: 'detached' });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        enter(page, 'Download What changed by country as CSV'),
      ]);
      expect(download.suggestedFilename()).toBe('2026-11.1-what-changed-by-country.csv');
    }));
});

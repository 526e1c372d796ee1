// A report in a real browser: it sends no requests, is accessible, and fits a phone and a sheet of paper.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, ConsoleMessage, Dialog, Page, Request } from 'playwright-core';
import { compare } from '../../../ingest/compare/compare.ts';
import { ComparisonEngine } from '../../../ingest/compare/comparisonEngine.ts';
import { runGuards } from '../../../ingest/guards/runGuards.ts';
import { reportFromFiles } from '../../../ingest/report/report.ts';
import { reportHtml } from '../../../ingest/report/reportHtml.ts';
import type { Report } from '../../../ingest/report/reportTypes.ts';
import { byDataset } from '../../../src/catalog/datasets.ts';
import { readConfig } from '../../../src/config/config.ts';
import { violations } from '../../support/axe.ts';
import { inWindow, openBrowser, type WindowOptions } from '../../support/browser.ts';
import { isDeep, itInDepth, some } from '../../support/depth.ts';
import { aDataDir, aRow, type DataDir, type Row, writeRows } from '../../support/snapshot.ts';
import { withCountries } from './widenedReport.ts';

const NASTY = '<img src=x onerror=alert(1)>';
const LONG = `Land${'–und–Leute'.repeat(20)}`;
/** A name of two words that is written from right to left and has an apostrophe. */
const CZECHIA = "צ'כיה רבתי";

/**
 * Two months with everything that a report can show: series that are new, gone, reported, revised, emptied or filled,
 * and hostile names.
 */
function rowsOf(month: 1 | 2): { ggr: Row[]; country: Row[]; fx: Row[] } {
  const second = month === 2;
  const countries = ['Malta', NASTY, LONG, second ? 'Norway' : 'Peru', 'Country 0', CZECHIA];
  const years = Array.from({ length: 5 }, (_, i) => 2023 + i);
  return {
    ggr: countries.flatMap((country, i) =>
      years.flatMap((year) =>
        (i + year) % 11 === 0
          ? []
          : ['EUR', 'USD', 'GBP'].map((fx, j) =>
              aRow('ggr', {
                country,
                year,
                fx,
                region: i % 2 === 0 ? 'Europe' : NASTY,
                temporal: year > (second && country === 'Malta' ? 2026 : 2025) ? 'Forecast' : 'Current',
                ggr: (i + 1) * year * 1000 * (j + 1) * (second && i % 5 === 0 ? 1 + (year - 2020) / 50 : 1),
              }),
            ),
      ),
    ),
    country: countries.map((country, i) =>
      aRow('country', {
        country,
        gdp_usd: 1e12 / (i + 1),
        inflation: second === (i % 2 === 0) ? null : 2,
        adult_population: 1e6 * (i + 1) * (second ? 30 : 1),
      }),
    ),
    fx: [aRow('fx', { country: LONG, fx_current_usd: second ? 1.1 : 1 })],
  };
}

let browser: Browser;
let data: DataDir;
let url: string;
beforeAll(async () => {
  [browser, data] = await Promise.all([openBrowser(), aDataDir()]);
  const side = async (month: 1 | 2) => {
    const directory = path.join(data.dataDir, String(month));
    const written = await writeRows(directory, rowsOf(month));
    return { directory, written, datasets: written.datasets };
  };
  const [before, after] = [await side(1), await side(2)];
  const spillDir = path.join(data.dataDir, 'spill');
  const comparison = await compare(
    { ...before, id: '2026-10.1', month: '2026-10' },
    { ...after, id: null, month: '2026-11' },
    { spillDir, limit: 500 },
  );
  const accept = [{ rule: 'renamed' as const, dataset: null, reason: `it ended ${NASTY}` }];
  const { findings, accepted } = runGuards(
    comparison,
    byDataset(() => readConfig({}).guards),
    accept,
  );
  const place = { file: NASTY, sheet: 'Data', cell: 'C4', place: `${NASTY} › Data!C4` };
  const message = `ggr is -5 ${LONG}`;
  const engine = await ComparisonEngine.open(spillDir, 1);
  const report = await reportFromFiles(after.directory, engine, {
    status: 'refused',
    snapshot: null,
    month: '2026-11',
    before: '2026-10.1',
    manifest: {
      ...after.written,
      accepted,
      sources: [{ file: NASTY, bytes: 12345, sha256: 'a'.repeat(64) }],
    },
    tables: [{ file: NASTY, sheet: LONG, dataset: 'ggr', rows: 12, facts: 120 }],
    problems: [{ severity: 'warning', ...place, message, problem: message, remedy: null, kind: message }],
    counts: { unreadable: 0, error: 0, warning: 1, note: 0 },
    comparison,
    currentDamage: null,
    findings,
  });
  engine.close();
  const file = path.join(data.dataDir, 'report.html');
  await writeFile(file, reportHtml(report));
  url = pathToFileURL(file).href;
});
afterAll(async () => {
  await data.remove();
});

const PHONE = { viewport: { width: 360, height: 740 } };
const PAPER = { viewport: { width: 720, height: 1000 } };

/** Opens the report in a window and runs `act`. `strange` collects what it tried to load or logged. */
async function inReport(
  options: WindowOptions,
  act: (page: Page, strange: readonly string[]) => Promise<void>,
): Promise<void> {
  await inWindow(browser, options, async (page) => {
    const strange: string[] = [];
    const onRequest = (request: Request) => request.url() !== url && strange.push(request.url());
    const onMessage = (message: ConsoleMessage) => strange.push(message.text());
    const onDialog = (dialog: Dialog) => strange.push(dialog.message());
    page.on('request', onRequest).on('console', onMessage).on('dialog', onDialog);
    await page.goto(url);
    await act(page, strange);
    page.off('request', onRequest).off('console', onMessage).off('dialog', onDialog);
  });
}

/** By how much the page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The names of tables whose last columns are out of sight. */
const cutTables = (page: Page) =>
  page
    .locator('.wide')
    .evaluateAll((boxes) =>
      boxes
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => box.getAttribute('aria-label')),
    );

/** Numbers in the page that are broken over two lines. */
const brokenNumbers = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const broken = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const number = /[+−]?\\d[\\d.,]*(?:–\\d+)?(?: (?:%|tn|bn|m|k)\\b)?/g;
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest('title, script, .hash, code') || !node.parentElement.checkVisibility()) continue;
      for (const found of node.data.matchAll(number)) {
        const range = document.createRange();
        range.setStart(node, found.index);
        range.setEnd(node, found.index + found[0].length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) broken.push(found[0] + ' in ' + node.data.slice(0, 60));
      }
    }
    return broken;
  })()`);

/** The smallest text in a chart, in pixels of the screen. */
const smallestChartText = (page: Page) =>
  page.evaluate<number>(`Math.min(...[...document.querySelectorAll('svg[role=img]')]
    .filter((svg) => svg.checkVisibility() && svg.clientWidth > 0)
    .flatMap((svg) => [...svg.querySelectorAll('text')].map((text) =>
      parseFloat(getComputedStyle(text).fontSize) * svg.clientWidth / svg.viewBox.baseVal.width)))`);

/** The lowest contrast between a text of a chart and its background: the page, or the tint of forecasts. */
const lowestChartContrast = (page: Page) =>
  page.evaluate<number>(`(() => {
    const rgb = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = (colour) => {
      const [r, g, b] = rgb(colour).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => {
      const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
      return (high + 0.05) / (low + 0.05);
    };
    const paper = getComputedStyle(document.body).backgroundColor;
    const grounds = [paper, ...[...document.querySelectorAll('svg .later')].map((rect) => getComputedStyle(rect).fill)];
    const texts = [...document.querySelectorAll('svg text')].map((text) => getComputedStyle(text).fill);
    return Math.min(...texts.flatMap((text) => [...new Set(grounds)].map((ground) => contrast(text, ground))));
  })()`);

const openAll = (page: Page) =>
  page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });

/** The height of everything before the details, in screens. */
const screens = (page: Page) =>
  page.evaluate<number>("document.querySelector('#details').getBoundingClientRect().top / innerHeight");

describe('report.html in Chromium', () => {
  const LOOKS: [string, WindowOptions, number, 'all' | 'nothing'][] = [
    ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }, 12, 'all'],
    ['wide and light', { viewport: { width: 1200, height: 900 } }, 5, 'all'],
    ['of middle width', { viewport: { width: 700, height: 900 } }, 9, 'nothing'],
  ];
  it.each(some(LOOKS, 1))(
    '%s: loads nothing, breaks no number, and has nothing that axe-core objects to',
    async (_, options, most, checked) => {
      await inReport(options, async (page, strange) => {
        expect(await overflow(page)).toBe(0);
        expect(await screens(page)).toBeLessThan(most);
        await openAll(page);
        expect(await overflow(page)).toBe(0);
        expect(await brokenNumbers(page)).toEqual([]);
        expect(await smallestChartText(page)).toBeGreaterThanOrEqual(12);
        expect(await lowestChartContrast(page)).toBeGreaterThanOrEqual(4.5);
        if (checked === 'all') expect(await violations(page, isDeep ? undefined : 'none')).toEqual([]);
        expect(strange).toEqual([]);
      });
    },
  );

  const LENGTHS: [string, (sample: Report) => Report][] = [
    ['the sample', (sample) => sample],
    ['260 countries', (sample) => withCountries(sample, 260)],
  ];
  for (const [what, widen] of LENGTHS)
    itInDepth(`of ${what} takes five screens before the details, twelve on a phone`, async () => {
      const json = path.join(process.env.SAMPLE_DATA_DIR ?? '', 'current', 'report.json');
      const file = path.join(data.dataDir, 'long.html');
      await writeFile(file, reportHtml(widen(JSON.parse(await readFile(json, 'utf8')))));
      await inWindow(browser, { viewport: { width: 1200, height: 900 } }, async (page) => {
        await page.goto(pathToFileURL(file).href);
        expect([await screens(page), await overflow(page)]).toEqual([expect.any(Number), 0]);
        expect(await screens(page)).toBeLessThanOrEqual(5);
        await page.setViewportSize(PHONE.viewport);
        expect([await screens(page), await overflow(page)]).toEqual([expect.any(Number), 0]);
        expect(await screens(page)).toBeLessThanOrEqual(12);
        await openAll(page);
        const [tables, buttons] = [
          page.locator('table'),
          page.getByRole('button', { name: /^Download .* as CSV$/ }),
        ];
        expect(await buttons.count()).toBe(await tables.count());
      });
    });

  it('is read without a script, and distinguished without colour, by role and name', async () => {
    await inReport({ ...PHONE, javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('2026-11');
      expect(await page.getByText('✗ Refused', { exact: true }).count()).toBe(1);
      expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        expect.stringMatching(/^Refused: \d findings$/),
        'Accepted, and why',
        expect.stringMatching(/^Warnings: /),
        'Totals',
        'What changed by country',
        'What changed by dimension',
        'Largest revisions',
        'Details',
      ]);
      expect(await page.getByRole('searchbox').count()).toBe(0);
      expect(
        await page.getByRole('img', { name: /^ggr in EUR by year, from 2023 .* years moved, most / }).count(),
      ).toBe(1);
      await page.getByText('Coverage', { exact: true }).last().click();
      expect(await page.getByRole('img', { name: /^No longer covered: years with rows/ }).count()).toBe(2);
      await page.getByText('What was checked', { exact: true }).click();
      expect(await page.getByText('✗ refused').count()).toBeGreaterThan(0);
      expect(await page.getByText('✓ accepted').count()).toBe(1);
    });
  });

  it('leads from a finding to its row, searches all tables, and saves a table as CSV, by keyboard alone', async () => {
    await inReport({ viewport: { width: 1200, height: 900 } }, async (page, strange) => {
      await page.getByRole('note').first().getByRole('link').first().focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate("document.querySelector(':target')?.checkVisibility()")).toBe(true);
      await page.getByRole('searchbox', { name: 'Search all tables' }).focus();
      await page.keyboard.type('MALTÁ 2027');
      await page.keyboard.press('Enter');
      await page.getByText(/^Row 1 of \d+$/).waitFor();
      expect(await page.locator('tr.at').first().textContent()).toContain('Malta');
      // When somebody presses Enter right after the last letter, the search uses all letters.
      await page.keyboard.press('Control+a');
      await page.keyboard.type('ggr');
      await page.getByText(/^\d+ rows in /).waitFor();
      await page.evaluate(`(() => {
        const input = document.querySelector('#search input');
        input.value = 'malta 2027';
        input.dispatchEvent(new Event('input'));
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      })()`);
      expect(await page.locator('output').textContent()).toMatch(/^Row 1 of \d+$/);
      expect(await page.locator('tr.at').first().textContent()).toContain('Malta');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await expect(
        page.locator('tr[hidden]').first().waitFor({ state: 'detached' }),
      ).resolves.toBeUndefined();
      const countries = page.getByRole('button', { name: 'Download What changed by country as CSV' });
      await countries.focus();
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      expect(download.suggestedFilename()).toBe('2026-11-what-changed-by-country.csv');
      const saved = path.join(data.dataDir, 'countries.csv');
      await download.saveAs(saved);
      const [header, ...lines] = (await readFile(saved, 'utf8')).split('\r\n');
      expect(header).toMatch(/^\ufeffcountry,total that moved most,change,values changed,/);
      expect(lines.find((line) => line.startsWith('Malta,'))).toMatch(
        /^Malta,"ggr in \w+, 2025: .*",0\.\d+,\d+,/,
      );
      await openAll(page);
      const guards = page.getByRole('button', { name: 'Download Guards as CSV' });
      const [findings] = await Promise.all([page.waitForEvent('download'), guards.click()]);
      await findings.saveAs(saved);
      // Findings, and the lines of each, are separated as in a sentence.
      expect(await readFile(saved, 'utf8')).toMatch(
        /^nulls,.*"country: inflation, all countries: all 3 \w+ values are empty now \(refused\); Country 0 /m,
      );
      const [seen, copied] = await page.evaluate<string[]>(`(() => {
        const row = document.querySelector('tbody tr');
        row.cells[row.cells.length - 1].textContent = '\u22121,234';
        getSelection().selectAllChildren(row);
        const clipboardData = new DataTransfer();
        document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, cancelable: true }));
        return [getSelection().toString(), clipboardData.getData('text/plain') + clipboardData.getData('text/html')];
      })()`);
      expect([seen, copied]).toEqual([
        expect.stringMatching(/\u2212\d/),
        expect.stringMatching(/-\d.*<table>/s),
      ]);
      expect(copied).not.toMatch(/\u2212\d/);
      expect(strange).toEqual([]);
    });
  });

  it('shows numbers after a name in right-to-left letters behind the name', async () => {
    await inReport({ viewport: { width: 1200, height: 900 } }, async (page) => {
      await openAll(page);
      const names = await page.evaluate<string[]>(`[...document.querySelectorAll('bdi')].map((name) => {
        const next = name.nextSibling;
        if (name.textContent !== ${JSON.stringify(CZECHIA)}) return 'another name';
        if (next === null || !/^[^a-z]*\\d/i.test(next.textContent)) return 'alone';
        const range = document.createRange();
        range.selectNodeContents(next);
        return range.getClientRects()[0].left >= name.getBoundingClientRect().right ? 'before' : 'after';
      })`);
      expect([...new Set(names)].sort()).toEqual(['alone', 'before']);
    });
  });

  it.each([641, 820])('has every column of its tables in sight at %i px', async (width) => {
    await inReport({ viewport: { width, height: 900 } }, async (page) => {
      expect(await cutTables(page)).toEqual([]);
      await openAll(page);
      expect(await cutTables(page)).toEqual([]);
    });
  });

  it('keeps every table within a sheet of paper', async () => {
    await inReport(PAPER, async (page) => {
      await openAll(page);
      await page.emulateMedia({ media: 'print' });
      expect(await overflow(page)).toBe(0);
      expect(await cutTables(page)).toEqual([]);
      expect(await smallestChartText(page)).toBeGreaterThanOrEqual(12);
      expect(await lowestChartContrast(page)).toBeGreaterThanOrEqual(4.5);
    });
  });
});

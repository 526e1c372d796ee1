// The report of a published month agrees with its files, and is never published with wrong figures.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printedPublish } from '../../../ingest/commands/output/printedPublish.ts';
import type { PublishResult } from '../../../ingest/commands/publish/publishResult.ts';
import { expectReportFile, writeRequestedReport } from '../../../ingest/commands/publish/reportFile.ts';
import { ComparisonEngine } from '../../../ingest/compare/comparisonEngine.ts';
import { RULES } from '../../../ingest/guards/finding.ts';
import { exact } from '../../../ingest/messages/numbers.ts';
import { contentsOf } from '../../../ingest/report/datasetContents.ts';
import { PAGE_STYLE } from '../../../ingest/report/pageStyle.ts';
import { reportHtml } from '../../../ingest/report/reportHtml.ts';
import type { Report } from '../../../ingest/report/reportTypes.ts';
import { concentratedChanges } from '../../../ingest/report/sections/dimensionsSection.ts';
import { verify } from '../../../ingest/store/verify.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { literal } from '../../../src/duckdb.ts';
import { aMonth, csvOf, filesOf, type Month } from '../../support/month.ts';
import { aRow, countryReference, publishSql, type Row } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';
import { withCountries } from './widenedReport.ts';

const SCRIPT = '<script>alert(1)</script>';
const COUNTRIES = ['Malta', "Côte d'Ivoire", SCRIPT, `${'Very '.repeat(40)}long`, 'Peru'];
const YEARS = [2021, 2022, 2023, 2024, 2025, 2026];

/**
 * Rows of every country, currency and year, with values that differ a little by month. Peru is missing in the second
 * month.
 */
function rowsOf(month: 1 | 2): Record<'ggr' | 'country' | 'country_reference', readonly Row[]> {
  const countries = month === 1 ? COUNTRIES : COUNTRIES.filter((country) => country !== 'Peru');
  const each = (make: (country: string, year: number, n: number) => readonly Row[]) =>
    countries.flatMap((country, i) => YEARS.flatMap((year) => make(country, year, i * 100 + year)));
  return {
    ggr: each((country, year, n) =>
      ['EUR', 'USD'].map((fx) =>
        aRow('ggr', {
          country,
          year,
          fx,
          temporal: year > 2025 ? 'Forecast' : 'Current',
          ggr: n * 1000.5 * (month === 2 && country === 'Malta' && year > 2022 ? 1.03 : 1),
        }),
      ),
    ),
    country: each((country, year, n) => [
      aRow('country', {
        country,
        year,
        gdp_usd: n * 1e6,
        inflation: month === 2 && country === SCRIPT ? null : 2.5,
      }),
    ]),
    country_reference: countryReference(countries),
  };
}

const ACCEPT = (['rows', 'vanished', 'nulls', 'totals', 'closed-years'] as const).map((rule) => ({
  rule,
  dataset: null,
  reason: `Peru ended ${SCRIPT}`,
}));

interface Published {
  readonly month: Month;
  readonly results: readonly [first: PublishResult, second: PublishResult];
}

async function twoMonths(): Promise<Published> {
  const month = await aMonth(filesOf(rowsOf(1)));
  const first = await month.publish({ month: '2026-10' });
  await month.write(filesOf(rowsOf(2)));
  return { month, results: [first, await month.publish({ accept: ACCEPT })] };
}

let published: Published;
let report: Report;
let html: string;
const inSnapshot = (file: string, { month }: Published = published, id = '2026-11.1') =>
  path.join(month.dataDir, 'snapshots', id, file);
beforeAll(async () => {
  published = await twoMonths();
  report = JSON.parse(readFileSync(inSnapshot('report.json'), 'utf8'));
  html = readFileSync(inSnapshot('report.html'), 'utf8');
});
afterAll(() => published.month.remove());

/** The rows that DuckDB gives for a dataset's file. */
async function ask(dataset: string, select: string, id = '2026-11.1'): Promise<unknown[][]> {
  const from = `read_parquet(${literal(inSnapshot(`${dataset}.parquet`, published, id))})`;
  return (await query(select.replace('FROM rows', `FROM ${from}`))).getRowsJS();
}

describe('report.json', () => {
  it('is what publish gives, and has a checksum that verify compares', async () => {
    const [, second] = published.results;
    expect(second).toMatchObject({ status: 'published', snapshot: '2026-11.1' });
    expect(report).toEqual(JSON.parse(JSON.stringify(second.report)));
    expect(report).toMatchObject({
      format: 1,
      snapshot: '2026-11.1',
      before: '2026-10.1',
      comparedWith: '2026-10.1',
    });
    const { documents } = JSON.parse(readFileSync(inSnapshot('manifest.json'), 'utf8'));
    expect(documents.map(({ file }: { file: string }) => file)).toEqual(
      expect.arrayContaining(['report.html', 'report.json']),
    );
    expect(await verify(published.month.dataDir, '2026-11.1')).toEqual([]);
  });

  it('has the totals that DuckDB finds in both files, year by year', async () => {
    const sums = async (id: string) =>
      await ask(
        'ggr',
        "SELECT fx, year, temporal = 'Forecast', sum(ggr) FROM rows WHERE state = '' GROUP BY ALL ORDER BY ALL",
        id,
      );
    const [before, after] = [await sums('2026-10.1'), await sums('2026-11.1')];
    const totals = [...report.datasets.ggr.totals.shown].sort(
      (a, b) => (a.fx ?? '').localeCompare(b.fx ?? '') || a.year - b.year,
    );
    expect(totals).toHaveLength(12);
    expect(report.datasets.ggr.totals.count).toBe(12);
    totals.forEach((total, i) => {
      expect([total.fx, total.year, total.forecast]).toEqual(after[i]?.slice(0, 3));
      expect(total.before).toBeCloseTo(Number(before[i]?.[3]), 3);
      expect(total.after).toBeCloseTo(Number(after[i]?.[3]), 3);
    });
  });

  it('has the coverage that DuckDB counts', async () => {
    const counted = await ask(
      'ggr',
      'SELECT country, year, count(*)::INTEGER FROM rows GROUP BY ALL ORDER BY ALL',
    );
    const { years, countries } = report.datasets.ggr.coverage;
    const shownCounts = countries.shown.flatMap(({ country, rows }) =>
      rows.map((count, i) => [country, years[i], count] as const),
    );
    expect(
      shownCounts.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : Number(a[1]) - Number(b[1]))),
    ).toEqual(counted);
  });

  it('counts rows and values that changed, and brings them together by series', () => {
    const { ggr, country, fx } = report.datasets;
    expect(ggr.rows).toEqual({ before: 60, after: 48, added: 0, removed: 12, revised: 8, arrived: 0 });
    expect(ggr.revised).toMatchObject({ count: 8, of: 8, series: { count: 1 } });
    expect(ggr.revised.series.shown[0]).toMatchObject({
      key: { country: 'Malta', product: 'Sport Betting' },
      rows: 8,
      years: [2023, 2024, 2025, 2026],
      currencies: ['EUR', 'USD'],
    });
    expect(ggr.removed).toMatchObject({
      count: 12,
      series: { count: 1, shown: [{ key: { country: 'Peru' }, rows: 12 }] },
    });
    expect(country.emptied).toMatchObject({
      count: 6,
      series: { shown: [{ metric: 'inflation', key: { country: SCRIPT } }] },
    });
    expect(ggr.coverage.changes.count).toBe(6);
    expect(fx.same).toBe(true);
  });

  it('says what was read: files with checksums, sheets with rows', () => {
    expect(report.read.files.shown.map(({ file }) => file).sort()).toEqual(
      DATASET_NAMES.map((name) => `${name}.csv`).sort(),
    );
    expect(report.read.files.shown.find(({ file }) => file === 'ggr.csv')).toMatchObject({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      tables: [{ sheet: null, dataset: 'ggr', rows: 48, facts: 48 }],
    });
  });

  it('keeps what was accepted and why, guard by guard', () => {
    expect(report.accepted).toEqual(
      expect.arrayContaining([expect.objectContaining({ rule: 'vanished', reason: `Peru ended ${SCRIPT}` })]),
    );
    const result = Object.fromEntries(report.checked.guards.map(({ rule, result }) => [rule, result]));
    expect(result).toMatchObject({ vanished: 'accepted', renamed: 'passed', units: 'passed' });
  });
});

describe('docs/snapshots.md', () => {
  it('names every field of a report and no other', () => {
    const page = readFileSync(new URL('../../../docs/snapshots.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## report.html and report.json');
    const named = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` +\|/gm)].map(
      ([, field]) => field,
    );
    const { read, checked, datasets, ...top } = report;
    const below = (name: string, of: object) => Object.keys(of).map((key) => `${name}.${key}`);
    const fields = [
      ...Object.keys(top),
      ...below('read', read),
      ...below('checked', checked),
      ...below('datasets.*', datasets.ggr),
    ];
    expect(named.sort()).toEqual(fields.sort());
  });
});

describe('report.html', () => {
  it('begins with what to know in ten seconds', () => {
    const [, marked = ''] = /<p class="headline">(.*?)<\/p>/.exec(html) ?? [];
    const headline = marked.replace(/<[^>]*>/g, '');
    const findings = report.checked.guards.flatMap((guard) => guard.findings);
    const accepted = findings.filter((finding) => finding.accepted !== null).length;
    expect(accepted).toBeGreaterThan(report.accepted.length);
    expect(html).toContain(
      `id="verdict"><strong>! Published</strong> <span>${accepted} findings accepted by hand`,
    );
    expect(headline).toMatch(/^Since 2026-10\.1: 8 values revised, 6 emptied and \d+ rows gone\. /);
    expect(headline).toContain('The reported total that moved most is ');
    expect(headline).toContain(`${accepted} findings were accepted`);
  });

  it('shows in its charts the numbers of report.json', () => {
    const sum = (fx: string, year: number, side: 'before' | 'after') =>
      report.datasets.ggr.totals.shown
        .filter((total) => total.fx === fx && total.year === year)
        .reduce((all, total) => all + (total[side] ?? 0), 0);
    for (const fx of ['EUR', 'USD']) {
      const [, numbers = ''] = html.split(`<summary>Numbers of ggr in ${fx}</summary>`);
      const rows = [
        ...(numbers.split('</table>')[0] ?? '').matchAll(
          /<tr><th scope="row">(\d+)(, forecast)?<\/th>(.*?)<\/tr>/g,
        ),
      ];
      expect(rows.map(([, year]) => Number(year))).toEqual(YEARS);
      for (const [, year, forecast, cells = ''] of rows) {
        const shown = [...cells.matchAll(/<td class="n"[^>]*>([^<]*)<\/td>/g)].map(([, cell]) => cell);
        const [before, after] = [sum(fx, Number(year), 'before'), sum(fx, Number(year), 'after')];
        expect(shown.slice(0, 2)).toEqual([exact(before), exact(after)]);
        expect(forecast).toBe(Number(year) > 2025 ? ', forecast' : undefined);
      }
    }
  });

  it('shows the coverage of all its years, and of which year the largest revision of several is', () => {
    const spans = [...html.matchAll(/years with rows, by country, (\d+) to (\d+)/g)];
    expect(spans.length).toBeGreaterThan(0);
    for (const [, first, last] of spans) expect([first, last]).toEqual(['2021', '2026']);
    const { largest, years } = report.datasets.ggr.revised.series.shown[0] ?? {};
    expect(years).toEqual([2023, 2024, 2025, 2026]);
    // `shown: year` marks only a revision of several years. All others are of one year, which their row names.
    const shown = [...html.matchAll(/shown: (\d+)<\/span>/g)].map(([, year]) => Number(year));
    expect(shown).toEqual([largest?.key.year]);
  });

  it('shows findings in the order in which publish prints them: causes before all others', () => {
    const [one] = report.checked.guards.flatMap(({ findings }) => findings);
    if (one === undefined) throw new Error('the report has no finding');
    const [first, second, ...others] = report.checked.guards.map((guard) => ({ ...guard, findings: [] }));
    const refusal = { ...one, accepted: null, severity: 'refuse' as const };
    const guards = [
      { ...first, findings: [{ ...refusal, lines: ['the consequence'], isCause: false }] },
      { ...second, findings: [{ ...refusal, lines: ['the cause'], isCause: true }] },
      ...others,
    ];
    const page = reportHtml({ ...report, checked: { ...report.checked, guards } } as Report);
    const at = ['the cause', 'the consequence'].map((text) => page.indexOf(text));
    expect(at).not.toContain(-1);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
  });

  it('is not shown as a plain success when a finding was accepted', () => {
    const [one] = report.checked.guards.flatMap(({ findings }) =>
      findings.filter(({ accepted }) => accepted),
    );
    const [first, ...others] = report.checked.guards.map((guard) => ({ ...guard, findings: [] }));
    const guards = [{ ...first, findings: [one] }, ...others];
    const page = reportHtml({ ...report, checked: { ...report.checked, guards } } as Report);
    expect(page).toMatch(
      /<p class="verdict mind" id="verdict"><strong>! Published<\/strong> <span>1 finding accepted by hand</,
    );
  });

  it('has a heading for every column of a table but that of its bars, and a legend of coverage', () => {
    expect(html).toContain('rows as before</li>');
    const heads = [...html.matchAll(/<thead>.*?<\/thead>/gs)].map(([head]) => head);
    expect(heads.length).toBeGreaterThan(10);
    for (const head of heads) expect(head.split('<td></td>').length).toBeLessThanOrEqual(2);
  });

  it('escapes names, places and reasons, whatever they hold', () => {
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('Peru ended &lt;script&gt;');
  });

  it('loads nothing, runs nothing but its own script, and forbids all else', () => {
    const [markup, script] = [
      html.replace(/<script>.*<\/script>/s, ''),
      /<script>(.*)<\/script>/s.exec(html)?.[1] ?? '',
    ];
    expect(markup).not.toMatch(/<(?:script|link|img|iframe|object|embed|base|audio|video)\b/i);
    expect(markup).not.toMatch(/\b(?:src|srcset|action|data|on\w+)=/i);
    expect(markup).not.toMatch(/url\(|@import|https?:\/\//i);
    expect(script).not.toMatch(/fetch|XMLHttpRequest|WebSocket|innerHTML|eval|import|localStorage|cookie/);
    expect([...html.matchAll(/href="([^"]*)"/g)].filter(([, to]) => !to?.startsWith('#'))).toEqual([]);
    const hash = createHash('sha256').update(script).digest('base64');
    expect(html).toMatch(
      /http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"/,
    );
    expect(html).toContain(`script-src 'sha256-${hash}'`);
  });

  it('links every finding to a part of the page that shows it', () => {
    const { findings } = published.results[1];
    expect(findings.length).toBeGreaterThan(2);
    const peru = /<tr id="(country-\d+)" tabindex="-1"><th scope="row" data-v="Peru"/.exec(html)?.[1];
    expect(html).toMatch(
      new RegExp(`<div class="note" role="note"><h2>Accepted, and why</h2>[^]*href="#${peru}"`),
    );
  });

  it('shows a finding in the lines of a terminal: what happened, its shares, each example', () => {
    const { findings } = published.results[1];
    const longFindings = findings.filter(({ lines }) => lines.length > 3);
    expect(longFindings.length).toBeGreaterThan(0);
    const [, accepted = ''] = html.split('<h2>Accepted, and why</h2>');
    const text = (markup: string) =>
      markup
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>');
    const lists = [...html.matchAll(/<ul class="lines">(.*?)<\/ul>/g)].map(([, list = '']) =>
      [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, line = '']) => text(line)),
    );
    for (const { lines } of longFindings) {
      expect(text(accepted)).toContain(lines[0]);
      // The list is at the top of the page, and again among the details.
      expect(lists.filter((list) => list.join('\n') === lines.slice(1).join('\n'))).toHaveLength(2);
    }
  });

  it('counts changes by country and by dimension as the rows have them', () => {
    const { countries, dimensions } = report.datasets.ggr.breakdown;
    expect(countries.shown).toMatchObject([
      { country: 'Peru', removed: 12, revised: 0, total: null },
      {
        country: 'Malta',
        removed: 0,
        revised: 8,
        rows: 12,
        total: { metric: 'ggr', relative: expect.closeTo(0.03, 9) },
      },
    ]);
    const years = dimensions.find(({ dimension }) => dimension === 'year');
    expect(years?.values.shown.map(({ value, revised, removed }) => [value, revised, removed])).toEqual([
      [2023, 2, 2],
      [2024, 2, 2],
      [2025, 2, 2],
      [2026, 2, 2],
      [2021, 0, 2],
      [2022, 0, 2],
    ]);
  });

  it('takes the share of a value from all changes, also where it lists only some values of the dimension', () => {
    const { ggr } = report.datasets;
    const shareOf2023 = (listed: number) => {
      // This value has few rows, so its share of the changes is larger than its share of the rows.
      const some = ggr.breakdown.dimensions.filter(({ dimension }) => ['year', 'fx'].includes(dimension));
      const dimensions = some.map(({ dimension, values: { count, shown } }) => ({
        dimension,
        values: {
          count,
          shown: shown.slice(0, dimension === 'year' ? listed : 30).map((one) => ({ ...one, rows: 1 })),
        },
      }));
      const datasets = { ...report.datasets, ggr: { ...ggr, breakdown: { ...ggr.breakdown, dimensions } } };
      const page = concentratedChanges({ ...report, datasets })?.markup ?? '';
      return /2023 <span class="soft">(?:<[^>]*>)?(\d+ %)/.exec(page)?.[1];
    };
    // These are 4 of the 20 changes.
    expect([shareOf2023(6), shareOf2023(1)]).toEqual(['20 %', '20 %']);
  });

  it('stays small: the sample below 80 KB a dataset, 260 countries below 300 KB', () => {
    const datasets = DATASET_NAMES.length;
    const current = path.join(process.env.SAMPLE_DATA_DIR ?? '', 'current');
    expect(statSync(path.join(current, 'report.html')).size).toBeLessThan(80_000 * datasets);
    const sample: Report = JSON.parse(readFileSync(path.join(current, 'report.json'), 'utf8'));
    expect(Buffer.byteLength(reportHtml(withCountries(sample, 260)))).toBeLessThan(300_000 * datasets);
  });

  it('has the colours of the explorer', () => {
    const explorer = readFileSync(new URL('../../../src/explorer/style.css', import.meta.url), 'utf8');
    const colours = (css: string) =>
      new Map([...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
    // The rules for print come last and make pages light again, so they are cut off.
    const schemes = (css: string) =>
      css.split('prefers-color-scheme: dark').map((part) => part.split('@media print')[0]);
    const [lightOurs = '', darkOurs = ''] = schemes(PAGE_STYLE);
    const [lightTheirs = '', darkTheirs = ''] = schemes(explorer);
    for (const [ours, theirs] of [
      [lightOurs, lightTheirs],
      [darkOurs, darkTheirs],
    ] as const) {
      const known = colours(theirs);
      const shared = [...colours(ours)].filter(([name]) => known.has(name));
      expect(shared.length).toBeGreaterThan(14);
      for (const [name, hex] of shared) expect([name, hex]).toEqual([name, known.get(name)]);
    }
  });

  it('leads to every part that it names', () => {
    const ids = new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    const targets = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(8);
    expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('a report', () => {
  it('is the same bytes for the same months, and so is the whole snapshot', async () => {
    const again = await twoMonths();
    try {
      for (const id of ['2026-10.1', '2026-11.1']) {
        for (const file of readdirSync(path.dirname(inSnapshot('x', again, id)))) {
          const [one, other] = [published, again].map((of) => readFileSync(inSnapshot(file, of, id)));
          expect({ id, file, same: one?.equals(other ?? Buffer.alloc(0)) }).toEqual({ id, file, same: true });
        }
      }
    } finally {
      await again.month.remove();
    }
  });

  it('of the first snapshot compares with nothing, and shows what there is', () => {
    const first = published.results[0].report;
    const rows = Object.values(first?.datasets ?? {}).reduce((sum, { rows: { after } }) => sum + after, 0);
    expect(rows).toBeGreaterThan(90);
    expect(first).toMatchObject({ before: null, comparedWith: null, snapshot: '2026-10.1' });
    expect(first?.headline).toBe(
      `The first snapshot: ${rows} rows in ${DATASET_NAMES.length} datasets, and nothing to compare with.`,
    );
    expect(first?.checked.guards.map(({ result }) => result)).toEqual(RULES.map(() => 'skipped'));
    expect(first?.datasets.ggr.totals).toMatchObject({ count: 12 });
    const page = readFileSync(inSnapshot('report.html', published, '2026-10.1'), 'utf8');
    expect(page).toContain('What it holds');
    expect(page).toContain('aria-label="ggr in EUR by year, from 2021 ');
    expect(page).not.toContain('>before<');
    expect(page).not.toContain('What changed by country');
  });

  it('of the first snapshot adds totals on one thread, in the order of the rows, and gives the other one back', async () => {
    const engine = await ComparisonEngine.open(path.join(published.month.dataDir, 'spill'), 2);
    const threads = async () => (await ask("SELECT current_setting('threads')::INTEGER"))[0]?.[0];
    const ask = engine.rows.bind(engine);
    const whileAdding: unknown[] = [];
    engine.rows = async (select) => {
      if (select.includes('kahan_sum')) whileAdding.push(await threads());
      return await ask(select);
    };
    try {
      const { ggr } = await contentsOf(engine, inSnapshot('', published, '2026-10.1'), false);
      expect(ggr.totals).not.toEqual([]);
      expect(new Set(whileAdding)).toEqual(new Set([1]));
      expect(await threads()).toBe(2);
    } finally {
      engine.close();
    }
  });

  it('of a month in which nothing changed says so', async () => {
    const { report: same } = await published.month.publish({ month: '2026-12', dryRun: true });
    expect(same?.headline).toBe('Nothing changed since 2026-11.1: every row is as it was. No guard objects.');
    expect(reportHtml(same as Report).replace(/<[^>]*>/g, '')).toMatch(/each as it was in 2026-11\.1/);
  });

  it('of a month that lost the only total that moved says that it is gone', async () => {
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr')]) });
    try {
      await publishSql(month.dataDir, '2026-11.1', {
        ggr: [aRow('ggr'), aRow('ggr', { fx: 'SEK' }), aRow('ggr', { year: 2020 })]
          .map((row) => `SELECT ${columnsOf(row)}`)
          .join(' UNION ALL '),
      });
      const { report } = await month.publish({ month: '2026-12', dryRun: true });
      expect(report?.headline).toContain(
        'Since 2026-11.1: 2 rows gone. Totals of ggr in EUR in 2020 and ggr in SEK in 2024 are gone.',
      );
    } finally {
      await month.remove();
    }
  });

  it('of a month that differs in the sign of a zero alone says so too', async () => {
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 0 })]) });
    try {
      await publishSql(month.dataDir, '2026-11.1', {
        ggr: `SELECT ${columnsOf({ ...aRow('ggr'), ggr: '-0.0' })}`,
      });
      const { report } = await month.publish({ month: '2026-12', dryRun: true });
      expect(report?.headline).toMatch(/^Nothing changed since 2026-11\.1: every row is as it was\./);
      expect(reportHtml(report as Report)).toContain('No total moved.');
    } finally {
      await month.remove();
    }
  });

  it('of a refused month and a dry run can be read, and lies in no snapshot', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'report-'));
    const { dataDir } = published.month;
    try {
      await published.month.write({ 'country.csv': csvOf('country', rowsOf(2).country.slice(0, 6)) });
      const result = await published.month.publish({ month: '2026-12' });
      expect(result).toMatchObject({ status: 'refused', exitCode: 5, snapshot: null });
      expect(result.report?.headline).toMatch(/^Refused by the guards /);
      const file = path.join(folder, 'refused.html');
      await expectReportFile(file, dataDir);
      expect(await writeRequestedReport(result, file, dataDir)).toEqual({ file, failure: null });
      expect(readFileSync(file, 'utf8')).toContain('Report of a month that was not published');
      const [, refusals = ''] = readFileSync(file, 'utf8').split('<h2>Refused: 2 findings</h2>');
      const accepts = (refusals.split('class="note"')[0] ?? '').match(/--accept \S+ --reason/g) ?? [];
      expect(accepts).toHaveLength(2);
      expect(accepts).toContain('--accept vanished:country --reason');
      const json = path.join(folder, 'refused.json');
      expect(await writeRequestedReport(result, json, dataDir)).toEqual({ file: json, failure: null });
      const gone = path.join(folder, 'gone', 'refused.html');
      const lost = await writeRequestedReport(result, gone, dataDir);
      expect(lost).toEqual({ file: null, failure: `${gone} could not be written: ENOENT` });
      expect(printedPublish(result, { month: '2026-12', strict: false, reportLocation: lost })).toContain(
        `report: none (${gone} could not be written: ENOENT)\n2026-12 not published: 2 refusals by guards`,
      );
      expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ status: 'refused', snapshot: null });
      expect(readdirSync(path.join(dataDir, 'snapshots')).sort()).toEqual(['2026-10.1', '2026-11.1']);
      expect(existsSync(path.join(dataDir, 'tmp'))).toBe(false);
    } finally {
      await published.month.write(filesOf(rowsOf(2)));
      await rm(folder, { recursive: true });
    }
  });

  it('that cannot be written to the given path is in the folder of the snapshot, and the output says so', async () => {
    const { results, month } = published;
    const gone = path.join(month.dataDir, 'gone', 'mine.html');
    const reportLocation = await writeRequestedReport(results[1], gone, month.dataDir);
    expect(reportLocation).toEqual({
      file: inSnapshot('report.html'),
      failure: `${gone} could not be written: ENOENT`,
    });
    expect(printedPublish(results[1], { month: '2026-11', strict: false, reportLocation })).toContain(
      `report: ${inSnapshot('report.html')} (${gone} could not be written: ENOENT)\n2026-11.1 published`,
    );
  });

  it('is refused where nothing can be written, and within a snapshot', async () => {
    const { dataDir } = published.month;
    const check = (file: string) => expectReportFile(file, dataDir).catch((error: Error) => error.message);
    expect(await check(path.join(dataDir, 'no', 'r.html'))).toMatch(/there is no folder /);
    expect(await check(inSnapshot('mine.html'))).toMatch(/a snapshot has its own report/);
    expect(await check(path.join(dataDir, 'current', 'mine.html'))).toMatch(/a snapshot has its own report/);
    expect(await check(path.join(dataDir, 'snapshots', 'mine.html'))).toMatch(
      /a snapshot has its own report/,
    );
    expect(await check(dataDir)).toMatch(/is not a file; name one/);
    expect(await check(path.join(published.month.directory, 'ggr.csv'))).toMatch(/has the name of a source/);
    expect(await check(path.join(dataDir, `${'a'.repeat(300)}.html`))).toMatch(
      /: the name is too long; name /,
    );
    expect(await check(path.join(published.month.directory, 'ggr.csv', 'r.html'))).toMatch(
      /: the file cannot be written \(ENOTDIR\); name another file$/,
    );
    // A folder in which nobody can write, not even root.
    expect(await check('/proc/r.html')).toMatch(/: nothing can be written in \/proc \(E\w+\); name another /);
    const mine = path.join(dataDir, 'mine.html');
    expect(await check(mine)).toBe(mine);
  });

  it('is refused where a link leads into a snapshot or to a source', async () => {
    const { dataDir, directory } = published.month;
    const link = path.join(dataDir, 'link.html');
    const links = [
      [inSnapshot('report.html'), /a snapshot has its own report/],
      [path.join(directory, 'ggr.csv'), /has the name of a source/],
    ] as const;
    for (const [target, message] of links) {
      await symlink(target, link);
      await expect(expectReportFile(link, dataDir)).rejects.toThrow(message);
      await rm(link);
    }
  });

  it('that cannot be written publishes nothing', async () => {
    const month = await aMonth();
    try {
      const inTheWay = path.join(month.dataDir, 'tmp', 'snapshot', 'report.html');
      const made: Promise<unknown>[] = [];
      const progress = {
        phase: (name: string) => {
          if (name === 'reporting') made.push(mkdir(inTheWay));
        },
        update: () => {},
        end: () => {},
      };
      await expect(month.publish({}, progress)).rejects.toThrow(/EISDIR/);
      await Promise.all(made);
      expect(existsSync(path.join(month.dataDir, 'current'))).toBe(false);
      expect(readdirSync(month.dataDir)).not.toContain('tmp');
      expect(await month.publish()).toMatchObject({ status: 'published', snapshot: '2026-11.1' });
    } finally {
      await month.remove();
    }
  });
});

describe('what publish prints', () => {
  it('is a summary, a line per dataset, and the path of the report', () => {
    const [, second] = published.results;
    const lines = printedPublish(second, {
      month: '2026-11',
      strict: false,
      reportLocation: { file: 'report.html', failure: null },
    }).split('\n');
    const at = lines.findIndex((line) => line.trim().startsWith('dataset'));
    expect(lines[at - 1]).toBe(report.headline);
    expect(lines[at]?.trim().split(/ {2,}/)).toEqual([
      'dataset',
      'rows',
      'change',
      'new',
      'gone',
      'revised',
      'emptied',
      'total moved most',
      'countries',
      'years',
    ]);
    expect(
      lines.slice(at + 1, at + 1 + DATASET_NAMES.length).map((line) => line.trim().split(/ {2,}/)[0]),
    ).toEqual(DATASET_NAMES);
    expect(lines[at + 1]).toMatch(
      /^ {2}ggr {2,}48 {2,}−12 {2,}0 {2,}12 {2,}8 {2,}0 {2,}−\S+ % (?:EUR|USD) \d{4} {2,}4 {2,}2021–2026$/,
    );
    expect(lines.slice(-3)).toEqual(['report: report.html', '2026-11.1 published; it is current now', '']);
  });

  it('fits a terminal, also the comparison of a dry run', () => {
    const { comparison } = published.results[1];
    const print = { month: '2026-11', strict: false, showComparison: true };
    const ofComparison = (text: string) => text.split('\n').filter((line) => /rows [−+±]\d/.test(line));
    const whole = ofComparison(printedPublish(published.results[1], print));
    const fitting = ofComparison(printedPublish(published.results[1], { ...print, width: 40 }));
    expect(comparison).not.toBeNull();
    expect(fitting).toHaveLength(whole.length);
    expect(Math.max(...whole.map(({ length }) => length))).toBeGreaterThan(40);
    expect(Math.max(...fitting.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });
});

/** The columns of a row of ggr as SQL. */
const columnsOf = (row: object): string =>
  Object.entries(row)
    .map(([name, value]) =>
      name === 'year'
        ? `${value}::INTEGER AS year`
        : name === 'ggr'
          ? `${value}::DOUBLE AS ggr`
          : `${literal(`${value}`)} AS ${name}`,
    )
    .join(', ');

// A finding has the same words everywhere: terminal, JSON, report.json, report.html, diff and manifest.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printedFindings } from '../../../ingest/commands/output/printedFindings.ts';
import { printedSummary } from '../../../ingest/commands/output/printedSummary.ts';
import type { PublishResult } from '../../../ingest/commands/publish/publishResult.ts';
import { type GuardFinding, withoutLines } from '../../../ingest/guards/finding.ts';
import { summaryColumns, summaryOf } from '../../../ingest/report/datasetSummaries.ts';
import { displayWidth } from '../../../src/terminal/table.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { ingestCommand, type Ran } from '../../support/runInProcess.ts';
import { aRow, countryReference, type Row } from '../../support/snapshot.ts';

const COUNTRIES = ['Malta', 'Norway', 'Peru', ...Array.from({ length: 10 }, (_, i) => `Country ${i + 10}`)];

const ggr = (change: (row: Row) => Row) =>
  COUNTRIES.flatMap((country, i) =>
    ['Bingo', 'Poker'].flatMap((product) =>
      [2021, 2022, 2023].map((year) =>
        change(aRow('ggr', { country, year, product, category: 'Gaming', ggr: 1000 * (i + 1) + year })),
      ),
    ),
  );

/** Changes that cause one warning and refusals of single countries. A name has quotes and characters that pages escape. */
const damaged = (row: Row): Row => {
  if (row.country === 'Malta') return { ...row, ggr: 0 };
  if (row.country === 'Norway' && row.product === 'Poker') return { ...row, product: 'Poker & "Chips" <1>' };
  if (row.country === 'Peru' && row.year === 2023) return { ...row, ggr: Number(row.ggr) * 1.15 };
  return row;
};

let month: Month;
let findings: readonly GuardFinding[];
/** The refused month. It was published once with a report page, and once in this process with --dry-run. */
let refused: Ran;
let page: string;
let dryRun: PublishResult;
/** A data directory in which the refused month was published, with all its findings accepted. */
let accepting: string;
let acceptedWith: Ran;
const ingest = (...args: string[]) => ingestCommand(month.dataDir, args);
const publish = (...more: string[]) => ingest('publish', month.directory, '--month', '2026-11', ...more);
const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** The findings as `ggr: Malta: …`, sorted, because these tests are not about the order. */
const textsOf = (all: readonly Pick<GuardFinding, 'dataset' | 'message'>[]) =>
  all.map(({ dataset, message }) => `${dataset}: ${message}`).sort();

/** A text without spaces, punctuation and the word `and`, which join the parts of a message. */
const bare = (text: string) => text.replaceAll(/[\s(),;:]|\band\b/g, '');

/** The text that a reader of a page sees. */
const textOf = (page: string) =>
  page
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

beforeAll(async () => {
  const reference = countryReference(COUNTRIES);
  month = await aMonth({
    'ggr.csv': csvOf(
      'ggr',
      ggr((row) => row),
    ),
    'country_reference.csv': csvOf('country_reference', reference),
  });
  await month.publish({ month: '2026-10' });
  await month.write({ 'ggr.csv': csvOf('ggr', ggr(damaged)) });
  findings = JSON.parse((await publish('--dry-run', '--json')).stdout).findings;
  page = path.join(path.dirname(month.directory), 'report.html');
  refused = await publish('--report', page);
  dryRun = await month.publish({ dryRun: true, month: '2026-11' });
  accepting = await mkdtemp(path.join(os.tmpdir(), 'words-'));
  await cp(month.dataDir, accepting, { recursive: true, verbatimSymlinks: true });
  const accept = findings.flatMap(({ rule, dataset, country }) => [
    '--accept',
    [rule, dataset, ...(country === null ? [] : [country])].join(':'),
    '--reason',
    'as announced',
  ]);
  const args = ['publish', month.directory, '--month', '2026-11', ...accept];
  acceptedWith = await ingestCommand(accepting, args);
});
afterAll(async () => {
  await month.remove();
  await rm(accepting, { recursive: true });
});

describe('what guards find', () => {
  it('is printed by a publish on the terminal as in its JSON, with the narrowest option that accepts it', async () => {
    expect(new Set(findings.map(({ severity }) => severity))).toEqual(new Set(['refuse', 'warn']));
    expect(findings.filter(({ severity }) => severity === 'refuse').map(({ country }) => country)).toEqual(
      expect.arrayContaining(['Malta', 'Norway']),
    );
    for (const { dataset, message, severity, accept } of findings) {
      const line = severity === 'refuse' ? `. If that is right: ${accept}` : ` (${accept})`;
      expect(refused.stdout).toContain(`  ${dataset}: ${message}${line}\n`);
    }
  });

  it('is printed on a terminal in lines of its width: what happened, shares, each example, the option; in the same words', async () => {
    const { findings: inLines } = dryRun;
    const text = printedFindings(inLines, 80);
    const lines = text.split('\n');
    expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    const [start, words] = [/^ {6}(?=\S)/, (all: string) => all.replaceAll(/\s+/g, ' ')];
    const at = lines.findIndex((line) => line.startsWith('  ggr: Malta: all 6 reported values are 0 now'));
    expect(lines[at]).toBe('  ggr: Malta: all 6 reported values are 0 now');
    expect(lines[at + 1]).toMatch(/^ {6}100 % of the country's total, [\d.]+ % of the dataset's$/);
    for (const example of lines.slice(at + 2, at + 5))
      expect(example).toMatch(/^ {6}20\d\d Gaming (Bingo|Poker) .* EUR: [\d,.]+ → 0$/);
    expect(lines[at + 5]).toMatch(/^ {6}→ if that is right: --accept \w+:ggr:Malta --reason "…"$/);
    // The lines have every word of the message, except the characters that join them.
    const own = inLines.map(({ lines: each }) => words(each.join(' ')));
    for (const [i, each] of own.entries()) {
      expect(bare(each)).toBe(bare(inLines[i]?.message ?? ''));
    }
    expect(lines.filter((line) => start.test(line)).length).toBeGreaterThan(inLines.length * 2);
    expect(inLines.map(withoutLines)).toEqual(findings);
  });

  it('comes with a summary whose columns are explained on demand, each of them', async () => {
    const { report } = dryRun;
    if (report === null) throw new Error('the dry run has no report');
    const [brief, explained] = [false, true].map((explain) => printedSummary(report, { explain }));
    const legend = (explained ?? '').slice((brief ?? '').length).split('\n');
    const headings = summaryColumns(summaryOf(report)).map(({ heading }) => heading);
    expect(headings).toContain('revised');
    for (const heading of headings)
      expect(legend).toContainEqual(expect.stringMatching(new RegExp(`^  ${heading} {2,}\\S.+`)));
  });

  it('has its place, what became of how many cells, its shares of country and dataset, examples, and the narrowest option', () => {
    const ofMalta = findings.find(({ country, severity }) => country === 'Malta' && severity === 'refuse');
    expect(ofMalta).toMatchObject({
      dataset: 'ggr',
      accept: `--accept ${ofMalta?.rule}:ggr:Malta --reason "…"`,
      pattern: { family: 'zero', place: { country: 'Malta' } },
    });
    expect(ofMalta?.message).toMatch(
      /^Malta: all 6 reported values are 0 now \(100 % of the country's total, [\d.]+ % of the dataset's; (?:20\d\d Gaming (?:Bingo|Poker) .* EUR: [\d,.]+ → 0(?:, )?){3}\)$/,
    );
    const patterns = findings.filter(({ pattern }) => pattern !== null);
    expect(patterns.length).toBeGreaterThanOrEqual(3);
    for (const { message } of patterns)
      expect(message).toMatch(/\d % of the country's total, .* % of the dataset's; 20\d\d /);
  });

  it('is shown by the page of a refused month in the same words', async () => {
    const read = bare(textOf(await readFile(page, 'utf8')));
    for (const { message } of findings) expect(read).toContain(bare(message));
  });

  it('is in the published snapshot, in its manifest, its report.json and its page, and in the output of diff', async () => {
    expect(acceptedWith.code).toBe(0);
    const folder = path.join(accepting, 'snapshots', '2026-11.1');
    const { accepted } = await json(path.join(folder, 'manifest.json'));
    expect(accepted.flatMap((one: { findings: string[] }) => one.findings).sort()).toEqual(textsOf(findings));
    expect(accepted).toContainEqual(expect.objectContaining({ country: 'Malta', reason: 'as announced' }));
    const report = await json(path.join(folder, 'report.json'));
    const inReport = report.checked.guards.flatMap((guard: { findings: GuardFinding[] }) => guard.findings);
    expect(textsOf(inReport)).toEqual(textsOf(findings));
    const read = textOf(await readFile(path.join(folder, 'report.html'), 'utf8'));
    const words = bare(read.replaceAll(' (accepted: “as announced”)', ''));
    for (const one of textsOf(findings)) expect(words).toContain(bare(one));
    const { stdout } = await ingestCommand(accepting, ['diff', '2026-10.1', '2026-11.1']);
    for (const { dataset, message, rule, severity } of findings)
      expect(stdout).toContain(
        `  ${severity === 'refuse' ? 'refuses' : 'warns'} (${rule}) ${dataset}: ${message}\n`,
      );
    const compared = JSON.parse(
      (await ingestCommand(accepting, ['diff', '2026-10.1', '2026-11.1', '--json'])).stdout,
    );
    expect(compared.findings).toEqual(findings);
  });

  it('is compared again by the next month: what was accepted is what figures are held to', async () => {
    const sources = path.join(accepting, 'sources');
    await cp(month.directory, sources, { recursive: true });
    const undamaged = ggr((row) => row);
    await writeFile(path.join(sources, 'ggr.csv'), csvOf('ggr', undamaged));
    const args = ['publish', sources, '--month', '2026-12', '--dry-run', '--json'];
    const { stdout } = await ingestCommand(accepting, args);
    const again: readonly GuardFinding[] = JSON.parse(stdout).findings;
    expect(again.every(({ accepted }) => accepted === null)).toBe(true);
    expect(again.filter(({ severity }) => severity === 'refuse').map(({ country }) => country)).toContain(
      'Norway',
    );
  });
});

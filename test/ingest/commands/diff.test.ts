// Guards and comparisons on the command line, with their exit codes, options and documents.

import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { itInDepth } from '../../support/depth.ts';
import { aPublishedMonth, csvOf, type Month } from '../../support/month.ts';
import { ingestCommand } from '../../support/runInProcess.ts';
import { aRow, countryReference, publishRows, type Row } from '../../support/snapshot.ts';

const COUNTRIES = ['Malta', 'Spain', 'Norway', 'Peru', 'Chile', 'Ghana'];

const REFERENCE = countryReference(COUNTRIES);

let month: Month;
beforeEach(async () => {
  month = await aPublishedMonth(
    { 'ggr.csv': ggr(COUNTRIES), 'country_reference.csv': csvOf('country_reference', REFERENCE) },
    [{ month: '2026-10' }],
  );
});
afterEach(() => month.remove());

const rowsOf = (countries: readonly string[], value = 100) =>
  countries.map((country) => aRow('ggr', { country, ggr: value }));
const ggr = (countries: readonly string[], value = 100) => csvOf('ggr', rowsOf(countries, value));

/** Publishes a month with these rows, without reading files and without guards. */
const publishNext = (rows: readonly Row[]) =>
  publishRows(month.dataDir, '2026-11.1', { ggr: rows, country_reference: REFERENCE });

const ingest = (...args: string[]) => ingestCommand(month.dataDir, args);

const publish = (...more: string[]) => ingest('publish', month.directory, '--month', '2026-11', ...more);

const manifest = async () =>
  JSON.parse(await readFile(path.join(month.dataDir, 'current', 'manifest.json'), 'utf8'));

describe('a suspicious month', () => {
  beforeEach(() => month.write({ 'ggr.csv': ggr(COUNTRIES.slice(1)) }));

  it('is refused with 5, and named once with the country and the narrowest option that accepts it', async () => {
    const { code, stdout } = await publish();
    expect(code).toBe(5);
    expect(stdout.split('\n\n')[0]).toBe('2026-11 not published: 1 refusal');
    expect(stdout.split('\n\n')[1]).toBe(
      [
        '1 refusal by a guard',
        '  ggr: country Malta is gone, with 1 row. If that is right: --accept vanished:ggr:Malta --reason "…"',
      ].join('\n'),
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '2026-11 not published: 1 refusal by guards; correct the sources, or accept what is right as said above',
    );
    expect((await manifest()).id).toBe('2026-10.1');
  });

  it('gives a program the same facts, also on a dry run, which adds the comparison', async () => {
    const { code, stdout } = await publish('--json', '--dry-run');
    const { status, snapshot, problems, findings, comparison } = JSON.parse(stdout);
    expect([code, status, snapshot]).toEqual([5, 'refused', null]);
    expect(findings).toContainEqual({
      rule: 'vanished',
      rules: ['vanished'],
      dataset: 'ggr',
      country: 'Malta',
      severity: 'refuse',
      message: 'country Malta is gone, with 1 row',
      pattern: null,
      isCause: false,
      accept: '--accept vanished:ggr:Malta --reason "…"',
      accepted: null,
      hides: [],
    });
    expect(problems).toContainEqual({
      severity: 'refusal',
      file: 'ggr',
      sheet: null,
      cell: null,
      place: 'ggr',
      message:
        'country Malta is gone, with 1 row. If that is right: --accept vanished:ggr:Malta --reason "…"',
    });
    expect(comparison.datasets.ggr.rows).toMatchObject({ before: 6, after: 5, removed: 1 });
  });

  it('is published when each rule is accepted, and the manifest says of what and why', async () => {
    const accept = (rule: string) => ['--accept', rule, '--reason', `${rule}: as announced`];
    const partly = await publish(...accept('vanished:ggr:Spain'), ...accept('totals:turnover'));
    expect(partly.code).toBe(5);
    expect(partly.stdout).toMatch(
      /2 × there was nothing of the kind to accept\n.*vanished:ggr:Spain\n.*totals:turnover/,
    );
    const rules = ['vanished:ggr:Malta', 'totals', 'closed-years', 'rows:ggr'];
    const { code, stdout } = await publish(...rules.flatMap(accept));
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      '2026-11.1 published; it is current now',
    ]);
    expect((await manifest()).accepted[0]).toEqual({
      rule: 'vanished',
      dataset: 'ggr',
      country: 'Malta',
      reason: 'vanished:ggr:Malta: as announced',
      findings: ['ggr: country Malta is gone, with 1 row'],
    });
  });

  it('shows on a dry run what would change', async () => {
    const { stdout } = await publish('--dry-run');
    expect(stdout).toContain('ggr: rows −1 to 5, 0 new, 1 gone, 0 with changed values\n');
    expect(stdout).toContain('  gone country: Malta\n');
    expect(stdout).toContain('    Malta 2024, Betting, Sport Betting, Online, Onshore, EUR, Current\n');
  });
});

describe('warnings of guards', () => {
  beforeEach(() => month.write({ 'ggr.csv': ggr(COUNTRIES, 103) }));

  it('let a month pass, and stop it with 4 under --strict', async () => {
    const { code, stdout } = await publish('--strict');
    expect(code).toBe(4);
    expect(stdout).toContain('1 warning by a guard\n  ggr: 1 total moved by 3 % or more: ');
    expect(stdout).toContain('(--accept totals:ggr --reason "…")');
    const accept = ['totals', 'closed-years'].flatMap((rule) => ['--accept', rule, '--reason', 'restated']);
    const accepted = await publish('--strict', '--dry-run', '--json', ...accept);
    const { findings, problems } = JSON.parse(accepted.stdout);
    expect([accepted.code, findings[0]?.accepted]).toEqual([0, 'restated']);
    expect(problems).toMatchObject([{ severity: 'note', place: '--accept closed-years' }]);
    expect((await publish()).code).toBe(0);
  });

  it('come from limits that settings change', async () => {
    process.env.GUARD_TOTALS_REFUSE = '0.01';
    try {
      expect((await publish()).code).toBe(5);
    } finally {
      delete process.env.GUARD_TOTALS_REFUSE;
    }
  });
});

describe('a current snapshot that is damaged', () => {
  // publishMonth.test.ts tests the same messages of a publish.
  itInDepth('refuses the month with the option that lets it pass', async () => {
    await rm(path.join(month.dataDir, 'current', 'fx.parquet'));
    const refused = await publish();
    expect(refused.code).toBe(5);
    expect(refused.stdout).toContain(
      '1 refusal by a guard\n  current: the current snapshot 2026-10.1 is damaged: fx.parquet cannot be read (ENOENT); ' +
        'make a whole snapshot current with rollback, so that guards can look. ' +
        'If that is right: --accept current-damaged --reason "…"\n',
    );
    const { findings, problems } = JSON.parse((await publish('--json')).stdout);
    expect(findings).toMatchObject([{ rule: 'current-damaged', severity: 'refuse', accepted: null }]);
    expect(problems.at(-1)).toMatchObject({ severity: 'refusal', place: 'current' });
    expect(await snapshotIds(month.dataDir)).toEqual(['2026-10.1']);
    const accepted = await publish('--accept', 'current-damaged', '--reason', 'disk failed');
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('2026-11.1 published')]);
  });
});

describe('diff', () => {
  it('says what differs between two snapshots, whichever is current', async () => {
    await publishNext(rowsOf(COUNTRIES, 100.5));
    const { code, stdout } = await ingest('diff', '2026-11.1', '2026-10.1');
    expect(code).toBe(0);
    // Numbers are aligned to the right.
    expect(stdout.split('\n').slice(0, 8)).toEqual([
      '2026-11.1 → 2026-10.1',
      '',
      'ggr: rows ±0 to 6, 0 new, 0 gone, 6 with changed values (6 revised)',
      '  totals',
      '    ggr in EUR  2024 closed  603  →  600  −0.498 %',
      '  revised',
      '    ggr  Chile 2024, Betting, Sport Betting, Online, Onshore, EUR, Current   100.5  →  100  −0.498 %',
      '    ggr  Ghana 2024, Betting, Sport Betting, Online, Onshore, EUR, Current   100.5  →  100  −0.498 %',
    ]);
    expect(stdout).toContain('turnover: 1 row, as before\n');
    const json = JSON.parse(
      (await ingest('diff', '2026-10.1', '2026-11.1', '--json', '--limit', '2')).stdout,
    );
    expect(json).toMatchObject({
      status: 'different',
      before: { id: '2026-10.1', month: '2026-10' },
      after: { id: '2026-11.1', month: '2026-11' },
      closedBefore: 2026,
    });
    expect(json.datasets.ggr.rows).toMatchObject({ revised: 6, added: 0, removed: 0 });
    expect(json.datasets.ggr.revisions).toHaveLength(2);
    expect(json.datasets.ggr.revisions[0]).toMatchObject({
      metric: 'ggr',
      from: 100,
      to: 100.5,
      relative: 0.005,
    });
  });

  itInDepth('says what guards find, in the words of a publish', async () => {
    await month.write({ 'ggr.csv': ggr(COUNTRIES.slice(1)) });
    const refused = JSON.parse((await publish('--json')).stdout);
    await publishNext(rowsOf(COUNTRIES.slice(1)));
    const { stdout } = await ingest('diff', '2026-10.1', '2026-11.1');
    expect(stdout).toContain('guards\n  refuses (vanished) ggr: country Malta is gone, with 1 row\n');
    const { findings } = JSON.parse((await ingest('diff', '2026-10.1', '2026-11.1', '--json')).stdout);
    expect(findings).toEqual(refused.findings);
    expect((await ingest('diff', '2026-10.1', '2026-10.1')).stdout).not.toContain('guards\n');
  });

  it('names the snapshots there are when it is asked for another, and says what is damaged', async () => {
    expect(await ingest('diff', '2026-10.1', '2026-09.1')).toMatchObject({
      code: 2,
      stderr: 'no snapshot 2026-09.1; there are: 2026-10.1\n',
    });
    await rm(path.join(month.dataDir, 'current', 'fx.parquet'));
    expect(await ingest('diff', '2026-10.1', '2026-10.1')).toMatchObject({
      code: 4,
      stderr: 'snapshot 2026-10.1: fx.parquet cannot be read (ENOENT); publish it again\n',
    });
    expect(JSON.parse((await ingest('diff', '2026-10.1', '2026-10.1', '--json')).stdout)).toEqual({
      status: 'damaged',
      error: 'snapshot 2026-10.1: fx.parquet cannot be read (ENOENT); publish it again',
      snapshot: null,
      problems: [],
    });
  });
});

it('--accept without a --reason ends with 2', async () => {
  expect((await publish('--accept', 'vanished')).code).toBe(2);
});

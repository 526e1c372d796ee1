// Corrupts every country of the sample in forty ways with three seeds, and compares 400 random correct months.
// Does the same for new years.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { GuardFinding } from '../../ingest/guards/finding.ts';
import { HONEST_YEARS } from '../support/honestNewYears.ts';
import { NEW_YEAR_DAMAGES } from '../support/newYearDamages.ts';
import { orElse } from '../support/orElse.ts';
import { runProgram } from '../support/program.ts';
import type { HonestMonthResult } from './programs/compareHonestMonths.ts';
import type { HonestNewYearResult } from './programs/compareHonestNewYears.ts';
import type { DamageResult } from './programs/corruptCountries.ts';
import type { SplitResult } from './programs/splitMonths.ts';

const SEEDS = [1, 2, 3];
const MONTHS = 400;

/** New years before, in and after the pandemic, with 41 and with 110 countries. */
const NEW_YEARS = [2016, 2019, 2020, 2022, 2024];

/** The number of months for each new year: five of each kind. */
const MONTHS_A_YEAR = 5 * HONEST_YEARS.length;

/** Damages that may look like correct figures, so that a warning is enough. */
const MAY_WARN = new Set(NEW_YEAR_DAMAGES.filter(({ mayWarn }) => mayWarn).map(({ kind }) => kind));

/** The number of honest months that are split into tables. As many quiet months are split, too. */
const SPLIT_MONTHS = 24;

const HOURS = 3_600_000;

describe('guards over the whole sample', () => {
  it(
    'refuse at least 99 of 100 corruptions of one country, and name the country',
    async () => {
      const outcomes: DamageResult[] = [];
      for (const seed of SEEDS)
        outcomes.push(...(await runProgram<DamageResult>('test/long/programs/corruptCountries.ts', [seed])));
      process.stdout.write(tableOf(outcomes));
      const share = (which: 'refused' | 'noticed') =>
        outcomes.filter((outcome) => outcome[which]).length / outcomes.length;
      expect(share('refused')).toBeGreaterThanOrEqual(0.99);
      expect(share('noticed')).toBeGreaterThanOrEqual(0.999);
      expectDocumented(rowsOf(outcomes, ['refused']));
    },
    3 * HOURS,
  );

  it(
    'refuse at most one of 100 honest months, and warn at most once a month',
    async () => {
      const program = 'test/long/programs/compareHonestMonths.ts';
      const months = await runProgram<HonestMonthResult>(program, [1, MONTHS]);
      let [refused, warnings] = [0, 0];
      for (const { seed, findings } of months) {
        const refusals = findings.filter(({ severity }) => severity === 'refuse');
        refused += refusals.length > 0 ? 1 : 0;
        warnings += findings.length - refusals.length;
        for (const refusal of refusals) process.stdout.write(`seed ${seed}: ${textOf(refusal)}\n`);
      }
      process.stdout.write(`${refused} of ${MONTHS} months refused, ${warnings / MONTHS} warnings a month\n`);
      expect(months).toHaveLength(MONTHS);
      expect(refused).toBeLessThanOrEqual(MONTHS / 100);
      expect(warnings).toBeLessThanOrEqual(MONTHS);
    },
    2 * HOURS,
  );

  it(
    'refuse nine of ten damages to a year that begins, and name the country of nearly all',
    async () => {
      const outcomes: DamageResult[] = [];
      for (const [seed, year] of [
        [1, 2024],
        [2, 2022],
      ] as const)
        outcomes.push(
          ...(await runProgram<DamageResult>('test/long/programs/damageNewYears.ts', [seed, year])),
        );
      const ofAll = outcomes.filter(({ country }) => country === null);
      const ofOne = outcomes.filter(({ country }) => country !== null);
      process.stdout.write(tableOf(ofOne));
      const mayWarn = ({ kind }: DamageResult) => MAY_WARN.has(kind);
      // All other damages of all countries are refused. In a year of recovery, a product that lost three tenths looks like
      // one that did not recover, so a warning is enough.
      expect(ofAll.filter((one) => !mayWarn(one) && !one.refused)).toEqual([]);
      const share = (which: 'refused' | 'noticed', isMild: boolean) => {
        const some = ofOne.filter((one) => mayWarn(one) === isMild);
        return some.filter((outcome) => outcome[which]).length / some.length;
      };
      expect(share('refused', false)).toBeGreaterThanOrEqual(0.9);
      expect(share('noticed', false)).toBeGreaterThanOrEqual(0.995);
      expect(share('noticed', true)).toBeGreaterThanOrEqual(0.9);
      const others = ofOne.filter((one) => !mayWarn(one));
      expectDocumented(rowsOf(others, ['refused', 'noticed']));
    },
    2 * HOURS,
  );

  it(
    'refuse at most one of 100 honest months that begin a year',
    async () => {
      const program = 'test/long/programs/compareHonestNewYears.ts';
      const months = await runProgram<HonestNewYearResult>(program, [0, MONTHS_A_YEAR - 1, ...NEW_YEARS]);
      const refused = new Set<string>();
      const warnings = new Map<string, number>();
      for (const { year, kind, seed, findings } of months)
        for (const finding of findings)
          if (finding.severity === 'refuse') {
            refused.add(`${year} ${seed}`);
            process.stdout.write(`${year}, ${kind}, seed ${seed}: ${textOf(finding)}\n`);
          } else warnings.set(kind, (warnings.get(kind) ?? 0) + 1);
      for (const [kind, count] of warnings)
        process.stdout.write(
          `${kind}: ${count} warnings in ${(MONTHS_A_YEAR / HONEST_YEARS.length) * NEW_YEARS.length} months\n`,
        );
      expect(months).toHaveLength(MONTHS_A_YEAR * NEW_YEARS.length);
      expect(refused.size).toBeLessThanOrEqual((MONTHS_A_YEAR * NEW_YEARS.length) / 100);
    },
    HOURS,
  );

  it(
    'report no table of an honest or quiet month as saved again, however the month is split',
    async () => {
      const program = 'test/long/programs/splitMonths.ts';
      const splits = await runProgram<SplitResult>(program, [0, SPLIT_MONTHS - 1]);
      expect(splits.length).toBeGreaterThan(30 * SPLIT_MONTHS);
      expect(splits.filter(({ reported }) => reported.length > 0)).toEqual([]);
    },
    HOURS,
  );
});

const textOf = ({ severity, rule, dataset, message }: GuardFinding) =>
  `${severity} ${rule} ${dataset} ${message}`;

/**
 * A row for each kind of damage: how often it was refused with the country named, and how often it was reported at
 * all.
 */
function rowsOf(outcomes: readonly DamageResult[], columns: readonly ('refused' | 'noticed')[]): string[] {
  return [...new Set(outcomes.map(({ kind }) => kind))].map((kind) => {
    const ofKind = outcomes.filter((one) => one.kind === kind);
    const shares = columns.map((which) => `${ofKind.filter((one) => one[which]).length} of ${ofKind.length}`);
    return `| ${[kind, ...shares].join(' | ')} |`;
  });
}

/** The seeds are fixed, so these figures change only when guards or damages change. */
function expectDocumented(rows: readonly string[]): void {
  const lines = new Set(readFileSync('docs/guards.md', 'utf8').split('\n'));
  orElse('correct these rows of docs/guards.md, and the sums above them', () =>
    expect(rows.filter((row) => !lines.has(row))).toEqual([]),
  );
}

function tableOf(outcomes: readonly DamageResult[]): string {
  const lines = rowsOf(outcomes, ['refused', 'noticed']);
  const missed = outcomes.filter(({ refused }) => !refused);
  const count = (which: 'refused' | 'noticed') => outcomes.filter((outcome) => outcome[which]).length;
  return [
    `${outcomes.length} cases, ${count('refused')} refused, ${count('noticed')} told`,
    TABLE_HEADING,
    ...lines,
    'not refused:',
    ...missed.map(
      ({ kind, country, noticed, messages }) =>
        `  ${kind}: ${country}${noticed ? ' (warned)' : ''} ${messages.join(' | ')}`,
    ),
    '',
  ].join('\n');
}

const TABLE_HEADING = '| Damage | Refused | Named |\n| ------ | ------- | ----- |';

// Corrupts every country of the sample in forty ways with three seeds, and compares 200 random honest months.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Guarded } from '../../ingest/guards/guards.ts';
import {
  CORRUPTIONS,
  corrupt,
  type Outcome,
  pickWith,
  type Victim,
  victimsOf,
} from '../support/corruptions.ts';
import { aGuardWorld, type GuardWorld } from '../support/guardWorld.ts';
import { honestMonth } from '../support/honestMonths.ts';

const SEEDS = [1, 2, 3];
const MONTHS = 200;

/** The number of countries corrupted in one month, each in another way. */
const AT_ONCE = 10;

const HOURS = 3_600_000;

let world: GuardWorld;
let victims: Victim[];
beforeAll(async () => {
  world = await aGuardWorld();
  victims = await victimsOf(world);
});
afterAll(() => world.close());

describe('guards over the whole sample', () => {
  it(
    'refuse at least 99 of 100 corruptions of one country, and name the country',
    async () => {
      const outcomes: Outcome[] = [];
      for (const seed of SEEDS) {
        const pick = pickWith(seed);
        for (let from = 0; from < victims.length; from += AT_ONCE) {
          const few = victims.slice(from, from + AT_ONCE);
          // Nobody's figures are taken from a country that is corrupted in the same month.
          const other = victims[(from + AT_ONCE + seed) % victims.length]?.country ?? '';
          for (const i of CORRUPTIONS.keys()) {
            const cases = few.flatMap((victim, j) => {
              const corruption = CORRUPTIONS[(i + 7 * j) % CORRUPTIONS.length];
              return corruption === undefined ? [] : [{ corruption, victim: { ...victim, other } }];
            });
            outcomes.push(...(await corrupt(world, cases, pick)));
          }
          const refused = outcomes.filter((outcome) => outcome.refused).length;
          const done = `seed ${seed}, ${from + few.length} of ${victims.length} countries`;
          process.stderr.write(
            `${done}: ${refused} of ${outcomes.length} refused\n${listOf(missed(outcomes))}`,
          );
        }
      }
      process.stdout.write(tableOf(outcomes));
      const share = (which: 'refused' | 'noticed') =>
        outcomes.filter((outcome) => outcome[which]).length / outcomes.length;
      expect(share('refused')).toBeGreaterThanOrEqual(0.99);
      expect(share('noticed')).toBeGreaterThanOrEqual(0.999);
    },
    6 * HOURS,
  );

  it(
    'refuse at most one of 100 honest months, and warn at most once a month',
    async () => {
      const found: Guarded[] = [];
      for (let seed = 1; seed <= MONTHS; seed++) found.push(await honestMonth(world, seed));
      const count = (severity: string) =>
        found.map(({ findings }) => findings.filter((finding) => finding.severity === severity).length);
      const refused = count('refuse').filter((n) => n > 0).length;
      const warnings = count('warn').reduce((sum, n) => sum + n, 0);
      for (const [i, { findings }] of found.entries())
        for (const { severity, dataset, message } of findings)
          if (severity === 'refuse') process.stdout.write(`seed ${i + 1}: ${dataset}: ${message}\n`);
      process.stdout.write(`${refused} of ${MONTHS} months refused, ${warnings / MONTHS} warnings a month\n`);
      expect(refused).toBeLessThanOrEqual(MONTHS / 100);
      expect(warnings).toBeLessThanOrEqual(MONTHS);
    },
    2 * HOURS,
  );
});

/** By kind: refused with the country named, by size of country; and told at all. As docs/guards.md holds it. */
function tableOf(outcomes: readonly Outcome[]): string {
  const sizeOf = ({ victim: { rows } }: Outcome) => (rows < 200 ? 'small' : rows < 400 ? 'medium' : 'large');
  const lines = [...new Set(outcomes.map(({ kind }) => kind))].map((kind) => {
    const of = outcomes.filter((one) => one.kind === kind);
    const bySize = ['small', 'medium', 'large'].map((size) => {
      const some = of.filter((one) => sizeOf(one) === size);
      return some.length === 0 ? '–' : `${some.filter(({ refused }) => refused).length} of ${some.length}`;
    });
    return `| ${[kind, ...bySize, `${of.filter(({ noticed }) => noticed).length} of ${of.length}`].join(' | ')} |`;
  });
  return `${TABLE_HEADING}\n${lines.join('\n')}\n\nnot refused:\n${listOf(missed(outcomes))}`;
}

const missed = (outcomes: readonly Outcome[]) => outcomes.filter(({ refused }) => !refused);

const listOf = (outcomes: readonly Outcome[]) =>
  outcomes
    .map(({ kind, victim, noticed }) => `  ${kind}: ${victim.country}${noticed ? ' (warned)' : ''}\n`)
    .join('');

const TABLE_HEADING =
  '| Damage | Small country | Medium | Large | Told |\n| ------ | ------------- | ------ | ----- | ---- |';

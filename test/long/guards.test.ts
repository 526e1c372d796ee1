// Forty kinds of damage done to every country of the sample with three seeds, and 200 random honest months: the table.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Guarded } from '../../ingest/guards/guards.ts';
import { DAMAGES, inflict, type Outcome, pickWith, type Victim, victimsOf } from '../support/damages.ts';
import { aGuardWorld, type GuardWorld } from '../support/guardWorld.ts';
import { honestMonth } from '../support/honestMonths.ts';

const SEEDS = [1, 2, 3];
const MONTHS = 200;

/** So many countries of one month are damaged at once, each in another way. */
const AT_ONCE = 6;

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
    'refuse at least 99 of 100 damages to one country, and name the country',
    async () => {
      const outcomes: Outcome[] = [];
      for (const seed of SEEDS) {
        const pick = pickWith(seed);
        for (let from = 0; from < victims.length; from += AT_ONCE) {
          const few = victims.slice(from, from + AT_ONCE);
          // Nobody's figures are taken from a country that is damaged in the same month.
          const other = victims[(from + AT_ONCE + seed) % victims.length]?.country ?? '';
          for (const i of DAMAGES.keys()) {
            const cases = few.flatMap((victim, j) => {
              const damage = DAMAGES[(i + 7 * j) % DAMAGES.length];
              return damage === undefined ? [] : [{ damage, victim: { ...victim, other } }];
            });
            outcomes.push(...(await inflict(world, cases, pick)));
          }
        }
      }
      process.stdout.write(tableOf(outcomes));
      const refused = outcomes.filter((outcome) => outcome.refused).length;
      expect(refused / outcomes.length).toBeGreaterThanOrEqual(0.99);
    },
    6 * HOURS,
  );

  it(
    'refuse at most one of 100 honest months',
    async () => {
      const found: Guarded[] = [];
      for (let seed = 1; seed <= MONTHS; seed++) found.push(await honestMonth(world, seed));
      const count = (severity: string) =>
        found.map(({ findings }) => findings.filter((finding) => finding.severity === severity).length);
      const refused = count('refuse').filter((n) => n > 0).length;
      const warnings = count('warn').reduce((sum, n) => sum + n, 0);
      process.stdout.write(`${refused} of ${MONTHS} months refused, ${warnings / MONTHS} warnings a month\n`);
      expect(refused).toBeLessThanOrEqual(MONTHS / 100);
    },
    2 * HOURS,
  );
});

/** By kind and size of country: cases, noticed, refused with the country named. */
function tableOf(outcomes: readonly Outcome[]): string {
  const sizeOf = ({ victim: { rows } }: Outcome) => (rows < 200 ? 'small' : rows < 400 ? 'medium' : 'large');
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const name = `${outcome.kind} | ${sizeOf(outcome)}`;
    groups.set(name, [...(groups.get(name) ?? []), outcome]);
  }
  const lines = [...groups].map(([name, of]) => {
    const [noticed, refused] = [of.filter((one) => one.noticed), of.filter((one) => one.refused)];
    const missed = of.filter((one) => !one.refused).map(({ victim }) => victim.country);
    return `${name} | ${of.length} | ${noticed.length} | ${refused.length} | ${missed.slice(0, 5).join(', ')}`;
  });
  return `kind | country | cases | noticed | refused | missed\n${lines.join('\n')}\n`;
}

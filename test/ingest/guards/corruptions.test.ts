// Corrupts six countries of a month in forty ways, small and large. Each must be refused with the name of the country.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CORRUPTIONS,
  corrupt,
  type Outcome,
  pickWith,
  type Target,
  targetsOf,
} from '../../support/corruptions.ts';
import { isDeep, some } from '../../support/depth.ts';
import { aGuardWorld, type GuardWorld } from '../../support/guardWorld.ts';
import { honestMonth } from '../../support/honestMonths.ts';

// There are fewer countries and years than in the sample, so that comparing a month takes a tenth of a second.
const COUNTRIES = ['Malta', 'Monaco', 'Senegal', 'Norway', 'Brazil', 'Germany'];
const OTHERS = ['Spain', 'France', 'Italy', 'Sweden', 'Kenya', 'Peru', 'Japan', 'Mexico'];
const named = [...COUNTRIES, ...OTHERS].map((country) => `'${country}'`).join(', ');

let world: GuardWorld;
let targets: Target[];
beforeAll(async () => {
  world = await aGuardWorld(`country IN (${named})`, 2016);
  targets = (await targetsOf(world))
    .filter(({ country }) => COUNTRIES.includes(country))
    .map((target, i) => ({ ...target, other: OTHERS[i] ?? '' }));
});
afterAll(() => world.close());

describe('guards', () => {
  it('refuse every kind of corruption to one country, and name the country', async () => {
    const pick = pickWith(1);
    const outcomes: Outcome[] = [];
    // In a month, each country is corrupted in a different way. In depth, forty months cover all ways in all
    // countries. Here each way occurs once, in some country.
    const step = isDeep ? 1 : targets.length;
    for (let i = 0; i < CORRUPTIONS.length; i += step) {
      const cases = targets.flatMap((target, j) => {
        const corruption = CORRUPTIONS[(i + (isDeep ? 7 : 1) * j) % CORRUPTIONS.length];
        return corruption === undefined ? [] : [{ corruption, target }];
      });
      outcomes.push(...(await corrupt(world, cases, pick)));
    }
    expect(CORRUPTIONS.length).toBeGreaterThanOrEqual(40);
    expect(outcomes.length).toBeGreaterThan(CORRUPTIONS.length * (isDeep ? 5 : 0.9));
    const missed = outcomes.filter(({ refused }) => !refused);
    expect(missed.map(({ kind, target }) => `${kind}: ${target.country}`)).toEqual([]);
  });

  it('are documented with a figure for every kind of corruption', () => {
    const page = readFileSync('docs/guards.md', 'utf8');
    const undocumented = CORRUPTIONS.filter(({ kind }) => !page.includes(`| ${kind} |`));
    expect(undocumented.map(({ kind }) => kind)).toEqual([]);
  });

  it('let honest months pass', async () => {
    const sample = await world.guarded({
      ggr: 'after_ggr',
      turnover: 'after_turnover',
      fx: 'after_fx',
      country: 'after_country',
    });
    const months = [sample];
    for (const seed of some([1, 2, 3], 1)) months.push(await honestMonth(world, seed));
    const refusals = months.flatMap(({ findings }) =>
      findings.filter(({ severity }) => severity === 'refuse'),
    );
    expect(refusals.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });
});

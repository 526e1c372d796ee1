// Damages a new year in single countries and in all countries at once, and prints the outcomes.
// Arguments: SEED YEAR. A line is a `DamageResult`.

import { pickWith, targetsOf } from '../../support/corruptions.ts';
import { aGuardWorld } from '../../support/guardWorld.ts';
import { damageNewYear, NEW_YEAR_DAMAGES, type NewYearCase } from '../../support/newYearDamages.ts';
import type { DamageResult } from './corruptCountries.ts';

/** The number of countries that are damaged in one month, each in a different way. */
const AT_ONCE = 20;

const [seed = 1, year = 2024] = process.argv.slice(2).map(Number);
const world = await aGuardWorld('true', year - 4, year);
try {
  const targets = await targetsOf(world);
  const pick = pickWith(seed);
  const print = async (cases: readonly NewYearCase[], ofAll: boolean) => {
    for (const { kind, country, noticed, refused, messages } of await damageNewYear(
      world,
      year,
      cases,
      pick,
    )) {
      const result: DamageResult = {
        kind,
        country: ofAll ? null : country,
        noticed,
        refused,
        messages: refused ? [] : messages,
      };
      process.stdout.write(`${JSON.stringify(result)}\n`);
    }
  };
  const toAll = NEW_YEAR_DAMAGES.filter(({ isOfCountry }) => !isOfCountry);
  const toOne = NEW_YEAR_DAMAGES.filter(({ isOfCountry }) => isOfCountry);
  // The country with the most rows has several products.
  for (const target of targets.slice(-1)) for (const damage of toAll) await print([{ damage, target }], true);
  for (let from = 0; from < targets.length; from += AT_ONCE) {
    const few = targets.slice(from, from + AT_ONCE);
    const other = targets[(from + AT_ONCE + seed) % targets.length]?.country ?? '';
    for (const i of toOne.keys()) {
      const cases = few.flatMap((target, j) => {
        const damage = toOne[(i + 7 * j) % toOne.length];
        return damage === undefined ? [] : [{ damage, target: { ...target, other } }];
      });
      await print(cases, false);
    }
    process.stderr.write(`seed ${seed}, ${year}: ${from + few.length} of ${targets.length} countries\n`);
  }
} finally {
  await world.close();
}

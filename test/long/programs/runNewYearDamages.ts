// Damages a new year in single countries and in all countries at once, and prints the outcomes.
// Usage: node runNewYearDamages.mjs SEED YEAR
// A line is `[kind, country or null, rows, noticed, refused, messages]` as JSON. `messages` is empty when the damage
// was refused.

import { pickWith, victimsOf } from '../../support/corruptions.ts';
import { aGuardWorld } from '../../support/guardWorld.ts';
import { damageNewYear, NEW_YEAR_DAMAGES } from '../../support/newYearDamages.ts';

/** The number of countries that are damaged in one month, each in a different way. */
const AT_ONCE = 20;

const [seed = 1, year = 2024, every = 1] = process.argv.slice(2).map(Number);
const world = await aGuardWorld('true', year - 4, year);
const print = (...outcome: unknown[]) => process.stdout.write(`${JSON.stringify(outcome)}\n`);
try {
  const victims = (await victimsOf(world)).filter((_, i) => i % every === seed % every);
  const pick = pickWith(seed);
  const ofAll = NEW_YEAR_DAMAGES.filter(({ isOfCountry }) => !isOfCountry);
  const ofOne = NEW_YEAR_DAMAGES.filter(({ isOfCountry }) => isOfCountry);
  // The country with the most rows has several products.
  const any = victims.at(-1);
  for (const damage of ofAll) {
    if (any === undefined) continue;
    const [outcome] = await damageNewYear(world, year, [{ damage, victim: any }], pick);
    if (outcome !== undefined)
      print(
        damage.kind,
        null,
        0,
        outcome.findings.length > 0,
        outcome.refused,
        outcome.refused ? [] : outcome.messages,
      );
  }
  for (let from = 0; from < victims.length; from += AT_ONCE) {
    const few = victims.slice(from, from + AT_ONCE);
    const other = victims[(from + AT_ONCE + seed) % victims.length]?.country ?? '';
    for (const i of ofOne.keys()) {
      const cases = few.flatMap((victim, j) => {
        const damage = ofOne[(i + 7 * j) % ofOne.length];
        return damage === undefined ? [] : [{ damage, victim: { ...victim, other } }];
      });
      for (const { kind, country, rows, noticed, refused, messages } of await damageNewYear(
        world,
        year,
        cases,
        pick,
      ))
        print(kind, country, rows, noticed, refused, refused ? [] : messages);
    }
    process.stderr.write(`seed ${seed}, ${year}: ${from + few.length} of ${victims.length} countries\n`);
  }
} finally {
  await world.close();
}

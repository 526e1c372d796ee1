// Corrupts every country of the sample in forty ways, and prints an outcome a line.
// Usage: node damages.mjs SEED
// A line is `[kind, country, rows, noticed, refused, messages]` as JSON. `messages` is empty when the damage was
// refused.

import { CORRUPTIONS, corrupt, pickWith, victimsOf } from '../../support/corruptions.ts';
import { aGuardWorld } from '../../support/guardWorld.ts';

/** The number of countries that are corrupted in one month, each in a different way. */
const AT_ONCE = 20;

const seed = Number(process.argv[2]);
const world = await aGuardWorld();
try {
  const victims = await victimsOf(world);
  const pick = pickWith(seed);
  for (let from = 0; from < victims.length; from += AT_ONCE) {
    const few = victims.slice(from, from + AT_ONCE);
    // The other country must not be one that is corrupted in the same month.
    const other = victims[(from + AT_ONCE + seed) % victims.length]?.country ?? '';
    for (const i of CORRUPTIONS.keys()) {
      const cases = few.flatMap((victim, j) => {
        const corruption = CORRUPTIONS[(i + 7 * j) % CORRUPTIONS.length];
        return corruption === undefined ? [] : [{ corruption, victim: { ...victim, other } }];
      });
      for (const { kind, victim, noticed, refused, findings } of await corrupt(world, cases, pick)) {
        const messages = refused ? [] : findings.map(({ message }) => message);
        process.stdout.write(
          `${JSON.stringify([kind, victim.country, victim.rows, noticed, refused, messages])}\n`,
        );
      }
    }
    process.stderr.write(`seed ${seed}: ${from + few.length} of ${victims.length} countries\n`);
  }
} finally {
  await world.close();
}

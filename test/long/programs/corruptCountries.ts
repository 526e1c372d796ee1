// Corrupts every country of the sample in forty ways, and prints an outcome a line.
// Argument: SEED. A line is a `DamageResult`.

import { CORRUPTIONS, corrupt, pickWith, targetsOf } from '../../support/corruptions.ts';
import { aGuardWorld } from '../../support/guardWorld.ts';

/** What the guards found of one damage. */
export interface DamageResult {
  readonly kind: string;
  /** Null for a damage to all countries. */
  readonly country: string | null;
  readonly noticed: boolean;
  readonly refused: boolean;
  /** Empty when the damage was refused. */
  readonly messages: readonly string[];
}

/** The number of countries that are corrupted in one month, each in a different way. */
const AT_ONCE = 20;

const seed = Number(process.argv[2]);
const world = await aGuardWorld();
try {
  const targets = await targetsOf(world);
  const pick = pickWith(seed);
  for (let from = 0; from < targets.length; from += AT_ONCE) {
    const few = targets.slice(from, from + AT_ONCE);
    // The other country must not be one that is corrupted in the same month.
    const other = targets[(from + AT_ONCE + seed) % targets.length]?.country ?? '';
    for (const i of CORRUPTIONS.keys()) {
      const cases = few.flatMap((target, j) => {
        const corruption = CORRUPTIONS[(i + 7 * j) % CORRUPTIONS.length];
        return corruption === undefined ? [] : [{ corruption, target: { ...target, other } }];
      });
      for (const { kind, target, noticed, refused, findings } of await corrupt(world, cases, pick)) {
        const messages = refused ? [] : findings.map(({ message }) => message);
        const result: DamageResult = { kind, country: target.country, noticed, refused, messages };
        process.stdout.write(`${JSON.stringify(result)}\n`);
      }
    }
    process.stderr.write(`seed ${seed}: ${from + few.length} of ${targets.length} countries\n`);
  }
} finally {
  await world.close();
}

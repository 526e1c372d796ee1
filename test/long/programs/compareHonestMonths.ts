// Compares random correct months with the sample, and prints the findings of each.
// Arguments: FROM TO, the first and the last seed. A line is an `HonestMonthResult`.

import type { GuardFinding } from '../../../ingest/guards/finding.ts';
import { aGuardWorld } from '../../support/guardWorld.ts';
import { honestMonth } from '../../support/honestMonths.ts';

export interface HonestMonthResult {
  readonly seed: number;
  readonly findings: readonly GuardFinding[];
}

const [from = 1, to = 0] = process.argv.slice(2).map(Number);
const world = await aGuardWorld();
try {
  for (let seed = from; seed <= to; seed++) {
    const { findings } = await honestMonth(world, seed);
    const result: HonestMonthResult = { seed, findings };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
} finally {
  await world.close();
}

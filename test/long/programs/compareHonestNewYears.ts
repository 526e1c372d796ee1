// Compares random correct months that begin a year with the sample, and prints the findings.
// Arguments: FROM TO YEAR…, the first and the last seed, and the years that begin. A line is an `HonestNewYearResult`.

import type { GuardFinding } from '../../../ingest/guards/finding.ts';
import { aGuardWorld } from '../../support/guardWorld.ts';
import { HONEST_YEARS, honestNewYear } from '../../support/honestNewYears.ts';

export interface HonestNewYearResult {
  readonly year: number;
  /** The kind of the year, one of `HONEST_YEARS`. */
  readonly kind: string;
  readonly seed: number;
  readonly findings: readonly GuardFinding[];
}

const [from = 0, to = 0, ...years] = process.argv.slice(2).map(Number);
for (const year of years) {
  const world = await aGuardWorld('true', year - 4, year);
  try {
    for (let seed = from; seed <= to; seed++) {
      const { findings } = await honestNewYear(world, year, seed);
      const kind = HONEST_YEARS[seed % HONEST_YEARS.length] ?? '';
      const result: HonestNewYearResult = { year, kind, seed, findings };
      process.stdout.write(`${JSON.stringify(result)}\n`);
    }
  } finally {
    await world.close();
  }
}

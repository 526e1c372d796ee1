// Compares random correct months that begin a year with the sample, and prints the findings.
// Usage: node runHonestNewYears.mjs FROM TO YEAR…
// A line is `[year, special, seed, findings]` as JSON. A finding is `[severity, rule, dataset, message]`.

import { aGuardWorld } from '../../support/guardWorld.ts';
import { HONEST_YEARS, honestNewYear } from '../../support/honestNewYears.ts';

const [from = 0, to = 0, ...years] = process.argv.slice(2).map(Number);
for (const year of years) {
  const world = await aGuardWorld('true', year - 4, year);
  try {
    for (let seed = from; seed <= to; seed++) {
      const { findings } = await honestNewYear(world, year, seed);
      const facts = findings.map(({ severity, rule, dataset, message }) => [
        severity,
        rule,
        dataset,
        message,
      ]);
      process.stdout.write(
        `${JSON.stringify([year, HONEST_YEARS[seed % HONEST_YEARS.length], seed, facts])}\n`,
      );
    }
  } finally {
    await world.close();
  }
}

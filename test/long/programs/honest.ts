// Compares random correct months with the sample, and prints the findings of each.
// Usage: node honest.mjs FROM TO
// A line is `[seed, findings]` as JSON. A finding is `[severity, rule, dataset, message]`.

import { aGuardWorld } from '../../support/guardWorld.ts';
import { honestMonth } from '../../support/honestMonths.ts';

const [from = 1, to = 0] = process.argv.slice(2).map(Number);
const world = await aGuardWorld();
try {
  for (let seed = from; seed <= to; seed++) {
    const { findings } = await honestMonth(world, seed);
    const facts = findings.map(({ severity, rule, dataset, message }) => [severity, rule, dataset, message]);
    process.stdout.write(`${JSON.stringify([seed, facts])}\n`);
  }
} finally {
  await world.close();
}

// Publishes random months in random layouts until one differs from the intended month.
// Usage: node randomMonths.mjs COUNT SEED
// Prints one line, `{ runs, counterexample, error }` as JSON. The last two are null when no month differs.

import fc from 'fast-check';
import { intended } from '../../ingest/months/intended.ts';
import { differences } from '../../ingest/months/roundTrip.ts';

const [count = 0, seed = 1] = process.argv.slice(2).map(Number);
let done = 0;
const property = fc.asyncProperty(intended, fc.nat(), async (month, layout) => {
  const found = await differences(month, layout);
  done += 1;
  if (done % 100 === 0) process.stderr.write(`${done} months tried\n`);
  if (found.length > 0) throw new Error(found.slice(0, 20).join('\n'));
});
const {
  numRuns: runs,
  failed,
  counterexample,
  errorInstance,
} = await fc.check(property, {
  numRuns: count,
  seed,
});
const outcome = failed
  ? { runs, counterexample: fc.stringify(counterexample), error: String(errorInstance) }
  : { runs, counterexample: null, error: null };
process.stdout.write(`${JSON.stringify(outcome)}\n`);

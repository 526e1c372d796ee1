// Publishes random months in random layouts until one differs from the intended month.
// Arguments: COUNT SEED. Prints one `RandomMonthsResult`.

import fc from 'fast-check';
import { intended } from '../../ingest/months/intended.ts';
import { differences } from '../../ingest/months/roundTrip.ts';

export interface RandomMonthsResult {
  readonly runs: number;
  /** Null when no month differs, like the error. */
  readonly counterexample: string | null;
  readonly error: string | null;
}

const [count = 0, seed = 1] = process.argv.slice(2).map(Number);
let done = 0;
const property = fc.asyncProperty(intended, fc.nat(), async (month, layout) => {
  const found = await differences(month, layout);
  done += 1;
  if (done % 100 === 0) process.stderr.write(`${done} months tried\n`);
  if (found.length > 0) throw new Error(found.slice(0, 20).join('\n'));
});
const { numRuns, failed, counterexample, errorInstance } = await fc.check(property, { numRuns: count, seed });
const result: RandomMonthsResult = {
  runs: numRuns,
  counterexample: failed ? fc.stringify(counterexample) : null,
  error: failed ? String(errorInstance) : null,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

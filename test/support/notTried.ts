// Prints why a test cannot run on this machine: `notTried('go is not installed')`.

import { appendFileSync } from 'node:fs';

/** Prints the reason. `make test-long` prints for hours, so it lists all reasons once more at its end. */
export function notTried(reason: string): void {
  const line = `not tried: ${reason}\n`;
  process.stderr.write(line);
  if (process.env.NOT_TRIED) appendFileSync(process.env.NOT_TRIED, line);
}

// Measures the command that verifies a large snapshot: every checksum, row and column.

import { dataDirOf, LARGE_ROWS } from './benchSnapshots.ts';
import { type Figure, ofRounds } from './figure.ts';
import { expectEqual, inTurns, measured, type ResourceUse } from './harness.ts';

const ROUNDS = 3;
const MB = 1e6;

/** Measures the whole command, from its start to its end. */
export async function verifyLarge(): Promise<Figure[]> {
  const dataDir = await dataDirOf(LARGE_ROWS);
  const { verify } = await inTurns(ROUNDS, {
    verify: () => measured('../ingest/cli.js', ['verify', '--json'], { DATA_DIR: dataDir }),
  });
  for (const { stdout } of verify) expectEqual('what verify found', JSON.parse(stdout).status, 'whole');
  const figure = (
    what: string,
    unit: string,
    measure: (used: ResourceUse) => number,
    atMost?: number,
  ): Figure => ({
    what: `verify, ${LARGE_ROWS.toLocaleString('en-US')} rows: ${what}`,
    unit,
    ...ofRounds(verify.map(measure)),
    better: 'lower',
    ...(atMost !== undefined && { atMost }),
  });
  return [
    figure('wall', 's', ({ wallMs }) => wallMs / 1000, 3),
    figure('CPU', 's', ({ cpuMs }) => cpuMs / 1000),
    figure('peak memory', 'MB', ({ peakBytes }) => peakBytes / MB),
  ];
}

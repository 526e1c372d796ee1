// Compares two snapshots of three million rows: time and memory, beside a plain join of the texts.

import path from 'node:path';
import { LARGE_ROWS, twoMonthsOf } from './benchSnapshots.ts';
import { type Figure, median, ofRounds } from './figure.ts';
import { expectEqual, inTurns, measured, type ResourceUse } from './harness.ts';

const ROUNDS = 3;
const MB = 1e6;

/** Measures the whole command: it checks the checksums of both snapshots, and reports on every dataset. */
export async function compareLarge(): Promise<Figure[]> {
  const dataDir = await twoMonthsOf(LARGE_ROWS);
  const [before, after] = ['2026-10.1', '2026-11.1'];
  const file = (id: string) => path.join(dataDir, 'snapshots', id, 'ggr.parquet');
  const used = await inTurns(ROUNDS, {
    ours: () => measured('../ingest/cli.js', ['diff', before, after, '--json'], { DATA_DIR: dataDir }),
    reference: () => measured('duckdbJoin.js', [file(before), file(after)]),
  });
  for (const [i, { stdout }] of used.ours.entries()) {
    const { added, removed, revised } = JSON.parse(stdout).datasets.ggr.rows;
    expectEqual('changed rows', [added, removed, revised].join(' '), used.reference[i]?.stdout.trim());
  }
  const figure = (
    what: string,
    unit: string,
    measure: (used: ResourceUse) => number,
    atMost?: number,
  ): Figure => ({
    what: `diff of two 3,000,000-row snapshots: ${what}`,
    unit,
    ...ofRounds(used.ours.map(measure)),
    reference: median(used.reference.map(measure)),
    referenceName: 'join, counts alone',
    better: 'lower',
    ...(atMost === undefined ? {} : { atMost }),
  });
  return [
    figure('wall', 's', ({ wallMs }) => wallMs / 1000, 6),
    figure('CPU', 's', ({ cpuMs }) => cpuMs / 1000),
    figure('peak memory', 'MB', ({ peakBytes }) => peakBytes / MB, 1000),
  ];
}

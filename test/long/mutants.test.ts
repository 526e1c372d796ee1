// Tens of thousands of damaged, forged and odd files: each is read correctly, or refused with a place and a remedy.

import { describe, expect, it } from '@jest/globals';
import { csvMutant } from '../ingest/mutants/csvs.ts';
import { type Findings, hunt, type Mutant } from '../ingest/mutants/hunt.ts';
import { parquetMutants } from '../ingest/mutants/parquets.ts';
import { workbookMutant } from '../ingest/mutants/workbooks.ts';
import { SEED } from '../support/seed.ts';

/** MUTANTS=100000 makes a longer hunt. */
const COUNT = Number(process.env.MUTANTS ?? 20_000);
/** The mutants follow those of `make test`, and differ by seed. MUTANTS_FROM and MUTANTS=1 repeat a single mutant. */
const FROM = Number(process.env.MUTANTS_FROM ?? 1_000_000 + (SEED % 10_000) * COUNT);
const LOT = 1_000;

const HUNTS: readonly (readonly [
  what: string,
  mutants: () => Promise<(number: number) => Mutant>,
  count: number,
])[] = [
  ['workbooks', async () => workbookMutant, COUNT],
  ['csv files', async () => csvMutant, COUNT],
  // Each of these opens an engine of its own, so there are fewer.
  ['Parquet files', parquetMutants, Math.ceil(COUNT / 10)],
];

describe('mutants', () => {
  it.each(HUNTS)(
    'of %s are read right or refused',
    async (what, mutants, count) => {
      const make = await mutants();
      const complaints: string[] = [];
      const read: Record<string, number> = {};
      for (let done = 0; done < count; done += LOT) {
        const findings = await hunt(make, FROM + done, Math.min(LOT, count - done));
        complaints.push(...findings.complaints);
        for (const [kind, { rows }] of Object.entries(findings.tally)) read[kind] = (read[kind] ?? 0) + rows;
        process.stderr.write(`${what} ${done + LOT}: ${textOf(findings)}\n`);
      }
      expect(complaints).toEqual([]);
      // If all of a kind were refused, this test would prove nothing.
      if (count >= LOT) expect(Object.entries(read).filter(([, rows]) => rows === 0)).toEqual([]);
    },
    3_600_000,
  );
});

const textOf = ({ tally, slowestMs }: Findings) =>
  `${Object.entries(tally)
    .map(([kind, { rows, refused, fault }]) => `${kind}: ${rows} read, ${refused} refused, ${fault} at fault`)
    .join('; ')}; slowest ${Math.round(slowestMs)} ms`;

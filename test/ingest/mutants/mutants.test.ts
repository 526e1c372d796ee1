// The first mutants of a long series. `make test-long` reads the rest.

import { describe, expect, it } from '@jest/globals';
import { runs } from '../../support/depth.ts';
import { csvMutant } from './csvs.ts';
import { hunt } from './hunt.ts';
import { parquetMutants } from './parquets.ts';
import { workbookMutant } from './workbooks.ts';

describe('damaged, forged and odd files are read right or refused with a place and a remedy:', () => {
  it.each([
    ['workbooks', async () => workbookMutant, 80, 120],
    ['csv files', async () => csvMutant, 30, 60],
    ['Parquet files', parquetMutants, 6, 12],
  ] as const)('%s', async (_, mutants, few, usual) => {
    const { complaints, tally } = await hunt(await mutants(), 1, runs(few, usual));
    expect(complaints).toEqual([]);
    // If all files of a kind were refused, this test would prove nothing.
    for (const { rows } of Object.values(tally)) expect(rows).toBeGreaterThan(0);
  });
});

// The first mutants of a long row; the rest of it is run by `make test-long`.

import { describe, expect, it } from '@jest/globals';
import { csvMutant } from './csvs.ts';
import { hunt } from './hunt.ts';
import { parquetMutants } from './parquets.ts';
import { workbookMutant } from './workbooks.ts';

describe('damaged, forged and odd files are read right or refused with a place and a remedy:', () => {
  it.each([
    ['200 workbooks', async () => workbookMutant, 200],
    ['60 csv files', async () => csvMutant, 60],
    ['30 Parquet files', parquetMutants, 30],
  ] as const)('%s', async (_, mutants, count) => {
    const { complaints, tally } = await hunt(await mutants(), 1, count);
    expect(complaints).toEqual([]);
    // All of them refused would prove nothing.
    for (const { rows } of Object.values(tally)) expect(rows).toBeGreaterThan(0);
  });
});

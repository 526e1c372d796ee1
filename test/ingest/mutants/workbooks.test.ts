// The first mutants of a long row; the rest of it is run by `make test-long`.

import { describe, expect, it } from '@jest/globals';
import { hunt } from './hunt.ts';
import { workbookMutant } from './workbooks.ts';

describe('500 damaged, forged and odd workbooks', () => {
  it('are read right or refused with a place and a remedy, within time and memory', async () => {
    const { complaints, tally } = await hunt(workbookMutant, 1, 500);
    expect(complaints).toEqual([]);
    // All of them refused, or none, would prove nothing.
    for (const counts of Object.values(tally)) expect(counts.rows).toBeGreaterThan(10);
  });
});

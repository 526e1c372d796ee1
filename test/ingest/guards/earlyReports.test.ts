// Guards question figures of the month's own year that are labelled as reported before that year has ended.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const COUNTRIES = Array.from({ length: 12 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);

interface Change {
  readonly isReported: (row: Row) => boolean;
  readonly factor?: number;
}

/** Reported figures of 2025 and forecasts of 2026. `isReported` selects forecasts that become reported figures. */
const facts = ({ isReported, factor = 1 }: Change = { isReported: () => false }): Row[] =>
  COUNTRIES.flatMap((country, i) =>
    ['EUR', 'GBP', 'USD'].flatMap((fx, j) =>
      [2025, 2026].map((year) => {
        const ggr = 1_000_003 * (i + 2) + 77_777 * j + 1013 * year;
        const row = aRow('ggr', { country, fx, year, ggr, temporal: year === 2026 ? 'Forecast' : 'Current' });
        if (year === 2025 || !isReported(row)) return row;
        return { ...row, temporal: 'Current', ggr: Math.round(ggr * factor) };
      }),
    ),
  );

async function findingsOn(
  after: Rows,
  before: Rows = { ggr: facts() },
  month = '2026-11',
): Promise<string[]> {
  const { findings } = await guarded(before, after, { after: `${month}.1` });
  return findings.map(({ severity, message }) => `${severity} ${message.replace(/ \(.*/, '')}`);
}

const ofOne = ({ country }: Row) => country === 'Country C';

describe('figures of the month’s own year that are called reported', () => {
  it('are refused where they repeat their forecasts: the rows lost their label', async () => {
    expect(await findingsOn({ ggr: facts({ isReported: ofOne }) })).toEqual([
      'refuse Country C: 3 figures of years that have not ended are called reported',
    ]);
  });

  it('are a warning where a few countries have other figures, because a financial year may have ended', async () => {
    expect(await findingsOn({ ggr: facts({ isReported: ofOne, factor: 1.02 }) })).toEqual([
      'warn Country C: 3 forecasts of a year that has not ended are called reported now',
    ]);
  });

  it('are refused where ten countries or more have some, also other figures', async () => {
    expect(await findingsOn({ ggr: facts({ isReported: () => true, factor: 1.02 }) })).toEqual([
      'refuse all countries: 36 figures of years that have not ended are called reported',
    ]);
  });

  it('are not a finding in December and later, when the year may have ended', async () => {
    const after = { ggr: facts({ isReported: () => true, factor: 1.02 }) };
    expect(await findingsOn(after, undefined, '2026-12')).toEqual([]);
    expect(await findingsOn(after, undefined, '2027-01')).toEqual([]);
  });

  it('are not a finding among rates, which are known during the year', async () => {
    const rates = (temporal: string) =>
      COUNTRIES.flatMap((country) =>
        [2025, 2026].map((year) =>
          aRow('fx', { country, year, temporal: year === 2026 ? temporal : 'Current' }),
        ),
      );
    expect(await findingsOn({ fx: rates('Current') }, { fx: rates('Forecast') })).toEqual([]);
  });
});

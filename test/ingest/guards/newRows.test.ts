// Guards judge new rows: reports under a new name.

import { expect, it } from '@jest/globals';
import type { Row } from '../../support/snapshot.ts';
import { findingsIn, ggr } from './plainMonth.ts';

it('a product that is renamed in the month of late reports is refused as renamed alone', async () => {
  const isLate = ({ country, year }: Row) => year === 2025 && String(country) < 'Country G';
  const before = ggr((row) => (isLate(row) ? { ...row, temporal: 'Forecast' } : row));
  const after = ggr((row) => ({
    ...row,
    ...(row.product === 'Lotto' ? { product: 'Draw Games' } : {}),
    ...(isLate(row) ? { ggr: Math.round(Number(row.ggr) * 1.03) } : {}),
  }));
  const found = await findingsIn({ ggr: after }, { ggr: before });
  expect(found.filter((one) => one.startsWith('refuse'))).toEqual([
    expect.stringMatching(/^refuse ggr: a value was renamed: product "Lotto" → "Draw Games"/),
  ]);
});

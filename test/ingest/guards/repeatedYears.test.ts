// Guards warn of figures of one market that repeat the year before or after, beside honest revisions of its country.

import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../support/snapshot.ts';
import { C, type Change, findingsIn, ggr, month } from './plainMonth.ts';

/** The figure of the same series in another year. */
const figureOf = (row: Row, year: number): number =>
  Number(
    ggr().find(
      (other) =>
        other.year === year &&
        other.country === row.country &&
        other.product === row.product &&
        other.fx === row.fx,
    )?.ggr,
  );

/** A month in which Poker of a country has the figures of the years in `yearFor`, and its other products were revised. */
const monthWith = (
  yearFor: Readonly<Record<number, number>>,
  isTaken: (row: Row) => boolean = () => true,
) => {
  const change: Change = (row) => {
    if (row.country !== C) return row;
    const year = row.product === 'Poker' && isTaken(row) ? yearFor[Number(row.year)] : undefined;
    if (year !== undefined) return { ...row, ggr: figureOf(row, year) };
    return row.product !== 'Poker'
      ? { ...row, ggr: Math.round(Number(row.ggr) * (1 + Number(row.year) / 1e5)) }
      : row;
  };
  return findingsIn(month({ ggr: change }));
};

describe('figures of a market that repeat another year', () => {
  it('are a warning where a year was carried forward in local currency', async () => {
    expect(await monthWith({ 2025: 2024 }, ({ fx }) => fx === 'XTS')).toContain(
      "warn ggr: Country C: 1 changed reported value repeats another year's: 2025 that of 2024",
    );
  });

  it('are a warning where two years were exchanged', async () => {
    expect(await monthWith({ 2023: 2024, 2024: 2023 })).toContain(
      "warn ggr: Country C: 4 changed reported values repeat another year's: 2023 those of 2024 and 2024 those of 2023",
    );
  });

  it('are no finding where they are those of a year further away, or no year', async () => {
    const repeats = (texts: readonly string[]) => texts.filter((text) => text.includes('repeat'));
    expect(repeats(await monthWith({ 2025: 2022 }))).toEqual([]);
    expect(repeats(await monthWith({}))).toEqual([]);
  });
});

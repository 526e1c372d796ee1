// Writes the words for a cell that differs.

import type { Key, Revision } from '../compare/revision.ts';
import { amount, exactPair } from '../messages/numbers.ts';

/**
 * The words for a cell: `2024 Bingo EUR: 5,200 → 0`. Dimensions that the place names are left out. If the place names a later
 * year, the second value is of that year: `2023 → 2024 Bingo EUR: 5,200 → 0`.
 */
export function cell({ key, from, to }: Revision, place: Key = {}): string {
  const { country, year, region: _, temporal: __, ...rest } = key;
  const isOfTwoYears = to !== null && place.year !== undefined && place.year !== year;
  const names = [
    ...(place.country === undefined && country !== undefined ? [country] : []),
    ...(year === undefined ? [] : [isOfTwoYears ? `${year} → ${place.year}` : year]),
    ...Object.entries(rest)
      .filter(([dimension, value]) => !(dimension in place) && value !== '')
      .map(([, value]) => value),
  ].join(' ');
  if (from === null && to === null) return names;
  if (from === null) return `${names}: ${amount(to)}`;
  if (to === null) return `${names}: ${amount(from)}`;
  return `${names}: ${exactPair(from, to).join(' → ')}`;
}

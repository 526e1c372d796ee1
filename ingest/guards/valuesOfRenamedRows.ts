// Tells which values vanished or appeared only because rows were renamed.
// The verdict on the rows then reports these values, too.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import type { PatternVerdict } from './guard.ts';

/**
 * Whether refused verdicts on renamed rows have all rows that lost a value (`from`) or got one (`to`). Verdicts with
 * several pairs of values do not count, because a row may be in several of their pairs.
 */
const areAllRowsRenamed = (
  verdicts: readonly PatternVerdict[],
  side: 'from' | 'to',
  { dimension, value, rows }: { dimension: DimensionName; value: string | number; rows: number },
): boolean =>
  verdicts.reduce((sum, { severity, pattern: { family, between, cells } }) => {
    const [pair, ...others] = between?.dimension === dimension ? between.pairs : [];
    const isOwn = severity === 'refuse' && family === 'renamed' && others.length === 0;
    return isOwn && pair?.[side] === value ? sum + cells : sum;
  }, 0) === rows;

/**
 * Whether all rows of a vanished value have another value of the same dimension now. A country that is gone has a finding
 * of its own, because its rows are in another country.
 */
export const isGoneByRenaming = (
  verdicts: readonly PatternVerdict[],
  dimension: DimensionName,
  { value, rows }: { readonly value: string | number; readonly rows: number },
): boolean => dimension !== 'country' && areAllRowsRenamed(verdicts, 'from', { dimension, value, rows });

/** Whether only one value is new to a country, and all rows with it had another value of the same dimension before. */
export function isIntroducedByRenaming(
  verdicts: readonly PatternVerdict[],
  { introduced }: DatasetComparison,
): boolean {
  const [first, ...others] = introduced.values;
  return first !== undefined && others.length === 0 && areAllRowsRenamed(verdicts, 'to', first);
}

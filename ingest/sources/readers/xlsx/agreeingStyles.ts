// Finds the cell styles whose currency agrees with all currencies in the texts of the workbook.
//
// The currency of each single cell of these styles need not be checked.

import { getOrInsert } from '../../../../src/basics/maps.ts';
import { CURRENCY_CODES } from '../../../messages/currencyCodes.ts';
import { mayShow } from '../../../messages/currencySigns.ts';
import type { CellContext } from './cellValue.ts';

/**
 * A function that tests whether a style shows a currency that agrees with all currencies in the shared texts of the workbook.
 * These texts include the currency of each row, and the one in the heading of a metric, such as `gdp_usd`.
 */
export function agreeingStyles({ strings, styles }: Pick<CellContext, 'strings' | 'styles'>) {
  if (styles.kinds.every(({ kind }) => kind !== 'priced')) return () => false;
  const named = new Set<string>();
  for (const text of strings) {
    if (typeof text !== 'string' || text.length > LONGEST_HEADING) continue;
    const code = text.length < 8 ? text.trim().toUpperCase() : '';
    if (CURRENCY_CODES.has(code)) named.add(code);
    else for (const [unit] of text.toUpperCase().matchAll(UNITS)) named.add(unit);
  }
  const known = new Map<string, boolean>();
  const agrees = (sign: string) => named.size > 0 && [...named].every((code) => mayShow(sign, code));
  return (style: number): boolean => {
    const kind = styles.kinds[style];
    if (kind?.kind !== 'priced') return false;
    return getOrInsert(known, kind.currency, () => agrees(kind.currency));
  };
}

const LONGEST_HEADING = 64;

const UNITS = /(?<![A-Z])(?:USD|EUR)(?![A-Z])/g;

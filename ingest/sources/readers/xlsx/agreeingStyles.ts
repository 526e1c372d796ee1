// Tells which number formats show a currency that no text of the workbook contradicts: rows of such cells are plain.

import { mayShow } from '../../../messages/currencySigns.ts';
import type { CellContext } from './cellValue.ts';

/**
 * Whether a style shows the only currencies that the shared texts of the workbook name. The currency of a row of shared
 * texts is among them, and so is that in the heading of a metric, such as `gdp_usd`.
 */
export function agreeingStyles({ strings, styles }: Pick<CellContext, 'strings' | 'styles'>) {
  const { currencies } = styles;
  if (currencies === null) return () => false;
  const named = new Set<string>();
  for (const text of strings) {
    if (typeof text !== 'string' || text.length > LONGEST_HEADING) continue;
    const code = text.length < 8 ? text.trim().toUpperCase() : '';
    if (CODES.has(code)) named.add(code);
    else for (const [unit] of text.toUpperCase().matchAll(UNITS)) named.add(unit);
  }
  const known = new Map<string, boolean>();
  const agrees = (sign: string) => named.size > 0 && [...named].every((code) => mayShow(sign, code));
  return (style: number): boolean => {
    const sign = currencies[style] ?? null;
    if (sign === null || styles.kinds[style] !== 'priced') return false;
    const agreement = known.get(sign) ?? agrees(sign);
    known.set(sign, agreement);
    return agreement;
  };
}

const LONGEST_HEADING = 64;

/** A code that is not listed is warned of by itself; headings such as `GGR` are no codes. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const UNITS = /(?<![A-Z])(?:USD|EUR)(?![A-Z])/g;

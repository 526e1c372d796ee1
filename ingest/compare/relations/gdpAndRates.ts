// The gross domestic products of countries in two currencies, and the rates of fx that should convert one into the other.

import type { Matched } from '../rows/matchedRows.ts';
import type { Rows } from '../rows/rows.ts';
import type { SideName } from '../side.ts';
import type { AmountKey, AmountKeys } from './amountKeys.ts';
import type { FigureKind } from './figureKind.ts';
import type { Rates } from './rates.ts';

export interface GdpAndRates {
  /** The dataset `country`. */
  readonly matched: Matched;
  readonly keys: AmountKeys;
  readonly rates: Readonly<Record<SideName, Rates>>;
  /** The kind of figures that are compared. */
  readonly kind: FigureKind;
}

/** A function that gives the quotient of both GDPs of a row: the USD for one unit of local currency. */
export function gdpQuotients({ metrics }: Matched, rows: Rows): (row: number) => number {
  const [usd, local] = [metrics.indexOf('gdp_usd'), metrics.indexOf('gdp_local_currency')];
  const [inUsd, inLocal] = [rows.values(usd), rows.values(local)];
  return (row) => (inUsd[row] as number) / (inLocal[row] as number);
}

/** The key of the rates that convert the GDP of a row. */
export const gdpKey = ({ matched: { codes }, keys }: GdpAndRates, rows: Rows, row: number): AmountKey =>
  keys.encode(keys.country(codes.countryOf(rows, row)), 'USD', codes.yearOf(rows, row));

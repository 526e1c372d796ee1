// Finds years that begin with a GDP in USD that does not equal GDP in local currency at the rates of fx.

import { addedRows } from '../rows/rowLists.ts';
import { DRIFTED } from './currenciesDrifted.ts';
import { isOfKind } from './figureKind.ts';
import { type GdpAndRates, gdpKey, gdpQuotients } from './gdpAndRates.ts';
import { AGREEING_DISTANCE, distanceFromCurrent } from './rateDistances.ts';
import type { Broken } from './relationLevels.ts';

/**
 * Finds the new rows in which both GDPs disagree, where those of the year before agree. A row is also new when its `calculation`
 * changed.
 */
export function gdpApartInNewYears(indicators: GdpAndRates): Broken[] {
  const { matched, rates, kind } = indicators;
  const { codes, changed, after } = matched;
  const nation = codes.codeOf('state', '');
  const isOfNation = (row: number) => after.code('state', row) === nation;
  const added = [...addedRows(changed)].filter(
    (row) => isOfNation(row) && isOfKind(kind, matched, after, row),
  );
  if (added.length === 0) return [];
  const quotientOf = gdpQuotients(matched, after);
  const countryOf = (row: number) => codes.countryOf(after, row);
  const yearOf = (row: number) => codes.yearOf(after, row);
  /** The distance of GDP in USD from the rates of its year; infinite where there is none. */
  const distanceOf = (row: number): number =>
    distanceFromCurrent(rates.after.get(gdpKey(indicators, after, row)), quotientOf(row));
  const apart = added.filter((row) => {
    const distance = distanceOf(row);
    return distance > AGREEING_DISTANCE && distance < Number.POSITIVE_INFINITY;
  });
  if (apart.length === 0) return [];
  const distances = new Map<string, number>();
  for (let row = 0; row < after.count; row += 1)
    if (isOfNation(row)) distances.set(`${countryOf(row)} ${yearOf(row)}`, distanceOf(row));
  return apart.flatMap((row): Broken[] => {
    const [country, year] = [countryOf(row), yearOf(row)];
    const before = distances.get(`${country} ${year - 1}`);
    if (before === undefined || !(before <= DRIFTED)) return [];
    const where = { dataset: 'country', country, year, currency: 'USD', level: 0, place: 'GDP' } as const;
    return [{ relation: 'currencies-apart', ...where, before, after: distanceOf(row) }];
  });
}

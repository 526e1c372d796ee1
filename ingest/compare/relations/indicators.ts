// Finds broken relations of indicators: GDP in USD against local currency, forecasts against reported figures, multiplied figures.

import type { BrokenOfKind } from '../brokenRelation.ts';
import { movedByOneFactor } from '../factors/search.ts';
import { isOfKind } from './figureKind.ts';
import { type GdpAndRates, gdpKey, gdpQuotients } from './gdpAndRates.ts';
import { gdpDrifted } from './gdpDrifted.ts';
import { gdpApartInNewYears } from './gdpOfNewYears.ts';
import { AGREEING_DISTANCE, distanceFromCurrent } from './rateDistances.ts';
import { type Broken, merged } from './relationLevels.ts';

/** The broken relations of the dataset `country`. */
export function indicatorsBroken(indicators: GdpAndRates): BrokenOfKind[] {
  const { matched, kind } = indicators;
  const apart = merged([...gdpApart(indicators), ...gdpApartInNewYears(indicators)], Math.max);
  const drifted = gdpDrifted(indicators);
  if (kind === 'forecasts')
    return [...apart, ...drifted, ...movedByOneFactor(matched, 'indicatorForecasts', null)];
  const known = new Set([...apart, ...drifted].map(({ country }) => country));
  const multiplied = movedByOneFactor(matched, 'indicators', null).filter(
    ({ country, places }) => !(known.has(country) && places.every((metric) => metric.startsWith('gdp_'))),
  );
  return [...apart, ...drifted, ...multiplied];
}

/**
 * The years in which GDP in USD no longer equals GDP in local currency at the rates of fx, because one of both was revised. Years
 * in which only the rate moved are left out, because the source of GDP uses rates of its own.
 */
function gdpApart(indicators: GdpAndRates): Broken[] {
  const { matched, rates, kind } = indicators;
  const { codes, changed, before: old, after: fresh } = matched;
  const nation = codes.codeOf('state', '');
  const [quotientBefore, quotientAfter] = [gdpQuotients(matched, old), gdpQuotients(matched, fresh)];
  const found: Broken[] = [];
  for (let i = 0; i < changed.count; i += 1) {
    const a = changed.before[i] as number;
    const b = changed.after[i] as number;
    if (a < 0 || b < 0 || !isOfKind(kind, matched, old, a) || old.code('state', a) !== nation) continue;
    const [was, is] = [quotientBefore(a), quotientAfter(b)];
    if (!(Math.abs(is / was - 1) > AGREEING_DISTANCE)) continue;
    const country = codes.countryOf(old, a);
    const year = codes.yearOf(old, a);
    const key = gdpKey(indicators, old, a);
    const before = distanceFromCurrent(rates.before.get(key), was);
    const after = distanceFromCurrent(rates.after.get(key), is);
    if (!(before <= AGREEING_DISTANCE && after > AGREEING_DISTANCE && after < Number.POSITIVE_INFINITY))
      continue;
    const where = { dataset: 'country', country, year, currency: 'USD', level: 0, place: 'GDP' } as const;
    found.push({ relation: 'currencies-apart', ...where, before, after });
  }
  return found;
}

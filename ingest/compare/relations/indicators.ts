// Finds broken relations of indicators: GDPs that disagree, and indicators or their forecasts that were multiplied.

import type { BrokenOfKind } from '../brokenRelation.ts';
import { movedByOneFactor } from '../factors/search.ts';
import { type GdpAndRates, gdpBroken } from './gdp.ts';

/** The broken relations of the dataset `country`. */
export function indicatorsBroken(indicators: GdpAndRates): BrokenOfKind[] {
  const { matched, kind } = indicators;
  const ofGdp = gdpBroken(indicators);
  if (kind === 'forecasts') return [...ofGdp, ...movedByOneFactor(matched, 'indicatorForecasts', null)];
  const known = new Set(ofGdp.map(({ country }) => country));
  const multiplied = movedByOneFactor(matched, 'indicators', null).filter(
    ({ country, places }) => !(known.has(country) && places.every((metric) => metric.startsWith('gdp_'))),
  );
  return [...ofGdp, ...multiplied];
}

// Computes the course of a market over the years: growth, the pandemic, the move to online, licences and events.

import { swing } from './keyedRandom.ts';
import { BASE_YEAR, DESTINATIONS, PANDEMIC, type PandemicKind } from './tables/calendar.ts';
import type { Country } from './tables/countries.ts';
import { EVENTS, type MarketEvent } from './tables/events.ts';
import { type ProductKey, productOf, type SubChannel } from './tables/taxonomy.ts';
import { SHAPES } from './tables/tiersAndShapes.ts';

/**
 * The revenue of a product in a country or state, as a multiple of the figure for 2024 in the tables. `state` is the state;
 * '' for the whole country.
 */
export function curve(country: Country, state: string, key: ProductKey, year: number): number {
  const { landGrowth, onlineMiddle, onlineWidth } = SHAPES[country.shape];
  const adopted = (y: number) => 1 / (1 + Math.exp(-(y - onlineMiddle) / onlineWidth));
  const trend =
    productOf(key).channel === 'Land'
      ? (1 + landGrowth) ** (year - BASE_YEAR)
      : adopted(year) / adopted(BASE_YEAR);
  const open: Readonly<Record<number, number>> = PANDEMIC[pandemicKind(country, key)];
  return trend * (open[year] ?? 1) * (1 + 0.015 * swing(country.name, state, key, year));
}

/** The share of a product's revenue that comes through a sub-channel; 1 when the product has only one. */
export function subChannelShare(country: Country, key: ProductKey, sub: SubChannel, year: number): number {
  if (productOf(key).subChannels.length === 1) return 1;
  const offshore = offshoreShare(country, year);
  return sub === 'Offshore' ? offshore : 1 - offshore;
}

/** The factor of all events on a market, relative to 2024; 0 while there is no market. */
export function eventFactor(country: Country, key: ProductKey, sub: SubChannel, year: number): number {
  return EVENTS.filter(
    (event) =>
      event.country === country.name && event.products.includes(key) && (event.subChannel ?? sub) === sub,
  ).reduce((factor, event) => factor * (effect(event, year) / (effect(event, BASE_YEAR) || 1)), 1);
}

function pandemicKind(country: Country, key: ProductKey): PandemicKind {
  const { category, channel, subChannels } = productOf(key);
  if (channel === 'Online') return 'online';
  if (category === 'Lottery') return 'lottery';
  if ((key === 'SV' || key === 'TV') && DESTINATIONS.includes(country.name)) return 'destination';
  return subChannels.includes('Venue') ? 'venue' : 'retail';
}

/** The offshore share: players move onshore in the five years after regulation, down to the final share. */
function offshoreShare({ regulatedFrom, offshoreShare }: Country, year: number): number {
  if (regulatedFrom === 'never') return 1;
  if (regulatedFrom === 'monopoly') {
    return Math.min(0.95, offshoreShare * (1 + 0.01 * Math.max(0, BASE_YEAR - year)));
  }
  if (year < regulatedFrom) return 1;
  return offshoreShare + (1 - offshoreShare) * Math.max(0, 1 - (year - regulatedFrom + 1) / 5);
}

function effect({ kind, year: since, factor }: MarketEvent, year: number): number {
  switch (kind) {
    case 'step':
      return year < since ? 1 : factor;
    case 'dip':
      return year === since || year === since + 1 ? factor : 1;
    case 'end':
      if (year === since) return factor;
      return year < since ? 1 : 0;
    case 'start':
      return year < since ? 0 : Math.min(1, factor + 0.2 * (year - since));
  }
}

// The words of the page of a country or product.

import type { EntityKind } from '../model/question.ts';
import { SERVICE } from './pageTexts.ts';

export const ENTITY = {
  leftOut: 'This page has no filters, and its own currency and years. These parts of the link were left out:',
  pages: { country: 'Country pages', product: 'Product pages' },
  others: { country: 'countries', product: 'products' },
  rankingTitle: (kind: EntityKind): string => `Place among ${ENTITY.others[kind]}`,
  rankedAs: (
    name: string,
    { rank, rankedCount }: { readonly rank: number; readonly rankedCount: number },
    kind: EntityKind,
    year: number,
  ): string =>
    rankedCount === 1
      ? `${name} is the only ${kind} in the ranking by gross gaming revenue in ${year}`
      : `${name} is ${rank} of ${rankedCount} ${ENTITY.others[kind]} by gross gaming revenue in ${year}`,
  rankingSummary: (kind: EntityKind, year: number, values: string): string =>
    `Bar chart of the nearest ${ENTITY.others[kind]} in ${year}: ${values}.`,
  notRanked: (kind: EntityKind, names: string, count: number, year: number): string =>
    `${kind === 'country' ? 'Not ranked' : 'Not in these sums'}: ${names}. In ${year}, ${count === 1 ? 'its' : 'their'} rows are of states alone or in other currencies.`,
  ofState: (state: string): string =>
    `All figures are of ${state}, because there are no rows of a whole country.`,
  yearsTitle: 'Year by year',
  revenue: 'Gross gaming revenue',
  change: 'Change on the year before',
  coverage: 'coverage',
  coverageNote: 'Coverage: countries begin or end in that year, so the change is not growth.',
  kinds: { country: 'Country', product: 'Product' },
  missing: (kind: EntityKind): string => `The data has no ${kind}`,
  noRevenue: 'There is no revenue here.',
  ambiguous: 'Its revenue has no sum until you choose which rows you mean.',
  source: (snapshot: string): string =>
    `Source: ${SERVICE}, ggr, snapshot ${snapshot}. Money is converted at each year’s rate.`,
  explore: (name: string): string => `Explore ${name} in full`,
  exploreAll: 'Explore all data',
  open: 'Open this chart',
} as const;

export const FIGURES = {
  revenue: (year: number, unit: string): string => `Gross gaming revenue in ${year}, ${unit}`,
  on: (year: number): string => ` on ${year}`,
  rank: (rank: number, of: number): string => `${rank} of ${of}`,
  place: (kind: EntityKind, year: number): string => `Place among ${ENTITY.others[kind]} in ${year}`,
  share: 'Share of the world',
  someForecasts: 'some values are forecasts',
  in: (year: number, hasForecasts: boolean): string =>
    `in ${year}${hasForecasts ? `; ${FIGURES.someForecasts}` : ''}`,
  perAdult: (year: number, unit: string): string => `Revenue per adult in ${year}, ${unit}`,
  adults: (count: string): string => `${count} ${count === '1' ? 'adult' : 'adults'}`,
  ofGdp: 'Revenue as a share of gross domestic product',
  gdp: (gdp: string, year: number): string => `of ${gdp} in ${year}`,
  inflation: (year: number): string => `Inflation in ${year}`,
} as const;

// Computes the gross domestic product, adults and inflation of countries and states, as a month publishes them.

import type { DATASETS } from '../../src/catalog/datasets.ts';
import { swing } from './keyedRandom.ts';
import { baseUsd, currentRate } from './sampleRates.ts';
import { gdpRevision, isInflationLeftOut } from './sampleRevisions.ts';
import type { State } from './tables/breakdowns.ts';
import type { Month } from './tables/calendar.ts';
import {
  BASE_YEAR,
  CALM_PRICES,
  FIRST_YEAR,
  GROWTH_WAVE,
  INFLATION_WAVE,
  LAST_CLOSED_YEAR,
  LAST_YEAR,
  YEARS,
} from './tables/calendar.ts';
import { type Country, isAmalgamated, LATE_REPORTERS } from './tables/countries.ts';
import { SHAPES } from './tables/tiersAndShapes.ts';

/** The origin of a figure: published by a source, calculated from other figures, or estimated. */
export type Calculation = 'Reported' | 'Calculated' | 'Estimated';

/** The figures of a country or state in one year; null for a figure that is not published. */
export type Indicators = {
  readonly year: number;
  readonly calculation: Calculation;
  readonly adult_population: number;
} & { readonly [Metric in keyof typeof DATASETS.country.metrics]: number | null };

/**
 * The figures of a country, or of one of its states, for each year. The GDP of a state is a constant share of its
 * country's.
 */
export function indicators(month: Month, country: Country, state: State | null): readonly Indicators[] {
  const gdpByYear = localGdp(country);
  const share = state === null ? 1 : state.gdpUsd / country.gdpUsd;
  const adults = state?.adults ?? country.adults;
  return YEARS.map((year) => {
    const calculation = calculationOf(country, state, year);
    const revision = gdpRevision(month, country, year, calculation === 'Reported');
    const gdp = isUnpublished(country, year)
      ? null
      : wholeMillions((gdpByYear.get(year) ?? Number.NaN) * share * revision);
    return {
      year,
      calculation,
      gdp_local_currency: gdp,
      gdp_usd: gdp === null ? null : Math.round(gdp * currentRate(month, country.currency, 'USD', year)),
      adult_population: Math.round(adults * (1 + SHAPES[country.shape].adultsGrowth) ** (year - BASE_YEAR)),
      inflation:
        state !== null || hasNoPrices(country) || isInflationLeftOut(month, country, year)
          ? null
          : inflation(country, year),
    };
  });
}

function calculationOf(country: Country, state: State | null, year: number): Calculation {
  if (year > LAST_CLOSED_YEAR) return 'Estimated';
  if (state !== null || isAmalgamated(country)) return 'Calculated';
  return year === LAST_CLOSED_YEAR && LATE_REPORTERS.includes(country.name) ? 'Estimated' : 'Reported';
}

/** The GDP of a country in local currency by year, computed from the base year in both directions. */
function localGdp(country: Country): ReadonlyMap<number, number> {
  const gdpByYear = new Map([[BASE_YEAR, country.gdpUsd / baseUsd(country)]]);
  const gdpOf = (year: number) => gdpByYear.get(year) ?? Number.NaN;
  for (let year = BASE_YEAR + 1; year <= LAST_YEAR; year++) {
    gdpByYear.set(year, gdpOf(year - 1) * nominalGrowth(country, year));
  }
  for (let year = BASE_YEAR - 1; year >= FIRST_YEAR; year--) {
    gdpByYear.set(year, gdpOf(year + 1) / nominalGrowth(country, year + 1));
  }
  return gdpByYear;
}

const nominalGrowth = (country: Country, year: number) =>
  (1 + inflation(country, year) / 100) * (1 + realGrowth(country, year) / 100);

/** Inflation in percent, to 1 decimal. It follows the loss in value of the currency, in forecasts only by a quarter. */
function inflation(country: Country, year: number): number {
  const lost = Math.max(0, 100 * country.yearlyLoss - 1) / (year > LAST_CLOSED_YEAR ? 4 : 1);
  const usual = CALM_PRICES[country.name] ?? 2 + lost;
  return oneDecimal(usual + (INFLATION_WAVE[year] ?? 0) + 0.4 * swing('infl', country.name, year));
}

const realGrowth = (country: Country, year: number) =>
  100 * SHAPES[country.shape].realGrowth + (GROWTH_WAVE[year] ?? 0) + 0.6 * swing('real', country.name, year);

/** Countries of tier 3 have no forecast of their GDP for the last year. */
const isUnpublished = (country: Country, year: number) => country.tier === 3 && year === LAST_YEAR;

/**
 * Whether a country has no inflation. Monaco has the prices of France. The small markets of a region are one entry, without
 * common prices.
 */
const hasNoPrices = (country: Country) => isAmalgamated(country) || country.name === 'Monaco';

const wholeMillions = (amount: number) => Math.round(amount / 1e6) * 1e6;

const oneDecimal = (percent: number) => Math.round(percent * 10) / 10;

// Makes the rows of each dataset of a month, as they are published.

import type { DATASETS, DatasetName } from '../../src/catalog/datasets.ts';
import { type Calculation, type Indicators, indicators } from './economy.ts';
import { draw, swing } from './keyedRandom.ts';
import type { Columns } from './layouts.ts';
import { type Fact, facts } from './model.ts';
import { baseUsd, constantRate, currentRate } from './sampleRates.ts';
import { lastReportedYear, revise } from './sampleRevisions.ts';
import { BREAKDOWNS } from './tables/breakdowns.ts';
import type { Month } from './tables/calendar.ts';
import { LAST_CLOSED_YEAR, YEARS } from './tables/calendar.ts';
import { COUNTRIES, type Country, isAmalgamated } from './tables/countries.ts';
import { productOf } from './tables/taxonomy.ts';

type Temporal = 'Current' | 'Forecast';

// These are types and not interfaces, so that a row can be assigned to `Columns`.
type Place = {
  readonly year: number;
  readonly region: string;
  readonly country: string;
  readonly state: string;
};
type Market = Place & {
  readonly category: string;
  readonly product: string;
  readonly channel: string;
  readonly sub_channel: string;
  readonly fx: string;
  readonly temporal: Temporal;
};
export type GgrRow = Market & { readonly ggr: number };
export type TurnoverRow = Market & { readonly turnover: number };
type FxRow = Place & {
  readonly fx_local_currency: string;
  readonly temporal: Temporal;
  readonly calculation: Calculation;
} & { readonly [Metric in keyof typeof DATASETS.fx.metrics]: number };
type CountryRow = Place & Indicators & { readonly temporal: Temporal };
type ReferenceRow = {
  readonly region: string;
  readonly country: string;
  readonly country_type: 'Tracked' | 'Amalgamated';
};

export interface SampleRows extends Readonly<Record<DatasetName, readonly Columns[]>> {
  readonly ggr: readonly GgrRow[];
  readonly turnover: readonly TurnoverRow[];
  readonly fx: readonly FxRow[];
  readonly country: readonly CountryRow[];
  readonly country_reference: readonly ReferenceRow[];
}

/** All rows of a month, with countries in the order of their table. The same month always gives the same rows. */
export function sampleRows(month: Month): SampleRows {
  const published = revise(month, facts())
    .map((fact) => ({ ...fact, local: Math.round(fact.local) }))
    .filter(isPublished);
  return {
    ggr: published.flatMap((fact) =>
      inCurrencies(month, fact, fact.local).map(([fx, ggr]) => ({ ...market(month, fact, fx), ggr })),
    ),
    turnover: published.flatMap((fact) => {
      const hold = holdOf(fact);
      if (hold === null) return [];
      return inCurrencies(month, fact, Math.round(fact.local / hold)).map(([fx, turnover]) => ({
        ...market(month, fact, fx),
        turnover,
      }));
    }),
    fx: COUNTRIES.flatMap((country) => YEARS.map((year) => fxRow(month, country, year))),
    country: COUNTRIES.flatMap((country) => countryRows(month, country)),
    country_reference: COUNTRIES.map((country) => ({
      region: country.region,
      country: country.name,
      country_type: isAmalgamated(country) ? 'Amalgamated' : 'Tracked',
    })),
  };
}

const SMALLEST_USD = 500_000;

/** Whether a fact is large enough to publish, at the rate of the base year, so that no series ends because a rate moved. */
const isPublished = ({ country, local }: Fact) => local * baseUsd(country) >= SMALLEST_USD;

/** A local amount in each currency in which it is published, in whole units at the current rate of its year. */
function inCurrencies(month: Month, { country, state, year }: Fact, local: number): [string, number][] {
  const terms = state === '' ? (['USD', 'EUR'] as const) : (['USD'] as const);
  return [
    [country.currency, local],
    ...terms
      .filter((currency) => currency !== country.currency)
      .map((currency): [string, number] => [
        currency,
        Math.round(local * currentRate(month, country.currency, currency, year)),
      ]),
  ];
}

/**
 * The hold (ggr / turnover) of a market in a year, as a fraction within the range of its product; null when its stakes are
 * unknown.
 */
function holdOf({ country, state, key, subChannel, year }: Fact): number | null {
  const { holdPercent } = productOf(key);
  if (holdPercent === null || isAmalgamated(country)) return null;
  const [low, high] = holdPercent;
  const usual = low + (high - low) * (0.2 + 0.6 * draw('hold', country.name, key, subChannel));
  const percent = usual * (1 + 0.04 * swing('hold', country.name, state, key, subChannel, year));
  return Math.min(high, Math.max(low, percent)) / 100;
}

function market(month: Month, { country, state, key, subChannel, year }: Fact, fx: string): Market {
  const { category, product, channel } = productOf(key);
  return {
    year,
    region: country.region,
    country: country.name,
    state,
    category,
    product,
    channel,
    sub_channel: subChannel,
    fx,
    temporal: year > lastReportedYear(month, country) ? 'Forecast' : 'Current',
  };
}

function fxRow(month: Month, { name, region, tier, currency }: Country, year: number): FxRow {
  return {
    year,
    region,
    country: name,
    state: '',
    fx_local_currency: currency,
    temporal: temporalOf(year),
    calculation: year > LAST_CLOSED_YEAR ? 'Estimated' : tier <= 2 ? 'Reported' : 'Calculated',
    fx_constant_usd: constantRate(month, currency, 'USD'),
    fx_current_eur: currentRate(month, currency, 'EUR', year),
    fx_constant_eur: constantRate(month, currency, 'EUR'),
    fx_current_usd: currentRate(month, currency, 'USD', year),
  };
}

function countryRows(month: Month, country: Country): CountryRow[] {
  return [null, ...(BREAKDOWNS[country.name]?.states ?? [])].flatMap((state) =>
    indicators(month, country, state).map(({ year, ...rest }) => ({
      year,
      region: country.region,
      country: country.name,
      state: state?.name ?? '',
      temporal: temporalOf(year),
      ...rest,
    })),
  );
}

/** The temporal of rates and indicators. Countries that report late do so only for gambling. */
const temporalOf = (year: number): Temporal => (year > LAST_CLOSED_YEAR ? 'Forecast' : 'Current');

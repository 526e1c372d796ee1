// Computes every market of the sample in local currency, before it is revised, rounded and converted.

import { once } from '../../src/basics/once.ts';
import { curve, eventFactor, subChannelShare } from './curves.ts';
import { baseUsd } from './sampleRates.ts';
import { BREAKDOWNS, type Breakdown, type Market } from './tables/breakdowns.ts';
import { BASE_YEAR, LAST_CLOSED_YEAR, LAST_YEAR } from './tables/calendar.ts';
import { COUNTRIES, type Country } from './tables/countries.ts';
import { EXTRA_SHARES, PROFILES, type Shares } from './tables/profiles.ts';
import { type ProductKey, productOf, type SubChannel } from './tables/taxonomy.ts';
import { TIERS } from './tables/tiersAndShapes.ts';

/** One market in one year. */
export interface Fact {
  readonly country: Country;
  /** The state; '' when the fact is of the whole country. */
  readonly state: string;
  readonly key: ProductKey;
  readonly subChannel: SubChannel;
  readonly year: number;
  /** ggr in local currency. */
  readonly local: number;
}

/** All facts, with countries in the order of their table. They are computed once for all months. */
export const facts = once((): readonly Fact[] => COUNTRIES.flatMap(countryFacts));

function countryFacts(country: Country): readonly Fact[] {
  const breakdown = BREAKDOWNS[country.name];
  return breakdown === undefined
    ? wholeFacts(country, statedUsd(country))
    : [...brokenDownFacts(country, breakdown), ...wholeFacts(country, restUsd(country, breakdown))];
}

function wholeFacts(country: Country, stated: Stated): readonly Fact[] {
  return [...stated].flatMap(([key, usd]) =>
    productOf(key).subChannels.flatMap((sub) =>
      series({ country, state: '', key, subChannel: sub }, (year) => {
        const share = subChannelShare(country, key, sub, year) * eventFactor(country, key, sub, year);
        return usd * share * curve(country, '', key, year);
      }),
    ),
  );
}

/** The facts of products that are broken down by state: facts of each state, of the country, and of its Offshore part. */
function brokenDownFacts(country: Country, breakdown: Breakdown): readonly Fact[] {
  return coverages(breakdown).flatMap(([key, coverage]) => {
    const { subChannels } = productOf(key);
    const [onshore] = subChannels;
    if (onshore === undefined) return [];
    const markets = breakdown.states.flatMap((state) => {
      const market = state.markets[key];
      return market === undefined ? [] : [{ state: state.name, market }];
    });
    const inState = (state: string, market: Market, year: number) =>
      market.ggrUsd * ramp(market, year) * curve(country, state, key, year);
    const inCountry = (year: number) =>
      markets.reduce((sum, { state, market }) => sum + inState(state, market, year), 0) / coverage;
    const offshore = offshoreUsd(country, breakdown, key, coverage);
    const national = { country, state: '', key };
    return [
      ...series({ ...national, subChannel: onshore }, inCountry),
      ...(subChannels.includes('Offshore')
        ? series(
            { ...national, subChannel: 'Offshore' },
            (year) => offshore * Math.sqrt(curve(country, '', key, year)),
          )
        : []),
      ...markets.flatMap(({ state, market }) =>
        series({ country, state, key, subChannel: onshore }, (year) => inState(state, market, year)),
      ),
    ];
  });
}

/** The facts of one series. `usd` returns its value in dollars of the base year, which is 0 when there is no market. */
function series(
  market: Pick<Fact, 'country' | 'state' | 'key' | 'subChannel'>,
  usd: (year: number) => number,
): readonly Fact[] {
  const { country } = market;
  const found: Fact[] = [];
  for (let year: number = TIERS[country.tier].firstYear; year <= LAST_YEAR; year++) {
    const slid = (1 + country.yearlyLoss) ** (Math.min(year, LAST_CLOSED_YEAR) - BASE_YEAR);
    const local = (usd(year) / baseUsd(country)) * slid;
    if (local > 0) found.push({ ...market, year, local });
  }
  return found;
}

/** ggr of 2024 in USD by product. */
type Stated = ReadonlyMap<ProductKey, number>;

const statedUsd = (country: Country): Stated =>
  new Map([...shares(country)].map(([key, share]) => [key, country.ggrUsd * share]));

/**
 * The ggr of each product that is not broken down by state. These products share what the others leave of the country's
 * ggr.
 */
function restUsd(country: Country, breakdown: Breakdown): Stated {
  const brokenDown = coverages(breakdown);
  const left = brokenDown.reduce(
    (usd, [key, coverage]) =>
      usd - onshoreUsd(breakdown, key, coverage) - offshoreUsd(country, breakdown, key, coverage),
    country.ggrUsd,
  );
  const rest = [...shares(country)].filter(([key]) => breakdown.coverage[key] === undefined);
  const whole = rest.reduce((sum, [, share]) => sum + share, 0);
  return new Map(rest.map(([key, share]) => [key, (left * share) / whole]));
}

/** Each product's share of a country's revenue, for the products that its tier covers. */
function shares(country: Country): ReadonlyMap<ProductKey, number> {
  const ofChannel = { Land: 1 - country.onlineShare, Online: country.onlineShare };
  const found = new Map<ProductKey, number>();
  for (const channel of ['Land', 'Online'] as const) {
    const largest = entries(PROFILES[country.profile][channel])
      .sort(([, a], [, b]) => b - a)
      .slice(0, TIERS[country.tier][channel]);
    const whole = largest.reduce((sum, [, percent]) => sum + percent, 0);
    for (const [key, percent] of largest) found.set(key, (percent / whole) * ofChannel[channel]);
  }
  // An extra product replaces the same product of the profile.
  for (const [key, percent] of entries(EXTRA_SHARES[country.name] ?? {})) {
    found.set(key, (percent / 100) * ofChannel[productOf(key).channel]);
  }
  return found;
}

const coverages = (breakdown: Breakdown) => entries(breakdown.coverage);

function onshoreUsd({ states }: Breakdown, key: ProductKey, coverage: number): number {
  const inStates = states.reduce((sum, { markets }) => {
    const market = markets[key];
    return market === undefined || (market.opened ?? 0) > BASE_YEAR ? sum : sum + market.ggrUsd;
  }, 0);
  return inStates / coverage;
}

function offshoreUsd(country: Country, breakdown: Breakdown, key: ProductKey, coverage: number): number {
  if (!productOf(key).subChannels.includes('Offshore')) return 0;
  return (onshoreUsd(breakdown, key, coverage) * country.offshoreShare) / (1 - country.offshoreShare);
}

/** The size of a new market in its first years, relative to the size in the tables. */
function ramp({ opened }: Market, year: number): number {
  if (opened === null) return 1;
  const grown = (y: number) => (y < opened ? 0 : Math.min(1, 0.35 + 0.25 * (y - opened)));
  return grown(year) / (grown(BASE_YEAR) || 1);
}

const entries = (shares: Shares) => Object.entries(shares) as [ProductKey, number][];

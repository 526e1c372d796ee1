// Finds markets whose hold, ggr ÷ turnover, is in a new year far from their holds of earlier years.

import { groupBy } from '../../../src/basics/lists.ts';
import { type BrokenOfKind, brokenRelation } from '../brokenRelation.ts';
import { logDistance } from '../ratios.ts';
import type { AmountKey } from './amountKeys.ts';
import type { Amounts, MarketDataset } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';

/** A hold is far if it is outside the range of the earlier years by this factor. */
export const FAR_HOLD_FACTOR = 1.5;

/** The smallest ggr and turnover that are compared. Rounding moves the hold of smaller markets too much. */
const LEAST_FIGURE = 1000;

/** The number of earlier years whose holds form the usual range. */
const EARLIER_YEARS = 4;

/** A market in a new year of a country, in the currency in which its hold moved least. */
interface Market {
  readonly place: string;
  readonly key: AmountKey;
  readonly country: string;
  readonly year: number;
  /** The hold in this year. */
  readonly now: number;
  /** The hold in the year before. */
  readonly then: number;
}

/** A broken relation for each country and new year. Its places are the far markets, those with the most ggr first. */
export function findFarHolds(amounts: CollectedAmounts): BrokenOfKind[] {
  const suspects = suspectsOf(amounts);
  if (suspects.length === 0) return [];
  const far = farFromHistory(amounts, suspects);
  return [...groupBy(far, countryYear).values()].map((markets) => farHoldRelation(amounts, markets));
}

function farHoldRelation(
  amounts: CollectedAmounts,
  markets: readonly [FarMarket, ...FarMarket[]],
): BrokenOfKind {
  const totals = amounts.totals('ggr', 'after');
  const sized = markets
    .map((market) => ({ ...market, share: market.ggr / (totals.get(market.key) ?? Number.NaN) }))
    .sort((a, b) => b.share - a.share);
  const [{ country, year }] = markets;
  const worst = sized.reduce((a, b) => (logDistance(b.now, b.bound) > logDistance(a.now, a.bound) ? b : a));
  return brokenRelation({
    relation: 'hold-far',
    dataset: datasetThatMoved(amounts, markets),
    country,
    places: sized.map(({ place }) => place),
    years: [year],
    before: worst.bound,
    after: worst.now,
    share: sized.reduce((sum, { share }) => sum + share, 0),
  });
}

const FAR_APART = Math.log(FAR_HOLD_FACTOR);

const holdOf = (ggr: number | undefined, turnover: number | undefined): number =>
  (ggr ?? 0) >= LEAST_FIGURE && (turnover ?? 0) >= LEAST_FIGURE
    ? (ggr as number) / (turnover as number)
    : Number.NaN;

const countryYear = ({ country, year }: { readonly country: string; readonly year: number }): string =>
  `${country} ${year}`;

/** Markets whose hold is far from that of the year before, in every currency. */
function suspectsOf(amounts: CollectedAmounts): Market[] {
  const ggr = amounts.markets('ggr');
  return [...amounts.markets('turnover')].flatMap(([place, stakes]) => {
    const wins = ggr.get(place);
    return wins === undefined ? [] : suspectsAt(place, wins, stakes, amounts);
  });
}

/**
 * The suspects among the years of one market, at most one for each country and year. `wins` is the market's ggr, `stakes`
 * its turnover.
 */
function suspectsAt(place: string, wins: Amounts, stakes: Amounts, amounts: CollectedAmounts): Market[] {
  const { keys } = amounts;
  const far: Market[] = [];
  /** The keys of amounts whose hold is near that of the year before. */
  const near: number[] = [];
  for (const [key, stake] of stakes) {
    const then = holdOf(wins.get(key - 1), stakes.get(key - 1));
    if (Number.isNaN(then)) continue;
    const now = holdOf(wins.get(key), stake);
    if (Number.isNaN(now)) continue;
    if (logDistance(now, then) < FAR_APART) near.push(key);
    else if (amounts.isNewYearInAny(key)) far.push({ place, key, now, then, ...keys.decode(key) });
  }
  // Returns before keys are decoded, which is slow. Most months have no far hold.
  if (far.length === 0) return [];
  const withNearHold = new Set(near.map((key) => countryYear(keys.decode(key))));
  return [...groupBy(far, countryYear)]
    .filter(([inYear]) => !withNearHold.has(inYear))
    .map(([, markets]) =>
      markets.reduce((a, b) => (logDistance(b.now, b.then) < logDistance(a.now, a.then) ? b : a)),
    );
}

/** A market whose hold is outside the range of its earlier years. */
interface FarMarket extends Market {
  /** The end of the range that is nearer to the new hold. */
  readonly bound: number;
  readonly ggr: number;
  /** How much further turnover moved than ggr, as a difference of logarithms. */
  readonly turnoverMoved: number;
}

/** The suspects whose hold is also outside the range of the earlier years. */
function farFromHistory(amounts: CollectedAmounts, suspects: readonly Market[]): FarMarket[] {
  // The suspects were already compared with the year before, so the search begins two years back.
  const distances = Array.from({ length: EARLIER_YEARS - 1 }, (_, i) => i + 2);
  const wanted = new Set(
    suspects.flatMap(({ country, year }) =>
      distances.map((years) => countryYear({ country, year: year - years })),
    ),
  );
  const [earlierWins, earlierStakes] = [
    amounts.marketsIn('ggr', wanted),
    amounts.marketsIn('turnover', wanted),
  ];
  const [wins, stakes] = [amounts.markets('ggr'), amounts.markets('turnover')];
  return suspects.flatMap((market) => {
    const { place, key, now, then } = market;
    const earlier = distances
      .map((years) => key - years)
      .map((earlierKey) =>
        holdOf(earlierWins.get(place)?.get(earlierKey), earlierStakes.get(place)?.get(earlierKey)),
      )
      .filter((hold) => !Number.isNaN(hold));
    const bound = now > then ? Math.max(then, ...earlier) : Math.min(then, ...earlier);
    const isOutside = now > then ? now > bound : now < bound;
    if (!isOutside || logDistance(now, bound) < FAR_APART) return [];
    const turnoverMoved = movedBy(stakes.get(place), key) - movedBy(wins.get(place), key);
    return [{ ...market, bound, ggr: wins.get(place)?.get(key) ?? Number.NaN, turnoverMoved }];
  });
}

/** How far an amount moved since the year before, as a difference of logarithms. */
const movedBy = (amounts: Amounts | undefined, key: AmountKey): number =>
  logDistance(amounts?.get(key) ?? Number.NaN, amounts?.get(key - 1) ?? Number.NaN);

/** The dataset that a finding names: of the datasets that changed, the one whose figures moved more. */
function datasetThatMoved({ changed }: CollectedAmounts, markets: readonly FarMarket[]): MarketDataset {
  const [first = 'ggr', second] = changed;
  if (second === undefined) return first;
  const turnoverMoved = markets.reduce((sum, market) => sum + market.turnoverMoved, 0);
  return turnoverMoved > 0 ? 'turnover' : 'ggr';
}

// Finds markets whose hold, ggr ÷ turnover, is in a new year far from that of their earlier years.

import { groupBy } from '../../../src/groupBy.ts';
import type { AmountNames, Amounts, AmountsByPlace, MarketDataset } from './amounts.ts';
import type { BrokenOfKind } from './relationLevels.ts';

/** The factor by which a far hold is outside the range of the earlier years. */
const FAR_FACTOR = 1.5;

/** The smallest ggr and turnover that are compared. Rounding moves the hold of smaller markets too much. */
const LEAST_FIGURE = 1000;

/** The number of earlier years whose holds make the usual range. */
const YEARS = 4;

/** The amounts of the later side. */
export interface HoldSources {
  readonly names: AmountNames;
  /** The amounts of markets in new years, and in the year before each. */
  readonly markets: (dataset: MarketDataset) => AmountsByPlace;
  /** The amounts of markets in these countries and years, such as `Malta 2021`. */
  readonly marketsIn: (dataset: MarketDataset, wanted: ReadonlySet<string>) => AmountsByPlace;
  /** The amounts of whole countries. */
  readonly totals: (dataset: MarketDataset) => Amounts;
  /** Whether the year of a name is new in its country and currency, in either dataset. */
  readonly isBegun: (name: number) => boolean;
  /** The datasets that changed. A finding must be about one of them. */
  readonly changed: readonly MarketDataset[];
}

/** A market in a country's new year, with its holds of that year and of the year before, in the currency in which it moved least. */
interface Market {
  readonly place: string;
  readonly name: number;
  readonly country: string;
  readonly year: number;
  readonly now: number;
  readonly then: number;
}

/** One broken relation for each country and new year. Its places are markets, those with the most ggr first. */
export function holdsFar(sources: HoldSources): BrokenOfKind[] {
  const suspects = suspectsOf(sources);
  if (suspects.length === 0) return [];
  const far = farFromHistory(sources, suspects);
  return [...groupBy(far, ({ country, year }) => `${country} ${year}`).values()].map((all) => {
    const totals = sources.totals('ggr');
    const sized = all
      .map((one) => ({ ...one, share: one.ggr / (totals.get(one.name) ?? Number.NaN) }))
      .sort((a, b) => b.share - a.share);
    const [first] = all;
    const worst = sized.reduce((a, b) => (distance(b.now, b.bound) > distance(a.now, a.bound) ? b : a));
    return {
      relation: 'hold-far' as const,
      dataset: blamed(sources, all),
      country: first.country,
      places: sized.map(({ place }) => place),
      currency: null,
      years: [first.year],
      before: worst.bound,
      after: worst.now,
      share: sized.reduce((sum, { share }) => sum + share, 0),
    };
  });
}

const FAR_APART = Math.log(FAR_FACTOR);

const distance = (a: number, b: number) => Math.abs(Math.log(a / b));

const holdOf = (ggr: number | undefined, turnover: number | undefined): number =>
  (ggr ?? 0) >= LEAST_FIGURE && (turnover ?? 0) >= LEAST_FIGURE
    ? (ggr as number) / (turnover as number)
    : Number.NaN;

/** Markets whose hold is far from that of the year before, in every currency. */
function suspectsOf({ names, markets, isBegun }: HoldSources): Market[] {
  const ggr = markets('ggr');
  return [...markets('turnover')].flatMap(([place, stakes]) => {
    const wins = ggr.get(place);
    if (wins === undefined) return [];
    const [far, near] = [[] as Market[], [] as number[]];
    for (const [name, stake] of stakes) {
      const then = holdOf(wins.get(name - 1), stakes.get(name - 1));
      if (Number.isNaN(then)) continue;
      const now = holdOf(wins.get(name), stake);
      if (Number.isNaN(now)) continue;
      if (distance(now, then) < FAR_APART) near.push(name);
      else if (isBegun(name)) far.push({ place, name, now, then, ...names.placeOf(name) });
    }
    // Most months have no such market, so the slower names of countries are not needed.
    if (far.length === 0) return [];
    const key = ({ country, year }: { readonly country: string; readonly year: number }) =>
      `${country} ${year}`;
    const agreeing = new Set(near.map((name) => key(names.placeOf(name))));
    return [...groupBy(far, key)].flatMap(([name, all]) =>
      agreeing.has(name)
        ? []
        : [all.reduce((a, b) => (distance(b.now, b.then) < distance(a.now, a.then) ? b : a))],
    );
  });
}

/** A market whose hold is outside the range of its earlier years. */
interface FarMarket extends Market {
  /** The end of that range that is nearer to the new hold. */
  readonly bound: number;
  readonly ggr: number;
  /** How much further turnover moved than ggr, as a difference of logarithms. */
  readonly turnoverMoved: number;
}

function farFromHistory({ marketsIn, markets }: HoldSources, suspects: readonly Market[]): FarMarket[] {
  const back = Array.from({ length: YEARS - 1 }, (_, i) => i + 2);
  const wanted = new Set(
    suspects.flatMap(({ country, year }) => back.map((years) => `${country} ${year - years}`)),
  );
  const [ggr, turnover] = [marketsIn('ggr', wanted), marketsIn('turnover', wanted)];
  const [wins, stakes] = [markets('ggr'), markets('turnover')];
  return suspects.flatMap((market) => {
    const { place, name, now, then } = market;
    const earlier = back
      .map((years) => holdOf(ggr.get(place)?.get(name - years), turnover.get(place)?.get(name - years)))
      .filter((hold) => !Number.isNaN(hold));
    const bound = now > then ? Math.max(then, ...earlier) : Math.min(then, ...earlier);
    const isOutside = now > then ? now > bound : now < bound;
    if (!isOutside || distance(now, bound) < FAR_APART) return [];
    const amount = (of: AmountsByPlace, at: number) => of.get(place)?.get(at) ?? Number.NaN;
    const moved = (of: AmountsByPlace) => distance(amount(of, name), amount(of, name - 1));
    return [{ ...market, bound, ggr: amount(wins, name), turnoverMoved: moved(stakes) - moved(wins) }];
  });
}

/** The dataset that a finding is about: of those that changed, the one whose figures moved more. */
function blamed({ changed }: HoldSources, all: readonly FarMarket[]): MarketDataset {
  const moved = all.reduce((sum, { turnoverMoved }) => sum + turnoverMoved, 0);
  const [one = 'ggr', other] = changed;
  return other === undefined ? one : moved > 0 ? 'turnover' : 'ggr';
}

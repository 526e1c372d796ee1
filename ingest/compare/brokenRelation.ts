// A relation between the figures of a country that broke: its kind, its place and its size.

import type { DatasetName } from '../../src/catalog/datasets.ts';

/**
 * How a relation broke. A factor is exact if it is a multiple of half a percent or of a twelfth, twelve divided by a
 * whole number, or has at most four decimals.
 */
export type RelationName =
  /** Turnover ÷ ggr fell below 1. */
  | 'turnover-below-ggr'
  /** Figures in two currencies disagree with the rates of fx. */
  | 'currencies-apart'
  /**
   * Markets have no figures in a currency. Figures of the others agree with the rates of fx, those of the country do not.
   */
  | 'currency-lacking'
  /**
   * Figures of a country in two currencies agreed closely with the rates on the earlier side. They now differ by a little,
   * although those of most countries still agree.
   */
  | 'currencies-drifted'
  /** Constant rates differ from the current rates of the base year. Those of most countries do not. */
  | 'constants-drifted'
  /** States ÷ nation rose above 1. */
  | 'states-above-nation'
  /** The states added up to the nation on the earlier side, and no longer do. */
  | 'states-apart'
  /** Most reported figures of a state moved by one factor. Those of the nation did not. */
  | 'state-scaled'
  /** Most reported figures of some markets moved by an exact factor. Most others of the country did not move. */
  | 'market-scaled'
  /**
   * Most reported figures of some markets moved by a factor that is not exact, by 11 % or more or in several markets. Most
   * others of the country did not move.
   */
  | 'market-moved'
  /**
   * Reported figures of a year moved by one factor: most of those of the country, or those of some markets by about 8 %
   * or more. Those of the years before and after did not.
   */
  | 'year-moved'
  /** Most reported figures of years of a country, or of one of its indicators, moved by an exact factor. */
  | 'country-scaled'
  /** Turnover ÷ ggr of a market that is new to the country is below 1 or above 300. */
  | 'new-market'
  /** The share of a market that is new to the country is far below its share in the median country. */
  | 'small-market'
  /** The share of a state's new market in the nation's is far below the state's share of the adults. */
  | 'small-state'
  /** Ggr ÷ turnover of a new year is far from that of each of the four years before. */
  | 'hold-far'
  /** Ggr ÷ turnover of a new year moved by one factor in the median country, of all countries or of a region. */
  | 'holds-moved'
  /** All forecasts moved by one factor. Reported figures did not. */
  | 'forecasts-scaled'
  /** Most reported figures moved by one factor. Forecasts did not. */
  | 'reported-scaled'
  /**
   * Most reported figures of ggr or of turnover, in the country or in some markets, moved by one factor. Those of the
   * other dataset did not.
   */
  | 'dataset-scaled';

/** A relation between figures of a country that held on the earlier side in some years, and not on the later side. */
export interface BrokenRelation {
  readonly relation: RelationName;
  readonly dataset: DatasetName;
  readonly country: string;
  /** Whether the figures are forecasts. Otherwise they are reported figures. */
  readonly forecast: boolean;
  /**
   * The parts of the country: products, markets such as `Poker / Online / Onshore`, states with or without a market, or for
   * the dataset `country` metrics or `GDP`. Empty when the relation broke for the whole country.
   */
  readonly places: readonly string[];
  /** For relations of currencies, the one that was compared with the local one, or that is lacking; else null. */
  readonly currency: string | null;
  readonly years: readonly number[];
  /**
   * The measure of the relation on the earlier side. `after` is the measure on the later side.
   *
   * - For most relations, the ratio in the worst year. The earlier ratio of a new market is NaN.
   * - For relations of currencies, the distance from the rate.
   * - For `small-market`, `before` is the share in the median country, or NaN if it is unknown; `after` is the share in this one.
   * - For `small-state`, `before` is the state's share of the adults, `after` its share of the market.
   * - For `hold-far`, `before` is the nearest hold of the earlier years, `after` the new hold. Both are of the market in
   *   which they differ most.
   * - For figures or holds that moved by one factor, `before` is 1 and `after` the factor.
   */
  readonly before: number;
  readonly after: number;
  /**
   * The share of the country that the relation concerns: of its ggr, or of its reported figures. Null if the relation
   * concerns all of it, or if the share is unknown.
   */
  readonly share: number | null;
}

/** A broken relation without `forecast`. `Relations` checks reported figures and forecasts separately, and adds it. */
export type BrokenOfKind = Omit<BrokenRelation, 'forecast'>;

/** A broken relation. By default it concerns all figures of the country, and `before` is 1. */
export const brokenRelation = (
  broken: Pick<BrokenOfKind, 'relation' | 'dataset' | 'country' | 'years' | 'after'> & Partial<BrokenOfKind>,
): BrokenOfKind => ({ places: [], currency: null, share: null, before: 1, ...broken });

// A relation between the figures of a country that broke: its kind, its place and its size.

import type { DatasetName } from '../../src/catalog/datasets.ts';

/** A relation between figures of a country that held on the earlier side in some years, and does not hold on the later side. */
export interface BrokenRelation {
  /**
   * - `turnover-below-ggr`: turnover ÷ ggr fell below 1.
   * - `currencies-apart`: figures in two currencies disagree with the rates of fx.
   * - `currencies-drifted`: they agreed closely with the rates before, and now differ by little, while most countries agree.
   * - `constants-drifted`: constant rates differ from the current ones of the base year, and those of most countries do not.
   * - `states-above-nation`: states ÷ nation rose above 1.
   * - `states-apart`: the states added up to the nation before, and no longer do.
   * - `market-scaled`: most reported figures of some markets were multiplied by exactly a multiple of half a percent, and most
   *   others of the country did not move.
   * - `market-moved`: the same by any other factor, of 11 % or more or of several markets.
   * - `year-moved`: the reported figures of a year of some markets moved by 8 % or more, or nearly all of a country by one factor,
   *   and those of the years beside it did not.
   * - `country-scaled`: nearly all reported figures of years of a country, or of an indicator of it, were multiplied by exactly a
   *   multiple of half a percent.
   * - `state-scaled`: most reported figures of a state moved by one factor, and those of the nation did not.
   * - `new-market`: turnover ÷ ggr of a market that the country did not have is below 1 or above 300.
   * - `small-market`: the share of a market that the country did not have is far below that in the median country.
   * - `hold-far`: ggr ÷ turnover of a new year is far from that of all earlier years.
   * - `holds-moved`: ggr ÷ turnover of a new year moved by one factor in the median country of all or of a region.
   * - `forecasts-scaled`: all forecasts moved by one factor, and reported figures did not.
   * - `reported-scaled`: most reported figures moved by one factor, and forecasts did not.
   * - `dataset-scaled`: the same, where forecasts did, and turnover did not with ggr, or ggr with turnover; also of some
   *   markets alone.
   */
  readonly relation:
    | 'turnover-below-ggr'
    | 'currencies-apart'
    | 'currencies-drifted'
    | 'constants-drifted'
    | 'states-above-nation'
    | 'states-apart'
    | 'state-scaled'
    | 'market-scaled'
    | 'market-moved'
    | 'year-moved'
    | 'country-scaled'
    | 'new-market'
    | 'small-market'
    | 'hold-far'
    | 'holds-moved'
    | 'forecasts-scaled'
    | 'reported-scaled'
    | 'dataset-scaled';
  readonly dataset: DatasetName;
  readonly country: string;
  /** Whether the figures are forecasts; else reported ones. */
  readonly forecast: boolean;
  /** Products, or markets such as `Poker / Online / Onshore`; none when the relation broke for the whole country. */
  readonly places: readonly string[];
  /** For relations of currencies, the one that was compared with the local currency; else null. */
  readonly currency: string | null;
  readonly years: readonly number[];
  /**
   * What the relation compares, and `after` the same on the later side:
   *
   * - usually the ratio in the worst year, or for currencies the distance from the rate; NaN for the past of a new market;
   * - for `small-market`, the share of the median country, and that of this one;
   * - for `hold-far`, the nearest hold of the earlier years, and the new one, of the market in which they differ most;
   * - for figures or holds that moved by one factor, 1 and the factor.
   */
  readonly before: number;
  readonly after: number;
  /**
   * The share of the country's ggr, or of its reported figures that moved by one factor; null where the relation concerns all
   * of it, or where it is unknown.
   */
  readonly share: number | null;
}

/** A broken relation that does not say yet whether its figures are forecasts. */
export type BrokenOfKind = Omit<BrokenRelation, 'forecast'>;

/** A broken relation. By default it concerns all figures of the country, and `before` is 1. */
export const brokenOf = (
  broken: Pick<BrokenOfKind, 'relation' | 'dataset' | 'country' | 'years' | 'after'> & Partial<BrokenOfKind>,
): BrokenOfKind => ({ places: [], currency: null, share: null, before: 1, ...broken });

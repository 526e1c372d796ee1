// The types of totals that moved between two snapshots, of countries and of whole datasets.

import type { DimensionName } from '../../src/catalog/datasets.ts';

/**
 * The sum of a metric over all countries. A country counts once: by its own row if it has one, else by the rows of its
 * states. The `state` of its own row is empty.
 */
export interface Total {
  readonly metric: string;
  /** Null when the dataset has no such dimension. */
  readonly fx: string | null;
  readonly year: number;
  /**
   * Whether the total is of forecasts. Such a total includes the reported figures that were forecasts before. The other
   * totals have all remaining reported figures.
   */
  readonly forecast: boolean;
  /** Whether the year had ended before the previous month. Its figures were complete then, and should not move now. */
  readonly closed: boolean;
  /** Null when the side has no value. */
  readonly before: number | null;
  readonly after: number | null;
  /** In a total of forecasts, the part of `after` that is reported now and was a forecast before; 0 in all other totals. */
  readonly arrived: number;
  /**
   * The part of `after` that comes from countries without figures of that year on the earlier side. It is not a revision.
   */
  readonly joined: number;
  /** The countries whose figures `joined` adds up, each with its amount. */
  readonly joiners: readonly Mover[];
  /** (after − before) ÷ |before|; null when one side is null or `before` is 0. */
  readonly relative: number | null;
  /** The number of countries in the total, on the side that has more. */
  readonly countries: number;
  /** The country that moved the total most; null when the total is unchanged and no country joined it. */
  readonly mover: Mover | null;
  /** The countries that changed the total most, `mover` first, at most ten. Empty when `mover` is null. */
  readonly movers: readonly Mover[];
}

export interface Mover {
  readonly country: string;
  /** The amount by which the country changed the total; negative when the total became smaller. */
  readonly by: number;
}

/** The move of a country's total of a year. */
export interface TotalMove {
  readonly metric: string;
  readonly country: string;
  /** Null when the dataset has no such dimension. */
  readonly fx: string | null;
  readonly year: number;
  readonly before: number;
  readonly after: number;
}

/**
 * The change of a country's totals of closed years, when one of them moved by 10 % or more. It names the total that moved
 * most.
 */
export interface CountryMove extends TotalMove {
  /** |after − before| ÷ |before|, as a mean over closed years and currencies. */
  readonly mean: number;
  /** The largest |after − before| ÷ |before|. */
  readonly largest: number;
  /** How far added rows exceed removed ones, as a share of `before`: a mean like `mean`. */
  readonly grown: number;
  /** The amount of added rows with a value that is new to the country, as a share of `before`: a mean like `mean`. */
  readonly introduced: number;
}

/** Rows added to countries that had rows before. Each has a value that its country never had, such as a new channel. */
export interface IntroducedRows {
  readonly rows: number;
  /** The new values, those with most rows first. A row with several new values counts for the first of them only. */
  readonly values: readonly IntroducedValue[];
  readonly amounts: readonly IntroducedAmount[];
}

export interface IntroducedValue {
  readonly dimension: DimensionName;
  readonly value: string;
  /** The countries to which it is new, sorted. */
  readonly countries: readonly string[];
  readonly rows: number;
}

/** The amount that the rows of `IntroducedRows` add to a total of a country. */
export interface IntroducedAmount {
  readonly metric: string;
  readonly country: string;
  readonly fx: string;
  readonly year: number;
  readonly forecast: boolean;
  readonly by: number;
}

/** The change of a country's reported total of a running year, which still gets new figures. */
export interface RunningMove extends TotalMove {
  readonly fx: string;
}

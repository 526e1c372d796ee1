// The type of patterns, which are groups of cells that changed in the same way.
// Guards and reports read what `findPatterns` finds.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Revision, RowDimensions } from '../revision.ts';

/** How a group of cells changed. */
export type PatternFamily =
  /** Rows vanished, and appeared under another value of one dimension. */
  | 'renamed'
  /** Products are gone, and one product has their sums. */
  | 'merged'
  /** Products are gone, and one product has their rows. No figures were added up. */
  | 'relabelled'
  /** New rows differ from existing ones in `temporal` or `calculation` only. */
  | 'twice'
  /** New rows are totals of other rows. */
  | 'sums'
  /** New rows add up to rows that stayed. */
  | 'parts'
  /** New rows have a product or a sub-channel under a category or channel that no row had with it. */
  | 'misfiled'
  /** Values repeat the values of another year, currency, country, product or other part. */
  | 'copied'
  /** Indicators repeat another year or another country. */
  | 'repeated'
  /** Values count up by one from year to year. */
  | 'counted'
  /** Values are the earlier ones with fewer digits. */
  | 'rounded'
  /** Two digits of a percentage were exchanged. */
  | 'digits'
  /** Values became 0. */
  | 'zero'
  /** Values became empty. */
  | 'emptied'
  /** Values changed their sign. */
  | 'sign'
  /** Values became at least ten times as large, or at most a tenth as large. */
  | 'leap'
  /** Values moved by 10 % or more; forecasts by 50 % or more; first reports to five times or a fifth of the forecast. */
  | 'moved'
  /** Values of several countries moved by one factor. */
  | 'factor'
  /** Rows vanished. */
  | 'gone'
  /** New rows are reported figures of years that have not ended. */
  | 'early'
  /** Forecasts of the month's own year became reported figures in a few countries, with other values. */
  | 'running'
  /** First reports repeat their forecasts, while those of most other countries differ. */
  | 'confirmed';

/**
 * How a country's new year differs from the year before. The earlier side has no rows of the new year, or only forecasts.
 */
export type YearFamily =
  /** Countries have no rows of a year that others have begun. */
  | 'year-absent'
  /** Rows of the year before have no successor in the new year. */
  | 'year-missing'
  /** A currency has no rows of the new year in any country, while its markets go on in other currencies. */
  | 'year-currency'
  /** Values of turnover are missing or 0, and ggr has no figures of the market any more either. */
  | 'year-ended'
  /** Values are 0. */
  | 'year-zero'
  /** Values have the opposite sign of those of the year before. */
  | 'year-sign'
  /** Values are many times those of the year before, or a small fraction of them, in every currency. */
  | 'year-leap'
  /**
   * The total is at least twice, or at most five eighths, that of the year before. The total of an indicator is at most
   * half.
   */
  | 'year-moved'
  /** The totals of most countries moved alike, or the figures of a product did. */
  | 'year-together'
  /** All states of a country together, or one of them, moved much more or much less than the nation. */
  | 'year-states'
  /** Two countries, products or states have each other's figures. */
  | 'year-exchanged'
  /** Values repeat those of another country, or of another market or state of the same country. */
  | 'year-copied'
  /** All values of a country are nearly those of the year before. */
  | 'year-stale'
  /** First reports are far from both their forecasts and the year before. */
  | 'year-far'
  /** Indicators equal those of the year before to the last digit. */
  | 'year-repeated';

/** The most cells that a pattern lists as examples. */
export const MOST_EXAMPLES = 3;

/** A group of cells that changed in the same way, at the level that explains them best. */
export interface Pattern<Of extends PatternFamily | YearFamily = PatternFamily> {
  readonly family: Of;
  /** The metric whose values changed. Null when whole rows changed. */
  readonly metric: string | null;
  /** The dimensions and values that all cells have: the country, and at most two others. Empty for the whole dataset. */
  readonly place: RowDimensions;
  readonly forecast: boolean;
  readonly cells: number;
  /** The number of cells of the place that could have changed in this way. */
  readonly of: number;
  /** For `merged` and `relabelled`, the number of added rows that replaced the cells; undefined for other families. */
  readonly replacedBy?: number;
  /**
   * For a `merged` pattern of several countries, the number of countries that added nothing up, because they had only some
   * of the products, and the number of their cells; else undefined.
   */
  readonly onlyNamed?: { readonly countries: number; readonly cells: number };
  /**
   * The countries of a pattern that is about several: a merger in many countries, a pattern of a new year, or the last
   * pattern of a family, which has all cells beyond the first twenty groups. Null for all other patterns.
   */
  readonly further: readonly string[] | null;
  /**
   * The share of the country's total that the cells make up, as a mean over their years and currencies. A nation and its
   * states count once.
   */
  readonly countryShare: number;
  /** Like `countryShare`, but as a mean over all years and currencies of the country. */
  readonly historyShare: number;
  /** |after − before| as a share of the country's total, as a mean over the years and currencies of the cells. */
  readonly effect: number;
  /** The share of the cells in the dataset's total of their years, in one currency; null when it is unknown. */
  readonly datasetShare: number | null;
  /**
   * The sum of the cells on the later side, divided by their sum on the earlier side; null when it is unknown or means
   * nothing.
   */
  readonly ratio: number | null;
  /**
   * A dimension, and pairs of its values.
   *
   * - For `renamed`, `copied` and `repeated`: the value of the source, and the value of the pattern's cells.
   * - For `merged` and `relabelled`: a gone product, and the product that has its figures.
   * - For `parts`: the value of the row that stayed, and the value of a part.
   * - For `misfiled`: the category or channel of all other rows, and that of the new rows.
   * - For `factor` in few countries: another country with the factor, and the country of the pattern.
   * - For copies and exchanges in a new year: the two values whose figures are equal or exchanged.
   * - For all other patterns of a new year: the compared year and the new year.
   */
  readonly between: { readonly dimension: DimensionName; readonly pairs: readonly ValuePair[] } | null;
  /** The largest cells, at most `MOST_EXAMPLES`. */
  readonly examples: readonly Revision[];
  /** The number of cells, without cells of states whose nation has a cell. Undefined for patterns of new years. */
  readonly counted?: number;
}

export type YearPattern = Pattern<YearFamily>;

export type AnyPattern = Pattern<PatternFamily | YearFamily>;

export interface ValuePair {
  readonly from: string | number;
  readonly to: string | number;
  readonly cells: number;
}

/** Whether products that are gone have their figures in another product, which moves no total. */
export const isMerger = ({ family }: Pick<AnyPattern, 'family'>): boolean =>
  family === 'merged' || family === 'relabelled';

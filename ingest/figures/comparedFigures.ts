// The figures of countries that are compared with those of others, and how far they may be from a factor.

/** The figures of a dataset by row. */
export interface ComparedFigures {
  readonly values: Float64Array;
  /** Numbers from 0 up to, not including, `countryCount`. */
  readonly countries: ArrayLike<number>;
  readonly countryCount: number;
  readonly years: ArrayLike<number>;
  /** All 0 in a dataset without products. */
  readonly products: ArrayLike<number>;
  /** The market of each row of a country for which a source is sought. Rows of a market may differ in year and currency. */
  readonly markets: ArrayLike<number>;
  /** The rows that agree with a row in all dimensions except country, region and temporal. */
  readonly counterparts: (row: number) => ArrayLike<number>;
}

/** How far a figure may be from the factor, as a share of it. Figures of four digits are rounded by up to 1 in 2,000. */
export const TOLERANCE = 0.001;

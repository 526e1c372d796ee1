// Counts the markets whose figures of a year are far from those of other years, above or below.

/** A figure is off when it differs from the figures of the years beside it by more than this factor. */
export const OFF_FACTOR = 2.5;

const FEWEST_MARKETS = 6;
/** The fewest markets that are off in each direction, up and down. */
const FEWEST_EACH_WAY = 2;

/** At least this share of the comparable markets of a reported year is off. */
const LEAST_OFF_SHARE = 0.6;
/** At least this share is off in each direction. A crisis or a law moves most markets in one direction. */
const LEAST_SHARE_EACH_WAY = 0.2;

/**
 * A year is in another unit when its markets are a power of ten times the years beside it. On average they are within 15 %
 * of this power, with a standard deviation of at most 30 %. Both limits are decimal logarithms. A crisis or a law moves
 * some markets less than others, and seldom to just a tenth.
 */
const NEAR_POWER = 0.06;
const MOST_SPREAD = 0.12;

/** The largest standard deviation of the decimal logarithms of factors that count as one factor. */
const MOST_SPREAD_OF_ONE_FACTOR = 0.06;

/** Counts the markets that are off in each of many cells. A cell is a year, or a country in a year. */
export class OffMarketCounts {
  readonly #all: Int32Array;
  readonly #above: Int32Array;
  readonly #below: Int32Array;
  /** The index of the first row that is off, plus 1, for each cell; 0 where no row is off. */
  readonly #first: Int32Array;
  /**
   * The sum of the logarithms of the factors that are off, and the sum of the squares of these logarithms, for each cell.
   */
  readonly #logs: Float64Array;
  readonly #squares: Float64Array;
  readonly #offFactor: number;

  /** A market is off when its figure differs from others by more than `offFactor`. */
  constructor(cells: number, offFactor = OFF_FACTOR) {
    this.#offFactor = offFactor;
    [this.#all, this.#above] = [new Int32Array(cells), new Int32Array(cells)];
    [this.#below, this.#first] = [new Int32Array(cells), new Int32Array(cells)];
    [this.#logs, this.#squares] = [new Float64Array(cells), new Float64Array(cells)];
  }

  /** Adds a market to a cell. `factor` is its figure divided by that of other years, and `row` has the figure. */
  add(cell: number, factor: number, row: number): void {
    this.#all[cell] = (this.#all[cell] as number) + 1;
    if (factor <= this.#offFactor && factor >= 1 / this.#offFactor) return;
    const log = Math.log10(factor);
    this.#logs[cell] = (this.#logs[cell] as number) + log;
    this.#squares[cell] = (this.#squares[cell] as number) + log * log;
    const direction = factor > 1 ? this.#above : this.#below;
    direction[cell] = (direction[cell] as number) + 1;
    const first = this.#first[cell] as number;
    if (first === 0 || row < first - 1) this.#first[cell] = row + 1;
  }

  /** The counts of a cell, and its first row that is off; null unless most markets are off, some above and some below. */
  misplaced(cell: number): { readonly all: number; readonly off: number; readonly first: number } | null {
    const all = this.#all[cell] as number;
    const [above, below] = [this.#above[cell] as number, this.#below[cell] as number];
    const isMisplaced =
      all >= FEWEST_MARKETS &&
      above + below >= LEAST_OFF_SHARE * all &&
      Math.min(above, below) >= Math.max(FEWEST_EACH_WAY, LEAST_SHARE_EACH_WAY * all);
    return isMisplaced ? { all, off: above + below, first: (this.#first[cell] as number) - 1 } : null;
  }

  /**
   * The power of ten by which all markets of a cell are off; null for none, and for a factor of a thousand or more.
   * `comparedWith` says in words what the figures were divided by.
   */
  inOtherUnit(
    cell: number,
    comparedWith: string,
  ): { readonly factor: number; readonly first: number; readonly comparedWith: string } | null {
    const off = this.#offOneWay(cell, 1);
    if (off === null) return null;
    const { mean, spread } = off;
    const power = Math.round(mean);
    const isPower = [1, 2].includes(Math.abs(power)) && Math.abs(mean - power) <= NEAR_POWER;
    return isPower && spread <= MOST_SPREAD
      ? { factor: 10 ** power, first: (this.#first[cell] as number) - 1, comparedWith }
      : null;
  }

  /**
   * The one factor by which the markets of a cell are off. Null when their factors differ, or when less than `leastShare`
   * of the markets are off in one direction.
   */
  byOneFactor(cell: number, leastShare: number): { readonly factor: number; readonly first: number } | null {
    const off = this.#offOneWay(cell, leastShare);
    return off === null || off.spread > MOST_SPREAD_OF_ONE_FACTOR
      ? null
      : { factor: 10 ** off.mean, first: (this.#first[cell] as number) - 1 };
  }

  /**
   * The mean and the standard deviation of the logarithms of a cell's factors; null where too few are off in one direction.
   */
  #offOneWay(cell: number, leastShare: number): { readonly mean: number; readonly spread: number } | null {
    const all = this.#all[cell] as number;
    const off = Math.max(this.#above[cell] as number, this.#below[cell] as number);
    if (all < FEWEST_MARKETS || off < leastShare * all) return null;
    const mean = (this.#logs[cell] as number) / off;
    const spread = Math.sqrt(Math.max(0, (this.#squares[cell] as number) / off - mean * mean));
    return { mean, spread };
  }
}

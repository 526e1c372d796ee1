// Counts the markets whose figures of a year are far from those of other years, above or below.

import { getOrInsert } from '../../../src/basics/maps.ts';

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

interface Counts {
  all: number;
  above: number;
  below: number;
  /** The first row that is off; -1 for none. */
  first: number;
  /** The sums of the decimal logarithms of the factors that are off, and of their squares. */
  logs: number;
  squares: number;
}

const NOTHING: Counts = { all: 0, above: 0, below: 0, first: -1, logs: 0, squares: 0 };

/** Counts the markets that are off in each of many cells. A cell is a year, or a country in a year. */
export class OffMarketCounts {
  readonly #cells = new Map<number, Counts>();
  readonly #offFactor: number;

  /** A market is off when its figure differs from others by more than `offFactor`. */
  constructor(offFactor = OFF_FACTOR) {
    this.#offFactor = offFactor;
  }

  /** Adds a market to a cell. `factor` is its figure divided by that of other years, and `row` has the figure. */
  add(cell: number, factor: number, row: number): void {
    const counts = getOrInsert(this.#cells, cell, () => ({ ...NOTHING }));
    counts.all += 1;
    if (factor <= this.#offFactor && factor >= 1 / this.#offFactor) return;
    const log = Math.log10(factor);
    counts.logs += log;
    counts.squares += log * log;
    counts[factor > 1 ? 'above' : 'below'] += 1;
    if (counts.first < 0 || row < counts.first) counts.first = row;
  }

  /** The counts of a cell, and its first row that is off; null unless most markets are off, some above and some below. */
  misplaced(cell: number): { readonly all: number; readonly off: number; readonly first: number } | null {
    const { all, above, below, first } = this.#cells.get(cell) ?? NOTHING;
    const isMisplaced =
      all >= FEWEST_MARKETS &&
      above + below >= LEAST_OFF_SHARE * all &&
      Math.min(above, below) >= Math.max(FEWEST_EACH_WAY, LEAST_SHARE_EACH_WAY * all);
    return isMisplaced ? { all, off: above + below, first } : null;
  }

  /** The power of ten by which all markets of a cell are off; null for none, and for a factor of a thousand or more. */
  inOtherUnit(cell: number): { readonly factor: number; readonly first: number } | null {
    const off = this.#offOneWay(cell, 1);
    if (off === null) return null;
    const { mean, spread, first } = off;
    const power = Math.round(mean);
    const isPower = [1, 2].includes(Math.abs(power)) && Math.abs(mean - power) <= NEAR_POWER;
    return isPower && spread <= MOST_SPREAD ? { factor: 10 ** power, first } : null;
  }

  /**
   * The one factor by which the markets of a cell are off. Null when their factors differ, or when less than `leastShare`
   * of the markets are off in one direction.
   */
  byOneFactor(cell: number, leastShare: number): { readonly factor: number; readonly first: number } | null {
    const off = this.#offOneWay(cell, leastShare);
    if (off === null || off.spread > MOST_SPREAD_OF_ONE_FACTOR) return null;
    return { factor: 10 ** off.mean, first: off.first };
  }

  /**
   * The mean and the standard deviation of the logarithms of a cell's factors; null where too few are off in one direction.
   */
  #offOneWay(cell: number, leastShare: number) {
    const { all, above, below, first, logs, squares } = this.#cells.get(cell) ?? NOTHING;
    const off = Math.max(above, below);
    if (all < FEWEST_MARKETS || off < leastShare * all) return null;
    const mean = logs / off;
    return { mean, spread: Math.sqrt(Math.max(0, squares / off - mean * mean)), first };
  }
}

// Warns of a year whose figures do not go on with those of the years beside it.
//
// Its column was shifted, sorted or pasted wrong, it is ten or a hundred times too large or too small, or it has a part of the year.

import { amount } from '../../messages/numbers.ts';
import { placeOfNumber } from '../places.ts';
import type { Figures } from './figures.ts';
import type { SeriesYears } from './seriesYears.ts';

/** A figure is off when it differs from its neighbours by more than this factor. */
const OFF_FACTOR = 2.5;
/** Two neighbours agree within this factor, at an end of a series within the smaller one. Others show nothing. */
const AGREEING_FACTOR = 2;
const AGREEING_FACTOR_AT_END = 1.5;

/** The number of markets that must be comparable, and the number that must be off in each direction. */
const FEWEST_MARKETS = 6;
const FEWEST_EACH_WAY = 2;

/** The share of the comparable markets that must be off, and the share in each direction. A crisis or a law moves most markets one way. */
const LEAST_OFF = 0.6;
const LEAST_EACH_WAY = 0.2;

/**
 * A year is in another unit when its markets are a power of ten times the years beside it: on average to within 15 %, with a
 * standard deviation of at most 30 %. A crisis or a law moves some markets less than others, and seldom by just nine tenths. Both
 * limits are decimal logarithms.
 */
const NEAR_POWER = 0.06;
const MOST_SPREAD = 0.12;

/**
 * A year has a part of its months, or some months twice, when all its markets are off by one factor of at least this, with a small
 * standard deviation of its decimal logarithm. Of all countries together, it is enough that most markets are.
 */
const PART_FACTOR = 1.5;
const MOST_SPREAD_OF_PARTS = 0.06;
const LEAST_OF_ALL = 0.9;

/** Years of the pandemic, in which all venues of a country were closed for some months. */
const PANDEMIC: ReadonlySet<number> = new Set([2020, 2021]);

/**
 * Reports each year of which most figures are far from the years beside it, some above and some below, or all by one factor.
 *
 * @returns The countries that it reported; null when it reported a year of several countries.
 */
export function checkMisplacedYears(figures: Figures, years: SeriesYears): ReadonlySet<string> | null {
  const { staging, problems, metric, rows } = figures;
  const values = rows.values(metric);
  const countries = rows.numbered('country');
  const [whole, byCountry] = [new Markets(years.count), new Markets(years.count * countries.count)];
  const steps = new Markets(years.count * countries.count);
  const parts = new Markets(years.count * countries.count, PART_FACTOR);
  const wholeParts = new Markets(years.count, PART_FACTOR);
  for (const series of oneOfEachMarket(figures)) {
    for (let at = 0; at < years.count; at += 1) {
      const row = years.row(series, at);
      if (row < 0) continue;
      const cell = at * countries.count + (countries.numbers[row] as number);
      const step = stepOf(values, years, series, at);
      if (step !== 0) steps.add(cell, step, row);
      const factor = factorOf(values, years, series, at);
      if (factor === 0) continue;
      whole.add(at, factor, row);
      byCountry.add(cell, factor, row);
      if (PANDEMIC.has(years.yearOf(at)) || !canBePart(values, years, series, at, factor)) continue;
      wholeParts.add(at, factor, row);
      parts.add(cell, factor, row);
    }
  }
  const reported = new Set<string>();
  let areSeveral = false;
  for (let at = 0; at < years.count; at += 1) {
    const own = Array.from({ length: countries.count }, (_, country) => at * countries.count + country);
    const inOtherUnit = [
      ...own.flatMap((cell) => byCountry.inOtherUnit(cell, 'the years beside it') ?? []),
      ...own.flatMap((cell) => steps.inOtherUnit(cell, 'the year before, like the years behind it,') ?? []),
    ];
    for (const { first, factor, comparedWith } of inOtherUnit) {
      const country = staging.text(rows.dimension('country')[first]);
      reported.add(country);
      const [times, way] = [factor > 1 ? factor : 1 / factor, factor > 1 ? 'above' : 'below'];
      problems.add('warning', placeOfNumber(staging, rows.placeOf(first), metric), {
        problem: `${metric} of ${country} in ${years.yearOf(at)} is about ${times} times ${way} ${comparedWith} in all its markets: here ${amount(values[first] as number)}`,
        remedy: 'check the unit of the figures',
        kind: `${metric} of a year is in another unit than the years beside it`,
        country,
      });
    }
    const partsOfCountries = own.flatMap((cell) => parts.byOneFactor(cell, 1) ?? []);
    const partOfAll = partsOfCountries.length === 1 ? null : wholeParts.byOneFactor(at, LEAST_OF_ALL);
    for (const { first, factor } of partOfAll === null ? partsOfCountries : [partOfAll]) {
      const country = staging.text(rows.dimension('country')[first]);
      if (reported.has(country)) continue;
      const [ofCountry, which] = partOfAll === null ? [` of ${country}`, 'all its'] : ['', 'most'];
      problems.add('warning', placeOfNumber(staging, rows.placeOf(first), metric), {
        problem: `${metric}${ofCountry} in ${years.yearOf(at)} is about ${Number(factor.toPrecision(2))} times the years beside it in ${which} markets: here ${amount(values[first] as number)}`,
        remedy: 'check that the figures are of a whole year, and that no part of it counts twice',
        kind: `${metric} of a year is another multiple than the years beside it`,
        ...(partOfAll === null ? { country } : {}),
      });
    }
    const found = own.flatMap((cell) => byCountry.misplaced(cell) ?? []);
    const ofAll = whole.misplaced(at);
    const isWhole = ofAll !== null && found.length !== 1;
    for (const { all, off, first } of isWhole ? [ofAll] : found) {
      const country = staging.text(rows.dimension('country')[first]);
      reported.add(country);
      areSeveral ||= isWhole;
      const ofCountry = isWhole ? '' : ` of ${country}`;
      problems.add('warning', placeOfNumber(staging, rows.placeOf(first), metric), {
        problem: `${metric}${ofCountry} in ${years.yearOf(at)} is far from the years beside it in ${off} of ${all} markets, above in some and below in others: here ${amount(values[first] as number)}`,
        remedy: 'check that the figures of the year were not shifted, sorted or pasted beside other labels',
        kind: `${metric} of a year does not go on with the years beside it`,
        ...(isWhole ? {} : { country }),
      });
    }
  }
  return areSeveral ? null : reported;
}

/** How many times the figure of a series in a year is its neighbours; 0 where these are missing or do not agree. */
function factorOf(values: Float64Array, years: SeriesYears, series: number, at: number): number {
  const value = years.figure(values, series, at);
  if (!(value > 0)) return 0;
  const before = years.figure(values, series, at, -1);
  const after = years.figure(values, series, at, 1);
  if (before > 0 && after > 0)
    return ratio(before, after) <= AGREEING_FACTOR ? value / Math.sqrt(before * after) : 0;
  const nearest = before > 0 ? before : after;
  const next = years.figure(values, series, at, before > 0 ? -2 : 2);
  return nearest > 0 && next > 0 && ratio(nearest, next) <= AGREEING_FACTOR_AT_END ? value / nearest : 0;
}

/**
 * Whether a year can be told from growth: it is between two years, or it is the last one and below the years before it. Where prices
 * rise fast, the first year is far below the next ones, and the last one far above.
 */
function canBePart(
  values: Float64Array,
  years: SeriesYears,
  series: number,
  at: number,
  factor: number,
): boolean {
  const [before, after] = [-1, 1].map((distance) => years.figure(values, series, at, distance) > 0);
  return before === true && (after === true || factor < 1);
}

/**
 * How many times the figure of a series in a year is that of the year before; 0 where one is missing. It is also 0 for a leap when the
 * two years before it, or the year and the next one, do not agree.
 */
function stepOf(values: Float64Array, years: SeriesYears, series: number, at: number): number {
  const value = years.figure(values, series, at);
  const before = years.figure(values, series, at, -1);
  if (!(value > 0 && before > 0)) return 0;
  if (ratio(value, before) <= OFF_FACTOR) return value / before;
  const next = years.figure(values, series, at, 1);
  if (!(next > 0 && ratio(value, next) <= AGREEING_FACTOR_AT_END)) return 0;
  const first = years.figure(values, series, at, -2);
  return first > 0 && ratio(before, first) <= AGREEING_FACTOR_AT_END ? value / before : 0;
}

const ratio = (a: number, b: number): number => Math.max(a / b, b / a);

/** One series of each market, the one in its first currency. Its series in other currencies move alike. */
function oneOfEachMarket({ rows, series, markets }: Figures): readonly number[] {
  const chosen = new Int32Array(markets.count).fill(-1);
  for (let row = 0; row < rows.count; row += 1) {
    const market = markets.numbers[row] as number;
    if (chosen[market] === -1) chosen[market] = series.numbers[row] as number;
  }
  return [...chosen];
}

/** Counts markets that are off, in many cells at once: those of a year, or of a country in a year. */
class Markets {
  readonly #all: Int32Array;
  readonly #above: Int32Array;
  readonly #below: Int32Array;
  /** By cell: the first row that is off, plus 1; 0 for none. */
  readonly #first: Int32Array;
  /** By cell: the sum of the logarithms of the factors that are off, and that of their squares. */
  readonly #logs: Float64Array;
  readonly #squares: Float64Array;

  readonly #offFactor: number;

  /** @param offFactor The factor from which on a market is off. */
  constructor(cells: number, offFactor = OFF_FACTOR) {
    this.#offFactor = offFactor;
    [this.#all, this.#above] = [new Int32Array(cells), new Int32Array(cells)];
    [this.#below, this.#first] = [new Int32Array(cells), new Int32Array(cells)];
    [this.#logs, this.#squares] = [new Float64Array(cells), new Float64Array(cells)];
  }

  add(cell: number, factor: number, row: number): void {
    this.#all[cell] = (this.#all[cell] as number) + 1;
    if (factor <= this.#offFactor && factor >= 1 / this.#offFactor) return;
    const log = Math.log10(factor);
    this.#logs[cell] = (this.#logs[cell] as number) + log;
    this.#squares[cell] = (this.#squares[cell] as number) + log * log;
    const way = factor > 1 ? this.#above : this.#below;
    way[cell] = (way[cell] as number) + 1;
    const first = this.#first[cell] as number;
    if (first === 0 || row < first - 1) this.#first[cell] = row + 1;
  }

  /** The markets of a cell; null unless most of them are off, some above and some below. */
  misplaced(cell: number): { readonly all: number; readonly off: number; readonly first: number } | null {
    const all = this.#all[cell] as number;
    const [above, below] = [this.#above[cell] as number, this.#below[cell] as number];
    const isMisplaced =
      all >= FEWEST_MARKETS &&
      above + below >= LEAST_OFF * all &&
      Math.min(above, below) >= Math.max(FEWEST_EACH_WAY, LEAST_EACH_WAY * all);
    return isMisplaced ? { all, off: above + below, first: (this.#first[cell] as number) - 1 } : null;
  }

  /**
   * The power of ten by which all markets of a cell are off; null for none, and for a factor of a thousand or more.
   *
   * @param comparedWith What the figures were divided by, in words.
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
   * The factor by which the markets of a cell are off; null unless so many are, all by nearly the same.
   *
   * @param leastShare The share of the markets that must be off in one direction.
   */
  byOneFactor(cell: number, leastShare: number): { readonly factor: number; readonly first: number } | null {
    const off = this.#offOneWay(cell, leastShare);
    return off === null || off.spread > MOST_SPREAD_OF_PARTS
      ? null
      : { factor: 10 ** off.mean, first: (this.#first[cell] as number) - 1 };
  }

  /** The mean and the standard deviation of the logarithms of what is off in a cell; null unless so many are, in one direction. */
  #offOneWay(cell: number, leastShare: number): { readonly mean: number; readonly spread: number } | null {
    const [all, above, below] = [this.#all, this.#above, this.#below].map((of) => of[cell] as number) as [
      number,
      number,
      number,
    ];
    const off = Math.max(above, below);
    if (all < FEWEST_MARKETS || off < leastShare * all) return null;
    const mean = (this.#logs[cell] as number) / off;
    const spread = Math.sqrt(Math.max(0, (this.#squares[cell] as number) / off - mean * mean));
    return { mean, spread };
  }
}

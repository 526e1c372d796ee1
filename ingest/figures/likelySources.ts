// Finds the countries that are worth a full comparison with a country, by a sample of its figures.

import { groupBy } from '../../src/basics/lists.ts';
import { type ComparedFigures, TOLERANCE } from './comparedFigures.ts';

/** A sample has at most this number of years and this number of products. */
const SAMPLED_GROUPS = 3;
/** A sample has at most this number of rows of each of its years and products. */
const SAMPLED_ROWS = 30;

/**
 * The sources that are worth a full comparison, each marked with 1. A quotient is a figure of the country divided by the
 * figure of the source. In a sample of the years and products with most rows, at least half of the quotients nearly equal
 * that of the row before, or at least half moved nearly alike between two years.
 */
export function likelySources(
  figures: ComparedFigures,
  rows: readonly number[],
  sources: Uint8Array,
): Uint8Array {
  const { countries, countryCount, years, products, counterparts } = figures;
  // A row in a currency that no source has cannot be compared.
  const shared = rows.filter((row) => {
    const others = counterparts(row);
    for (let i = 0; i < others.length; i += 1)
      if (sources[countries[others[i] as number] as number] === 1) return true;
    return false;
  });
  const likely = new Uint8Array(countryCount);
  for (const codes of [years, products]) {
    const largest = [...groupBy(shared, (row) => codes[row] as number).values()]
      .sort((a, b) => b.length - a.length)
      .slice(0, SAMPLED_GROUPS);
    const alike = new Alike(countryCount);
    for (const group of largest) compareNeighbours(figures, group.slice(0, SAMPLED_ROWS), sources, alike);
    for (let country = 0; country < countryCount; country += 1)
      if (alike.areAlike(country)) likely[country] = 1;
  }
  const moves = movesOf(figures, shared, sources);
  for (let country = 0; country < countryCount; country += 1)
    if (moves.areAlike(country)) likely[country] = 1;
  return likely;
}

/** Counts for each source how many values were compared with the value before, and how many nearly equal it. */
class Alike {
  readonly #compared: Int32Array;
  readonly #alike: Int32Array;

  constructor(countryCount: number) {
    this.#compared = new Int32Array(countryCount);
    this.#alike = new Int32Array(countryCount);
  }

  compare(country: number, value: number, before: number): void {
    this.#compared[country] = (this.#compared[country] as number) + 1;
    if (Math.abs(value / before - 1) <= 2 * TOLERANCE)
      this.#alike[country] = (this.#alike[country] as number) + 1;
  }

  areAlike(country: number): boolean {
    const compared = this.#compared[country] as number;
    return compared > 0 && 2 * (this.#alike[country] as number) >= compared;
  }
}

/** Compares the quotients of successive rows with each source. */
function compareNeighbours(
  { values, countries, countryCount, markets, years, counterparts }: ComparedFigures,
  rows: readonly number[],
  sources: Uint8Array,
  alike: Alike,
): void {
  const quotients = new Float64Array(countryCount);
  const lastRows = new Int32Array(countryCount).fill(-1);
  for (const row of rows) {
    const others = counterparts(row);
    for (let i = 0; i < others.length; i += 1) {
      const other = others[i] as number;
      const country = countries[other] as number;
      if (sources[country] !== 1) continue;
      const quotient = (values[row] as number) / (values[other] as number);
      const last = lastRows[country] as number;
      // In all currencies of a market and year the quotient is the same, so it is compared only once.
      if (last >= 0 && (markets[last] !== markets[row] || years[last] !== years[row]))
        alike.compare(country, quotient, quotients[country] as number);
      quotients[country] = quotient;
      lastRows[country] = row;
    }
  }
}

/** Compares how the quotients of a sample of markets moved between the two years with most rows. */
function movesOf(figures: ComparedFigures, rows: readonly number[], sources: Uint8Array): Alike {
  const { values, countries, countryCount, markets, years, counterparts } = figures;
  const alike = new Alike(countryCount);
  const [later = [], earlier = []] = [...groupBy(rows, (row) => years[row] as number).values()].sort(
    (a, b) => b.length - a.length,
  );
  const earlierRows = new Map(earlier.map((row) => [markets[row] as number, row]));
  const laterRows = new Map(later.map((row) => [markets[row] as number, row]));
  const moves = new Float64Array(countryCount);
  for (const [market, row] of [...laterRows].slice(0, SAMPLED_ROWS)) {
    const from = earlierRows.get(market);
    if (from === undefined) continue;
    const quotients = new Map<number, number>();
    for (const other of Array.from(counterparts(from)))
      quotients.set(countries[other] as number, (values[from] as number) / (values[other] as number));
    for (const other of Array.from(counterparts(row))) {
      const country = countries[other] as number;
      const quotient = quotients.get(country);
      if (quotient === undefined || sources[country] !== 1) continue;
      const move = (values[row] as number) / (values[other] as number) / quotient;
      if (moves[country] !== 0) alike.compare(country, move, moves[country] as number);
      moves[country] = move;
    }
  }
  return alike;
}

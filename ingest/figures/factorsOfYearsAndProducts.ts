// Tells whether figures are the figures of another country, times a factor for each year and a factor for each product.

import { groupBy } from '../../src/basics/lists.ts';
import { median } from '../../src/basics/medians.ts';
import { TOLERANCE } from './comparedFigures.ts';

/** A figure, or the quotient of two figures, in a year and of a product. */
export interface Cell {
  readonly year: number;
  readonly product: number;
  readonly value: number;
}

/** How many cells were compared, and how many are nearly the product of the factors of their year and their product. */
export interface Fit {
  readonly compared: number;
  readonly alike: number;
  /** How many cells the factors can fit whatever the values are: the number of factors, less one. */
  readonly free: number;
}

/** How often the factors are estimated anew. They settle at once unless some years lack products. */
const ROUNDS = 4;

/** Fits a factor to each year and to each product. */
export function fitFactors(cells: readonly Cell[]): Fit {
  const [ofYear, ofProduct] = [new Map<number, number>(), new Map<number, number>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    estimate(cells, ofYear, 'year', ({ product }) => ofProduct.get(product) ?? 1);
    estimate(cells, ofProduct, 'product', ({ year }) => ofYear.get(year) ?? 1);
  }
  const alike = cells.filter(({ year, product, value }) => {
    const expected = (ofYear.get(year) ?? 1) * (ofProduct.get(product) ?? 1);
    return Math.abs(value - expected) <= TOLERANCE * Math.abs(expected);
  }).length;
  return { compared: cells.length, alike, free: ofYear.size + ofProduct.size - 1 };
}

/** Sets the factor of each year, or of each product, to the median of its cells, each divided by its other factor. */
function estimate(
  cells: readonly Cell[],
  factors: Map<number, number>,
  of: 'year' | 'product',
  otherFactor: (cell: Cell) => number,
): void {
  for (const [key, group] of groupBy(cells, (cell) => cell[of]))
    factors.set(key, median(group.map((cell) => cell.value / otherFactor(cell))));
}

/** The share of cells that are alike, without the `free` cells that always are; 0 if there are no others. */
export const shareAlike = ({ compared, alike, free }: Fit): number =>
  compared > free ? (alike - free) / (compared - free) : 0;

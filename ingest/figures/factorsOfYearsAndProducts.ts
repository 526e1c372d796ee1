// Tells whether figures are others times a factor of their year and a factor of their product.

import { median } from '../../src/basics/medians.ts';

/** A figure, or the quotient of two figures, in a year and of a product. */
export interface Cell {
  readonly year: number;
  readonly product: number;
  readonly value: number;
}

/** How many cells are a factor of their year times a factor of their product, and how many could be by chance. */
export interface Fit {
  readonly compared: number;
  readonly alike: number;
  /** The number of factors, less one. As many cells always fit. */
  readonly free: number;
}

/** How often the factors are estimated anew. They settle at once unless some years lack products. */
const ROUNDS = 4;

/** Fits a factor to each year and to each product. `tolerance` is the share by which a cell may miss its two factors. */
export function fitFactors(cells: readonly Cell[], tolerance: number): Fit {
  const [ofYear, ofProduct] = [new Map<number, number>(), new Map<number, number>()];
  for (let round = 0; round < ROUNDS; round += 1) {
    estimate(cells, ofYear, 'year', ({ product }) => ofProduct.get(product) ?? 1);
    estimate(cells, ofProduct, 'product', ({ year }) => ofYear.get(year) ?? 1);
  }
  const alike = cells.filter(({ year, product, value }) => {
    const expected = (ofYear.get(year) ?? 1) * (ofProduct.get(product) ?? 1);
    return Math.abs(value - expected) <= tolerance * Math.abs(expected);
  }).length;
  return { compared: cells.length, alike, free: ofYear.size + ofProduct.size - 1 };
}

/** Sets the factor of each year, or product, to the median of its cells without their other factor. */
function estimate(
  cells: readonly Cell[],
  factors: Map<number, number>,
  of: 'year' | 'product',
  otherFactor: (cell: Cell) => number,
): void {
  const values = new Map<number, number[]>();
  for (const cell of cells) {
    const value = cell.value / otherFactor(cell);
    const known = values.get(cell[of]);
    if (known === undefined) values.set(cell[of], [value]);
    else known.push(value);
  }
  for (const [key, all] of values) factors.set(key, median(all));
}

/** The share of the cells that could miss the factors which do not miss them. */
export const shareAlike = ({ compared, alike, free }: Fit): number =>
  compared > free ? (alike - free) / (compared - free) : 0;

// Fills a dimension whose cell is empty with the value above or with the empty text, or reports it.

import { listed } from '../messages/numbers.ts';
import { FAULTY } from './cellReader.ts';
import { asTyped } from './readingOptions.ts';
import type { LocatedRow } from './remarks.ts';
import type { TableContext } from './tableContext.ts';

/** The code, in a staged row, of a dimension that is not filled yet. Codes and years are never negative. */
export const UNFILLED = -1;

/** Fills the empty dimensions of the rows of one table, from the first row to the last. */
export class EmptyDimensions {
  readonly #table: TableContext;
  /** The last value of each dimension, for `--fill-down`. */
  readonly #lastValues: number[];
  /** The dimensions that had more than one value so far. */
  readonly #variedDimensions = new Set<number>();

  constructor(table: TableContext) {
    this.#table = table;
    this.#lastValues = table.mapping.dimensions.map(() => UNFILLED);
  }

  /**
   * Fills the dimensions of a row that are `UNFILLED`, and reports those that cannot be filled. `hasRows` says whether an
   * earlier row of the table was staged.
   */
  fill(row: LocatedRow, dimensions: number[], hasRows: boolean): void {
    this.#repeatAbove(row, dimensions);
    this.#require(row, dimensions, hasRows);
  }

  /** Repeats the cells above in the columns that `--fill-down` names. */
  #repeatAbove(row: LocatedRow, dimensions: number[]): void {
    const { fillDown } = this.#table.options;
    if (fillDown.size === 0) return;
    /** The first dimension from the left whose value differs from the one above. A new group begins with it. */
    let begun: string | null = null;
    for (const [index, target] of this.#table.mapping.targets.entries()) {
      if (target?.kind !== 'text' && target?.kind !== 'year') continue;
      const name = target.kind === 'year' ? 'year' : target.name;
      if (!fillDown.has(name)) continue;
      const above = this.#lastValues[target.dimension] ?? UNFILLED;
      const filled = dimensions[target.dimension] ?? UNFILLED;
      if (filled !== UNFILLED) {
        this.#lastValues[target.dimension] = filled;
        if (above === UNFILLED || above === filled) continue;
        this.#variedDimensions.add(target.dimension);
        begun ??= name;
      } else if (begun !== null && this.#variedDimensions.has(target.dimension)) {
        // For example, the category `Lottery` begins without a product. The product above belongs to the category before
        // it, and this row may be the sum of `Lottery`.
        dimensions[target.dimension] = FAULTY;
        const at = { row, index };
        this.#table.remarks.error(at, {
          problem: `${name} is empty where another ${begun} begins, and the cell above belongs to the one before`,
          remedy: 'fill it in or delete the row',
          kind: `${name} is empty where another ${begun} begins`,
        });
      } else if (above !== UNFILLED) {
        dimensions[target.dimension] = above;
        this.#table.onEffect('fill-down');
        this.#table.remarks.note({ row, index }, `${name} was empty and repeats the cell above`);
      } else {
        dimensions[target.dimension] = FAULTY;
        const at = { row, index };
        this.#table.remarks.error(at, {
          problem: `${name} is empty, and no row above it has one to repeat`,
          remedy: 'fill in the first row',
        });
      }
    }
  }

  #require(row: LocatedRow, dimensions: number[], hasRows: boolean): void {
    const { required, optional, dimensions: allNames, header } = this.#table.mapping;
    for (const index of optional)
      if (dimensions[index] === UNFILLED) dimensions[index] = this.#table.dimensionTexts.emptyCode;
    const missing = required.filter((index) => dimensions[index] === UNFILLED);
    if (missing.length === 0) return;
    const names = missing.flatMap((index) => allNames[index] ?? []);
    const { survey, file } = this.#table;
    if (survey === null && hasRows) {
      // The message depends on the rest of the table.
      this.#table.needsSurvey = true;
      return;
    }
    const firstColumn = header.columns.findIndex((column) => column?.name === names[0]);
    const problem = `${listed(names, names.length)} ${names.length === 1 ? 'is' : 'are'} empty`;
    // All rows with grouped labels get the same remedy, whichever of these labels are empty in a row.
    const grouped = allNames.filter((name) => survey?.groupedDimensions.has(name) === true);
    const isGrouped = names.some((name) => grouped.includes(name));
    const fillDown = isGrouped
      ? `, or repeat the cell above with ${asTyped('fill-down', grouped.join(','), file)}`
      : '';
    const pronoun = (isGrouped ? grouped : names).length === 1 ? 'it' : 'them';
    const at = { row, index: Math.max(0, firstColumn) };
    this.#table.remarks.error(at, {
      problem,
      remedy: `fill ${pronoun} in or delete the row${fillDown}`,
      ...(isGrouped && { kind: 'labels are empty below the first' }),
    });
  }
}

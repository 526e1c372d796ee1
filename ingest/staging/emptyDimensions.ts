// Decides about a dimension whose cell is empty: it repeats the cell above, becomes the empty text, or is reported.

import { listed } from '../messages/numbers.ts';
import { type CellContext, FAULTY } from './cells.ts';
import type { Placement } from './placement.ts';
import { typed } from './readingOptions.ts';
import type { LocatedRow, Remarks } from './remarks.ts';
import type { Terms } from './terms.ts';

/** In a staged row: the code of a dimension that has not been filled yet. Codes and years are never negative. */
export const UNFILLED = -1;

export class EmptyDimensions {
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #remarks: Remarks;
  readonly #context: CellContext;
  /** For `--fill-down`: the last value that each dimension had. */
  readonly #above: number[];
  /** Dimensions that have had more than one value so far. */
  readonly #varied = new Set<number>();
  /** True when a dimension is missing and the message about it depends on the rest of the table. */
  needsSurvey = false;

  constructor(placement: Placement, terms: Terms, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#terms = terms;
    this.#remarks = remarks;
    this.#context = context;
    this.#above = placement.dimensions.map(() => UNFILLED);
  }

  /**
   * Fills the dimensions of a row that are `UNFILLED`, and reports those that cannot be filled.
   *
   * @param hasRows Whether an earlier row of the table was staged.
   */
  fill(row: LocatedRow, dimensions: number[], hasRows: boolean): void {
    this.#repeatAbove(row, dimensions);
    this.#require(row, dimensions, hasRows);
  }

  /** Repeats the cells above in the columns that `--fill-down` names. */
  #repeatAbove(row: LocatedRow, dimensions: number[]): void {
    const { fillDown } = this.#context.options;
    if (fillDown.size === 0) return;
    /** The first dimension from the left whose value differs from the one above: it begins a new group. */
    let begun: string | null = null;
    for (const [index, target] of this.#placement.targets.entries()) {
      if (target?.kind !== 'text' && target?.kind !== 'year') continue;
      const name = target.kind === 'year' ? 'year' : target.name;
      if (!fillDown.has(name)) continue;
      const above = this.#above[target.at] ?? UNFILLED;
      const filled = dimensions[target.at] ?? UNFILLED;
      if (filled !== UNFILLED) {
        this.#above[target.at] = filled;
        if (above === UNFILLED || above === filled) continue;
        this.#varied.add(target.at);
        begun ??= name;
      } else if (begun !== null && this.#varied.has(target.at)) {
        // A new category, `Lottery`, without a product: the product above belongs to the category before. This row may be the sum
        // of its category.
        dimensions[target.at] = FAULTY;
        this.#remarks.error(row, index, {
          problem: `${name} is empty where another ${begun} begins, and the cell above belongs to the one before`,
          remedy: 'fill it in or delete the row',
          kind: `${name} is empty where another ${begun} begins`,
        });
      } else if (above !== UNFILLED) {
        dimensions[target.at] = above;
        this.#context.onEffect('fill-down');
        this.#remarks.note(row, index, `${name} was empty and repeats the cell above`);
      } else {
        dimensions[target.at] = FAULTY;
        this.#remarks.error(row, index, {
          problem: `${name} is empty, and no row above it has one to repeat`,
          remedy: 'fill in the first row',
        });
      }
    }
  }

  /** Gives optional dimensions the empty text, and reports the others. */
  #require(row: LocatedRow, dimensions: number[], hasRows: boolean): void {
    const { required, optional, dimensions: allNames, header } = this.#placement;
    for (const at of optional) if (dimensions[at] === UNFILLED) dimensions[at] = this.#terms.empty;
    if (required.every((at) => dimensions[at] !== UNFILLED)) return;
    const missing = required.filter((at) => dimensions[at] === UNFILLED);
    const names = missing.flatMap((at) => allNames[at] ?? []);
    const { survey, file } = this.#context;
    if (survey === null && hasRows) {
      this.needsSurvey = true;
      return;
    }
    const index = header.columns.findIndex((column) => column?.name === names[0]);
    const problem = `${listed(names, names.length)} ${names.length === 1 ? 'is' : 'are'} empty`;
    // All rows with grouped labels get the same remedy, whichever of these labels a row leaves empty.
    const grouped = allNames.filter((name) => survey?.grouped.has(name) === true);
    const isGrouped = names.some((name) => grouped.includes(name));
    const option = { option: 'fill-down', value: grouped.join(','), file } as const;
    const fillDown = isGrouped ? `, or repeat the cell above with ${typed(option)}` : '';
    const pronoun = (isGrouped ? grouped : names).length === 1 ? 'it' : 'them';
    this.#remarks.error(row, Math.max(0, index), {
      problem,
      remedy: `fill ${pronoun} in or delete the row${fillDown}`,
      ...(isGrouped && { kind: 'labels are empty below the first' }),
    });
  }
}

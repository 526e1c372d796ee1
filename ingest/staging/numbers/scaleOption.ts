// Multiplies the values of a metric by the factor of `--scale`, and reports values that cannot or must not be multiplied.

import { unitBesideNumber } from '../../messages/statedUnits.ts';
import { isKind } from '../../sources/readers/rawFile.ts';
import { asTyped } from '../readingOptions.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';
import { scaled } from './numberText.ts';

/**
 * Multiplies the values of one table. A factor of 1 changes no value. It only confirms figures that would get a remark,
 * such as one on a stated unit, and the code that makes the remark then records the effect of the option.
 */
export class ScaleOption {
  readonly #table: TableContext;
  /** The metrics with a multiplied figure whose number format states a unit. */
  readonly #stated = new Set<string>();
  /** The first multiplied figure of each metric whose number format states no unit. */
  readonly #unstated = new Map<string, { readonly at: MetricCell; readonly value: number }>();

  constructor(table: TableContext) {
    this.#table = table;
  }

  /**
   * The value times the factor of its metric, or unchanged without a factor; null when it reported that it cannot multiply.
   */
  apply(at: MetricCell, value: number): number | null {
    const { name, cell } = at;
    const { options, file } = this.#table;
    const factor = options.scale.get(name);
    if (factor === undefined) return value;
    if (isKind(cell, 'divided') && Number(factor) !== 1) {
      const affirmed = asTyped('scale', `${name}=1`, file);
      this.#table.remarks.error(at, {
        problem: `${name} is ${value}, and its number format divides it before it shows it; --scale would multiply the ${value}`,
        remedy: `if ${value} is the figure in full, use ${affirmed}; otherwise give the cells the number format 0, and choose --scale for what they then show`,
        kind: `${name}: a number format that divides, with --scale`,
      });
      return null;
    }
    // For a recipe, a factor of 1 may answer a unit of a table that its SQL reads.
    if (Number(factor) !== 1 || at.row.source !== undefined) this.#table.onEffect('scale', name);
    if (Number(factor) !== 1) this.#recordUnit(at, value);
    const product = scaled(value, factor);
    const isLost = product === 0 && value !== 0;
    if (Number.isFinite(product) && !isLost) return product;
    const where = isLost ? 'closer to 0 than the smallest number' : 'beyond the largest number';
    this.#table.remarks.error(at, {
      problem: `${name} is ${value}, and times ${factor} it is ${where}`,
      remedy: 'correct the figure, or the factor of --scale',
      kind: `${name} is ${where}`,
    });
    return null;
  }

  /** Reports metrics whose number formats state a unit for some figures only. One factor is wrong for the others. */
  finish(): void {
    for (const [name, { at, value }] of this.#unstated) {
      if (!this.#stated.has(name)) continue;
      this.#table.remarks.error(at, {
        problem: `${name} is ${value}, and its number format states no unit, as those of other figures do; --scale would multiply all of them`,
        remedy: 'write all figures in one unit, or give all of them the same number format',
        kind: `${name}: number formats of which only some state a unit, with --scale`,
      });
    }
  }

  /** Records whether the number format of a figure states a unit. A zero is the same in every unit. */
  #recordUnit(at: MetricCell, value: number): void {
    const { name, cell } = at;
    const isStated = isKind(cell, 'with unit') && unitBesideNumber(cell.unit, cell.divisor) !== null;
    if (isStated) this.#stated.add(name);
    else if (value !== 0 && !this.#unstated.has(name)) this.#unstated.set(name, { at, value });
  }
}

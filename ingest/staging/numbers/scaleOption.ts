// Multiplies the values of a metric by the factor that `--scale` gives, and reports those that cannot be multiplied.

import type { Cell } from '../../sources/readers/raw.ts';
import type { CellContext } from '../cells.ts';
import { typed } from '../readingOptions.ts';
import type { LocatedRow, Remarks } from '../remarks.ts';
import { scaled } from './numberText.ts';

export class ScaleOption {
  readonly #remarks: Remarks;
  readonly #context: CellContext;

  constructor(remarks: Remarks, context: CellContext) {
    this.#remarks = remarks;
    this.#context = context;
  }

  /** The value times the factor of its metric, or unchanged without a factor; null after reporting why there is no product. */
  applied(
    row: LocatedRow,
    index: number,
    name: string,
    cell: Cell | undefined,
    value: number,
  ): number | null {
    const { options, file } = this.#context;
    const factor = options.scale.get(name);
    if (factor === undefined) return value;
    if (typeof cell === 'object' && cell?.kind === 'divided' && Number(factor) !== 1) {
      const affirmed = typed({ option: 'scale', value: `${name}=1`, file });
      this.#remarks.error(row, index, {
        problem: `${name} is ${value}, and its number format divides it before it shows it; --scale would multiply the ${value}`,
        remedy: `if ${value} is the figure in full, use ${affirmed}; otherwise give the cells the number format 0, and choose --scale for what they then show`,
        kind: `${name}: a number format that divides, with --scale`,
      });
      return null;
    }
    this.#context.onEffect('scale', name);
    const product = scaled(value, factor);
    const isLost = product === 0 && value !== 0;
    if (Number.isFinite(product) && !isLost) return product;
    const where = isLost ? 'closer to 0 than the smallest number' : 'beyond the largest number';
    this.#remarks.error(row, index, {
      problem: `${name} is ${value}, and times ${factor} it is ${where}`,
      remedy: 'correct the figure, or the factor of --scale',
      kind: `${name} is ${where}`,
    });
    return null;
  }
}

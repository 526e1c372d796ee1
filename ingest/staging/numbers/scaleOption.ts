// Multiplies the values of a metric by the factor that `--scale` gives, and reports those that cannot be multiplied.

import { typed } from '../readingOptions.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';
import { scaled } from './numberText.ts';

export class ScaleOption {
  readonly #table: TableContext;

  constructor(table: TableContext) {
    this.#table = table;
  }

  /** The value times the factor of its metric, or unchanged without a factor; null after reporting why there is no product. */
  applied(at: MetricCell, value: number): number | null {
    const { name, cell } = at;
    const { options, file } = this.#table;
    const factor = options.scale.get(name);
    if (factor === undefined) return value;
    if (typeof cell === 'object' && cell?.kind === 'divided' && Number(factor) !== 1) {
      const affirmed = typed({ option: 'scale', value: `${name}=1`, file });
      this.#table.remarks.error(at, {
        problem: `${name} is ${value}, and its number format divides it before it shows it; --scale would multiply the ${value}`,
        remedy: `if ${value} is the figure in full, use ${affirmed}; otherwise give the cells the number format 0, and choose --scale for what they then show`,
        kind: `${name}: a number format that divides, with --scale`,
      });
      return null;
    }
    this.#table.onEffect('scale', name);
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
}

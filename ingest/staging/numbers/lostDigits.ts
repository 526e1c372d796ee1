// Reports numbers in text that lost digits, because a program dropped them or because a double holds fewer.

import { isAmount, metricUnit } from '../../../src/catalog/datasets.ts';
import type { FileFormat } from '../../messages/fileFormats.ts';
import { counted } from '../../messages/numbers.ts';
import { digitsShown, losesDigits, mayLackDecimals, mayLackDigits } from '../../sources/numberForms.ts';
import { ShortColumns } from '../../sources/suspectColumns.ts';
import { asTyped } from '../readingOptions.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';

/** Finds lost digits in the numbers of one table. */
export class LostDigits {
  readonly #table: TableContext;
  readonly #short = new ShortColumns<string, MetricCell>();

  constructor(table: TableContext) {
    this.#table = table;
  }

  /**
   * Reports the missing digits of a number in text. Returns the number; null when digits of an amount are certainly
   * missing.
   */
  accept(at: MetricCell, { text, value }: { readonly text: string; readonly value: number }): number | null {
    const { name } = at;
    if (losesDigits(text, value))
      this.#table.remarks.note(at, `${name} has more digits than a double holds, and was rounded`);
    if (this.#table.options.scale.has(name)) {
      // A person who gives `--scale` for a metric also vouches for its digits.
      if (mayLackDecimals(text) || digitsShown(text) !== null || mayLackDigits(text) === true)
        this.#table.onEffect('scale', name);
      return value;
    }
    const shown = text.trim();
    if (mayLackDecimals(text))
      this.#table.remarks.add('warning', at, {
        problem: `${name} is "${shown}", of which a spreadsheet program may have left out further digits`,
        remedy: this.#remedy(at, 'format the column as a number with all its decimals and save it again'),
        kind: `${name} in scientific notation, perhaps with digits missing`,
      });
    const scientific = digitsShown(text);
    if (scientific === null) {
      this.#short.add(name, text, at);
      return value;
    }
    const isOfAmount = isAmount(metricUnit(this.#table.mapping.dataset, name));
    this.#table.remarks.add(isOfAmount ? 'error' : 'warning', at, {
      problem: `${name} is "${shown}": ${counted(scientific.shown, 'digit')} of a number that has ${scientific.whole}`,
      remedy: this.#remedy(at, 'format the column as a number and save it again'),
      kind: `${name} in scientific notation with digits missing`,
    });
    return isOfAmount ? null : value;
  }

  /** Warns of the metrics whose numbers in scientific notation may all lack digits. */
  finish(): void {
    for (const { column: name, count, at, text } of this.#short.suspects())
      this.#table.remarks.add('warning', at, {
        problem: `${name} is "${text}", and all ${count} such numbers have seven digits or fewer: a program may have left out further ones`,
        remedy: this.#remedy(at, 'export the column again with all digits'),
        kind: `${name} in scientific notation, perhaps with digits missing`,
      });
  }

  /** The remedy for missing digits. `ofSpreadsheet` says what to do in a spreadsheet program. */
  #remedy({ row, name }: MetricCell, ofSpreadsheet: string): string {
    const format = this.#table.remarks.originOf(row).format;
    const keep = asTyped('scale', `${name}=1`, this.#table.file);
    return `${AS_NUMBERS[format] ?? ofSpreadsheet}; if these are all its digits, use ${keep}`;
  }
}

/** How to write all digits of a column, for file formats that have no number formats. */
const AS_NUMBERS: Partial<Readonly<Record<FileFormat, string>>> = {
  parquet: 'write the column as DOUBLE or DECIMAL',
};

// Reports numbers in text whose digits were lost: by the program that wrote them, or because a double holds fewer.

import { metricUnit } from '../../../src/catalog/datasets.ts';
import type { FileFormat } from '../../messages/formats.ts';
import {
  digitsLeft,
  FEWEST_SHORT,
  losesDigits,
  mayLackDecimals,
  mayLackDigits,
} from '../../sources/numberForms.ts';
import type { CellContext } from '../cells.ts';
import type { Placement } from '../placement.ts';
import { typed } from '../readingOptions.ts';
import type { LocatedRow, Remarks } from '../remarks.ts';
import { isAmount } from './headingUnit.ts';

export class LostDigits {
  readonly #placement: Placement;
  readonly #remarks: Remarks;
  readonly #context: CellContext;
  /** By metric, the numbers in scientific notation that may lack digits. */
  readonly #columns = new Map<string, ShortNumbers>();

  constructor(placement: Placement, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#remarks = remarks;
    this.#context = context;
  }

  /** Reports the missing digits of a number in text. Returns the number, or null when it is an amount and is refused. */
  accept(
    row: LocatedRow,
    index: number,
    name: string,
    { text, value }: { readonly text: string; readonly value: number },
  ): number | null {
    if (losesDigits(text, value))
      this.#remarks.note(row, index, `${name} has more digits than a double holds, and was rounded`);
    if (this.#context.options.scale.has(name)) return value;
    const shown = text.trim();
    if (mayLackDecimals(text))
      this.#remarks.add('warning', row, index, {
        problem: `${name} is "${shown}", of which a spreadsheet program may have left out further digits`,
        remedy: this.#remedy(
          row,
          name,
          'format the column as a number with all its decimals and save it again',
        ),
        kind: `${name} in scientific notation, perhaps with digits missing`,
      });
    const scientific = digitsLeft(text);
    if (scientific === null) {
      this.#count(row, index, name, shown);
      return value;
    }
    const isOfAmount = isAmount(metricUnit(this.#placement.dataset, name));
    this.#remarks.add(isOfAmount ? 'error' : 'warning', row, index, {
      problem: `${name} is "${shown}": ${scientific.shown} digits of a number that has ${scientific.whole}`,
      remedy: this.#remedy(row, name, 'format the column as a number and save it again'),
      kind: `${name} in scientific notation with digits missing`,
    });
    return isOfAmount ? null : value;
  }

  /** Warns of the metrics whose numbers in scientific notation all lack digits. */
  finish(): void {
    for (const [name, { short, isWhole, row, index, text }] of this.#columns) {
      if (isWhole || short < FEWEST_SHORT) continue;
      this.#remarks.add('warning', row, index, {
        problem: `${name} is "${text}", and all ${short} such numbers have seven digits or fewer: a program may have left out further ones`,
        remedy: this.#remedy(row, name, 'export the column again with all digits'),
        kind: `${name} in scientific notation, perhaps with digits missing`,
      });
    }
  }

  #count(row: LocatedRow, index: number, name: string, text: string): void {
    const lacks = mayLackDigits(text);
    if (lacks === null) return;
    const seen = this.#columns.get(name) ?? { short: 0, isWhole: false, row, index, text };
    if (lacks) seen.short += 1;
    else seen.isWhole = true;
    this.#columns.set(name, seen);
  }

  #remedy(row: LocatedRow, name: string, again: string): string {
    const format = this.#remarks.originOf(row).format;
    const keep = typed({ option: 'scale', value: `${name}=1`, file: this.#context.file });
    return `${AS_NUMBERS[format] ?? again}; if these are all its digits, use ${keep}`;
  }
}

/** How to write all digits of a column, for file formats that have no number formats. */
const AS_NUMBERS: Partial<Readonly<Record<FileFormat, string>>> = {
  parquet: 'write the column as DOUBLE or DECIMAL',
};

/** The numbers of one metric in scientific notation. */
interface ShortNumbers {
  /** How many may lack digits. */
  short: number;
  /** Whether one of them has more digits than a format leaves that drops some. */
  isWhole: boolean;
  /** The row, the column and the text of the first of these numbers. */
  readonly row: LocatedRow;
  readonly index: number;
  readonly text: string;
}

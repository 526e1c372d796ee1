// Looks at a recipe's table while it is read, and says what people see in it and SQL does not.

import type { RawRow, RawTable } from '../readers/raw.ts';
import { ShownOtherwise, type TableRemark } from './oddCells.ts';
import {
  BeyondHeader,
  holdsOneText,
  remarksOnAsides,
  remarksOnSheet,
  remarksOnTotals,
  remarksOnYears,
  UnitInWords,
} from './tableRemarks.ts';
import { TextNumbers } from './textNumbers.ts';

/** What the recipe says of a table. */
export interface Expected {
  /** Whether a row names its columns. */
  readonly hasHeader: boolean;
  /** Whether its SELECTs know the units and number formats of the sheet. */
  readonly knowsValues: boolean;
  /** Whether the file has sheets, in which notes may stand beside a table. */
  readonly hasSheets: boolean;
  /** Names that may state a unit: those of the file and the sheet. */
  readonly names: readonly string[];
}

/** Is told of each row, from the first to the last. */
export class Onlooker {
  readonly #expected: Expected;
  readonly #shown: ShownOtherwise;
  readonly #unit: UnitInWords;
  readonly #texts = new TextNumbers();
  readonly #years: TableRemark[] = [];
  #headerRow: number | null = null;
  #beyond: BeyondHeader | null = null;

  constructor(expected: Expected) {
    this.#expected = expected;
    this.#shown = new ShownOtherwise(expected.hasHeader);
    this.#unit = new UnitInWords(expected.names);
  }

  /** A row above the header. */
  sawAbove(row: RawRow): void {
    this.#unit.lookIn(row);
  }

  sawHeader(row: RawRow): void {
    this.#unit.lookIn(row);
    this.#shown.lookInHeader(row);
    this.#years.push(...remarksOnYears(row));
    this.#headerRow = row.row;
    this.#beyond = new BeyondHeader(row);
  }

  /** A row that SQL reads. */
  saw(row: RawRow): void {
    this.#shown.lookIn(row);
    if (this.#expected.hasHeader) this.#texts.lookIn(row);
    if (!this.#expected.hasHeader || holdsOneText(row)) this.#unit.lookIn(row);
    this.#beyond?.lookIn(row);
  }

  /** What there is to say once all rows of `table` have been read. */
  async remarks(table: RawTable): Promise<readonly TableRemark[]> {
    const ofValues = [
      ...this.#shown.remarks(),
      ...this.#texts.remarks(),
      ...this.#years,
      ...this.#unit.remarks(),
      ...(await remarksOnAsides(table)),
    ];
    return [
      ...(this.#expected.knowsValues ? [] : ofValues),
      ...remarksOnSheet(table, this.#headerRow),
      ...(this.#beyond?.remarks(this.#expected.hasSheets ? 'note' : 'warning') ?? []),
      ...(await remarksOnTotals(table)),
    ];
  }
}

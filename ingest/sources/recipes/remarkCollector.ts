// Collects remarks on a table of a recipe while it is read.
//
// They are about facts that people see in the sheet and SQL does not read, such as a unit in words.

import type { RawRow, RawTable } from '../readers/rawFile.ts';
import { MisshownCells } from './misshownCells.ts';
import type { TableFacts, TableRemark } from './tableFacts.ts';
import {
  BeyondHeader,
  draftTitle,
  type FirstText,
  holdsOneText,
  remarksOnAsides,
  remarksOnDrafts,
  remarksOnSheet,
  remarksOnTotals,
  remarksOnYears,
  unitInWords,
} from './tableRemarks.ts';
import { TextNumbers } from './textNumbers.ts';

/** Collects the remarks. Rows must be added in the order of the source. */
export class RemarkCollector {
  readonly #facts: TableFacts;
  readonly #shown: MisshownCells;
  readonly #unit: FirstText;
  readonly #draft = draftTitle();
  readonly #texts = new TextNumbers();
  readonly #years: TableRemark[] = [];
  #headerRow: number | null = null;
  #beyond: BeyondHeader | null = null;

  constructor(facts: TableFacts) {
    this.#facts = facts;
    this.#shown = new MisshownCells(facts);
    this.#unit = unitInWords(facts);
  }

  addAbove(row: RawRow): void {
    this.#unit.lookIn(row);
    this.#draft.lookIn(row);
  }

  addHeader(row: RawRow): void {
    this.#unit.lookIn(row);
    this.#draft.lookIn(row);
    this.#shown.lookInHeader(row);
    this.#years.push(...remarksOnYears(row));
    this.#headerRow = row.row;
    this.#beyond = new BeyondHeader(row);
  }

  /** Adds a row that SQL reads. */
  add(row: RawRow): void {
    this.#shown.lookIn(row);
    if (this.#facts.hasHeader) this.#texts.lookIn(row);
    if (!this.#facts.hasHeader || holdsOneText(row)) this.#unit.lookIn(row);
    if (!this.#facts.hasHeader && row.row <= MOST_TITLES) this.#draft.lookIn(row);
    this.#beyond?.lookIn(row);
  }

  /** The remarks on `table`, once all of its rows have been added. */
  async remarks(table: RawTable): Promise<readonly TableRemark[]> {
    const findings = await table.findings();
    const { asides } = findings;
    const ofValues = [
      ...this.#shown.remarks(),
      ...this.#texts.remarks(),
      ...this.#years,
      ...this.#unit.remarks(),
      ...remarksOnAsides(asides, this.#facts),
    ];
    return [
      ...remarksOnValues(ofValues, this.#facts.values),
      ...remarksOnSheet(table, findings, this.#headerRow),
      ...(this.#beyond?.remarks(this.#facts.hasSheets ? 'note' : 'warning') ?? []),
      ...this.#draft.remarks(),
      ...remarksOnDrafts(asides),
      ...(await remarksOnTotals(table)),
    ];
  }
}

/** How many rows of a table without a header are searched for titles. */
const MOST_TITLES = 20;

/**
 * The remarks on values, reported as `TableFacts.values` says. With `known`, notes are left out, and errors and warnings
 * become notes. These are still shown, because the next month may have others.
 */
function remarksOnValues(
  remarks: readonly TableRemark[],
  values: TableFacts['values'],
): readonly TableRemark[] {
  if (values === 'reported') return remarks;
  if (values === 'ignored') return [];
  return remarks
    .filter(({ severity }) => severity !== 'note')
    .map((remark) => ({ ...remark, severity: 'note', remedy: null }));
}

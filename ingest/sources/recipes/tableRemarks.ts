// Makes remarks on facts that people see in a sheet and SQL does not read: units in words, hidden parts, merged cells.

import { draftFault, draftFaultInAside } from '../../messages/draftFault.ts';
import { firstOf } from '../../messages/numbers.ts';
import type { Position } from '../../messages/place.ts';
import { type StatedUnit, statedUnit, unitInName } from '../../messages/statedUnits.ts';
import { asideRemarks } from '../readers/asideRemarks.ts';
import { type Aside, conditionalFormatDiagnostic, unitOfAside } from '../readers/asides.ts';
import { textIn } from '../readers/footnotes.ts';
import {
  type Cell,
  type CellRange,
  isKind,
  type RawRow,
  type RawTable,
  rangeName,
  type TableFindings,
} from '../readers/rawFile.ts';
import { unsupportedYearForm } from '../yearForms.ts';
import { AFFIRM, type TableFacts, type TableRemark } from './tableFacts.ts';

/** Finds the first text of a table on which there is a remark. Later texts get no remark. */
export class FirstText {
  readonly #remarkOn: (text: string) => RemarkOnText | null;
  #remark: TableRemark | null = null;

  constructor(remarkOn: (text: string) => RemarkOnText | null) {
    this.#remarkOn = remarkOn;
  }

  lookIn({ row, cells }: RawRow): void {
    if (this.#remark !== null) return;
    for (const [column, cell] of cells.entries()) {
      const text = textIn(cell);
      if (text !== null) this.add(this.#remarkOn(text), [row, column]);
    }
  }

  add(remark: RemarkOnText | null, at: Position | null): void {
    if (remark !== null) this.#remark ??= { ...remark, at };
  }

  remarks(): readonly TableRemark[] {
    return this.#remark === null ? [] : [this.#remark];
  }
}

type RemarkOnText = Omit<TableRemark, 'at'>;

/** Finds the first unit that the names of a table, its titles or its headings state. */
export function unitInWords({ names, hasScaleFor }: Pick<TableFacts, 'names' | 'hasScaleFor'>): FirstText {
  const remarkOn = (text: string, unit: StatedUnit | null): RemarkOnText | null =>
    unit === null || hasScaleFor(unit)
      ? null
      : {
          severity: 'note',
          problem: `"${shown(text.trim(), unit)}" says that figures are in ${unit.word}, and SQL reads them as they stand`,
          remedy: null,
          kind: 'a table of a recipe states a unit',
        };
  const first = new FirstText((text) => remarkOn(text, statedUnit(text)));
  for (const name of names) first.add(remarkOn(name, unitInName(name)), null);
  return first;
}

/** A text that states a unit, as messages quote it. Of a long text, only the unit is quoted. */
const shown = (text: string, unit: StatedUnit): string =>
  text.length > LONGEST_SHOWN ? `… ${unit.text} …` : text;

/** Finds the first title which says that the figures do not count: `DRAFT`, `test data`. */
export const draftTitle = (): FirstText =>
  new FirstText((text) => {
    const fault = draftFault(text);
    return fault && { severity: 'warning', ...fault };
  });

/** Warns of print headers, print footers and text boxes which say that the figures do not count. */
export const remarksOnDrafts = (asides: readonly Aside[]): readonly TableRemark[] =>
  asides.flatMap(({ what, text }): TableRemark[] => {
    const fault = draftFaultInAside(what, text);
    return fault === null ? [] : [{ severity: 'warning', at: null, ...fault }];
  });

const LONGEST_SHOWN = 100;

/** Whether a row holds only a text, as a footnote does. */
export function holdsOneText({ cells }: RawRow): boolean {
  const last = cells.at(-1) ?? null;
  return textIn(last) !== null && cells.every((cell, i) => i === cells.length - 1 || isEmpty(cell));
}

const isEmpty = (cell: Cell): boolean => cell === null || cell === '';

/**
 * Finds values to the right of the last heading. A separator within a value of a csv file moves the values after it there.
 */
export class BeyondHeader {
  readonly #width: number;
  #count = 0;
  #first: Position | null = null;

  constructor(header: RawRow) {
    this.#width = header.cells.findLastIndex((cell) => !isEmpty(cell)) + 1;
  }

  lookIn({ row, cells }: RawRow): void {
    if (cells.length <= this.#width) return;
    const at = cells.findIndex((cell, i) => i >= this.#width && !isEmpty(cell));
    if (at < 0) return;
    this.#count += 1;
    this.#first ??= [row, at];
  }

  remarks(severity: TableRemark['severity']): TableRemark[] {
    if (this.#first === null) return [];
    const rows = this.#count === 1 ? '1 row has' : `${this.#count} rows have`;
    return [
      {
        severity,
        at: this.#first,
        problem: `${rows} values to the right of the last heading; SQL reads them in columns called by their letters`,
        remedy:
          severity === 'note'
            ? null
            : 'see that no value has a separator in it; write such a value in quotes',
        kind: 'values of a recipe to the right of the last heading',
      },
    ];
  }
}

/**
 * Warns of headings that are nearly years beside headings that are years: `2024p` or a date beside 2022 and 2023. A SELECT
 * that takes the columns whose names are four digits leaves out such a column.
 */
export function remarksOnYears({ row, cells }: RawRow): TableRemark[] {
  const years = cells.filter((cell) => /^\d{4}$/.test(headingOf(cell)));
  if (years.length < 2) return [];
  return cells.flatMap((cell, column): TableRemark[] => {
    const heading = headingOf(cell);
    const form = unsupportedYearForm(heading);
    if (form?.isHeading !== true) return [];
    return [
      {
        severity: 'warning',
        at: [row, column],
        problem: `the column "${heading}" is headed by ${form.description}, beside ${years.length} columns headed by years`,
        remedy: `check that the SELECT reads it, or leaves it out on purpose, and then ${AFFIRM}`,
        kind: `columns of a recipe headed by ${form.description}`,
      },
    ];
  });
}

const headingOf = (cell: Cell): string => {
  if (typeof cell === 'number') return String(cell);
  if (isKind(cell, 'dated year')) return String(cell.value);
  if (isKind(cell, 'date')) return cell.iso;
  return (textIn(cell) ?? '').trim();
};

/** Notes the totals of a table object. Without a recipe, they would not be read. */
export async function remarksOnTotals(table: RawTable): Promise<TableRemark[]> {
  const object = (await table.tableObject?.()) ?? null;
  if (object === null || object.totalsRows === 0) return [];
  const first = object.range.rows[1] - object.totalsRows + 1;
  return [
    {
      severity: 'note',
      at: [first, object.range.columns[0]],
      problem: `holds the totals of the table ${object.name}, which SQL reads as a row like all others`,
      remedy: null,
      kind: 'the totals of a table object in a table of a recipe',
    },
  ];
}

/** Remarks on conditional formats, and on texts outside of cells that state a unit. */
export function remarksOnAsides(
  asides: readonly Aside[],
  { hasScaleFor }: Pick<TableFacts, 'hasScaleFor'>,
): readonly TableRemark[] {
  return asides.flatMap((aside): TableRemark[] => {
    const at = aside.cell ?? null;
    if (aside.what === 'conditional number format')
      return [{ severity: 'warning', at, ...conditionalFormatDiagnostic(aside) }];
    const unit = unitOfAside(aside);
    if (unit === null || hasScaleFor(unit)) return [];
    return [
      {
        severity: 'warning',
        at,
        problem: `the ${aside.what} "${shown(aside.text, unit)}" says that figures are in ${unit.word}, and SQL reads them as they stand`,
        remedy:
          'multiply them in the SELECT if they are, and then set "values": true for this table in recipe.json',
        kind: 'a text beside the cells of a recipe states a unit',
      },
    ];
  });
}

/** The remarks of the reader on a sheet, and a remark on merged cells below the header. */
export function remarksOnSheet(
  { hidden }: RawTable,
  { merged, remarks, asides }: TableFindings,
  headerRow: number | null,
): TableRemark[] {
  return [
    ...(hidden ? [HIDDEN] : []),
    ...[...remarks, ...asideRemarks(asides, headerRow ?? 1)].map(({ cell, wrongUntilRow: _, ...remark }) => ({
      ...remark,
      at: cell ?? null,
    })),
    ...remarkOnMerged(merged, headerRow),
  ];
}

const HIDDEN: TableRemark = {
  severity: 'note',
  at: null,
  problem: 'is a hidden sheet, and was read because recipe.json names it',
  remedy: null,
  kind: 'a hidden sheet was read',
};

/** The remark on merged cells. There is none without a header, because merged titles cannot be distinguished from data. */
function remarkOnMerged(merged: readonly CellRange[], headerRow: number | null): TableRemark[] {
  if (headerRow === null) return [];
  const below = merged.filter(({ rows }) => rows[0] > headerRow);
  const [first] = below;
  if (first === undefined) return [];
  return [
    {
      severity: 'note',
      at: [first.rows[0], first.columns[0]],
      problem: `the cells ${rangeName(first)} are merged, and SQL reads the value in the first only${firstOf(below.length)}`,
      remedy: null,
      kind: 'merged cells in a table of a recipe',
    },
  ];
}

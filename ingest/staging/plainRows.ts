// Stages the plain rows of column batches: rows of which every cell would be taken as it stands and without a remark.
//
// What is plain is decided once for each different text of a column. Any other row is left to `TableStager`, cell by cell.

import { datasetOf } from '../../src/catalog/datasets.ts';
import {
  type Cell,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  type RawRow,
  UNGROUPED_NUMBER,
  type WantedColumn,
} from '../sources/readers/raw.ts';
import type { CellContext } from './cells.ts';
import { UNFILLED } from './emptyDimensions.ts';
import { type NumberCells, refusesSign } from './numberCells.ts';
import type { Placement, Target } from './placement.ts';
import type { StagedRow } from './rowBuffer.ts';
import type { Terms } from './terms.ts';
import { isEmpty, yearIn } from './values.ts';

/** Stands for a text that is not taken as it stands. Real codes and years are positive, and UNFILLED is -1. */
const LOOK = -3;

type Column =
  | {
      readonly kind: 'texts';
      /** By index in the dictionary: the code or year, UNFILLED for a blank text, or LOOK. */
      readonly known: number[];
      readonly at: number;
      readonly target: Target;
      readonly isFirstText: boolean;
    }
  | {
      readonly kind: 'numbers';
      readonly at: number;
      readonly name: string;
      readonly refuses: (value: number) => boolean;
    }
  /** A year in a column of numbers. */
  | { readonly kind: 'year'; readonly at: number };

export class PlainRows {
  readonly #columns: readonly Column[];
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #numbers: NumberCells;

  private constructor(columns: readonly Column[], placement: Placement, terms: Terms, numbers: NumberCells) {
    this.#columns = columns;
    this.#placement = placement;
    this.#terms = terms;
    this.#numbers = numbers;
  }

  /**
   * How each column of a table is to be read. Null when its rows must be read one by one: in wide form, with options or a
   * survey, or under a header with faults.
   */
  static wanted({ header, targets }: Placement, context: CellContext): readonly ColumnKind[] | null {
    const { numbers, missing, fillDown, scale } = context.options;
    const hasOptions = numbers !== null || missing.size > 0 || fillDown.size > 0 || scale.size > 0;
    if (hasOptions || context.survey !== null) return null;
    if (header.form !== 'long' || !header.complete || header.faults.length > 0) return null;
    const kinds = Array.from(targets, (target): ColumnKind | null => {
      if (target?.kind === 'value') return 'numbers';
      return target?.kind === 'text' || target?.kind === 'year' ? 'texts' : null;
    });
    return kinds.every((kind) => kind !== null) ? kinds : null;
  }

  /** The same for SQL, with texts that the columns may have: those of the first rows and of the current snapshot. */
  static wantedOfSql(
    kinds: readonly ColumnKind[],
    { targets }: Placement,
    { known }: CellContext,
    first: readonly RawRow[],
  ): readonly WantedColumn[] {
    return kinds.map((kind, index) => {
      if (kind !== 'texts') return { kind, likely: [] };
      const target = targets[index];
      const seen = first.flatMap(({ cells }) => (typeof cells[index] === 'string' ? [cells[index]] : []));
      const before = target?.kind === 'text' && known !== null ? known.of(target.name) : [];
      return { kind, likely: [...new Set([...seen, ...before])].filter((text) => text !== '') };
    });
  }

  /** For the batches of a table; null when their columns are not those of its header. */
  static of(
    { columns }: ColumnBatch,
    placement: Placement,
    terms: Terms,
    numbers: NumberCells,
  ): PlainRows | null {
    const { targets, firstText, dataset } = placement;
    if (columns.length !== targets.length) return null;
    const read = columns.map(({ kind }, index): Column | null => {
      const target = targets[index];
      if (target?.kind === 'value') {
        const { name, at } = target;
        return kind === 'numbers'
          ? { kind, at, name, refuses: (value) => refusesSign(datasetOf(dataset), name, value) }
          : null;
      }
      if (target?.kind !== 'text' && target?.kind !== 'year') return null;
      const { at } = target;
      if (kind === 'texts') return { kind, known: [], at, target, isFirstText: index === firstText };
      return target.kind === 'year' ? { kind: 'year', at } : null;
    });
    const known = read.flatMap((column) => column ?? []);
    return known.length === read.length ? new PlainRows(known, placement, terms, numbers) : null;
  }

  /** Reads row `i` into `staged`. False when the row is not plain; the caller must then ignore `staged`. */
  fill({ columns, odd }: ColumnBatch, i: number, staged: StagedRow): boolean {
    if (odd[i] === 1) return false;
    const { dimensions, values } = staged;
    dimensions.fill(UNFILLED);
    let hasValue = values.length === 0;
    for (let index = 0; index < this.#columns.length; index++) {
      const column = this.#columns[index] as Column;
      const cells = columns[index] as ColumnBatch['columns'][number];
      if (cells.kind === 'texts') {
        if (column.kind !== 'texts') return false;
        const code = cells.codes[i] as number;
        if (code < 0) continue;
        const known = column.known[code] ?? this.#learn(column, code, cells.dictionary[code] ?? null);
        if (known === LOOK) return false;
        dimensions[column.at] = known;
        continue;
      }
      const value = cells.values[i] as number;
      const state = cells.states[i] as number;
      if (column.kind === 'numbers') {
        if (state === NO_NUMBER) values[column.at] = null;
        else if (column.refuses(value)) return false;
        else {
          if (state === UNGROUPED_NUMBER) this.#numbers.sawUngrouped(column.name);
          values[column.at] = value;
          hasValue = true;
        }
      } else if (column.kind === 'year') {
        if (state === NO_NUMBER) continue;
        const year = yearIn(value);
        if (year === undefined) return false;
        dimensions[column.at] = year;
      }
    }
    const { required, optional } = this.#placement;
    for (const at of optional) if (dimensions[at] === UNFILLED) dimensions[at] = this.#terms.empty;
    for (const at of required) if (dimensions[at] === UNFILLED) return false;
    return hasValue;
  }

  /** Decides on a text that the column has not had before. */
  #learn({ target, known, isFirstText }: Column & { kind: 'texts' }, code: number, cell: Cell): number {
    known[code] = this.#meaningOf(cell, target, isFirstText);
    return known[code];
  }

  #meaningOf(cell: Cell, target: Target, isFirstText: boolean): number {
    if (typeof cell !== 'string') return LOOK;
    if (isEmpty(cell)) return UNFILLED;
    if (target.kind === 'year') return yearIn(cell) ?? LOOK;
    if (target.kind !== 'text' || (isFirstText && this.#terms.isHeading(cell))) return LOOK;
    const term = this.#terms.of(cell, target.form);
    return term.fault === null && term.cleaned.length === 0 ? term.code : LOOK;
  }
}

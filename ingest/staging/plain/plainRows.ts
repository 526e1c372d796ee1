// Stages the plain rows of column batches. A row is plain when every cell is taken unchanged and without a remark.
//
// It examines each different text of a column only once, to save time. `TableStager` stages all other rows, cell by cell.
// `plainSql.ts` stages the same rows by SQL: both files must take the same rows for plain.

import {
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  type RawRow,
  UNGROUPED_NUMBER,
  type WantedColumn,
} from '../../sources/readers/raw.ts';
import type { RowBuffer, StagedRow } from '../database/rowBuffer.ts';
import { EVERY_METRIC } from '../database/stagingTables.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import type { NumberCells } from '../numbers/numberCells.ts';
import { signRule } from '../numbers/signRules.ts';
import type { Placement } from '../placement.ts';
import type { TableContext } from '../tableContext.ts';
import type { Terms } from '../terms.ts';
import { yearIn } from '../values.ts';
import {
  type NumberColumn,
  type Numbers,
  PlainRuns,
  type Run,
  type SignTest,
  type Texts,
} from './plainRuns.ts';
import { NOT_PLAIN, TextMeanings } from './textMeanings.ts';

export type { Run };

/** The fewest rows of a run. A shorter run saves no time. */
const LEAST_OF_RUN = 4;
/** The most rows of a run. If one row is not plain, all rows of its run are staged one by one. Longer runs waste more work. */
const MOST_OF_RUN = 256;

/** Stages the plain rows of one table. */
export class PlainRows {
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #numbers: NumberCells;
  readonly #texts: readonly TextMeanings[];
  readonly #years: readonly NumberColumn[];
  readonly #values: readonly NumberColumn[];
  /** Which values of each metric are reported because of their sign, by the index of the metric. */
  readonly #signTests: readonly SignTest[];
  readonly #runs: PlainRuns;
  /** The index of the metric that the current row names. */
  #metric = 0;

  private constructor(
    texts: readonly TextMeanings[],
    numbers: readonly NumberColumn[],
    table: TableContext,
    cells: NumberCells,
  ) {
    const { placement } = table;
    this.#placement = placement;
    this.#terms = table.terms;
    this.#numbers = cells;
    this.#texts = texts;
    this.#years = numbers.filter(({ target }) => target.kind === 'year');
    this.#values = numbers.filter(({ target }) => target.kind !== 'year');
    this.#signTests = placement.metrics.map(
      (name) => signRule(placement.dataset, name)?.reports ?? (() => false),
    );
    const columns = { texts, years: this.#years, values: this.#values, signTests: this.#signTests };
    this.#runs = new PlainRuns(columns, table, cells);
  }

  /**
   * The kind of values that each column of a table should be read as. Null when the rows must be read one by one, because options
   * or a survey change how cells are read, or because the header has faults.
   */
  static wanted({ placement, options, survey }: TableContext): readonly ColumnKind[] | null {
    const { header, targets } = placement;
    const { numbers, missing, fillDown, scale } = options;
    const hasOptions = numbers !== null || missing.size > 0 || fillDown.size > 0 || scale.size > 0;
    if (hasOptions || survey !== null) return null;
    if (!header.complete || header.faults.length > 0) return null;
    const kinds = Array.from(targets, (target): ColumnKind | null => {
      if (target === undefined) return null;
      return target.kind === 'value' || target.kind === 'year value' ? 'numbers' : 'texts';
    });
    return kinds.every((kind) => kind !== null) ? kinds : null;
  }

  /**
   * The columns that SQL must provide. Each has the texts that it likely holds: those of the first rows and of the current
   * snapshot.
   */
  static wantedOfSql(
    kinds: readonly ColumnKind[],
    { placement: { targets }, known }: TableContext,
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

  /** Makes the stager for the batches of a table. Null when the columns of a batch do not match those of the header. */
  static of({ columns }: ColumnBatch, table: TableContext, numbers: NumberCells): PlainRows | null {
    const { targets } = table.placement;
    if (columns.length !== targets.length) return null;
    const texts: TextMeanings[] = [];
    const numeric: NumberColumn[] = [];
    for (const [index, { kind }] of columns.entries()) {
      const target = targets[index];
      if (target === undefined) return null;
      const holdsValues = target.kind === 'value' || target.kind === 'year value';
      if (kind === 'texts' && !holdsValues) {
        texts.push(new TextMeanings(index, target, table));
      } else if (kind === 'numbers' && (holdsValues || target.kind === 'year'))
        numeric.push({ index, target });
      else return null;
    }
    return new PlainRows(texts, numeric, table, numbers);
  }

  /**
   * Stages a run column by column, and returns the number of facts. It stages nothing and returns 0 when the buffer has no room,
   * when a row is not plain, or when a row has a text that no earlier row had.
   */
  stageRun(run: Run, source: number, into: RowBuffer): number {
    return run.to - run.from < LEAST_OF_RUN ? 0 : this.#runs.stage(run, source, into);
  }

  /** The most rows of a run when the buffer has room for `room` facts. */
  longestRun(room: number): number {
    const factsOfRow = this.#placement.header.form === 'wide' ? this.#values.length : 1;
    return Math.max(1, Math.min(MOST_OF_RUN, Math.floor(room / Math.max(1, factsOfRow))));
  }

  /**
   * Stages the facts of row `i`, and returns their number. Stages nothing and returns 0 when the row is not plain. It writes one
   * fact after the other into `staged`, and calls `add` for each.
   */
  stage(batch: ColumnBatch, i: number, staged: StagedRow, add: (staged: StagedRow) => void): number {
    if (batch.odd[i] === 1 || !this.#fillDimensions(batch, i, staged.dimensions)) return 0;
    return this.#placement.header.form === 'wide'
      ? this.#stageYears(batch, i, staged, add)
      : this.#stageFact(batch, i, staged, add);
  }

  /** Writes the dimensions of row `i` into `dimensions`; false when one of them is not plain. */
  #fillDimensions({ columns }: ColumnBatch, i: number, dimensions: number[]): boolean {
    dimensions.fill(UNFILLED);
    const texts = this.#texts;
    // A row that lacks a required dimension may be a footnote. Its text must not get a code, so the codes come after this check.
    for (let n = 0; n < texts.length; n++) {
      const { index, isRequired } = texts[n] as TextMeanings;
      if (isRequired && ((columns[index] as Texts).codes[i] as number) < 0) return false;
    }
    for (let n = 0; n < texts.length; n++) {
      const column = texts[n] as TextMeanings;
      const { codes, dictionary } = columns[column.index] as Texts;
      const code = codes[i] as number;
      if (code < 0) continue;
      const meaning = column.of(code, dictionary);
      if (meaning === NOT_PLAIN) return false;
      if (column.dimension < 0) this.#metric = meaning;
      else dimensions[column.dimension] = meaning;
    }
    for (const { index, target } of this.#years) {
      const { values, states } = columns[index] as Numbers;
      if (target.kind !== 'year' || states[i] === NO_NUMBER) continue;
      const year = yearIn(values[i]);
      if (year === undefined) return false;
      dimensions[target.dimension] = year;
    }
    const { required, optional } = this.#placement;
    for (const index of optional) if (dimensions[index] === UNFILLED) dimensions[index] = this.#terms.empty;
    for (const index of required) if (dimensions[index] === UNFILLED) return false;
    return true;
  }

  #stageFact(
    { columns }: ColumnBatch,
    i: number,
    staged: StagedRow,
    add: (staged: StagedRow) => void,
  ): number {
    const { values } = staged;
    let hasValue = values.length === 0;
    for (const { index, target } of this.#values) {
      if (target.kind !== 'value') continue;
      const numbers = columns[index] as Numbers;
      const value = numbers.values[i] as number;
      if (numbers.states[i] === NO_NUMBER) {
        values[target.metric] = null;
        continue;
      }
      if ((this.#signTests[target.metric] as SignTest)(value)) return 0;
      if (numbers.states[i] === UNGROUPED_NUMBER) this.#numbers.recordUngrouped(target.name);
      values[target.metric] = value;
      hasValue = true;
    }
    if (!hasValue) return 0;
    add(staged);
    return 1;
  }

  #stageYears(
    { columns }: ColumnBatch,
    i: number,
    staged: StagedRow,
    add: (staged: StagedRow) => void,
  ): number {
    const { metrics, dimensions } = this.#placement;
    for (const { index, target } of this.#values) {
      const numbers = columns[index] as Numbers;
      if (target.kind !== 'year value' || numbers.states[i] === NO_NUMBER) continue;
      if ((this.#signTests[target.metric ?? this.#metric] as SignTest)(numbers.values[i] as number)) return 0;
    }
    const yearAt = dimensions.indexOf('year');
    let facts = 0;
    for (const { index, target } of this.#values) {
      const numbers = columns[index] as Numbers;
      if (target.kind !== 'year value' || numbers.states[i] === NO_NUMBER) continue;
      const metric = target.metric ?? this.#metric;
      if (numbers.states[i] === UNGROUPED_NUMBER) this.#numbers.recordUngrouped(metrics[metric] ?? '');
      staged.values.fill(null);
      staged.values[metric] = numbers.values[i] as number;
      staged.dimensions[yearAt] = target.year;
      staged.metric = metrics.length === 1 ? EVERY_METRIC : metric;
      staged.column = index;
      add(staged);
      facts += 1;
    }
    return facts;
  }
}

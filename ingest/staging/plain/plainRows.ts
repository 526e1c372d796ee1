// Stages the plain rows of column batches: rows of which every cell would be taken as it stands and without a remark.
//
// What is plain is decided once for each different text of a column. Any other row is left to `TableStager`, cell by cell.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import {
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  type RawRow,
  UNGROUPED_NUMBER,
  type WantedColumn,
} from '../../sources/readers/raw.ts';
import type { CellContext } from '../cells.ts';
import type { RowBuffer, StagedRow } from '../database/rowBuffer.ts';
import { EVERY_METRIC } from '../database/stagingTables.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import type { NumberCells } from '../numbers/numberCells.ts';
import { signRefusal } from '../numbers/signRules.ts';
import type { Placement } from '../placement.ts';
import type { Terms } from '../terms.ts';
import { yearIn } from '../values.ts';
import type { NumberColumn, Numbers, Refuses, Texts } from './plainColumns.ts';
import { PlainRuns } from './plainRuns.ts';
import { NOT_PLAIN, TextMeanings } from './textMeanings.ts';

/**
 * The least and the most rows that are staged in one run. A shorter run saves no time. A longer one would lose more work to a
 * single row that is not plain.
 */
const LEAST_OF_RUN = 4;
const MOST_OF_RUN = 256;

export class PlainRows {
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #numbers: NumberCells;
  readonly #texts: readonly TextMeanings[];
  readonly #years: readonly NumberColumn[];
  readonly #values: readonly NumberColumn[];
  /** By metric. */
  readonly #refuses: readonly Refuses[];
  readonly #runs: PlainRuns;
  /** The metric that the current row names. */
  #metric = 0;

  private constructor(
    texts: readonly TextMeanings[],
    numbers: readonly NumberColumn[],
    placement: Placement,
    terms: Terms,
    cells: NumberCells,
  ) {
    this.#placement = placement;
    this.#terms = terms;
    this.#numbers = cells;
    this.#texts = texts;
    this.#years = numbers.filter(({ target }) => target.kind === 'year');
    this.#values = numbers.filter(({ target }) => target.kind !== 'year');
    const dataset = datasetOf(placement.dataset);
    this.#refuses = placement.metrics.map((name) => signRefusal(dataset, name));
    const columns = { texts, years: this.#years, values: this.#values, refuses: this.#refuses };
    this.#runs = new PlainRuns(columns, placement, terms, cells);
  }

  /**
   * How each column of a table is to be read. Null when its rows must be read one by one: with options or a survey, or
   * under a header with faults.
   */
  static wanted({ header, targets }: Placement, context: CellContext): readonly ColumnKind[] | null {
    const { numbers, missing, fillDown, scale } = context.options;
    const hasOptions = numbers !== null || missing.size > 0 || fillDown.size > 0 || scale.size > 0;
    if (hasOptions || context.survey !== null) return null;
    if (!header.complete || header.faults.length > 0) return null;
    const kinds = Array.from(targets, (target): ColumnKind | null => {
      if (target === undefined) return null;
      return target.kind === 'value' || target.kind === 'year value' ? 'numbers' : 'texts';
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

  /** Stages the batches of a table. Null when their columns are not those of its header. */
  static of(
    { columns }: ColumnBatch,
    placement: Placement,
    terms: Terms,
    numbers: NumberCells,
  ): PlainRows | null {
    const { targets } = placement;
    if (columns.length !== targets.length) return null;
    const texts: TextMeanings[] = [];
    const numeric: NumberColumn[] = [];
    for (const [index, { kind }] of columns.entries()) {
      const target = targets[index];
      if (target === undefined) return null;
      const holdsValues = target.kind === 'value' || target.kind === 'year value';
      if (kind === 'texts' && !holdsValues) {
        texts.push(new TextMeanings(index, target, placement, terms));
      } else if (kind === 'numbers' && (holdsValues || target.kind === 'year'))
        numeric.push({ index, target });
      else return null;
    }
    return new PlainRows(texts, numeric, placement, terms, numbers);
  }

  /**
   * Adds the rows of a range to a staging table, column by column; returns the number of facts. Adds none and returns 0
   * when one of the rows is not plain or has a text that no earlier row had, or when there is no room.
   */
  stageRun(batch: ColumnBatch, from: number, to: number, source: number, into: RowBuffer): number {
    return to - from < LEAST_OF_RUN ? 0 : this.#runs.stage(batch, from, to, source, into);
  }

  /** The number of rows that may be staged at once when there is room for `room` facts. */
  longestRun(room: number): number {
    const factsOfRow = this.#placement.header.form === 'wide' ? this.#values.length : 1;
    return Math.max(1, Math.min(MOST_OF_RUN, Math.floor(room / Math.max(1, factsOfRow))));
  }

  /**
   * Fills `staged` with each fact of row `i`, and adds it; returns the number of facts. Adds none and returns 0 when
   * the row is not plain.
   */
  stage(batch: ColumnBatch, i: number, staged: StagedRow, add: (staged: StagedRow) => void): number {
    if (batch.odd[i] === 1 || !this.#fillDimensions(batch, i, staged.dimensions)) return 0;
    return this.#placement.header.form === 'wide'
      ? this.#stageYears(batch, i, staged, add)
      : this.#stageFact(batch, i, staged, add);
  }

  /** False when a dimension is not plain. */
  #fillDimensions({ columns }: ColumnBatch, i: number, dimensions: number[]): boolean {
    dimensions.fill(UNFILLED);
    const texts = this.#texts;
    // A text alone in its row may be a footnote, which gets no code.
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
      if (column.at < 0) this.#metric = meaning;
      else dimensions[column.at] = meaning;
    }
    for (const { index, target } of this.#years) {
      const { values, states } = columns[index] as Numbers;
      if (target.kind !== 'year' || states[i] === NO_NUMBER) continue;
      const year = yearIn(values[i]);
      if (year === undefined) return false;
      dimensions[target.at] = year;
    }
    const { required, optional } = this.#placement;
    for (const at of optional) if (dimensions[at] === UNFILLED) dimensions[at] = this.#terms.empty;
    for (const at of required) if (dimensions[at] === UNFILLED) return false;
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
        values[target.at] = null;
        continue;
      }
      if ((this.#refuses[target.at] as Refuses)(value)) return 0;
      if (numbers.states[i] === UNGROUPED_NUMBER) this.#numbers.sawUngrouped(target.name);
      values[target.at] = value;
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
      if ((this.#refuses[target.metric ?? this.#metric] as Refuses)(numbers.values[i] as number)) return 0;
    }
    const yearAt = dimensions.indexOf('year');
    let facts = 0;
    for (const { index, target } of this.#values) {
      const numbers = columns[index] as Numbers;
      if (target.kind !== 'year value' || numbers.states[i] === NO_NUMBER) continue;
      const metric = target.metric ?? this.#metric;
      if (numbers.states[i] === UNGROUPED_NUMBER) this.#numbers.sawUngrouped(metrics[metric] ?? '');
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

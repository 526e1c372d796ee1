// Stages the plain rows of column batches, many at a time. A row is plain when all cells are taken as they are.
//
// It examines each different text of a column only once, to save time. `TableStager` stages all other rows, cell by cell.
// `plainSql.ts` stages the same rows by SQL: both files must take the same rows for plain.

import {
  type BatchColumn,
  type ColumnBatch,
  type ColumnKind,
  NO_NUMBER,
  UNGROUPED_NUMBER,
} from '../../sources/readers/rawFile.ts';
import { yearIn } from '../cellValues.ts';
import type { Target } from '../columnMapping.ts';
import { CHUNK_ROWS, type RowBuffer } from '../database/rowBuffer.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import { signRule } from '../numbers/signRules.ts';
import type { TableContext } from '../tableContext.ts';
import { NOT_PLAIN, TextMeanings, UNEXAMINED } from './textMeanings.ts';

/** The most rows of a run. If one row is not plain, the run is divided. Longer runs waste more work. */
const MOST_RUN_ROWS = 256;

/** A column of texts, as codes into a dictionary. */
type TextColumn = Extract<BatchColumn, { kind: 'texts' }>;
/** A column of numbers and their states, such as `NO_NUMBER`. */
type NumberColumn = Extract<BatchColumn, { kind: 'numbers' }>;

/** A column of years, or of values. The metric is null where each row names it; the year is null in long form. */
interface YearColumn {
  readonly index: number;
  readonly dimension: number;
}
interface ValueColumn {
  readonly index: number;
  readonly metric: number | null;
  readonly year: number | null;
}

/** The rows of a batch from `from` up to, not including, `to`. None of them is marked in `batch.odd`. */
export interface Run {
  readonly batch: ColumnBatch;
  readonly from: number;
  readonly to: number;
}

interface BufferedRun extends Run {
  readonly into: RowBuffer;
  /** The index in `into` of the first fact. */
  readonly start: number;
}

/**
 * The kind of values that each column of a table should be read as. Null when the rows must be read one by one, because
 * options or a survey change how cells are read, or because the header has faults.
 */
export function wantedKinds({ mapping, options, survey }: TableContext): readonly ColumnKind[] | null {
  const { header, targets } = mapping;
  const { numbers, missing, fillDown, scale } = options;
  const hasOptions = numbers !== null || missing.size > 0 || fillDown.size > 0 || scale.size > 0;
  if (hasOptions || survey !== null) return null;
  if (!header.complete || header.faults.length > 0) return null;
  const kinds = Array.from(targets, (target): ColumnKind | null => {
    if (target === undefined) return null;
    return holdsValues(target) ? 'numbers' : 'texts';
  });
  return kinds.every((kind) => kind !== null) ? kinds : null;
}

const holdsValues = ({ kind }: Target): boolean => kind === 'value' || kind === 'year value';

/** Stages the plain rows of one table. */
export class PlainRows {
  readonly #texts: readonly TextMeanings[];
  readonly #years: readonly YearColumn[];
  readonly #values: readonly ValueColumn[];
  /** Which values of each metric are reported because of their sign, by the index of the metric. */
  readonly #signTests: readonly ((value: number) => boolean)[];
  readonly #table: TableContext;
  readonly #isWide: boolean;
  /** The index of the metric that each row of the run names. */
  readonly #metricByRow = new Int32Array(CHUNK_ROWS);
  /** The codes or years of all rows of the run, by dimension. */
  readonly #dimensionsByRow: readonly Int32Array[];
  /** The row of each fact of the run. The first row of the run is 0. */
  readonly #rowByFact = new Int32Array(CHUNK_ROWS);

  private constructor(
    texts: readonly TextMeanings[],
    years: readonly YearColumn[],
    values: readonly ValueColumn[],
    table: TableContext,
  ) {
    const { dataset, metrics, dimensions, header } = table.mapping;
    this.#texts = texts;
    this.#years = years;
    this.#values = values;
    this.#signTests = metrics.map((name) => signRule(dataset, name)?.reports ?? (() => false));
    this.#table = table;
    this.#isWide = header.form === 'wide';
    this.#dimensionsByRow = dimensions.map(() => new Int32Array(CHUNK_ROWS));
  }

  /** Makes the stager for the batches of a table. Null when the columns of a batch do not match those of the header. */
  static of({ columns }: ColumnBatch, table: TableContext): PlainRows | null {
    const { targets } = table.mapping;
    if (columns.length !== targets.length) return null;
    const texts: TextMeanings[] = [];
    const years: YearColumn[] = [];
    const values: ValueColumn[] = [];
    for (const [index, { kind }] of columns.entries()) {
      const target = targets[index];
      if (target === undefined) return null;
      if (kind === 'texts' && !holdsValues(target)) texts.push(new TextMeanings(index, target, table));
      else if (kind === 'texts') return null;
      else if (target.kind === 'year') years.push({ index, dimension: target.dimension });
      else if (target.kind === 'value') values.push({ index, metric: target.metric, year: null });
      else if (target.kind === 'year value') values.push({ index, metric: target.metric, year: target.year });
      else return null;
    }
    return new PlainRows(texts, years, values, table);
  }

  /** The most rows of a run, for whose facts the buffer has room. */
  longestRun(): number {
    const { staging, mapping } = this.#table;
    const { freeRows } = staging.buffer(mapping.dataset);
    const factsOfRow = this.#isWide ? this.#values.length : 1;
    return Math.max(1, Math.min(MOST_RUN_ROWS, Math.floor(freeRows / Math.max(1, factsOfRow))));
  }

  /**
   * Stages a run column by column, and returns the number of facts. It stages nothing and returns 0 when the buffer has no
   * room, or when a row is not plain.
   */
  stage({ batch, from, to }: Run): number {
    const { staging, source, mapping } = this.#table;
    const into = staging.buffer(mapping.dataset);
    const most = (to - from) * (this.#isWide ? this.#values.length : 1);
    if (most > into.freeRows) return 0;
    const start = into.reserve(most, source, mapping.firstColumn);
    const run = { batch, from, to, into, start };
    if (!this.#readTexts(run) && !(this.#examineTexts(run) && this.#readTexts(run))) return 0;
    if (!this.#readYears(run)) return 0;
    const facts = this.#isWide ? this.#addYears(run) : this.#addRows(run);
    into.addReserved(facts);
    return facts;
  }

  /**
   * Examines the new texts of a run in the order of its rows, which is the order of their codes, and returns whether there
   * are any. It ends at the first row that is not plain. A row that lacks a required dimension may be a footnote, whose
   * texts must not get codes.
   */
  #examineTexts({ batch, from, to }: Run): boolean {
    const columns = this.#texts.map((column) => ({ column, ...(batch.columns[column.index] as TextColumn) }));
    let hasNew = false;
    for (let i = from; i < to; i++) {
      if (columns.some(({ column, codes }) => column.isRequired && (codes[i] as number) < 0)) break;
      for (const { column, codes, dictionary } of columns) {
        const code = codes[i] as number;
        if (code < 0) continue;
        hasNew ||= (column.meanings[code] ?? UNEXAMINED) === UNEXAMINED;
        if (column.of(code, dictionary) === NOT_PLAIN) return hasNew;
      }
    }
    return hasNew;
  }

  /** Reads the dimensions and the metric that the rows name; false when a text is new or not plain. */
  #readTexts({ batch, from, to }: Run): boolean {
    const { dimensions, optional } = this.#table.mapping;
    const { emptyCode } = this.#table.dimensionTexts;
    for (let at = 0; at < dimensions.length; at++)
      this.#dimensionsByRow[at]?.fill(optional.includes(at) ? emptyCode : UNFILLED, 0, to - from);
    for (const { index, dimension, isRequired, meanings } of this.#texts) {
      const { codes } = batch.columns[index] as TextColumn;
      const into = dimension < 0 ? this.#metricByRow : (this.#dimensionsByRow[dimension] as Int32Array);
      const blank = isRequired ? NOT_PLAIN : emptyCode;
      for (let i = from; i < to; i++) {
        const code = codes[i] as number;
        let meaning = code < 0 ? UNFILLED : (meanings[code] ?? UNEXAMINED);
        if (meaning === UNFILLED) meaning = blank;
        if (meaning < 0) return false;
        into[i - from] = meaning;
      }
    }
    return true;
  }

  /** Reads years from columns of numbers; false when a cell holds none. */
  #readYears({ batch, from, to }: Run): boolean {
    for (const { index, dimension } of this.#years) {
      const { values, states } = batch.columns[index] as NumberColumn;
      const into = this.#dimensionsByRow[dimension] as Int32Array;
      for (let i = from; i < to; i++) {
        if (states[i] === NO_NUMBER || yearIn(values[i]) === undefined) return false;
        into[i - from] = values[i] as number;
      }
    }
    return true;
  }

  /** Writes one fact for each row of long form, and returns their number; 0 when a row is not plain. */
  #addRows({ batch, from, to, into, start }: BufferedRun): number {
    const count = to - from;
    const filled = new Uint8Array(count);
    if (this.#signTests.length === 0) filled.fill(1);
    for (const nulls of into.nulls) nulls.fill(1, start, start + count);
    const ungrouped: number[] = [];
    for (const { index, metric } of this.#values) {
      const { values, states } = batch.columns[index] as NumberColumn;
      const [stored, nulls] = [
        into.values[metric ?? 0] as Float64Array,
        into.nulls[metric ?? 0] as Uint8Array,
      ];
      const isReported = this.#signTests[metric ?? 0] as (value: number) => boolean;
      let isUngrouped = false;
      for (let i = 0; i < count; i++) {
        const state = states[from + i] as number;
        if (state === NO_NUMBER) continue;
        const value = values[from + i] as number;
        if (isReported(value)) return 0;
        if (state === UNGROUPED_NUMBER) isUngrouped = true;
        // Adding 0 turns -0 into 0, so a zero has no sign.
        stored[start + i] = value + 0;
        nulls[start + i] = 0;
        filled[i] = 1;
      }
      if (isUngrouped) ungrouped.push(metric ?? 0);
    }
    if (filled.includes(0)) return 0;
    into.rowNumbers.set(batch.rows.subarray(from, to), start);
    for (let at = 0; at < this.#dimensionsByRow.length; at++)
      into.dimensions[at]?.set((this.#dimensionsByRow[at] as Int32Array).subarray(0, count), start);
    this.#recordUngrouped(ungrouped);
    return count;
  }

  /** Writes a fact for each filled year of wide form, and returns their number; 0 when a row is not plain. */
  #addYears({ batch, from, to, into, start }: BufferedRun): number {
    const { metrics, dimensions } = this.#table.mapping;
    const most = start + (to - from) * this.#values.length;
    const years = into.dimensions[dimensions.indexOf('year')] as Int32Array;
    for (const nulls of into.nulls) nulls.fill(1, start, most);
    const ungrouped = new Set<number>();
    let at = start;
    for (let i = from; i < to; i++) {
      const before = at;
      for (const { index, metric: ofColumn, year } of this.#values) {
        const { values, states } = batch.columns[index] as NumberColumn;
        const state = states[i] as number;
        if (state === NO_NUMBER) continue;
        const value = values[i] as number;
        const metric = ofColumn ?? (this.#metricByRow[i - from] as number);
        if (this.#signTests[metric]?.(value)) return 0;
        if (state === UNGROUPED_NUMBER) ungrouped.add(metric);
        (into.values[metric] as Float64Array)[at] = value + 0;
        (into.nulls[metric] as Uint8Array)[at] = 0;
        into.placeColumns[at] = index;
        if (metrics.length > 1) into.metrics[at] = metric;
        years[at] = year ?? UNFILLED;
        this.#rowByFact[at - start] = i - from;
        at += 1;
      }
      if (at === before) return 0;
      into.rowNumbers.fill(batch.rows[i] as number, before, at);
    }
    for (let d = 0; d < dimensions.length; d++) {
      const [stored, ofRows] = [into.dimensions[d] as Int32Array, this.#dimensionsByRow[d] as Int32Array];
      if (stored === years) continue;
      for (let fact = start; fact < at; fact++)
        stored[fact] = ofRows[this.#rowByFact[fact - start] as number] as number;
    }
    this.#recordUngrouped(ungrouped);
    return at - start;
  }

  #recordUngrouped(metrics: Iterable<number>): void {
    const { mapping, ungroupedMetrics } = this.#table;
    for (const metric of metrics) ungroupedMetrics.add(mapping.metrics[metric] ?? '');
  }
}

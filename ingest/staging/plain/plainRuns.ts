// Stages plain rows many at a time, column by column. `plainRows.ts` stages the same rows one at a time.
//
// A run with a row that is not plain is left to `plainRows.ts`. So is a run with a new text, because new texts get their codes in
// the order of the rows.

import {
  type BatchColumn,
  type ColumnBatch,
  NO_NUMBER,
  UNGROUPED_NUMBER,
} from '../../sources/readers/raw.ts';
import { CHUNK_ROWS, type RowBuffer } from '../database/rowBuffer.ts';
import { EVERY_METRIC } from '../database/stagingTables.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import type { NumberCells } from '../numbers/numberCells.ts';
import type { Placement, Target } from '../placement.ts';
import type { TableContext } from '../tableContext.ts';
import type { Terms } from '../terms.ts';
import { yearIn } from '../values.ts';
import { NOT_PLAIN, type TextMeanings, UNKNOWN } from './textMeanings.ts';

/** A column of numbers: years, the values of a metric in long form, or those of a year in wide form. */
export interface NumberColumn {
  readonly index: number;
  readonly target: Target;
}

/** Whether a value is reported because of its sign. */
export type SignTest = (value: number) => boolean;

/** A column of texts, as codes into a dictionary. */
export type Texts = Extract<BatchColumn, { kind: 'texts' }>;
/** A column of numbers and their states, such as `NO_NUMBER`. */
export type Numbers = Extract<BatchColumn, { kind: 'numbers' }>;

/** The rows of a batch from `from` to `to`, without `to`. None of them is odd. */
export interface Run {
  readonly batch: ColumnBatch;
  readonly from: number;
  readonly to: number;
}

interface RunColumns {
  readonly texts: readonly TextMeanings[];
  readonly years: readonly NumberColumn[];
  readonly values: readonly NumberColumn[];
  /** Which values of each metric are reported because of their sign, by the index of the metric. */
  readonly signTests: readonly SignTest[];
}

/** A column of values, with its metric and year. The metric is null where each row names it; the year is null in long form. */
interface ValueColumn {
  readonly index: number;
  readonly metric: number | null;
  readonly year: number | null;
}

interface BufferedRun extends Run {
  readonly into: RowBuffer;
  /** The index in `into` of the first fact. */
  readonly start: number;
}

/** Stages the runs of one table. */
export class PlainRuns {
  readonly #texts: readonly TextMeanings[];
  readonly #years: readonly NumberColumn[];
  readonly #values: readonly ValueColumn[];
  readonly #signTests: readonly SignTest[];
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #numbers: NumberCells;
  readonly #isWide: boolean;
  /** The index of the metric that each row of the run names. */
  readonly #metricOf = new Int32Array(CHUNK_ROWS);
  /** The codes or years of all rows of the run, by dimension. */
  readonly #ofRows: readonly Int32Array[];
  /** The row of each fact of the run. The first row of the run is 0. */
  readonly #rowOf = new Int32Array(CHUNK_ROWS);

  constructor(
    { texts, years, values, signTests }: RunColumns,
    { placement, terms }: TableContext,
    numbers: NumberCells,
  ) {
    this.#texts = texts;
    this.#years = years;
    this.#values = values.map(({ index, target }) =>
      target.kind === 'year value'
        ? { index, metric: target.metric, year: target.year }
        : { index, metric: target.kind === 'value' ? target.metric : null, year: null },
    );
    this.#signTests = signTests;
    this.#placement = placement;
    this.#terms = terms;
    this.#numbers = numbers;
    this.#isWide = placement.header.form === 'wide';
    this.#ofRows = placement.dimensions.map(() => new Int32Array(CHUNK_ROWS));
  }

  /** Stages a run, and returns the number of facts; 0 when its rows must be staged one by one. */
  stage({ batch, from, to }: Run, source: number, into: RowBuffer): number {
    const most = (to - from) * (this.#isWide ? this.#values.length : 1);
    if (most > into.room) return 0;
    const { firstColumn } = this.#placement;
    const run = { batch, from, to, into, start: into.begin(most, source, firstColumn, EVERY_METRIC) };
    if (!this.#readTexts(run) || !this.#readYears(run)) return 0;
    const facts = this.#isWide ? this.#addYears(run) : this.#addRows(run);
    into.end(facts);
    return facts;
  }

  /** Reads the dimensions and the metric that the rows name; false when a text is new or not plain. */
  #readTexts({ batch, from, to }: Run): boolean {
    const { dimensions, optional } = this.#placement;
    for (let at = 0; at < dimensions.length; at++)
      this.#ofRows[at]?.fill(optional.includes(at) ? this.#terms.empty : UNFILLED, 0, to - from);
    for (const { index, dimension, isRequired, known } of this.#texts) {
      const { codes } = batch.columns[index] as Texts;
      const into = dimension < 0 ? this.#metricOf : (this.#ofRows[dimension] as Int32Array);
      const blank = isRequired ? NOT_PLAIN : this.#terms.empty;
      for (let i = from; i < to; i++) {
        const code = codes[i] as number;
        let meaning = code < 0 ? UNFILLED : (known[code] ?? UNKNOWN);
        if (meaning === UNFILLED) meaning = blank;
        if (meaning < 0) return false;
        into[i - from] = meaning;
      }
    }
    return true;
  }

  /** Reads years from columns of numbers; false when a cell holds none. */
  #readYears({ batch, from, to }: Run): boolean {
    for (const { index, target } of this.#years) {
      if (target.kind !== 'year') return false;
      const { values, states } = batch.columns[index] as Numbers;
      const into = this.#ofRows[target.dimension] as Int32Array;
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
      const { values, states } = batch.columns[index] as Numbers;
      const [stored, nulls] = [
        into.values[metric ?? 0] as Float64Array,
        into.nulls[metric ?? 0] as Uint8Array,
      ];
      const isReported = this.#signTests[metric ?? 0] as SignTest;
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
    for (let at = 0; at < this.#ofRows.length; at++)
      into.dimensions[at]?.set((this.#ofRows[at] as Int32Array).subarray(0, count), start);
    this.#recordUngrouped(ungrouped);
    return count;
  }

  /** Writes a fact for each filled year of wide form, and returns their number; 0 when a row is not plain. */
  #addYears({ batch, from, to, into, start }: BufferedRun): number {
    const { metrics, dimensions } = this.#placement;
    const most = start + (to - from) * this.#values.length;
    const years = into.dimensions[dimensions.indexOf('year')] as Int32Array;
    for (const nulls of into.nulls) nulls.fill(1, start, most);
    const ungrouped = new Set<number>();
    let at = start;
    for (let i = from; i < to; i++) {
      const before = at;
      for (const { index, metric: ofColumn, year } of this.#values) {
        const { values, states } = batch.columns[index] as Numbers;
        const state = states[i] as number;
        if (state === NO_NUMBER) continue;
        const value = values[i] as number;
        const metric = ofColumn ?? (this.#metricOf[i - from] as number);
        if ((this.#signTests[metric] as SignTest)(value)) return 0;
        if (state === UNGROUPED_NUMBER) ungrouped.add(metric);
        (into.values[metric] as Float64Array)[at] = value + 0;
        (into.nulls[metric] as Uint8Array)[at] = 0;
        into.placeColumns[at] = index;
        if (metrics.length > 1) into.metrics[at] = metric;
        years[at] = year ?? UNFILLED;
        this.#rowOf[at - start] = i - from;
        at += 1;
      }
      if (at === before) return 0;
      into.rowNumbers.fill(batch.rows[i] as number, before, at);
    }
    for (let d = 0; d < dimensions.length; d++) {
      const [stored, ofRows] = [into.dimensions[d] as Int32Array, this.#ofRows[d] as Int32Array];
      if (stored === years) continue;
      for (let fact = start; fact < at; fact++)
        stored[fact] = ofRows[this.#rowOf[fact - start] as number] as number;
    }
    this.#recordUngrouped(ungrouped);
    return at - start;
  }

  #recordUngrouped(metrics: Iterable<number>): void {
    for (const metric of metrics) this.#numbers.recordUngrouped(this.#placement.metrics[metric] ?? '');
  }
}

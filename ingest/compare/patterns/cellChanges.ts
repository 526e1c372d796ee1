// Finds the changes in which patterns are searched for: values that were revised, and rows that were added or removed.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { CountrySums } from '../countrySums.ts';
import type { RowDimensions } from '../revision.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { Rows } from '../rows/codedRows.ts';
import type { GroupNumbers } from '../rows/groupNumbers.ts';
import {
  CHANGE_KIND,
  type ChangeKind,
  changeKind,
  differ,
  isForecastRow,
  isSettledRow,
  type MatchedRows,
} from '../rows/matchedRows.ts';
import type { SideName } from '../side.ts';
import { forecastsCalledReported, type LastReportableYears } from './forecastsCalledReported.ts';

/** The input of every function that finds patterns. */
export interface PatternSearch {
  readonly matched: MatchedRows;
  /** The sums by country on the earlier side. */
  readonly sums: CountrySums;
  readonly changes: CellChanges;
}

/** An index in `CellChanges`. */
export type Change = number;

/**
 * One change for each revised value, and one for each added or removed row. The change of a row has the value of the first
 * metric. A forecast that became a reported figure is a revised value. If it is called reported by mistake, it is also an
 * added row.
 */
export class CellChanges {
  count = 0;
  readonly kind: Int8Array;
  readonly metric: Uint8Array;
  readonly forecast: Uint8Array;
  /** 1 for a reported figure of a closed year. */
  readonly settled: Uint8Array;
  /** The share of the cell in the country's total of its year and currency; NaN when there is no total. */
  readonly weight: Float64Array;
  /** For a forecast that is called reported by mistake, its value of `CALLED_REPORTED`. */
  readonly calledReported: Uint8Array;
  /** 1 when a pattern already includes the change. */
  readonly isExplained: Uint8Array;
  readonly #codes: MatchedRows['codes'];
  readonly #before: Rows;
  readonly #after: Rows;
  readonly #old: Float64Array;
  readonly #now: Float64Array;
  /** The row of each change: its index on the earlier side, or -1 - its index on the later side. */
  readonly #row: Int32Array;
  /** The changes of each kind, collected when they are first needed. */
  readonly #kinds = new Map<ChangeKind, readonly Change[]>();

  constructor({ codes, before, after }: MatchedRows, most: number) {
    this.#codes = codes;
    this.#before = before;
    this.#after = after;
    this.#old = new Float64Array(most);
    this.#now = new Float64Array(most);
    this.#row = new Int32Array(most);
    this.kind = new Int8Array(most);
    this.metric = new Uint8Array(most);
    this.forecast = new Uint8Array(most);
    this.settled = new Uint8Array(most);
    this.weight = new Float64Array(most);
    this.calledReported = new Uint8Array(most);
    this.isExplained = new Uint8Array(most);
  }

  add(side: SideName, row: number, values: ChangeValues, weight: number): void {
    const i = this.count;
    this.count += 1;
    this.#row[i] = side === 'before' ? row : -1 - row;
    this.kind[i] = values.kind;
    this.metric[i] = values.metric;
    this.#old[i] = values.before;
    this.#now[i] = values.after;
    this.forecast[i] = Number(values.forecast);
    this.settled[i] = Number(values.settled);
    this.weight[i] = weight;
  }

  code(dimension: DimensionName, change: Change): number {
    const row = this.#row[change] as number;
    return row >= 0 ? this.#before.code(dimension, row) : this.#after.code(dimension, -1 - row);
  }

  /** The value on the earlier side; NaN when missing. */
  old(change: Change): number {
    return this.#old[change] as number;
  }

  /** The value on the later side; NaN when missing. */
  now(change: Change): number {
    return this.#now[change] as number;
  }

  /** The factor by which the value moved. */
  ratio(change: Change): number {
    return this.now(change) / this.old(change);
  }

  /** The row of a change: the rows of its side, and its index in them. */
  rowOf(change: Change): readonly [rows: Rows, row: number] {
    const row = this.#row[change] as number;
    return row >= 0 ? [this.#before, row] : [this.#after, -1 - row];
  }

  /** For each of these changes, the group of its row. Missing groups are created. */
  addToGroups(groups: GroupNumbers, all: readonly Change[]): Int32Array {
    return this.#groupsOf(all, (rows, list) => groups.addRows(rows, list));
  }

  /** For each of these changes, the group of its row; `NO_GROUP` when the row is in none. */
  groupsIn(groups: GroupNumbers, all: readonly Change[]): Int32Array {
    return this.#groupsOf(all, (rows, list) => groups.ofRows(rows, list));
  }

  #groupsOf(all: readonly Change[], groupsOfRows: (rows: Rows, list: Int32Array) => Int32Array): Int32Array {
    const [olds, news] = [new Int32Array(all.length), new Int32Array(all.length)];
    let [old, fresh] = [0, 0];
    for (let at = 0; at < all.length; at += 1) {
      const row = this.#row[all[at] as Change] as number;
      if (row >= 0) olds[old++] = row;
      else news[fresh++] = -1 - row;
    }
    const ofOlds = groupsOfRows(this.#before, olds.subarray(0, old));
    const ofNews = groupsOfRows(this.#after, news.subarray(0, fresh));
    if (fresh === 0) return ofOlds;
    if (old === 0) return ofNews;
    const found = new Int32Array(all.length);
    [old, fresh] = [0, 0];
    for (let at = 0; at < all.length; at += 1)
      found[at] = ((this.#row[all[at] as Change] as number) >= 0 ? ofOlds[old++] : ofNews[fresh++]) as number;
    return found;
  }

  dimensionsOf(change: Change): RowDimensions {
    return this.#codes.dimensionsOf(...this.rowOf(change));
  }

  /** The changes of a kind that no pattern includes yet, and that pass a test. */
  unexplained(kind: ChangeKind, passes: (change: Change) => boolean = () => true): Change[] {
    return this.#ofKind(kind).filter((change) => this.isExplained[change] === 0 && passes(change));
  }

  /** All changes of a kind. They are cached, because most steps need only the few added or removed rows. */
  #ofKind(kind: ChangeKind): readonly Change[] {
    return getOrInsert(this.#kinds, kind, () => {
      const found: Change[] = [];
      for (let i = 0; i < this.count; i += 1) if (this.kind[i] === kind) found.push(i);
      return found;
    });
  }

  /** Marks changes as included in a pattern. */
  explain(all: Iterable<Change>): void {
    for (const change of all) this.isExplained[change] = 1;
  }
}

/** Cells of one metric: either reported figures or forecasts. */
export interface MetricCells {
  readonly metric: string;
  readonly metricIndex: number;
  readonly forecast: boolean;
  readonly cells: readonly Change[];
}

/** Divides cells by metric. For each metric, the reported figures come before the forecasts. */
export function cellsByMetric(
  { matched: { metrics }, changes }: PatternSearch,
  cells: Iterable<Change>,
): readonly MetricCells[] {
  const divided = metrics.flatMap((metric, metricIndex) =>
    [false, true].map((forecast) => ({ metric, metricIndex, forecast, cells: [] as Change[] })),
  );
  for (const change of cells)
    divided[2 * (changes.metric[change] as number) + (changes.forecast[change] as number)]?.cells.push(
      change,
    );
  return divided;
}

interface ChangeValues {
  readonly kind: ChangeKind;
  readonly metric: number;
  readonly before: number;
  readonly after: number;
  readonly forecast: boolean;
  readonly settled: boolean;
  /** Whether the change is a first report: the row was a forecast on the earlier side. */
  readonly isFirst: boolean;
}

/**
 * All changes of a dataset.
 *
 * @param sums The sums by country on the earlier side.
 */
export function findChanges(
  matched: MatchedRows,
  sums: CountrySums,
  arrivals: Arrivals,
  lastYears: LastReportableYears,
): CellChanges {
  const most = (matched.changed.count + 2 * arrivals.forecastOf.size) * matched.metrics.length;
  const changes = new CellChanges(matched, most);
  const add = (side: SideName, row: number, values: ChangeValues) =>
    changes.add(side, row, values, weightOf(sums, matched[side], row, values));
  addChanged(matched, arrivals, add);
  addFirstReports(matched, arrivals, add);
  // A forecast that is called reported by mistake is also an added row.
  for (const [row, early] of forecastsCalledReported(matched, arrivals, lastYears)) {
    changes.calledReported[changes.count] = early;
    const [before, after] = [Number.NaN, matched.after.value(0, row)];
    changes.add('after', row, { kind: CHANGE_KIND.added, metric: 0, before, after, ...NO_FLAGS }, Number.NaN);
  }
  return changes;
}

type AddChange = (side: SideName, row: number, values: ChangeValues) => void;

const NO_FLAGS = { forecast: false, settled: false, isFirst: false };

/**
 * Adds the changes of changed rows, except rows that arrived and their forecasts: `addFirstReports` adds each pair as one
 * change.
 */
function addChanged(matched: MatchedRows, arrivals: Arrivals, add: AddChange): void {
  const { codes, before, after, changed, metrics } = matched;
  const keyOf = arrivals.keys.size === 0 ? null : codes.keys.without('temporal');
  for (let i = 0; i < changed.count; i += 1) {
    const kind = changeKind(changed, i);
    const old = changed.before[i] as number;
    const fresh = changed.after[i] as number;
    const side = kind === CHANGE_KIND.added ? 'after' : 'before';
    const rows = matched[side];
    const row = kind === CHANGE_KIND.added ? fresh : old;
    if (kind !== CHANGE_KIND.revised && keyOf !== null && arrivals.keys.has(keyOf(rows, row))) continue;
    const forecast = isForecastRow(matched, rows, row);
    const settled = isSettledRow(matched, rows, row);
    for (let metric = 0; metric < (kind === CHANGE_KIND.revised ? metrics.length : 1); metric += 1) {
      const then = kind === CHANGE_KIND.added ? Number.NaN : before.value(metric, old);
      const now = kind === CHANGE_KIND.removed ? Number.NaN : after.value(metric, fresh);
      if (kind !== CHANGE_KIND.revised || differ(then, now))
        add(side, row, { kind, metric, before: then, after: now, forecast, settled, isFirst: false });
    }
  }
}

/**
 * Adds the changes of first reports, each from its forecast. A first report may differ from its forecast, but not by a
 * large factor, so it is checked as a revised value.
 */
function addFirstReports({ before, after, metrics }: MatchedRows, arrivals: Arrivals, add: AddChange): void {
  for (const [row, forecastRow] of arrivals.forecastOf) {
    for (let metric = 0; metric < metrics.length; metric += 1) {
      const then = before.value(metric, forecastRow);
      const now = after.value(metric, row);
      if (differ(then, now)) add('after', row, { ...FIRST_REPORT, metric, before: then, after: now });
    }
  }
}

const FIRST_REPORT = { ...NO_FLAGS, kind: CHANGE_KIND.revised, isFirst: true } as const;

/**
 * The figure that changed, as a share of the total of its country, currency and year; NaN where the total is 0 or missing.
 */
function weightOf(
  sums: CountrySums,
  rows: Rows,
  row: number,
  { kind, metric, before, after, forecast, isFirst }: ChangeValues,
): number {
  const total = sums.sum(metric, sums.indexOfRow(rows, row, forecast || isFirst));
  if (total === 0) return Number.NaN;
  const size = (value: number) => (Number.isNaN(value) ? 0 : Math.abs(value));
  return Math.max(size(before), kind === CHANGE_KIND.added ? size(after) : 0) / total;
}

// Sums the metrics of a selection by group, and detects sums that would be wrong.

import { getOrInsert } from '../../basics/maps.ts';
import type { Codes, Table } from '../../catalog/columns.ts';
import { type DimensionName, datasetOf, dimensionOf } from '../../catalog/datasets.ts';
import { conditionsIn, type SelectedRows } from '../selection/compile.ts';
import { maskOf, meetsAll } from '../selection/masks.ts';
import { MATCHING_BLOCK_ROWS, matchingRows } from '../selection/matchingRows.ts';
import type { Slices } from '../slices.ts';
import { type Groups, groupRows } from './groupRows.ts';
import { createLeftOutSearch, createYearRecord, type LeftOut } from './leftOutCountries.ts';
import { findTwinRows } from './twinRows.ts';

/** The sums of a selection, and what they leave out. */
export interface Totals extends Groups, LeftOut {
  /** The metrics that were left out, in contract order. */
  readonly notSummed: readonly string[];
  /** Dimensions with several values that were summed over, because no year of a series has two of these values. */
  readonly disjoint: readonly DisjointViews[];
}

/** A dimension whose values are views of one year, such as forecasts and reported values. */
export interface DisjointViews {
  readonly dimension: DimensionName;
  /** The years of the rows that have each value, ascending. */
  readonly yearsOf: ReadonlyMap<string, readonly number[]>;
}

/** The sums, or why they would be wrong. */
export type TotalsResult =
  | { readonly outcome: 'summed'; readonly totals: Totals }
  /** A sum over these dimensions would count something several times. */
  | { readonly outcome: 'not additive'; readonly dimensions: readonly DimensionName[] }
  /** A sum of these metrics is beyond the range of a double. */
  | { readonly outcome: 'out of range'; readonly metrics: readonly string[] };

/**
 * Sums over the rows of a selection, grouped by the dimensions of `by` in their order.
 *
 * Every dimension over which values do not add up must be in `by` or have a single value among the rows selected. A
 * forecast and a reported value are the exception: they may be summed where no year of a series has both.
 */
export async function computeTotals(
  table: Table,
  selected: SelectedRows,
  by: readonly DimensionName[],
  slices: Slices,
): Promise<TotalsResult> {
  const dimensions = datasetOf(table.dataset).dimensions;
  const checkedDimensions = dimensions.filter(
    (name) => dimensionOf(name).notAdditive !== undefined || name === 'year',
  );
  const valuesPerDimension = createValueRecord(
    table,
    checkedDimensions.filter((name) => !by.includes(name)),
  );
  const groups = groupRows(table, by);
  const countries = createLeftOutSearch(table, selected);
  for await (const rows of matchingRows(table, selected, slices)) {
    valuesPerDimension.see(rows);
    countries.see(rows);
    groups.add(rows);
  }
  const several = valuesPerDimension.withSeveral();
  const wrong: DimensionName[] = [];
  for (const name of several) if (await isCountedTwice(table, selected, name, slices)) wrong.push(name);
  if (wrong.length > 0) return { outcome: 'not additive', dimensions: wrong };
  const grouped = await groups.finish(slices);
  const { sums, notSummed } = withoutStocks(table, grouped.sums, several.includes('year'));
  const infinite = [...sums].filter(([, values]) => values.some(isInfinite)).map(([name]) => name);
  if (infinite.length > 0) return { outcome: 'out of range', metrics: infinite };
  return {
    outcome: 'summed',
    totals: {
      ...grouped,
      sums,
      missing: new Map([...grouped.missing].filter(([name]) => sums.has(name))),
      notSummed,
      disjoint: several.filter(isViewOfYear).map((dimension) => ({
        dimension,
        yearsOf: valuesPerDimension.yearsOf(),
      })),
      ...(await countries.find(slices)),
    },
  };
}

/** Whether a sum over several values of the dimension counts something several times. */
async function isCountedTwice(
  table: Table,
  selected: SelectedRows,
  name: DimensionName,
  slices: Slices,
): Promise<boolean> {
  if (isViewOfYear(name)) return hasTwinRows(table, selected, name, slices);
  return dimensionOf(name).notAdditive === 'each counts in full';
}

const isViewOfYear = (name: DimensionName): boolean => dimensionOf(name).notAdditive === 'views of one year';

const isInfinite = (sum: number): boolean => Math.abs(sum) === Number.POSITIVE_INFINITY;

/** Leaves out metrics that are levels, such as a population, when the sum is over several years. */
function withoutStocks(table: Table, all: ReadonlyMap<string, Float64Array>, isOverYears: boolean) {
  const { metrics } = datasetOf(table.dataset);
  const sums = new Map([...all].filter(([name]) => !(isOverYears && metrics[name]?.isStock)));
  return { sums, notSummed: Object.keys(metrics).filter((name) => !sums.has(name)) };
}

/**
 * Records which values of some dimensions occur, and for views of one year also in which years. A dataset has at most one
 * dimension of such views.
 */
function createValueRecord(table: Table, dimensions: readonly DimensionName[]) {
  const columns = dimensions.flatMap((name) => {
    const column = table.dimensions.get(name);
    return column && column.values.length > 1
      ? [{ name, codes: column.codes, seen: new Uint8Array(column.values.length) }]
      : [];
  });
  const views = columns.find(({ name }) => isViewOfYear(name))?.name;
  const years = views === undefined ? null : createYearsOfValues(table, views);
  // Views are seen together with their years, so the years need no separate pass.
  const others = years === null ? columns : columns.filter(({ name }) => name !== views && name !== 'year');
  return {
    see(rows: Uint32Array) {
      years?.see(rows);
      for (const { codes, seen } of others) mark(codes, seen, rows);
    },
    /** The dimensions with several values, in the order given. */
    withSeveral(): readonly DimensionName[] {
      const several = new Set(others.filter(({ seen }) => count(seen) > 1).map(({ name }) => name));
      const yearsOf = years?.yearsOf() ?? NO_VIEWS;
      if (views !== undefined && yearsOf.size > 1) several.add(views);
      if (new Set([...yearsOf.values()].flat()).size > 1) several.add('year');
      return dimensions.filter((name) => several.has(name));
    },
    /** The years of each view that occurs. */
    yearsOf: (): DisjointViews['yearsOf'] => years?.yearsOf() ?? NO_VIEWS,
  };
}

const NO_VIEWS: DisjointViews['yearsOf'] = new Map();

const count = (seen: Uint8Array): number => seen.reduce((sum, isSeen) => sum + isSeen, 0);

function mark(codes: Codes, seen: Uint8Array, rows: Uint32Array): void {
  for (let i = 0; i < rows.length; i++) seen[codes[rows[i] ?? 0] ?? 0] = 1;
}

/** Records in which years the values of a dimension occur; null for a dataset without years. */
function createYearsOfValues(table: Table, dimension: DimensionName) {
  const [column, years] = [table.dimensions.get(dimension), table.dimensions.get('year')];
  if (column === undefined || years === undefined) return null;
  const { yearCount, hasRows, see } = createYearRecord(table, column);
  const yearsOfCode = (code: number) =>
    years.values.filter((_, year) => hasRows[code * yearCount + year] === 1).map(Number);
  return {
    see,
    yearsOf: (): DisjointViews['yearsOf'] =>
      new Map(
        column.values
          .map((value, code) => [value, yearsOfCode(code)] as const)
          .filter(([, found]) => found.length > 0),
      ),
  };
}

/**
 * The pairs that `findTwinRows` finds, for each table and dimension. They are found once, and live as long as the table's
 * snapshot.
 */
const twinsByTable = new WeakMap<Table, Map<DimensionName, Promise<Uint32Array>>>();

async function twinsOf(table: Table, dimension: DimensionName, slices: Slices): Promise<Uint32Array> {
  const pairs = getOrInsert(twinsByTable, table, () => new Map<DimensionName, Promise<Uint32Array>>());
  for (let running = pairs.get(dimension); running !== undefined; running = pairs.get(dimension)) {
    // The search fails when the client that began it leaves. Another client that waits for it then begins a new search.
    const found = await running.catch(() => null);
    if (found !== null) return found;
  }
  const finding = findTwinRows(table, dimension, slices);
  pairs.set(dimension, finding);
  finding.catch(() => pairs.delete(dimension));
  return finding;
}

/** Whether the selection has two rows that differ in this dimension only. */
async function hasTwinRows(table: Table, selected: SelectedRows, dimension: DimensionName, slices: Slices) {
  const pairs = await twinsOf(table, dimension, slices);
  const masks = conditionsIn(selected).map(maskOf);
  for (let i = 0; i < pairs.length; i += 2) {
    if (i % MATCHING_BLOCK_ROWS === 0 && slices.isOver()) await slices.next();
    if (meetsAll(masks, pairs[i] ?? 0) && meetsAll(masks, pairs[i + 1] ?? 0)) return true;
  }
  return false;
}

// Counts the changes by country and by the values of all other dimensions, for the report.

import type { DimensionName } from '../../src/catalog/datasets.ts';
import { additiveMetricIndexes } from './comparedTotals.ts';
import type { Breakdown, ChangeCounts, CountryTotalMove } from './comparisonTypes.ts';
import type { CountrySums } from './countrySums.ts';
import { relativeChange } from './revision.ts';
import type { Arrivals, RowsOfValues } from './rowChanges.ts';
import { CHANGE_KIND, changeKind, differ, type MatchedRows } from './rows/matchedRows.ts';
import type { Sides } from './side.ts';

/** The changes by country and by value of each other dimension, most changes first. Values without changes are left out. */
export function breakdownOf(
  matched: MatchedRows,
  arrivals: Arrivals,
  sums: Sides<CountrySums> | null,
  rowsOfValues: RowsOfValues,
): Breakdown {
  const { codes } = matched;
  const changes = changesOf(matched, arrivals);
  const valuesOf = (dimension: DimensionName) => changedValues(matched, changes, dimension, rowsOfValues);
  const moves = sums === null ? null : largestMoves(matched, sums);
  return {
    countries: (codes.has('country') ? valuesOf('country') : []).map(({ code, value, ...counts }) => ({
      country: String(value),
      ...counts,
      total: moves?.get(code) ?? null,
    })),
    dimensions: codes.dimensions
      .filter((dimension) => dimension !== 'country')
      .map((dimension) => ({
        dimension,
        values: valuesOf(dimension).map(({ code: _, ...counts }) => counts),
      }))
      .filter(({ values }) => values.length > 0),
  };
}

interface ChangedValue extends ChangeCounts {
  readonly code: number;
  readonly value: string | number;
}

/** The values of a dimension that have changes, most changes first. */
function changedValues(
  matched: MatchedRows,
  changes: ChangedRowKinds,
  dimension: DimensionName,
  rowsOfValues: RowsOfValues,
): ChangedValue[] {
  const changed = [...countsByCode(matched, changes, dimension).entries()].filter(
    ([, { changedRows }]) => changedRows > 0,
  );
  // Returns before the rows of all values are counted, because counting takes time.
  if (changed.length === 0) return [];
  const [older, newer] = [rowsOfValues('before', dimension), rowsOfValues('after', dimension)];
  return changed
    .map(([code, { changedRows: _, ...counts }]) => {
      const value = matched.codes.valueOf(dimension, code);
      return { code, value, rows: Math.max(older.get(value) ?? 0, newer.get(value) ?? 0), ...counts };
    })
    .sort((a, b) => changesIn(b) - changesIn(a) || a.code - b.code);
}

const changesIn = ({ revised, added, removed, arrived }: ChangeCounts): number =>
  revised + added + removed + arrived;

/** How the rows that differ changed. Both lists have the indexes of `matched.changed`. */
interface ChangedRowKinds {
  /** For each changed row, a value of `ROW_CHANGE`. */
  readonly kind: Uint8Array;
  /** For each changed row, how many of its values were revised; 0 for added and removed rows. */
  readonly values: Uint8Array;
}

/**
 * How a row changed. A forecast that became a reported figure is two rows: `replaced` is the forecast, and `arrived` is the
 * figure.
 */
const ROW_CHANGE = { revised: 0, added: 1, removed: 2, arrived: 3, replaced: 4 } as const;
const ROW_CHANGE_COUNT = 5;

function changesOf(matched: MatchedRows, arrivals: Arrivals): ChangedRowKinds {
  const { changed, before, after, metrics } = matched;
  const [kind, values] = [new Uint8Array(changed.count), new Uint8Array(changed.count)];
  const replaced = new Set(arrivals.forecastOf.values());
  for (let i = 0; i < changed.count; i += 1) {
    const old = changed.before[i] as number;
    const fresh = changed.after[i] as number;
    const became = changeKind(changed, i);
    if (became === CHANGE_KIND.added)
      kind[i] = arrivals.forecastOf.has(fresh) ? ROW_CHANGE.arrived : ROW_CHANGE.added;
    else if (became === CHANGE_KIND.removed)
      kind[i] = replaced.has(old) ? ROW_CHANGE.replaced : ROW_CHANGE.removed;
    else
      for (let m = 0; m < metrics.length; m += 1)
        if (differ(before.value(m, old), after.value(m, fresh))) values[i] = (values[i] as number) + 1;
  }
  return { kind, values };
}

interface CodeCounts extends Omit<ChangeCounts, 'rows'> {
  /** The number of rows that were added, removed, revised or arrived. `revised` counts values. */
  readonly changedRows: number;
}

function countsByCode(
  matched: MatchedRows,
  { kind, values }: ChangedRowKinds,
  dimension: DimensionName,
): CodeCounts[] {
  const size = matched.codes.size(dimension);
  const rows = new Int32Array(size * ROW_CHANGE_COUNT);
  const revised = new Int32Array(size);
  countChanges({ rows, revised }, { kind, values }, matched, dimension);
  return Array.from(revised, (count, code): CodeCounts => {
    const rowsOf = (kindOfRow: number) => rows[code * ROW_CHANGE_COUNT + kindOfRow] as number;
    const [added, removed, arrived] = [
      rowsOf(ROW_CHANGE.added),
      rowsOf(ROW_CHANGE.removed),
      rowsOf(ROW_CHANGE.arrived),
    ];
    return {
      revised: count,
      added,
      removed,
      arrived,
      changedRows: rowsOf(ROW_CHANGE.revised) + added + removed + arrived,
    };
  });
}

/**
 * Adds the changes of rows and of values to the counts of each code of a dimension. `rows` is indexed by code and kind of
 * change, `revised` by code.
 */
function countChanges(
  { rows, revised }: { readonly rows: Int32Array; readonly revised: Int32Array },
  { kind, values }: ChangedRowKinds,
  matched: MatchedRows,
  dimension: DimensionName,
): void {
  const { count, before, after } = matched.changed;
  const [olds, freshes] = [matched.before.codes(dimension), matched.after.codes(dimension)];
  for (let i = 0; i < count; i += 1) {
    const old = before[i] as number;
    const code = (old >= 0 ? olds[old] : freshes[after[i] as number]) as number;
    const index = code * ROW_CHANGE_COUNT + (kind[i] as number);
    rows[index] = (rows[index] as number) + 1;
    revised[code] = (revised[code] as number) + (values[i] as number);
  }
}

/**
 * For the code of each country, the total that moved by the largest share. Only totals of a year's reported figures count.
 * A total that only one side has is left out, because it is a change of coverage.
 */
function largestMoves(
  matched: MatchedRows,
  { before, after }: Sides<CountrySums>,
): ReadonlyMap<number, CountryTotalMove> {
  const moves = new Map<number, CountryTotalMove>();
  for (const metricIndex of additiveMetricIndexes(matched)) {
    for (let old = 0; old < before.count; old += 1) {
      if (before.forecast[old] === 1) continue;
      const from = before.sum(metricIndex, old);
      const to = after.sum(metricIndex, after.indexOfSame(before, old));
      const relative = relativeChange(from, to);
      if (from === to || relative === null || !Number.isFinite(relative)) continue;
      const country = before.country[old] as number;
      const largest = moves.get(country);
      if (largest !== undefined && Math.abs(largest.relative) >= Math.abs(relative)) continue;
      const { fx, year } = before.dimensionsAt(old);
      const metric = matched.metrics[metricIndex] ?? '';
      moves.set(country, { metric, fx, year, before: from, after: to, relative });
    }
  }
  return moves;
}

// Compares two snapshots under the filters: counts of changes, the largest revisions, and the sums of both.

import { LEFT_OUT_REASONS, type LeftOutNote, unitOf } from '../model/chartData.ts';
import type { Unit } from '../model/numberFormats.ts';
import { isWithin, queryPairsOf, type Selection, type Years } from '../model/selection.ts';
import { type Series, summedSeries, withinYears, yearRange } from '../model/series.ts';
import type { QueryPairs, RequestContext } from './client.ts';
import { type Failure, isAmbiguousSum, isFailure } from './failure.ts';
import { loadPages } from './loadPages.ts';
import { type BothSums, loadBothSums } from './loadSums.ts';
import type { Cells, Changes } from './responseTypes.ts';

export interface Comparison {
  /**
   * How many rows were added, removed and revised. Rows of which only other metrics were revised do not count, unless
   * not all revised rows were loaded.
   */
  readonly counts: Changes['meta']['counts'];
  /** The loaded revisions, the largest first. */
  readonly revisions: readonly Revision[];
  /** How many revised rows were loaded. */
  readonly loadedCount: number;
  /** The sums of both snapshots by year; null when values do not add up. */
  readonly lines: ComparedLines | null;
}

export interface Revision {
  readonly dimensions: Cells;
  readonly before: number | null;
  readonly after: number | null;
}

export interface ComparedLines {
  readonly before: Series;
  readonly after: Series;
  readonly unit: Unit;
  /** The countries that one of the two sums leaves out. */
  readonly leftOut: readonly LeftOutNote[];
  /** The years of the period in which one of the two sums would mix reported and estimated values. They are left out. */
  readonly mixedYears: readonly number[];
  /** The number of missing values over all years, in the snapshot that has more of them. */
  readonly missingCount: number;
}

/** The most pages of 1,000 revised rows that are loaded. To see other rows, people have to narrow the filters. */
const MAX_PAGES = 3;

/**
 * Compares a selection in two snapshots.
 *
 * @param period the years to compare; null for all years.
 * @param since the older snapshot. The newer one is `context.snapshot`.
 */
export async function compareSnapshots(
  selection: Selection,
  period: Years | null,
  since: string,
  context: RequestContext,
): Promise<Comparison | Failure> {
  const { dataset, metric, filters } = selection;
  const pairs: QueryPairs = [
    ['dataset', dataset.name],
    ['since', since],
    ...queryPairsOf(filters, period),
    // Only revised rows are requested. The answer also counts the added and removed rows.
    ['change', 'revised'],
  ];
  const pages = await loadPages<Changes>('/v1/changes', pairs, context, MAX_PAGES);
  if (isFailure(pages)) return pages;
  const name = metric?.name ?? '';
  const revisions = pages.data
    .map(({ dimensions, before, after }) => ({
      dimensions,
      before: before?.[name] ?? null,
      after: after?.[name] ?? null,
    }))
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => changeSize(b) - changeSize(a));
  const lines = await loadComparedLines(selection, period, since, context);
  if (lines !== null && isFailure(lines)) return lines;
  const { counts } = pages.first.meta;
  const loadedCount = pages.data.length;
  const revised = loadedCount < counts.revised ? counts.revised : revisions.length;
  return { counts: { ...counts, revised }, revisions, loadedCount, lines };
}

const changeSize = ({ before, after }: Revision): number => Math.abs((after ?? 0) - (before ?? 0));

/** The sums by year in both snapshots; null when values do not add up. */
async function loadComparedLines(
  selection: Selection,
  period: Years | null,
  since: string,
  context: RequestContext,
): Promise<ComparedLines | Failure | null> {
  const { metric } = selection;
  if (metric === null || !metric.adds_up) return null;
  const unsplit = { ...selection, by: null };
  const [after, before] = await Promise.all([
    loadBothSums(unsplit, context),
    loadBothSums(unsplit, { ...context, snapshot: since }),
  ]);
  const nullIfAmbiguous = (failure: Failure) => (isAmbiguousSum(failure) ? null : failure);
  if (isFailure(after)) return nullIfAmbiguous(after);
  if (isFailure(before)) return nullIfAmbiguous(before);
  const bothSums = [after.summed, before.summed];
  // Both lines have all years, including those that only one of the snapshots has.
  const years = bothSums
    .flatMap(({ rows }) => rows.map(({ dimensions }) => Number(dimensions.year)))
    .sort((a, b) => a - b);
  const lineOf = ({ summed, forecasts }: BothSums, name: string): Series | null => {
    const shape = { by: null, metric: metric.name, years: yearRange(years) };
    const [series] = summedSeries(summed.rows, forecasts.rows, shape);
    return series === undefined ? null : { ...withinYears(series, period), name };
  };
  const [newer, older] = [lineOf(after, 'after'), lineOf(before, 'before')];
  if (newer === null || older === null) return null;
  return {
    before: older,
    after: newer,
    unit: unitOf({ metric, selection }),
    leftOut: mergedNotes(bothSums.flatMap(({ leftOut }) => leftOut)),
    mixedYears: [...new Set(bothSums.flatMap(({ mixedYears }) => mixedYears))].filter((year) =>
      isWithin(year, period),
    ),
    missingCount: Math.max(...bothSums.map(({ missingCount }) => missingCount)),
  };
}

/** One note for each reason, with the countries of all notes. */
const mergedNotes = (notes: readonly LeftOutNote[]): LeftOutNote[] =>
  LEFT_OUT_REASONS.flatMap((kind) => {
    const countries = new Set(notes.flatMap((note) => (note.kind === kind ? note.countries : [])));
    return countries.size === 0 ? [] : [{ kind, countries: [...countries].sort() }];
  });

// Compares two snapshots under the filters: counts of changes, the largest revisions, and the sums of both.

import { type LeftOut, leftOutOf, unitOf } from '../model/chartData.ts';
import type { Unit } from '../model/numberFormats.ts';
import { pairsOf, type Selection, type Years } from '../model/selection.ts';
import { everyYear, inYears, type Series, summedSeries } from '../model/series.ts';
import { type Failure, isAmbiguous, type Pairs } from './client.ts';
import { pagesOf } from './loadPages.ts';
import { type Context, isFailure } from './loadCountedSelection.ts';
import type { Cells, Changes } from './responseTypes.ts';
import { forecastSums, type Sums, sums } from './loadSums.ts';

export interface Comparison {
  /**
   * How many rows were added, removed and revised. Rows of which only other metrics were revised do not count, unless
   * not all revised rows were loaded.
   */
  readonly counts: Changes['meta']['counts'];
  /** The loaded revisions, the largest first. */
  readonly revisions: readonly Revision[];
  /** How many revised rows were loaded. */
  readonly loaded: number;
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
  readonly leftOut: readonly LeftOut[];
  /** The years of the period in which one of the two sums would mix reported and estimated values. They are left out. */
  readonly mixedYears: readonly number[];
  /** The number of missing values over all years, in the snapshot that has more of them. */
  readonly missing: number;
}

/** The most pages of 1,000 revised rows that are loaded. To see other rows, people have to narrow the filters. */
const MAX_PAGES = 3;

/**
 * Compares a selection in two snapshots.
 *
 * @param period the years to compare; null for all years.
 * @param since the older snapshot. The newer one is `context.snapshot`.
 */
export async function compared(
  selection: Selection,
  period: Years | null,
  since: string,
  context: Context,
): Promise<Comparison | Failure> {
  const { dataset, metric, filters } = selection;
  const pairs: Pairs = [
    ['dataset', dataset.name],
    ['since', since],
    ...pairsOf(filters, period),
    // Only revised rows are requested. The answer also counts the added and removed rows.
    ['change', 'revised'],
  ];
  const pages = await pagesOf<Changes>('/v1/changes', pairs, context, MAX_PAGES);
  if (isFailure(pages)) return pages;
  const name = metric?.name ?? '';
  const revisions = pages.data
    .map(({ dimensions, before, after }) => ({
      dimensions,
      before: before?.[name] ?? null,
      after: after?.[name] ?? null,
    }))
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const lines = await comparedLines(selection, period, since, context);
  if (lines !== null && isFailure(lines)) return lines;
  const { counts } = pages.first.meta;
  const loaded = pages.data.length;
  const revised = loaded < counts.revised ? counts.revised : revisions.length;
  return { counts: { ...counts, revised }, revisions, loaded, lines };
}

const sizeOf = ({ before, after }: Revision): number => Math.abs((after ?? 0) - (before ?? 0));

/** The sums by year in both snapshots; null when values do not add up. */
async function comparedLines(
  selection: Selection,
  period: Years | null,
  since: string,
  context: Context,
): Promise<ComparedLines | Failure | null> {
  const { metric } = selection;
  if (metric === null || !metric.adds_up) return null;
  const [after, before] = await Promise.all([
    bothSums(selection, context),
    bothSums(selection, { ...context, snapshot: since }),
  ]);
  const nothing = (failure: Failure) => (isAmbiguous(failure) ? null : failure);
  if (isFailure(after)) return nothing(after);
  if (isFailure(before)) return nothing(before);
  const found = [after.summed, before.summed];
  // Both lines have all years, including those that only one of the snapshots has.
  const years = found
    .flatMap(({ rows }) => rows.map(({ dimensions }) => Number(dimensions.year)))
    .sort((a, b) => a - b);
  const lineOf = ({ summed, forecasts }: BothSums, name: string): Series | null => {
    const shape = { by: null, metric: metric.name, years: everyYear(years) };
    const [series] = summedSeries(summed.rows, forecasts.rows, shape);
    return series === undefined ? null : { ...(period === null ? series : inYears(series, period)), name };
  };
  const [newer, older] = [lineOf(after, 'after'), lineOf(before, 'before')];
  if (newer === null || older === null) return null;
  const inEither = (namesIn: (sums: Sums) => readonly string[]) =>
    [...new Set(found.flatMap(namesIn))].sort();
  return {
    before: older,
    after: newer,
    unit: unitOf({ metric, selection }),
    leftOut: leftOutOf({
      statesAlone: inEither(({ statesAlone }) => statesAlone),
      currenciesAlone: inEither(({ currenciesAlone }) => currenciesAlone),
      temporalAlone: inEither(({ temporalAlone }) => temporalAlone),
    }),
    mixedYears: [...new Set(found.flatMap(({ mixedYears }) => mixedYears))].filter(
      (year) => period === null || (year >= period.first && year <= period.last),
    ),
    missing: Math.max(...found.map(({ missing }) => missing)),
  };
}

/** The sums by year of all rows, and those of forecast rows only. */
interface BothSums {
  readonly summed: Sums;
  readonly forecasts: Sums;
}

async function bothSums(selection: Selection, context: Context): Promise<BothSums | Failure> {
  const unsplit = { ...selection, by: null };
  const [summed, forecasts] = await Promise.all([sums(unsplit, context), forecastSums(unsplit, context)]);
  if (isFailure(summed)) return summed;
  return isFailure(forecasts) ? forecasts : { summed, forecasts };
}

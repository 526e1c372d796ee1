// Compares two snapshots under the filters: counts of changes, the largest revisions, and the sums of both.

import { unitOf } from '../model/chart.ts';
import type { Unit } from '../model/format.ts';
import { pairsOf, type Selection, type Years } from '../model/resolve.ts';
import { everyYear, inYears, type Series, summedSeries } from '../model/series.ts';
import { type Failure, isAmbiguous, type Pairs } from './client.ts';
import { pagesOf } from './pages.ts';
import { type Context, isFailure } from './selection.ts';
import type { Cells, Changes } from './shapes.ts';
import { forecastSums, type Sums, sums } from './sums.ts';

export interface Comparison {
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
  /** Countries that one of the two sums leaves out, because in some year they have only rows of states. */
  readonly statesAlone: readonly string[];
  /** Countries that one of the two sums leaves out, because in some year all their rows are in other currencies. */
  readonly currenciesAlone: readonly string[];
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
  return { counts: pages.first.meta.counts, revisions, loaded: pages.data.length, lines };
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
  const unsplit: Selection = { ...selection, by: null };
  const [after, before] = await Promise.all(
    [context.snapshot, since].map((snapshot) => sumsOf(unsplit, { ...context, snapshot })),
  );
  if (after === undefined || before === undefined) return null;
  for (const { summed, forecasts } of [after, before])
    for (const reply of [summed, forecasts]) if (isFailure(reply)) return isAmbiguous(reply) ? null : reply;
  const yearsIn = ({ summed }: BothSums) =>
    isFailure(summed) ? [] : summed.rows.map(({ dimensions }) => Number(dimensions.year));
  // Both lines have all years, including those that only one of the snapshots has.
  const years = [...yearsIn(after), ...yearsIn(before)].sort((a, b) => a - b);
  const lineOf = ({ summed, forecasts }: BothSums, name: string): Series | null => {
    if (isFailure(summed) || isFailure(forecasts)) return null;
    const shape = { by: null, metric: metric.name, years: everyYear(years) };
    const [series] = summedSeries(summed.rows, forecasts.rows, shape);
    return series === undefined ? null : { ...(period === null ? series : inYears(series, period)), name };
  };
  const [newer, older] = [lineOf(after, 'after'), lineOf(before, 'before')];
  if (newer === null || older === null) return null;
  const found = [after, before].flatMap(({ summed }) => (isFailure(summed) ? [] : [summed]));
  const inEither = (namesIn: (sums: Sums) => readonly string[]) =>
    [...new Set(found.flatMap(namesIn))].sort();
  const leftOut = {
    statesAlone: inEither(({ statesAlone }) => statesAlone),
    currenciesAlone: inEither(({ currenciesAlone }) => currenciesAlone),
  };
  const mixedYears = [...new Set(found.flatMap((sums) => sums.mixedYears))].filter(
    (year) => period === null || (year >= period.first && year <= period.last),
  );
  const missing = Math.max(...found.map((sums) => sums.missing));
  const unit = unitOf({ metric, selection });
  return { before: older, after: newer, unit, ...leftOut, mixedYears, missing };
}

interface BothSums {
  readonly summed: Sums | Failure;
  readonly forecasts: Sums | Failure;
}

async function sumsOf(selection: Selection, context: Context): Promise<BothSums> {
  const [summed, forecasts] = await Promise.all([
    sums({ ...selection, by: null }, context),
    forecastSums(selection, context),
  ]);
  return { summed, forecasts };
}

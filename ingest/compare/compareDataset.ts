// Compares the rows of one dataset, and collects its figures for checking the relations between datasets.

import { type DatasetName, metricNames } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { breakdownOf } from './breakdown.ts';
import { totalsOf } from './comparedTotals.ts';
import type { CoverageChange, DatasetComparison, MetricChanges } from './comparisonTypes.ts';
import { countryMovesOf, runningMovesOf } from './countryMoves.ts';
import { type CountrySums, sumByCountry } from './countrySums.ts';
import { findScaledGroups } from './factors/powersOfTen.ts';
import { introducedRows, NOTHING_INTRODUCED } from './introducedRows.ts';
import { findMergers } from './mergers.ts';
import { newValuesOf } from './newValues.ts';
import { lastReportableYears } from './patterns/forecastsCalledReported.ts';
import { findArrivedYears } from './patterns/newYears/arrivedYears.ts';
import { findNewYears } from './patterns/newYears/newYears.ts';
import { findPatterns, type PriorFindings } from './patterns/patterns.ts';
import type { PatternThread } from './patterns/patternThread.ts';
import { proportionalCountries } from './proportionalCountries.ts';
import type { Relations } from './relations/relations.ts';
import { findRenamedValues } from './renamedValues.ts';
import {
  arrivalsOf,
  coverageOfBothSides,
  dimensionChanges,
  listedRows,
  lostValues,
  type RowsOfValues,
  rowChanges,
  rowsOfValuesIn,
} from './rowChanges.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import type { KnownMergers } from './sharedMergers.ts';
import type { Side, Sides } from './side.ts';
import type { Total } from './totalTypes.ts';
import { metricChanges, revisionsOf } from './valueChanges.ts';

interface DatasetOptions {
  /** How many revisions, added rows and removed rows are listed. */
  readonly limit: number;
  readonly relations: readonly Relations[];
  /** The thread that finds patterns; null when this thread finds them. */
  readonly thread: PatternThread | null;
  /** The mergers of the datasets that this comparison has compared so far. */
  readonly mergers: KnownMergers;
}

/**
 * The differences between both sides of a dataset. The call itself does all work of this thread. The promise only waits for
 * the pattern thread.
 */
export async function compareDataset(
  matched: MatchedRows,
  sides: Sides<Side>,
  options: DatasetOptions,
): Promise<DatasetComparison> {
  const { dataset } = matched.codes;
  const manifests = { before: sides.before.datasets[dataset], after: sides.after.datasets[dataset] };
  return manifests.before.fingerprint === manifests.after.fingerprint
    ? sameDataset(matched, manifests, options.relations)
    : await changedDataset(matched, sides, manifests, options);
}

type Manifests = Sides<DatasetManifest>;

/**
 * The comparison of a dataset that did not change. Its figures are collected, because a relation also breaks when only the
 * other dataset changed.
 */
function sameDataset(
  matched: MatchedRows,
  manifests: Manifests,
  relations: readonly Relations[],
): DatasetComparison {
  const { dataset } = matched.codes;
  if (!matched.codes.has('year')) return unchangedDataset(dataset, manifests);
  const sumsOfBoth = sumByCountry(matched, 'before');
  const sums = { before: sumsOfBoth, after: sumsOfBoth };
  const arrivals = arrivalsOf(matched);
  for (const one of relations) one.collect(matched, sums, arrivals);
  return unchangedDataset(dataset, manifests, totalsOf(matched, sums, arrivals));
}

async function changedDataset(
  matched: MatchedRows,
  { before, after }: Sides<Side>,
  manifests: Manifests,
  { limit, relations, thread, mergers }: DatasetOptions,
): Promise<DatasetComparison> {
  const { dataset } = matched.codes;
  const coverage = coverageOfBothSides(matched);
  const rowsOfValues = rowsOfValuesIn(manifests, coverage);
  const prior = priorFindings(matched, rowsOfValues, mergers, after.month);
  const { arrivals, dimensions } = prior;
  const months = { before: before.month, after: after.month };
  const sumsBefore = matched.codes.has('year') ? sumByCountry(matched, 'before') : null;
  // The thread searches while this thread goes on.
  const patterns = sumsBefore && thread?.find({ matched, manifests, months, sums: sumsBefore, prior });
  const sums = sumsBefore && {
    before: sumsBefore,
    after: sumByCountry(matched, 'after', arrivals.forecastOf),
  };
  if (sums !== null) for (const one of relations) one.collect(matched, sums, arrivals);
  const changes: DatasetComparison = {
    ...unchangedDataset(dataset, manifests),
    same: false,
    rows: rowChanges(matched, arrivals),
    dimensions,
    twins: prior.renamedValues,
    newValues: manifests.before.rows === 0 ? [] : newValuesOf(matched, before, dimensions),
    metrics: metricChanges(matched, manifests),
    scaled: findScaledGroups(matched),
    revisions: revisionsOf(matched, limit),
    added: listedRows(matched, 'added', limit),
    removed: listedRows(matched, 'removed', limit),
    coverage: coverage.filter((at) => at.before !== at.after),
    breakdown: breakdownOf(matched, arrivals, sums, rowsOfValues),
  };
  if (sums === null) return changes;
  // The relations of reported figures and of forecasts collect the same rows.
  const ggr = relations[0]?.ggrBeside(dataset) ?? null;
  return {
    ...changes,
    ...changesOfFigures(matched, sums, prior, { coverage, ggr }),
    patterns: patterns ? await patterns : findPatterns(matched, sums.before, prior),
  };
}

function priorFindings(
  matched: MatchedRows,
  rowsOfValues: RowsOfValues,
  knownMergers: KnownMergers,
  month: string,
): PriorFindings {
  const dimensions = dimensionChanges(matched, rowsOfValues);
  const mergers = findMergers(matched, knownMergers);
  const renamedValues = findRenamedValues(matched, dimensions, mergers);
  const arrivals = arrivalsOf(matched, renamedValues);
  return { arrivals, dimensions, renamedValues, mergers, lastYears: lastReportableYears(month) };
}

/** What countries lost and got, how their totals moved, and the years that they begin. */
function changesOfFigures(
  matched: MatchedRows,
  sums: Sides<CountrySums>,
  prior: PriorFindings,
  { coverage, ggr }: { readonly coverage: readonly CoverageChange[]; readonly ggr: MatchedRows | null },
) {
  const { arrivals, dimensions } = prior;
  const introduced = introducedRows(matched, prior);
  const hasNewCountry = dimensions.some(
    ({ dimension, appeared }) => dimension === 'country' && appeared.length > 0,
  );
  return {
    totals: totalsOf(matched, sums, arrivals),
    lost: lostValues(matched, sums),
    countryMoves: countryMovesOf(matched, sums, arrivals, introduced.amounts),
    runningMoves: runningMovesOf(matched, sums),
    newYears: [
      ...findNewYears(matched, coverage, sums.after, ggr),
      ...findArrivedYears(matched, arrivals, ggr),
    ],
    proportional: matched.before.count > 0 && hasNewCountry ? proportionalCountries(matched) : [],
    introduced,
  };
}

const NO_CHANGES: MetricChanges = {
  revised: 0,
  sizes: [],
  filled: 0,
  emptied: 0,
  nullsBefore: 0,
  nullsAfter: 0,
  closedValues: 0,
  closedRevised: 0,
  closedFar: 0,
  closedCountries: 0,
  closedMost: null,
  closedLargest: [],
};

/** The comparison of a dataset that did not change. */
export function unchangedDataset(
  dataset: DatasetName,
  { before, after }: Manifests,
  totals: readonly Total[] = [],
): DatasetComparison {
  const metrics = metricNames(dataset).map((metric): [string, MetricChanges] => {
    const nullsBefore = before.metrics[metric]?.nulls ?? 0;
    const nullsAfter = after.metrics[metric]?.nulls ?? 0;
    return [metric, { ...NO_CHANGES, nullsBefore, nullsAfter }];
  });
  return {
    dataset,
    same: true,
    carried: after.carried,
    rows: { before: before.rows, after: after.rows, added: 0, removed: 0, revised: 0, arrived: 0 },
    countries: after.dimensions.country?.length ?? 0,
    dimensions: [],
    twins: [],
    newValues: [],
    proportional: [],
    lost: [],
    metrics: Object.fromEntries(metrics),
    totals,
    scaled: [],
    revisions: [],
    added: [],
    removed: [],
    coverage: [],
    countryMoves: [],
    runningMoves: [],
    patterns: [],
    introduced: NOTHING_INTRODUCED,
    newYears: [],
    breakdown: { countries: [], dimensions: [] },
  };
}

// Guard `rows`: the number of a dataset's rows changed by more than it usually does in a month.

import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import type { DatasetComparison, DimensionValue } from '../compare/comparisonTypes.ts';
import type { Total } from '../compare/totalTypes.ts';
import { changeText, count, counted, listed, percent, yearSpans } from '../messages/numbers.ts';
import type { GuardSeverity } from './finding.ts';
import { appearedIn, type Guard, type GuardContext, type GuardLimits, severityOf } from './guard.ts';

/**
 * Compares the number of rows with that of the current snapshot.
 *
 * - Rows of new years are never refused, because every dataset gets a new year at times. Many of them are a warning, unless
 *   all are of the one year that follows the last.
 * - Rows of new countries are a warning at most.
 */
export const rowsGuard: Guard<MovedRowCount, MovedRowCount> = {
  find: (dataset, { limits }) => {
    const growth = growthOf(dataset);
    const severity = severityOfGrowth(dataset, growth, limits);
    return severity === null ? [] : [{ severity, growth, limit: limits.rows[severity] }];
  },
  gather: (found) => found.map((about) => ({ rule: 'rows', severity: about.severity, country: null, about })),
  words: ({ growth, limit }, dataset, comparison) => {
    const { before, after } = dataset.rows;
    const { years, inNewYears, newCountries } = growth;
    const numbers = `${counted(after, 'row')} where ${comparison.before.id} has ${count(before)} (${changeText(after / before - 1)})`;
    const others = DATASET_NAMES.filter(
      (name) => name !== dataset.dataset && haveSameNewYears(growth, growthOf(comparison.datasets[name])),
    );
    const also = others.length === 0 ? '' : `, as in ${listed(others, others.length)}`;
    const ofYears = `, ${count(inNewYears)} of them in new years (${yearSpans(years)}${also})`;
    const joined = `, new countries: ${listed(newCountries.map(({ value }) => String(value)))}`;
    return {
      message: `${numbers}${inNewYears === 0 ? '' : ofYears}${newCountries.length === 0 ? '' : joined}; ${percent(limit)} or more is suspicious`,
    };
  },
};

export interface MovedRowCount {
  readonly severity: GuardSeverity;
  readonly growth: Growth;
  /** The share from which on this severity is met. */
  readonly limit: number;
}

interface Growth {
  /** The number of rows, without rows of values that are new to their country. The guard `new-values` reports these. */
  readonly after: number;
  /** The new years, ascending. */
  readonly years: readonly number[];
  readonly inNewYears: number;
  /** The new countries; none if the dataset did not grow. */
  readonly newCountries: readonly DimensionValue[];
  readonly inNewCountries: number;
}

function growthOf(dataset: DatasetComparison): Growth {
  const { before, after } = dataset.rows;
  const rowsOf = (values: readonly DimensionValue[]) => values.reduce((sum, { rows }) => sum + rows, 0);
  const newCountries = after > before ? appearedIn(dataset, 'country') : [];
  const years = appearedIn(dataset, 'year');
  return {
    after: after - Math.min(Math.max(0, after - before), dataset.introduced.rows),
    years: years.map(({ value }) => Number(value)),
    inNewYears: rowsOf(years),
    newCountries,
    inNewCountries: rowsOf(newCountries),
  };
}

function severityOfGrowth(
  { rows: { before }, totals }: DatasetComparison,
  { after, years, inNewYears, newCountries, inNewCountries }: Growth,
  { rows: band }: GuardLimits,
): GuardSeverity | null {
  const met =
    severityOf((after - inNewYears - before) / before, band) ??
    (severityOf((after - before) / before, band) === null || isNextYear(years, totals) ? null : 'warn');
  if (met === null || newCountries.length === 0) return met;
  const ofOthers = after - inNewYears - inNewCountries;
  return severityOf(Math.max(0, ofOthers - before) / before, band) ?? (met === 'refuse' ? 'warn' : null);
}

/** Whether a dataset grew, but not too far without `rows` of its new rows. */
const isGrowthExplainedBy = (
  rows: number,
  { growth: { after } }: MovedRowCount,
  { rows: { before } }: DatasetComparison,
  limits: GuardLimits,
): boolean => after > before && severityOf(Math.max(0, after - rows - before) / before, limits.rows) === null;

/** Whether a dataset grew too far only because of new countries, and all of these are new to the lookup, too. */
export function isGrowthOfNewCountries(
  moved: MovedRowCount,
  { dataset, comparison: { datasets }, limits }: GuardContext & { readonly dataset: DatasetComparison },
): boolean {
  const { newCountries, inNewCountries } = moved.growth;
  const newInLookup = new Set(
    datasets.country_reference.newValues.flatMap(({ dimension, value }) =>
      dimension === 'country' ? [value] : [],
    ),
  );
  return (
    newCountries.length > 0 &&
    isGrowthExplainedBy(inNewCountries, moved, dataset, limits) &&
    newCountries.every(({ value }) => newInLookup.has(String(value)))
  );
}

/**
 * Whether a dataset grew too far only because of new years, and a dataset before it in `DATASET_NAMES` has the same new
 * years and grew too far as well.
 */
export function isGrowthOfSharedYears(
  moved: MovedRowCount,
  { dataset, comparison: { datasets }, limits }: GuardContext & { readonly dataset: DatasetComparison },
): boolean {
  const { growth } = moved;
  const earlier = DATASET_NAMES.slice(0, DATASET_NAMES.indexOf(dataset.dataset)).map(
    (name) => datasets[name],
  );
  return (
    isGrowthExplainedBy(growth.inNewYears, moved, dataset, limits) &&
    earlier.some(
      (other) =>
        haveSameNewYears(growth, growthOf(other)) &&
        severityOfGrowth(other, growthOf(other), limits) !== null,
    )
  );
}

/** Whether two datasets have the same new years, and no new countries. */
const haveSameNewYears = (a: Growth, b: Growth): boolean =>
  a.years.length > 0 &&
  a.newCountries.length === 0 &&
  b.newCountries.length === 0 &&
  a.years.join() === b.years.join();

/** Whether the lost rows are those of gone years and countries, and of merged products. */
export function isLossExplained(
  { rows: { before, after }, dimensions, patterns }: DatasetComparison,
  limits: GuardLimits,
): boolean {
  const gone = dimensions
    .filter(({ dimension }) => dimension === 'year' || dimension === 'country')
    .flatMap(({ vanished }) => vanished)
    .reduce((sum, value) => sum + value.rows, 0);
  const merged = patterns.reduce(
    (sum, one) => sum + (one.family === 'merged' ? one.cells - (one.replacedBy ?? 0) : 0),
    0,
  );
  return (
    after < before && severityOf(Math.min(0, after - (before - gone - merged)) / before, limits.rows) === null
  );
}

function isNextYear([first, ...others]: readonly number[], totals: readonly Total[]): boolean {
  const known = totals.flatMap(({ year, before }) => (before === null ? [] : [year]));
  return others.length === 0 && (known.length === 0 || first === Math.max(...known) + 1);
}

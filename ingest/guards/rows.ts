// Guard `rows`: the number of a dataset's rows changed by more than it usually does in a month.

import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import type { Total } from '../compare/totalTypes.ts';
import type { Comparison, DatasetComparison, DimensionValue } from '../compare/types.ts';
import { change, count, counted, listed, percent, spans } from '../messages/numbers.ts';
import type { Severity } from './finding.ts';
import { appearedIn, type Guard, type GuardLimits, severityOf } from './guard.ts';

/**
 * Compares the number of rows with that of the current snapshot.
 *
 * - Rows of new years are never refused, because every dataset gets a new year at times. Many of them are a warning, unless all are
 *   of the one year that follows the last.
 * - Rows of new countries are a warning at most. They are not reported if they alone are too many and the countries are new to the
 *   lookup, too, because the guard `new-values` reports such countries.
 */
export const rows: Guard = (dataset, { comparison, limits }) => {
  const growth = growthOf(dataset);
  const severity = severityOfGrowth(dataset, growth, limits);
  if (severity === null || isExplainedByLoss(dataset, limits)) return [];
  if (isReportedElsewhere(dataset, growth, comparison, limits)) return [];
  const { before, after } = dataset.rows;
  const { years, inNewYears, fresh } = growth;
  const numbers = `${counted(after, 'row')} where ${comparison.before.id} has ${count(before)} (${change(after / before - 1)})`;
  const others = DATASET_NAMES.filter(
    (name) => name !== dataset.dataset && isAlike(growth, growthOf(comparison.datasets[name])),
  );
  const also = others.length === 0 ? '' : `, as in ${listed(others, others.length)}`;
  const ofYears = `, ${count(inNewYears)} of them in new years (${spans(years)}${also})`;
  const joined = `, new countries: ${listed(fresh.map(({ value }) => String(value)))}`;
  return [
    {
      severity,
      message: `${numbers}${inNewYears === 0 ? '' : ofYears}${fresh.length === 0 ? '' : joined}; ${percent(limits.rows[severity])} or more is suspicious`,
    },
  ];
};

interface Growth {
  /** The number of rows, without rows of values that are new to their country. The guard `new-values` reports these. */
  readonly after: number;
  /** The new years, ascending. */
  readonly years: readonly number[];
  readonly inNewYears: number;
  /** The new countries; none if the dataset did not grow. */
  readonly fresh: readonly DimensionValue[];
  readonly inNewCountries: number;
}

function growthOf(dataset: DatasetComparison): Growth {
  const { before, after } = dataset.rows;
  const rowsOf = (values: readonly DimensionValue[]) => values.reduce((sum, { rows }) => sum + rows, 0);
  const fresh = after > before ? appearedIn(dataset, 'country') : [];
  const years = appearedIn(dataset, 'year');
  return {
    after: after - Math.min(Math.max(0, after - before), dataset.introduced.rows),
    years: years.map(({ value }) => Number(value)),
    inNewYears: rowsOf(years),
    fresh,
    inNewCountries: rowsOf(fresh),
  };
}

function severityOfGrowth(
  { rows: { before }, totals }: DatasetComparison,
  { after, years, inNewYears, fresh, inNewCountries }: Growth,
  { rows: band }: GuardLimits,
): Severity | null {
  const met =
    severityOf((after - inNewYears - before) / before, band) ??
    (severityOf((after - before) / before, band) === null || isNextYear(years, totals) ? null : 'warn');
  if (met === null || fresh.length === 0) return met;
  const ofOthers = after - inNewYears - inNewCountries;
  return severityOf(Math.max(0, ofOthers - before) / before, band) ?? (met === 'refuse' ? 'warn' : null);
}

/**
 * Whether another finding already reports the growth. That finding is of the guard `new-values`, about countries that are new
 * to the lookup, or of an earlier dataset, about new years.
 */
function isReportedElsewhere(
  { dataset, rows: { before } }: DatasetComparison,
  growth: Growth,
  { datasets }: Comparison,
  limits: GuardLimits,
): boolean {
  const { after, inNewYears, fresh, inNewCountries } = growth;
  const isGrowthBut = (rows: number) =>
    after > before && severityOf(Math.max(0, after - rows - before) / before, limits.rows) === null;
  const isReported = (one: DatasetComparison) => severityOfGrowth(one, growthOf(one), limits) !== null;
  if (fresh.length > 0) {
    const ofLookup = datasets.country_reference.newValues.filter(({ dimension }) => dimension === 'country');
    const isOfLookup = new Set(ofLookup.map(({ value }) => value));
    return isGrowthBut(inNewCountries) && fresh.every(({ value }) => isOfLookup.has(String(value)));
  }
  const earlier = DATASET_NAMES.slice(0, DATASET_NAMES.indexOf(dataset));
  return (
    isGrowthBut(inNewYears) &&
    earlier.some((name) => isAlike(growth, growthOf(datasets[name])) && isReported(datasets[name]))
  );
}

/** Whether two datasets have the same new years, and no new countries. */
const isAlike = (a: Growth, b: Growth): boolean =>
  a.years.length > 0 && a.fresh.length === 0 && b.fresh.length === 0 && a.years.join() === b.years.join();

/**
 * Whether other findings explain the loss: the guard `vanished` refuses gone years and countries, and a verdict names merged
 * products.
 */
function isExplainedByLoss(
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

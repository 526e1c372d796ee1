// Guard `rows`: the number of a dataset's rows changed by more than it usually does in a month.

import { datasetOf } from '../../src/catalog/datasets.ts';
import type { DatasetComparison, DimensionValue, Total } from '../compare/types.ts';
import { change, count, counted, listed, percent, spans } from '../messages/numbers.ts';
import { type Guard, type GuardLimits, severityOf } from './guard.ts';

/**
 * Compares the number of rows with that of the current snapshot. Rows of new years are never refused, because every dataset
 * gets a new year at times. They are a warning when they are many, unless all of them are of the one year that follows the last.
 * Rows of new countries are a warning at most. Below the limit for refusals, only the lookup that lists the countries is told.
 */
export const rows: Guard = (dataset, { comparison, limits }) => {
  const { dimensions, totals } = dataset;
  const { before, after } = dataset.rows;
  const years = dimensions.find(({ dimension }) => dimension === 'year')?.appeared ?? [];
  const inNewYears = years.reduce((sum, year) => sum + year.rows, 0);
  const share = (after - before) / before;
  const met =
    severityOf((after - inNewYears - before) / before, limits.rows) ??
    (severityOf(share, limits.rows) === null || isNextYear(years, totals) ? null : 'warn');
  if (met === null) return [];
  const countries = after > before ? newCountries(dataset) : [];
  const ofOthers = after - inNewYears - countries.reduce((sum, country) => sum + country.rows, 0);
  const severity =
    countries.length === 0
      ? met
      : (severityOf(Math.max(0, ofOthers - before) / before, limits.rows) ??
        (met === 'refuse' ? 'warn' : null));
  if (severity === null || isExplainedByLoss(dataset, limits)) return [];
  const numbers = `${counted(after, 'row')} where ${comparison.before.id} has ${count(before)} (${change(share)})`;
  const fresh = `, ${count(inNewYears)} of them in new years (${spans(years.map(({ value }) => Number(value)))})`;
  const joined = `, new countries: ${listed(countries.map(({ value }) => String(value)))}`;
  return [
    {
      severity,
      message: `${numbers}${inNewYears === 0 ? '' : fresh}${countries.length === 0 ? '' : joined}; ${percent(limits.rows[severity])} or more is suspicious`,
    },
  ];
};

/** The new countries of a dataset, except in the lookup itself, whose rows are countries. */
const newCountries = ({ dataset, dimensions }: DatasetComparison): readonly DimensionValue[] =>
  datasetOf(dataset).lookup === undefined
    ? []
    : (dimensions.find(({ dimension }) => dimension === 'country')?.appeared ?? []);

/** Whether no rows are missing but those of years and countries that are gone, which the guard `vanished` refuses. */
function isExplainedByLoss(
  { rows: { before, after }, dimensions }: DatasetComparison,
  limits: GuardLimits,
): boolean {
  const gone = dimensions
    .filter(({ dimension }) => dimension === 'year' || dimension === 'country')
    .flatMap(({ vanished }) => vanished)
    .reduce((sum, value) => sum + value.rows, 0);
  return after < before && severityOf(Math.min(0, after - (before - gone)) / before, limits.rows) === null;
}

function isNextYear(appeared: readonly DimensionValue[], totals: readonly Total[]): boolean {
  const [first] = appeared;
  const known = totals.flatMap(({ year, before }) => (before === null ? [] : [year]));
  return appeared.length === 1 && (known.length === 0 || first?.value === Math.max(...known) + 1);
}

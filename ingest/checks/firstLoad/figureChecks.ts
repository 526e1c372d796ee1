// Runs the checks that compare each figure with others: misplaced columns and years, copied countries and markets.

import { type DatasetName, isAmount, metricNames, metricUnit } from '../../../src/catalog/datasets.ts';
import type { CheckInput } from '../checkInput.ts';
import { StagedRows } from '../stagedRows.ts';
import type { CheckedFigures } from './checkedFigures.ts';
import { checkCopiedMarkets } from './copiedMarkets.ts';
import { checkCountriesTimesFactor } from './countriesTimesFactor.ts';
import { checkCopiedCountries, checkRepeatedProducts, equalFigures } from './equalFigures.ts';
import { checkForecastsBefore } from './forecastsBefore.ts';
import { checkMarketRates } from './marketRates.ts';
import { checkMisplacedFigures } from './misplacedFigures.ts';
import { checkMisplacedYears } from './misplacedYears.ts';
import { checkOddLabels } from './oddLabels.ts';
import { checkPartialSums } from './partialSums.ts';
import { ProblemsOfCountries } from './problemsOfCountries.ts';
import { SeriesYears } from './seriesYears.ts';
import { checkSingleSeriesUnits } from './singleSeriesUnits.ts';
import { checkSmallStates } from './smallStates.ts';
import { checkStatesOfNation } from './statesOfNation.ts';

/** The rows of a dataset whose figures are compared. If the dataset is large, these are its first rows. */
export const figureRowsOf = async (
  { staging, rowsInMemory }: CheckInput,
  dataset: DatasetName,
): Promise<StagedRows> => rowsInMemory.get(dataset) ?? (await StagedRows.first(staging, dataset));

/**
 * Checks the figures of these rows. Their dataset must have currencies. `isFirstLoad` is false for new countries of a
 * published dataset, for which guards run some of the checks.
 */
export function checkFigures(
  { staging, problems, rowsInMemory }: CheckInput,
  dataset: DatasetName,
  rows: StagedRows,
  isFirstLoad: boolean,
): void {
  const [metric = ''] = metricNames(dataset);
  const series = rows.groupsWithout(['year', 'region', 'temporal']);
  const markets = rows.groupsWithout(['year', 'region', 'temporal', 'fx']);
  const all: CheckedFigures = { staging, problems, metric, rows, series, markets };
  const shifted = checkMisplacedFigures(all);
  // Misplaced figures of a country cause further faults, such as equal figures of two markets. These faults are not
  // reported.
  const figures = withoutProblemsOf(shifted, all, shifted.size === 0);
  checkOddLabels(figures);
  checkPartialSums(figures);
  checkForecastsBefore(figures);
  checkStatesOfNation(figures);
  if (isFirstLoad) checkSmallStates(figures, rowsInMemory.get('country'));
  checkMarketRates(figures);
  const years = SeriesYears.of(figures);
  const misplaced = years === null ? null : checkMisplacedYears(figures, years);
  if (years === null || misplaced === null) return;
  // A misplaced year also looks like a copy, and like figures in another unit.
  const others = withoutProblemsOf(misplaced, figures);
  checkSingleSeriesUnits(others, years);
  const equal = equalFigures(rows, metric);
  checkRepeatedProducts(others, equal);
  const copied = checkCopiedCountries(others, equal);
  if (isFirstLoad) checkCountriesTimesFactor(withoutProblemsOf(copied, others));
  checkCopiedMarkets(others, years, equal);
}

/**
 * The same figures for further checks, whose problems of the countries `reported` are dropped, because an earlier check
 * reported these countries. `withSeveral` says whether problems of several countries together are kept.
 */
const withoutProblemsOf = (
  reported: ReadonlySet<string | null>,
  figures: CheckedFigures,
  withSeveral = true,
): CheckedFigures => ({
  ...figures,
  problems: new ProblemsOfCountries(figures.problems, (country) =>
    country === null ? withSeveral : !reported.has(country),
  ),
});

/** Warns of copied amounts of money in the dataset `country`. If the dataset is large, it checks its first rows. */
export async function checkAmountsOfCountries(input: CheckInput): Promise<void> {
  const { staging, problems } = input;
  const dataset = 'country';
  const rows = await figureRowsOf(input, dataset);
  for (const metric of metricNames(dataset)) {
    const unit = metricUnit(dataset, metric);
    if (isAmount(unit) && unit !== 'persons')
      checkCopiedCountries({ staging, problems, metric, rows }, equalFigures(rows, metric));
  }
}

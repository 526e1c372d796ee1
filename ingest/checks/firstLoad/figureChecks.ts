// Runs the checks that compare each figure with those beside it: misplaced columns and years, copied countries and markets.

import { type DatasetName, metricNames, metricUnit } from '../../../src/catalog/datasets.ts';
import { isAmount } from '../../staging/numbers/headingUnit.ts';
import type { CheckedRows } from '../checkedRows.ts';
import { StagedRows } from '../stagedRows.ts';
import { checkCopiedCountries } from './copiedCountries.ts';
import { checkCopiedMarkets } from './copiedMarkets.ts';
import { equalFigures } from './equalFigures.ts';
import type { Figures } from './figures.ts';
import { checkForecastsBefore } from './forecastsBefore.ts';
import { checkMarketRates } from './marketRates.ts';
import { checkMisplacedFigures } from './misplacedFigures.ts';
import { checkMisplacedYears } from './misplacedYears.ts';
import { checkOddLabels } from './oddLabels.ts';
import { checkPartialSums } from './partialSums.ts';
import { ProblemsAbout } from './problemsAbout.ts';
import { checkRepeatedProducts } from './repeatedProducts.ts';
import { SeriesYears } from './seriesYears.ts';
import { checkStatesOfNation } from './statesOfNation.ts';
import { checkUnitsOfSeries } from './unitsOfSeries.ts';

/** The rows of a dataset whose figures are compared: of a large one, its first rows. */
export const figureRowsOf = async (
  { staging, inMemory }: CheckedRows,
  dataset: DatasetName,
): Promise<StagedRows> => inMemory.get(dataset) ?? (await StagedRows.first(staging, dataset));

/** Checks the figures of these rows of a dataset with currencies. */
export function checkFigures(
  { staging, problems }: CheckedRows,
  dataset: DatasetName,
  rows: StagedRows,
): void {
  const [metric = ''] = metricNames(dataset);
  const series = rows.groupsWithout(['year', 'region', 'temporal']);
  const markets = rows.groupsWithout(['year', 'region', 'temporal', 'fx']);
  const all: Figures = { staging, problems, metric, rows, series, markets };
  // Figures that are misplaced repeat those of other markets, and all countries together look misplaced, too.
  const shifted = checkMisplacedFigures(all);
  const figures = beside(shifted, all, shifted.size === 0);
  checkOddLabels(figures);
  checkPartialSums(figures);
  checkForecastsBefore(figures);
  checkStatesOfNation(figures);
  checkMarketRates(figures);
  const years = SeriesYears.of(figures);
  const misplaced = years === null ? null : checkMisplacedYears(figures, years);
  if (years === null || misplaced === null) return;
  // A year that is misplaced looks like a copy and like another unit, too.
  const others = beside(misplaced, figures, true);
  checkUnitsOfSeries(others, years);
  const equal = equalFigures(rows, metric);
  checkRepeatedProducts(others, equal);
  checkCopiedCountries(others, equal);
  checkCopiedMarkets(others, years, equal);
}

/**
 * The figures for further checks. What these find about some countries is not reported.
 *
 * @param reported The countries of which another fault was reported already.
 * @param withSeveral Whether what concerns several countries together is reported.
 */
const beside = (reported: ReadonlySet<string>, figures: Figures, withSeveral: boolean): Figures => ({
  ...figures,
  problems: new ProblemsAbout(figures.problems, (country) =>
    country === null ? withSeveral : !reported.has(country),
  ),
});

/** Checks the amounts of money of the dataset `country`: of a large one, those in its first rows. */
export async function checkAmountsOfCountries(checked: CheckedRows): Promise<void> {
  const { staging, problems } = checked;
  const dataset = 'country';
  const rows = await figureRowsOf(checked, dataset);
  for (const metric of metricNames(dataset)) {
    const unit = metricUnit(dataset, metric);
    if (isAmount(unit) && unit !== 'persons')
      checkCopiedCountries({ staging, problems, metric, rows }, equalFigures(rows, metric));
  }
}

// Warns of implausible figures when a dataset is loaded for the first time: guards have nothing to compare them with.

import { type DatasetName, datasetOf, isFinancial } from '../../../src/catalog/datasets.ts';
import { count } from '../../messages/numbers.ts';
import { Problems } from '../../messages/problems.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { isPlaceholderValue } from '../../staging/numbers/placeholders.ts';
import type { CheckInput, SqlCheckInput } from '../checkInput.ts';
import { PLACE_SQL, placeOfCellAt, rowCountText, warnOfEach } from '../stagedPlaces.ts';
import { checkCurrenciesOfCountries } from './currenciesOfCountries.ts';
import { checkExchangedColumns, checkExchangedLabels } from './exchangedLabels.ts';
import { checkAmountsOfCountries, checkFigures, figureRowsOf } from './figureChecks.ts';
import { checkImpliedRates } from './impliedRates.ts';
import { checkLackingCountries } from './lackingCountries.ts';
import { checkLeftOutMarkets } from './leftOutMarkets.ts';
import { checkMagnitudes, checkTinyValues } from './magnitudes.ts';
import { checkMarketHolds } from './marketHolds.ts';
import { checkMarketShares } from './marketShares.ts';
import { checkNearTwins } from './nearTwins.ts';
import { checkPastForecasts } from './pastForecasts.ts';
import { checkSeries, checkYearsOfSeries } from './seriesChecks.ts';
import { checkSplitSeries } from './splitSeries.ts';
import { checkStateCodes, checkStates } from './stateLabels.ts';
import { checkTurnover } from './turnover.ts';
import { checkZeroGgr } from './zeroGgr.ts';

/** Runs the checks of the datasets that have no rows in the current snapshot. */
export async function checkFirstLoad(input: CheckInput): Promise<void> {
  const { datasets, datasetsWithSeveralRows, publishedValues, problems } = input;
  const isFirst = (name: DatasetName) => datasets.includes(name) && publishedValues?.hasRows(name) !== true;
  if (isFirst('country')) {
    await checkInflation(input);
    await checkAmountsOfCountries(input);
  }
  if (isFirst('ggr')) {
    await checkMagnitudes(input);
    await checkMarketShares(input);
  }
  if (isFirst('turnover') && datasets.includes('ggr')) {
    await checkTurnover(input);
    await checkMarketHolds(input);
  }
  if (datasets.includes('ggr') && datasets.includes('turnover') && (isFirst('ggr') || isFirst('turnover')))
    await checkZeroGgr(input);
  checkTemporal(input, isFirst);
  const isFirstOfAmounts = isFirst('ggr') || isFirst('turnover');
  checkLackingCountries(
    input,
    (['fx', 'country'] as const).filter((name) => isFirstOfAmounts || isFirst(name)),
    () => true,
  );
  for (const dataset of datasetsWithSeveralRows.filter(isFirst).filter(isFinancial)) {
    const hasCurrencies = datasetOf(dataset).dimensions.includes('fx');
    const rows = await figureRowsOf(input, dataset);
    checkPastForecasts(input, dataset, rows, () => true);
    const figureRows = hasCurrencies ? rows : null;
    // A statement uses one core, so `checkOthers` runs beside `checkSeries`, on a second connection.
    const [ofYears, ofSeries, ofRows] = [new Problems(), new Problems(), new Problems()];
    const concurrent = { ...input, staging: input.staging.concurrentView };
    const checkOthers = async () => {
      await checkYearsOfSeries({ ...concurrent, problems: ofYears }, dataset);
      await checkSingleRows({ ...concurrent, problems: ofRows }, dataset);
    };
    const checking = [
      checkSeries({ ...input, problems: ofSeries }, dataset),
      checkOthers(),
      // The engine runs the first statements of the two above in its own threads. Meanwhile this thread checks the figures.
      (async () => figureRows && checkFigures(input, dataset, figureRows, true))(),
    ];
    // When one of the checks fails, the caller closes the staging database. So this first waits until no check uses it.
    await Promise.all(checking).finally(() => Promise.allSettled(checking));
    for (const found of [ofYears, ofSeries, ofRows]) problems.absorb(found);
  }
}

/** Runs the checks for which the order of the years does not matter. */
async function checkSingleRows(input: SqlCheckInput, dataset: DatasetName): Promise<void> {
  const { datasets, usedValues } = input;
  await checkStates(input, dataset);
  await checkStateCodes(input, dataset);
  if (!datasetOf(dataset).dimensions.includes('fx')) return;
  await checkExchangedLabels(input, dataset);
  // If the columns are exchanged, there may also be more categories than products. One warning is enough.
  if (!checkExchangedColumns(input, dataset)) checkCategories(input, dataset);
  await checkTinyValues(input, dataset);
  checkCurrenciesOfCountries(input, dataset);
  await checkLeftOutMarkets(input, dataset);
  const hasOthersInUsd = usedValues.has(dataset, 'fx', 'USD') && usedValues.in(dataset, 'fx').length > 1;
  if (datasets.includes('fx') && hasOthersInUsd) await checkImpliedRates(input, dataset);
  await checkNearTwins(input, dataset);
  await checkSplitSeries(input, dataset);
}

/** Reports values of `temporal` that mark neither forecasts nor reported figures. */
function checkTemporal(
  { staging, datasets, usedValues, problems }: CheckInput,
  isFirst: (name: DatasetName) => boolean,
): void {
  for (const dataset of datasets.filter(isFirst))
    for (const { text, rows, first } of usedValues.in(dataset, 'temporal')) {
      if (text === 'Current' || text === 'Forecast' || isPlaceholderValue(text)) continue;
      problems.add('warning', placeOfCellAt(staging, first, 'temporal'), {
        problem: `temporal "${text}" is neither Current nor Forecast (${rowCountText(rows)})`,
        remedy: 'write Current for reported figures and Forecast for the others, unless it is meant',
        kind: `${dataset} has a temporal of its own`,
      });
    }
}

/** Reports files in which all inflation is below 0.5. They probably have fractions instead of percent. */
async function checkInflation({ staging, usedValues, problems }: CheckInput): Promise<void> {
  if (usedValues.rows('country') < FEWEST_INFLATIONS) return;
  await warnOfEach(
    { staging, problems, column: 'inflation' },
    `SELECT count(*)::INTEGER AS n, max(abs(inflation)) AS most, min(${PLACE_SQL}) AS place
    FROM ${stagingTable('country')} WHERE inflation IS NOT NULL
    GROUP BY _source HAVING n >= ${FEWEST_INFLATIONS} AND most < 0.5 AND most > 0 ORDER BY place`,
    (n, most) => ({
      problem: `none of the ${count(Number(n))} values of inflation is above ${most}, and its unit is percent: they look like fractions`,
      remedy: 'write 3.5 for 3.5 %, or use --scale inflation=100',
      kind: 'inflation as a fraction',
    }),
  );
}

/** The fewest values of inflation in a reported file. One or two may be below 0.5 % by chance. */
const FEWEST_INFLATIONS = 3;

/** Reports more categories than products. A category has several products, so the two columns were probably exchanged. */
function checkCategories({ staging, usedValues, problems }: SqlCheckInput, dataset: DatasetName): void {
  const [categories, products] = [usedValues.in(dataset, 'category'), usedValues.in(dataset, 'product')];
  const [first] = categories;
  if (first === undefined || products.length < 2 || categories.length <= products.length) return;
  problems.add('warning', placeOfCellAt(staging, first.first, 'category'), {
    problem: `there are ${count(categories.length)} categories and ${count(products.length)} products`,
    remedy: 'check whether the two columns were exchanged',
    kind: 'more categories than products',
  });
}

// Runs checks of a first load for the new countries of published datasets, because guards cannot compare new countries.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { CheckInput } from '../checkInput.ts';
import type { StagedRows } from '../stagedRows.ts';
import { checkCurrenciesOfCountries } from './currenciesOfCountries.ts';
import { checkFigures, figureRowsOf } from './figureChecks.ts';
import { checkImpliedRates } from './impliedRates.ts';
import { checkLackingCountries } from './lackingCountries.ts';
import { checkLeftOutMarkets } from './leftOutMarkets.ts';
import { checkMagnitudes } from './magnitudes.ts';
import { checkMarketHolds } from './marketHolds.ts';
import { checkMarketShares } from './marketShares.ts';
import { checkPastForecasts } from './pastForecasts.ts';
import { ProblemsOfCountries } from './problemsOfCountries.ts';
import { checkSeries, checkYearsOfSeries } from './seriesChecks.ts';
import { checkTurnover } from './turnover.ts';
import { checkZeroGgr } from './zeroGgr.ts';

/** Reports implausible figures of countries that ggr or turnover has for the first time. */
export async function checkNewCountries(input: CheckInput): Promise<void> {
  const ggr = newCountries('ggr', input);
  const turnover = newCountries('turnover', input);
  const either = new Set([...ggr, ...turnover]);
  checkLackingCountries(input, ['fx', 'country'], (country) => either.has(country));
  await checkOf(ggr, input, checkMagnitudes);
  await checkOf(ggr, input, checkMarketShares);
  if (input.datasets.includes('ggr')) {
    await checkOf(either, input, checkTurnover);
    await checkOf(either, input, checkMarketHolds);
    await checkOf(either, input, checkZeroGgr);
  }
  for (const [dataset, countries] of [
    ['ggr', ggr],
    ['turnover', turnover],
  ] as const) {
    if (countries.size === 0) continue;
    const rows = await figureRowsOf(input, dataset);
    checkPastForecasts(input, dataset, rows, (country) => countries.has(country));
    await checkOf(countries, input, (ofCountries) => checkAmounts(ofCountries, dataset, rows));
  }
}

async function checkAmounts(input: CheckInput, dataset: DatasetName, rows: StagedRows): Promise<void> {
  checkFigures(input, dataset, rows, false);
  checkCurrenciesOfCountries(input, dataset);
  await checkLeftOutMarkets(input, dataset);
  await checkYearsOfSeries(input, dataset);
  await checkSeries(input, dataset);
  if (input.datasets.includes('fx')) await checkImpliedRates(input, dataset);
}

/** The countries of a published dataset that have no rows of it in the current snapshot. */
function newCountries(
  dataset: DatasetName,
  { datasetsWithSeveralRows, usedValues, publishedValues }: CheckInput,
): ReadonlySet<string> {
  if (!datasetsWithSeveralRows.includes(dataset) || publishedValues?.hasRows(dataset) !== true)
    return new Set();
  const countries = usedValues.in(dataset, 'country').map(({ text }) => text);
  return new Set(countries.filter((country) => !publishedValues.hasCountry(dataset, country)));
}

async function checkOf(
  countries: ReadonlySet<string>,
  input: CheckInput,
  check: (input: CheckInput) => Promise<void>,
): Promise<void> {
  if (countries.size === 0) return;
  const isNew = (country: string | null) => country !== null && countries.has(country);
  await check({ ...input, problems: new ProblemsOfCountries(input.problems, isNew) });
}

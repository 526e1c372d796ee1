// Runs checks of a first load for the new countries of published datasets, because guards cannot compare new countries.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { CheckedRows } from '../checkedRows.ts';
import { checkFigures, figureRowsOf } from './figureChecks.ts';
import { checkImpliedRates } from './impliedRates.ts';
import { checkLeftOutMarkets } from './leftOutMarkets.ts';
import { checkLocalCurrencies } from './localCurrencies.ts';
import { checkMagnitudes } from './magnitudes.ts';
import { checkMarketHolds } from './marketHolds.ts';
import { checkMarketShares } from './marketShares.ts';
import { ProblemsAbout } from './problemsAbout.ts';
import { checkSeries, checkYearsOfSeries } from './series.ts';
import { checkTurnover } from './turnover.ts';
import { checkZeroGgr } from './zeroGgr.ts';

/** Reports implausible figures of countries that ggr or turnover has for the first time. */
export async function checkNewCountries(checked: CheckedRows): Promise<void> {
  const ggr = newCountries('ggr', checked);
  const turnover = newCountries('turnover', checked);
  await checkOf(ggr, checked, checkMagnitudes);
  await checkOf(ggr, checked, checkMarketShares);
  if (checked.datasets.includes('ggr')) {
    const either = new Set([...ggr, ...turnover]);
    await checkOf(either, checked, checkTurnover);
    await checkOf(either, checked, checkMarketHolds);
    await checkOf(either, checked, checkZeroGgr);
  }
  for (const [dataset, countries] of [
    ['ggr', ggr],
    ['turnover', turnover],
  ] as const)
    await checkOf(countries, checked, (ofCountries) => checkAmounts(ofCountries, dataset));
}

async function checkAmounts(checked: CheckedRows, dataset: DatasetName): Promise<void> {
  checkFigures(checked, dataset, await figureRowsOf(checked, dataset), false);
  checkLocalCurrencies(checked, dataset);
  await checkLeftOutMarkets(checked, dataset);
  await checkYearsOfSeries(checked, dataset);
  await checkSeries(checked, dataset);
  if (checked.datasets.includes('fx')) await checkImpliedRates(checked, dataset);
}

/** The countries of a published dataset that have no rows of it in the current snapshot. */
function newCountries(dataset: DatasetName, { several, used, known }: CheckedRows): ReadonlySet<string> {
  if (!several.includes(dataset) || known?.hasRowsOf(dataset) !== true) return new Set();
  const countries = used.in(dataset, 'country').map(({ text }) => text);
  return new Set(countries.filter((country) => !known.hasCountry(dataset, country)));
}

async function checkOf(
  countries: ReadonlySet<string>,
  checked: CheckedRows,
  check: (checked: CheckedRows) => Promise<void>,
): Promise<void> {
  if (countries.size === 0) return;
  const isNew = (country: string | null) => country !== null && countries.has(country);
  await check({ ...checked, problems: new ProblemsAbout(checked.problems, isNew) });
}

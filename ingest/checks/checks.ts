// Runs all checks of a month's staged rows.

import { DATASET_NAMES, type DatasetName, datasetOf, isFinancial } from '../../src/catalog/datasets.ts';
import type { CheckedRows } from './checkedRows.ts';
import { checkCurrencies } from './currencies.ts';
import { checkDuplicates } from './duplicates.ts';
import { checkExchangeRates } from './exchangeRates/exchangeRates.ts';
import { checkFirstLoad } from './firstLoad/firstLoad.ts';
import { checkNewCountries } from './firstLoad/newCountries.ts';
import { checkHugeValues } from './hugeValues.ts';
import { checkIndicators } from './indicators/indicators.ts';
import { checkListedOnce, checkLookup, lookupsOf, mayListTwice } from './lookups.ts';
import { checkSpelling } from './spelling.ts';
import { inMemory } from './stagedRows.ts';
import { Suspects } from './suspects.ts';
import { checkTableStatements } from './tableStatements.ts';
import { checkTotals } from './totals.ts';
import { UsedValues } from './usedValues.ts';
import { checkYears } from './years.ts';

/** The staged rows of a month before they are read into memory. */
export interface RowsToCheck
  extends Pick<CheckedRows, 'staging' | 'known' | 'carried' | 'acceptedYears' | 'month' | 'problems'> {
  readonly present: ReadonlySet<DatasetName>;
  /** Datasets with a header that lacks a column. They are not checked: rows that differ in that column would look equal. */
  readonly incomplete: ReadonlySet<DatasetName>;
}

/** Adds to `problems` the errors and warnings about the staged rows. */
export async function checkRows({ present, incomplete, ...given }: RowsToCheck): Promise<void> {
  const { staging, problems } = given;
  const datasets = DATASET_NAMES.filter((name) => present.has(name) && !incomplete.has(name));
  const rows = await inMemory(staging, datasets);
  const used = await UsedValues.of({ staging, datasets }, rows);
  const several = datasets.filter((name) => used.rows(name) > 1);
  const checked: CheckedRows = { ...given, datasets, several, inMemory: rows, used };
  const suspects = await Suspects.of(checked);
  const lookups = await lookupsOf(checked);
  for (const dataset of datasets) {
    if (suspects.haveDuplicates(dataset)) await checkDuplicates(checked, dataset);
    if (several.includes(dataset) && !isFinancial(dataset) && mayListTwice(rows.get(dataset)))
      await checkListedOnce(checked, dataset);
    const lookup = lookups.find(({ name }) => name === datasetOf(dataset).lookup);
    if (lookup !== undefined) await checkLookup(checked, dataset, lookup);
  }
  checkSpelling(checked);
  await checkCurrencies(checked);
  await checkTableStatements(checked);
  await checkHugeValues(checked);
  await checkYears(checked);
  await checkTotals(checked, suspects);
  // When rows are faulty or duplicate, the checks below would find right figures implausible.
  if (problems.count('error', 'unreadable') > 0) return;
  if (several.includes('fx')) await checkExchangeRates(checked, reportedSince('fx', checked));
  if (several.includes('country')) await checkIndicators(checked, reportedSince('country', checked));
  await checkFirstLoad(checked);
  await checkNewCountries(checked);
}

/**
 * Returns a function that gives, for a country, the first year whose implausible figures are reported. It is 0, so that all
 * years are reported, if the current snapshot lacks the dataset or the country. Otherwise guards compare the earlier years.
 */
const reportedSince =
  (dataset: DatasetName, { known, month }: CheckedRows) =>
  (country: string): number =>
    known?.hasRowsOf(dataset) !== true || !(country === '' || known.hasCountry(dataset, country))
      ? 0
      : Number(month.slice(0, 4)) - RECENT_YEARS;

/** How many years before the year of the month are reported, too. The month may have the first figures of these years. */
const RECENT_YEARS = 2;

// Runs all checks of a month's staged rows.

import { DATASET_NAMES, type DatasetName, datasetOf, isFinancial } from '../../src/catalog/datasets.ts';
import type { CheckInput } from './checkInput.ts';
import { checkCurrencies } from './currencies.ts';
import { checkDuplicates } from './duplicates.ts';
import { checkExchangeRates } from './exchangeRates/exchangeRates.ts';
import { checkFirstLoad } from './firstLoad/firstLoad.ts';
import { checkNewCountries } from './firstLoad/newCountries.ts';
import { checkHugeValues } from './hugeValues.ts';
import { checkYears } from './implausibleYears.ts';
import { checkIndicators } from './indicators/indicators.ts';
import { checkListedOnce, checkLookup, lookupsOf, mayListTwice } from './lookupChecks.ts';
import { readRowsInMemory } from './stagedRows.ts';
import { Suspects } from './suspects.ts';
import { checkTableStatements } from './tableStatements.ts';
import { checkTotals } from './totalValues.ts';
import { UsedValues } from './usedValues.ts';
import { checkSpelling } from './variantSpellings.ts';

/** The staged rows of a month before they are read into memory. */
interface RowsToCheck
  extends Pick<
    CheckInput,
    'staging' | 'publishedValues' | 'carried' | 'acceptedYears' | 'month' | 'problems'
  > {
  readonly present: ReadonlySet<DatasetName>;
  /** Datasets with a header that lacks a column. They are not checked: rows that differ in that column would look equal. */
  readonly incomplete: ReadonlySet<DatasetName>;
}

/** Adds to `problems` the errors and warnings about the staged rows. */
export async function checkRows({ present, incomplete, ...given }: RowsToCheck): Promise<void> {
  const { staging, problems } = given;
  const datasets = DATASET_NAMES.filter((name) => present.has(name) && !incomplete.has(name));
  const rowsInMemory = await readRowsInMemory(staging, datasets);
  const usedValues = await UsedValues.of({ staging, datasets }, rowsInMemory);
  const datasetsWithSeveralRows = datasets.filter((name) => usedValues.rows(name) > 1);
  const input: CheckInput = { ...given, datasets, datasetsWithSeveralRows, rowsInMemory, usedValues };
  const suspects = await Suspects.of(input);
  const lookups = await lookupsOf(input);
  for (const dataset of datasets) {
    if (suspects.haveDuplicates(dataset)) await checkDuplicates(input, dataset);
    if (
      datasetsWithSeveralRows.includes(dataset) &&
      !isFinancial(dataset) &&
      mayListTwice(rowsInMemory.get(dataset))
    )
      await checkListedOnce(input, dataset);
    const lookup = lookups.find(({ name }) => name === datasetOf(dataset).lookup);
    if (lookup !== undefined) await checkLookup(input, dataset, lookup);
  }
  checkSpelling(input);
  await checkCurrencies(input);
  await checkTableStatements(input);
  await checkHugeValues(input);
  await checkYears(input);
  await checkTotals(input, suspects);
  // When rows are faulty or duplicate, the checks below would find right figures implausible.
  if (problems.count('error', 'unreadable') > 0) return;
  if (datasetsWithSeveralRows.includes('fx')) await checkExchangeRates(input, reportedSince('fx', input));
  if (datasetsWithSeveralRows.includes('country'))
    await checkIndicators(input, reportedSince('country', input));
  await checkFirstLoad(input);
  await checkNewCountries(input);
}

/**
 * Returns a function that gives, for a country, the first year whose implausible figures are reported. It is 0, so that all
 * years are reported, if the current snapshot lacks the dataset or the country. Otherwise guards compare the earlier years.
 */
const reportedSince =
  (dataset: DatasetName, { publishedValues, month }: CheckInput) =>
  (country: string): number =>
    publishedValues?.hasRows(dataset) !== true ||
    !(country === '' || publishedValues.hasCountry(dataset, country))
      ? 0
      : Number(month.slice(0, 4)) - RECENT_YEARS;

/** How many years before the year of the month are reported, too. The month may have the first figures of these years. */
const RECENT_YEARS = 2;

// Runs all checks that need all staged rows together, and holds some of them: duplicates, countries and regions, spelling.

import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  isFinancial,
} from '../../src/catalog/datasets.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { placeOfCell, placeOfRow, placeText } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { countryOfLetters, looseKey, nearestWord } from '../messages/spelling.ts';
import { type Staging, stagingColumn, stagingTable } from '../staging/database/staging.ts';
import type { CheckedRows } from './checkedRows.ts';
import { Counting } from './counting.ts';
import { countriesIn } from './countries.ts';
import { checkCurrencies } from './currencies.ts';
import { checkExchangeRates } from './exchangeRates.ts';
import { checkFirstLoad } from './firstLoad.ts';
import { checkHugeValues } from './hugeValues.ts';
import { checkIndicators } from './indicators.ts';
import {
  type Checked,
  isText,
  originOf,
  PLACE,
  placeOfNumber,
  ROW,
  rowCount,
  rowIn,
  rowsOf,
  SOURCE,
  sourceIn,
} from './places.ts';
import { type InMemory, inMemory, type StagedRows } from './stagedRows.ts';
import { isDuplicate, Suspects } from './suspects.ts';
import { checkTotals, sumsOf } from './totals.ts';
import { type UsedValue, UsedValues } from './usedValues.ts';

/** The most duplicates of a dataset that are listed. Further ones are only counted. */
const MOST_LISTED = 1000;

/** The rows to check. */
export interface RowsToCheck extends Pick<CheckedRows, 'staging' | 'known' | 'month' | 'problems'> {
  /** The datasets that have rows. */
  readonly present: ReadonlySet<DatasetName>;
  /** Datasets with a header that lacks a column. They are not checked, because their rows cannot be told apart. */
  readonly incomplete: ReadonlySet<DatasetName>;
}

/** Reports what is wrong with the staged rows taken together. */
export async function checkRows({ present, incomplete, ...given }: RowsToCheck): Promise<void> {
  const { staging, problems } = given;
  const datasets = DATASET_NAMES.filter((name) => present.has(name) && !incomplete.has(name));
  const rows = await inMemory(staging, datasets);
  const used = await UsedValues.of({ staging, datasets }, rows);
  const several = datasets.filter((name) => used.rows(name) > 1);
  const checked: CheckedRows = { ...given, datasets, several, inMemory: rows, used };
  const suspects = await Suspects.of(checked, sumsOf, rows);
  const lookups = await lookupsOf(checked, rows);
  for (const dataset of datasets) {
    if (suspects.haveDuplicates(dataset)) await checkDuplicates(staging, dataset, problems);
    if (several.includes(dataset) && !isFinancial(dataset) && mayListTwice(rows.get(dataset)))
      await checkListedOnce(staging, dataset, problems);
    const lookup = lookups.find(({ name }) => name === datasetOf(dataset).lookup);
    if (lookup !== undefined) await checkLookup(staging, dataset, rows.get(dataset), lookup, problems);
  }
  checkSpelling(checked);
  await checkCurrencies(checked);
  await checkHugeValues(checked);
  await checkTotals(checked, suspects);
  // When rows are faulty or duplicate, the checks below would find right figures implausible.
  if (problems.count('error', 'unreadable') > 0) return;
  if (several.includes('fx')) await checkExchangeRates(checked, reportedSince('fx', checked));
  if (several.includes('country')) await checkIndicators(checked, reportedSince('country', checked));
  await checkFirstLoad(checked);
}

/**
 * A function that gives the first year of a country whose implausible figures are reported. Earlier years are left to the guards,
 * if the dataset and the country were already published.
 */
const reportedSince =
  (dataset: DatasetName, { known, month }: CheckedRows) =>
  (country: string): number =>
    known?.hasRowsOf(dataset) !== true || !(country === '' || known.has('country', country))
      ? 0
      : Number(month.slice(0, 4)) - RECENT_YEARS;

/** How many years before the month's own year are still reported: a month may bring figures of them for the first time. */
const RECENT_YEARS = 2;

/** Reports rows that agree in all dimensions, each with the place of the first such row. */
async function checkDuplicates(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  const key = dimensions.map(stagingColumn).join(', ');
  const found = await rowsOf(
    staging,
    `WITH twice AS (SELECT ${key}, count(*) AS n, arg_min(rowid, ${PLACE}) AS one, arg_max(rowid, ${PLACE}) AS other
       FROM ${stagingTable(dataset)} GROUP BY ${key} HAVING ${isDuplicate(dataset)})
     SELECT count(*) OVER ()::INTEGER, n::INTEGER, a._source, a._row, a._column, b._source, b._row, b._column,
       ${dimensions.map((d) => `twice.${stagingColumn(d)}`).join(', ')}
     FROM twice JOIN ${stagingTable(dataset)} a ON a.rowid = one JOIN ${stagingTable(dataset)} b ON b.rowid = other
     ORDER BY b._source, b._row, b._column LIMIT ${MOST_LISTED}`,
  );
  for (const [, n, source, row, column, otherSource, otherRow, otherColumn, ...values] of found) {
    const first = placeOfRow(originOf(staging, source), Number(row), Number(column));
    const again = placeOfRow(originOf(staging, otherSource), Number(otherRow), Number(otherColumn));
    const same = dimensions
      .map((d, i) => [d, isText(d) ? staging.text(values[i]) : values[i]])
      .flatMap(([d, value]) => (value === '' ? [] : [`${d} ${value}`]))
      .join(', ');
    const times = Number(n) > 2 ? `, ${n} in all` : '';
    problems.add('error', again, {
      problem: `duplicate of ${placeText(first)}${times} (${same})`,
      remedy: 'delete one of them',
      kind: 'duplicate rows',
    });
  }
  problems.addUnseen('error', Number(found[0]?.[0] ?? 0) - found.length);
}

/** Whether a country may be in several rows of a lookup. True for rows that are not in memory, because it is unknown then. */
const mayListTwice = (rows: StagedRows | undefined): boolean =>
  rows === undefined || rows.numbered('country').count < rows.count;

/**
 * Reports countries that a lookup lists twice. Twice in one region is an error, because the row order could not tell the two rows
 * apart; in two regions it is a warning.
 */
async function checkListedOnce(staging: Staging, lookup: DatasetName, problems: Problems): Promise<void> {
  const key = datasetOf(lookup).dimensions.map(stagingColumn).join(', ');
  const again = `WITH distinct_rows AS (SELECT country_code, region_code, min(${PLACE}) AS place
      FROM ${stagingTable(lookup)} GROUP BY ${key}),
    listed AS (SELECT *, lag(place) OVER (PARTITION BY country_code ORDER BY place) AS before,
        count(*) OVER (PARTITION BY country_code, region_code ORDER BY place) > 1 AS same_region
      FROM distinct_rows)
    SELECT country_code, same_region, ${SOURCE}, ${ROW}, ${sourceIn('before')}, ${rowIn('before')}
    FROM listed WHERE before IS NOT NULL ORDER BY place`;
  for (const [code, sameRegion, source, row, sourceBefore, rowBefore] of await rowsOf(staging, again)) {
    const earlier = placeText(placeOfRow(originOf(staging, sourceBefore), Number(rowBefore)));
    const place = placeOfCell(originOf(staging, source), Number(row), 'country');
    const how = sameRegion === true ? 'with another type' : 'in another region';
    problems.add(sameRegion === true ? 'error' : 'warning', place, {
      problem: `country "${staging.text(code)}" is in ${earlier} already, ${how}`,
      remedy: 'keep one of them',
      kind: `a country is listed twice, ${how}`,
    });
  }
}

/** A dataset that lists countries, and the regions of each country in it. */
interface Lookup {
  readonly name: DatasetName;
  readonly regions: ReadonlyMap<string, readonly string[]>;
}

async function lookupsOf({ staging, datasets }: Checked, inMemory: InMemory): Promise<readonly Lookup[]> {
  const names: ReadonlySet<DatasetName> = new Set(datasets.flatMap((name) => datasetOf(name).lookup ?? []));
  const lookups: Lookup[] = [];
  for (const name of datasets.filter((dataset) => names.has(dataset))) {
    const listed = (await countriesIn(staging, name, inMemory.get(name)))
      .map(({ country, region }) => [staging.text(country), staging.text(region)] as const)
      .sort(([a, inA], [b, inB]) => byCodePoints(a, b) || byCodePoints(inA, inB));
    const regions = new Map<string, string[]>();
    for (const [country, region] of listed) {
      const known = regions.get(country) ?? [];
      regions.set(country, known.includes(region) ? known : [...known, region]);
    }
    lookups.push({ name, regions });
  }
  return lookups;
}

/** Reports countries that the lookup does not list, or lists in another region, once for each country and source. */
async function checkLookup(
  staging: Staging,
  dataset: DatasetName,
  rows: StagedRows | undefined,
  { name: lookup, regions: known }: Lookup,
  problems: Problems,
): Promise<void> {
  for (const used of await countriesIn(staging, dataset, rows)) {
    const [country, region] = [staging.text(used.country), staging.text(used.region)];
    const regions = known.get(country);
    const more = used.rows > 1 ? ` (${rowCount(used.rows)})` : '';
    const at = (column: string) => placeOfNumber(staging, used.first, column);
    if (regions === undefined) {
      const near = countryOfLetters(country, known.keys()) ?? nearestWord(country, known.keys());
      problems.add('error', at('country'), {
        problem: `country "${country}" is not in ${lookup}${more}`,
        remedy: near === undefined ? 'correct it or add it there' : `did you mean "${near}"?`,
        kind: `a country is not in ${lookup}`,
      });
    } else if (!regions.includes(region)) {
      problems.add('error', at('region'), {
        problem: `region "${region}" disagrees with ${lookup}, where ${country} is in "${regions.join('" and "')}"${more}`,
        remedy: 'make them agree',
        kind: `a region disagrees with ${lookup}`,
      });
    }
  }
}

/** Warns of values that differ from another one only in case, accents or punctuation, and of values that count up row by row. */
function checkSpelling({ staging, datasets, used, problems }: CheckedRows): void {
  const dimensions = [...new Set(datasets.flatMap((name) => datasetOf(name).dimensions))].filter(isText);
  for (const dimension of dimensions) {
    const usual = new Map<string, string>();
    const counting = new Counting(dimension);
    for (const { text, rows, first } of acrossDatasets(datasets, dimension, used)) {
      if (rows === 1) counting.note(text, () => placeOfNumber(staging, first, dimension));
      // `Slots (1)` and `Slots*` are `Slots` with a footnote mark.
      const unmarked = text.replace(/(?<!\s)\s*(?:[([]\d{1,2}[)\]]|(?<![*†‡§])[*†‡§]+)$/u, '');
      const key = looseKey(unmarked) || text;
      const other = usual.get(key);
      if (other === undefined) {
        usual.set(key, text);
        continue;
      }
      problems.add('warning', placeOfNumber(staging, first, dimension), {
        problem: `${dimension} "${text}" (${rowCount(rows)}) looks like "${other}" spelled differently`,
        remedy: 'write them alike',
        kind: `${dimension} spelled in two ways`,
      });
    }
    counting.warn(problems);
  }
}

/** The values of a dimension in all datasets together, the most frequent ones first. */
function acrossDatasets(
  datasets: readonly DatasetName[],
  dimension: DimensionName,
  used: UsedValues,
): readonly UsedValue[] {
  const all = new Map<string, UsedValue>();
  for (const value of datasets.flatMap((dataset) => used.in(dataset, dimension))) {
    const before = all.get(value.text);
    if (before === undefined) all.set(value.text, value);
    else {
      const earlier = before.first < value.first ? before : value;
      all.set(value.text, { ...earlier, rows: before.rows + value.rows });
    }
  }
  return [...all.values()].sort((a, b) => b.rows - a.rows || byCodePoints(a.text, b.text));
}

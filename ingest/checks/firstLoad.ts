// Warns of implausible figures when a dataset is loaded for the first time, because guards have nothing to compare them with.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isFinancial,
  metricNames,
} from '../../src/catalog/datasets.ts';
import { Problems } from '../messages/problems.ts';
import { nearestWord } from '../messages/spelling.ts';
import { type StagingView, stagingColumn, stagingTable } from '../staging/database/staging.ts';
import { isPlaceholderValue } from '../staging/numbers/placeholders.ts';
import type { CheckedRows } from './checkedRows.ts';
import { checkMagnitudes, checkTinyValues, checkTurnover } from './magnitudes.ts';
import {
  columnsWithout,
  isText,
  PLACE,
  placeOf,
  placeOfNumber,
  ROW,
  rowCount,
  rowsOf,
  SOURCE,
  warnOfEach,
} from './places.ts';
import { checkRates } from './rates.ts';
import { checkSeries } from './series.ts';
import { checkSplitSeries } from './splitSeries.ts';
import type { UsedValue, UsedValues } from './usedValues.ts';

/** Runs the checks of datasets of which the current snapshot has no rows. */
export async function checkFirstLoad(checked: CheckedRows): Promise<void> {
  const { datasets, several, known, problems } = checked;
  const isFirst = (name: DatasetName) => datasets.includes(name) && known?.hasRowsOf(name) !== true;
  const has = (name: DatasetName) => datasets.includes(name);
  if (isFirst('country')) await checkInflation(checked);
  if (isFirst('ggr')) await checkMagnitudes(checked);
  if (isFirst('turnover') && has('ggr')) await checkTurnover(checked);
  checkTemporal(checked, isFirst);
  for (const dataset of several.filter(isFirst).filter(isFinancial)) {
    // A statement uses one core, so the checks of series and of single rows run at the same time, on two connections.
    const [ofSeries, ofRows] = [new Problems(), new Problems()];
    const checking = [
      checkSeries({ ...checked, problems: ofSeries }, dataset),
      checkSingleRows({ ...checked, problems: ofRows }, dataset),
    ];
    // When one of them fails, the caller closes the staging database, which must not happen while the other one runs.
    await Promise.all(checking).finally(() => Promise.allSettled(checking));
    problems.absorb(ofSeries);
    problems.absorb(ofRows);
  }
}

/** Runs the checks that need no order of years, on the connection `beside`. */
async function checkSingleRows(
  { staging: { beside: staging }, datasets, inMemory, used, problems }: CheckedRows,
  dataset: DatasetName,
): Promise<void> {
  if (hasStatesLikeCountries(dataset, used)) await checkStates(staging, dataset, problems);
  if (hasStateCodes(used.in(dataset, 'state'))) await checkStateCodes(staging, dataset, problems);
  if (!datasetOf(dataset).dimensions.includes('fx')) return;
  if (hasMoreCategoriesThanProducts(dataset, used)) await checkCategories(staging, dataset, problems);
  await checkTinyValues(staging, dataset, inMemory.get(dataset), problems);
  const hasOthersInUsd = used.has(dataset, 'fx', 'USD') && used.in(dataset, 'fx').length > 1;
  if (datasets.includes('fx') && hasOthersInUsd) await checkRates(staging, dataset, problems);
  await checkNearTwins(staging, dataset, used, problems);
  await checkSplitSeries(staging, dataset, used, problems);
}

/** Reports values of `temporal` that mark neither forecasts nor reported figures. */
function checkTemporal(
  { staging, datasets, used, problems }: CheckedRows,
  isFirst: (name: DatasetName) => boolean,
): void {
  for (const dataset of datasets.filter(isFirst))
    for (const { text, rows, first } of used.in(dataset, 'temporal')) {
      if (text === 'Current' || text === 'Forecast' || isPlaceholderValue(text)) continue;
      problems.add('warning', placeOfNumber(staging, first, 'temporal'), {
        problem: `temporal "${text}" is neither Current nor Forecast (${rowCount(rows)})`,
        remedy: 'write Current for reported figures and Forecast for the others, unless it is meant',
        kind: `${dataset} has a temporal of its own`,
      });
    }
}

/** Reports files in which all inflation is below 0.5, so that it is probably a fraction instead of percent. */
async function checkInflation({ staging, used, problems }: CheckedRows): Promise<void> {
  if (used.rows('country') < FEWEST_INFLATIONS) return;
  await warnOfEach(
    { staging, problems, column: 'inflation' },
    `WITH per_source AS (SELECT min(${PLACE}) AS place, count(*) AS n, max(abs(inflation)) AS most
      FROM ${stagingTable('country')} WHERE inflation IS NOT NULL GROUP BY _source)
    SELECT n::INTEGER, most, ${SOURCE}, ${ROW} FROM per_source WHERE n >= ${FEWEST_INFLATIONS} AND most < 0.5 AND most > 0 ORDER BY place`,
    (n, most) => ({
      problem: `none of the ${n} values of inflation is above ${most}, and its unit is percent: they look like fractions`,
      remedy: 'write 3.5 for 3.5 %, or say --scale inflation=100',
      kind: 'inflation as a fraction',
    }),
  );
}

/** The number of values that must be so low. One or two may be below 0.5 % by chance. */
const FEWEST_INFLATIONS = 3;

/** Reports states that have the name of their own country, or of another country. */
async function checkStates(staging: StagingView, dataset: DatasetName, problems: Problems): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH countries AS (SELECT DISTINCT country_code AS other FROM ${stagingTable(dataset)}),
      same AS (SELECT country_code, state_code, count(*)::INTEGER AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
        WHERE state_code IN (SELECT other FROM countries) GROUP BY ALL)
    SELECT country_code, state_code, n, ${SOURCE}, ${ROW} FROM same ORDER BY place`,
  );
  for (const [countryCode, stateCode, n, source, row] of found) {
    const [country, state] = [staging.text(countryCode), staging.text(stateCode)];
    const place = placeOf(staging, source, row, 'state');
    if (state === country)
      problems.add('warning', place, {
        problem: `state "${country}" is the country itself (${rowCount(n)})`,
        remedy: 'leave the cell empty where the row is about the country as a whole',
        kind: 'a state named like its country',
      });
    else if (!STATES_LIKE_COUNTRIES.has(state))
      problems.add('warning', place, {
        problem: `state "${state}" of ${country} is the name of another country (${rowCount(n)})`,
        remedy: 'check whether the row belongs to that country; leave the state empty where there is none',
        kind: 'a state named like another country',
      });
  }
}

/** Whether any states are named like a country of the dataset. */
function hasStatesLikeCountries(dataset: DatasetName, used: UsedValues): boolean {
  const countries = new Set(used.in(dataset, 'country').map(({ text }) => text));
  return used.in(dataset, 'state').some(({ text }) => countries.has(text));
}

const isStateCode = (text: string): boolean => /^[A-Z]{2,3}$/.test(text);

/** Whether some states are codes of two or three letters, and others are not. */
const hasStateCodes = (states: readonly UsedValue[]): boolean =>
  states.some(({ text }) => isStateCode(text)) &&
  states.some(({ text }) => text !== '' && !isStateCode(text));

/** Reports countries with states both as codes and by name, because some of them are probably one state under two names. */
async function checkStateCodes(
  staging: StagingView,
  dataset: DatasetName,
  problems: Problems,
): Promise<void> {
  const found = await rowsOf(
    staging,
    `SELECT country_code, state_code, count(*)::INTEGER, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
     WHERE state_code <> ${staging.code('')} GROUP BY ALL ORDER BY place`,
  );
  for (const country of new Set(found.map(([code]) => code))) {
    const states = found.filter(([code]) => code === country);
    const codes = states.filter(([, state]) => isStateCode(staging.text(state)));
    const other = states.find(([, state]) => !isStateCode(staging.text(state)));
    const [first] = codes;
    if (first === undefined || other === undefined) continue;
    const rows = codes.reduce((sum, [, , n]) => sum + Number(n), 0);
    const letters = codes.map(([, state]) => staging.text(state)).join(', ');
    problems.add('warning', placeOfNumber(staging, first[3] as bigint, 'state'), {
      problem: `states of ${staging.text(country)} are in letters (${letters}, ${rowCount(rows)}) beside states in full, such as "${staging.text(other[1])}"`,
      remedy: 'write them alike',
      kind: 'states in letters beside states in full',
    });
  }
}

/** States and provinces that really share their name with another country. */
const STATES_LIKE_COUNTRIES: ReadonlySet<string> = new Set([
  'Georgia',
  'Granada',
  'Guatemala',
  'Jersey',
  'Luxembourg',
  'Mexico',
  'Niger',
  'Panama',
  'Western Sahara',
]);

function hasMoreCategoriesThanProducts(dataset: DatasetName, used: UsedValues): boolean {
  const products = used.in(dataset, 'product').length;
  return products > 0 && used.in(dataset, 'category').length > products;
}

/** Reports more categories than products. A category has several products, so the two columns were probably exchanged. */
async function checkCategories(
  staging: StagingView,
  dataset: DatasetName,
  problems: Problems,
): Promise<void> {
  await warnOfEach(
    { staging, problems, column: 'category' },
    `WITH whole AS (SELECT count(DISTINCT category_code)::INTEGER AS categories, count(DISTINCT product_code)::INTEGER AS products,
        min(${PLACE}) AS place FROM ${stagingTable(dataset)})
    SELECT categories, products, ${SOURCE}, ${ROW} FROM whole WHERE categories > products AND products > 1`,
    (categories, products) => ({
      problem: `there are ${categories} categories and ${products} products`,
      remedy: 'check whether the two columns were exchanged',
      kind: 'more categories than products',
    }),
  );
}

/** The most values of which all names are compared with each other. With more values, the search begins with equal figures. */
const FEW_VALUES = 30;

/** Whether two of these values may have similar names. */
function mayHaveNearNames(values: readonly UsedValue[]): boolean {
  if (values.length > FEW_VALUES) return true;
  const texts = values.map(({ text }) => text);
  return texts.some((text) =>
    texts.some((other) => other !== text && nearestWord(text, [other]) !== undefined),
  );
}

/** Reports two values with similar names and the same figures, because they are probably one series twice. */
async function checkNearTwins(
  staging: StagingView,
  dataset: DatasetName,
  used: UsedValues,
  problems: Problems,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  const [metric = ''] = metricNames(dataset);
  const skipped: readonly DimensionName[] = ['region', 'fx', 'temporal'];
  const examined = dimensions.filter(
    (name) => isText(name) && !skipped.includes(name) && mayHaveNearNames(used.in(dataset, name)),
  );
  if (examined.length === 0) return;
  // Most figures occur in one row only. The table leaves these rows out, so few rows are left to compare.
  await staging.connection.run(
    `CREATE TEMP TABLE repeated AS SELECT * FROM ${stagingTable(dataset)} SEMI JOIN (SELECT ${metric}
       FROM ${stagingTable(dataset)} WHERE ${metric} <> 0 GROUP BY ${metric} HAVING count(*) > 1) USING (${metric})`,
  );
  for (const dimension of examined) {
    const key = columnsWithout(dimensions, dimension, 'region').join(', ');
    const code = stagingColumn(dimension);
    await warnOfEach(
      { staging, problems, column: dimension },
      // A figure that many rows have, such as 1, does not show that two series are the same.
      `WITH figures AS (SELECT ${key}, ${metric}, ${code} AS code, ${PLACE} AS place, hash(${key}, ${metric}) AS figure
          FROM repeated),
        shared AS (SELECT figure FROM figures GROUP BY figure HAVING count(*) BETWEEN 2 AND 4),
        alike AS (SELECT * FROM figures SEMI JOIN shared USING (figure)),
        twins AS (SELECT a.code AS one, b.code AS other, count(*)::INTEGER AS n, min(b.place) AS place FROM alike a
          JOIN alike b USING (${key}, ${metric}) WHERE a.place < b.place AND a.code <> b.code GROUP BY ALL HAVING n > 1)
      SELECT one, other, n, ${SOURCE}, ${ROW} FROM twins ORDER BY place, one, other LIMIT 1000`,
      (oneCode, otherCode, n) => {
        const [one, other] = [staging.text(oneCode), staging.text(otherCode)];
        if (nearestWord(other, [one]) === undefined) return null;
        return {
          problem: `${dimension} "${other}" has the same ${metric} as "${one}" in ${n} rows, and nearly its name`,
          remedy: 'delete one of the two if they are one series',
          kind: `a ${dimension} twice under near names`,
        };
      },
    );
  }
  await staging.connection.run('DROP TABLE repeated');
}

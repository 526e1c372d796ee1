// Warns of figures that a person would not believe, when a dataset is loaded for the first time and nothing compares them.

import { type DatasetName, type DimensionName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { amount, spans } from '../messages/numbers.ts';
import type { Problems } from '../messages/problems.ts';
import { nearest } from '../messages/spelling.ts';
import type { KnownValues } from '../staging/known.ts';
import { type Staging, stagingColumn, stagingTable } from '../staging/staging.ts';
import {
  type Checked,
  columnsWithout,
  isText,
  PLACE,
  placeOf,
  ROW,
  rowCount,
  rowsOf,
  SOURCE,
  textOf,
  withSeveralRows,
} from './places.ts';

/** Runs the checks of datasets that the current snapshot has no rows of. */
export async function checkFirstLoad(
  { staging, datasets }: Checked,
  known: KnownValues | null,
  problems: Problems,
): Promise<void> {
  const isFirst = (name: DatasetName) => datasets.includes(name) && known?.hasRowsOf(name) !== true;
  const has = (name: DatasetName) => datasets.includes(name);
  if (isFirst('country')) await checkInflation(staging, problems);
  if (isFirst('ggr') && has('country')) {
    await checkPerCapita(staging, problems);
    await checkTiny(staging, problems);
  }
  if (isFirst('turnover') && has('ggr')) await checkTurnover(staging, problems);
  const several = await withSeveralRows({ staging, datasets: datasets.filter(isFirst) });
  for (const dataset of several) {
    if (datasetOf(dataset).dimensions.includes('year')) await checkGaps(staging, dataset, problems);
    if (datasetOf(dataset).dimensions.includes('state')) await checkStates(staging, dataset, problems);
    if (datasetOf(dataset).dimensions.includes('fx')) {
      await checkCategories(staging, dataset, problems);
      if (has('fx')) await checkRates(staging, dataset, problems);
      await checkNearTwins(staging, dataset, problems);
    }
  }
}

/** Inflation in percent is hardly ever below 0.5 everywhere: then it is a fraction. */
async function checkInflation(staging: Staging, problems: Problems): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH per_source AS (SELECT min(${PLACE}) AS place, count(*) AS n, max(abs(inflation)) AS most
      FROM ${stagingTable('country')} WHERE inflation IS NOT NULL GROUP BY _source)
    SELECT ${SOURCE}, ${ROW}, n::INTEGER, most FROM per_source WHERE n > 2 AND most < 0.5 AND most > 0 ORDER BY place`,
  );
  for (const [source, row, n, most] of found) {
    problems.add('warning', placeOf(staging, source, row, 'inflation'), {
      problem: `none of the ${n} values of inflation is above ${most}, and its unit is percent: they look like fractions`,
      remedy: 'write 3.5 for 3.5 %, or say --scale inflation=100',
      kind: 'inflation as a fraction',
    });
  }
}

/** ggr per adult that is more than ten times as high as in any other country, in the same currency. */
async function checkPerCapita(staging: Staging, problems: Problems): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH people AS (SELECT country_code, year, max(adult_population) AS adults FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} AND adult_population > 0 GROUP BY ALL),
      revenue AS (SELECT country_code, year, fx_code, sum(ggr) AS ggr, min(${PLACE}) AS place FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} GROUP BY ALL),
      per_country AS (SELECT fx_code, country_code, max(ggr / adults) AS each, arg_max(place, ggr / adults) AS place,
        arg_max(year, ggr / adults) AS year FROM revenue JOIN people USING (country_code, year) GROUP BY ALL),
      ranked AS (SELECT *, row_number() OVER w AS rank, lead(each) OVER w AS next, count(*) OVER (PARTITION BY fx_code) AS n
        FROM per_country WINDOW w AS (PARTITION BY fx_code ORDER BY each DESC))
    SELECT ${textOf('country_code')}, ${textOf('fx_code')}, year, each, next, ${SOURCE}, ${ROW}
    FROM ranked WHERE rank = 1 AND n > 2 AND next > 0 AND each > 10 * next ORDER BY place`,
  );
  for (const [country, fx, year, each, next, source, row] of found) {
    problems.add('warning', placeOf(staging, source, row, 'ggr'), {
      problem: `ggr of ${country} in ${year} is ${amount(Number(each))} ${fx} per adult, and ${amount(Number(next))} in the next country`,
      remedy: 'check the unit of its figures and its adult_population',
      kind: 'ggr per adult far above all other countries',
    });
  }
}

/** ggr that is less than a hundredth of a currency unit per adult in every country is written in millions. */
async function checkTiny(staging: Staging, problems: Problems): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH people AS (SELECT country_code, year, max(adult_population) AS adults FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} AND adult_population > 100000 GROUP BY ALL),
      revenue AS (SELECT country_code, year, sum(ggr) AS ggr, min(${PLACE}) AS place FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} AND ggr > 0 GROUP BY ALL),
      whole AS (SELECT min(place) AS place, max(ggr / adults) AS most, count(*) AS n FROM revenue JOIN people USING (country_code, year))
    SELECT ${SOURCE}, ${ROW}, most FROM whole WHERE n > 2 AND most < 0.01`,
  );
  for (const [source, row, most] of found) {
    problems.add('warning', placeOf(staging, source, row, 'ggr'), {
      problem: `ggr is at most ${amount(Number(most))} per adult and year in every country: the figures may be in millions`,
      remedy: 'if they are, say --scale ggr=1e6',
      kind: 'ggr per adult far too low',
    });
  }
}

/** States that are named like their country: the rows of the country as a whole have no state. */
async function checkStates(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH same AS (SELECT country_code, count(*)::INTEGER AS n, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
        WHERE state_code = country_code GROUP BY ALL)
    SELECT ${textOf('country_code')}, n, ${SOURCE}, ${ROW} FROM same ORDER BY place`,
  );
  for (const [country, n, source, row] of found) {
    problems.add('warning', placeOf(staging, source, row, 'state'), {
      problem: `state "${country}" is the country itself (${rowCount(n)})`,
      remedy: 'leave the cell empty where the row is about the country as a whole',
      kind: 'a state named like its country',
    });
  }
}

/** Products belong to categories: more categories than products means that the columns were exchanged. */
async function checkCategories(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const found = await rowsOf(
    staging,
    `WITH whole AS (SELECT count(DISTINCT category_code)::INTEGER AS categories, count(DISTINCT product_code)::INTEGER AS products,
        min(${PLACE}) AS place FROM ${stagingTable(dataset)})
    SELECT categories, products, ${SOURCE}, ${ROW} FROM whole WHERE categories > products AND products > 1`,
  );
  for (const [categories, products, source, row] of found) {
    problems.add('warning', placeOf(staging, source, row, 'category'), {
      problem: `there are ${categories} categories and ${products} products`,
      remedy: 'check whether the two columns were exchanged',
      kind: 'more categories than products',
    });
  }
}

/** Countries whose stakes are below what was retained of them, over the facts that both datasets have. */
async function checkTurnover(staging: Staging, problems: Problems): Promise<void> {
  const { dimensions } = datasetOf('turnover');
  const found = await rowsOf(
    staging,
    `WITH both_sides AS (SELECT country_code, fx_code, sum(turnover) AS turnover, sum(ggr) AS ggr, min(place) AS place, count(*) AS n
      FROM (SELECT *, ${PLACE} AS place FROM ${stagingTable('turnover')}) t
      JOIN ${stagingTable('ggr')} g USING (${dimensions.map(stagingColumn).join(', ')}) GROUP BY ALL)
    SELECT ${textOf('country_code')}, ${textOf('fx_code')}, ${SOURCE}, ${ROW}, turnover, ggr FROM both_sides
    WHERE turnover < ggr AND n > 1 QUALIFY row_number() OVER (PARTITION BY country_code ORDER BY place) = 1 ORDER BY place`,
  );
  for (const [country, fx, source, row, turnover, ggr] of found) {
    problems.add('warning', placeOf(staging, source, row, 'turnover'), {
      problem: `turnover of ${country} (${fx}) is ${amount(Number(turnover))}, below the ${amount(Number(ggr))} of its ggr`,
      remedy: 'check whether the two were exchanged, or are in different units',
      kind: 'turnover below ggr',
    });
  }
}

/** Years missing between the first and the last of a series; one warning per country. */
async function checkGaps(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const key = columnsWithout(datasetOf(dataset).dimensions, 'year', 'temporal', 'calculation', 'region');
  const found = await rowsOf(
    staging,
    `WITH series AS (SELECT ${key.join(', ')}, min(${PLACE}) AS place, list_sort(list(DISTINCT year)) AS years
        FROM ${stagingTable(dataset)} GROUP BY ${key.join(', ')}
        HAVING count(DISTINCT year) < max(year) - min(year) + 1),
      of_country AS (SELECT country_code, count(*)::INTEGER AS n, min(place) AS place, arg_min(years, place) AS years
        FROM series GROUP BY country_code)
    SELECT ${textOf('country_code')}, n, ${SOURCE}, ${ROW}, to_json(years)::VARCHAR FROM of_country ORDER BY place`,
  );
  for (const [country, n, source, row, years] of found) {
    const has = spans((JSON.parse(String(years)) as unknown[]).map(Number));
    const which = Number(n) === 1 ? `a series of ${country}` : `${n} series of ${country}`;
    problems.add('warning', placeOf(staging, source, row, 'year'), {
      problem: `${which} in ${dataset} lack${Number(n) === 1 ? 's' : ''} years in the middle: the first has ${has}`,
      remedy: 'add the years, or make sure that the source has none',
      kind: `${dataset} lacks years in the middle of a series`,
    });
  }
}

/** Currencies whose figures disagree with the same facts in USD and the rates of fx by a factor beyond 3. */
async function checkRates(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const [metric = ''] = metricNames(dataset);
  const key = columnsWithout(datasetOf(dataset).dimensions, 'fx').join(', ');
  const found = await rowsOf(
    staging,
    `WITH rates AS (SELECT fx_local_currency_code AS fx_code, year, median(fx_current_usd) AS current_usd,
        median(fx_constant_usd) AS constant_usd FROM ${stagingTable('fx')} GROUP BY ALL),
      in_usd AS (SELECT ${key}, ${metric} AS usd FROM ${stagingTable(dataset)}
        WHERE fx_code = ${staging.code('USD')} AND ${metric} <> 0),
      off AS (SELECT country_code, fx_code, min(${PLACE}) AS place, count(*) AS n,
        median(usd / ${metric} / current_usd) AS current_off, median(usd / ${metric} / constant_usd) AS constant_off
        FROM ${stagingTable(dataset)} JOIN in_usd USING (${key}) JOIN rates USING (fx_code, year)
        WHERE fx_code <> ${staging.code('USD')} AND ${metric} <> 0 GROUP BY country_code, fx_code)
    SELECT ${textOf('country_code')}, ${textOf('fx_code')}, coalesce(current_off, constant_off), ${SOURCE}, ${ROW} FROM off
    WHERE coalesce(current_off, constant_off) NOT BETWEEN 1 / 3.0 AND 3
      AND coalesce(constant_off, current_off) NOT BETWEEN 1 / 3.0 AND 3 ORDER BY place`,
  );
  for (const [country, fx, off, source, row] of found) {
    problems.add('warning', placeOf(staging, source, row, metric), {
      problem: `${metric} of ${country} in ${fx} and in USD differ from the rates of fx by a factor of ${amount(Math.max(Number(off), 1 / Number(off)))}`,
      remedy: 'check the currency of the rows, their unit and the rate',
      kind: `${metric} disagrees with the rates of fx`,
    });
  }
}

/** The same figures under two names that are near in spelling: one series twice. */
async function checkNearTwins(staging: Staging, dataset: DatasetName, problems: Problems): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  const [metric = ''] = metricNames(dataset);
  const skipped: readonly DimensionName[] = ['region', 'fx', 'temporal'];
  for (const dimension of dimensions.filter((name) => isText(name) && !skipped.includes(name))) {
    const key = columnsWithout(dimensions, dimension, 'region').join(', ');
    const code = stagingColumn(dimension);
    const found = await rowsOf(
      staging,
      // A figure that very many rows share, such as 1, tells of no twin.
      `WITH alike AS (SELECT ${key}, ${metric}, ${code} AS code, ${PLACE} AS place FROM ${stagingTable(dataset)}
          WHERE ${metric} <> 0 QUALIFY count(*) OVER (PARTITION BY ${key}, ${metric}) BETWEEN 2 AND 4),
        twins AS (SELECT a.code AS one, b.code AS other, count(*)::INTEGER AS n, min(b.place) AS place FROM alike a
          JOIN alike b USING (${key}, ${metric}) WHERE a.place < b.place AND a.code <> b.code GROUP BY ALL HAVING n > 1)
      SELECT ${textOf('one')}, ${textOf('other')}, n, ${SOURCE}, ${ROW} FROM twins ORDER BY place LIMIT 1000`,
    );
    for (const [one, other, n, source, row] of found) {
      if (nearest(String(other), [String(one)]) === undefined) continue;
      problems.add('warning', placeOf(staging, source, row, dimension), {
        problem: `${dimension} "${other}" has the same ${metric} as "${one}" in ${n} rows, and nearly its name`,
        remedy: 'delete one of the two if they are one series',
        kind: `a ${dimension} twice under near names`,
      });
    }
  }
}

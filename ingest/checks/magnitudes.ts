// Warns of amounts that cannot be right for a country's population, economy or turnover.

import { type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { amount, count, percent } from '../messages/numbers.ts';
import type { Problems } from '../messages/problems.ts';
import { type Staging, type StagingView, stagingColumn, stagingTable } from '../staging/database/staging.ts';
import {
  PLACE,
  placeOf,
  placeOfNumber,
  ROW,
  rowCount,
  rowIn,
  rowsOf,
  SOURCE,
  sourceIn,
  warnOfEach,
} from './places.ts';

/** Compares ggr with the adults and the gross domestic product of each country. */
export async function checkMagnitudes(staging: Staging, hasFx: boolean, problems: Problems): Promise<void> {
  const reported = await checkPerCapita(staging, problems);
  const shares = await sharesOf(staging, hasFx);
  await checkUnit(staging, shares, problems);
  checkShare(staging, shares, reported, problems);
}

/**
 * Reports ggr per adult that is more than ten times as high as in any other country, in the same currency.
 *
 * @returns the codes of the reported countries.
 */
async function checkPerCapita(staging: Staging, problems: Problems): Promise<ReadonlySet<unknown>> {
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
    SELECT country_code, fx_code, year, each, next, ${SOURCE}, ${ROW}
    FROM ranked WHERE rank = 1 AND n > 2 AND next > 0 AND each > 10 * next ORDER BY place`,
  );
  for (const [country, fx, year, each, next, source, row] of found) {
    problems.add('warning', placeOf(staging, source, row, 'ggr'), {
      problem: `ggr of ${staging.text(country)} in ${year} is ${amount(Number(each))} ${staging.text(fx)} per adult, and ${amount(Number(next))} in the next country`,
      remedy: 'check the unit of its figures and its adult_population',
      kind: 'ggr per adult far above all other countries',
    });
  }
  return new Set(found.map(([country]) => country));
}

/** Real shares of ggr in the gross domestic product lie between 0.05 % and 3 %; of a product alone they are smaller. */
const LEAST_SHARE = 0.000_01;

/** The median country loses some 150 USD per adult and year; the lowest loses 2.5. */
const LEAST_PER_ADULT = 0.5;

/** Without populations and products, the median of so many countries makes more than this in USD, EUR or GBP. */
const MANY_COUNTRIES = 20;
const LEAST_TOTAL = 1_000_000;

/** Reports ggr that is too low in all countries together: the whole file is probably in thousands or millions. */
async function checkUnit(
  staging: Staging,
  shares: readonly CountryShare[],
  problems: Problems,
): Promise<void> {
  const people = `people AS (SELECT country_code, year, max(adult_population) AS adults FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} AND adult_population > 100000 GROUP BY ALL)`;
  const figures = `figures AS (SELECT country_code, year, fx_code, sum(ggr) AS ggr, min(${PLACE}) AS place, count(*) AS n FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} AND ggr > 0 GROUP BY ALL)`;
  const [[first, mostPerAdult, years, rows] = []] = await rowsOf(
    staging,
    `WITH ${people}, ${figures},
      in_all AS (SELECT country_code, year, sum(ggr) AS total, min(place) AS place, sum(n) AS n FROM figures GROUP BY ALL)
    SELECT min(place), max(total / adults), count(adults), sum(n) FROM in_all LEFT JOIN people USING (country_code, year)`,
  );
  if (typeof first !== 'bigint') return;
  const say = (what: string, unit: string, factor: string) =>
    problems.add('warning', placeOfNumber(staging, first, 'ggr'), {
      problem: `ggr is ${what}: the figures may be in ${unit}`,
      remedy: `if they are, say --scale ggr=${factor}`,
      kind: 'ggr far too low',
    });
  if (Number(years) > 2 && Number(mostPerAdult) < 0.01)
    return say(
      `at most ${amount(Number(mostPerAdult))} per adult and year in every country`,
      'millions',
      '1e6',
    );

  const hard = ['USD', 'EUR', 'GBP'].map((fx) => staging.code(fx)).join(', ');
  const countries = await rowsOf(
    staging,
    `WITH ${people}, ${figures}
    SELECT max(ggr / adults), max(ggr) FROM figures LEFT JOIN people USING (country_code, year)
    WHERE fx_code IN (${hard}) GROUP BY country_code`,
  );
  const perAdult = countries.map(([each]) => each).filter((each) => each !== null);
  const usualPerAdult = median(perAdult.map(Number));
  if (perAdult.length > 2 && usualPerAdult < LEAST_PER_ADULT) {
    const each = `${amount(usualPerAdult)} per adult and year in the median country`;
    // A country's figures in thousands are a thousand times larger than in millions.
    return usualPerAdult < LEAST_PER_ADULT / 1000
      ? say(each, 'millions', '1e6')
      : say(each, 'thousands', '1e3');
  }
  const usualShare = median(shares.map(({ share }) => share));
  if (Number(rows) > 2 && usualShare < LEAST_SHARE)
    return say(
      `${percent(Number(usualShare.toPrecision(2)))} of the gross domestic product in the median country`,
      'thousands or millions',
      '1e3 or --scale ggr=1e6',
    );
  const usualTotal = median(countries.map(([, total]) => Number(total)));
  if (perAdult.length === 0 && countries.length >= MANY_COUNTRIES && usualTotal < LEAST_TOTAL)
    say(
      `${amount(usualTotal)} a year in the median country`,
      'thousands or millions',
      '1e3 or --scale ggr=1e6',
    );
}

/**
 * Reports ggr above the gross domestic product, or 200 times smaller beside it than in the median country.
 *
 * Real shares lie between 0.05 % and 3 %, and Macau's at 50 %; a wrong unit multiplies or divides them by a thousand.
 */
function checkShare(
  staging: Staging,
  shares: readonly CountryShare[],
  reported: ReadonlySet<unknown>,
  problems: Problems,
): void {
  const usual = median(shares.map(({ share }) => share));
  for (const { country, fx, share, place } of shares) {
    const isHigh = share > 1;
    const isLow = shares.length > 2 && share < usual / 200;
    if ((!isHigh && !isLow) || reported.has(country)) continue;
    const whose = `ggr of ${staging.text(country)} (${staging.text(fx)})`;
    problems.add('warning', placeOfNumber(staging, place, 'ggr'), {
      problem: isHigh
        ? `${whose} is ${amount(share)} times its gross domestic product`
        : `${whose} is ${amount(usual / share)} times smaller beside its gross domestic product than in the median country`,
      remedy: 'check the unit of its figures, and that of its gdp in country',
      kind: isHigh
        ? 'ggr above the gross domestic product'
        : 'ggr far too small for the gross domestic product',
    });
  }
}

/** The median; of an even number of values the mean of the two middle ones. NaN of none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? Number.NaN) + (sorted[Math.ceil(half)] ?? Number.NaN)) / 2;
}

/** A country's ggr as a share of its gross domestic product, in the median of its years. */
interface CountryShare {
  /** Codes of the staging database. */
  readonly country: unknown;
  readonly fx: unknown;
  readonly share: number;
  /** Of its first figure, as `PLACE`. */
  readonly place: bigint;
}

/** The shares in USD, or else in the local currency, in the order of their places. */
async function sharesOf(staging: Staging, hasFx: boolean): Promise<CountryShare[]> {
  const local = hasFx
    ? `SELECT country_code, any_value(fx_local_currency_code) AS fx_code FROM ${stagingTable('fx')} GROUP BY ALL HAVING count(DISTINCT fx_local_currency_code) = 1`
    : 'SELECT NULL::INTEGER AS country_code, NULL::INTEGER AS fx_code WHERE false';
  const found = await rowsOf(
    staging,
    `WITH in_local AS (${local}),
      product AS (SELECT country_code, year, max(gdp_usd) FILTER (gdp_usd > ${LEAST_GDP}) AS usd,
          max(gdp_local_currency) FILTER (gdp_local_currency > ${LEAST_GDP}) AS local FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} GROUP BY ALL),
      revenue AS (SELECT country_code, fx_code, year, sum(ggr) AS ggr, min(${PLACE}) AS place FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} GROUP BY ALL),
      yearly AS (SELECT r.country_code, r.fx_code, place, r.fx_code = ${staging.code('USD')} AS in_usd,
          r.ggr / CASE WHEN r.fx_code = ${staging.code('USD')} THEN usd WHEN l.fx_code IS NOT NULL THEN local END AS part
        FROM revenue r JOIN product USING (country_code, year)
        LEFT JOIN in_local l ON l.country_code = r.country_code AND l.fx_code = r.fx_code WHERE r.ggr > 0),
      shares AS (SELECT country_code, fx_code, median(part) AS share, min(place) AS place FROM yearly
        WHERE part > 0 AND isfinite(part) GROUP BY country_code, fx_code
        QUALIFY row_number() OVER (PARTITION BY country_code ORDER BY bool_or(in_usd) DESC, fx_code) = 1)
    SELECT country_code, fx_code, share, place FROM shares ORDER BY place`,
  );
  return found.map(([country, fx, share, place]) => ({
    country,
    fx,
    share: Number(share),
    place: place as bigint,
  }));
}

/**
 * Reports countries whose turnover is below their ggr, or more than 300 times their ggr, over the facts that both
 * datasets have.
 */
export async function checkTurnover(staging: Staging, problems: Problems): Promise<void> {
  const { dimensions } = datasetOf('turnover');
  await warnOfEach(
    { staging, problems, column: 'turnover' },
    `WITH both_sides AS (SELECT country_code, fx_code, sum(turnover) AS turnover, sum(ggr) AS ggr, min(place) AS place, count(*) AS n
      FROM (SELECT *, ${PLACE} AS place FROM ${stagingTable('turnover')}) t
      JOIN ${stagingTable('ggr')} g USING (${dimensions.map(stagingColumn).join(', ')}) GROUP BY ALL)
    SELECT country_code, fx_code, turnover, ggr, ${SOURCE}, ${ROW} FROM both_sides
    WHERE (turnover < ggr OR turnover > 300 * ggr AND ggr > 0) AND n > 1 QUALIFY row_number() OVER (PARTITION BY country_code ORDER BY place) = 1 ORDER BY place`,
    (country, fx, turnover, ggr) => {
      const isBelow = Number(turnover) < Number(ggr);
      const ratio = count(Math.round(Number(turnover) / Number(ggr)));
      const whose = `turnover of ${staging.text(country)} (${staging.text(fx)})`;
      return {
        problem: isBelow
          ? `${whose} is ${amount(Number(turnover))}, below the ${amount(Number(ggr))} of its ggr`
          : `${whose} is ${amount(Number(turnover))}, ${ratio} times the ${amount(Number(ggr))} of its ggr`,
        remedy: 'check whether the two were exchanged, or are in different units',
        kind: isBelow ? 'turnover below ggr' : 'turnover far above ggr',
      };
    },
  );
}

/** No economy is smaller; Tuvalu's has 60 million USD. A smaller gross domestic product is in another unit. */
const LEAST_GDP = 10_000_000;

/** Reports amounts below a cent in a dataset of large amounts: typing errors or ratios. */
export async function checkTinyValues(
  staging: StagingView,
  dataset: DatasetName,
  problems: Problems,
): Promise<void> {
  for (const metric of metricNames(dataset)) {
    await warnOfEach(
      { staging, problems, column: metric },
      `WITH tiny AS (SELECT ${metric} AS value, ${PLACE} AS place FROM ${stagingTable(dataset)} WHERE abs(${metric}) < 0.01 AND ${metric} <> 0)
      SELECT arg_min(value, place), count(*)::INTEGER, ${sourceIn('min(place)')}, ${rowIn('min(place)')}
      FROM tiny HAVING count(*) > 0 AND (SELECT median(abs(${metric})) FROM ${stagingTable(dataset)}) > 1000`,
      (value, n) => ({
        problem: `${metric} is ${value}, less than a cent (${rowCount(n)} like it), and most figures are above a thousand`,
        remedy: 'correct the figure, or leave the cell empty',
        kind: `${metric} of less than a cent`,
      }),
    );
  }
}

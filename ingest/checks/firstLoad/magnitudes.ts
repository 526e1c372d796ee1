// Warns of amounts that are implausible for a country's population, economy or turnover, and of tiny amounts.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { amount, count, percent } from '../../messages/numbers.ts';
import { stagingColumn, stagingTable } from '../../staging/database/staging.ts';
import type { CheckedBySql, CheckedRows } from '../checkedRows.ts';
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
} from '../places.ts';
import { type CountryShare, LEAST_GDP, median, sharesOf } from './gdpShares.ts';
import { checkUnit, FEWEST_PEOPLE, MANY_COUNTRIES } from './ggrUnit.ts';
import { mayBeTiny } from './probes.ts';

/** Compares ggr with the adults and the gross domestic product of each country. */
export async function checkMagnitudes(checked: CheckedRows): Promise<void> {
  const { staging, used } = checked;
  // Among fewer countries the check finds nothing, and planning its statement would take time.
  const hasSeveral = used.in('ggr', 'country').length >= FEWEST_COMPARED;
  const reported = hasSeveral ? await checkPerCapita(checked) : new Set();
  const shares = mayHaveShares(checked) ? await sharesOf(staging, checked.datasets.includes('fx')) : [];
  if (mayBeTooLow(checked, shares)) await checkUnit(checked, shares);
  checkShare(checked, shares, reported);
}

/** Whether some country may have a gross domestic product with which its ggr can be compared. */
function mayHaveShares({ datasets, inMemory }: CheckedRows): boolean {
  const rows = inMemory.get('country');
  if (rows === undefined) return datasets.includes('country');
  return rows.largest('gdp_usd') > LEAST_GDP || rows.largest('gdp_local_currency') > LEAST_GDP;
}

/** Whether the unit of ggr can be judged at all: by populations, by shares of gross domestic products, or by many countries. */
function mayBeTooLow({ inMemory, used }: CheckedRows, shares: readonly CountryShare[]): boolean {
  const rows = inMemory.get('country');
  const hasPeople = rows === undefined || rows.largest('adult_population') > FEWEST_PEOPLE;
  const hasMany = used.in('ggr', 'country').length >= MANY_COUNTRIES;
  return used.rows('ggr') >= FEWEST_COMPARED && (hasPeople || hasMany || shares.length > 0);
}

/** The number of countries, and of figures, from which on they show what is usual. */
const FEWEST_COMPARED = 3;

/**
 * Reports a country whose ggr per adult is more than ten times as high as that of the next country in the same currency.
 *
 * @returns The codes of the reported countries.
 */
async function checkPerCapita({ staging, problems }: CheckedRows): Promise<ReadonlySet<unknown>> {
  const found = await rowsOf(
    staging,
    `WITH
      people AS (
        SELECT country_code, year, max(adult_population) AS adults
        FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} AND adult_population > 0
        GROUP BY ALL),
      revenue AS (
        SELECT country_code, year, fx_code, sum(ggr) AS ggr, min(${PLACE}) AS place
        FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')}
        GROUP BY ALL),
      per_country AS (
        SELECT fx_code, country_code, max(ggr / adults) AS each,
          arg_max(place, ggr / adults) AS place, arg_max(year, ggr / adults) AS year
        FROM revenue JOIN people USING (country_code, year)
        GROUP BY ALL),
      ranked AS (
        SELECT *, row_number() OVER w AS rank, lead(each) OVER w AS next,
          count(*) OVER (PARTITION BY fx_code) AS n
        FROM per_country
        WINDOW w AS (PARTITION BY fx_code ORDER BY each DESC))
    SELECT country_code, fx_code, year, each, next, ${SOURCE}, ${ROW}
    FROM ranked
    WHERE rank = 1 AND n > 2 AND next > 0 AND each > 10 * next
    ORDER BY place`,
  );
  for (const [country, fx, year, each, next, source, row] of found) {
    problems.add('warning', placeOf(staging, source, row, 'ggr'), {
      problem: `ggr of ${staging.text(country)} in ${year} is ${amount(Number(each))} ${staging.text(fx)} per adult, and ${amount(Number(next))} in the next country`,
      remedy: 'check the unit of its figures and its adult_population',
      kind: 'ggr per adult far above all other countries',
      country: staging.text(country),
    });
  }
  return new Set(found.map(([country]) => country));
}

/** The largest plausible share of ggr in the gross domestic product, also as a multiple of the median country's share. */
const MOST_SHARE = 0.25;
const MOST_TIMES_USUAL = 20;

/** Matches countries that live on gambling, for which a large share is right. */
const GAMBLING_COUNTRIES = /^maca[ou]\b/i;

/**
 * Reports countries whose ggr exceeds their gross domestic product. Where there are three or more countries, also those whose ggr
 * exceeds a quarter of it, or is a share of it that is 200 times smaller than the median country's.
 *
 * Real shares lie between 0.05 % and 3 %, that of Macau is 50 %. A wrong unit multiplies or divides them by a hundred or a thousand.
 */
function checkShare(
  { staging, problems }: CheckedRows,
  shares: readonly CountryShare[],
  reported: ReadonlySet<unknown>,
): void {
  const usual = median(shares.map(({ share }) => share));
  for (const { country, fx, share, place } of shares) {
    const isHigh = share > 1;
    const isLow = shares.length > 2 && share < usual / 200;
    const isLarge =
      shares.length > 2 &&
      share > Math.max(MOST_SHARE, MOST_TIMES_USUAL * usual) &&
      !GAMBLING_COUNTRIES.test(staging.text(country));
    if (!(isHigh || isLow || isLarge) || reported.has(country)) continue;
    const fault = isHigh ? aboveGdp(share) : isLarge ? largeShare(share, usual) : smallShare(share, usual);
    problems.add('warning', placeOfNumber(staging, place, 'ggr'), {
      problem: `ggr of ${staging.text(country)} (${staging.text(fx)}) is ${fault.size}`,
      remedy: 'check the unit of its figures, and that of its gdp in country',
      kind: fault.kind,
      country: staging.text(country),
    });
  }
}

/** What is wrong with a share of the gross domestic product, in words. */
interface ShareFault {
  readonly size: string;
  readonly kind: string;
}

const aboveGdp = (share: number): ShareFault => ({
  size: `${amount(share)} times its gross domestic product`,
  kind: 'ggr above the gross domestic product',
});

const largeShare = (share: number, usual: number): ShareFault => ({
  size: `${percent(Number(share.toPrecision(2)))} of its gross domestic product, ${amount(share / usual)} times the share of the median country`,
  kind: 'ggr far too large for the gross domestic product',
});

const smallShare = (share: number, usual: number): ShareFault => ({
  size: `${amount(usual / share)} times smaller beside its gross domestic product than in the median country`,
  kind: 'ggr far too small for the gross domestic product',
});

/**
 * Reports countries whose turnover is below their ggr, equals it, or is more than 300 times as much, over the facts that both
 * datasets have. Where no country is reported, it looks at each product; there, turnover may equal ggr, as that of poker does
 * where it counts fees alone. Where no product is reported either, it counts the rows whose turnover is below their ggr.
 */
export async function checkTurnover({ staging, used, problems }: CheckedRows): Promise<void> {
  // A finding needs two facts that both datasets have.
  if (Math.min(used.rows('turnover'), used.rows('ggr')) < 2) return;
  const found = await rowsOf(staging, implausibleTurnover());
  const ofParts = found.filter(([, , , , , , isWhole]) => isWhole !== true);
  const ofCountries = ofParts.filter(([country]) => country !== null);
  for (const [country, product, fx, turnover, ggr, place] of ofCountries.length > 0 ? ofCountries : ofParts) {
    const figureName = `turnover of ${staging.text(country ?? product)} (${staging.text(fx)})`;
    problems.add('warning', placeOfNumber(staging, place as bigint, 'turnover'), {
      ...turnoverFault(figureName, Number(turnover), Number(ggr)),
      ...(country === null ? {} : { country: staging.text(country) }),
    });
  }
  const [whole] = found.filter(([, , , , , , isWhole]) => isWhole === true);
  if (ofParts.length > 0 || whole === undefined) return;
  const [, , , , , place, , below, n] = whole;
  problems.add('warning', placeOfNumber(staging, place as bigint, 'turnover'), {
    problem: `turnover is below ggr in ${below} of the ${rowCount(n)} that both have`,
    remedy: 'check that neither column was shifted or sorted against its labels',
    kind: 'turnover below ggr in some rows',
  });
}

/**
 * SQL of the countries, products and the whole of the facts whose turnover is implausible beside ggr, the first currency of each.
 * For the whole, the place is that of the first row whose turnover is below ggr.
 */
function implausibleTurnover(): string {
  const { dimensions } = datasetOf('turnover');
  const isBelow = `turnover < ${LEAST_TURNOVER_SHARE} * ggr`;
  return `WITH both_sides AS (
      SELECT country_code, product_code, fx_code, sum(turnover) AS turnover, sum(ggr) AS ggr, min(place) AS place,
        count(*) AS n, bool_and(turnover = ggr) AS is_same, grouping(fx_code) = 1 AS is_whole,
        count(*) FILTER (${isBelow}) AS below, min(place) FILTER (${isBelow}) AS first_below
      FROM (SELECT *, ${PLACE} AS place FROM ${stagingTable('turnover')}) t
      JOIN ${stagingTable('ggr')} g USING (${dimensions.map(stagingColumn).join(', ')})
      GROUP BY GROUPING SETS ((country_code, fx_code), (product_code, fx_code), ()))
    SELECT country_code, product_code, fx_code, turnover, ggr,
      CASE WHEN is_whole THEN first_below ELSE place END AS place, is_whole, below::INTEGER, n::INTEGER
    FROM both_sides
    WHERE CASE
      WHEN is_whole THEN below >= greatest(${FEWEST_ROWS_BELOW}, ${LEAST_SHARE_BELOW} * n)
      ELSE n > 1 AND (turnover < ggr OR ggr > 0 AND (is_same AND product_code IS NULL OR turnover > 300 * ggr))
      END
    QUALIFY row_number() OVER (PARTITION BY country_code, product_code ORDER BY place) = 1
    ORDER BY place`;
}

/** A turnover below this share of ggr is more than a difference of rounding. */
const LEAST_TURNOVER_SHARE = 0.98;

/** The number of such rows from which on they are reported, and their share of the rows that both datasets have. */
const FEWEST_ROWS_BELOW = 3;
const LEAST_SHARE_BELOW = 0.01;

function turnoverFault(figureName: string, turnover: number, ggr: number): Diagnostic {
  const fault = (relation: string, kind: string): Diagnostic => ({
    problem: `${figureName} is ${amount(turnover)}, ${relation}`,
    remedy: 'check whether the two were exchanged, or are in different units',
    kind,
  });
  if (turnover === ggr) return fault('the same as its ggr in every row', 'turnover that repeats ggr');
  if (turnover < ggr) return fault(`below the ${amount(ggr)} of its ggr`, 'turnover below ggr');
  const times = count(Math.round(turnover / ggr));
  return fault(`${times} times the ${amount(ggr)} of its ggr`, 'turnover far above ggr');
}

const CENT = 0.01;

/** Reports amounts below a cent among large amounts, because they are typing errors or ratios. */
export async function checkTinyValues(
  { staging, inMemory, problems }: CheckedBySql,
  dataset: DatasetName,
): Promise<void> {
  for (const metric of metricNames(dataset)) {
    if (!mayBeTiny(metric, CENT, inMemory.get(dataset))) continue;
    await warnOfEach(
      { staging, problems, column: metric },
      `WITH tiny AS (
        SELECT ${metric} AS value, ${PLACE} AS place
        FROM ${stagingTable(dataset)}
        WHERE abs(${metric}) < ${CENT} AND ${metric} <> 0)
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

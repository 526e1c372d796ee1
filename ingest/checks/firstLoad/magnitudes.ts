// Warns of ggr that is implausible for a country's population or economy, and of tiny amounts.

import { median } from '../../../src/basics/medians.ts';
import { type DatasetName, metricNames } from '../../../src/catalog/datasets.ts';
import { amountText, multiple, roundedPercent } from '../../messages/numbers.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput, SqlCheckInput } from '../checkInput.ts';
import { PLACE_SQL, placeOfCellAt, rowCountText, warnOfEach } from '../stagedPlaces.ts';
import { type CountryShare, gdpSharesOf, LEAST_GDP } from './gdpShares.ts';
import { COUNTRIES_THAT_SHOW_UNIT, checkGgrUnit, FEWEST_PEOPLE } from './ggrUnit.ts';
import { mayBeTiny } from './possibleFaults.ts';

/** Compares ggr with the adults and the gross domestic product of each country. */
export async function checkMagnitudes(input: CheckInput): Promise<void> {
  const reported = await checkPerCapita(input);
  const shares = mayHaveShares(input) ? await gdpSharesOf(input.staging) : [];
  if (mayShowUnit(input, shares)) await checkGgrUnit(input, shares);
  checkShare(input, shares, reported);
}

/** Whether some country may have a gross domestic product that is large enough for a comparison with its ggr. */
function mayHaveShares({ datasets, rowsInMemory }: CheckInput): boolean {
  const rows = rowsInMemory.get('country');
  if (rows === undefined) return datasets.includes('country');
  return rows.largest('gdp_usd') > LEAST_GDP || rows.largest('gdp_local_currency') > LEAST_GDP;
}

/** Whether the unit of ggr may be seen: by populations, by shares of gross domestic products, or by many countries. */
function mayShowUnit({ rowsInMemory, usedValues }: CheckInput, shares: readonly CountryShare[]): boolean {
  const rows = rowsInMemory.get('country');
  const hasPeople = rows === undefined || rows.largest('adult_population') > FEWEST_PEOPLE;
  const hasMany = usedValues.in('ggr', 'country').length >= COUNTRIES_THAT_SHOW_UNIT;
  return usedValues.rows('ggr') >= FEWEST_COMPARED && (hasPeople || hasMany || shares.length > 0);
}

/** The fewest countries, and the fewest figures, that are compared. Among two, it is unknown which one is wrong. */
const FEWEST_COMPARED = 3;

/**
 * Reports a country whose ggr per adult is more than ten times as high as that of the next country in the same currency.
 * Gives the codes of the reported countries. Macau is left out, because its ggr per adult is rightly fifty times as high.
 */
async function checkPerCapita({ staging, usedValues, problems }: CheckInput): Promise<ReadonlySet<unknown>> {
  const compared = usedValues
    .in('ggr', 'country')
    .flatMap(({ text }) => (GAMBLING_COUNTRIES.test(text) ? [] : [staging.code(text)]));
  const reported = new Set<unknown>();
  // Among fewer countries the check finds nothing, and planning its statement would take time.
  if (compared.length < FEWEST_COMPARED) return reported;
  await warnOfEach(
    { staging, problems, column: 'ggr' },
    `WITH
      people AS (
        SELECT country_code, year, max(adult_population) AS adults
        FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} AND adult_population > 0
        GROUP BY ALL),
      revenue AS (
        SELECT country_code, year, fx_code, sum(ggr) AS ggr, min(${PLACE_SQL}) AS place
        FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} AND country_code IN (${compared.join(', ')})
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
    SELECT country_code, fx_code, year, each, next, place
    FROM ranked
    WHERE rank = 1 AND n > 2 AND next > 0 AND each > 10 * next
    QUALIFY row_number() OVER (PARTITION BY country_code ORDER BY place) = 1
    ORDER BY place`,
    (country, fx, year, each, next) => {
      reported.add(country);
      return {
        problem: `ggr of ${staging.text(country)} in ${year} is ${amountText(Number(each))} ${staging.text(fx)} per adult, and ${amountText(Number(next))} in the next country`,
        remedy: 'check the unit of its figures and its adult_population',
        kind: 'ggr per adult far above all other countries',
        country: staging.text(country),
      };
    },
  );
  return reported;
}

/**
 * A share of ggr in the gross domestic product is too large above `share` and above `timesUsual` times the median share.
 */
const MOST_SHARE = { share: 0.06, timesUsual: 8 };

/** The gross domestic product of a large economy. No casino town is a large part of it. */
const LARGE_ECONOMY_USD = 100_000_000_000;
/** The limits for a large economy. The shares of the Philippines and Australia are 1.5 %. */
const MOST_SHARE_OF_LARGE = { share: 0.02, timesUsual: 3 };

/**
 * A share is too small if it is this many times smaller than the median country's. In countries that forbid most gambling
 * it is eight times smaller.
 */
const MOST_TIMES_SMALLER = 50;

/** Matches the names of countries that live on gambling. Their large shares are right. */
const GAMBLING_COUNTRIES = /^maca[ou]\b/i;

/**
 * Reports countries whose ggr exceeds their gross domestic product. Among three or more countries, it also reports shares
 * above `MOST_SHARE` or `MOST_SHARE_OF_LARGE`, and shares 50 times smaller than that of the median country.
 *
 * Real shares lie between 0.05 % and 3 %. The share of Macau is 50 %. A wrong unit multiplies or divides a share by a
 * hundred or a thousand.
 */
function checkShare(
  { staging, problems }: CheckInput,
  shares: readonly CountryShare[],
  reported: ReadonlySet<unknown>,
): void {
  const usual = median(shares.map(({ share }) => share));
  for (const { country, fx, share, gdpUsd, place } of shares) {
    const name = staging.text(country);
    const limits = (gdpUsd ?? 0) > LARGE_ECONOMY_USD ? MOST_SHARE_OF_LARGE : MOST_SHARE;
    const most = GAMBLING_COUNTRIES.test(name)
      ? Number.POSITIVE_INFINITY
      : Math.max(limits.share, limits.timesUsual * usual);
    const fault = shareFault(share, shares.length > 2 ? { usual, most } : null);
    if (fault === null || reported.has(country)) continue;
    problems.add('warning', placeOfCellAt(staging, place, 'ggr'), {
      problem: `ggr of ${name} (${staging.text(fx)}) is ${fault.size}`,
      remedy: 'check the unit of its figures, and that of its gdp in country',
      kind: fault.kind,
      country: name,
    });
  }
}

interface ShareFault {
  readonly size: string;
  readonly kind: string;
}

/** The fault of a share; null when there is none. `others` is null if too few countries have a share to compare it with. */
function shareFault(
  share: number,
  others: { readonly usual: number; readonly most: number } | null,
): ShareFault | null {
  if (share > 1)
    return {
      size: `${multiple(share)} times its gross domestic product`,
      kind: 'ggr above the gross domestic product',
    };
  if (others === null) return null;
  const { usual, most } = others;
  if (share > most)
    return {
      size: `${roundedPercent(share, 2)} of its gross domestic product, ${multiple(share / usual)} times the share of the median country`,
      kind: 'ggr far too large for the gross domestic product',
    };
  if (share < usual / MOST_TIMES_SMALLER)
    return {
      size: `${multiple(usual / share)} times smaller beside its gross domestic product than in the median country`,
      kind: 'ggr far too small for the gross domestic product',
    };
  return null;
}

const CENT = 0.01;

/** Reports amounts below a cent if most amounts are above a thousand. The small ones are typing errors or ratios. */
export async function checkTinyValues(
  { staging, rowsInMemory, problems }: SqlCheckInput,
  dataset: DatasetName,
): Promise<void> {
  for (const metric of metricNames(dataset)) {
    if (!mayBeTiny(metric, CENT, rowsInMemory.get(dataset))) continue;
    await warnOfEach(
      { staging, problems, column: metric },
      `SELECT arg_min(${metric}, ${PLACE_SQL}), count(*)::INTEGER, min(${PLACE_SQL})
      FROM ${stagingTable(dataset)}
      WHERE abs(${metric}) < ${CENT} AND ${metric} <> 0
      HAVING count(*) > 0 AND (SELECT median(abs(${metric})) FROM ${stagingTable(dataset)}) > 1000`,
      (value, n) => ({
        problem: `${metric} is ${value}, less than a cent (${rowCountText(n)} like it), and most figures are above a thousand`,
        remedy: 'correct the figure, or leave the cell empty',
        kind: `${metric} of less than a cent`,
      }),
    );
  }
}

// Warns of ggr that is too low in all countries together, because the figures are in thousands or millions.

import { median } from '../../../src/basics/medians.ts';
import { amountText, roundedPercent } from '../../messages/numbers.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import type { CheckInput } from '../checkInput.ts';
import { figureOrNull, PLACE_SQL, placeOfCellAt, queryStaging } from '../stagedPlaces.ts';
import type { CountryShare } from './gdpShares.ts';

/**
 * The lowest plausible share of ggr in the gross domestic product. Real shares are 0.05 % to 3 %, and less for one product.
 */
const LEAST_SHARE = 0.000_01;

/**
 * The lowest plausible ggr in USD per adult and year. Real ones are 2.5 in the lowest country and 150 in the median one.
 */
const LEAST_PER_ADULT = 0.5;

/** The fewest adults of a country whose ggr per adult is used. In a smaller country it is not typical. */
export const FEWEST_PEOPLE = 100_000;

/** From this number of countries on, their median ggr shows the unit even without adults and gross domestic products. */
export const COUNTRIES_THAT_SHOW_UNIT = 20;

/** The lowest plausible ggr of the median country in a year, in USD, EUR or GBP. */
const LEAST_TOTAL = 1_000_000;

export async function checkGgrUnit(
  { staging, problems }: CheckInput,
  shares: readonly CountryShare[],
): Promise<void> {
  const revenue = await revenueOf(staging);
  const low = revenue && lowUnit(revenue, shares);
  if (!low) return;
  problems.add('warning', placeOfCellAt(staging, revenue.first, 'ggr'), {
    problem: `ggr is ${low.level}: the figures may be in ${low.unit}`,
    remedy: `if they are, use --scale ggr=${low.factor}`,
    kind: 'ggr far too low',
  });
}

const MILLIONS = { unit: 'millions', factor: '1e6' };
const THOUSANDS = { unit: 'thousands', factor: '1e3' };
const EITHER = { unit: 'thousands or millions', factor: '1e3 or --scale ggr=1e6' };

interface LowUnit {
  readonly level: string;
  readonly unit: string;
  readonly factor: string;
}

/** The surest sign that ggr is in thousands or millions; null when there is none. */
function lowUnit(
  { rows, countryYears, mostPerAdult, countries }: Revenue,
  shares: readonly CountryShare[],
): LowUnit | null {
  if (countryYears > 2 && mostPerAdult < 0.01)
    return { level: `at most ${amountText(mostPerAdult)} per adult and year in every country`, ...MILLIONS };
  const perAdult = countries.flatMap((country) => country.perAdult ?? []);
  const usualPerAdult = median(perAdult);
  if (perAdult.length > 2 && usualPerAdult < LEAST_PER_ADULT)
    return {
      level: `${amountText(usualPerAdult)} per adult and year in the median country`,
      // Figures in millions are a thousand times smaller than figures in thousands.
      ...(usualPerAdult < LEAST_PER_ADULT / 1000 ? MILLIONS : THOUSANDS),
    };
  const usualShare = median(shares.map(({ share }) => share));
  if (rows > 2 && usualShare < LEAST_SHARE)
    return {
      level: `${roundedPercent(usualShare, 2)} of the gross domestic product in the median country`,
      ...EITHER,
    };
  const usualTotal = median(countries.map(({ total }) => total));
  if (perAdult.length === 0 && countries.length >= COUNTRIES_THAT_SHOW_UNIT && usualTotal < LEAST_TOTAL)
    return { level: `${amountText(usualTotal)} a year in the median country`, ...EITHER };
  return null;
}

interface Revenue {
  /** The place of the first figure, as `PLACE_SQL` gives it. */
  readonly first: bigint;
  readonly rows: number;
  /** The number of country-years with more than `FEWEST_PEOPLE` adults, and the highest ggr per adult among them. */
  readonly countryYears: number;
  readonly mostPerAdult: number;
  /**
   * The highest ggr of a year of each country with ggr in USD, EUR or GBP: in total, and per adult if the adults are known.
   */
  readonly countries: readonly { readonly perAdult: number | null; readonly total: number }[];
}

async function revenueOf(staging: Staging): Promise<Revenue | null> {
  const nations = `WHERE state_code = ${staging.code('')}`;
  const tables = `WITH people AS (SELECT country_code, year, max(adult_population) AS adults FROM ${stagingTable('country')}
        ${nations} AND adult_population > ${FEWEST_PEOPLE} GROUP BY ALL),
      figures AS (SELECT country_code, year, fx_code, sum(ggr) AS ggr, min(${PLACE_SQL}) AS place, count(*) AS n
        FROM ${stagingTable('ggr')} ${nations} AND ggr > 0 GROUP BY ALL)`;
  const [[first, rows, countryYears, mostPerAdult] = []] = await queryStaging(
    staging,
    `${tables},
      yearly AS (SELECT country_code, year, sum(ggr) AS ggr, min(place) AS place, sum(n) AS n FROM figures GROUP BY ALL)
    SELECT min(place), sum(n), count(adults), max(ggr / adults) FROM yearly LEFT JOIN people USING (country_code, year)`,
  );
  if (typeof first !== 'bigint') return null;
  const hard = ['USD', 'EUR', 'GBP'].map((fx) => staging.code(fx)).join(', ');
  const countries = await queryStaging(
    staging,
    `${tables}
    SELECT max(ggr / adults), max(ggr) FROM figures LEFT JOIN people USING (country_code, year)
    WHERE fx_code IN (${hard}) GROUP BY country_code`,
  );
  return {
    first,
    rows: Number(rows),
    countryYears: Number(countryYears),
    mostPerAdult: Number(mostPerAdult),
    countries: countries.map(([perAdult, total]) => ({
      perAdult: figureOrNull(perAdult),
      total: Number(total),
    })),
  };
}

// Computes the ggr of each country as a share of its gross domestic product.

import type { Staging } from '../../staging/database/staging.ts';
import { stagingTable } from '../../staging/database/stagingTables.ts';
import { figureOrNull, PLACE_SQL, queryStaging } from '../stagedPlaces.ts';

/**
 * The smallest gross domestic product that is used, in any currency. Even Tuvalu has 60 million USD; less is in another
 * unit.
 */
export const LEAST_GDP = 10_000_000;

/** A country's ggr as a share of its gross domestic product: the median of its years. */
export interface CountryShare {
  /** The codes of the country and the currency in the staging database. */
  readonly country: unknown;
  readonly fx: unknown;
  readonly share: number;
  /** The gross domestic product of the country in USD: the median of the same years; null when it is unknown. */
  readonly gdpUsd: number | null;
  /** The place of the first figure, as `PLACE_SQL` gives it. */
  readonly place: bigint;
}

/**
 * The share of each country, in USD if it has figures in USD, else in its local currency, which the dataset fx names. The
 * shares are in the order of their places.
 */
export async function gdpSharesOf(staging: Staging): Promise<CountryShare[]> {
  const found = await queryStaging(
    staging,
    `WITH in_local AS (SELECT country_code, any_value(fx_local_currency_code) AS fx_code FROM ${stagingTable('fx')}
        GROUP BY ALL HAVING count(DISTINCT fx_local_currency_code) = 1),
      product AS (SELECT country_code, year, max(gdp_usd) FILTER (gdp_usd > ${LEAST_GDP}) AS usd,
          max(gdp_local_currency) FILTER (gdp_local_currency > ${LEAST_GDP}) AS local FROM ${stagingTable('country')}
        WHERE state_code = ${staging.code('')} GROUP BY ALL),
      revenue AS (SELECT country_code, fx_code, year, sum(ggr) AS ggr, min(${PLACE_SQL}) AS place FROM ${stagingTable('ggr')}
        WHERE state_code = ${staging.code('')} GROUP BY ALL),
      yearly AS (SELECT r.country_code, r.fx_code, place, r.fx_code = ${staging.code('USD')} AS in_usd, usd,
          r.ggr / CASE WHEN r.fx_code = ${staging.code('USD')} THEN usd WHEN l.fx_code IS NOT NULL THEN local END AS part
        FROM revenue r JOIN product USING (country_code, year)
        LEFT JOIN in_local l ON l.country_code = r.country_code AND l.fx_code = r.fx_code WHERE r.ggr > 0),
      shares AS (SELECT country_code, fx_code, median(part) AS share, median(usd) AS usd, min(place) AS place FROM yearly
        WHERE part > 0 AND isfinite(part) GROUP BY country_code, fx_code
        QUALIFY row_number() OVER (PARTITION BY country_code ORDER BY bool_or(in_usd) DESC, fx_code) = 1)
    SELECT country_code, fx_code, share, usd, place FROM shares ORDER BY place`,
  );
  return found.map(([country, fx, share, usd, place]) => ({
    country,
    fx,
    share: Number(share),
    gdpUsd: figureOrNull(usd),
    place: place as bigint,
  }));
}

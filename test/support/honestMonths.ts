// Random honest months: they revise published figures like statistical offices do from one month to the next.

import type { GuardOutcome } from '../../ingest/guards/runGuards.ts';
import type { GuardWorld } from './guardWorld.ts';

/**
 * Makes the month after the first one of a world, and runs the guards on it. The same seed makes the same month.
 *
 * Most values stay. One series in ten is revised by up to 3 % in its last two years, one in fifty by up to 3 % in all
 * years, and one in two hundred by up to 10 %. Forecasts move by up to 5 %. Late reports arrive, small products are
 * published for the first time, small rows go, and some values are withdrawn. In one month of three a country is rebased
 * by 2 to 12 % in all years; in one of twelve the dataset begins a forecast year.
 */
export async function honestMonth(world: GuardWorld, seed: number): Promise<GuardOutcome> {
  const draw = (...key: string[]) => `(hash(${[`${seed}`, ...key].join(', ')}) / 18446744073709551616.0)`;
  const swing = (...key: string[]) => `(2 * ${draw(...key)} - 1)`;
  const series = ['country', 'state', 'product', 'channel', 'sub_channel'];
  const [[rebased, late, month] = []] = await world.rows(
    `SELECT (SELECT country FROM before_ggr GROUP BY 1 ORDER BY hash(country, ${seed}) LIMIT 1),
       (SELECT country FROM before_ggr WHERE year = 2025 AND temporal = 'Forecast' GROUP BY 1 ORDER BY hash(country, ${seed}) LIMIT 1),
       ${draw("'month'")}`,
  );
  const name = (country: unknown) => `'${String(country).replaceAll("'", "''")}'`;
  // States get the factor of their country, so that they stay the same part of it.
  const market = ['country', 'product', 'channel', 'sub_channel'];
  const factor = `(CASE WHEN temporal = 'Forecast' THEN 1 + 0.05 * ${swing("'forecast'", ...market)}
    WHEN ${draw("'recent'", ...market)} < 0.1 AND year >= 2024 THEN 1 + 0.03 * ${swing("'by'", ...market, 'year')}
    WHEN ${draw("'all'", ...market)} < 0.02 THEN 1 + 0.03 * ${swing("'by'", ...market, 'year')}
    WHEN ${draw("'much'", ...market)} < 0.005 THEN 1 + 0.1 * ${swing("'by'", ...market)} ELSE 1 END
    * CASE WHEN country = ${name(rebased)} AND ${Number(month)} < 0.33 THEN 1 + (0.02 + 0.1 * ${draw("'rebase'")}) * CASE WHEN ${draw("'way'")} < 0.5 THEN -1 ELSE 1 END ELSE 1 END)`;
  const facts = (dataset: 'ggr' | 'turnover') =>
    `SELECT * REPLACE (CASE WHEN country = ${name(late)} AND year = 2025 THEN 'Current' ELSE temporal END AS temporal,
       CASE WHEN ${factor} = 1 THEN ${dataset} ELSE round(${dataset} * ${factor}) END AS ${dataset})
     FROM before_${dataset}
     WHERE NOT (state = '' AND ${draw("'edge'", ...market, 'year')} < 0.02 AND (${[...series, 'year'].join(', ')}) IN
       (SELECT (${[...series, 'year'].join(', ')}) FROM before_ggr WHERE fx = 'USD' AND ggr < 520000))`;
  const fresh = (dataset: 'ggr' | 'turnover') =>
    `SELECT * REPLACE ('Bingo' AS product, 'Gaming' AS category, 'Online' AS channel, 'Onshore' AS sub_channel, round(${dataset} * 0.01 * (1 + ${draw("'new'", 'country', 'year')})) AS ${dataset})
     FROM before_${dataset} s WHERE year >= 2022 AND state = '' AND ${draw("'news'", 'country')} < 0.02
       AND NOT EXISTS (FROM before_ggr o WHERE o.country = s.country AND o.product = 'Bingo' AND o.channel = 'Online')
     QUALIFY row_number() OVER (PARTITION BY country, year, fx, temporal ORDER BY product, channel, sub_channel) = 1`;
  const next = (dataset: 'ggr' | 'turnover') =>
    `SELECT * REPLACE (2031 AS year, round(${dataset} * 1.02) AS ${dataset}) FROM before_${dataset} WHERE year = 2030 AND ${Number(month)} > 0.92`;
  await world.run(
    ...(['ggr', 'turnover'] as const).map(
      (dataset) =>
        `CREATE OR REPLACE TEMP TABLE ${dataset} AS ${facts(dataset)} UNION ALL ${fresh(dataset)} UNION ALL ${next(dataset)}`,
    ),
    `CREATE OR REPLACE TEMP TABLE fx AS SELECT * REPLACE (
       CASE WHEN temporal = 'Forecast' THEN fx_current_usd * (1 + 0.009 * ${swing("'fx'", 'fx_local_currency')}) ELSE fx_current_usd END AS fx_current_usd)
     FROM before_fx`,
    `CREATE OR REPLACE TEMP TABLE country AS SELECT * EXCLUDE (g) REPLACE (
       gdp_usd * g AS gdp_usd, gdp_local_currency * g AS gdp_local_currency,
       CASE WHEN ${draw("'people'", 'country')} < 0.1 THEN adult_population * (1 + 0.01 * ${swing("'people'", 'country', 'state')}) ELSE adult_population END AS adult_population,
       CASE WHEN ${draw("'withdrawn'", 'country', 'year')} < 0.0003 THEN NULL
         WHEN ${draw("'prices'", 'country', 'year')} < 0.03 THEN inflation + 0.1 * round(3 * ${swing("'prices'", 'country', 'year')}) ELSE inflation END AS inflation)
     FROM (SELECT *, CASE WHEN temporal = 'Forecast' THEN 1 + 0.02 * ${swing("'gdp'", 'country')}
         WHEN country = ${name(rebased)} THEN 1 + 0.1 * ${draw("'gdp'")}
         WHEN year >= 2023 AND ${draw("'gdp'", 'country')} < 0.2 THEN 1 + 0.004 * ${swing("'gdp'", 'country', 'year')} ELSE 1 END AS g FROM before_country)`,
  );
  return await world.guarded({ ggr: 'ggr', turnover: 'turnover', fx: 'fx', country: 'country' });
}

// Random honest months that begin a year: countries report it in part, and markets open, close and move.

import type { GuardOutcome } from '../../ingest/guards/runGuards.ts';
import { literal } from '../../src/duckdb.ts';
import type { GuardWorld } from './guardWorld.ts';

/** The kinds of years that begin. The seed chooses one of them in turn. */
export const HONEST_YEARS = [
  'nothing',
  'late reporters',
  'most are late',
  'high inflation',
  'pandemic',
  'products begin',
  'markets close',
  'markets open',
  'small products are late',
  'countries begin',
  'forecasts',
  'holds move',
  'states move',
  'products move',
] as const;

/**
 * Makes the first month that has the world's last year, and runs the guards on it. Every market grows or shrinks by up to a
 * quarter, in addition to its change in the sample. The same seed makes the same month.
 */
export async function honestNewYear(world: GuardWorld, year: number, seed: number): Promise<GuardOutcome> {
  const special = HONEST_YEARS[seed % HONEST_YEARS.length] ?? 'nothing';
  const draw = (...key: string[]) => `(hash(${[`${seed}`, ...key].join(', ')}) / 18446744073709551616.0)`;
  const swing = (...key: string[]) => `(2 * ${draw(...key)} - 1)`;
  const market = ['country', 'product', 'channel', 'sub_channel'];
  const is = (one: (typeof HONEST_YEARS)[number]) => special === one;
  // States get the factor of their country, so that they stay the same part of it.
  const moved = `(1 + 0.25 * ${swing("'market'", ...market)}) * (CASE WHEN ${is('products move')} THEN 1 + 0.15 * ${swing("'product'", 'product', 'channel')} ELSE 1 END)`;
  const stake = `(CASE WHEN ${is('holds move')} THEN 1 + 0.25 * ${swing("'hold'", ...market)} ELSE 1 END)`;
  // Each market of a state changes by its own factor, and the nation's figures change as the sum of its states does.
  const ofState = `(1 + 0.2 * ${swing("'state'", 'state', ...market)})`;
  const stated = (dataset: 'ggr' | 'turnover') =>
    `(CASE WHEN ${!is('states move')} THEN 1 WHEN state <> '' THEN ${ofState} ELSE coalesce(drift, 1) END)${dataset === 'turnover' ? ` * ${stake}` : ''}`;
  // Prices rise two- to fivefold, and the currency loses value by the same factor.
  const prices = `(CASE WHEN ${is('high inflation')} AND ${draw("'prices'", 'country')} < 0.1 THEN 2 + 3 * ${draw("'by'", 'country')} ELSE 1 END)`;
  const [[others] = []] = await world.rows(
    `SELECT string_agg(DISTINCT '''' || replace(country, '''', '''''') || '''', ', ') FROM after_fx WHERE fx_local_currency NOT IN ('USD', 'EUR')`,
  );
  const isLocal = "fx NOT IN ('USD', 'EUR')";
  const hasOwn = `country IN (${String(others)})`;
  const closed = `(CASE WHEN ${is('pandemic') && year !== 2020} THEN 0.2 + 0.6 * ${draw("'closed'", ...market)} ELSE 1 END)`;
  const opened = `(CASE WHEN ${is('markets open')} AND ${draw("'opened'", ...market)} < 0.03 AND size <> 'large' THEN 3 + 12 * ${draw("'by'", ...market)} ELSE 1 END)`;
  const late = `(${is('late reporters')} AND ${draw("'late'", 'country')} < 0.4 OR ${is('most are late')} AND ${draw("'late'", 'country')} < 0.9)`;
  const lost = `(${is('markets close')} AND ${draw("'lost'", ...market)} < 0.03 AND ${literal('small')} = size
    OR ${is('small products are late')} AND ${draw("'lost'", ...market)} < 0.3 AND ${literal('tiny')} = size)`;
  // Some of the smallest markets that closed have zeros instead of no rows.
  const zero = `(${is('markets close')} AND ${draw("'zero'", ...market)} < 0.03 AND ${literal('tiny')} = size)`;
  const begins = `(${is('products begin')} AND ${draw("'begins'", 'country', 'product')} < 0.05 AND size <> 'large')`;
  const begun = `(${is('countries begin')} AND ${draw("'begun'", 'country')} < 0.2)`;
  const facts = (dataset: 'ggr' | 'turnover') => `CREATE OR REPLACE TEMP TABLE ${dataset} AS
    SELECT * EXCLUDE (size, drift) REPLACE (
      CASE WHEN year >= ${year} - 1 AND ${is('forecasts')} THEN 'Forecast' ELSE temporal END AS temporal,
      CASE WHEN year = ${year} AND ${zero} THEN 0 WHEN year = ${year} THEN round(${dataset} * ${moved} * ${stated(dataset)} * ${closed} * ${opened} * CASE WHEN ${hasOwn} AND ${isLocal} THEN ${prices} ELSE 1 END) ELSE ${dataset} END AS ${dataset})
    FROM (${sized(`after_${dataset}`, year)}) LEFT JOIN (SELECT country, product, channel, sub_channel, sum(${dataset} * ${ofState}) / sum(${dataset}) AS drift
      FROM after_${dataset} WHERE year = ${year} AND fx = 'USD' AND state <> '' GROUP BY ALL) USING (country, product, channel, sub_channel)
    WHERE NOT (year = ${year} AND (${late} OR ${lost})) AND NOT (year < ${year} AND (${begins} OR ${begun}))`;
  const before = (dataset: 'ggr' | 'turnover') =>
    `CREATE OR REPLACE TEMP TABLE earlier_${dataset} AS FROM ${dataset} WHERE year < ${year}`;
  await world.run(
    facts('ggr'),
    facts('turnover'),
    `CREATE OR REPLACE TEMP TABLE fx AS SELECT * REPLACE (
       CASE WHEN year = ${year} AND ${hasOwn} THEN fx_current_usd / ${prices} ELSE fx_current_usd END AS fx_current_usd,
       CASE WHEN year = ${year} AND ${hasOwn} THEN fx_current_eur / ${prices} ELSE fx_current_eur END AS fx_current_eur) FROM after_fx`,
    `CREATE OR REPLACE TEMP TABLE country AS SELECT * REPLACE (
       CASE WHEN year = ${year} AND ${hasOwn} THEN gdp_local_currency * ${prices} ELSE gdp_local_currency END AS gdp_local_currency) FROM after_country`,
    before('ggr'),
    before('turnover'),
  );
  return await world.guarded(
    { ggr: 'ggr', turnover: 'turnover', fx: 'fx', country: 'country' },
    { earlier: { ggr: 'earlier_ggr', turnover: 'earlier_turnover' } },
  );
}

/**
 * A SELECT of a table with the size of each row's market in its country. Only small markets may be missing in honest
 * months.
 */
const sized = (
  table: string,
  year: number,
) => `SELECT t.*, CASE WHEN s.share < 0.05 THEN 'tiny' WHEN s.share < 0.2 THEN 'small' ELSE 'large' END AS size
    FROM ${table} t JOIN (SELECT country, product, channel, sub_channel, sum(ggr) / sum(sum(ggr)) OVER (PARTITION BY country) AS share
      FROM after_ggr WHERE year = ${year} - 1 AND fx = 'USD' GROUP BY country, product, channel, sub_channel) s USING (country, product, channel, sub_channel)
    UNION ALL SELECT t.*, 'tiny' FROM ${table} t ANTI JOIN (FROM after_ggr WHERE year = ${year} - 1 AND fx = 'USD') s USING (country, product, channel, sub_channel)`;

// Random quiet months: only a part of the data was revised.

import type { GuardOutcome } from '../../ingest/guards/runGuards.ts';
import type { GuardWorld } from '../support/guardWorld.ts';

/** The parts of the data of which one is revised. */
export const QUIET_MONTHS = [
  'one country',
  'three countries',
  'a region',
  'a product',
  'a channel',
  'some forecasts',
  'all forecasts',
  'forecasts and three countries',
  'the last year',
  'the rates',
  'GDP',
  'all but population',
] as const;

/**
 * Makes a month after the first one of a world, and runs the guards on it. Only `moved` was revised in that month. The same
 * seed makes the same month.
 */
export async function quietMonth(world: GuardWorld, moved: string, seed: number): Promise<GuardOutcome> {
  const draw = (...key: string[]) => `(hash(${[`${seed}`, ...key].join(', ')}) / 18446744073709551616.0)`;
  const is = (one: (typeof QUIET_MONTHS)[number]) => moved === one;
  const oneOf = (name: string, count = 1) =>
    `${name} IN (SELECT ${name} FROM before_ggr GROUP BY 1 ORDER BY hash(${name}, ${seed}) LIMIT ${count})`;
  const ofForecasts = `temporal = 'Forecast' AND ${draw("'some'", 'country')} < ${is('some forecasts') ? 0.2 : 1}`;
  const who = is('one country')
    ? oneOf('country')
    : is('three countries')
      ? oneOf('country', 3)
      : is('a region')
        ? oneOf('region')
        : is('some forecasts') || is('all forecasts')
          ? ofForecasts
          : is('forecasts and three countries')
            ? `(${ofForecasts} OR ${oneOf('country', 3)})`
            : is('the last year')
              ? `year = 2025 AND ${draw("'last'", 'country')} < 0.3`
              : 'false';
  const ofFacts = is('a product')
    ? oneOf('product')
    : is('a channel')
      ? oneOf('channel')
      : is('the rates')
        ? "fx = 'USD' AND country NOT IN (SELECT country FROM before_fx WHERE fx_local_currency = 'USD')"
        : who;
  const by = (...key: string[]) => `(1 + 0.02 * ${draw("'by'", ...key)})`;
  const facts = (dataset: 'ggr' | 'turnover') =>
    `CREATE OR REPLACE TEMP TABLE ${dataset} AS SELECT * REPLACE (CASE WHEN ${ofFacts} THEN round(${dataset} * ${by('country', 'product', 'channel')}) ELSE ${dataset} END AS ${dataset}) FROM before_${dataset}`;
  const rate = (name: string) =>
    `CASE WHEN ${is('the rates') ? "fx_local_currency <> 'USD' AND year >= 2025" : who} THEN ${name} * (1 + 0.004 * ${draw("'rate'", 'fx_local_currency')}) ELSE ${name} END AS ${name}`;
  const gdp = is('GDP') || is('all but population') ? 'true' : who;
  await world.run(
    facts('ggr'),
    facts('turnover'),
    `CREATE OR REPLACE TEMP TABLE fx AS SELECT * REPLACE (${rate('fx_current_usd')}) FROM before_fx`,
    `CREATE OR REPLACE TEMP TABLE country AS SELECT * REPLACE (
       CASE WHEN ${gdp} THEN gdp_usd * ${by('country')} ELSE gdp_usd END AS gdp_usd,
       CASE WHEN ${gdp} THEN gdp_local_currency * ${by('country')} ELSE gdp_local_currency END AS gdp_local_currency,
       CASE WHEN ${is('all but population')} THEN inflation + 0.1 * round(3 * ${draw("'prices'", 'country', 'year')}) ELSE inflation END AS inflation) FROM before_country`,
  );
  return await world.guarded({ ggr: 'ggr', turnover: 'turnover', fx: 'fx', country: 'country' });
}

// Relations between figures that held before and do not hold now: turnover and ggr, currencies and rates, states and nation.

import path from 'node:path';
import { type DatasetName, metricNames } from '../../src/catalog/datasets.ts';
import { literal, parquetRows } from '../../src/duckdb.ts';
import type { Engine } from './engine.ts';
import type { Keys } from './keys.ts';
import type { Side } from './side.ts';
import type { BrokenRelation } from './types.ts';
import type { Years } from './years.ts';

/** Sums that are converted at one rate agree to within this: rows are rounded, and rates have six digits. */
const AGREES = 0.02;

/** States may exceed their nation by so much: they are rounded one by one. */
const EXCEEDS = 1.02;

/** Makes the tables that `noteMoney` fills. */
export async function openRelations(engine: Engine): Promise<void> {
  await engine.run(
    `CREATE OR REPLACE TABLE money (dataset VARCHAR, side VARCHAR, country VARCHAR, year INTEGER, fx VARCHAR, total DOUBLE)`,
    `CREATE OR REPLACE TABLE state_sums (dataset VARCHAR, side VARCHAR, country VARCHAR, year INTEGER, share DOUBLE)`,
  );
}

/** Notes what countries make in each currency and year, reported figures alone; needs the tables of `sumCells`. */
export async function noteMoney(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
  same: boolean,
): Promise<void> {
  if (!keys.has('fx') || keys.codesWhere('year', () => true).length === 0) return;
  const text = (dimension: 'country' | 'fx', code: string) =>
    `enum_range(NULL::text_of_${dimension})[${code} + 1]::VARCHAR`;
  const first = Number(keys.valueOf('year', 0));
  const of = (side: 'before' | 'after') =>
    `SELECT ${literal(dataset)}, '${side}', ${text('country', 'country')}, ${first} + year, ${text('fx', 'fx')}, m0
     FROM cells_${side} WHERE NOT forecast AND m0 IS NOT NULL`;
  await engine.run(`INSERT INTO money ${of('before')} UNION ALL ${of('after')}`);
  if (!same) await noteStates(engine, dataset, keys, years, text('country', 'country'), first);
}

/** Of markets that are told by state, the part of the nation that the states come to. */
async function noteStates(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
  country: string,
  first: number,
): Promise<void> {
  if (keys.codeOf('state', '') !== 0) return;
  const [metric = ''] = metricNames(dataset);
  const own = keys.without('state').map((column, i) => `${column} AS own${i}`);
  const names = own.map((_, i) => `own${i}`).join(', ');
  const isState = `${keys.code('state')} <> 0`;
  // Only countries that have states and a changed row can have another share now.
  const codes = await engine.rows(
    `SELECT DISTINCT ${keys.code('country')} AS c FROM rows_after WHERE ${isState}
     INTERSECT SELECT DISTINCT ${keys.code('country')} AS c FROM changed`,
  );
  if (codes.length === 0) return;
  const concerned = `${keys.code('country')} IN (${codes.map(([code]) => Number(code)).join(', ')})`;
  const of = (side: 'before' | 'after') =>
    `SELECT ${literal(dataset)}, '${side}', ${country}, ${first} + year, sum(states) / nullif(sum(whole), 0)
     FROM (SELECT ${names}, sum(${metric}) AS states FROM (SELECT *, ${own.join(', ')} FROM rows_${side} WHERE ${isState} AND ${concerned})
       GROUP BY ${names}) s
     JOIN (SELECT ${own.join(', ')}, ${metric} AS whole, ${keys.code('country')} AS country, ${keys.code('year')} AS year
       FROM rows_${side} WHERE NOT (${isState}) AND NOT ${years.isForecast(keys)} AND ${concerned}) USING (${names})
     GROUP BY country, year`;
  await engine.run(`INSERT INTO state_sums ${of('before')} UNION ALL ${of('after')}`);
}

/** The relations of countries that got worse, once all datasets are noted. */
export async function brokenRelations(engine: Engine, before: Side, after: Side): Promise<BrokenRelation[]> {
  return [
    ...(await turnoverBelowGgr(engine)),
    ...(await currenciesApart(engine, before, after)),
    ...(await statesAboveNation(engine)),
  ];
}

async function turnoverBelowGgr(engine: Engine): Promise<BrokenRelation[]> {
  const side = (name: string) =>
    `SELECT country, year, fx, t.total / g.total AS ratio FROM money t JOIN money g USING (side, country, year, fx)
     WHERE side = '${name}' AND t.dataset = 'turnover' AND g.dataset = 'ggr' AND g.total > 0`;
  const found = await engine.rows(
    `SELECT country, list(DISTINCT year ORDER BY year)::VARCHAR, min(b.ratio), min(a.ratio)
     FROM (${side('before')}) b JOIN (${side('after')}) a USING (country, year, fx)
     WHERE b.ratio >= 1 AND a.ratio < 1 GROUP BY country ORDER BY country`,
  );
  return found.map(([country, list, was, is]) => ({
    relation: 'turnover-below-ggr',
    dataset: 'turnover',
    country: String(country),
    currency: null,
    years: yearsIn(list),
    before: Number(was),
    after: Number(is),
  }));
}

async function currenciesApart(engine: Engine, before: Side, after: Side): Promise<BrokenRelation[]> {
  const rates = ({ directory, datasets }: Side, name: string) => {
    const from = parquetRows(path.join(directory, datasets.fx.file));
    return `SELECT '${name}' AS side, country, year::INTEGER AS year, fx_local_currency AS local, terms.fx,
        CASE terms.fx WHEN 'USD' THEN fx_current_usd ELSE fx_current_eur END AS current,
        CASE terms.fx WHEN 'USD' THEN fx_constant_usd ELSE fx_constant_eur END AS constant
      FROM ${from}, (VALUES ('USD'), ('EUR')) terms(fx) WHERE state = ''`;
  };
  const found = await engine.rows(
    `WITH rates AS (${rates(before, 'before')} UNION ALL ${rates(after, 'after')}),
     apart AS (SELECT f.dataset, side, country, year, fx, f.total / l.total AS implied,
         least(abs(f.total / l.total / current - 1), coalesce(abs(f.total / l.total / constant - 1), 1e9)) AS distance
       FROM rates JOIN money f USING (side, country, year, fx)
       JOIN money l ON l.dataset = f.dataset AND l.side = f.side AND l.country = f.country AND l.year = f.year AND l.fx = rates.local
       WHERE l.total <> 0 AND rates.local <> fx AND current IS NOT NULL)
     SELECT dataset, country, list(DISTINCT fx ORDER BY fx)::VARCHAR, list(DISTINCT year ORDER BY year)::VARCHAR, max(b.distance), max(a.distance)
     FROM (FROM apart WHERE side = 'before') b JOIN (FROM apart WHERE side = 'after') a USING (dataset, country, year, fx)
     WHERE b.distance <= ${AGREES} AND a.distance > ${AGREES} GROUP BY dataset, country ORDER BY dataset, country`,
  );
  return found.map(([dataset, country, currency, list, was, is]) => ({
    relation: 'currencies-apart',
    dataset: dataset === 'turnover' ? 'turnover' : 'ggr',
    country: String(country),
    currency: String(currency).replace(/[[\]]/g, ''),
    years: yearsIn(list),
    before: Number(was),
    after: Number(is),
  }));
}

async function statesAboveNation(engine: Engine): Promise<BrokenRelation[]> {
  const found = await engine.rows(
    `SELECT dataset, country, list(DISTINCT year ORDER BY year)::VARCHAR, max(b.share), max(a.share)
     FROM (FROM state_sums WHERE side = 'before') b JOIN (FROM state_sums WHERE side = 'after') a USING (dataset, country, year)
     WHERE a.share > ${EXCEEDS} AND a.share > b.share * ${EXCEEDS} GROUP BY dataset, country ORDER BY dataset, country`,
  );
  return found.map(([dataset, country, list, was, is]) => ({
    relation: 'states-above-nation',
    dataset: dataset === 'turnover' ? 'turnover' : 'ggr',
    country: String(country),
    currency: null,
    years: yearsIn(list),
    before: Number(was),
    after: Number(is),
  }));
}

const yearsIn = (list: unknown): readonly number[] =>
  String(list)
    .replace(/[[\]\s]/g, '')
    .split(',')
    .map(Number);

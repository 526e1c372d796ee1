// Totals by metric, currency and year on both sides: each country counted once, forecasts apart.

import { type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { countedOnce } from './countedOnce.ts';
import type { Engine, Value } from './engine.ts';
import type { Keys } from './keys.ts';
import { type CountryMove, type Mover, type RowChanges, relativeChange, type Total } from './types.ts';
import type { Years } from './years.ts';

/**
 * Fills `cells_before` and `cells_after`: per country, currency, year and forecast the sum `m0`, `m1` … of every
 * metric, each country counted once; of metrics that do not add up the sum of absolute values, which is of use as a
 * measure alone. Needs the tables of `withMatched` and `arrived`.
 */
export async function sumCells(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
  rows: RowChanges,
): Promise<void> {
  const metrics = metricNames(dataset);
  const fx = keys.has('fx') ? keys.code('fx') : 'NULL::INTEGER';
  const sums = metrics.map((metric, i) =>
    datasetOf(dataset).metrics[metric]?.addsUp === true
      ? `kahan_sum(${metric}) AS m${i}`
      : `kahan_sum(abs(${metric})) AS m${i}`,
  );
  const cells = (side: 'before' | 'after', forecast: string) =>
    `CREATE OR REPLACE TABLE cells_${side} AS
     SELECT ${keys.code('country')} AS country, ${fx} AS fx, ${keys.code('year')} AS year, ${forecast} AS forecast,
       ${[...sums, 'count(*)::INTEGER AS n'].join(', ')}
     FROM (${rowsCountedOnce(keys, `rows_${side}`)}) GROUP BY ALL ORDER BY country, fx, year, forecast`;
  const { added, removed, revised, arrived } = rows;
  const key = `(${keys.columns.join(', ')})`;
  // A late report takes the place of a forecast; it did not make the reported figures of the year grow.
  const wasForecast =
    arrived === 0
      ? years.isForecast(keys)
      : `(${years.isForecast(keys)} OR ${key} IN (SELECT ${key} FROM arrived))`;
  const isSame = added + removed + revised === 0;
  await engine.onOneThread(() =>
    engine.run(
      cells('before', years.isForecast(keys)),
      isSame ? 'CREATE OR REPLACE TABLE cells_after AS FROM cells_before' : cells('after', wasForecast),
    ),
  );
}

/** The totals of the metrics that add up, out of the tables of `sumCells`. */
export async function totalsOf(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
  same: boolean,
): Promise<readonly Total[]> {
  const metrics = metricNames(dataset).filter((metric) => datasetOf(dataset).metrics[metric]?.addsUp);
  if (metrics.length === 0) return [];
  const columns = metrics.map((metric) => `m${metricNames(dataset).indexOf(metric)}`);
  const sum = (which: string) => columns.map((column) => `kahan_sum(${column}) FILTER (${which})`).join(', ');
  const joined = '(country, year) NOT IN (SELECT (country, year) FROM cells_before)';
  const later = same ? '' : `UNION ALL SELECT true AS is_after, *, ${joined} AS joined FROM cells_after`;
  // The cells lie in one order on both sides: equal cells have equal sums, to the last digit.
  const found = await engine.onOneThread(() =>
    engine.rows(
      `SELECT is_after, fx, year, forecast, count(*)::INTEGER, ${sum('true')}, ${sum('joined')}
       FROM (SELECT false AS is_after, *, false AS joined FROM cells_before ${later}) GROUP BY ALL`,
    ),
  );
  const totals = new Map<string, { -readonly [Part in keyof Total]: Total[Part] }>();
  const add = (
    side: 'before' | 'after',
    [fxCode, yearCode, isForecast, countries, ...values]: readonly (Value | undefined)[],
  ) => {
    const forecast = isForecast === true;
    for (const [i, metric] of metrics.entries()) {
      const value = values[i] ?? null;
      if (value === null) continue;
      const year = Number(keys.valueOf('year', yearCode));
      const currency = fxCode === null ? null : String(keys.valueOf('fx', fxCode));
      const name = JSON.stringify([metric, forecast, currency, year]);
      const total = totals.get(name) ?? {
        metric,
        fx: currency,
        year,
        forecast,
        closed: years.isClosed(year),
        before: null,
        after: null,
        joined: 0,
        relative: null,
        countries: 0,
        mover: null,
      };
      total.countries = Math.max(total.countries, Number(countries));
      total[side] = Number(value);
      total.joined += Number(values[metrics.length + i] ?? 0);
      totals.set(name, total);
    }
  };
  for (const [isAfter, ...row] of found) {
    if (isAfter !== true) add('before', row);
    if (isAfter === true || same) add('after', row);
  }
  const moved = [...totals.values()].some(({ before, after }) => before !== after);
  for (const [name, mover] of moved ? await movers(engine, keys, metrics, columns) : []) {
    const total = totals.get(name);
    if (total !== undefined && total.before !== total.after) total.mover = mover;
  }
  return [...totals.values()]
    .map((total) => ({ ...total, relative: relativeChange(total.before, total.after) }))
    .sort(
      (a, b) =>
        metrics.indexOf(a.metric) - metrics.indexOf(b.metric) ||
        Number(a.forecast) - Number(b.forecast) ||
        compareText(a.fx ?? '', b.fx ?? '') ||
        a.year - b.year,
    );
}

/** Of every total, the country whose part of it changed most. */
async function movers(
  engine: Engine,
  keys: Keys,
  metrics: readonly string[],
  columns: readonly string[],
): Promise<(readonly [string, Mover])[]> {
  const values = columns.flatMap((column, i) => [
    `SELECT ${i} AS metric, fx, year, forecast, country, ${column} AS v FROM cells_after`,
    `SELECT ${i}, fx, year, forecast, country, -${column} FROM cells_before`,
  ]);
  const found = await engine.rows(
    `SELECT metric, fx, year, forecast, arg_max(country, abs(d)), arg_max(d, abs(d))
     FROM (SELECT metric, fx, year, forecast, country, sum(v) AS d FROM (${values.join(' UNION ALL ')})
       WHERE v IS NOT NULL GROUP BY ALL HAVING sum(v) <> 0) GROUP BY metric, fx, year, forecast`,
  );
  return found.map(([metric, fx, year, forecast, country, by]) => {
    const currency = fx === null ? null : String(keys.valueOf('fx', fx));
    const name = JSON.stringify([
      metrics[Number(metric)],
      forecast,
      currency,
      Number(keys.valueOf('year', year)),
    ]);
    return [name, { country: String(keys.valueOf('country', country)), by: Number(by) }];
  });
}

/** A country's total of a year that moved by less is no reason to look at it. */
const LOOKED_AT = 0.1;

/** Countries whose totals of closed years moved by 10 % or more; what they report for the first time is no move. */
export async function countryMovesOf(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
): Promise<readonly CountryMove[]> {
  const metrics = metricNames(dataset).filter((metric) => datasetOf(dataset).metrics[metric]?.addsUp);
  if (metrics.length === 0) return [];
  const moves = metrics.map((metric, i) => {
    const m = `m${metricNames(dataset).indexOf(metric)}`;
    return `SELECT ${i} AS metric, country, year, fx, b.${m} AS b, a.${m} AS a FROM pairs
      WHERE b.${m} <> 0 AND a.${m} IS NOT NULL`;
  });
  const rows = await engine.rows(
    `WITH pairs AS (SELECT b.country, b.year, b.fx, b, a FROM cells_before b
         JOIN cells_after a ON b.country = a.country AND b.year = a.year AND b.fx IS NOT DISTINCT FROM a.fx
         WHERE NOT b.forecast AND NOT a.forecast AND ${years.closedCodes(keys, 'b.year')})
     SELECT metric, country, avg(moved), max(moved), arg_max(year, moved), arg_max(fx, moved), arg_max(b, moved), arg_max(a, moved)
     FROM (SELECT *, abs(a / b - 1) AS moved FROM (${moves.join(' UNION ALL ')}))
     GROUP BY metric, country HAVING max(moved) >= ${LOOKED_AT} ORDER BY metric, avg(moved) DESC, country`,
  );
  return rows.map(([metric, country, mean, largest, year, fx, before, after]) => ({
    metric: metrics[Number(metric)] ?? '',
    country: String(keys.valueOf('country', country)),
    mean: Number(mean),
    largest: Number(largest),
    year: Number(keys.valueOf('year', year)),
    fx: fx === null ? null : String(keys.valueOf('fx', fx)),
    before: Number(before),
    after: Number(after),
  }));
}

/** The rows of a table of packed keys that count in a total. */
function rowsCountedOnce(keys: Keys, table: string): string {
  // '' sorts first, so its code is 0, and `without` leaves the key of the country's own row.
  if (!keys.has('state') || keys.codeOf('state', '') !== 0) return `FROM ${table}`;
  return countedOnce(table, { isWhole: `${keys.code('state')} = 0`, same: keys.without('state') });
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

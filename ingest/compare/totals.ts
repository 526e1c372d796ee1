// Totals by metric, currency and year on both sides: each country counted once, forecasts apart.

import { type DatasetName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { Engine, Value } from './engine.ts';
import type { Keys } from './keys.ts';
import { relativeChange, type Total } from './types.ts';
import type { Years } from './years.ts';

/** The totals of the metrics that add up; needs the tables of `withMatched` and `arrived`. */
export async function totalsOf(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
): Promise<readonly Total[]> {
  const metrics = metricNames(dataset).filter((metric) => datasetOf(dataset).metrics[metric]?.addsUp);
  if (metrics.length === 0) return [];
  const fx = keys.has('fx') ? keys.code('fx') : 'NULL::INTEGER';
  const counted = countedOnce(keys);
  const sums = (table: string, forecast: string, joined: string) => {
    const sum = (which: string) => metrics.map((m) => `kahan_sum(${m}) FILTER (${which})`).join(', ');
    return engine.rows(
      `SELECT ${fx}, ${keys.code('year')}, ${forecast}, ${sum('true')}, ${sum(joined)}
       FROM (${counted(table)}) GROUP BY ALL`,
    );
  };
  // A late report takes the place of a forecast; it did not make the reported figures of the year grow.
  const key = `(${keys.columns.join(', ')})`;
  const wasForecast = `(${years.isForecast(keys)} OR ${key} IN (SELECT ${key} FROM arrived))`;
  const at = `(${keys.code('country')}, ${keys.code('year')})`;
  const hasJoined = `${at} NOT IN (SELECT DISTINCT ${at} FROM rows_before)`;
  const [before, after] = await engine.onOneThread(async () => [
    await sums('rows_before', years.isForecast(keys), 'false'),
    await sums('rows_after', wasForecast, hasJoined),
  ]);
  const totals = new Map<string, { -readonly [Part in keyof Total]: Total[Part] }>();
  const add = (
    side: 'before' | 'after',
    [fxCode, yearCode, isForecast, ...values]: readonly (Value | undefined)[],
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
      };
      total[side] = Number(value);
      total.joined += Number(values[metrics.length + i] ?? 0);
      totals.set(name, total);
    }
  };
  for (const row of before) add('before', row);
  for (const row of after) add('after', row);
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

/** Countries as a whole, and states where a country has no row of its own that is alike in all else. */
function countedOnce(keys: Keys): (table: string) => string {
  const columns = keys.columns.join(', ');
  const whole = keys.codeOf('state', '');
  // '' sorts first: its code is 0, and `without` leaves the country's own key.
  if (whole !== 0) return (table) => `FROM ${table}`;
  const own = keys.without('state').map((column, i) => `${column} AS own${i}`);
  const same = keys.columns.map((column, i) => `own${i} = c.${column}`).join(' AND ');
  return (table) =>
    `FROM ${table} WHERE ${keys.code('state')} = 0
     UNION ALL SELECT * EXCLUDE (${own.map((_, i) => `own${i}`).join(', ')})
     FROM (SELECT *, ${own.join(', ')} FROM ${table} WHERE ${keys.code('state')} <> 0) s
     ANTI JOIN (SELECT ${columns} FROM ${table} WHERE ${keys.code('state')} = 0) c ON ${same}`;
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

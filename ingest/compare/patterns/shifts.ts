// The tables that patterns are found in: every cell that differs, with its dimensions as codes.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys.ts';
import { KIND } from '../matched.ts';
import type { RowChanges } from '../types.ts';
import type { Years } from '../years.ts';

/** What the steps that look for patterns share. */
export interface Search {
  readonly engine: Engine;
  readonly dataset: DatasetName;
  readonly keys: Keys;
  readonly years: Years;
  readonly metrics: readonly string[];
  readonly rows: RowChanges;
}

/** How many cells of each kind `shifts` holds: a step without a cell to look at is left out. */
export interface ShiftCounts {
  readonly added: number;
  readonly removed: number;
  readonly revised: number;
}

/** The dimensions of a dataset as codes, each under its own name. */
export const decoded = ({ dataset, keys }: Pick<Search, 'dataset' | 'keys'>, row = ''): string =>
  datasetOf(dataset)
    .dimensions.map((dimension) => `${keys.code(dimension, row)} AS ${dimension}`)
    .join(', ');

/**
 * Fills `shifts`: a row per added or removed row (metric 0) and per revised value, with the codes of its dimensions,
 * `b` and `a` (value before and after), `forecast`, `settled` (reported, of a closed year), `weight` (its part of the
 * country's total of that year and currency), and `told` (some pattern holds it already). Forecasts that became
 * reported figures are revised values. Needs the tables of `withMatched`, `arrived` and `cells_before`.
 */
export async function findShifts({ engine, dataset, keys, years, rows }: Search): Promise<ShiftCounts> {
  const metrics = metricNames(dataset);
  const withoutTemporal = rows.arrived > 0 ? `(${keys.without('temporal').join(', ')})` : null;
  const hasArrived =
    withoutTemporal === null
      ? 'false'
      : `kind <> ${KIND.revised} AND ${withoutTemporal} IN (SELECT ${withoutTemporal} FROM arrived)`;
  const cells = metrics.map((metric, i) => {
    const which = [
      `(kind = ${KIND.revised} AND ${metric}_before IS DISTINCT FROM ${metric}_after)`,
      ...(i === 0 ? [`(kind <> ${KIND.revised} AND NOT (${hasArrived}))`] : []),
    ];
    return `SELECT ${decoded({ dataset, keys })}, kind, ${i} AS metric, ${metric}_before AS b, ${metric}_after AS a,
        ${years.isForecast(keys)} AS forecast, ${years.closed(keys)} AND NOT ${years.isForecast(keys)} AS settled, false AS first
      FROM changed WHERE ${which.join(' OR ')}`;
  });
  cells.push(...(withoutTemporal === null ? [] : metrics.map((metric, i) => firstReport(metric, i))));
  const fx = keys.has('fx') ? 'AND c.fx = s.fx' : '';
  const total = metrics.map((_, i) => `WHEN ${i} THEN c.m${i}`).join(' ');
  await engine.run(
    `CREATE OR REPLACE TABLE shifts AS
     SELECT s.* EXCLUDE (first), greatest(coalesce(abs(s.b), 0), CASE WHEN s.kind = ${KIND.added} THEN coalesce(abs(s.a), 0) ELSE 0 END)
         / nullif(CASE s.metric ${total} END, 0) AS weight, false AS told
     FROM (${cells.join(' UNION ALL ')}) s
     LEFT JOIN cells_before c ON c.country = s.country AND c.year = s.year ${fx} AND c.forecast = (s.forecast OR s.first)`,
  );
  /** A first report beside its forecast: it may differ as it likes, but not by a factor of ten. */
  function firstReport(metric: string, i: number): string {
    const same = keys.without('temporal').map((column, n) => `${column} AS rest${n}`);
    const rest = same.map((_, n) => `rest${n}`).join(', ');
    return `SELECT ${decoded({ dataset, keys })}, ${KIND.revised} AS kind, ${i} AS metric, f.b, ${metric}_after AS a,
        false AS forecast, false AS settled, true AS first
      FROM (SELECT *, ${same.join(', ')} FROM changed WHERE kind = ${KIND.added}
        AND (${keys.columns.join(', ')}) IN (SELECT (${keys.columns.join(', ')}) FROM arrived))
      JOIN (SELECT ${metric}_before AS b, ${same.join(', ')} FROM changed WHERE kind = ${KIND.removed} AND ${years.isForecast(keys)}) f USING (${rest})
      WHERE ${metric}_after IS DISTINCT FROM f.b`;
  }
  const of = (kind: keyof typeof KIND) => `count(*) FILTER (kind = ${KIND[kind]})`;
  const [added = 0, removed = 0, revised = 0] = await engine.counts(
    `SELECT ${of('added')}, ${of('removed')}, ${of('revised')} FROM shifts`,
  );
  return { added, removed, revised };
}

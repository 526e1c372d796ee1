// What a pattern amounts to: its part of the country and of the dataset, how far it moved, and its largest cells.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import { KIND } from '../matched.ts';
import { type Pattern, relativeChange } from '../types.ts';
import type { Search } from './shifts.ts';

const EXAMPLES = 3;

/** @param cells A SQL condition over `shifts`: the cells of the pattern. */
export async function describePattern(
  { engine, dataset, keys, metrics }: Search,
  pattern: Pick<Pattern, 'family' | 'metric' | 'place' | 'forecast' | 'cells' | 'of' | 'between'>,
  cells: string,
): Promise<Pattern> {
  const { family, metric, place, forecast, cells: count, of, between } = pattern;
  const fx = keys.has('fx') ? ', fx' : '';
  const [[share, history, ratio, effect] = []] = await engine.rows(
    `SELECT avg(part), sum(part) / nullif((SELECT count(*) FROM cells_before WHERE forecast = ${forecast}
         AND country IN (SELECT country FROM shifts WHERE ${cells})), 0), sum(now) / nullif(sum(part), 0), avg(effect) FROM (
       SELECT sum(weight) AS part, sum(weight * a / nullif(b, 0)) AS now, sum(abs(a / nullif(b, 0) - 1) * weight) AS effect
       FROM shifts WHERE ${cells} GROUP BY country, year ${fx})`,
  );
  const m = Math.max(0, metrics.indexOf(metric ?? ''));
  const currency = fx === '' ? '' : 'WHERE fx = (SELECT mode(fx) FROM concerned)';
  const pairs = fx === '' ? 'year' : '(fx, year)';
  const inAll = fx === '' ? '' : 'fx = (SELECT mode(fx) FROM concerned) AND';
  const [[ofDataset] = []] = await engine.rows(
    `WITH concerned AS (FROM shifts WHERE ${cells})
     SELECT (SELECT sum(abs(coalesce(b, a))) FROM concerned ${currency})
       / nullif((SELECT sum(abs(m${m})) FROM cells_before WHERE ${inAll} forecast = ${forecast} AND ${pairs} IN (SELECT DISTINCT ${pairs} FROM concerned)), 0)`,
  );
  const { dimensions } = datasetOf(dataset);
  const examples = await engine.rows(
    `SELECT metric, b, a, kind, ${dimensions.join(', ')} FROM shifts WHERE ${cells}
     ORDER BY weight DESC NULLS LAST, ${dimensions.join(', ')} LIMIT ${EXAMPLES}`,
  );
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  return {
    family,
    metric,
    place,
    forecast,
    cells: count,
    of,
    countryShare: number(share) ?? 0,
    historyShare: number(history) ?? 0,
    effect: number(effect) ?? 0,
    datasetShare: number(ofDataset),
    ratio: family === 'moved' || family === 'leap' ? number(ratio) : null,
    between,
    examples: examples.map(([metricAt, b, a, kind, ...codes]) => {
      const from = Number(kind) === KIND.added ? null : number(b);
      const to = Number(kind) === KIND.removed ? null : number(a);
      return {
        key: keys.keyOf(codes),
        metric: metrics[Number(metricAt)] ?? '',
        from,
        to,
        relative: relativeChange(from, to),
      };
    }),
  };
}

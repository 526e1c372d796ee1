// Finds values that are gone and new ones with the same numbers: likely one value under another name.

import {
  type DatasetName,
  type DimensionName,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Engine } from './engine.ts';
import type { Keys } from './keys.ts';
import { KIND } from './matched.ts';
import type { DimensionChange, Twin } from './types.ts';

/** Numbers that are revised by no more than this in the month of a renaming are still the same. */
const ALIKE = 0.01;

/** Of the rows that hold a value, the part that must be alike. */
const MOST = 0.5;

export async function findTwins(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  changes: readonly DimensionChange[],
): Promise<readonly Twin[]> {
  const metrics = metricNames(dataset);
  const twins: Twin[] = [];
  for (const { dimension, appeared, vanished } of changes) {
    if (dimensionOf(dimension).type !== 'text' || metrics.length === 0) continue;
    if (appeared.length === 0 || vanished.length === 0) continue;
    const gone = new Map(vanished.map((one) => [one.value, one]));
    for (const [from, to, alike] of await engine.rows(alikeRows(dimension, metrics, keys, changes))) {
      const [old, fresh] = [keys.valueOf(dimension, from), keys.valueOf(dimension, to)];
      const { rows = 0, countries = [] } = gone.get(old) ?? {};
      if (Number(alike) < MOST * rows) continue;
      twins.push({ dimension, from: String(old), to: String(fresh), countries, rows, alike: Number(alike) });
    }
  }
  return twins;
}

/** Pairs of codes, one gone and one new, with the number of rows that agree in all else. */
function alikeRows(
  dimension: DimensionName,
  metrics: readonly string[],
  keys: Keys,
  changes: readonly DimensionChange[],
): string {
  const change = changes.find((one) => one.dimension === dimension);
  const codes = (values: DimensionChange['appeared']) =>
    values.map(({ value }) => keys.codeOf(dimension, value)).join(', ');
  const rest = keys.without(dimension).map((column, i) => `${column} AS rest${i}`);
  const side = (kind: number, of: string) =>
    `SELECT ${keys.code(dimension)} AS code, ${[...rest, ...metrics.map((m) => `${m}_${of} AS ${m}`)].join(', ')}
     FROM changed WHERE kind = ${kind}`;
  const same = metrics.map(
    (m) => `(g.${m} IS NOT DISTINCT FROM n.${m} OR abs(n.${m} - g.${m}) <= ${ALIKE} * abs(g.${m}))`,
  );
  // Rows of nothing but zeros say nothing.
  const says = metrics.map((m) => `coalesce(g.${m}, 0) <> 0`).join(' OR ');
  return `SELECT g.code, n.code, count(*)::INTEGER AS alike
    FROM (${side(KIND.removed, 'before')}) g JOIN (${side(KIND.added, 'after')}) n
      ON ${rest.map((_, i) => `g.rest${i} = n.rest${i}`).join(' AND ')}
    WHERE g.code IN (${codes(change?.vanished ?? [])}) AND n.code IN (${codes(change?.appeared ?? [])})
      AND ${same.join(' AND ')} AND (${says})
    GROUP BY ALL ORDER BY g.code, alike DESC, n.code`;
}

// Finds groups of rows whose every value of a metric is that of before times a power of ten: another unit.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  metricNames,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import type { Engine } from './engine.ts';
import type { Keys } from './keys.ts';
import { KIND } from './matched.ts';
import type { ScaledGroup } from './types.ts';

/** What units are confused by: tens, percent, thousands, millions. */
const POWERS = [-6, -3, -2, -1, 1, 2, 3, 6];

/** Values may be revised by so much in the same month and still be scaled. */
const REVISED = 0.05;

/** Fewer values than this must be scaled exactly, and by more than 10: a small number may well become ten times as large. */
const FEW = 3;
const EXACTLY = 1e-6;

/** The groups, largest first; one inside another that is told is not told again. */
export async function findScaled(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
): Promise<readonly ScaledGroup[]> {
  const found: ScaledGroup[] = [];
  for (const metric of await candidates(engine, dataset)) {
    await findCandidates(engine, keys, metric);
    for (const dimensions of groupings(dataset)) {
      for (const group of await wholeGroups(engine, keys, dimensions)) found.push({ metric, ...group });
      await markTold(engine, keys, dimensions);
    }
  }
  return found;
}

const CANDIDATE = `power IN (${POWERS.join(', ')}) AND abs(ratio / 10.0 ** power - 1) <= ${REVISED}`;

/** `ratio` and `power` of the values of a metric that both sides have, with `columns` besides. */
const ratios = (metric: string, columns: string) =>
  `SELECT *, round(log10(ratio))::INTEGER AS power
   FROM (SELECT ${columns}, ${metric}_after / ${metric}_before AS ratio FROM changed
     WHERE kind = ${KIND.revised} AND ${metric}_before * ${metric}_after > 0) WHERE ratio > 0 AND isfinite(ratio)`;

/** The metrics with a value that may be scaled: hardly ever any. */
async function candidates(engine: Engine, dataset: DatasetName): Promise<readonly string[]> {
  const metrics = metricNames(dataset);
  if (metrics.length === 0) return [];
  const each = metrics.map((metric, i) => ratios(metric, `${i} AS metric`));
  const found = await engine.rows(
    `SELECT DISTINCT metric FROM (${each.join(' UNION ALL ')}) WHERE ${CANDIDATE} ORDER BY metric`,
  );
  return found.flatMap(([i]) => metrics[Number(i)] ?? []);
}

/** Fills `scaled` with the values that may be scaled, and `comparable` with what could have been: numbers on both sides. */
async function findCandidates(engine: Engine, keys: Keys, metric: string): Promise<void> {
  const columns = keys.columns.join(', ');
  await engine.run(
    `CREATE OR REPLACE TABLE scaled AS
     SELECT ${columns}, power, abs(ratio / 10.0 ** power - 1) <= ${EXACTLY} AS exactly, false AS told
     FROM (${ratios(metric, columns)}) WHERE ${CANDIDATE}`,
    `CREATE OR REPLACE TABLE comparable AS SELECT ${columns} FROM rows_before b JOIN rows_after a USING (${columns})
     WHERE b.${metric} <> 0 AND a.${metric} <> 0`,
  );
}

/** Everything; rows that share one value; rows of a country that share another; the finest last. */
function groupings(dataset: DatasetName): readonly (readonly DimensionName[])[] {
  const order = rowOrder(dataset);
  const pairs = order
    .filter((d) => d !== 'country' && d !== 'region')
    .map((d): DimensionName[] => ['country', d]);
  const last: DimensionName[] = [
    'country',
    'year',
    ...datasetOf(dataset).dimensions.filter((d) => d === 'fx'),
  ];
  return [[], ...order.map((d): DimensionName[] => [d]), ...pairs, last];
}

/** The groups by these dimensions in which every comparable value is scaled alike, and any is not told yet. */
async function wholeGroups(
  engine: Engine,
  keys: Keys,
  dimensions: readonly DimensionName[],
): Promise<Omit<ScaledGroup, 'metric'>[]> {
  const codes = dimensions.map((dimension, i) => `${keys.code(dimension)} AS g${i}`);
  const names = dimensions.map((_, i) => `g${i}`);
  const selected = (more: string) => [...codes, more].join(', ');
  const using = names.length === 0 ? 'ON true' : `USING (${names.join(', ')})`;
  const trusted = dimensions.length === 0 ? 'true' : `(n >= ${FEW} OR (exactly AND abs(power) > 1))`;
  await engine.run(
    `CREATE OR REPLACE TABLE whole AS SELECT ${[...names, 'power', 'n'].join(', ')}
     FROM (SELECT ${selected('count(*)::INTEGER AS n, min(power) AS power, max(power) AS most, bool_and(exactly) AS exactly, bool_and(told) AS told')}
       FROM scaled GROUP BY ALL)
     JOIN (SELECT ${selected('count(*)::INTEGER AS of')} FROM comparable GROUP BY ALL) ${using}
     WHERE n = of AND power = most AND NOT told AND ${trusted}`,
  );
  const found = await engine.rows(`SELECT power, n, ${['1', ...names].join(', ')} FROM whole ORDER BY ALL`);
  return found.map(([power, values, , ...group]) => ({
    group: Object.fromEntries(dimensions.map((d, i) => [d, keys.valueOf(d, group[i])])),
    factor: 10 ** Number(power),
    values: Number(values),
  }));
}

async function markTold(engine: Engine, keys: Keys, dimensions: readonly DimensionName[]): Promise<void> {
  const inside = dimensions.map((dimension, i) => `${keys.code(dimension, 'scaled.')} = g${i}`);
  await engine.run(`UPDATE scaled SET told = true FROM whole WHERE ${['true', ...inside].join(' AND ')}`);
}

// What the matched rows of a dataset say: counts, the rows and values that differ, and where rows came and went.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import type { Engine } from './engine.ts';
import type { Keys } from './keys.ts';
import { KIND } from './matched.ts';
import {
  type CoverageChange,
  type DimensionChange,
  type Key,
  type LostValue,
  type MetricChanges,
  type Revision,
  type RevisionSize,
  type RowChanges,
  relativeChange,
} from './types.ts';
import type { Years } from './years.ts';

/** A closed year's value that moved further than this was not merely refined. */
const MUCH = 0.05;

/** Sources round percentages to a tenth: 1.2 → 1.3 is no revision worth a word, though it is 8 %. */
const TENTH_OF_A_POINT = 0.1;

/** 1 → 1.05 is 5 % and not more, though doubles make it a little more. */
const ROUNDING = 1 + 1e-12;

/**
 * Counts the rows of `changed`, and puts the added ones that replace a removed forecast into the table `arrived`.
 */
export async function rowChanges(
  engine: Engine,
  keys: Keys,
  years: Years,
  before: DatasetManifest,
  after: DatasetManifest,
): Promise<RowChanges> {
  const of = (kind: keyof typeof KIND) => `count(*) FILTER (kind = ${KIND[kind]})`;
  const [added = 0, removed = 0, revised = 0] = await engine.counts(
    `SELECT ${of('added')}, ${of('removed')}, ${of('revised')} FROM changed`,
  );
  const mayArrive = added > 0 && removed > 0 && keys.has('temporal');
  const rest = mayArrive ? keys.without('temporal').join(', ') : '';
  await engine.run(
    `CREATE OR REPLACE TABLE arrived AS SELECT ${keys.columns.join(', ')} FROM changed WHERE ${
      mayArrive
        ? `kind = ${KIND.added} AND NOT ${years.isForecast(keys)} AND (${rest}) IN
             (SELECT (${rest}) FROM changed WHERE kind = ${KIND.removed} AND ${years.isForecast(keys)})`
        : 'false'
    }`,
  );
  const [arrived = 0] = mayArrive ? await engine.counts('SELECT count(*) FROM arrived') : [];
  return { before: before.rows, after: after.rows, added, removed, revised, arrived };
}

/** Values that one side alone has, as the manifests count them. */
export async function dimensionChanges(
  engine: Engine,
  keys: Keys,
  dataset: DatasetName,
  before: DatasetManifest,
  after: DatasetManifest,
  coverage: readonly CoverageChange[],
): Promise<readonly DimensionChange[]> {
  const inYear = (year: number, side: 'before' | 'after') =>
    coverage.reduce((rows, at) => (at.year === year ? rows + at[side] : rows), 0);
  const valuesOf = (
    dimension: DimensionName,
    { years, dimensions }: DatasetManifest,
    side: 'before' | 'after',
  ) =>
    dimensionOf(dimension).type === 'integer'
      ? years.map((value) => ({ value, rows: inYear(value, side) }))
      : (dimensions[dimension] ?? []);
  const changes: DimensionChange[] = [];
  for (const dimension of datasetOf(dataset).dimensions) {
    const old = valuesOf(dimension, before, 'before');
    const fresh = valuesOf(dimension, after, 'after');
    const known = (values: typeof old) => new Set<string | number>(values.map(({ value }) => value));
    const [inOld, inFresh] = [known(old), known(fresh)];
    const appeared = fresh.filter(({ value }) => !inOld.has(value));
    const gone = old.filter(({ value }) => !inFresh.has(value));
    if (appeared.length + gone.length === 0) continue;
    const countries = await countriesOf(
      engine,
      keys,
      dimension,
      gone.map(({ value }) => value),
    );
    const vanished = gone.map((one) => ({ ...one, countries: countries.get(one.value) ?? [] }));
    changes.push({ dimension, appeared, vanished });
  }
  return changes;
}

/** How many countries of a value that is gone are named. */
const COUNTRIES = 4;

async function countriesOf(
  engine: Engine,
  keys: Keys,
  dimension: DimensionName,
  values: readonly (string | number)[],
): Promise<ReadonlyMap<string | number, readonly string[]>> {
  if (values.length === 0) return new Map();
  const codes = values.map((value) => keys.codeOf(dimension, value));
  const found = await engine.rows(
    `SELECT DISTINCT ${keys.code(dimension)} AS code, ${keys.code('country')} AS country FROM rows_before
     WHERE code IN (${codes.join(', ')}) ORDER BY ALL`,
  );
  const countries = new Map<string | number, string[]>();
  for (const [code, country] of found) {
    const value = keys.valueOf(dimension, code);
    const named = countries.get(value) ?? [];
    countries.set(value, named);
    if (named.length < COUNTRIES) named.push(String(keys.valueOf('country', country)));
  }
  return countries;
}

/** Rows per country and year wherever a side has any; none for a lookup. */
export async function coverageOf(engine: Engine, keys: Keys): Promise<readonly CoverageChange[]> {
  if (!keys.has('year')) return [];
  const side = (table: string) =>
    `SELECT ${keys.code('country')} AS country, ${keys.code('year')} AS year, count(*)::INTEGER AS n FROM ${table} GROUP BY ALL`;
  const found = await engine.rows(
    `SELECT country, year, coalesce(b.n, 0), coalesce(a.n, 0)
     FROM (${side('rows_before')}) b FULL JOIN (${side('rows_after')}) a USING (country, year) ORDER BY ALL`,
  );
  return found.map(([country, year, before, after]) => ({
    country: String(keys.valueOf('country', country)),
    year: Number(keys.valueOf('year', year)),
    before: Number(before),
    after: Number(after),
  }));
}

/**
 * Years and currencies of which a country lost every reported figure, though others still have them. Years and
 * currencies of figures are looked up in the tables of `sumCells`, local currencies in the rows.
 */
export async function lostValues(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
): Promise<readonly LostValue[]> {
  const inCells = (dimension: DimensionName) => dimension === 'year' || dimension === 'fx';
  const concerned = datasetOf(dataset).dimensions.filter(
    (dimension) => dimension === 'year' || dimensionOf(dimension).form === 'currency',
  );
  if (concerned.length === 0) return [];
  const each = concerned.map((dimension, i) => {
    const code = inCells(dimension) ? dimension : keys.code(dimension);
    const country = inCells(dimension) ? 'country' : keys.code('country');
    const pair = `SELECT DISTINCT ${country} AS country, ${code} AS code`;
    const [had, reported, has] = inCells(dimension)
      ? ['cells_before', 'NOT forecast', 'cells_after']
      : ['changed', `kind = ${KIND.removed} AND NOT ${years.isForecast(keys)}`, 'rows_after'];
    return `SELECT ${i} AS dimension, country, code FROM
      (${pair} FROM ${had} WHERE ${reported}) ANTI JOIN (${pair} FROM ${has}) USING (country, code)
      WHERE country IN (SELECT ${country} FROM ${has}) AND code IN (SELECT ${code} FROM ${has})`;
  });
  const found = await engine.rows(`${each.join(' UNION ALL ')} ORDER BY ALL`);
  return found.flatMap(([i, country, code]) => {
    const dimension = concerned[Number(i)];
    if (dimension === undefined) return [];
    const value = keys.valueOf(dimension, code);
    return [{ country: String(keys.valueOf('country', country)), dimension, value }];
  });
}

/** How the values of every metric changed: one pass over `changed`, and one over the rows before. */
export async function metricChanges(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  years: Years,
  before: DatasetManifest,
  after: DatasetManifest,
): Promise<Readonly<Record<string, MetricChanges>>> {
  const metrics = metricNames(dataset);
  if (metrics.length === 0) return {};
  const settled = `(${years.closed(keys)} AND NOT ${years.isForecast(keys)})`;
  const much = (metric: string) =>
    datasetOf(dataset).metrics[metric]?.unit === 'percent'
      ? `greatest(${MUCH} * abs(${metric}_before), ${TENTH_OF_A_POINT})`
      : `${MUCH} * abs(${metric}_before)`;
  const values = metrics.map(
    (metric, i) =>
      `SELECT ${i} AS metric, kind, country, settled, ${metric}_before AS f, ${metric}_after AS t, ${much(metric)} * ${ROUNDING} AS much
       FROM noted WHERE ${metric}_before IS DISTINCT FROM ${metric}_after`,
  );
  const both = `(kind = ${KIND.revised} AND f IS NOT NULL AND t IS NOT NULL)`;
  const muchMoved = `settled AND ${both} AND abs(t - f) > much`;
  const counted = await engine.rows(
    `WITH noted AS MATERIALIZED (SELECT *, ${keys.code('country')} AS country, ${settled} AS settled FROM changed)
     SELECT metric, count(*) FILTER (${both}),
       count(*) FILTER (kind = ${KIND.revised} AND f IS NULL),
       count(*) FILTER (kind = ${KIND.revised} AND t IS NULL),
       count(*) FILTER (settled AND f IS NOT NULL AND t IS NULL),
       count(*) FILTER (${muchMoved}), count(DISTINCT country) FILTER (${muchMoved}),
       ${SIZES.flatMap((upTo) => ['<', '>'].map((way) => `count(*) FILTER (${both} AND t ${way} f AND ${within(upTo, 'f', 't')})`)).join(', ')}
     FROM (${values.join(' UNION ALL ')}) GROUP BY metric`,
  );
  const closedBefore = await engine.counts(
    `SELECT ${metrics.map((metric) => `count(${metric})`).join(', ')} FROM rows_before WHERE ${settled}`,
  );
  const byMetric = new Map(counted.map(([metric, ...counts]) => [Number(metric), counts.map(Number)]));
  const found: Record<string, MetricChanges> = {};
  for (const [i, metric] of metrics.entries()) {
    const [
      revised = 0,
      filled = 0,
      emptied = 0,
      closedGone = 0,
      closedRevised = 0,
      closedCountries = 0,
      ...moved
    ] = byMetric.get(i) ?? [];
    const [from, to] = [`${metric}_before`, `${metric}_after`];
    const which = `${settled} AND kind = ${KIND.revised} AND abs(${to} - ${from}) > ${much(metric)} * ${ROUNDING}`;
    found[metric] = {
      revised,
      sizes: sizesOf(revised, moved),
      filled,
      emptied,
      nullsBefore: before.metrics[metric]?.nulls ?? 0,
      nullsAfter: after.metrics[metric]?.nulls ?? 0,
      closedValues: (closedBefore[i] ?? 0) - closedGone,
      closedRevised,
      closedCountries,
      closedLargest: closedRevised === 0 ? [] : await largestOf(engine, keys, metric, which),
    };
  }
  return found;
}

/** How many of the largest revisions of closed years are cited. */
const CITED = 3;

/** The values that moved furthest of those that `which` holds for; from 0 is further than any share. */
async function largestOf(
  engine: Engine,
  keys: Keys,
  metric: string,
  which: string,
): Promise<readonly Revision[]> {
  const found = await engine.rows(
    `SELECT ${metric}_before, ${metric}_after, ${keys.codes()} FROM changed WHERE ${which}
     ORDER BY abs((${metric}_after - ${metric}_before) / nullif(${metric}_before, 0)) DESC NULLS FIRST, ${keys.columns.join(', ')}
     LIMIT ${CITED}`,
  );
  return found.map(([from, to, ...codes]) => ({
    key: keys.keyOf(codes),
    metric,
    from: Number(from),
    to: Number(to),
    relative: relativeChange(Number(from), Number(to)),
  }));
}

/** What shares of their values revisions are counted by. */
const SIZES = [0.001, 0.01, 0.05, 0.15, 1, null] as const;

const within = (upTo: number | null, from: string, to: string) =>
  upTo === null ? 'true' : `abs(${to} - ${from}) <= ${upTo} * abs(${from})`;

/** From counts up to each size to counts of those between; none where nothing was revised. */
function sizesOf(revised: number, moved: readonly number[]): readonly RevisionSize[] {
  if (revised === 0) return [];
  const upTo = (i: number, way: 0 | 1) => (i < 0 ? 0 : (moved[2 * i + way] ?? 0));
  return SIZES.map((size, i) => ({
    upTo: size,
    down: upTo(i, 0) - upTo(i - 1, 0),
    up: upTo(i, 1) - upTo(i - 1, 1),
  }));
}

/** Values that differ, at most `limit` each of those emptied, revised and filled; from 0 is further than any share. */
export async function revisionsOf(
  engine: Engine,
  dataset: DatasetName,
  keys: Keys,
  limit: number,
): Promise<readonly Revision[]> {
  const metrics = metricNames(dataset);
  if (metrics.length === 0) return [];
  const columns = keys.columns.join(', ');
  const each = metrics.map(
    (metric, i) =>
      `SELECT ${columns}, ${i} AS metric, ${metric}_before AS old, ${metric}_after AS new FROM changed
       WHERE kind = ${KIND.revised} AND ${metric}_before IS DISTINCT FROM ${metric}_after`,
  );
  const found = await engine.rows(
    `SELECT metric, old, new, ${keys.codes()}
     FROM (SELECT *, CASE WHEN old IS NULL THEN 2 WHEN new IS NULL THEN 0 ELSE 1 END AS kind,
         abs((new - old) / nullif(old, 0)) AS share FROM (${each.join(' UNION ALL ')}))
     QUALIFY row_number() OVER (PARTITION BY kind ORDER BY share DESC NULLS FIRST, ${columns}, metric) <= ${limit}
     ORDER BY kind, share DESC NULLS FIRST, ${columns}, metric`,
  );
  return found.map(([metric, old, fresh, ...codes]) => {
    const [from, to] = [old, fresh].map((value) => (value === null ? null : Number(value)));
    return {
      key: keys.keyOf(codes),
      metric: metrics[Number(metric)] ?? '',
      from: from ?? null,
      to: to ?? null,
      relative: relativeChange(from ?? null, to ?? null),
    };
  });
}

/** The first rows of one side alone, in row order. */
export async function rowsOf(
  engine: Engine,
  keys: Keys,
  kind: 'added' | 'removed',
  limit: number,
): Promise<readonly Key[]> {
  const found = await engine.rows(
    `SELECT ${keys.codes()} FROM changed WHERE kind = ${KIND[kind]} ORDER BY ${keys.columns.join(', ')} LIMIT ${limit}`,
  );
  return found.map((codes) => keys.keyOf(codes));
}

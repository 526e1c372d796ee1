// Finds out by cheap queries which of the expensive checks could report anything. In most months none of them can.
//
// For rows in memory, `suspectsInMemory.ts` finds out the same.

import {
  additiveMetrics,
  type DatasetName,
  type DimensionName,
  datasetOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Staging } from '../staging/database/staging.ts';
import { EVERY_METRIC, stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckInput } from './checkInput.ts';
import { columnsWithout, queryStaging } from './stagedPlaces.ts';
import type { StagedRows } from './stagedRows.ts';
import { haveDuplicates, mayHaveSums, type SumSearch } from './suspectsInMemory.ts';
import type { UsedValues } from './usedValues.ts';

/** The datasets and dimensions in which rows may be duplicates or sums. The expensive checks run for these only. */
export class Suspects {
  readonly #found: ReadonlySet<string>;
  readonly #used: UsedValues;

  private constructor(found: ReadonlySet<string>, used: UsedValues) {
    this.#found = found;
    this.#used = used;
  }

  /**
   * Runs the cheap queries about the datasets with several rows. For the rows in `rowsInMemory` no queries are needed.
   */
  static async of({
    staging,
    datasetsWithSeveralRows,
    usedValues,
    rowsInMemory,
  }: Pick<
    CheckInput,
    'staging' | 'datasetsWithSeveralRows' | 'usedValues' | 'rowsInMemory'
  >): Promise<Suspects> {
    /** The duplicates and sums that the rows may have, as `probeKey` names them. */
    const suspicious = new Set<string>();
    const probes = new Map<string, Probe>();
    const isLarge = (dataset: DatasetName) => usedValues.rows(dataset) > MOST_ROWS_ASKED_TOGETHER;
    for (const dataset of datasetsWithSeveralRows) {
      const rows = rowsInMemory.get(dataset);
      const possible = sumsOf(dataset).filter((over) => canHaveSums(dataset, over, usedValues));
      if (rows === undefined)
        for (const probe of probesOf(dataset, possible, staging.code(''), isLarge(dataset)))
          probes.set(probeKey(dataset, probe.over), probe);
      else for (const name of namesInMemory(dataset, possible, rows, staging.code(''))) suspicious.add(name);
    }
    const run = async (open: ReadonlyMap<string, Probe>) => {
      if (open.size === 0) return;
      const questions = Array.from(open.values(), ({ sql }) => `EXISTS (${sql})`);
      const [row = []] = await queryStaging(staging, `SELECT ${questions.join(', ')}`);
      for (const [i, name] of [...open.keys()].entries()) if (row[i] === true) suspicious.add(name);
    };
    // One statement is planned faster than many. But it needs memory for the groups of all questions at once, so large
    // datasets have a statement for each question.
    if (!datasetsWithSeveralRows.some(isLarge)) await run(probes);
    else
      for (const [name, probe] of probes)
        if (suspicious.has(probeKey(probe.dataset)) || !(await hasSmallGroups(staging, probe)))
          await run(new Map([[name, probe]]));
    return new Suspects(suspicious, usedValues);
  }

  /** Whether rows of a dataset may agree in all dimensions. */
  haveDuplicates(dataset: DatasetName): boolean {
    return this.#found.has(probeKey(dataset));
  }

  /** Whether some row of a dataset may be the sum of others. */
  haveSums(dataset: DatasetName, over: SumSearch): boolean {
    if (this.#found.has(probeKey(dataset, over))) return true;
    // Sums that were not queried have groups of at most two rows, unless there are duplicates.
    return !canHaveSums(dataset, over, this.#used) && this.haveDuplicates(dataset);
  }
}

/**
 * A question about the rows of a dataset: whether some row is a sum, or without `over`, whether some rows are duplicates.
 */
interface Probe {
  readonly dataset: DatasetName;
  readonly over?: SumSearch;
  readonly sql: string;
}

const probesOf = (
  dataset: DatasetName,
  sums: readonly SumSearch[],
  empty: number,
  isLarge: boolean,
): Probe[] => [
  { dataset, sql: duplicatesIn(dataset) },
  ...sums.map((over) => ({ dataset, over, sql: sumsIn(dataset, over, empty, isLarge) })),
];

const namesInMemory = (
  dataset: DatasetName,
  sums: readonly SumSearch[],
  rows: StagedRows,
  empty: number,
): string[] => [
  ...(haveDuplicates(rows) ? [probeKey(dataset)] : []),
  ...sums.filter((over) => mayHaveSums(over, rows, empty)).map((over) => probeKey(dataset, over)),
];

/**
 * Whether the probe is for sums over categories, and none of its groups can have more than two rows, so that no row is the
 * sum of two others. A product has one category, rarely two. So instead of grouping all rows, this counts the categories of
 * each product. The answer holds only if no two rows agree in all dimensions.
 */
async function hasSmallGroups(staging: Staging, { dataset, over }: Probe): Promise<boolean> {
  if (over?.without.join() !== 'category' || !datasetOf(dataset).dimensions.includes('product')) return false;
  const pairs = `SELECT DISTINCT product_code, category_code FROM ${stagingTable(dataset)}`;
  const [[isSmall] = []] = await queryStaging(
    staging,
    `SELECT NOT EXISTS (SELECT 1 FROM (${pairs}) GROUP BY product_code HAVING count(*) > 2)`,
  );
  return isSmall === true;
}

/**
 * The most rows of a dataset for which all questions are one statement. A larger dataset is also searched for rare sums in
 * samples only.
 */
const MOST_ROWS_ASKED_TOGETHER = 200_000;

const probeKey = (dataset: DatasetName, over?: SumSearch): string =>
  over === undefined
    ? dataset
    : [dataset, over.metric, ...[...over.without].sort(), over.statesOnly ? 'states' : ''].join(' ');

/** Whether rows can be sums at all. A sum and its parts are three rows, so a single dimension must have three values. */
const canHaveSums = (dataset: DatasetName, { without }: SumSearch, used: UsedValues): boolean =>
  without.length > 1 || without.some((dimension) => used.in(dataset, dimension).length > 2);

/**
 * SQL that is true for a group of rows with duplicates. Rows of wide form hold one metric each, so rows with different
 * metrics are no duplicates. `haveDuplicates` of `suspectsInMemory.ts` does the same in memory.
 */
export const isDuplicate = (dataset: DatasetName): string =>
  metricNames(dataset).length > 1
    ? `count(*) > 1 AND (bool_or(_metric = ${EVERY_METRIC}) OR count(DISTINCT _metric) < count(*))`
    : 'count(*) > 1';

/**
 * SQL that finds duplicates. It compares a hash of 64 bits, because comparing ten columns is slower. If two different rows
 * have the same hash, only `checkDuplicates` runs in vain.
 */
function duplicatesIn(dataset: DatasetName): string {
  const name = `hash(${datasetOf(dataset).dimensions.map(stagingColumn).join(', ')})`;
  const rows = stagingTable(dataset);
  if (metricNames(dataset).length > 1)
    return `SELECT 1 FROM ${rows} GROUP BY ${name} HAVING ${isDuplicate(dataset)}`;
  // Sorting the hashes takes two thirds of the time of grouping by them.
  const sorted = `SELECT ${name} AS name FROM ${rows} ORDER BY name`;
  return `SELECT 1 FROM (SELECT name = lag(name) OVER () AS is_again FROM (${sorted})) WHERE is_again`;
}

/**
 * SQL that finds groups of rows in which one row is the sum of the others. `mayHaveSums` of `suspectsInMemory.ts` does the
 * same in memory. The SQL groups by a hash of 64 bits. Two groups with one hash could hide a sum, among three million
 * groups with a probability of 1 in four million.
 */
function sumsIn(
  dataset: DatasetName,
  { metric, without, statesOnly }: SumSearch,
  empty: number,
  isLarge: boolean,
): string {
  const key = columnsWithout(datasetOf(dataset).dimensions, ...without).join(', ');
  const sampled = isLarge && IN_SAMPLES.has(without.join(' ')) ? ` AND hash(${key}) % ${SAMPLED} = 0` : '';
  const states = statesOnly ? ` AND state_code <> ${empty}` : '';
  // The tolerance is a little wider than in `totalValues.ts`, because two threads may add in another order.
  return `SELECT 1 FROM ${stagingTable(dataset)} WHERE ${metric} <> 0${states}${sampled} GROUP BY hash(${key})
    HAVING count(*) > 2 AND abs(2 * max(${metric}) - sum(${metric})) <= 1.001e-9 * max(${metric})`;
}

/**
 * The sets of dimensions in which a total may differ from its parts. A value of `country` may be the total of its region or
 * of the world. A product may be the total of its category or of all products. A channel may be the total of its
 * sub-channels or of all channels.
 */
const DIFFERING: Readonly<Partial<Record<DimensionName, readonly (readonly DimensionName[])[]>>> = {
  country: [['country'], ['country', 'region']],
  region: [['region', 'country']],
  product: [['product'], ['product', 'category']],
  channel: [['channel'], ['channel', 'sub_channel']],
};

/**
 * The dimensions of rare sums. In a large dataset, only one of `SAMPLED` groups is searched for them, because searching all
 * groups takes a twentieth of the time of a first load. A total is the sum in hundreds of groups, so the sample has enough
 * of them.
 */
const IN_SAMPLES: ReadonlySet<string> = new Set(['product category', 'channel sub_channel']);
const SAMPLED = 8;

/**
 * The dimensions in which rows may be sums. Rows that differ in other dimensions are of different kinds and do not add up.
 */
export const SUMMED_DIMENSIONS: ReadonlySet<DimensionName> = new Set([
  'region',
  'country',
  'state',
  'category',
  'product',
  'channel',
  'sub_channel',
]);

/** All sums that may be among the rows of a dataset. */
export const sumsOf = (dataset: DatasetName): readonly SumSearch[] =>
  datasetOf(dataset)
    .dimensions.filter((dimension) => SUMMED_DIMENSIONS.has(dimension))
    .flatMap((dimension) => sumsOver(dataset, dimension));

/** The sums that may be among a dimension's values. */
export function sumsOver(dataset: DatasetName, dimension: DimensionName): readonly SumSearch[] {
  const withouts = DIFFERING[dimension] ?? [[dimension]];
  return additiveMetrics(dataset).flatMap((metric) =>
    withouts.map((without) => ({ metric, without, statesOnly: dimension === 'state' })),
  );
}

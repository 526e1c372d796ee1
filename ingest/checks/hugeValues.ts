// Reports figures that are larger than those of any country, or equal to the largest number of a database column.

import { type DatasetName, isAmount, metricNames, metricUnit } from '../../src/catalog/datasets.ts';
import type { Staging } from '../staging/database/staging.ts';
import { stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckInput } from './checkInput.ts';
import { PLACE_SQL, placeOfCellAt, queryStaging, rowCountText, warnOfEach } from './stagedPlaces.ts';
import type { RowsInMemory } from './stagedRows.ts';

/** The smallest implausible amount. The largest real one, the gross domestic product of Iran in rials, has 17 digits. */
const LEAST_IMPLAUSIBLE = 1e21;

/** The number of people from which on a figure is implausible. There are eight billion. */
const LEAST_IMPLAUSIBLE_PEOPLE = 1e10;

/** The size from which on sums of figures may overflow. Sums of smaller figures never do, however many rows are added. */
const LEAST_OVERFLOWING = 1e100;

/**
 * The largest numbers that columns of programs and databases can hold: whole numbers of 32 and 64 bits, and decimals such
 * as 99,999,999.99. Some databases store these numbers instead of larger figures. Nines may also stand for a missing
 * figure.
 */
const COLUMN_LIMITS: readonly number[] = [
  2 ** 31 - 1,
  2 ** 32 - 1,
  2 ** 63,
  ...[1e7, 1e8, 1e9, 1e10, 1e11, 1e12].map((limit) => limit - 1),
  ...[1e8, 1e10].map((limit) => limit - 0.01),
];

/** Reports the largest implausible figure of each metric and source, and figures that are in `COLUMN_LIMITS`. */
export async function checkHugeValues(
  input: Pick<CheckInput, 'staging' | 'datasets' | 'rowsInMemory' | 'problems'>,
): Promise<void> {
  const { staging, datasets, rowsInMemory, problems } = input;
  for (const { dataset, metric, largest, isCut } of await largestFigures(staging, datasets, rowsInMemory)) {
    if (isCut) await warnOfLimits(input, dataset, metric);
    const limit = limitOf(dataset, metric);
    if (largest < limit) continue;
    const found = await queryStaging(
      staging,
      `SELECT arg_max(${metric}, abs(${metric})), count(*)::INTEGER, arg_max(${PLACE_SQL}, abs(${metric}))
       FROM ${stagingTable(dataset)} WHERE abs(${metric}) >= ${limit} GROUP BY _source ORDER BY min(${PLACE_SQL})`,
    );
    for (const [value, n, place] of found) {
      const isAbsurd = Math.abs(Number(value)) >= LEAST_OVERFLOWING;
      problems.add(isAbsurd ? 'error' : 'warning', placeOfCellAt(staging, place as bigint, metric), {
        problem: `${metric} is ${value}, more than any country has${Number(n) > 1 ? ` (the largest of ${rowCountText(n)} like it)` : ''}`,
        remedy: isAbsurd
          ? 'correct the figure: sums with such figures are meaningless'
          : 'correct the figure',
        kind: `${metric} is more than any country has`,
      });
    }
  }
}

async function warnOfLimits(
  { staging, problems }: Pick<CheckInput, 'staging' | 'problems'>,
  dataset: DatasetName,
  metric: string,
): Promise<void> {
  await warnOfEach(
    { staging, problems, column: metric },
    `SELECT ${metric}, count(*)::INTEGER, min(${PLACE_SQL}) AS place FROM ${stagingTable(dataset)}
     WHERE ${metric} IN (${COLUMN_LIMITS.join(', ')}) GROUP BY ${metric} ORDER BY place`,
    (value, n) => ({
      problem: `${metric} is ${value} in ${rowCountText(n)}, the largest number that a column of some program or database holds`,
      remedy: 'check whether larger figures were cut off, or whether the number stands for a missing figure',
      kind: `${metric} is the largest number of a column`,
    }),
  );
}

/** The largest absolute value of each metric, or 0 if it has no value, and whether some value is in `COLUMN_LIMITS`. */
async function largestFigures(
  staging: Staging,
  datasets: readonly DatasetName[],
  inMemory: RowsInMemory,
): Promise<LargestFigure[]> {
  const withMetrics = datasets.filter((dataset) => metricNames(dataset).length > 0);
  const queried = await largestOfMany(
    staging,
    withMetrics.filter((dataset) => !inMemory.has(dataset)),
  );
  return withMetrics.flatMap((dataset) => {
    const rows = inMemory.get(dataset);
    if (rows === undefined) return queried.filter((figure) => figure.dataset === dataset);
    return metricNames(dataset).map((metric) => {
      const values = rows.values(metric);
      const isCut = COLUMN_LIMITS.some((limit) => values.includes(limit));
      return { dataset, metric, largest: rows.largest(metric), isCut };
    });
  });
}

async function largestOfMany(staging: Staging, datasets: readonly DatasetName[]): Promise<LargestFigure[]> {
  if (datasets.length === 0) return [];
  // One subquery for each dataset: planning one for each metric would take longer than all other checks of a small month.
  const found = await queryStaging(
    staging,
    datasets
      .map(
        (dataset, i) =>
          `SELECT ${i} AS i, [${metricNames(dataset).map((metric) => `max(abs(${metric}))`)}]::DOUBLE[],
            [${metricNames(dataset).map((metric) => `EXISTS (${limitsIn(dataset, metric)})`)}] FROM ${stagingTable(dataset)}`,
      )
      .join(' UNION ALL ')
      .concat(' ORDER BY i'),
  );
  return datasets.flatMap((dataset, i) => {
    const [, values, cut] = found[i] ?? [];
    return metricNames(dataset).map((metric, k) => ({
      dataset,
      metric,
      largest: Number((values as readonly unknown[])[k] ?? 0),
      isCut: (cut as readonly unknown[])[k] === true,
    }));
  });
}

/** SQL for the figures in `COLUMN_LIMITS`. A filter takes an eighth of the time of a comparison in the SELECT list. */
const limitsIn = (dataset: DatasetName, metric: string): string =>
  `SELECT 1 FROM ${stagingTable(dataset)} WHERE ${metric} IN (${COLUMN_LIMITS.join(', ')})`;

interface LargestFigure {
  readonly dataset: DatasetName;
  readonly metric: string;
  readonly largest: number;
  /** Whether some value is one of `COLUMN_LIMITS`, so that larger figures may have been cut off. */
  readonly isCut: boolean;
}

/** The smallest absolute value that is implausible for a metric. */
function limitOf(dataset: DatasetName, metric: string): number {
  const unit = metricUnit(dataset, metric);
  if (unit === 'persons') return LEAST_IMPLAUSIBLE_PEOPLE;
  return isAmount(unit) ? LEAST_IMPLAUSIBLE : LEAST_OVERFLOWING;
}

// Reads the texts above the year columns of a wide table: each names a metric, or gets a fault or a warning.

import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { headingKey } from '../../messages/spelling.ts';
import { statedUnit } from '../../messages/statedUnits.ts';
import { columnOf } from './columnOf.ts';
import { onOneLine } from './headerRow.ts';
import type { Column, Header, HeaderRemark } from './types.ts';

/** By column index: the text above a column of a year; undefined where there is none. */
export type YearGroups = readonly (string | undefined)[];

/** The text above each column of a year: its own, or that of the merged cells it lies in. */
export function yearGroups(
  dataset: DatasetName,
  headings: readonly string[],
  upper: readonly string[],
): YearGroups {
  let group: string | undefined;
  return headings.map((heading, i) => {
    const isYear = columnOf(dataset, heading)?.kind === 'year';
    if (!isYear) group = undefined;
    else if (upper[i] && upper[i] !== heading) group = upper[i];
    return group;
  });
}

/**
 * The column of a year with the metric that the text above it names. Where the dataset has several metrics, the column's
 * name begins with the metric. Any other column is returned as it is.
 */
export function withMetricAbove(
  dataset: DatasetName,
  column: Column | undefined,
  group: string | undefined,
): Column | undefined {
  if (column?.kind !== 'year' || group === undefined) return column;
  const metric = columnOf(dataset, group);
  if (metric?.kind !== 'metric') return column;
  const name = metricNames(dataset).length > 1 ? `${metric.name} ${column.name}` : column.name;
  return { ...column, name, metric: metric.name };
}

/** The faults of years below the name of another dataset's metric, which would be read as this dataset's. */
export function foreignGroups(dataset: DatasetName, groups: YearGroups): readonly HeaderRemark[] {
  const own = new Set(metricNames(dataset));
  return groups.flatMap((group, index) => {
    if (group === undefined || group === groups[index - 1]) return [];
    const metric = METRICS.find((name) => headingKey(name) === headingKey(group));
    if (metric === undefined || own.has(metric)) return [];
    return [
      {
        index,
        problem: `the years below "${onOneLine(group)}" do not hold ${dataset}`,
        remedy: 'move them to a file named after their dataset',
      },
    ];
  });
}

/**
 * Texts above years that name no metric, such as `Forecast` or `USD`. They are faults where they differ between years,
 * because the years then hold different things. One text over all years is likely a title, so it is a warning.
 */
export function unreadGroups(
  dataset: DatasetName,
  groups: YearGroups,
  columns: Header['columns'],
): { readonly faults: readonly HeaderRemark[]; readonly warnings: readonly HeaderRemark[] } {
  const metrics = new Set(METRICS.map(headingKey));
  const descriptions = Object.values(datasetOf(dataset).metrics).map(({ description }) =>
    headingKey(description),
  );
  const isUnread = (group: string) =>
    !metrics.has(headingKey(group)) &&
    !descriptions.includes(headingKey(group)) &&
    !SAYS_YEARS.has(headingKey(group)) &&
    statedUnit(group) === null;
  const ofYears = groups.filter((_, i) => columns[i]?.kind === 'year');
  const isDiffering = new Set(ofYears).size > 1;
  const found = groups.flatMap((group, index) => {
    if (group === undefined || group === groups[index - 1] || !isUnread(group)) return [];
    return [
      {
        index,
        problem: `"${onOneLine(group)}" stands above ${isDiffering ? 'some' : 'all'} of the years and was not read`,
        remedy: isDiffering
          ? 'write what it says in a column, with rows of their own for these years, or delete it'
          : `make sure that the years hold ${dataset}, and delete it`,
      },
    ];
  });
  return isDiffering ? { faults: found, warnings: [] } : { faults: [], warnings: found };
}

/** The metrics of all datasets. */
const METRICS: readonly string[] = DATASET_NAMES.flatMap((name) => metricNames(name));

/** What people write above years that says no more than the years do. */
const SAYS_YEARS: ReadonlySet<string> = new Set(
  [
    'year years annual yearly period periods value values amount amounts figures data',
    'jahr jahre année années annee annees año años ano anos anno anni jaar',
  ]
    .flatMap((words) => words.split(' '))
    .concat('calendar year', 'calendar years', 'reporting year', 'by year', 'per year')
    .map(headingKey),
);

// Reads the titles above the year columns of a wide table, which may name their metric, and finds their faults.

import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { headingKey } from '../../messages/spelling.ts';
import { statedUnit } from '../../messages/statedUnits.ts';
import { columnOf, onOneLine } from './headerRow.ts';
import type { Column, Header, HeaderRemark } from './headerTypes.ts';

/**
 * The title above each column of a year, by the index of the column; undefined when the column is not a year or has no
 * title.
 */
export type YearTitles = readonly (string | undefined)[];

/**
 * The title of each year column: the text right above it. Without such a text, it is the title of the year column to its
 * left, because merged cells hold their text in the first cell.
 */
export function yearTitles(
  dataset: DatasetName,
  headings: readonly string[],
  upper: readonly string[],
): YearTitles {
  let title: string | undefined;
  return headings.map((heading, i) => {
    const isYear = columnOf(dataset, heading)?.kind === 'year';
    if (!isYear) title = undefined;
    else if (upper[i] && upper[i] !== heading) title = upper[i];
    return title;
  });
}

/**
 * A year column with the metric that its title names. When the dataset has several metrics, the name of the column begins
 * with the metric. A column of another kind stays as it is.
 */
export function withMetricOfTitle(
  dataset: DatasetName,
  column: Column | undefined,
  title: string | undefined,
): Column | undefined {
  if (column?.kind !== 'year' || title === undefined) return column;
  const metric = columnOf(dataset, title);
  if (metric?.kind !== 'metric') return column;
  const name = metricNames(dataset).length > 1 ? `${metric.name} ${column.name}` : column.name;
  return { ...column, name, metric: metric.name };
}

/**
 * The faults of titles that name a metric of another dataset. Without the fault, the values below would be read into this
 * dataset.
 */
export function titlesOfOtherDatasets(dataset: DatasetName, titles: YearTitles): readonly HeaderRemark[] {
  const ownMetrics = new Set(metricNames(dataset));
  return titles.flatMap((title, index) => {
    if (title === undefined || title === titles[index - 1]) return [];
    const metric = METRICS.find((name) => headingKey(name) === headingKey(title));
    if (metric === undefined || ownMetrics.has(metric)) return [];
    const other = DATASET_NAMES.find((name) => metricNames(name).includes(metric));
    return [
      {
        index,
        problem: `the years below "${onOneLine(title)}" do not hold ${dataset}`,
        remedy: `move them to a file named after their dataset, such as ${other}.xlsx`,
      },
    ];
  });
}

/**
 * The remarks on titles that name no metric, such as `Forecast` or `USD`. A single title above all years gives a warning.
 * Titles that differ between years are faults, because the figures below them then differ in kind.
 */
export function unreadTitles(
  dataset: DatasetName,
  titles: YearTitles,
  columns: Header['columns'],
): { readonly faults: readonly HeaderRemark[]; readonly warnings: readonly HeaderRemark[] } {
  const metrics = new Set(METRICS.map(headingKey));
  const descriptions = Object.values(datasetOf(dataset).metrics).map(({ description }) =>
    headingKey(description),
  );
  const isUnread = (title: string) =>
    !metrics.has(headingKey(title)) &&
    !descriptions.includes(headingKey(title)) &&
    !WORDS_FOR_YEARS.has(headingKey(title)) &&
    statedUnit(title) === null;
  const ofYears = titles.filter((_, i) => columns[i]?.kind === 'year');
  const isDiffering = new Set(ofYears).size > 1;
  const found = titles.flatMap((title, index) => {
    if (title === undefined || title === titles[index - 1] || !isUnread(title)) return [];
    return [
      {
        index,
        problem: `"${onOneLine(title)}" is above ${isDiffering ? 'some' : 'all'} of the years and was not read`,
        remedy: isDiffering
          ? 'give these years rows of their own with the text in a column, or delete the text'
          : `make sure that the years hold ${dataset}, and delete the text`,
      },
    ];
  });
  return isDiffering ? { faults: found, warnings: [] } : { faults: [], warnings: found };
}

const METRICS: readonly string[] = DATASET_NAMES.flatMap((name) => metricNames(name));

/** Words that people write above years and that say nothing about the values, such as `Year`. */
const WORDS_FOR_YEARS: ReadonlySet<string> = new Set(
  [
    'year years annual yearly period periods value values amount amounts figures data',
    'jahr jahre année années annee annees año años ano anos anno anni jaar',
  ]
    .flatMap((words) => words.split(' '))
    .concat('calendar year', 'calendar years', 'reporting year', 'by year', 'per year')
    .map(headingKey),
);

// Maps a heading to the column of a dataset that it names.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { headingKey } from '../../messages/spelling.ts';
import type { Column } from './types.ts';

/** The column that a heading names, such as `GGR`, `Sub channel` or `2024`; undefined for any other text. */
export function columnOf(dataset: DatasetName, heading: string): Column | undefined {
  const key = headingKey(heading);
  const dimension = datasetOf(dataset).dimensions.find((name) => headingKey(name) === key);
  if (dimension !== undefined) return { kind: 'dimension', name: dimension };
  const metrics = metricNames(dataset);
  const metric = metrics.find((name) => headingKey(name) === key);
  if (metric !== undefined) return { kind: 'metric', name: metric };
  if (metrics.length === 0) return undefined;
  if (key === 'metric') return { kind: 'metric name', name: 'metric' };
  const [year] = /^[1-9]\d{3}(?=(?:\.0+)?$)/.exec(key) ?? [];
  return year === undefined ? undefined : { kind: 'year', name: year, year: Number(year), metric: null };
}

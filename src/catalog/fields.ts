// Describes the columns of a dataset's file, and makes the metadata that a file carries about its columns and sources.

import { type DatasetName, datasetOf, dimensionOf } from './datasets.ts';

/** A column of a dataset's file. */
export interface Field {
  readonly name: string;
  /** The name of the type in the Table Schema standard. */
  readonly type: 'integer' | 'string' | 'number';
  /** The unit of a metric; `text` or `year` for a dimension. */
  readonly unit: string;
  readonly description: string;
  /** Whether every row has a value. The empty text is a value. */
  readonly required: boolean;
}

/** The columns of a dataset's file, in their order: first the dimensions, then the metrics. */
export function tableSchemaFields(name: DatasetName): readonly Field[] {
  const dimensions = datasetOf(name).dimensions.map((dimension): Field => {
    const { type, description } = dimensionOf(dimension);
    const kind = type === 'integer' ? { type, unit: 'year' } : { type: 'string' as const, unit: 'text' };
    return { name: dimension, ...kind, description, required: true };
  });
  const metrics = Object.entries(datasetOf(name).metrics).map(
    ([metric, { unit, description }]): Field => ({
      name: metric,
      type: 'number',
      unit,
      description,
      required: false,
    }),
  );
  return [...dimensions, ...metrics];
}

/**
 * The metadata of a file: its sources, and the unit and description of each column. People may have the file without its
 * manifest.
 */
export function fileMetadata(name: DatasetName, sources: readonly string[]): Record<string, string> {
  const columnMetadata = tableSchemaFields(name).flatMap((field) => [
    [`${field.name}.unit`, field.unit],
    [`${field.name}.description`, field.description],
  ]);
  return { source: sources.join(', '), ...Object.fromEntries(columnMetadata) };
}

// The parameters of an endpoint's query, for the OpenAPI document.

import { z } from 'zod';
import {
  DATASET_NAMES,
  type DatasetName,
  DIMENSION_NAMES,
  type DimensionName,
  datasetOf,
  dimensionOf,
} from '../../../catalog/datasets.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * The query parameters of an endpoint: first those with rules, then a filter for each dimension, then `limit` and
 * `cursor`.
 */
export function queryOf({ rules = [], datasets, parts = {} }: Operation): z.ZodObject {
  const served = datasets ?? DATASET_NAMES.filter((name) => rules.some(({ serves }) => serves(name)));
  const dimensions = DIMENSION_NAMES.filter((dimension) =>
    served.some((name) => datasetOf(name).dimensions.includes(dimension)),
  );
  const shape: Record<string, z.ZodType> = {};
  for (const { datasetParameter, serves, validators, repeatable } of rules) {
    for (const [name, schema] of Object.entries(validators.shape as Record<string, z.ZodType>)) {
      if (name === 'year' || shape[name] || name in parts) continue;
      if (repeatable?.includes(name) && name !== 'change') shape[name] = namesOf(schema, dimensions);
      else if (name !== datasetParameter) shape[name] = schema;
      else shape[name] = datasetParameterOf(schema, served.filter(serves), rules.length > 1);
    }
  }
  const { limit, cursor, ...first } = shape;
  return z.object({
    ...first,
    ...Object.fromEntries(dimensions.map((name) => [name, filterOf(name, served)])),
    ...(limit && { limit }),
    ...(cursor && { cursor }),
  });
}

function datasetParameterOf(
  schema: z.ZodType,
  names: readonly DatasetName[],
  isOneOfSeveral: boolean,
): z.ZodType {
  const name = z.enum(names);
  const description = schema.meta()?.description ?? '';
  return isOneOfSeveral
    ? name.optional().meta({ description: `${description} Either \`metric\` or \`dataset\`.` })
    : name.meta({ description });
}

const namesOf = (schema: z.ZodType, names: readonly string[]): z.ZodType =>
  z
    .array(z.enum(names))
    .optional()
    .meta({ description: schema.meta()?.description ?? '' });

function filterOf(name: DimensionName, served: readonly DatasetName[]): z.ZodType {
  const { description, type } = dimensionOf(name);
  const having = served.filter((dataset) => datasetOf(dataset).dimensions.includes(name));
  const only =
    having.length < served.length ? ` Only for ${having.map((dataset) => `\`${dataset}\``).join(', ')}.` : '';
  const value = type === 'integer' ? z.string().regex(/^-?[0-9]+$/) : z.string();
  return z
    .array(value)
    .optional()
    .meta({ description: `${description}.${only}` });
}

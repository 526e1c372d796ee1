// Makes the JSON schema of a tool's arguments from the validators of its endpoint and the table of datasets.

import { z } from 'zod';
import {
  DATASET_NAMES,
  DATASETS,
  DIMENSION_NAMES,
  DIMENSIONS,
  type DimensionName,
} from '../../catalog/datasets.ts';
import type { ParameterRules } from '../../query/parameters/parameters.ts';

/** The most rows in an answer. A note tells assistants how to get the rest. */
export const MAX_ROWS = 200;

export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: string[];
  readonly additionalProperties: false;
}

/**
 * The schema of the arguments of a tool.
 *
 * @param rules the parameters of its endpoint; null for a tool that takes only an optional dataset and a snapshot.
 */
export function argumentsSchema(rules: ParameterRules | null): ArgumentsSchema {
  const shape = rules?.validators.shape ?? {};
  const fields = Object.entries(shape).filter(
    ([name]) => name !== 'metric' && name !== 'dataset' && name !== 'year',
  );
  const required = fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name);
  return {
    type: 'object',
    properties: {
      dataset: {
        type: 'string',
        enum: [...DATASET_NAMES],
        description: 'The dataset; list_datasets describes them.',
      },
      ...Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(name, field, rules)])),
      ...(rules && Object.fromEntries(DIMENSION_NAMES.map((name) => [name, filterSchema(name)]))),
      as_of: AS_OF,
    },
    required: [...(rules === null ? [] : ['dataset']), ...required],
    additionalProperties: false,
  };
}

const AS_OF = {
  type: 'string',
  description:
    'Answers from an older snapshot: an id (2026-10.1), a month (2026-10) or a day (2026-10-15). Left out: the current one. list_datasets lists the retained ones.',
};

function fieldSchema(name: string, field: z.core.$ZodType, rules: ParameterRules | null): object {
  if (name === 'limit')
    return {
      type: 'integer',
      minimum: 1,
      maximum: MAX_ROWS,
      default: 100,
      description: 'The most rows to give.',
    };
  const {
    $schema: _,
    default: __,
    json,
    ...schema
  } = z.toJSONSchema(field, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema;
  if (!rules?.repeatable?.includes(name)) return { ...schema, ...json };
  return { description: schema.description, ...oneOrMore(schema.items ?? {}) };
}

/**
 * The parts of a schema that are used here. `json` is metadata of a validator, and overrides the schema made from it.
 */
interface JsonSchema {
  readonly $schema?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: object;
  readonly json?: object;
}

/** The schema of a filter, which takes one value or several. */
function filterSchema(name: DimensionName): object {
  const { description, type } = DIMENSIONS[name];
  const value = type === 'integer' ? { type: ['integer', 'string'] } : { type: 'string' };
  const having = DATASET_NAMES.filter((dataset) =>
    (DATASETS[dataset].dimensions as readonly string[]).includes(name),
  );
  return {
    description: `${description}. A filter, for ${having.join(', ')}.`,
    ...oneOrMore(value, { minItems: 1 }),
  };
}

const oneOrMore = (value: object, length: object = {}) => ({
  anyOf: [value, { type: 'array', items: value, ...length }],
});

// Defines the parameters of every endpoint: their validators, and their descriptions for the OpenAPI document.

import { z } from 'zod';
import { isDatasetName, isFinancial } from '../../catalog/datasets.ts';
import type { ParameterRules } from './parameters.ts';
import { parsePeriod } from './period.ts';

/** The kinds of change of a row. */
export const CHANGES = ['added', 'removed', 'revised'] as const;
export type Change = (typeof CHANGES)[number];

const DEFAULT_LIMIT_ROWS = 100;
const MAX_LIMIT_ROWS = 1000;
const PERIOD_FORM = 'Expected format: YYYY-MM-DD:YYYY-MM-DD';
const LIMIT_FORM = `Expected a whole number from 1 to ${MAX_LIMIT_ROWS}`;
const NAME_FORM = 'Expected a name, such as ggr';
const YEAR_FORM = 'Expected a whole number, such as 2024';

const metric = z.string().min(1, NAME_FORM).meta({ description: 'The dataset whose rows to give.' });

const dataset = z.string().min(1, NAME_FORM).meta({ description: 'The dataset.' });

const limit = z
  .string()
  .regex(/^[0-9]+$/, LIMIT_FORM)
  .transform(Number)
  .refine((rows) => rows >= 1 && rows <= MAX_LIMIT_ROWS, LIMIT_FORM)
  .default(DEFAULT_LIMIT_ROWS)
  .meta({
    description: 'The largest number of rows in a page.',
    // The validator reads a text, for which JSON Schema has no minimum and maximum, so it is described as an integer.
    json: { type: 'integer', minimum: 1, maximum: MAX_LIMIT_ROWS, default: DEFAULT_LIMIT_ROWS },
  });

const cursor = z
  .string()
  .optional()
  .meta({ description: '`pagination.cursor` of the page before. Dataset and filters must stay the same.' });

const period = z
  .string({ error: PERIOD_FORM })
  .transform((text, context) => {
    const years = parsePeriod(text);
    if (typeof years !== 'string') return years;
    context.addIssue({ code: 'custom', message: PERIOD_FORM, params: { topic: years } });
    return z.NEVER;
  })
  .optional()
  .meta({
    description:
      'Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold.',
    json: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}:\\d{4}-\\d{2}-\\d{2}$',
      examples: ['2020-01-01:2024-12-31'],
    },
  });

const year = z.array(z.string().regex(/^-?[0-9]+$/, YEAR_FORM)).optional();

const paging = { limit, cursor };

const yearFilters = { period, year };

const areDistinct = (names: readonly string[]) => new Set(names).size === names.length;

/**
 * The parameters of each endpoint that have validators. Every dimension of a dataset is a filter as well. Of the filters,
 * only `year` has a validator.
 */
export const PARAMETER_RULES = {
  financials: {
    datasetParameter: 'metric',
    validators: z.object({ metric, ...yearFilters, ...paging }),
    serves: isFinancial,
  },
  reference: {
    datasetParameter: 'dataset',
    validators: z.object({ dataset, ...paging }),
    serves: (name) => !isFinancial(name),
  },
  values: {
    datasetParameter: 'dataset',
    validators: z.object({
      dataset,
      ...yearFilters,
      dimension: z
        .array(z.string())
        .optional()
        .meta({ description: 'The dimensions whose values to list; all dimensions when left out.' }),
    }),
    repeatable: ['dimension'],
    serves: isDatasetName,
  },
  totals: {
    datasetParameter: 'dataset',
    validators: z.object({
      dataset,
      ...yearFilters,
      by: z
        .array(z.string())
        .refine(areDistinct, 'Each dimension can be named once')
        .optional()
        .meta({ description: 'The dimensions to group by, in their order, each once.' }),
      ...paging,
    }),
    repeatable: ['by'],
    serves: isDatasetName,
  },
  changes: {
    datasetParameter: 'dataset',
    validators: z.object({
      dataset,
      since: z.string().meta({
        description: 'The snapshot to compare with: an id, a month or a day.',
        examples: ['2026-10'],
      }),
      until: z.string().optional().meta({
        description: 'The snapshot whose changes to list, named likewise; the current one when left out.',
      }),
      ...yearFilters,
      change: z
        .array(z.enum(CHANGES, { error: `Expected ${CHANGES.slice(0, -1).join(', ')} or ${CHANGES.at(-1)}` }))
        .optional()
        .meta({ description: 'The kinds of change to list; all when left out.' }),
      ...paging,
    }),
    repeatable: ['change'],
    serves: isDatasetName,
  },
  export: {
    datasetParameter: 'dataset',
    validators: z.object(yearFilters),
    serves: isDatasetName,
  },
} as const satisfies Record<string, ParameterRules>;

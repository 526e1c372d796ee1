// Parses the query string of every endpoint into a typed query, or throws the 400 that names the problems.

import { z } from 'zod';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isDatasetName,
  isDimensionName,
  isFinancial,
} from '../catalog/datasets.ts';
import { invalidParameters } from '../errors.ts';
import { CHANGES, type Change } from './changes.ts';
import { decodeQuery } from './decode.ts';
import { invalidDimension, noFieldErrors, type ParameterRules, parseParameters } from './parameters.ts';

/** Selects rows of a dataset. */
export interface SelectionQuery {
  readonly dataset: DatasetName;
  /** Distinct values in the order given. A row must match one value of each dimension. */
  readonly filters: ReadonlyMap<DimensionName, readonly string[]>;
  readonly period: Period | null;
}

/** Selects one page of rows. */
export interface RowQuery extends SelectionQuery {
  readonly limitRows: number;
  readonly cursor: string | null;
}

/** Every year a `period` touches, ends included (ruling 8). */
export interface Period {
  readonly firstYear: number;
  readonly lastYear: number;
}

/**
 * The query of GET /v1/financials (contract §4.1).
 *
 * @throws {ApiError} the first 400 of contract §7.2 that applies, in the order of ruling 1.
 */
export const parseFinancials = (rawQuery: string): RowQuery =>
  rowQuery(parseParameters(rawQuery, FINANCIALS));

/**
 * The query of GET /v1/reference (ruling 17).
 *
 * @throws {ApiError} as `parseFinancials` does.
 */
export const parseReference = (rawQuery: string): RowQuery => rowQuery(parseParameters(rawQuery, REFERENCE));

/** The query of GET /v1/values. Throws as `parseFinancials` does. */
export function parseValues(rawQuery: string): SelectionQuery & {
  /** The dimensions to list, in the order given; null for all. */
  readonly dimensions: readonly DimensionName[] | null;
} {
  const { dataset, filters, shape } = parseParameters(rawQuery, VALUES);
  const dimensions = shape.dimension ? dimensionsOf(dataset, shape.dimension) : null;
  return { dataset, filters, period: shape.period ?? null, dimensions };
}

/** The query of GET /v1/totals. Throws as `parseFinancials` does. */
export function parseTotals(rawQuery: string): RowQuery & { readonly by: readonly DimensionName[] } {
  const parameters = parseParameters(rawQuery, TOTALS);
  const by = dimensionsOf(parameters.dataset, parameters.shape.by ?? []);
  return { ...rowQuery(parameters), by };
}

/** The query of GET /v1/changes. Throws as `parseFinancials` does. */
export function parseChanges(rawQuery: string): RowQuery & {
  readonly since: string;
  readonly until: string | null;
  readonly changes: readonly Change[];
} {
  const parameters = parseParameters(rawQuery, CHANGES_OF);
  const { since, until = null, change: changes = CHANGES } = parameters.shape;
  return { ...rowQuery(parameters), since, until, changes };
}

/** The query of GET /v1/export: what to filter. Throws as `parseFinancials` does. */
export const parseExport = (dataset: DatasetName, rawQuery: string): SelectionQuery => {
  const { filters, shape } = parseParameters(rawQuery, EXPORT, dataset);
  return { dataset, filters, period: shape.period ?? null };
};

/** The query of an endpoint without parameters; every parameter is an error (ruling 10). */
export function parseNothing(rawQuery: string): void {
  const fieldErrors = noFieldErrors();
  for (const [name] of decodeQuery(rawQuery)) fieldErrors[name] = ['This endpoint takes no parameters'];
  if (Object.keys(fieldErrors).length > 0) throw invalidParameters({ formErrors: [], fieldErrors });
}

const DEFAULT_LIMIT_ROWS = 100;
const MAX_LIMIT_ROWS = 1000;
const PERIOD_FORM = 'Expected format: YYYY-MM-DD:YYYY-MM-DD';
const LIMIT_FORM = `Expected a whole number from 1 to ${MAX_LIMIT_ROWS}`;
const YEAR_FORM = 'Expected a whole number, such as 2024';

const name = z.string().min(1);

const limit = z
  .string()
  .regex(/^[0-9]+$/, LIMIT_FORM)
  .transform(Number)
  .refine((rows) => rows >= 1 && rows <= MAX_LIMIT_ROWS, LIMIT_FORM);

const period = z.string({ error: PERIOD_FORM }).transform((text, context) => {
  const years = yearsOf(text);
  if (years) return years;
  context.addIssue({ code: 'custom', message: PERIOD_FORM });
  return z.NEVER;
});

const paging = { limit: limit.default(DEFAULT_LIMIT_ROWS), cursor: z.string().optional() };

const years = {
  period: period.optional(),
  year: z.array(z.string().regex(/^-?[0-9]+$/, YEAR_FORM)).optional(),
};

const eachOnce = (names: readonly string[]) => new Set(names).size === names.length;

const FINANCIALS = {
  selector: 'metric',
  shape: z.object({ metric: name, ...years, ...paging }),
  serves: isFinancial,
} satisfies ParameterRules;

const REFERENCE = {
  selector: 'dataset',
  shape: z.object({ dataset: name, ...paging }),
  serves: (dataset) => !isFinancial(dataset),
} satisfies ParameterRules;

const VALUES = {
  selector: 'dataset',
  shape: z.object({ dataset: name, ...years, dimension: z.array(z.string()).optional() }),
  lists: ['dimension'],
  serves: isDatasetName,
} satisfies ParameterRules;

const TOTALS = {
  selector: 'dataset',
  shape: z.object({
    dataset: name,
    ...years,
    by: z.array(z.string()).refine(eachOnce, 'Each dimension can be named once').optional(),
    ...paging,
  }),
  lists: ['by'],
  serves: isDatasetName,
} satisfies ParameterRules;

const CHANGES_OF = {
  selector: 'dataset',
  shape: z.object({
    dataset: name,
    since: z.string(),
    until: z.string().optional(),
    ...years,
    change: z.array(z.enum(CHANGES, { error: `Expected ${CHANGES.join(', ')}` })).optional(),
    ...paging,
  }),
  lists: ['change'],
  serves: isDatasetName,
} satisfies ParameterRules;

const EXPORT = {
  selector: 'dataset',
  shape: z.object(years),
  serves: isDatasetName,
} satisfies ParameterRules;

function rowQuery({
  dataset,
  filters,
  shape,
}: {
  readonly dataset: DatasetName;
  readonly filters: SelectionQuery['filters'];
  readonly shape: {
    readonly period?: Period | undefined;
    readonly limit: number;
    readonly cursor?: string | undefined;
  };
}): RowQuery {
  return {
    dataset,
    filters,
    period: shape.period ?? null,
    limitRows: shape.limit,
    cursor: shape.cursor ?? null,
  };
}

/** Distinct dimensions given by name. Throws a 400 for the first name that is not a dimension of the dataset. */
function dimensionsOf(dataset: DatasetName, names: readonly string[]): readonly DimensionName[] {
  return [...new Set(names)].map((name) => {
    if (isDimensionName(name) && datasetOf(dataset).dimensions.includes(name)) return name;
    throw invalidDimension(name, 'dataset', dataset);
  });
}

/** The years of `YYYY-MM-DD:YYYY-MM-DD`; null when a day does not exist or the first is after the last. */
function yearsOf(text: string): Period | null {
  const [, start = '', end = ''] = /^(\d{4}-\d{2}-\d{2}):(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (!isDay(start) || !isDay(end) || start > end) return null;
  return { firstYear: Number(start.slice(0, 4)), lastYear: Number(end.slice(0, 4)) };
}

function isDay(text: string): boolean {
  // Date moves a day that does not exist forward (30 February) or is invalid (month 13).
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

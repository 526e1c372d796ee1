// Turns a raw query string into a typed query, or into the 400 that says what is wrong with it (ruling 1).

import { z } from 'zod';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isDatasetName,
  isDimensionName,
  isFinancial,
} from '../catalog/datasets.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { decodeQuery, type Parameter } from './decode.ts';

/** Which rows of which dataset, how many of them, and after which. */
export interface RowQuery {
  readonly dataset: DatasetName;
  /** Values as given, each once, dimensions and values in the order given. A row matches one of each. */
  readonly filters: ReadonlyMap<DimensionName, readonly string[]>;
  readonly period: Period | null;
  readonly limitRows: number;
  readonly cursor: string | null;
}

/** Every year a `period` touches, ends included (ruling 8). */
export interface Period {
  readonly firstYear: number;
  readonly lastYear: number;
}

/** The query of GET /v1/financials (contract §4.1). Throws the ApiError of contract §7.2 that comes first. */
export const parseFinancials = (rawQuery: string): RowQuery => parseRows(rawQuery, FINANCIALS);

/** The query of GET /v1/reference (ruling 17). Throws as `parseFinancials` does. */
export const parseReference = (rawQuery: string): RowQuery => parseRows(rawQuery, REFERENCE);

/** The 400 for a dataset that is not served, named by that parameter (contract §7.2, ruling 17). */
export const unknownDataset = (parameter: 'metric' | 'dataset', text: string): ApiError =>
  new ApiError(400, `Unknown ${parameter}: '${text}'. Use GET /catalog to see available datasets.`);

/** GET /v1/catalog takes no parameter: any is named (ruling 10). */
export function parseCatalog(rawQuery: string): void {
  const fieldErrors = noFieldErrors();
  for (const [name] of decodeQuery(rawQuery)) fieldErrors[name] = ['This endpoint takes no parameters'];
  if (Object.keys(fieldErrors).length > 0) throw invalidParameters({ formErrors: [], fieldErrors });
}

/** What tells the two endpoints apart. */
interface Endpoint {
  /** The parameter that names the dataset. */
  readonly selector: 'metric' | 'dataset';
  /** Of the scalar parameters; and the years, whose form is theirs alone. */
  readonly shape: z.ZodObject;
  readonly serves: (name: DatasetName) => boolean;
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

const FINANCIALS: Endpoint = {
  selector: 'metric',
  shape: z.object({
    metric: name,
    period: period.optional(),
    year: z.array(z.string().regex(/^-?[0-9]+$/, YEAR_FORM)).optional(),
    ...paging,
  }),
  serves: isFinancial,
};

const REFERENCE: Endpoint = {
  selector: 'dataset',
  shape: z.object({ dataset: name, ...paging }),
  serves: (dataset) => !isFinancial(dataset),
};

interface Shape {
  readonly metric?: string;
  readonly dataset?: string;
  readonly period?: Period;
  readonly limit: number;
  readonly cursor?: string;
}

function parseRows(rawQuery: string, endpoint: Endpoint): RowQuery {
  const given = group(decodeQuery(rawQuery), endpoint);
  const shape = checkShape(given, endpoint);
  const dataset = findDataset(shape[endpoint.selector] ?? '', endpoint);
  return {
    dataset,
    filters: pickFilters(given, dataset, endpoint),
    period: shape.period ?? null,
    limitRows: shape.limit,
    cursor: shape.cursor ?? null,
  };
}

/** Values per parameter, each once, in the order given; `country[]` is `country` (ruling 3). */
function group(parameters: readonly Parameter[], { shape }: Endpoint): Map<string, string[]> {
  const given = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const [written, value] of parameters) {
    const bare = written.endsWith('[]') ? written.slice(0, -2) : written;
    const parameter = isDimensionName(bare) ? bare : written;
    const values = given.get(parameter) ?? [];
    if (values.length === 0) given.set(parameter, values);
    const pair = JSON.stringify([parameter, value]);
    // A scalar given twice is wrong even when both say the same.
    if (!seen.has(pair) || isScalar(parameter, shape)) values.push(value);
    seen.add(pair);
  }
  return given;
}

const isScalar = (parameter: string, shape: z.ZodObject) =>
  Object.hasOwn(shape.shape, parameter) && !isDimensionName(parameter);

/** Everything about the form of the parameters that is wrong, at once (ruling 1). */
function checkShape(given: ReadonlyMap<string, readonly string[]>, { shape }: Endpoint): Shape {
  const input: Record<string, unknown> = {};
  for (const parameter of Object.keys(shape.shape)) {
    const values = given.get(parameter);
    if (values) input[parameter] = isScalar(parameter, shape) && values.length === 1 ? values[0] : values;
  }
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data as unknown as Shape;
  const fieldErrors = noFieldErrors();
  for (const { path, message } of parsed.error.issues) {
    const parameter = String(path[0]);
    fieldErrors[parameter] = [...new Set([...(fieldErrors[parameter] ?? []), message])];
  }
  throw invalidParameters({ formErrors: [], fieldErrors });
}

function findDataset(text: string, { selector, serves }: Endpoint): DatasetName {
  if (isDatasetName(text) && serves(text)) return text;
  throw unknownDataset(selector, text);
}

/** The first parameter that is no dimension of the dataset is named (ruling 9). */
function pickFilters(
  given: ReadonlyMap<string, readonly string[]>,
  dataset: DatasetName,
  { selector, shape }: Endpoint,
): Map<DimensionName, readonly string[]> {
  const { dimensions } = datasetOf(dataset);
  const filters = new Map<DimensionName, readonly string[]>();
  for (const [parameter, values] of given) {
    if (isScalar(parameter, shape)) continue;
    if (!isDimensionName(parameter) || !dimensions.includes(parameter)) {
      throw new ApiError(
        400,
        `Invalid filter dimension "${parameter}" for ${selector} "${dataset}". ` +
          `Valid dimensions: ${dimensions.join(', ')}`,
      );
    }
    filters.set(parameter, values);
  }
  return filters;
}

/** The years of `YYYY-MM-DD:YYYY-MM-DD`, or null: both days on the calendar, the first not after the last. */
function yearsOf(text: string): Period | null {
  const [, start = '', end = ''] = /^(\d{4}-\d{2}-\d{2}):(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (!isDay(start) || !isDay(end) || start > end) return null;
  return { firstYear: Number(start.slice(0, 4)), lastYear: Number(end.slice(0, 4)) };
}

function isDay(text: string): boolean {
  // A day that does not exist is moved on by Date (30 February) or is none (month 13).
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Without a prototype: `__proto__` is a name like any other. */
const noFieldErrors = (): Record<string, string[]> => Object.create(null);

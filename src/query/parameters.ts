// Sorts the parameters of a query string into scalars, lists and filters, and refuses what is wrong with them (ruling 1).

import type { z } from 'zod';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isDatasetName,
  isDimensionName,
} from '../catalog/datasets.ts';
import { ApiError, invalidParameters } from '../errors.ts';
import { decodeQuery, type Parameter } from './decode.ts';

/** What tells the parameters of one endpoint from those of another. */
export interface ParameterRules {
  /** The parameter that names the dataset. */
  readonly selector: 'metric' | 'dataset';
  /** Of all parameters that are no filter; and the years, whose form is theirs alone. */
  readonly shape: z.ZodObject;
  /** Parameters that may be repeated and are no filter. */
  readonly lists?: readonly string[];
  readonly serves: (name: DatasetName) => boolean;
}

export interface Parameters<Rules extends ParameterRules> {
  readonly dataset: DatasetName;
  readonly filters: ReadonlyMap<DimensionName, readonly string[]>;
  readonly shape: z.infer<Rules['shape']>;
}

/**
 * The parameters of a query string, checked in the order of ruling 1.
 *
 * @param dataset where the path names it; otherwise the parameter `selector` does.
 * @throws {ApiError} 400 of contract §7.2 that comes first.
 */
export function parseParameters<Rules extends ParameterRules>(
  rawQuery: string,
  rules: Rules,
  dataset?: DatasetName,
): Parameters<Rules> {
  const given = group(decodeQuery(rawQuery), rules);
  const shape = checkShape(given, rules);
  const found = dataset ?? findDataset(String(shape[rules.selector] ?? ''), rules);
  return {
    dataset: found,
    filters: pickFilters(given, found, rules),
    shape: shape as z.infer<Rules['shape']>,
  };
}

/** Values per parameter, each once, in the order given; `country[]` is `country` (ruling 3). */
function group(parameters: readonly Parameter[], rules: ParameterRules): Map<string, string[]> {
  const given = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const [written, value] of parameters) {
    const bare = written.endsWith('[]') ? written.slice(0, -2) : written;
    const parameter = isDimensionName(bare) || rules.lists?.includes(bare) ? bare : written;
    const values = given.get(parameter) ?? [];
    if (values.length === 0) given.set(parameter, values);
    const pair = JSON.stringify([parameter, value]);
    // A scalar given twice is wrong even when both say the same; of lists it is for the shape to say.
    if (!seen.has(pair) || !isFilter(parameter, rules)) values.push(value);
    seen.add(pair);
  }
  return given;
}

/** Whether a parameter is a filter, or would be one if the dataset had it. */
const isFilter = (parameter: string, { shape }: ParameterRules) =>
  !Object.hasOwn(shape.shape, parameter) || isDimensionName(parameter);

/** Everything about the form of the parameters that is wrong, at once (ruling 1). */
function checkShape(
  given: ReadonlyMap<string, readonly string[]>,
  rules: ParameterRules,
): Readonly<Record<string, unknown>> {
  const { shape, lists = [] } = rules;
  const input: Record<string, unknown> = {};
  for (const parameter of Object.keys(shape.shape)) {
    const values = given.get(parameter);
    const isScalar = !isFilter(parameter, rules) && !lists.includes(parameter);
    if (values) input[parameter] = isScalar && values.length === 1 ? values[0] : values;
  }
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  const fieldErrors = noFieldErrors();
  for (const { path, message } of parsed.error.issues) {
    const parameter = String(path[0]);
    fieldErrors[parameter] = [...new Set([...(fieldErrors[parameter] ?? []), message])];
  }
  throw invalidParameters({ formErrors: [], fieldErrors });
}

function findDataset(text: string, { selector, serves }: ParameterRules): DatasetName {
  if (isDatasetName(text) && serves(text)) return text;
  throw unknownDataset(selector, text);
}

/** The 400 for a dataset that is not served, named by that parameter (contract §7.2, ruling 17). */
export const unknownDataset = (selector: ParameterRules['selector'], text: string): ApiError =>
  new ApiError(400, `Unknown ${selector}: '${text}'. Use GET /catalog to see available datasets.`);

/** The first parameter that is no dimension of the dataset is named (ruling 9). */
function pickFilters(
  given: ReadonlyMap<string, readonly string[]>,
  dataset: DatasetName,
  rules: ParameterRules,
): Map<DimensionName, readonly string[]> {
  const { dimensions } = datasetOf(dataset);
  const filters = new Map<DimensionName, readonly string[]>();
  for (const [parameter, values] of given) {
    // A dataset without years has no period.
    const isKnown = !isFilter(parameter, rules) && (parameter !== 'period' || dimensions.includes('year'));
    if (isKnown) continue;
    if (!isDimensionName(parameter) || !dimensions.includes(parameter))
      throw invalidDimension(parameter, rules.selector, dataset);
    filters.set(parameter, values);
  }
  return filters;
}

/** A name that is no dimension of the dataset (ruling 9). */
export const invalidDimension = (name: string, selector: string, dataset: DatasetName): ApiError =>
  new ApiError(
    400,
    `Invalid filter dimension "${name}" for ${selector} "${dataset}". ` +
      `Valid dimensions: ${datasetOf(dataset).dimensions.join(', ')}`,
  );

/** Without a prototype: `__proto__` is a name like any other. */
export const noFieldErrors = (): Record<string, string[]> => Object.create(null);

// Sorts the parameters of a query string into scalars, lists and filters, and refuses wrong ones (ruling 1).

import type { z } from 'zod';
import { getOrInsert } from '../../basics/maps.ts';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  isDatasetName,
  isDimensionName,
} from '../../catalog/datasets.ts';
import { ApiError, type HelpTopic, invalidParameters } from '../../errors.ts';
import { decodeQuery, type Parameter } from './decode.ts';

/** The rules for the parameters of one endpoint. */
export interface ParameterRules {
  readonly datasetParameter: 'metric' | 'dataset';
  /** The validators of all parameters that are not filters, and of the filter `year`. */
  readonly validators: z.ZodObject;
  /** Parameters that may be repeated and are not filters. */
  readonly repeatable?: readonly string[];
  readonly serves: (name: DatasetName) => boolean;
}

/** The checked parameters of a query. */
export interface ParsedParameters<Rules extends ParameterRules> {
  readonly dataset: DatasetName;
  readonly datasetParameter: ParameterRules['datasetParameter'];
  readonly filters: ReadonlyMap<DimensionName, readonly string[]>;
  /** The endpoint's own parameters, as its validators give them. */
  readonly parsed: z.infer<Rules['validators']>;
}

/**
 * Parses a query string and checks its parameters in the order of ruling 1.
 *
 * @param dataset the dataset that the path names; left out when a parameter names it.
 * @throws {ApiError} the first 400 of contract §7.2 that applies.
 */
export function parseParameters<Rules extends ParameterRules>(
  rawQuery: string,
  rules: Rules,
  dataset?: DatasetName,
): ParsedParameters<Rules> {
  const given = valuesByParameter(decodeQuery(rawQuery), rules);
  const parsed = validate(given, rules);
  const found = dataset ?? findDataset(String(parsed[rules.datasetParameter] ?? ''), rules);
  return {
    dataset: found,
    datasetParameter: rules.datasetParameter,
    filters: pickFilters(given, found, rules),
    parsed: parsed as z.infer<Rules['validators']>,
  };
}

/**
 * The values of each parameter in the order given, without the repeated values of filters. `country[]` means `country`
 * (ruling 3).
 */
function valuesByParameter(parameters: readonly Parameter[], rules: ParameterRules): Map<string, string[]> {
  const given = new Map<string, string[]>();
  const seen = new Map<readonly string[], Set<string>>();
  for (const [written, value] of parameters) {
    const bare = written.endsWith('[]') ? written.slice(0, -2) : written;
    const parameter = isDimensionName(bare) || rules.repeatable?.includes(bare) ? bare : written;
    const values = given.get(parameter);
    if (values === undefined) {
      given.set(parameter, [value]);
      continue;
    }
    const known = getOrInsert(seen, values, () => new Set(values));
    // A parameter that takes one value is an error when it is given twice, even with the same value.
    if (!known.has(value) || !isFilter(parameter, rules)) values.push(value);
    known.add(value);
  }
  return given;
}

/** Whether a parameter is a filter of this or another dataset, or is unknown. */
const isFilter = (parameter: string, { validators }: ParameterRules) =>
  !Object.hasOwn(validators.shape, parameter) || isDimensionName(parameter);

/** Parses all parameters that have validators. All problems are reported together (ruling 1). */
function validate(
  given: ReadonlyMap<string, readonly string[]>,
  rules: ParameterRules,
): Readonly<Record<string, unknown>> {
  const { validators, repeatable = [] } = rules;
  const input: Record<string, unknown> = {};
  for (const parameter of Object.keys(validators.shape)) {
    const values = given.get(parameter);
    const isScalar = !isFilter(parameter, rules) && !repeatable.includes(parameter);
    if (values) input[parameter] = isScalar && values.length === 1 ? values[0] : values;
  }
  const parsed = validators.safeParse(input);
  if (parsed.success) return parsed.data;
  const fieldErrors = noFieldErrors();
  const help: HelpTopic[] = [];
  for (const issue of parsed.error.issues) {
    const parameter = String(issue.path[0]);
    const topic = topicOf(
      issue,
      parameter,
      repeatable.includes(parameter) ? undefined : given.get(parameter),
    );
    help.push(topic);
    // The contract fixes the message of `period`, whatever is wrong with it.
    const message = topic === 'given-twice' && parameter !== 'period' ? GIVEN_TWICE : issue.message;
    fieldErrors[parameter] = [...new Set([...(fieldErrors[parameter] ?? []), message])];
  }
  throw invalidParameters({ formErrors: [], fieldErrors }, help);
}

const GIVEN_TWICE = 'Expected one value: give the parameter once';

/**
 * The help topic for a problem with a parameter.
 *
 * @param values the given values of a parameter that takes one value; undefined for a list.
 */
function topicOf(
  issue: z.core.$ZodIssue,
  parameter: string,
  values: readonly string[] | undefined,
): HelpTopic {
  if (issue.code === 'custom' && issue.params?.topic) return issue.params.topic;
  if (values !== undefined && values.length > 1 && !isDimensionName(parameter)) return 'given-twice';
  return TOPICS[parameter] ?? 'misspelt-parameter';
}

/** The help topic for a wrong value of a parameter, unless its validator names one. */
const TOPICS: Readonly<Record<string, HelpTopic>> = {
  metric: 'metric-missing',
  dataset: 'dataset-missing',
  period: 'period-format',
  limit: 'limit',
  year: 'year',
  since: 'since-missing',
  by: 'dimension-named-twice',
  change: 'unknown-change',
};

function findDataset(text: string, { datasetParameter, serves }: ParameterRules): DatasetName {
  if (isDatasetName(text) && serves(text)) return text;
  throw unknownDataset(datasetParameter, text);
}

/**
 * The 400 for an unknown dataset (contract §7.2, ruling 17).
 *
 * @param datasetParameter the parameter that names the dataset.
 */
export const unknownDataset = (
  datasetParameter: ParameterRules['datasetParameter'],
  text: string,
): ApiError =>
  new ApiError(400, `Unknown ${datasetParameter}: '${text}'. Use GET /catalog to see available datasets.`, {
    help: [topicOfDataset(datasetParameter, text)],
  });

function topicOfDataset(datasetParameter: ParameterRules['datasetParameter'], text: string): HelpTopic {
  if (datasetParameter === 'metric')
    return text === 'country_reference' ? 'reference-as-metric' : 'unknown-metric';
  return isDatasetName(text) ? 'financial-as-reference' : 'unknown-dataset';
}

/**
 * The filters of the query.
 *
 * @throws {ApiError} 400 for the first parameter that is not a dimension of the dataset (ruling 9).
 */
function pickFilters(
  given: ReadonlyMap<string, readonly string[]>,
  dataset: DatasetName,
  rules: ParameterRules,
): Map<DimensionName, readonly string[]> {
  const { dimensions } = datasetOf(dataset);
  const filters = new Map<DimensionName, readonly string[]>();
  for (const [parameter, values] of given) {
    // For a dataset without years, `period` is refused like a filter that the dataset does not have.
    const isOfEndpoint =
      !isFilter(parameter, rules) && (parameter !== 'period' || dimensions.includes('year'));
    if (isOfEndpoint) continue;
    if (!isDimensionName(parameter) || !dimensions.includes(parameter))
      throw invalidDimension(parameter, rules.datasetParameter, dataset);
    filters.set(parameter, values);
  }
  return filters;
}

/** The 400 for a name that is not a dimension of the dataset (ruling 9). */
export const invalidDimension = (name: string, datasetParameter: string, dataset: DatasetName): ApiError =>
  new ApiError(
    400,
    `Invalid filter dimension "${name}" for ${datasetParameter} "${dataset}". ` +
      `Valid dimensions: ${datasetOf(dataset).dimensions.join(', ')}`,
    {
      help: [
        isDimensionName(name) || name === 'period' ? 'dimension-of-another-dataset' : 'misspelt-parameter',
      ],
    },
  );

/** An empty set of errors by parameter. It has no prototype, so a parameter named `__proto__` is like any other. */
export const noFieldErrors = (): Record<string, string[]> => Object.create(null);

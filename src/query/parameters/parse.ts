// Parses the query string of every endpoint into a typed query, or throws the 400 that names the problems.

import { type DatasetName, type DimensionName, datasetOf, isDimensionName } from '../../catalog/datasets.ts';
import { invalidParameters } from '../../errors.ts';
import { decodeQuery } from './decode.ts';
import { CHANGES, type Change, PARAMETER_RULES } from './parameterRules.ts';
import { invalidDimension, noFieldErrors, parseParameters } from './parameters.ts';
import type { Period } from './period.ts';

/** What rows must meet. Pages, sums and files all read it, and so does the digest of a cursor. */
export interface RowSelection {
  /** The values of each filtered dimension, in the order given and without repeats. A row must have one of them. */
  readonly filters: ReadonlyMap<DimensionName, readonly string[]>;
  readonly period: Period | null;
}

/** Selects rows of a dataset. */
export interface SelectionQuery extends RowSelection {
  readonly dataset: DatasetName;
}

/** Selects one page of rows. */
export interface RowQuery extends SelectionQuery {
  /** The parameter that named the dataset. */
  readonly datasetParameter: 'metric' | 'dataset';
  readonly limitRows: number;
  readonly cursor: string | null;
}

/**
 * The query of GET /v1/financials (contract §4.1).
 *
 * @throws {ApiError} the first 400 of contract §7.2 that applies, in the order of ruling 1.
 */
export const parseFinancials = (rawQuery: string): RowQuery =>
  rowQuery(parseParameters(rawQuery, PARAMETER_RULES.financials));

/**
 * The query of GET /v1/reference (ruling 17).
 *
 * @throws {ApiError} as `parseFinancials` does.
 */
export const parseReference = (rawQuery: string): RowQuery =>
  rowQuery(parseParameters(rawQuery, PARAMETER_RULES.reference));

/** The query of GET /v1/values. Throws as `parseFinancials` does. */
export function parseValues(rawQuery: string): SelectionQuery & {
  /** The dimensions to list, in the order given; null for all. */
  readonly dimensions: readonly DimensionName[] | null;
} {
  const parameters = parseParameters(rawQuery, PARAMETER_RULES.values);
  const { dataset, parsed } = parameters;
  const dimensions = parsed.dimension ? dimensionsOf(dataset, parsed.dimension) : null;
  return { ...selectionQuery(parameters), dimensions };
}

/** The query of GET /v1/totals. Throws as `parseFinancials` does. */
export function parseTotals(rawQuery: string): RowQuery & { readonly by: readonly DimensionName[] } {
  const parameters = parseParameters(rawQuery, PARAMETER_RULES.totals);
  const by = dimensionsOf(parameters.dataset, parameters.parsed.by ?? []);
  return { ...rowQuery(parameters), by };
}

/** The query of GET /v1/changes. Throws as `parseFinancials` does. */
export function parseChanges(rawQuery: string): RowQuery & {
  readonly since: string;
  readonly until: string | null;
  readonly changes: readonly Change[];
} {
  const parameters = parseParameters(rawQuery, PARAMETER_RULES.changes);
  const { since, until = null, change: changes = CHANGES } = parameters.parsed;
  return { ...rowQuery(parameters), since, until, changes };
}

/** The filters of GET /v1/export. Throws as `parseFinancials` does. */
export const parseExport = (dataset: DatasetName, rawQuery: string): SelectionQuery =>
  selectionQuery(parseParameters(rawQuery, PARAMETER_RULES.export, dataset));

/** The query of an endpoint that takes no parameters (ruling 10). Throws as `parseFinancials` does. */
export function parseNothing(rawQuery: string): Record<string, never> {
  const fieldErrors = noFieldErrors();
  for (const [name] of decodeQuery(rawQuery)) fieldErrors[name] = ['This endpoint takes no parameters'];
  if (Object.keys(fieldErrors).length > 0)
    throw invalidParameters({ formErrors: [], fieldErrors }, ['no-parameters']);
  return {};
}

/** The parameters of every endpoint that selects rows. */
interface SelectionParameters extends Pick<SelectionQuery, 'dataset' | 'filters'> {
  readonly parsed: { readonly period?: Period | undefined };
}

const selectionQuery = ({ dataset, filters, parsed }: SelectionParameters): SelectionQuery => ({
  dataset,
  filters,
  period: parsed.period ?? null,
});

/** The parameters of every endpoint with pages. */
interface PageParameters extends SelectionParameters, Pick<RowQuery, 'datasetParameter'> {
  readonly parsed: SelectionParameters['parsed'] & {
    readonly limit: number;
    readonly cursor?: string | undefined;
  };
}

function rowQuery(parameters: PageParameters): RowQuery {
  const { datasetParameter, parsed } = parameters;
  const { limit: limitRows, cursor = null } = parsed;
  return { ...selectionQuery(parameters), datasetParameter, limitRows, cursor };
}

/** Distinct dimensions given by name. Throws a 400 for the first name that is not a dimension of the dataset. */
function dimensionsOf(dataset: DatasetName, names: readonly string[]): readonly DimensionName[] {
  return [...new Set(names)].map((name) => {
    if (isDimensionName(name) && datasetOf(dataset).dimensions.includes(name)) return name;
    throw invalidDimension(name, 'dataset', dataset);
  });
}

// Refuses filter values that a dataset does not have, for clients that send `Prefer: handling=strict`.

import type { DimensionName } from '../catalog/datasets.ts';
import type { DatasetManifest } from '../catalog/manifest.ts';
import { byCodePoints } from '../catalog/textOrder.ts';
import { invalidParameters } from '../errors.ts';
import { noFieldErrors } from './parameters/parameters.ts';
import type { SelectionQuery } from './parameters/parse.ts';
import { comparable } from './selection/compile.ts';
import { type Suggest, suggestAmong } from './suggest.ts';

/** The preference that this file handles. */
export const STRICT_HANDLING = 'handling=strict';

/**
 * Checks filter values against the values that manifests list.
 *
 * @param manifests the dataset in each snapshot that the answer is about. A value is known if one of them has it, so
 * that clients can ask for the changes of a country that is gone.
 * @throws {ApiError} 400 that names every value that the dataset does not have, and the nearest value that it has.
 */
export function expectKnownValues(
  filters: SelectionQuery['filters'],
  manifests: readonly DatasetManifest[],
): void {
  const fieldErrors = noFieldErrors();
  for (const [dimension, wanted] of filters) {
    const values = valuesOfAll(dimension, manifests);
    const known = new Set(values);
    const unknown = wanted.filter((value) => !known.has(comparable(dimension, value)));
    if (unknown.length === 0) continue;
    const suggest = suggestAmong(values);
    fieldErrors[dimension] = unknown.map((value, i) =>
      messageOf(value, i < MAX_SUGGESTIONS ? suggest : noSuggestion),
    );
  }
  if (Object.keys(fieldErrors).length > 0)
    throw invalidParameters({ formErrors: [], fieldErrors }, ['unknown-value'], {
      preferenceApplied: STRICT_HANDLING,
    });
}

/**
 * How many unknown values of a dimension are compared with the known ones. Thousands fit into a request, and comparing
 * them all would keep other requests waiting.
 */
const MAX_SUGGESTIONS = 100;

const noSuggestion: Suggest = () => null;

/** The values that a dimension has in any of the manifests, in code-point order. */
function valuesOfAll(dimension: DimensionName, manifests: readonly DatasetManifest[]): readonly string[] {
  const [first = [], ...others] = manifests.map((dataset) => valuesOf(dimension, dataset));
  return others.length === 0 ? first : [...new Set([...first, ...others.flat()])].sort(byCodePoints);
}

const valuesOf = (dimension: DimensionName, { years, dimensions }: DatasetManifest): readonly string[] =>
  dimension === 'year' ? years.map(String) : (dimensions[dimension] ?? []).map(({ value }) => value);

function messageOf(value: string, suggest: Suggest): string {
  const nearest = suggest(value);
  return `Unknown value "${value}"${nearest === null ? '' : `; did you mean "${nearest}"?`}`;
}

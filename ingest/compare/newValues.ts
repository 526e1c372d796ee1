// Finds values of text dimensions that are new to the whole snapshot, and for each the known value that it may replace.

import { ascending } from '../../src/basics/lists.ts';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  isText,
} from '../../src/catalog/datasets.ts';
import { nearestWord } from '../messages/spelling.ts';
import type { DimensionChange, NewValue } from './comparisonTypes.ts';
import { countriesOf } from './rowChanges.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { removedRows } from './rows/rowLists.ts';
import type { Side } from './side.ts';

/** The most new values of a dimension whose spelling is compared. More of them are a new vocabulary, not misspellings. */
const MOST_COMPARED = 200;

/**
 * The new values of all text dimensions. A dataset without earlier rows has none. Only a lookup has new countries, because
 * all countries of the other datasets must be in it.
 */
export function newValuesOf(
  matched: MatchedRows,
  before: Side,
  changes: readonly DimensionChange[],
): readonly NewValue[] {
  const isLookup = datasetOf(matched.codes.dataset).lookup === undefined;
  return changes.flatMap(({ dimension, appeared }) => {
    if (!isText(dimension) || (dimension === 'country' && !isLookup)) return [];
    const known = knownValues(before, dimension);
    if (known.size === 0) return [];
    const fresh = appeared.filter(({ value }) => !known.has(String(value)));
    const countries = countriesOf(matched, matched.after, dimension);
    return fresh.map(({ value, rows }, i): NewValue => {
      const text = String(value);
      const users = countries(value);
      return {
        dimension,
        value: text,
        rows,
        countries: users,
        nearest: i < MOST_COMPARED ? (nearestWord(text, known) ?? null) : null,
        replaces:
          i < MOST_COMPARED ? (nearestWord(text, losingRows(matched, dimension, users)) ?? null) : null,
      };
    });
  });
}

/** The values of a dimension in all datasets of a snapshot. The two dimensions of currencies share their values. */
function knownValues({ datasets }: Side, dimension: DimensionName): ReadonlySet<string> {
  const alike: readonly DimensionName[] =
    dimensionOf(dimension).form === 'currency' ? ['fx', 'fx_local_currency'] : [dimension];
  const known = new Set<string>();
  for (const name of Object.keys(datasets) as DatasetName[]) {
    for (const one of alike) {
      for (const { value } of datasets[name].dimensions[one] ?? []) known.add(value);
    }
  }
  return known;
}

/** The values that lost rows in one of these countries, in code-point order. */
function losingRows(
  { codes, before, changed }: MatchedRows,
  dimension: DimensionName,
  countries: readonly string[],
): readonly string[] {
  const concerned = new Set(countries.map((country) => codes.codeOf('country', country)));
  const found = new Set<number>();
  for (const row of removedRows(changed))
    if (concerned.has(before.code('country', row))) found.add(before.code(dimension, row));
  return ascending(found)
    .map((code) => codes.textOf(dimension, code))
    .filter((value) => value !== '');
}

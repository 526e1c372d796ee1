// Finds the countries that `state=` leaves out, because all their rows are rows of states.

import type { Table } from '../catalog/columns.ts';
import type { Condition, Selected } from './compile.ts';
import { matchingRows } from './matching.ts';
import type { Slices } from './slices.ts';

/** The value of `state` in rows of whole countries. */
const WHOLE_COUNTRY = '';

/**
 * Finds the countries that `state=` leaves out: they have no row of their own, and rows of their states meet the other
 * conditions. Finds none for any other selection, because only `state=` reads as if it had every country.
 */
export async function statesAlone(table: Table, selected: Selected, slices: Slices): Promise<string[]> {
  const countries = table.dimensions.get('country');
  const states = table.dimensions.get('state');
  if (typeof selected === 'string' || countries === undefined || states === undefined) return [];
  const wholes = selected.conditions.find(isOfWholeCountries);
  if (wholes === undefined) return [];
  const [whole] = wholes.codes;
  const others = selected.conditions.filter((condition) => condition !== wholes);
  const hasWhole = new Uint8Array(countries.values.length);
  const hasRows = new Uint8Array(countries.values.length);
  const anyState: Selected = others.length === 0 ? 'everything' : { conditions: others };
  for await (const rows of matchingRows(table, anyState, slices)) {
    for (const row of rows) {
      const country = countries.codes[row] ?? 0;
      hasRows[country] = 1;
      if (states.codes[row] === whole) hasWhole[country] = 1;
    }
  }
  return countries.values.filter((_, code) => hasRows[code] === 1 && hasWhole[code] === 0).map(String);
}

const isOfWholeCountries = ({ dimension, column, codes: [code, ...others] }: Condition): boolean =>
  dimension === 'state' && code !== undefined && others.length === 0 && column.values[code] === WHOLE_COUNTRY;

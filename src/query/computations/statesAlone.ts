// Finds the countries that `state=` leaves out, because all their rows of a year are rows of states.

import type { Table } from '../../catalog/columns.ts';
import type { Condition, Selected } from '../selection/compile.ts';
import { matchingRows } from '../selection/matching.ts';
import type { Slices } from '../slices.ts';

/** The value of `state` in rows of whole countries. */
const WHOLE_COUNTRY = '';

/**
 * Finds the countries that a selection with `state=` leaves out: in some year, only rows of their states meet the other
 * conditions, and no row of the whole country does. Any other selection leaves no country out in this way.
 */
export async function statesAlone(table: Table, selected: Selected, slices: Slices): Promise<string[]> {
  const countries = table.dimensions.get('country');
  const states = table.dimensions.get('state');
  const years = table.dimensions.get('year');
  if (typeof selected === 'string' || countries === undefined || states === undefined) return [];
  const wholes = selected.conditions.find(isOfWholeCountries);
  if (wholes === undefined) return [];
  const [whole] = wholes.codes;
  const others = selected.conditions.filter((condition) => condition !== wholes);
  const yearCount = years?.values.length ?? 1;
  const hasWhole = new Uint8Array(countries.values.length * yearCount);
  const hasRows = new Uint8Array(hasWhole.length);
  const anyState: Selected = others.length === 0 ? 'everything' : { conditions: others };
  for await (const rows of matchingRows(table, anyState, slices)) {
    for (const row of rows) {
      const place = (countries.codes[row] ?? 0) * yearCount + (years?.codes[row] ?? 0);
      hasRows[place] = 1;
      if (states.codes[row] === whole) hasWhole[place] = 1;
    }
  }
  const isLeftOut = (place: number) => hasRows[place] === 1 && hasWhole[place] === 0;
  const yearsOf = Array.from({ length: yearCount }, (_, year) => year);
  return countries.values
    .filter((_, code) => yearsOf.some((year) => isLeftOut(code * yearCount + year)))
    .map(String);
}

const isOfWholeCountries = ({ dimension, column, codes: [code, ...others] }: Condition): boolean =>
  dimension === 'state' && code !== undefined && others.length === 0 && column.values[code] === WHOLE_COUNTRY;

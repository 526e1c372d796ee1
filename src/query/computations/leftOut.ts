// Finds the countries that a sum leaves out although they have rows: rows of states, or in other currencies.

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
export const statesAlone = (table: Table, selected: Selected, slices: Slices): Promise<string[]> =>
  leftOutBy(
    ({ dimension, column, codes: [code = -1] }) =>
      dimension === 'state' && column.values[code] === WHOLE_COUNTRY,
    table,
    selected,
    slices,
  );

/**
 * Finds the countries that a selection of one currency leaves out: in some year, rows in other currencies meet the other
 * conditions, and no row in this one does. A country that changed its currency is one, if its figures are not converted.
 */
export const currenciesAlone = (table: Table, selected: Selected, slices: Slices): Promise<string[]> =>
  leftOutBy(({ dimension }) => dimension === 'fx', table, selected, slices);

/**
 * Finds the countries that a selection leaves out by one of its conditions, which asks for a single value: in some year,
 * rows meet the other conditions and none of them has the value.
 */
async function leftOutBy(
  isAsked: (condition: Condition) => boolean,
  table: Table,
  selected: Selected,
  slices: Slices,
): Promise<string[]> {
  const countries = table.dimensions.get('country');
  const years = table.dimensions.get('year');
  if (typeof selected === 'string' || countries === undefined) return [];
  const asked = selected.conditions.find((condition) => condition.codes.length === 1 && isAsked(condition));
  if (asked === undefined) return [];
  const [wanted] = asked.codes;
  const { codes } = asked.column;
  const others = selected.conditions.filter((condition) => condition !== asked);
  const yearCount = years?.values.length ?? 1;
  const hasWanted = new Uint8Array(countries.values.length * yearCount);
  const hasRows = new Uint8Array(hasWanted.length);
  const withoutIt: Selected = others.length === 0 ? 'everything' : { conditions: others };
  for await (const rows of matchingRows(table, withoutIt, slices)) {
    for (const row of rows) {
      const place = (countries.codes[row] ?? 0) * yearCount + (years?.codes[row] ?? 0);
      hasRows[place] = 1;
      if (codes[row] === wanted) hasWanted[place] = 1;
    }
  }
  const isLeftOut = (place: number) => hasRows[place] === 1 && hasWanted[place] === 0;
  const yearsOf = Array.from({ length: yearCount }, (_, year) => year);
  return countries.values
    .filter((_, code) => yearsOf.some((year) => isLeftOut(code * yearCount + year)))
    .map(String);
}

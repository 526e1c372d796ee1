// Finds the countries that a sum leaves out although they have rows: rows of states, or in other currencies.

import type { Codes, Column, Table } from '../../catalog/columns.ts';
import type { DimensionName } from '../../catalog/datasets.ts';
import { type Condition, conditionsIn, type Selected } from '../selection/compile.ts';
import { matchingRows } from '../selection/matching.ts';
import type { Slices } from '../slices.ts';

/** The value of `state` in rows of whole countries. */
const WHOLE_COUNTRY = '';

/** Receives the rows of a selection in blocks, then gives the countries that the selection leaves out. */
export interface LeftOutCountries {
  see(rows: Uint32Array): void;
  /**
   * The countries that `state=` leaves out. In some year, rows of their states meet the other conditions, and no row of
   * the whole country does. Any other selection leaves no country out in this way.
   *
   * A country that in some year has only rows of states in other currencies is in both lists.
   */
  statesAlone(slices: Slices): Promise<string[]>;
  /**
   * The countries that a condition on one currency leaves out. In some year, rows in other currencies meet the other
   * conditions, and no row in this currency does. An example is a country that changed its currency, and whose figures
   * are not converted.
   */
  currenciesAlone(slices: Slices): Promise<string[]>;
}

/** Prepares the search for the countries that a sum over these rows leaves out. */
export function leftOutCountries(table: Table, selected: Selected): LeftOutCountries {
  const countries = table.dimensions.get('country');
  const conditions = conditionsIn(selected);
  const single = conditions.filter(({ codes }) => codes.length === 1);
  const wholes = single.find(
    ({ dimension, column, codes: [code = -1] }) =>
      dimension === 'state' && column.values[code] === WHOLE_COUNTRY,
  );
  const currency = single.find(({ dimension }) => dimension === 'fx');
  if (countries === undefined || (wholes === undefined && currency === undefined)) return NOTHING;
  const seen = seenYears(table, countries);
  const yearsWithout = async (dropped: readonly (Condition | undefined)[], slices: Slices) => {
    if (dropped.includes(undefined)) return [];
    const others = conditions.filter((condition) => !dropped.includes(condition));
    const all = await everyYear(table, countries, slices);
    return await yearsWithRows(table, countries, { conditions: others, all, seen }, slices);
  };
  /** The years that neither condition leaves out by itself: their rows are of states, and in other currencies. */
  let bothPairs: Promise<readonly number[]> | undefined;
  const yearsWithoutBoth = async (slices: Slices) => {
    const both = await yearsWithout([wholes, currency], slices);
    if (both.length === 0) return both;
    const byOne = new Set([
      ...(await yearsWithout([wholes], slices)),
      ...(await yearsWithout([currency], slices)),
    ]);
    return both.filter((pair) => !byOne.has(pair));
  };
  const countriesWithout = async (dropped: Condition | undefined, slices: Slices) => {
    bothPairs ??= yearsWithoutBoth(slices);
    const pairs = [...(await yearsWithout([dropped], slices)), ...(await bothPairs)];
    const codes = new Set(pairs.map((pair) => Math.floor(pair / seen.yearCount)));
    return [...codes].sort((a, b) => a - b).map((country) => String(countries.values[country]));
  };
  return {
    see: seen.see,
    statesAlone: (slices) => countriesWithout(wholes, slices),
    currenciesAlone: (slices) => countriesWithout(currency, slices),
  };
}

const NOTHING: LeftOutCountries = { see() {}, statesAlone: async () => [], currenciesAlone: async () => [] };

interface SeenYears {
  readonly yearCount: number;
  /** An element for each year of each value: 1 where rows were seen. */
  readonly hasRows: Uint8Array;
  see(rows: Uint32Array): void;
}

/**
 * Makes a record of the years in which the values of a dimension have rows, without any rows yet. All rows of a dataset
 * without years count as of one year.
 */
export function seenYears(table: Table, { values, codes }: Column): SeenYears {
  const years = table.dimensions.get('year');
  const yearCount = years?.values.length ?? 1;
  const hasRows = new Uint8Array(values.length * yearCount);
  const yearCodes = years?.codes ?? new Uint8Array(0);
  return { yearCount, hasRows, see: (rows) => markPairs([codes, yearCodes], yearCount, hasRows, rows) };
}

function markPairs(
  [codes, years]: readonly [Codes, Codes],
  yearCount: number,
  seen: Uint8Array,
  rows: Uint32Array,
): void {
  let last = -1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const pair = (codes[row] ?? 0) * yearCount + (years[row] ?? 0);
    // Neighbouring rows mostly have the same pair, and a store costs more than a comparison.
    if (pair === last) continue;
    seen[pair] = 1;
    last = pair;
  }
}

/**
 * The years in which the countries of each table have rows, whatever is selected. They are found once, and live as long
 * as the table's snapshot.
 */
const everyYears = new WeakMap<Table, SeenYears>();

async function everyYear(table: Table, countries: Column, slices: Slices): Promise<SeenYears> {
  const known = everyYears.get(table);
  if (known !== undefined) return known;
  const all = seenYears(table, countries);
  for await (const rows of matchingRows(table, 'everything', slices)) all.see(rows);
  everyYears.set(table, all);
  return all;
}

/**
 * Finds the years in which countries have rows that meet the conditions, although no row of them was seen. The search is
 * short, because it reads only countries that have rows in such a year at all. Gives pairs of country and year, as in
 * `SeenYears.hasRows`.
 */
async function yearsWithRows(
  table: Table,
  countries: Column,
  { conditions, all, seen }: { conditions: readonly Condition[]; all: SeenYears; seen: SeenYears },
  slices: Slices,
): Promise<number[]> {
  const { yearCount } = all;
  const isSelected = (dimension: DimensionName, code: number) =>
    conditions.every((condition) => condition.dimension !== dimension || condition.codes.includes(code));
  const lacking = new Set<number>();
  for (const [index, has] of all.hasRows.entries()) {
    if (has === 0 || seen.hasRows[index] === 1) continue;
    const country = Math.floor(index / yearCount);
    if (isSelected('country', country) && isSelected('year', index % yearCount)) lacking.add(country);
  }
  if (lacking.size === 0) return [];
  const ofLacking = { dimension: 'country', column: countries, codes: [...lacking] } as const;
  const others = conditions.filter(({ dimension }) => dimension !== 'country');
  const found = seenYears(table, countries);
  for await (const rows of matchingRows(table, { conditions: [ofLacking, ...others] }, slices))
    found.see(rows);
  return [...found.hasRows.keys()].filter((index) => found.hasRows[index] === 1 && seen.hasRows[index] === 0);
}

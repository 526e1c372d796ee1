// Finds the countries that a sum leaves out although they have rows: rows of states, in other currencies, or forecasts.

import type { Codes, Column, Table } from '../../catalog/columns.ts';
import type { DimensionName } from '../../catalog/datasets.ts';
import { type Condition, conditionsIn, type SelectedRows } from '../selection/compile.ts';
import { matchingRows } from '../selection/matchingRows.ts';
import type { Slices } from '../slices.ts';

/** The value of `state` in rows of whole countries. */
const WHOLE_COUNTRY = '';

/** The countries that a selection leaves out, each list in code-point order. A country may be in several of them. */
export interface LeftOut {
  /**
   * The countries that `state=` leaves out. In some year, rows of their states meet the other conditions, and no row of
   * the whole country does.
   */
  readonly statesAlone: readonly string[];
  /**
   * The countries that a condition on one currency leaves out. In some year, rows in other currencies meet the other
   * conditions, and no row in this currency does. An example is a country that changed its currency, and whose figures
   * are not converted.
   */
  readonly currenciesAlone: readonly string[];
  /**
   * The countries that a condition on one value of `temporal` leaves out. In some year in which the selection has rows of
   * any country, their rows that meet the other conditions have other values of it. An example is a country that has not
   * reported yet, under `temporal=Current`.
   */
  readonly temporalAlone: readonly string[];
}

/** Receives the rows of a selection in blocks, then gives the countries that the selection leaves out. */
export interface LeftOutSearch {
  see(rows: Uint32Array): void;
  /**
   * If the rows of a country in a year need several conditions dropped, as rows of states in other currencies do, the
   * country is in the list of each of these conditions.
   */
  find(slices: Slices): Promise<LeftOut>;
}

/** Prepares the search for the countries that a sum over these rows leaves out. */
export function createLeftOutSearch(table: Table, selected: SelectedRows): LeftOutSearch {
  const countries = table.dimensions.get('country');
  const conditions = conditionsIn(selected);
  const suspects = suspectsAmong(conditions);
  if (countries === undefined || suspects.length === 0) return NOTHING;
  const seen = createYearRecord(table, countries);
  return {
    see: seen.see,
    async find(slices) {
      const all = await allYearsOf(table, countries, slices);
      const leftOut = {
        statesAlone: new Set<number>(),
        currenciesAlone: new Set<number>(),
        temporalAlone: new Set<number>(),
      };
      const found: { readonly dropped: readonly Suspect[]; readonly years: ReadonlySet<number> }[] = [];
      for (const dropped of subsetsOf(suspects)) {
        const others = conditions.filter((one) => !dropped.some(({ condition }) => condition === one));
        const isOfSeenYears = dropped.some(({ list }) => list === 'temporalAlone');
        const years = await yearsWithRows(table, countries, { others, all, seen, isOfSeenYears }, slices);
        // If a year of a country has rows as soon as a part of these conditions is dropped, the others do not leave it out.
        const smaller = found.filter((earlier) => earlier.dropped.every((one) => dropped.includes(one)));
        const fresh = years.filter((index) => !smaller.some(({ years }) => years.has(index)));
        found.push({ dropped, years: new Set(years) });
        for (const { list } of dropped)
          for (const index of fresh) leftOut[list].add(Math.floor(index / seen.yearCount));
      }
      const namesIn = (list: keyof LeftOut) =>
        [...leftOut[list]].sort((a, b) => a - b).map((country) => String(countries.values[country]));
      return {
        statesAlone: namesIn('statesAlone'),
        currenciesAlone: namesIn('currenciesAlone'),
        temporalAlone: namesIn('temporalAlone'),
      };
    },
  };
}

const NOTHING: LeftOutSearch = {
  see() {},
  find: async () => ({ statesAlone: [], currenciesAlone: [], temporalAlone: [] }),
};

/** A condition that may leave out countries, and the list of those that it leaves out. */
interface Suspect {
  readonly list: keyof LeftOut;
  readonly condition: Condition;
}

/** The conditions that may leave out countries: those on whole countries, one currency or one value of `temporal`. */
const suspectsAmong = (conditions: readonly Condition[]): Suspect[] =>
  LISTS.flatMap(({ list, dimension }) => {
    const condition = conditions.find((one) => one.dimension === dimension);
    if (condition?.codes.length !== 1 || (list === 'statesAlone' && !isOfWholeCountries(condition)))
      return [];
    return [{ list, condition }];
  });

const LISTS = [
  { list: 'statesAlone', dimension: 'state' },
  { list: 'currenciesAlone', dimension: 'fx' },
  { list: 'temporalAlone', dimension: 'temporal' },
] as const;

const isOfWholeCountries = ({ column, codes: [code = -1] }: Condition): boolean =>
  column.values[code] === WHOLE_COUNTRY;

/** The subsets of a list that are not empty, the smaller ones first. */
const subsetsOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, i) =>
    items.filter((_, bit) => ((i + 1) >> bit) % 2 === 1),
  ).sort((a, b) => a.length - b.length);

interface YearRecord {
  readonly yearCount: number;
  /** An element for each year of each value: 1 where rows were seen. */
  readonly hasRows: Uint8Array;
  see(rows: Uint32Array): void;
}

/**
 * Makes a record of the years in which the values of a dimension have rows, without any rows yet. All rows of a dataset
 * without years count as of one year.
 */
export function createYearRecord(table: Table, { values, codes }: Column): YearRecord {
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
const allYearsByTable = new WeakMap<Table, YearRecord>();

async function allYearsOf(table: Table, countries: Column, slices: Slices): Promise<YearRecord> {
  const known = allYearsByTable.get(table);
  if (known !== undefined) return known;
  const all = createYearRecord(table, countries);
  for await (const rows of matchingRows(table, 'everything', slices)) all.see(rows);
  allYearsByTable.set(table, all);
  return all;
}

/**
 * Finds the years in which countries have rows that meet the other conditions, although no row of them was seen. The search
 * is short, because it reads only countries with rows in a year in which none of their rows was seen. Gives indexes into
 * `YearRecord.hasRows`.
 */
async function yearsWithRows(
  table: Table,
  countries: Column,
  { others, all, seen, isOfSeenYears }: Search,
  slices: Slices,
): Promise<number[]> {
  const { yearCount } = all;
  const isSelected = (dimension: DimensionName, code: number) =>
    others.every((condition) => condition.dimension !== dimension || condition.codes.includes(code));
  const isYearSeen = new Uint8Array(yearCount).fill(isOfSeenYears ? 0 : 1);
  for (const [index, has] of seen.hasRows.entries()) if (has === 1) isYearSeen[index % yearCount] = 1;
  const lacking = new Set<number>();
  for (const [index, has] of all.hasRows.entries()) {
    if (has === 0 || seen.hasRows[index] === 1 || isYearSeen[index % yearCount] === 0) continue;
    const country = Math.floor(index / yearCount);
    if (isSelected('country', country) && isSelected('year', index % yearCount)) lacking.add(country);
  }
  if (lacking.size === 0) return [];
  const ofLacking = { dimension: 'country', column: countries, codes: [...lacking] } as const;
  const found = createYearRecord(table, countries);
  for await (const rows of matchingRows(table, { conditions: [ofLacking, ...others] }, slices))
    found.see(rows);
  return [...found.hasRows.keys()].filter(
    (index) => found.hasRows[index] === 1 && seen.hasRows[index] === 0 && isYearSeen[index % yearCount] === 1,
  );
}

interface Search {
  /** The conditions that are not dropped. */
  readonly others: readonly Condition[];
  readonly all: YearRecord;
  readonly seen: YearRecord;
  /** Whether only years count in which some row was seen. */
  readonly isOfSeenYears: boolean;
}

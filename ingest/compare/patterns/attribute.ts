// Says once, and where it is: the few groups that best explain a set of suspicious cells (Bhagwan et al., NSDI 2014).

import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import type { Key } from '../types.ts';
import type { Search } from './shifts.ts';

export interface Group {
  readonly place: Key;
  /** A SQL condition over the codes of `shifts`: the cell lies in the group. */
  readonly inside: string;
  /** Suspicious cells in the group, and cells that could have been suspicious. */
  readonly cells: number;
  readonly of: number;
}

/** More groups than this explain nothing: the rest is counted. */
const MOST_GROUPS = 6;

/** From so many suspicious cells on, years are not told apart: it would cost more than it says. */
const MANY_CELLS = 50_000;

/** So many countries make a finding of the whole dataset possible. */
const SOME_COUNTRIES = 3;

/** These never name a group beside the country: a country has one region, and a value's kind says nothing of place. */
const NOT_BESIDE: readonly DimensionName[] = ['country', 'region', 'temporal', 'calculation'];

/** What is told with a year besides: a product's year, a currency's year. */
const WITH_YEAR: readonly DimensionName[] = ['product', 'fx'];

/**
 * The groups that explain the cells of `shifts` that `suspicious` holds for, best first. Groups are the dataset, a
 * value of one dimension, a country, a country and another dimension, and of some these with a year.
 *
 * 1. For every group: recall is its part of the suspicious cells, precision the suspicious part of its cells.
 * 2. The group with the largest F1 (harmonic mean of both) is taken; of equals the one of fewest dimensions.
 * 3. Its cells are done with; again from 1, until none or six groups are left.
 *
 * @param comparable `SELECT <dimensions as codes> FROM …`: the cells that could have been suspicious.
 */
export async function attribute(search: Search, suspicious: string, comparable: string): Promise<Group[]> {
  const { engine, dataset, keys } = search;
  const flagged = `FROM shifts WHERE NOT told AND ${suspicious}`;
  const [cells = 0, countries = 0] = await engine.counts(
    `SELECT count(*), count(DISTINCT country) ${flagged}`,
  );
  if (cells === 0) return [];
  const used = datasetOf(dataset).dimensions.filter((d) => d !== 'year' || cells < MANY_CELLS);
  const sets = groupings(used, countries >= SOME_COUNTRIES);
  const names = used.join(', ');
  const near = countries >= SOME_COUNTRIES ? '' : `WHERE country IN (SELECT country ${flagged})`;
  const left = await engine.rows(`SELECT ${names}, count(*)::INTEGER ${flagged} GROUP BY ALL ORDER BY ALL`);
  const all = await engine.rows(
    `SELECT ${names}, count(*)::INTEGER FROM (${comparable}) ${near} GROUP BY ALL`,
  );

  const counters = sets.map((set) => new Counter(set.map((d) => used.indexOf(d))));
  for (const counter of counters) {
    for (const row of left) counter.add(row, 1);
    for (const row of all) counter.addComparable(row);
  }
  const groups: Group[] = [];
  let remaining = left;
  for (let open = cells; open > 0 && groups.length < MOST_GROUPS; ) {
    const best = bestOf(counters, open);
    if (best === null) break;
    const { counter, entry } = best;
    const fixed = counter.columns.flatMap((column) => {
      const dimension = used[column];
      return dimension === undefined ? [] : [{ dimension, column, code: Number(entry.row[column]) }];
    });
    groups.push({
      place: Object.fromEntries(
        fixed.map(({ dimension, code }) => [dimension, keys.valueOf(dimension, code)]),
      ),
      inside: ['true', ...fixed.map(({ dimension, code }) => `${dimension} = ${code}`)].join(' AND '),
      cells: entry.cells,
      of: Math.max(entry.cells, entry.of),
    });
    open -= entry.cells;
    const isInside = (row: Row) => fixed.every(({ column, code }) => Number(row[column]) === code);
    const taken = remaining.filter(isInside);
    remaining = remaining.filter((row) => !isInside(row));
    for (const each of counters) for (const row of taken) each.add(row, -1);
  }
  return groups;
}

type Row = readonly unknown[];

interface Entry {
  /** Some row of the group. */
  readonly row: Row;
  cells: number;
  of: number;
}

/** Counts the cells of every group by some columns. */
class Counter {
  readonly columns: readonly number[];
  readonly entries = new Map<string, Entry>();

  constructor(columns: readonly number[]) {
    this.columns = columns;
  }

  add(row: Row, sign: 1 | -1): void {
    const name = this.#nameOf(row);
    const entry = this.entries.get(name) ?? { row, cells: 0, of: 0 };
    this.entries.set(name, entry);
    entry.cells += sign * Number(row.at(-1));
  }

  /** Groups without a suspicious cell are not counted. */
  addComparable(row: Row): void {
    const entry = this.entries.get(this.#nameOf(row));
    if (entry !== undefined) entry.of += Number(row.at(-1));
  }

  #nameOf(row: Row): string {
    return this.columns.map((column) => row[column]).join(' ');
  }
}

/** The group of the largest F1; of equals the first, as the groupings of fewest dimensions come first. */
function bestOf(counters: readonly Counter[], open: number): { counter: Counter; entry: Entry } | null {
  let best: { counter: Counter; entry: Entry } | null = null;
  let most = 0;
  for (const counter of counters) {
    for (const entry of counter.entries.values()) {
      const f1 = (2 * entry.cells) / (Math.max(entry.cells, entry.of) + open);
      if (f1 > most + 1e-12) {
        best = { counter, entry };
        most = f1;
      }
    }
  }
  return best;
}

function groupings(
  dimensions: readonly DimensionName[],
  whole: boolean,
): readonly (readonly DimensionName[])[] {
  const beside = dimensions.filter((d) => !NOT_BESIDE.includes(d));
  return [
    ...(whole ? [[]] : []),
    ['country'],
    ...(whole ? dimensions.filter((d) => d !== 'country').map((d) => [d]) : []),
    ...beside.map((d): DimensionName[] => ['country', d]),
    ...(dimensions.includes('year')
      ? beside.filter((d) => WITH_YEAR.includes(d)).map((d): DimensionName[] => ['country', d, 'year'])
      : []),
  ];
}

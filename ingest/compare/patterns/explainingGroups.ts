// Finds the few groups that best explain a set of suspicious cells (Bhagwan et al., NSDI 2014).

import { ascending } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { RowDimensions } from '../revision.ts';
import type { Codes } from '../rows/codes.ts';
import { GroupNumbers } from '../rows/groupNumbers.ts';
import { RowCounts } from '../rows/rowCounts.ts';
import { allRowsWhere, rowsWhere } from '../rows/rowLists.ts';
import type { CellChanges, Change, PatternSearch } from './cellChanges.ts';

interface ExplainingGroup {
  readonly place: RowDimensions;
  readonly changes: readonly Change[];
  /** The number of its cells that could have been suspicious. */
  readonly of: number;
  /** For the group of all remaining cells, their countries; null for every other group. */
  readonly further: readonly string[] | null;
}

/** People do not read more groups than this. The remaining cells form one more group. */
const MOST_GROUPS = 20;

/** From this number of countries on, a group may have no country: the whole dataset, or a value of another dimension. */
const FEWEST_COUNTRIES = 3;

/**
 * Dimensions that never name a group together with the country: a country has one region, and the others are kinds of
 * values.
 */
const NEVER_WITH_COUNTRY: readonly DimensionName[] = ['country', 'region', 'temporal', 'calculation'];

/** Dimensions that also name groups together with a country and a year. */
const WITH_COUNTRY_AND_YEAR: readonly DimensionName[] = ['product', 'fx'];

/**
 * The groups that explain suspicious cells, best first. A group is the dataset, a value of one dimension, a country, a
 * value of another dimension in a country, or a product or currency in a year of a country.
 *
 * 1. For every group, recall is its share of the suspicious cells, and precision the suspicious share of its cells.
 * 2. The group with the largest F1 (the harmonic mean of both) is taken. If several have it, the one with fewest
 *    dimensions.
 * 3. Its cells are removed, and step 1 follows again, until no cell remains.
 * 4. After twenty groups, all remaining cells are the last group.
 *
 * @param isComparable Whether a row of the earlier side could have been suspicious.
 */
export function explainingGroups(
  search: PatternSearch,
  suspicious: readonly Change[],
  isComparable: (row: number) => boolean,
): ExplainingGroup[] {
  if (suspicious.length === 0) return [];
  const counters = countersOf(search, suspicious, isComparable);
  const groups: ExplainingGroup[] = [];
  // Indexes in `suspicious` of the cells that are in no group yet.
  let unexplained = suspicious.map((_, at) => at);
  const changesAt = (indexes: readonly number[]) => indexes.map((at) => suspicious[at] as Change);
  while (unexplained.length > 0 && groups.length < MOST_GROUPS) {
    const best = bestOf(counters, unexplained.length);
    if (best === null) break;
    const { counter, entry } = best;
    const inGroup = unexplained.filter((at) => counter.entryOf(at) === entry);
    groups.push(groupOf(search, best, changesAt(inGroup)));
    unexplained = unexplained.filter((at) => counter.entryOf(at) !== entry);
    for (const other of counters) for (const at of inGroup) other.remove(at);
  }
  if (unexplained.length > 0) groups.push(remainingGroup(search, changesAt(unexplained)));
  return groups;
}

/** A counter for each kind of group, with all suspicious and all comparable cells. */
function countersOf(
  { matched: { codes, before }, changes }: PatternSearch,
  suspicious: readonly Change[],
  isComparable: (row: number) => boolean,
): readonly GroupCounter[] {
  const countries = new Set(suspicious.map((change) => changes.code('country', change)));
  const counters = groupings(codes.dimensions, countries.size).map(
    (dimensions) => new GroupCounter(codes, dimensions, changes, suspicious),
  );
  const countryCodes = before.codes('country');
  const comparable = allRowsWhere(before, isComparable);
  // Groups of other countries have no suspicious cells, so their rows are not counted.
  const isConcerned = new Uint8Array(codes.size('country'));
  for (const code of countries) isConcerned[code] = 1;
  const concerned = rowsWhere(comparable, (row) => isConcerned[countryCodes[row] as number] === 1);
  const all = new RowCounts(codes, before, comparable);
  // If most comparable rows are of these countries, groups with a country share the counts of the groups without one.
  const areMany = 2 * concerned.length > comparable.length;
  const ofCountries = areMany ? all : new RowCounts(codes, before, concerned);
  for (const counter of counters.toReversed())
    counter.addComparable(counter.dimensions.includes('country') ? ofCountries : all);
  return counters;
}

function groupOf(
  { matched: { codes }, changes }: PatternSearch,
  { counter: { dimensions }, entry }: Best,
  inside: readonly Change[],
): ExplainingGroup {
  // A currency that only one country uses names that country.
  const isOfOneCountry =
    !dimensions.includes('country') &&
    codes.size('country') > 1 &&
    inside.every((change) => changes.code('country', change) === changes.code('country', entry.first));
  const named: readonly DimensionName[] = isOfOneCountry ? ['country', ...dimensions] : dimensions;
  return {
    place: Object.fromEntries(
      named.map((dimension) => [dimension, codes.valueOf(dimension, changes.code(dimension, entry.first))]),
    ),
    changes: inside,
    of: Math.max(inside.length, entry.comparable),
    further: null,
  };
}

function remainingGroup(
  { matched: { codes }, changes }: PatternSearch,
  remaining: readonly Change[],
): ExplainingGroup {
  const further = ascending(remaining.map((change) => changes.code('country', change)));
  return {
    place: {},
    changes: remaining,
    of: remaining.length,
    further: further.map((code) => codes.textOf('country', code)),
  };
}

interface Entry {
  /** One of the suspicious cells of the group. */
  readonly first: Change;
  /** The number of its suspicious cells that are in no better group. */
  cells: number;
  /** The number of its rows on the earlier side that could have been suspicious. */
  comparable: number;
}

/** Counts the cells of every group of one kind. The cells of a group agree in `dimensions`. */
class GroupCounter {
  readonly dimensions: readonly DimensionName[];
  /** In the order of their first cells. */
  readonly entries: Entry[] = [];
  readonly #changes: CellChanges;
  readonly #groups: GroupNumbers;
  readonly #byGroup: Entry[] = [];
  /** The group of each suspicious cell, by the cell's index in `suspicious`. */
  readonly #groupOf: Int32Array;

  constructor(
    codes: Codes,
    dimensions: readonly DimensionName[],
    changes: CellChanges,
    suspicious: readonly Change[],
  ) {
    this.dimensions = dimensions;
    this.#changes = changes;
    this.#groups = new GroupNumbers(codes, dimensions);
    this.#groupOf = changes.addToGroups(this.#groups, suspicious);
    for (let at = 0; at < suspicious.length; at += 1) {
      const group = this.#groupOf[at] as number;
      const known = this.#byGroup[group];
      if (known !== undefined) {
        known.cells += 1;
        continue;
      }
      const entry = { first: suspicious[at] as Change, cells: 1, comparable: 0 };
      this.#byGroup[group] = entry;
      this.entries.push(entry);
    }
  }

  entryOf(at: number): Entry | undefined {
    return this.#byGroup[this.#groupOf[at] as number];
  }

  /** Counts the comparable rows of each group that has a suspicious cell. */
  addComparable(comparable: RowCounts): void {
    const countOf = comparable.by(this.dimensions);
    if (countOf !== null) {
      for (const entry of this.entries) entry.comparable += countOf(...this.#changes.rowOf(entry.first));
      return;
    }
    for (const group of this.#groups.ofRows(comparable.rows, comparable.list)) {
      const entry = this.#byGroup[group];
      if (entry !== undefined) entry.comparable += 1;
    }
  }

  remove(at: number): void {
    const entry = this.entryOf(at);
    if (entry !== undefined) entry.cells -= 1;
  }
}

interface Best {
  readonly counter: GroupCounter;
  readonly entry: Entry;
}

/** The group with the largest F1. If several have it, the first one, because groups with fewest dimensions come first. */
function bestOf(counters: readonly GroupCounter[], unexplained: number): Best | null {
  let best: Best | null = null;
  let bestF1 = 0;
  for (const counter of counters) {
    for (const entry of counter.entries) {
      const f1 = (2 * entry.cells) / (Math.max(entry.cells, entry.comparable) + unexplained);
      if (f1 > bestF1 + 1e-12) {
        best = { counter, entry };
        bestF1 = f1;
      }
    }
  }
  return best;
}

function groupings(
  dimensions: readonly DimensionName[],
  suspiciousCountries: number,
): readonly (readonly DimensionName[])[] {
  const isWide = suspiciousCountries >= FEWEST_COUNTRIES;
  const beside = dimensions.filter((dimension) => !NEVER_WITH_COUNTRY.includes(dimension));
  return [
    ...(isWide ? [[]] : []),
    ['country'],
    ...(isWide
      ? dimensions.filter((dimension) => dimension !== 'country').map((dimension) => [dimension])
      : []),
    ...beside.map((dimension): DimensionName[] => ['country', dimension]),
    ...beside
      .filter((dimension) => WITH_COUNTRY_AND_YEAR.includes(dimension))
      .map((dimension): DimensionName[] => ['country', dimension, 'year']),
  ];
}

// Finds the tables whose rows are all those of the month before, although other tables of their dataset are new.

import { type DatasetName, datasetOf, dimensionOf, metricNames } from '../../../src/catalog/datasets.ts';
import { differ, type Matched } from '../../compare/rows/matched.ts';
import type { SampledRow, SampledRows, SampledTable } from '../../staging/database/sampledTables.ts';

/** Takes the name of a row, and gives a bit for each metric of it that changed: 0 where none did. */
type Changes = (name: number) => number;

/**
 * A table is reported when the probability that it stayed unchanged by chance is at most this. It assumes that rows and countries
 * change as often as in the other tables. All tables of a dataset share it, because one of many stays unchanged more often.
 */
const BY_CHANCE = 0.001;

/** How many rows of a table changed, by kind and by country. Rows of one kind have the same year, temporal and metric. */
interface Seen {
  changed: number;
  readonly currencies: Set<number>;
  readonly rowsOfKinds: Map<string, { rows: number; changed: number }>;
  /** Countries by kind, and those with a change. */
  readonly countriesOfKinds: Map<string, Map<number, boolean>>;
}

/**
 * Finds the tables that have no changed row, although new tables would have some. A table is compared with rows of the same
 * year, temporal and metric alone: forecasts change more often than reported figures, and GDP more often than population.
 *
 * @param textOf The text of a staged code.
 */
export function tablesOfMonthBefore(
  matched: Matched,
  sampled: SampledRows,
  textOf: (code: number) => string,
): readonly SampledTable[] {
  // In most months every table changed, which the first rows of each show.
  if (unchangedTables(matched, sampled, textOf).length === 0) return [];
  const seen = seenOf(matched, sampled, textOf);
  return sampled.tables.filter((_, at) => isOfMonthBefore(seen[at], seen.toSpliced(at, 1)));
}

/** The tables of which no sampled row changed; none where nothing can be said. */
export function unchangedTables(
  matched: Matched,
  { dataset, tables, rows }: SampledRows,
  textOf: (code: number) => string,
): readonly SampledTable[] {
  const isChanged = changedIn(matched, dataset, textOf);
  if (isChanged === null) return [];
  const changed = new Set<number>();
  for (const row of rows) if (!changed.has(row.table) && isChanged(row)) changed.add(row.table);
  return tables.filter((_, at) => !changed.has(at));
}

/** Tells whether a sampled row changed; null when the names of rows are no numbers. */
function changedIn(
  matched: Matched,
  dataset: DatasetName,
  textOf: (code: number) => string,
): ((row: SampledRow) => boolean) | null {
  const changes = changesOf(matched);
  const nameOf = namerOf(matched, dataset, textOf);
  if (changes === null || nameOf === null) return null;
  return ({ metric, dimensions }) => {
    const bits = changes(nameOf(dimensions));
    return metric < 0 ? bits !== 0 : (bits & (1 << metric)) !== 0;
  };
}

/** By table; empty where nothing can be said. */
function seenOf(
  matched: Matched,
  { dataset, tables, rows }: SampledRows,
  textOf: (code: number) => string,
): readonly Seen[] {
  const isChanged = changedIn(matched, dataset, textOf);
  const { dimensions } = datasetOf(dataset);
  const [yearAt, countryAt] = [dimensions.indexOf('year'), dimensions.indexOf('country')];
  const [temporalAt, currencyAt] = [dimensions.indexOf('temporal'), dimensions.indexOf('fx')];
  const hasMetrics = metricNames(dataset).length > 1;
  if (isChanged === null || yearAt < 0 || countryAt < 0) return [];
  const seen = tables.map(
    (): Seen => ({ changed: 0, currencies: new Set(), rowsOfKinds: new Map(), countriesOfKinds: new Map() }),
  );
  for (const row of rows) {
    const { table, metric, dimensions: codes } = row;
    const kind = [codes[yearAt], codes[temporalAt], hasMetrics ? metric : ''].join();
    seen[table]?.currencies.add(codes[currencyAt] ?? 0);
    note(seen[table] as Seen, kind, codes[countryAt] as number, isChanged(row));
  }
  return seen;
}

function note(seen: Seen, kind: string, country: number, isChanged: boolean): void {
  if (isChanged) seen.changed += 1;
  const rows = seen.rowsOfKinds.get(kind) ?? { rows: 0, changed: 0 };
  rows.rows += 1;
  if (isChanged) rows.changed += 1;
  seen.rowsOfKinds.set(kind, rows);
  const countries = seen.countriesOfKinds.get(kind) ?? new Map<number, boolean>();
  countries.set(country, isChanged || (countries.get(country) ?? false));
  seen.countriesOfKinds.set(kind, countries);
}

function isOfMonthBefore(one: Seen | undefined, all: readonly Seen[]): boolean {
  if (one === undefined || one.changed > 0) return false;
  const others = all.filter(({ rowsOfKinds }) =>
    [...rowsOfKinds.keys()].some((kind) => one.rowsOfKinds.has(kind)),
  );
  const moved = others.filter(({ changed }) => changed > 0).length;
  if (moved === 0 || (moved * 2 <= others.length && others.length > 1)) return false;
  if (!hasOwnCountries(one, others) && !isLikeAll(one, others)) return false;
  let expected = 0;
  for (const [kind, { rows }] of one.rowsOfKinds) {
    const counts = others.flatMap(({ rowsOfKinds }) => rowsOfKinds.get(kind) ?? []);
    const sum = (of: (count: { rows: number; changed: number }) => number) =>
      counts.reduce((total, count) => total + of(count), 0);
    expected +=
      (rows * sum(({ changed }) => changed)) /
      Math.max(
        1,
        sum((count) => count.rows),
      );
  }
  const kinds = new Set(one.rowsOfKinds.keys());
  const countries = others.flatMap((other) => countriesOf(other, kinds));
  const still = 1 - countries.filter((isChanged) => isChanged).length / (countries.length + 1);
  // Changes of one country come together, so that rows alone would make a coincidence look impossible.
  const limit = BY_CHANCE / (all.length + 1);
  return Math.exp(-expected) <= limit && still ** countriesOf(one, kinds).length <= limit;
}

/** Whether most countries of a table are in no other one. */
function hasOwnCountries(one: Seen, others: readonly Seen[]): boolean {
  const namesOf = ({ countriesOfKinds }: Seen) =>
    new Set([...countriesOfKinds.values()].flatMap((countries) => [...countries.keys()]));
  const elsewhere = new Set(others.flatMap((other) => [...namesOf(other)]));
  const own = [...namesOf(one)];
  return own.filter((country) => !elsewhere.has(country)).length * 2 > own.length;
}

/** Tables of a product or channel each have the same countries. One of them may be revised alone, and so may a few. */
const ENOUGH_LIKE_IT = 3;

/**
 * Whether enough tables of the same countries also have the table's currencies, and all of them changed. A table in another
 * currency is no evidence, because it changes with the rate.
 */
const isLikeAll = ({ currencies }: Seen, others: readonly Seen[]): boolean =>
  others.length >= ENOUGH_LIKE_IT &&
  others.every(
    (other) => other.changed > 0 && [...currencies].every((currency) => other.currencies.has(currency)),
  );

/** Each country of a table in rows of these kinds: whether a row of it changed. */
function countriesOf({ countriesOfKinds }: Seen, kinds: ReadonlySet<string>): boolean[] {
  const all = new Map<number, boolean>();
  for (const [kind, countries] of countriesOfKinds) {
    if (!kinds.has(kind)) continue;
    for (const [country, isChanged] of countries) all.set(country, isChanged || (all.get(country) ?? false));
  }
  return [...all.values()];
}

/** Looks up which metrics of a row changed; null when the names of rows are no numbers. */
function changesOf({ codes, metrics, before, after, changed }: Matched): Changes | null {
  const names = codes.names.whole(after);
  if (names === null) return null;
  const isKept = (row: number) => row >= 0;
  const olds = changed.before.filter((_, i) => isKept(changed.after[i] as number));
  const rows = changed.after.filter(isKept);
  const bitsOf = (old: number, row: number) => {
    let bits = 0;
    for (let m = 0; m < metrics.length; m += 1)
      if (old < 0 || differ(before.value(m, old), after.value(m, row))) bits |= 1 << m;
    return bits;
  };
  // Rows are sorted as their names are, and most of them are never asked for.
  return (name) => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((names[rows[middle] as number] as number) < name) low = middle + 1;
      else high = middle;
    }
    const [old, row] = [olds[low], rows[low]];
    return old !== undefined && row !== undefined && names[row] === name ? bitsOf(old, row) : 0;
  };
}

/** Names a sampled row as the comparison does; null when the names of rows are no numbers. */
function namerOf(
  { codes }: Matched,
  dataset: DatasetName,
  textOf: (code: number) => string,
): ((staged: readonly number[]) => number) | null {
  const weighers = datasetOf(dataset).dimensions.map((dimension) => {
    const weight = codes.names.weightOf(dimension);
    if (weight === null) return null;
    const isText = dimensionOf(dimension).type === 'text';
    const known = new Map<number, number>();
    return (staged: number) => {
      let part = known.get(staged);
      if (part === undefined) {
        part = (codes.codeOf(dimension, isText ? textOf(staged) : staged) ?? Number.NaN) * weight;
        known.set(staged, part);
      }
      return part;
    };
  });
  if (weighers.includes(null)) return null;
  return (staged) => weighers.reduce((sum, weigh, i) => sum + (weigh?.(staged[i] as number) ?? 0), 0);
}

// Finds the tables without any change since the month before, although the other tables of their dataset changed.

import { getOrInsert } from '../../../../src/basics/maps.ts';
import { type DatasetName, datasetOf, isText, metricNames } from '../../../../src/catalog/datasets.ts';
import { differ, type MatchedRows } from '../../../compare/rows/matchedRows.ts';
import { firstWhere, rowsWhere } from '../../../compare/rows/rowLists.ts';
import type { SampledRow, SampledRows, SampledTable } from '../../../staging/database/sampleTables.ts';

/** Gives the changed metrics of the row with a key, as bits: bit 0 for the first metric. 0 when no metric changed. */
type ChangedMetricBits = (key: number) => number;

/**
 * A table is reported when the probability that it stayed unchanged by chance is at most this. The estimate assumes that
 * its rows and countries change as often as those of other tables. The bound is divided among the tables of a dataset,
 * because the more tables there are, the likelier one of them stays unchanged.
 */
const BY_CHANCE = 0.001;

/**
 * How many sampled rows of a table changed, by kind and country. Rows of one kind have the same year, temporal and metric.
 */
interface TableChanges {
  changed: number;
  readonly currencies: Set<number>;
  readonly rowsByKind: Map<string, { rows: number; changed: number }>;
  /** The countries of each kind, and whether a row of the country changed. */
  readonly changedCountriesByKind: Map<string, Map<number, boolean>>;
}

/**
 * Finds the tables without a changed row although a new table would have some. A table is compared only with rows of the
 * same year, temporal and metric: forecasts change more often than reported figures, and GDP changes more often than
 * population.
 *
 * @param textOf The text of a staged code.
 */
export function tablesOfMonthBefore(
  matched: MatchedRows,
  sampled: SampledRows,
  textOf: (code: number) => string,
): readonly SampledTable[] {
  // In most months every table has changed. This quick check then avoids the counting.
  if (unchangedTables(matched, sampled, textOf).length === 0) return [];
  const seen = countChanges(matched, sampled, textOf);
  return sampled.tables.filter((_, at) => isOfMonthBefore(seen[at], seen.toSpliced(at, 1)));
}

/** The tables whose sampled rows all stayed unchanged; empty when the rows cannot be looked up. */
export function unchangedTables(
  matched: MatchedRows,
  { dataset, tables, rows }: SampledRows,
  textOf: (code: number) => string,
): readonly SampledTable[] {
  const isChanged = rowChangeTest(matched, dataset, textOf);
  if (isChanged === null) return [];
  const changed = new Set<number>();
  for (const row of rows) if (!changed.has(row.table) && isChanged(row)) changed.add(row.table);
  return tables.filter((_, at) => !changed.has(at));
}

/** Returns a function that says whether a sampled row changed; null when the keys of rows are not numbers. */
function rowChangeTest(
  matched: MatchedRows,
  dataset: DatasetName,
  textOf: (code: number) => string,
): ((row: SampledRow) => boolean) | null {
  const changes = changedMetricBits(matched);
  const keyOf = keyOfSampled(matched, dataset, textOf);
  if (changes === null || keyOf === null) return null;
  return ({ metric, dimensions }) => {
    const bits = changes(keyOf(dimensions));
    return metric < 0 ? bits !== 0 : (bits & (1 << metric)) !== 0;
  };
}

/** The counts of each table; empty when the rows cannot be looked up. */
function countChanges(
  matched: MatchedRows,
  { dataset, tables, rows }: SampledRows,
  textOf: (code: number) => string,
): readonly TableChanges[] {
  const isChanged = rowChangeTest(matched, dataset, textOf);
  const { dimensions } = datasetOf(dataset);
  const [yearAt, countryAt] = [dimensions.indexOf('year'), dimensions.indexOf('country')];
  const [temporalAt, currencyAt] = [dimensions.indexOf('temporal'), dimensions.indexOf('fx')];
  const hasMetrics = metricNames(dataset).length > 1;
  if (isChanged === null || yearAt < 0 || countryAt < 0) return [];
  const seen = tables.map(
    (): TableChanges => ({
      changed: 0,
      currencies: new Set(),
      rowsByKind: new Map(),
      changedCountriesByKind: new Map(),
    }),
  );
  for (const row of rows) {
    const { table, metric, dimensions: codes } = row;
    const kind = [codes[yearAt], codes[temporalAt], hasMetrics ? metric : ''].join();
    seen[table]?.currencies.add(codes[currencyAt] ?? 0);
    countRow(seen[table] as TableChanges, kind, codes[countryAt] as number, isChanged(row));
  }
  return seen;
}

function countRow(seen: TableChanges, kind: string, country: number, isChanged: boolean): void {
  if (isChanged) seen.changed += 1;
  const ofKind = getOrInsert(seen.rowsByKind, kind, () => ({ rows: 0, changed: 0 }));
  ofKind.rows += 1;
  if (isChanged) ofKind.changed += 1;
  const countries = getOrInsert(seen.changedCountriesByKind, kind, () => new Map<number, boolean>());
  countries.set(country, isChanged || countries.get(country) === true);
}

function isOfMonthBefore(table: TableChanges | undefined, all: readonly TableChanges[]): boolean {
  if (table === undefined || table.changed > 0) return false;
  const others = all.filter(({ rowsByKind }) =>
    [...rowsByKind.keys()].some((kind) => table.rowsByKind.has(kind)),
  );
  const moved = others.filter(({ changed }) => changed > 0).length;
  if (moved === 0 || (moved * 2 <= others.length && others.length > 1)) return false;
  if (!hasOwnCountries(table, others) && !hasEnoughAlike(table, others)) return false;
  let expected = 0;
  for (const [kind, { rows }] of table.rowsByKind) {
    const ofKind = others.flatMap(({ rowsByKind }) => rowsByKind.get(kind) ?? []);
    const rowsElsewhere = ofKind.reduce((sum, one) => sum + one.rows, 0);
    const changedElsewhere = ofKind.reduce((sum, one) => sum + one.changed, 0);
    expected += (rows * changedElsewhere) / Math.max(1, rowsElsewhere);
  }
  const kinds = new Set(table.rowsByKind.keys());
  const countries = others.flatMap((other) => changedByCountry(other, kinds));
  const still = 1 - countries.filter((isChanged) => isChanged).length / (countries.length + 1);
  // Rows of one country change together. Counting rows alone would make an unchanged table look less likely than it is.
  const limit = BY_CHANCE / (all.length + 1);
  return Math.exp(-expected) <= limit && still ** changedByCountry(table, kinds).length <= limit;
}

/** Whether most countries of a table are in no other table. */
function hasOwnCountries(table: TableChanges, others: readonly TableChanges[]): boolean {
  const namesOf = ({ changedCountriesByKind }: TableChanges) =>
    new Set([...changedCountriesByKind.values()].flatMap((countries) => [...countries.keys()]));
  const elsewhere = new Set(others.flatMap((other) => [...namesOf(other)]));
  const own = [...namesOf(table)];
  return own.filter((country) => !elsewhere.has(country)).length * 2 > own.length;
}

/**
 * How many other tables of the same countries must have changed before this one is expected to change. Each product or
 * channel may have its own table, and a supplier may revise only some of them.
 */
const ENOUGH_LIKE_IT = 3;

/**
 * Whether there are at least `ENOUGH_LIKE_IT` other tables, and each of them has changed and has the currencies of this
 * one. A table in another currency proves nothing, because it changes with the exchange rate.
 */
const hasEnoughAlike = ({ currencies }: TableChanges, others: readonly TableChanges[]): boolean =>
  others.length >= ENOUGH_LIKE_IT &&
  others.every(
    (other) => other.changed > 0 && [...currencies].every((currency) => other.currencies.has(currency)),
  );

/** Whether a row changed, for each country that a table has in rows of these kinds. */
function changedByCountry({ changedCountriesByKind }: TableChanges, kinds: ReadonlySet<string>): boolean[] {
  const all = new Map<number, boolean>();
  for (const [kind, countries] of changedCountriesByKind) {
    if (!kinds.has(kind)) continue;
    for (const [country, isChanged] of countries) all.set(country, isChanged || all.get(country) === true);
  }
  return [...all.values()];
}

/** Returns the function that finds the changed metrics of a row; null when keys are not numbers. */
function changedMetricBits({
  codes,
  metrics,
  before,
  after,
  changed,
}: MatchedRows): ChangedMetricBits | null {
  const keys = codes.keys.whole(after);
  if (keys === null) return null;
  const isKept = (_: number, i: number) => (changed.after[i] as number) >= 0;
  const olds = rowsWhere(changed.before, isKept);
  const rows = rowsWhere(changed.after, isKept);
  const bitsOf = (old: number, row: number) => {
    let bits = 0;
    for (let m = 0; m < metrics.length; m += 1)
      if (old < 0 || differ(before.value(m, old), after.value(m, row))) bits |= 1 << m;
    return bits;
  };
  // The rows are in the order of their keys, so a binary search finds one. Few rows are looked up, so a map would not pay.
  return (key) => {
    const at = firstWhere(rows.length, (i) => (keys[rows[i] as number] as number) >= key);
    const [old, row] = [olds[at], rows[at]];
    return old !== undefined && row !== undefined && keys[row] === key ? bitsOf(old, row) : 0;
  };
}

/** A function from the staged codes of a row to its key in the comparison; null when keys are not numbers. */
function keyOfSampled(
  { codes }: MatchedRows,
  dataset: DatasetName,
  textOf: (code: number) => string,
): ((staged: readonly number[]) => number) | null {
  const weighers = datasetOf(dataset).dimensions.map((dimension) => {
    const weight = codes.keys.weightOf(dimension);
    if (weight === null) return null;
    const known = new Map<number, number>();
    return (staged: number) => {
      let part = known.get(staged);
      if (part === undefined) {
        part = (codes.codeOf(dimension, isText(dimension) ? textOf(staged) : staged) ?? Number.NaN) * weight;
        known.set(staged, part);
      }
      return part;
    };
  });
  if (weighers.includes(null)) return null;
  return (staged) => weighers.reduce((sum, weigh, i) => sum + (weigh?.(staged[i] as number) ?? 0), 0);
}

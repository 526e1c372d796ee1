// Finds rows that were added, removed or revised, and values of dimensions that appeared or vanished.

import { ascending } from '../../src/basics/lists.ts';
import { addTo, getOrInsert } from '../../src/basics/maps.ts';
import { type DimensionName, datasetOf, dimensionOf } from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import type {
  CoverageChange,
  DimensionChange,
  DimensionValue,
  LostValue,
  RenamedValue,
  RowChanges,
  VanishedValue,
} from './comparisonTypes.ts';
import type { CountrySums } from './countrySums.ts';
import type { RowDimensions } from './revision.ts';
import type { CodeArray, Rows } from './rows/codedRows.ts';
import { CHANGE_KIND, changedRow, changeKind, isForecastRow, type MatchedRows } from './rows/matchedRows.ts';
import { addedRows, removedRows } from './rows/rowLists.ts';
import type { SideName, Sides } from './side.ts';

/** Forecasts that became reported figures. */
export interface Arrivals {
  /** Rows of the later side, each mapped to the forecast of the earlier side that it replaces. */
  readonly forecastOf: ReadonlyMap<number, number>;
  /** The keys of these forecasts and reported figures, as `keys.without('temporal')` gives them. */
  readonly keys: ReadonlySet<number | string>;
}

/**
 * Finds the forecasts that became reported figures: a removed forecast and an added row that differ in `temporal` only. The
 * two rows may also differ in `calculation`, because an estimated forecast may become a reported figure, and in a value
 * that was renamed.
 */
export function arrivalsOf(matched: MatchedRows, renamed: readonly RenamedValue[] = []): Arrivals {
  const { codes, changed, before, after } = matched;
  const forecastOf = new Map<number, number>();
  const keys = new Set<number | string>();
  if (!codes.has('temporal')) return { forecastOf, keys };
  const keyOf = codes.keys.without('temporal');
  const removed: number[] = [];
  for (const row of removedRows(changed)) if (isForecastRow(matched, before, row)) removed.push(row);
  if (removed.length === 0) return { forecastOf, keys };
  for (const { differing, isOld, isFresh } of waysToArrive(matched, renamed)) {
    const matchingKeyOf = codes.keys.without(...differing);
    const forecasts = new Map<number | string, number>();
    for (const row of removed)
      if (isOld(row) && !keys.has(keyOf(before, row))) forecasts.set(matchingKeyOf(before, row), row);
    if (forecasts.size === 0) continue;
    for (const row of addedRows(changed)) {
      if (!isFresh(row) || forecastOf.has(row) || isForecastRow(matched, after, row)) continue;
      const forecast = forecasts.get(matchingKeyOf(after, row));
      if (forecast === undefined) continue;
      forecastOf.set(row, forecast);
      keys.add(keyOf(after, row)).add(keyOf(before, forecast));
    }
  }
  return { forecastOf, keys };
}

/** The dimensions in which a forecast may differ from the reported figure, and the rows that may differ so. */
interface WayToArrive {
  readonly differing: readonly DimensionName[];
  readonly isOld: (row: number) => boolean;
  readonly isFresh: (row: number) => boolean;
}

function waysToArrive(
  { codes, before, after }: MatchedRows,
  renamed: readonly RenamedValue[],
): readonly WayToArrive[] {
  const maturing: readonly DimensionName[] = codes.has('calculation')
    ? ['temporal', 'calculation']
    : ['temporal'];
  const any = () => true;
  const sameName = [['temporal'] as const, ...(maturing.length > 1 ? [maturing] : [])];
  return [
    ...sameName.map((differing) => ({ differing, isOld: any, isFresh: any })),
    ...renamed
      .filter(({ dimension }) => !maturing.includes(dimension))
      .map(({ dimension, from, to }) => {
        const [old, fresh] = [codes.codeOf(dimension, from), codes.codeOf(dimension, to)];
        return {
          differing: [...maturing, dimension],
          isOld: (row: number) => before.code(dimension, row) === old,
          isFresh: (row: number) => after.code(dimension, row) === fresh,
        };
      }),
  ];
}

/** Counts the rows of both sides, and the added, removed, revised and arrived rows. */
export function rowChanges({ before, after, changed }: MatchedRows, arrivals: Arrivals): RowChanges {
  let [added, removed] = [0, 0];
  for (let i = 0; i < changed.count; i += 1) {
    const kind = changeKind(changed, i);
    if (kind === CHANGE_KIND.added) added += 1;
    if (kind === CHANGE_KIND.removed) removed += 1;
  }
  const revised = changed.count - added - removed;
  return {
    before: before.count,
    after: after.count,
    added,
    removed,
    revised,
    arrived: arrivals.forecastOf.size,
  };
}

/** How many rows each value of a dimension has on one side. */
export type RowsOfValues = (side: SideName, dimension: DimensionName) => ReadonlyMap<string | number, number>;

/**
 * A function that gives how many rows each value of a dimension has. The counts come from the manifests. The counts of
 * years come from the coverage, because manifests do not count rows by year.
 */
export function rowsOfValuesIn(
  sides: Sides<DatasetManifest>,
  coverage: readonly CoverageChange[],
): RowsOfValues {
  const rowsByYear = { before: new Map<number, number>(), after: new Map<number, number>() };
  for (const counts of coverage)
    for (const side of ['before', 'after'] as const) addTo(rowsByYear[side], counts.year, counts[side]);
  return (side, dimension) =>
    dimensionOf(dimension).type === 'integer'
      ? new Map(sides[side].years.map((year) => [year, rowsByYear[side].get(year) ?? 0]))
      : new Map((sides[side].dimensions[dimension] ?? []).map(({ value, rows }) => [value, rows]));
}

/** For each dimension, the values that only one side has. */
export function dimensionChanges(
  matched: MatchedRows,
  rowsOfValues: RowsOfValues,
): readonly DimensionChange[] {
  const countriesLeft = rowsOfValues('after', 'country');
  const valuesOf = (side: SideName, dimension: DimensionName) =>
    Array.from(rowsOfValues(side, dimension), ([value, rows]): DimensionValue => ({ value, rows }));
  return matched.codes.dimensions.flatMap((dimension) => {
    const [old, fresh] = [valuesOf('before', dimension), valuesOf('after', dimension)];
    const known = (values: typeof old) => new Set<string | number>(values.map(({ value }) => value));
    const [inOld, inFresh] = [known(old), known(fresh)];
    const appeared = fresh.filter(({ value }) => !inOld.has(value));
    const gone = old.filter(({ value }) => !inFresh.has(value));
    if (appeared.length + gone.length === 0) return [];
    const countriesWith = countriesOf(matched, matched.before, dimension);
    const vanished = gone.map((one): VanishedValue => {
      const countries = countriesWith(one.value);
      const goneWithCountries =
        countries.length > 0 && !countries.some((country) => countriesLeft.has(country));
      return { ...one, countries: countries.slice(0, MOST_COUNTRIES), goneWithCountries };
    });
    return [{ dimension, appeared, vanished }];
  });
}

/** The most countries that are named for a vanished value. */
const MOST_COUNTRIES = 4;

/** A function that gives the countries whose rows have a value of a dimension, in code-point order. */
export function countriesOf({ codes }: Pick<MatchedRows, 'codes'>, rows: Rows, dimension: DimensionName) {
  let found: ReadonlyMap<number, ReadonlySet<number>> | null = null;
  return (value: string | number): readonly string[] => {
    found ??= countriesByValue(rows, dimension);
    const countries = ascending(found.get(codes.codeOf(dimension, value) ?? -1) ?? []);
    return countries.map((country) => codes.textOf('country', country));
  };
}

/** For each code of a dimension, the codes of the countries that have it. */
export function countriesByValue(rows: Rows, dimension: DimensionName): CountriesByValue {
  const [values, countries] = [rows.codes(dimension), rows.codes('country')];
  const found: CountriesByValue = new Map();
  for (let i = 0; i < rows.count; i += 1) addCountry(found, values[i] as number, countries[i] as number);
  return found;
}

/** For each code of a dimension, the codes of countries. */
type CountriesByValue = Map<number, Set<number>>;

function addCountry(found: CountriesByValue, value: number, country: number): void {
  getOrInsert(found, value, () => new Set()).add(country);
}

/** The numbers of rows of each country and year that has rows on some side; none for a lookup. */
export function coverageOfBothSides({ codes, before, after }: MatchedRows): readonly CoverageChange[] {
  if (!codes.has('year')) return [];
  const years = codes.size('year');
  const [old, fresh] = [before, after].map((rows) => {
    const counts = new Int32Array(codes.size('country') * years);
    countPairs(counts, rows.codes('country'), rows.codes('year'), years);
    return counts;
  }) as [Int32Array, Int32Array];
  const found: CoverageChange[] = [];
  for (let pair = 0; pair < old.length; pair += 1) {
    const count = old[pair] as number;
    if (count + (fresh[pair] as number) === 0) continue;
    found.push({
      country: codes.textOf('country', Math.floor(pair / years)),
      year: codes.yearAt(pair % years),
      before: count,
      after: fresh[pair] as number,
    });
  }
  return found;
}

function countPairs(counts: Int32Array, countries: CodeArray, yearCodes: CodeArray, years: number): void {
  for (let row = 0; row < countries.length; row += 1) {
    const pair = (countries[row] as number) * years + (yearCodes[row] as number);
    counts[pair] = (counts[pair] as number) + 1;
  }
}

/**
 * The years and currencies for which a country had reported figures and has no figures now. Only values that some other
 * country still has are listed, and only for countries that still have other figures.
 */
export function lostValues(matched: MatchedRows, sums: Sides<CountrySums>): readonly LostValue[] {
  const dimensions = datasetOf(matched.codes.dataset).dimensions.filter(
    (one) => one === 'year' || dimensionOf(one).form === 'currency',
  );
  return dimensions.flatMap((dimension) => {
    // `CountrySums` has these two dimensions, and sums are much fewer than rows.
    const [earlier, later] =
      dimension === 'year' || dimension === 'fx'
        ? [countriesInSums(sums.before, dimension, true), countriesInSums(sums.after, dimension, false)]
        : [countriesOfRemoved(matched, dimension), countriesByValue(matched.after, dimension)];
    return lostIn(matched, dimension, earlier, later);
  });
}

/**
 * The pairs of a country and a value that only `earlier` has. A pair is listed only if `later` has the country with another
 * value, and the value with another country.
 */
function lostIn(
  { codes }: MatchedRows,
  dimension: DimensionName,
  earlier: CountriesByValue,
  later: CountriesByValue,
): LostValue[] {
  const countriesLeft = new Set([...later.values()].flatMap((countries) => [...countries]));
  const lost: { readonly country: number; readonly value: number }[] = [];
  for (const [value, countries] of earlier) {
    const stillHave = later.get(value);
    if (stillHave === undefined) continue;
    for (const country of countries)
      if (countriesLeft.has(country) && !stillHave.has(country)) lost.push({ country, value });
  }
  return lost
    .sort((a, b) => a.country - b.country || a.value - b.value)
    .map(({ country, value }) => ({
      country: codes.textOf('country', country),
      dimension,
      value: codes.valueOf(dimension, value),
    }));
}

function countriesInSums(
  sums: CountrySums,
  dimension: 'year' | 'fx',
  onlyReported: boolean,
): CountriesByValue {
  const found: CountriesByValue = new Map();
  for (let i = 0; i < sums.count; i += 1)
    if (!onlyReported || sums.forecast[i] === 0)
      addCountry(found, sums[dimension][i] as number, sums.country[i] as number);
  return found;
}

function countriesOfRemoved(matched: MatchedRows, dimension: DimensionName): CountriesByValue {
  const { before, changed } = matched;
  const found: CountriesByValue = new Map();
  for (const row of removedRows(changed))
    if (!isForecastRow(matched, before, row))
      addCountry(found, before.code(dimension, row), before.code('country', row));
  return found;
}

/** The dimensions of the first rows that only one side has, at most `limit`, in row order. */
export function listedRows(
  matched: MatchedRows,
  kind: 'added' | 'removed',
  limit: number,
): readonly RowDimensions[] {
  const found: RowDimensions[] = [];
  for (let i = 0; i < matched.changed.count && found.length < limit; i += 1)
    if (changeKind(matched.changed, i) === CHANGE_KIND[kind])
      found.push(matched.codes.dimensionsOf(...changedRow(matched, i)));
  return found;
}

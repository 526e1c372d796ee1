// Finds added rows with a value that their country did not have, such as a new channel, product, currency or state.

import { addTo } from '../../src/basics/maps.ts';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import { additiveMetricIndexes } from './comparedTotals.ts';
import type { RenamedValue } from './comparisonTypes.ts';
import { countedOnceTest } from './countrySums.ts';
import type { PriorFindings } from './patterns/patterns.ts';
import type { CodeArray } from './rows/codedRows.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { addedRows, firstRowFrom } from './rows/rowLists.ts';
import type { IntroducedAmount, IntroducedRows, IntroducedValue } from './totalTypes.ts';

/** The dimensions in which a value may be new to a country. */
const DIMENSIONS: readonly DimensionName[] = ['channel', 'product', 'state', 'fx', 'sub_channel', 'category'];

/** The fewest added rows that are examined. Fewer rows move few totals. */
const FEWEST_ROWS = 10;

/** The result for a dataset in which no value is new to a country. */
export const NOTHING_INTRODUCED: IntroducedRows = { rows: 0, values: [], amounts: [] };

/**
 * The added rows with a value that their country did not have, without rows of new countries. A value that was only renamed
 * is not new, and neither is a product into which others were merged.
 */
export function introducedRows(
  matched: MatchedRows,
  { arrivals: { forecastOf }, renamedValues, mergers }: PriorFindings,
): IntroducedRows {
  const { codes, after } = matched;
  if (!codes.has('fx')) return NOTHING_INTRODUCED;
  const merged = new Set(mergers.flatMap((one) => one.added));
  const isOther = (row: number) => !forecastOf.has(row) && !merged.has(row);
  const added = Array.from(addedRows(matched.changed)).filter(isOther);
  if (added.length < FEWEST_ROWS) return NOTHING_INTRODUCED;
  const { isKnown, fresh } = newToCountries(matched, added, renamedValues);
  const ofKnown = added.filter((row) => isKnown[after.code('country', row)] === 1);
  if (ofKnown.length < FEWEST_ROWS) return NOTHING_INTRODUCED;
  const introduced = ofKnown.filter((row) => fresh.some(({ isFresh }) => isFresh(row)));
  return {
    rows: introduced.length,
    values: valuesOf(matched, introduced, fresh),
    amounts: amountsOf(matched, introduced),
  };
}

interface NewInDimension {
  readonly dimension: DimensionName;
  /** Whether the value of an added row is new to the row's country. */
  readonly isFresh: (row: number) => boolean;
}

interface NewToCountries {
  /** 1 for each country that had rows. */
  readonly isKnown: Uint8Array;
  readonly fresh: readonly NewInDimension[];
}

/** For each dimension, the values of added rows that their countries did not have. */
function newToCountries(
  { codes, before, after }: MatchedRows,
  added: readonly number[],
  renamed: readonly RenamedValue[],
): NewToCountries {
  const isKnown = new Uint8Array(codes.size('country'));
  const firstRows = Array.from({ length: isKnown.length + 1 }, (_, country) => firstRowFrom(before, country));
  for (let country = 0; country < isKnown.length; country += 1)
    isKnown[country] = Number(firstRows[country] !== firstRows[country + 1]);
  const fresh = DIMENSIONS.filter((dimension) => codes.has(dimension)).map((dimension): NewInDimension => {
    const names = new Set(renamed.filter((one) => one.dimension === dimension).map(({ to }) => to));
    const isRenamed = codes.flags(dimension, (value) => names.has(String(value)));
    const size = codes.size(dimension);
    // 1 for each pair of a country and a value of added rows that no row of the earlier side has.
    const freshPairs = new Uint8Array(isKnown.length * size);
    const pairOf = (row: number) => after.code('country', row) * size + after.code(dimension, row);
    for (const row of added) if (isRenamed[after.code(dimension, row)] !== true) freshPairs[pairOf(row)] = 1;
    for (let country = 0; country < isKnown.length; country += 1)
      clearKnown(
        freshPairs.subarray(country * size, (country + 1) * size),
        before.codes(dimension).subarray(firstRows[country], firstRows[country + 1]),
      );
    return { dimension, isFresh: (row) => freshPairs[pairOf(row)] === 1 };
  });
  return { isKnown, fresh };
}

/** Clears the codes that are among `known`. Stops when none is left. In most countries, the first rows have them all. */
function clearKnown(isFresh: Uint8Array, known: CodeArray): void {
  let left = 0;
  for (const one of isFresh) left += one;
  for (let row = 0; row < known.length && left > 0; row += 1) {
    const code = known[row] as number;
    left -= isFresh[code] as number;
    isFresh[code] = 0;
  }
}

/**
 * The new values of these rows, most rows first. A row with several new values counts only for the first of them in this
 * order.
 */
function valuesOf(
  { codes, after }: MatchedRows,
  rows: readonly number[],
  fresh: readonly NewInDimension[],
): readonly IntroducedValue[] {
  const found: IntroducedValue[] = [];
  let rest = rows;
  while (rest.length > 0) {
    const counted = fresh.flatMap(({ dimension, isFresh }) => {
      const counts = new Uint32Array(codes.size(dimension));
      for (const row of rest)
        if (isFresh(row))
          counts[after.code(dimension, row)] = (counts[after.code(dimension, row)] as number) + 1;
      return Array.from(counts, (count, code) => ({ dimension, isFresh, count, code }));
    });
    const most = counted.reduce((a, b) => (b.count > a.count ? b : a));
    const { dimension, code, isFresh } = most;
    const isOf = (row: number) => after.code(dimension, row) === code && isFresh(row);
    const countries = new Uint8Array(codes.size('country'));
    for (const row of rest) if (isOf(row)) countries[after.code('country', row)] = 1;
    found.push({
      dimension,
      value: codes.textOf(dimension, code),
      countries: codes
        .values('country')
        .map(String)
        .filter((_, i) => countries[i] === 1),
      rows: most.count,
    });
    rest = rest.filter((row) => !isOf(row));
  }
  return found;
}

/**
 * What these rows add to each total of a country, currency and year. Reported figures and forecasts have totals of their
 * own.
 */
function amountsOf(matched: MatchedRows, introduced: readonly number[]): readonly IntroducedAmount[] {
  const { codes, metrics, after, flags } = matched;
  const isCounted = countedOnceTest(matched, 'after');
  const [currencies, years] = [codes.size('fx'), codes.size('year')];
  return additiveMetricIndexes(matched).flatMap((metricIndex): readonly IntroducedAmount[] => {
    const sums = new Map<number, number>();
    for (const row of introduced) {
      const value = after.value(metricIndex, row);
      if (Number.isNaN(value) || !isCounted(row)) continue;
      const pair = after.code('country', row) * currencies + after.code('fx', row);
      const key = (pair * years + after.code('year', row)) * 2 + (flags.after.forecast[row] as number);
      addTo(sums, key, value);
    }
    return Array.from(sums, ([key, by]) => {
      const pair = Math.floor(key / 2 / years);
      return {
        metric: metrics[metricIndex] ?? '',
        country: codes.textOf('country', Math.floor(pair / currencies)),
        fx: codes.textOf('fx', pair % currencies),
        year: codes.yearAt(Math.floor(key / 2) % years),
        forecast: key % 2 === 1,
        by,
      };
    });
  });
}

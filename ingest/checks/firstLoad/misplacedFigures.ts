// Warns of figures beside the labels of other rows, because a column was shifted or sorted without the other columns.

import { amountText, count } from '../../messages/numbers.ts';
import { rowCountText } from '../stagedPlaces.ts';
import type { RowGroups, StagedRows } from '../stagedRows.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';

/**
 * Reports sources whose figures were shifted by some rows or sorted without their labels, and gives the countries of these
 * sources. It also reports figures that are the years of their rows.
 */
export function checkMisplacedFigures(figures: CheckedFigures): ReadonlySet<string> {
  const { metric, rows, staging } = figures;
  const values = rows.values(metric);
  const [series, markets] = [figures.series.numbers, figures.markets.numbers];
  const years = rows.dimension('year');
  const currencies = rows.numbered('fx');
  const misplaced = new Set<string>();
  const countries = rows.dimension('country');
  const addCountriesOf = (found: Int32Array) => {
    for (const code of new Set(found.map((row) => countries[row] as number)))
      misplaced.add(staging.text(code));
  };
  for (const filled of bySource(rows, values)) {
    checkYearsAsFigures(figures, filled);
    const first = filled[0];
    if (first === undefined) continue;
    if (isSortedByItself(filled, values, markets, years)) {
      addCountriesOf(filled);
      warnOfRow(figures, first, {
        problem: `${metric} is in the order of its size in all ${rowCountText(filled.length)}, which are in the order of their labels: the column was probably sorted without the others`,
        remedy: 'take the figures from the source again, or sort whole rows',
        kind: `${metric} was sorted without its labels`,
      });
      continue;
    }
    const shift = shiftOf(filled, values, series, currencies);
    if (shift === null) continue;
    addCountriesOf(filled);
    warnOfRow(figures, shift.row, {
      problem: `${metric} goes on with ${shift.isDown ? 'the series above in the first' : 'the series below in the last'} ${shift.by === 1 ? 'row' : `${shift.by} rows`} of ${shift.found === shift.decisive ? 'all' : `${count(shift.found)} of`} ${count(shift.decisive)} series: here ${shift.figures.map(amountText).join(', ')}`,
      remedy: `check that the column was not shifted by ${shift.by === 1 ? 'a row' : `${shift.by} rows`} against the other columns`,
      kind: `${metric} was probably shifted`,
    });
  }
  return misplaced;
}

/** The rows with a figure of each source, in the order of their places. */
function bySource(rows: StagedRows, values: Float64Array): readonly Int32Array[] {
  const filled = new Int32Array(rows.count);
  const sources: Int32Array[] = [];
  let [start, end] = [0, 0];
  for (let row = 0; row < rows.count; row += 1) {
    if (row > 0 && rows.sources[row] !== rows.sources[row - 1]) {
      sources.push(filled.subarray(start, end));
      start = end;
    }
    if (Number.isNaN(values[row])) continue;
    filled[end] = row;
    end += 1;
  }
  return [...sources, filled.subarray(start, end)];
}

/** From this number of figures on, chance does not explain that they equal the years of their rows. */
const FEWEST_YEARS = 3;

/** Reports figures that are the years of their rows, because a formula refers to the wrong column. */
function checkYearsAsFigures(figures: CheckedFigures, filled: Int32Array): void {
  const { metric, rows } = figures;
  const [values, years] = [rows.values(metric), rows.dimension('year')];
  let [same, first] = [0, 0];
  for (const row of filled) {
    if (values[row] !== years[row]) continue;
    if (same === 0) first = row;
    same += 1;
  }
  if (same < FEWEST_YEARS) return;
  warnOfRow(figures, first, {
    problem: `${metric} is the year of its row in ${rowCountText(same)}`,
    remedy: 'check the column that the figures were taken from',
    kind: `${metric} is the year of its row`,
  });
}

/** From this number of rows on, chance does not explain that they are in the order of their figures. */
const FEWEST_SORTED = 20;

/** In rows that somebody sorted, at least this share of the figures differ from the figure of the row before. */
const LEAST_STEPS = 0.75;

/**
 * Whether the figures are in the order of their size, and the rows in the order of their labels. If whole rows are sorted
 * by size, their labels are mixed, because a market has figures of many sizes.
 */
function isSortedByItself(
  filled: Int32Array,
  values: Float64Array,
  markets: Int32Array,
  years: Int32Array,
): boolean {
  if (filled.length < FEWEST_SORTED) return false;
  const valueAt = (i: number) => values[filled[i] as number] as number;
  const direction = Math.sign(valueAt(filled.length - 1) - valueAt(0));
  let steps = 0;
  for (let i = 1; i < filled.length; i += 1) {
    const step = (valueAt(i) - valueAt(i - 1)) * direction;
    if (step < 0) return false;
    if (step > 0) steps += 1;
  }
  if (steps < LEAST_STEPS * filled.length) return false;
  return (
    areBlocks(filled, markets, { fewest: 6, fewestRows: 3 }) ||
    areBlocks(filled, years, { fewest: 3, fewestRows: 6 })
  );
}

/**
 * Whether the rows of each label follow one another. There must be at least `fewest` labels, with at least `fewestRows`
 * rows each on average.
 */
function areBlocks(
  filled: Int32Array,
  labels: Int32Array,
  { fewest, fewestRows }: { readonly fewest: number; readonly fewestRows: number },
): boolean {
  const seen = new Set<number>();
  let blocks = 0;
  let before: number | undefined;
  for (const row of filled) {
    const label = labels[row] as number;
    if (label !== before) blocks += 1;
    before = label;
    seen.add(label);
  }
  return blocks === seen.size && blocks >= fewest && filled.length >= fewestRows * blocks;
}

interface Shift {
  readonly by: number;
  readonly isDown: boolean;
  readonly row: number;
  /** The figures around this row, in the order of their rows. */
  readonly figures: readonly number[];
  /** The number of borders between series that show the shift, and the number that could show it. */
  readonly found: number;
  readonly decisive: number;
}

/** The numbers of rows by which a column may have been shifted. */
const SHIFTS = [1, 2, 3];

/** A border is examined if both of its series have at least this many successive rows besides the shifted ones. */
const FEWEST_ROWS = 2;

/** Figures that differ by at most this factor count as figures of one series. */
const NEAR_FACTOR = 1.35;
/** Figures that differ by more than this factor count as figures of two series. */
const FAR_FACTOR = 3;

/** A shift is reported if at least this many borders show it, and at least this share of the borders that could show it. */
const FEWEST_BORDERS = 4;
const LEAST_BORDER_SHARE = 0.3;

/**
 * The shift that the borders between successive series show; null for none. If the rows of several currencies alternate,
 * the rows of each currency are examined separately.
 */
function shiftOf(
  filled: Int32Array,
  values: Float64Array,
  series: Int32Array,
  currencies: RowGroups,
): Shift | null {
  const borders = bordersIn(filled, series);
  const isEnough = borders.filter(isLong(1)).length >= FEWEST_BORDERS;
  if (isEnough || currencies.count < 2) return shiftIn(filled, values, borders);
  const currencyOf = (row: number) => currencies.numbers[row] as number;
  const byCurrency = filled.toSorted((one, other) => currencyOf(one) - currencyOf(other));
  return shiftIn(byCurrency, values, bordersIn(byCurrency, series));
}

/**
 * A border between the rows of two series: the index of the first row behind it, and the lengths of the runs of rows before
 * and behind it.
 */
interface Border {
  readonly start: number;
  readonly before: number;
  readonly behind: number;
}

const isLong =
  (by: number) =>
  ({ before, behind }: Border): boolean =>
    Math.min(before, behind) >= FEWEST_ROWS + by;

function bordersIn(filled: Int32Array, series: Int32Array): readonly Border[] {
  const borders: Border[] = [];
  let start = 0;
  let before = 0;
  for (let end = 1; end <= filled.length; end += 1) {
    if (end < filled.length && series[filled[end] as number] === series[filled[start] as number]) continue;
    if (before > 0) borders.push({ start, before, behind: end - start });
    before = end - start;
    start = end;
  }
  return borders;
}

function shiftIn(filled: Int32Array, values: Float64Array, borders: readonly Border[]): Shift | null {
  for (const by of SHIFTS) {
    const found = shiftBy(by, filled, values, borders.filter(isLong(by)));
    if (found !== null) return found;
  }
  return null;
}

/**
 * The shift by `by` rows. If figures moved down, the first `by` figures of a series are near the last figure above them,
 * and the next one is far from it. If they moved up, the last `by` figures of a series are near the first figure below
 * them.
 */
function shiftBy(
  by: number,
  filled: Int32Array,
  values: Float64Array,
  borders: readonly Border[],
): Shift | null {
  const [down, up]: [DecisiveBorder[], DecisiveBorder[]] = [[], []];
  for (const { start } of borders) {
    const figures: number[] = [];
    for (let i = start - 1 - by; i <= start + by; i += 1) figures.push(values[filled[i] as number] as number);
    if (!figures.every((figure) => figure > 0)) continue;
    const first = figures[by + 1] as number;
    const last = figures[by] as number;
    // Only figures of two series that are far apart can show a shift. If figures moved down by `by`, the figures of the
    // second series begin at the index 2 · by + 1. If they moved up, those of the first series end at the index 0.
    if (differ(last, figures[2 * by + 1] as number, FAR_FACTOR))
      down.push({ isShifted: areNear(figures.slice(by, 2 * by + 1)), row: filled[start] as number, figures });
    if (differ(figures[0] as number, first, FAR_FACTOR))
      up.push({ isShifted: areNear(figures.slice(1, by + 2)), row: filled[start - by] as number, figures });
  }
  return shiftShownBy(down, by, true) ?? shiftShownBy(up, by, false);
}

const areNear = (figures: readonly number[]): boolean =>
  figures.every((figure, i) => i === 0 || !differ(figures[i - 1] as number, figure, NEAR_FACTOR));

const differ = (a: number, b: number, factor: number): boolean => a > factor * b || b > factor * a;

/** A border at which a shift would show. */
interface DecisiveBorder {
  readonly isShifted: boolean;
  readonly row: number;
  readonly figures: readonly number[];
}

/** The shift by `by` rows; null if too few of the borders show it. */
function shiftShownBy(borders: readonly DecisiveBorder[], by: number, isDown: boolean): Shift | null {
  const shifted = borders.filter(({ isShifted }) => isShifted);
  const [first] = shifted;
  const [found, decisive] = [shifted.length, borders.length];
  if (first === undefined || found < FEWEST_BORDERS || found < LEAST_BORDER_SHARE * decisive) return null;
  return { by, isDown, row: first.row, figures: first.figures, found, decisive };
}

// Finds values that count up by one from year to year (n, n + 1, n + 2): someone dragged a cell over others.

import { groupBy } from '../../../src/basics/lists.ts';
import { hasManyDigits } from '../../figures/digits.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import { type Change, cellsByMetric, type PatternSearch } from './cellChanges.ts';
import { sortedIncludes } from './equalValues.ts';
import { patternsByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/** The number of years in a row whose figures must count up. */
const FEWEST_YEARS = 3;

/** For figures with few digits, the number of years in a row. Percentages, for example, may rise by one by chance. */
const FEWEST_SHORT = 4;

/**
 * The steps that dragging may add to a figure: 1 in the unit of the sheet, which may be thousands, millions or billions.
 */
const STEPS = [1, 1e3, 1e6, 1e9];

/** Finds changed values that count up by one from year to year, to the last digit. */
export function findCountedUp(search: PatternSearch): Pattern[] {
  const { matched, changes } = search;
  const { codes } = matched;
  const seriesOf = codes.keys.without('year');
  return cellsByMetric(search, newValues(search)).flatMap(({ metric, forecast, cells: candidates }) => {
    const near = besideOthers(search, candidates);
    const series = groupBy(near, (change) => seriesOf(...changes.rowOf(change)));
    const counted = [...series.values()].flatMap((all) =>
      all.length < FEWEST_YEARS ? [] : countedIn(search, all),
    );
    return patternsByCountry(search, { family: 'counted', metric, forecast }, counted);
  });
}

/** The added and revised values that no pattern includes yet. */
function* newValues({ changes }: PatternSearch): Generator<Change> {
  for (let i = 0; i < changes.count; i += 1)
    if (
      changes.kind[i] !== CHANGE_KIND.removed &&
      changes.isExplained[i] === 0 &&
      !Number.isNaN(changes.now(i))
    )
      yield i;
}

/** The cells whose value is one step from that of any other cell. They are few, so only few series need to be examined. */
function besideOthers({ changes }: PatternSearch, cells: readonly Change[]): readonly Change[] {
  const sorted = Float64Array.from(cells, (change) => changes.now(change)).sort();
  const found: number[] = [];
  for (const step of STEPS) addBeside(found, sorted, step);
  const values = Float64Array.from(found).sort();
  return values.length === 0 ? [] : cells.filter((change) => sortedIncludes(values, changes.now(change)));
}

/** Adds all values of a sorted list that are this step from another one. */
function addBeside(found: number[], sorted: Float64Array, step: number): void {
  let next = 0;
  for (let i = 0; i < sorted.length; i += 1) {
    const value = sorted[i] as number;
    while (next < sorted.length && (sorted[next] as number) < value + (1 - 1e-6) * step) next += 1;
    const other = sorted[next] ?? Number.POSITIVE_INFINITY;
    if (other > value + (1 + 1e-6) * step) continue;
    if (stepFrom(value, other) === step) found.push(value, other);
  }
}

/** The cells of a series that are in a run of values that count up for enough years. */
function countedIn({ changes }: PatternSearch, series: readonly Change[]): readonly Change[] {
  const yearOf = (change: Change) => changes.code('year', change);
  const sorted = [...series].sort((change, other) => yearOf(change) - yearOf(other));
  const found: Change[] = [];
  let [run, step] = [sorted.slice(0, 1), 0];
  const close = () => {
    const isLong = hasManyDigits(changes.now(run[0] as Change))
      ? run.length >= FEWEST_YEARS
      : run.length >= FEWEST_SHORT && step === 1;
    if (isLong) found.push(...run);
  };
  for (const [at, change] of sorted.entries()) {
    if (at === 0) continue;
    const last = sorted[at - 1] as Change;
    const by = yearOf(change) - yearOf(last) === 1 ? stepFrom(changes.now(last), changes.now(change)) : 0;
    if (by === 0 || (run.length > 1 && by !== step)) {
      close();
      run = by === 0 ? [] : [last];
    }
    run.push(change);
    step = by;
  }
  close();
  return found;
}

/**
 * The step between a value and the next one; 0 when it is not one of `STEPS`, or too small to be seen in doubles of this
 * size.
 */
function stepFrom(value: number, next: number): number {
  const rounding = Math.abs(next) * 2 ** -50;
  return (
    STEPS.find((one) => rounding < 0.1 * one && Math.abs(next - value - one) <= rounding + 1e-9 * one) ?? 0
  );
}

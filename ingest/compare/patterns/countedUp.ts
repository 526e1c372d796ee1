// Finds values that count up by one from year to year (n, n + 1, n + 2): someone dragged a cell of a spreadsheet over others.

import { groupBy } from '../../../src/groupBy.ts';
import { KIND } from '../rows/matchedRows.ts';
import { byCountry } from './byCountry.ts';
import { describePattern } from './describePattern.ts';
import { isAmong, isExact } from './equalValues.ts';
import { cellsByMetric, type Search, type Shift } from './shifts.ts';
import type { Pattern } from './types.ts';

/** The number of years in a row whose figures must count up. */
const FEWEST_YEARS = 3;

/** The same number for figures with few digits, such as percentages, which may rise by one by chance. */
const FEWEST_SHORT = 4;

/** What dragging adds to each figure: one of the unit of the sheet, which may be thousands, millions or billions. */
const STEPS = [1, 1e3, 1e6, 1e9];

/** Finds changed values that count up by one from year to year, to the last digit. */
export function findCountedUp(search: Search): Pattern[] {
  const { matched, shifts } = search;
  const { codes } = matched;
  if (!codes.has('year') || !codes.has('temporal')) return [];
  const seriesOf = codes.names.without('year');
  return cellsByMetric(search, newValues(search)).flatMap(({ metric, forecast, cells: candidates }) => {
    const near = besideOthers(search, candidates);
    const series = groupBy(near, (shift) => seriesOf(...shifts.rowOf(shift)));
    const counted = [...series.values()].flatMap((all) =>
      all.length < FEWEST_YEARS ? [] : countedIn(search, all),
    );
    shifts.explain(counted);
    return byCountry(counted, (shift) => shifts.code('country', shift), codes).map(({ place, items }) => {
      const [cells, of] = [items.length, items.length];
      return describePattern(
        search,
        { family: 'counted', metric, forecast, place, cells, of, between: null },
        items,
      );
    });
  });
}

/** The added and revised values that no pattern includes yet. */
function* newValues({ shifts }: Search): Generator<Shift> {
  for (let i = 0; i < shifts.count; i += 1)
    if (shifts.kind[i] !== KIND.removed && shifts.isExplained[i] === 0 && !Number.isNaN(shifts.after[i]))
      yield i;
}

/** The cells whose value is one step from that of any other cell. They are few, so only few series need to be examined. */
function besideOthers({ shifts: { after } }: Search, cells: readonly Shift[]): readonly Shift[] {
  const sorted = Float64Array.from(cells, (shift) => after[shift] as number).sort();
  const found: number[] = [];
  for (const step of STEPS) {
    let next = 0;
    for (const value of sorted) {
      while (next < sorted.length && (sorted[next] as number) < value + (1 - 1e-6) * step) next += 1;
      const other = sorted[next] ?? Number.POSITIVE_INFINITY;
      if (other > value + (1 + 1e-6) * step) continue;
      if (stepFrom(value, other) === step) found.push(value, other);
    }
  }
  const values = Float64Array.from(found).sort();
  return values.length === 0 ? [] : cells.filter((shift) => isAmong(values, after[shift] as number));
}

/** The cells of a series that are in a run of values that count up for enough years. */
function countedIn({ shifts }: Search, series: readonly Shift[]): readonly Shift[] {
  const yearOf = (shift: Shift) => shifts.code('year', shift);
  const sorted = [...series].sort((shift, other) => yearOf(shift) - yearOf(other));
  const found: Shift[] = [];
  let [run, step] = [sorted.slice(0, 1), 0];
  const close = () => {
    const isLong = isExact(shifts.after[run[0] as Shift] as number)
      ? run.length >= FEWEST_YEARS
      : run.length >= FEWEST_SHORT && step === 1;
    if (isLong) found.push(...run);
  };
  for (const [at, shift] of sorted.entries()) {
    if (at === 0) continue;
    const last = sorted[at - 1] as Shift;
    const by =
      yearOf(shift) - yearOf(last) === 1
        ? stepFrom(shifts.after[last] as number, shifts.after[shift] as number)
        : 0;
    if (by === 0 || (run.length > 1 && by !== step)) {
      close();
      run = by === 0 ? [] : [last];
    }
    run.push(shift);
    step = by;
  }
  close();
  return found;
}

/** The step between a value and the next one; 0 when it is not one of `STEPS`, or too small to be seen in doubles of this size. */
function stepFrom(value: number, next: number): number {
  const rounding = Math.abs(next) * 2 ** -50;
  return (
    STEPS.find((one) => rounding < 0.1 * one && Math.abs(next - value - one) <= rounding + 1e-9 * one) ?? 0
  );
}

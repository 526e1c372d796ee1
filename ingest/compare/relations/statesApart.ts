// Finds nations whose rows were the sums of their states, and are not any more.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { Matched } from '../rows/matched.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import type { SideName } from '../side.ts';
import { type Broken, LEVELS, MARKETS, partName, SMALLEST_PART } from './relationLevels.ts';
import { EXCEEDS } from './statesAboveNation.ts';

/** States are rounded one by one, so that their sum differs from the nation by this share at most. */
const EQUAL = 1e-4;

/** A smaller distance may be a figure of one state that was revised later than the nation. */
const APART = 0.005;

/** One state may have the nation's only market. */
const FEWEST_STATES = 2;

/**
 * The markets and years of nations that equalled the sum of their states, and now differ from it by 0.5 % or more. States that
 * exceed the nation by much are left to `statesAboveNation`.
 *
 * @param forecast Whether forecasts are compared; else reported figures.
 */
export function statesApart(matched: Matched, dataset: DatasetName, forecast: boolean): Broken[] {
  const { codes, before, after, stateRows } = matched;
  if (stateRows.before === null || stateRows.after === null) return [];
  const then = sumsOf(matched, 'before');
  const pairs = equalNations(matched, then, forecast);
  if (pairs.size === 0) return [];
  const now = sumsOf(matched, 'after');
  return [...pairs].flatMap(([old, fresh]): Broken[] => {
    const total = after.value(0, fresh);
    const share = (now.sums[fresh] as number) / total;
    if ((now.counts[fresh] as number) < (then.counts[old] as number)) return [];
    if (!(Math.abs(total) >= SMALLEST_PART && Math.abs(share - 1) >= APART && share <= EXCEEDS)) return [];
    const country = String(codes.valueOf('country', before.code('country', old)));
    const year = Number(codes.valueOf('year', before.code('year', old)));
    const where = { dataset, country, year, currency: null, level: MARKETS } as const;
    const place = partName(matched, before, old, LEVELS[MARKETS] ?? []);
    return [{ relation: 'states-apart', ...where, place, before: 1, after: share }];
  });
}

/** The rows of nations that equalled their states, and that changed, or of whose states a row did: by row before, the row after. */
function equalNations(
  { changed, before, flags, stateRows }: Matched,
  { sums, counts }: States,
  forecast: boolean,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const [olds, news] = [stateRows.before?.wholeOf, stateRows.after?.wholeOf];
  if (olds === undefined || news === undefined) return found;
  const [values, wanted] = [before.values(0), Number(forecast)];
  for (let i = 0; i < changed.count; i += 1) {
    const [row, now] = [changed.before[i] as number, changed.after[i] as number];
    if (row < 0 || now < 0) continue;
    const old = olds[row] as number;
    if (old === NO_ROW || (counts[old] as number) < FEWEST_STATES || flags.before.forecast[old] !== wanted)
      continue;
    const isEqual = Math.abs((sums[old] as number) / (values[old] as number) - 1) <= EQUAL;
    if (isEqual && news[now] !== NO_ROW) found.set(old, news[now] as number);
  }
  return found;
}

/** By row of a nation: the sum of its states, and how many they are. */
interface States {
  readonly sums: Float64Array;
  readonly counts: Uint16Array;
}

function sumsOf({ stateRows, ...matched }: Matched, side: SideName): States {
  const { wholeOf } = stateRows[side] ?? { wholeOf: new Int32Array(0) };
  const sums = new Float64Array(wholeOf.length);
  const counts = new Uint16Array(wholeOf.length);
  addStates(sums, counts, wholeOf, matched[side].values(0));
  return { sums, counts };
}

/** A function of its own, so that V8 keeps the optimised code of the loop. */
function addStates(sums: Float64Array, counts: Uint16Array, wholeOf: Int32Array, values: Float64Array): void {
  for (let row = 0; row < wholeOf.length; row += 1) {
    const whole = wholeOf[row] as number;
    if (whole === NO_ROW || whole === row) continue;
    sums[whole] = (sums[whole] as number) + (values[row] as number);
    counts[whole] = (counts[whole] as number) + 1;
  }
}

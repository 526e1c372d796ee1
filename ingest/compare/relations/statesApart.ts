// Finds nations whose rows were the sums of their states, and are not any more.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { isForecastRow, type Matched } from '../rows/matched.ts';
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
  const pairs = concernedNations(matched, forecast);
  if (pairs.size === 0) return [];
  const then = sumsOf(matched, 'before', new Set(pairs.keys()));
  const now = sumsOf(matched, 'after', new Set(pairs.values()));
  const { codes, before, after } = matched;
  return [...pairs].flatMap(([old, fresh]): Broken[] => {
    const [was, is] = [then.get(old), now.get(fresh)];
    if (was === undefined || is === undefined || was.states < FEWEST_STATES || is.states < was.states)
      return [];
    const total = after.value(0, fresh);
    if (Math.abs(was.sum / before.value(0, old) - 1) > EQUAL || !(Math.abs(total) >= SMALLEST_PART))
      return [];
    const share = is.sum / total;
    if (!(Math.abs(share - 1) >= APART && share <= EXCEEDS)) return [];
    const country = String(codes.valueOf('country', before.code('country', old)));
    const year = Number(codes.valueOf('year', before.code('year', old)));
    const where = { dataset, country, year, currency: null, level: MARKETS } as const;
    const place = partName(matched, before, old, LEVELS[MARKETS] ?? []);
    return [{ relation: 'states-apart', ...where, place, before: 1, after: share }];
  });
}

/** The rows of nations that changed, or of whose states a row did: by row before, the row after. */
function concernedNations(matched: Matched, forecast: boolean): ReadonlyMap<number, number> {
  const { changed, before, stateRows } = matched;
  const [olds, news] = [stateRows.before?.wholeOf, stateRows.after?.wholeOf];
  const found = new Map<number, number>();
  if (olds === undefined || news === undefined) return found;
  for (let i = 0; i < changed.count; i += 1) {
    const [row, now] = [changed.before[i] as number, changed.after[i] as number];
    if (row < 0 || now < 0) continue;
    const [old, fresh] = [olds[row] as number, news[now] as number];
    if (old === NO_ROW || fresh === NO_ROW || isForecastRow(matched, before, old) !== forecast) continue;
    found.set(old, fresh);
  }
  return found;
}

interface States {
  sum: number;
  states: number;
}

/** The sums of the states of some nations, and how many states they have. */
function sumsOf(matched: Matched, side: SideName, nations: ReadonlySet<number>): ReadonlyMap<number, States> {
  const { wholeOf } = matched.stateRows[side] ?? { wholeOf: new Int32Array(0) };
  const values = matched[side].values(0);
  const found = new Map<number, States>();
  for (let row = 0; row < wholeOf.length; row += 1) {
    const whole = wholeOf[row] as number;
    if (whole === NO_ROW || whole === row || !nations.has(whole)) continue;
    const of = found.get(whole) ?? { sum: 0, states: 0 };
    of.sum += values[row] as number;
    of.states += 1;
    found.set(whole, of);
  }
  return found;
}

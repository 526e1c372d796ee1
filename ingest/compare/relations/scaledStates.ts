// Finds states whose reported figures moved by one factor, while the same figures of their nation did not move with them.

import { ascending } from '../../../src/ascending.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import { Groups } from '../rows/groups.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { allRowsWhere } from '../rows/rowLists.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import type { MarketDataset } from './amounts.ts';
import { type BrokenOfKind, brokenOf, LEVELS, MARKETS, partName } from './relationLevels.ts';
import { type AlikeFigures, alikeIn, countsOf, SCALED_SHARE_OF_MARKET } from './scaledMarkets.ts';
import { FEWEST_YEARS, isMoved, LEAST_FIGURE, MOVED_SHARE } from './scaledReported.ts';
import { type StateFigure, scaledStateYears } from './scaledStateYears.ts';

const MARKET: readonly DimensionName[] = ['state', ...(LEVELS[MARKETS] ?? [])];

/** A market of a state that moved by one factor. */
interface Scaled {
  readonly row: number;
  readonly years: readonly number[];
  readonly factor: number;
}

/** Markets of states of which most figures moved by one factor, and years of states of which all did. */
export function scaledStates(dataset: MarketDataset, matched: Matched): BrokenOfKind[] {
  const { codes, before, stateRows } = matched;
  if (stateRows.before === null || stateRows.after === null) return [];
  const figures = figuresOf(matched);
  const alone = figures.flat().filter(({ isAlone }) => isAlone);
  if (alone.length === 0) return [];
  const isFigure = isReportedFigure(matched);
  const found = scaledIn(dataset, matched, figures, isFigure);
  const states = codes.size('state');
  const stateOf = (row: number) => before.code('country', row) * states + before.code('state', row);
  const told = new Set(found.flatMap(({ rows }) => rows.map(stateOf)));
  const left = alone.filter(({ row }) => !told.has(stateOf(row)));
  return [...found.map(({ broken }) => broken), ...scaledStateYears(dataset, matched, left, isFigure)];
}

/**
 * The markets of which most reported figures moved by one factor, and their rows.
 *
 * @param figures By market of a state: its figures that moved.
 * @param isFigure Whether a row of the earlier side could have moved.
 */
function scaledIn(
  dataset: MarketDataset,
  matched: Matched,
  figures: readonly (readonly StateFigure[])[],
  isFigure: (row: number) => boolean,
): { readonly broken: BrokenOfKind; readonly rows: readonly number[] }[] {
  const { codes, before } = matched;
  const alike = figures.flatMap((all): AlikeFigures<StateFigure>[] => {
    const small = all.filter(({ ratio }) => isMoved(ratio));
    const smallStates = alikeIn(small);
    return smallStates?.all.every(({ isAlone }) => isAlone) ? [smallStates] : [];
  });
  const counts = countsOf(matched, ['country', ...MARKET], alike, isFigure);
  const scaled = alike.flatMap(({ all, first }, i): Scaled[] => {
    if (all.length < SCALED_SHARE_OF_MARKET * (counts[i] as number)) return [];
    const years = [...new Set(all.map(({ row }) => codes.yearOf(before, row)))];
    if (years.length < FEWEST_YEARS) return [];
    return [{ row: first.row, years, factor: upperMedian(all.map(({ ratio }) => ratio)) }];
  });
  if (scaled.length === 0) return [];
  const stateOf = (row: number) => `${before.code('country', row)} ${before.code('state', row)}`;
  const wanted = new Set(scaled.map(({ row }) => stateOf(row)));
  const markets = marketsOf(matched, isFigure, wanted, stateOf);
  const placesOf = (all: readonly Scaled[]) =>
    [...groupBy(all, ({ row }) => stateOf(row))].flatMap(([state, own]) => {
      const parts: readonly DimensionName[] = own.length === markets.get(state) ? ['state'] : MARKET;
      return own.map(({ row }) => partName(matched, before, row, parts));
    });
  // States that moved by one factor probably have one cause, so they are reported together.
  const byFactor = groupBy(
    scaled,
    ({ row, factor }) => `${before.code('country', row)} ${factor.toFixed(4)}`,
  );
  return [...byFactor.values()].map((all) => {
    const [{ row, factor }] = all;
    const broken = brokenOf({
      relation: 'state-scaled',
      dataset,
      country: codes.countryOf(before, row),
      places: [...new Set(placesOf(all))].sort(),
      years: ascending(all.flatMap((one) => one.years)),
      after: factor,
    });
    return { broken, rows: all.map((one) => one.row) };
  });
}

/** The reported figures that moved, by market of a state. */
function figuresOf({ codes, changed, flags, stateRows, ...matched }: Matched): StateFigure[][] {
  const { before, after } = matched;
  const [wholeBefore, wholeAfter] = [stateRows.before?.wholeOf, stateRows.after?.wholeOf];
  const [olds, news] = [before.values(0), after.values(0)];
  const states = before.codes('state');
  const figures: StateFigure[] = [];
  for (let i = 0; i < changed.count; i += 1) {
    const row = changed.before[i] as number;
    const now = changed.after[i] as number;
    if (row < 0 || now < 0 || states[row] === 0) continue;
    if (flags.before.forecast[row] === 1 || flags.after.forecast[now] === 1) continue;
    const old = olds[row] as number;
    const fresh = news[now] as number;
    if (!(old >= LEAST_FIGURE && Math.abs(fresh / old - 1) >= MOVED_SHARE)) continue;
    const [nation, nationNow] = [wholeBefore?.[row] ?? NO_ROW, wholeAfter?.[now] ?? NO_ROW];
    if (nation === NO_ROW || nationNow === NO_ROW) continue;
    const moved = Math.abs((news[nationNow] as number) - (olds[nation] as number));
    figures.push({ row, old, fresh, ratio: fresh / old, isAlone: moved < Math.abs(fresh - old) / 2 });
  }
  const groups = new Groups(codes, ['country', ...MARKET]);
  return [...groupBy(figures, ({ row }) => groups.add(before, row)).values()];
}

/** Tells which rows of the earlier side are reported figures that could have moved. */
function isReportedFigure({ before, flags }: Matched): (row: number) => boolean {
  const [values, forecasts] = [before.values(0), flags.before.forecast];
  return (row) => (values[row] as number) >= LEAST_FIGURE && forecasts[row] === 0;
}

/** By state: the number of its markets. */
function marketsOf(
  { codes, before }: Matched,
  isFigure: (row: number) => boolean,
  wanted: ReadonlySet<string>,
  stateOf: (row: number) => string,
): ReadonlyMap<string, number> {
  const own = allRowsWhere(before, (row) => isFigure(row) && wanted.has(stateOf(row)));
  const marketOf = new Groups(codes, ['country', ...MARKET]).addRows(before, own);
  const markets = new Map<string, Set<number>>([...wanted].map((state) => [state, new Set()]));
  for (let i = 0; i < own.length; i += 1) markets.get(stateOf(own[i] as number))?.add(marketOf[i] as number);
  return new Map([...markets].map(([state, { size }]) => [state, size]));
}

// Measures a pattern: its share of the country's and of the dataset's figures, how far it moved, and its largest cells.

import { addTo, getOrInsert } from '../../../src/basics/maps.ts';
import type { CountrySums } from '../countrySums.ts';
import { type Revision, revisionOf } from '../revision.ts';
import type { Codes } from '../rows/codes.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { KeyOfRow } from '../rows/rowKeys.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import type { CellChanges, Change, PatternSearch } from './cellChanges.ts';
import { MOST_EXAMPLES, type Pattern } from './patternTypes.ts';

/** The families for which the sum after ÷ the sum before means something. */
const WITH_RATIO: ReadonlySet<Pattern['family']> = new Set(['moved', 'leap', 'factor']);

/**
 * The pattern with its shares, its ratio and examples.
 *
 * @param pattern Without `metric`, it is about whole rows; without `forecast`, about reported figures; without `of`, all
 * cells that could have changed did.
 * @param cells The cells of the pattern, at least one.
 */
export function describePattern(
  search: PatternSearch,
  pattern: Pick<Pattern, 'family' | 'place'> &
    Partial<Pick<Pattern, 'metric' | 'forecast' | 'of' | 'between' | 'further'>>,
  cells: readonly Change[],
): Pattern {
  const { family, place, metric = null, forecast = false, between = null, further = null } = pattern;
  const once = countedOnce(search, cells);
  const { share, history, ratio, effect } = partOfCountry(search, once, forecast);
  return {
    family,
    metric,
    place,
    forecast,
    cells: cells.length,
    of: pattern.of ?? cells.length,
    counted: once.length,
    further,
    countryShare: share ?? 0,
    historyShare: history ?? 0,
    effect: effect ?? 0,
    datasetShare:
      place.country !== undefined && isAlone(search, once) ? null : partOfDataset(search, once, metric),
    ratio: WITH_RATIO.has(family) ? ratio : null,
    between,
    examples: largest(search, cells).map((change) => exampleAt(search, change)),
  };
}

/**
 * Leaves out cells that count a figure twice. Where both a nation and its states have cells, only those remain that moved
 * by the larger amount. Usually the nation and its states moved by the same amount. Then the nation's cell remains.
 */
function countedOnce({ matched, changes }: PatternSearch, cells: readonly Change[]): readonly Change[] {
  const { before, nationRowOf } = matched;
  if (nationRowOf.before === null && nationRowOf.after === null) return cells;
  /** For each row of a nation and each metric: the nation's cell, and the cells of its states. */
  const nations = new Map<string, { own: Change | null; ofStates: Change[] }>();
  for (const change of cells) {
    const [rows, row] = changes.rowOf(change);
    const side = rows === before ? 'before' : 'after';
    const nation = nationRowOf[side]?.[row] ?? NO_ROW;
    if (nation === NO_ROW) continue;
    const key = `${side} ${nation} ${changes.metric[change]}`;
    const ofNation = getOrInsert(nations, key, () => ({ own: null, ofStates: [] }));
    if (nation === row) ofNation.own = change;
    else ofNation.ofStates.push(change);
  }
  const leftOut = new Set<Change>();
  for (const { own, ofStates } of nations.values()) {
    if (own === null || ofStates.length === 0) continue;
    const moved = ofStates.reduce((sum, change) => sum + movedBy(changes, change), 0);
    // The sum of rounded states may be a little larger than their nation.
    if (moved > movedBy(changes, own) * (1 + ROUNDING_SHARE)) leftOut.add(own);
    else for (const change of ofStates) leftOut.add(change);
  }
  return leftOut.size === 0 ? cells : cells.filter((change) => !leftOut.has(change));
}

/** The share by which rounding may make the sum of states larger than their nation. */
const ROUNDING_SHARE = 0.01;

/** The amount by which a cell moved. A missing value counts as 0. */
function movedBy(changes: CellChanges, change: Change): number {
  const [from, to] = [changes.old(change), changes.now(change)];
  return Math.abs((Number.isNaN(to) ? 0 : to) - (Number.isNaN(from) ? 0 : from));
}

/** A sum that is null until something is added. */
class Sum {
  total: number | null = null;
  #count = 0;

  add(value: number | null): void {
    if (value === null || Number.isNaN(value)) return;
    this.total = (this.total ?? 0) + value;
    this.#count += 1;
  }

  get mean(): number | null {
    return this.total === null ? null : this.total / this.#count;
  }
}

/**
 * The values for `countryShare`, `historyShare`, `ratio` and `effect` of a pattern; null where unknown. The shares are
 * means over countries, years and currencies.
 */
function partOfCountry(
  { matched: { codes }, changes, sums: totals }: PatternSearch,
  cells: readonly Change[],
  forecast: boolean,
) {
  const keyOf = totalKey(codes);
  const groups = new Map<number | string, { part: Sum; now: Sum; effect: Sum }>();
  const countries = new Set<number>();
  for (const change of cells) {
    countries.add(changes.code('country', change));
    const key = keyOf(...changes.rowOf(change));
    const group = getOrInsert(groups, key, () => ({ part: new Sum(), now: new Sum(), effect: new Sum() }));
    const weight = changes.weight[change] as number;
    const old = changes.old(change);
    const ratio = old === 0 ? Number.NaN : changes.now(change) / old;
    group.part.add(weight);
    group.now.add(weight * ratio);
    group.effect.add(Math.abs(ratio - 1) * weight);
  }
  const [part, now, effect] = [new Sum(), new Sum(), new Sum()];
  for (const group of groups.values()) {
    part.add(group.part.total);
    now.add(group.now.total);
    effect.add(group.effect.total);
  }
  let all = 0;
  for (let i = 0; i < totals.count; i += 1)
    if (totals.forecast[i] === Number(forecast) && countries.has(totals.country[i] as number)) all += 1;
  return {
    share: part.mean,
    history: part.total === null || all === 0 ? null : part.total / all,
    ratio: now.total === null || !part.total ? null : now.total / part.total,
    effect: effect.mean,
  };
}

/** Gives the key of the total to which a row belongs: that of its country, year and currency. */
export const totalKey = (codes: Codes): KeyOfRow =>
  codes.keys.by(codes.has('fx') ? ['country', 'year', 'fx'] : ['country', 'year']);

/**
 * Whether the cells of a country are in currencies that no other country of the dataset has. The country's figures are the
 * whole total of such a currency, so a share of it says nothing.
 */
function isAlone(
  { matched: { codes }, changes, sums: totals }: PatternSearch,
  cells: readonly Change[],
): boolean {
  if (!codes.has('fx')) return false;
  const own = changes.code('country', cells[0] as Change);
  const currencies = new Set(cells.map((change) => changes.code('fx', change)));
  let hasOthers = false;
  for (let i = 0; i < totals.count; i += 1) {
    if (totals.country[i] === own) continue;
    hasOthers = true;
    if (currencies.has(totals.fx[i] as number)) return false;
  }
  return hasOthers;
}

/**
 * The share of the cells in the dataset's total of their years. Only cells in one currency count: the currency that most
 * countries have. Reported figures are compared with reported ones, and forecasts with forecasts.
 */
function partOfDataset(
  { matched: { codes, metrics }, changes, sums: totals }: PatternSearch,
  cells: readonly Change[],
  metric: string | null,
): number | null {
  const metricIndex = Math.max(0, metrics.indexOf(metric ?? ''));
  const fx = codes.has('fx')
    ? mostShared(
        cells.map((change) => changes.code('fx', change)),
        totals,
      )
    : null;
  const yearKey = (year: number, forecast: number) => 2 * year + forecast;
  const years = new Set<number>();
  const concerned = new Sum();
  for (const change of cells) {
    if (fx !== null && changes.code('fx', change) !== fx) continue;
    years.add(yearKey(changes.code('year', change), changes.forecast[change] as number));
    const old = changes.old(change);
    const now = changes.now(change);
    concerned.add(Math.abs(Number.isNaN(old) ? now : old));
  }
  const all = new Sum();
  for (let i = 0; i < totals.count; i += 1) {
    const isConcerned = years.has(yearKey(totals.year[i] as number, totals.forecast[i] as number));
    if (isConcerned && (fx === null || totals.fx[i] === fx)) all.add(Math.abs(totals.sum(metricIndex, i)));
  }
  return concerned.total === null || !all.total ? null : concerned.total / all.total;
}

/** Rare currencies are left out: those with fewer cells than this share of the cells of the most frequent currency. */
const FREQUENT = 0.5;

/**
 * The currency that most countries have. Rare currencies are left out. On a tie, the most frequent currency counts, then
 * the one with the smallest code.
 */
function mostShared(currencies: readonly number[], totals: CountrySums): number | null {
  const counts = new Map<number, number>();
  for (const fx of currencies) addTo(counts, fx, 1);
  const most = Math.max(...counts.values());
  const frequent = [...counts].filter(([, count]) => count >= FREQUENT * most);
  const countries = new Map(frequent.map(([fx]) => [fx, new Set<number>()]));
  if (frequent.length > 1)
    for (let i = 0; i < totals.count; i += 1)
      countries.get(totals.fx[i] as number)?.add(totals.country[i] as number);
  const sizeOf = (fx: number) => countries.get(fx)?.size ?? 0;
  const [best] = frequent.sort(([a, n], [b, m]) => sizeOf(b) - sizeOf(a) || m - n || a - b);
  return best?.[0] ?? null;
}

/** The cells with the largest weights. Cells of equal weight are in the order of their dimensions in the catalog. */
function largest(
  { matched: { codes }, changes }: PatternSearch,
  cells: readonly Change[],
): readonly Change[] {
  const weight = (change: Change) => {
    const known = changes.weight[change] as number;
    return Number.isNaN(known) ? Number.NEGATIVE_INFINITY : known;
  };
  const isBefore = (change: Change, other: Change) => {
    if (weight(change) !== weight(other)) return weight(change) > weight(other);
    for (const dimension of codes.dimensions) {
      const difference = changes.code(dimension, change) - changes.code(dimension, other);
      if (difference !== 0) return difference < 0;
    }
    return change < other;
  };
  const found: Change[] = [];
  for (const change of cells) {
    const position = found.findIndex((other) => isBefore(change, other));
    if (position >= 0) found.splice(position, 0, change);
    else if (found.length < MOST_EXAMPLES) found.push(change);
    if (found.length > MOST_EXAMPLES) found.pop();
  }
  return found;
}

function exampleAt({ matched: { metrics }, changes }: PatternSearch, change: Change): Revision {
  const kind = changes.kind[change];
  const from = kind === CHANGE_KIND.added ? null : changes.old(change);
  const to = kind === CHANGE_KIND.removed ? null : changes.now(change);
  const metric = metrics[changes.metric[change] as number] ?? '';
  return revisionOf(changes.dimensionsOf(change), metric, from, to);
}

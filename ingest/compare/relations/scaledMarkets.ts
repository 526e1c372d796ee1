// Finds markets whose reported figures of one dataset moved by one factor, while the same figures of the other dataset stayed.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { isCountedOnce } from '../countrySums.ts';
import { Groups, NO_GROUP, rowsWhere } from '../rows/groups.ts';
import type { Matched } from '../rows/matched.ts';
import type { SideName } from '../side.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, type MovedFigure, multipliedExactly, type Scaled } from './exactFactors.ts';
import { type BrokenOfKind, LEVELS, MARKETS, partName } from './relationLevels.ts';
import { FEWEST_YEARS, isMoved, LEAST_FIGURE, middle, ofOneFactor, STAYED } from './scaledReported.ts';

/** With fewer figures, two years and currencies may have one factor because of one revision. */
export const FEWEST_FIGURES = 6;

/** The share of a market's figures that have the factor: some are revised in the same month. */
export const SCALED_SHARE_OF_MARKET = 0.8;

const MARKET: readonly DimensionName[] = LEVELS[MARKETS] ?? [];

/**
 * The markets of which most reported figures of a dataset moved by one factor, while those of the other dataset stayed; and
 * those that were multiplied by an exact factor. Honest revisions of a market move its ggr and its turnover.
 */
export function scaledMarkets(
  dataset: MarketDataset,
  matched: Matched,
  moves: ReportedMoves,
  other: Matched,
): BrokenOfKind[] {
  const found = scaledOf(matched, moves);
  if (found.length === 0) return [];
  const stayed = staying(other, found);
  const alone = found.filter((one) => stayed(one));
  const exact = multipliedExactly(
    matched,
    found.filter((one) => one.exactly !== null && !alone.includes(one)),
    reportedIn(matched, 'before'),
  );
  return [
    ...byFactor(alone).map((all) => brokenOf('dataset-scaled', dataset, all)),
    ...byFactor(exact).map((all) => brokenOf('market-scaled', dataset, all)),
  ];
}

const byFactor = (found: readonly Scaled[]) => [
  ...groupBy(found, ({ country, factor }) => `${country}\0${factor.toFixed(4)}`).values(),
];

function brokenOf(
  relation: BrokenOfKind['relation'],
  dataset: MarketDataset,
  all: readonly [Scaled, ...Scaled[]],
): BrokenOfKind {
  const [{ country, factor, exactly }] = all;
  const years = [...new Set(all.flatMap((one) => one.years))].sort((a, b) => a - b);
  const places = all.map(({ place }) => place).sort();
  const after = relation === 'market-scaled' ? (exactly ?? factor) : factor;
  return { relation, dataset, country, places, currency: null, share: null, years, before: 1, after };
}

/** The reported figures that moved by 0.5 to 10 %, by market. */
export interface ReportedMoves {
  /** The rows of the earlier side with figures that could have moved so. */
  readonly reported: () => Int32Array;
  /** The markets of countries. */
  readonly groups: Groups;
  readonly figures: readonly (readonly MovedFigure[])[];
}

export function reportedMoves(matched: Matched): ReportedMoves {
  const { codes, changed, before } = matched;
  const groups = new Groups(codes, ['country', ...MARKET]);
  const [wasReported, isReported] = [reportedIn(matched, 'before'), reportedIn(matched, 'after')];
  const [olds, news] = [before.values(0), matched.after.values(0)];
  const forecasts = matched.flags.before.forecast;
  const figures: MovedFigure[][] = [];
  for (let i = 0; i < changed.count; i += 1) {
    const [row, now] = [changed.before[i] as number, changed.after[i] as number];
    // Most changes of most months are of forecasts.
    if (row < 0 || now < 0 || forecasts[row] === 1) continue;
    const [old, fresh] = [olds[row] as number, news[now] as number];
    if (!(old >= LEAST_FIGURE && isMoved(fresh / old)) || !wasReported(row) || !isReported(now)) continue;
    const group = groups.add(before, row);
    const ofGroup = figures[group];
    const figure = { row, old, fresh, ratio: fresh / old };
    if (ofGroup === undefined) figures[group] = [figure];
    else ofGroup.push(figure);
  }
  let reported: Int32Array | null = null;
  return { groups, figures, reported: () => (reported ??= reportedRows(matched)) };
}

/** The rows of the earlier side with reported figures that count in their country and are large enough. */
function reportedRows(matched: Matched): Int32Array {
  const { before, flags } = matched;
  const [list, values, forecasts] = [new Int32Array(before.count), before.values(0), flags.before.forecast];
  let count = 0;
  for (let row = 0; row < list.length; row += 1) {
    list[count] = row;
    if (forecasts[row] === 0 && (values[row] as number) >= LEAST_FIGURE) count += 1;
  }
  return rowsWhere(list.subarray(0, count), isCountedOnce(before, matched.stateRows.before));
}

/** The markets of which most reported figures moved by one factor. */
function scaledOf(matched: Matched, { groups, figures, reported }: ReportedMoves): readonly Scaled[] {
  const { codes, before } = matched;
  const alike = figures.map((all) => {
    const some = all.length < FEWEST_FIGURES ? [] : ofOneFactor(all);
    return some.length < FEWEST_FIGURES ? [] : some;
  });
  if (alike.every(({ length }) => length === 0)) return [];
  const counts = new Int32Array(groups.count);
  const countries = before.codes('country');
  const isWanted = new Uint8Array(codes.size('country'));
  for (const [first] of alike) if (first !== undefined) isWanted[countries[first.row] as number] = 1;
  const wanted = rowsWhere(reported(), (row) => isWanted[countries[row] as number] === 1);
  for (const group of groups.ofRows(before, wanted))
    if (group !== NO_GROUP) counts[group] = (counts[group] as number) + 1;
  const yearOf = ({ row }: MovedFigure) => Number(codes.valueOf('year', before.code('year', row)));
  return alike.flatMap((all, group): Scaled[] => {
    const [first] = all;
    const years = [...new Set(all.map(yearOf))];
    const isWide = all.length >= Math.max(FEWEST_FIGURES, SCALED_SHARE_OF_MARKET * (counts[group] as number));
    if (first === undefined || !isWide || years.length < FEWEST_YEARS) return [];
    const country = String(codes.valueOf('country', before.code('country', first.row)));
    const factor = middle(all.map(({ ratio }) => ratio));
    const exactly = exactFactor(all, SCALED_SHARE_OF_MARKET * (counts[group] as number));
    const place = partName(matched, before, first.row, MARKET);
    return [{ country, place, years, factor, exactly, row: first.row, figures: all.length }];
  });
}

/** Gives a function that says whether the dataset has the figures of a market, and most of them stayed. */
function staying(matched: Matched, found: readonly Scaled[]): (one: Scaled) => boolean {
  const { codes, changed, before, after } = matched;
  const countries = new Set(found.map(({ country }) => country));
  const isWanted = codes.flags('country', (country) => countries.has(String(country)));
  const isReported = reportedIn(matched, 'before');
  const [rowCountries, values] = [before.codes('country'), before.values(0)];
  const isFigure = (row: number) =>
    isWanted[rowCountries[row] as number] === true &&
    (values[row] as number) >= LEAST_FIGURE &&
    isReported(row);
  const groups = new Groups(codes, ['country', ...MARKET]);
  const figures: { readonly row: number; count: number; readonly ratios: number[] }[] = [];
  for (let row = 0; row < before.count; row += 1) {
    if (!isFigure(row)) continue;
    const group = groups.add(before, row);
    const ofGroup = figures[group];
    if (ofGroup === undefined) figures[group] = { row, count: 1, ratios: [] };
    else ofGroup.count += 1;
  }
  for (let i = 0; i < changed.count; i += 1) {
    const [row, now] = [changed.before[i] as number, changed.after[i] as number];
    if (row < 0 || !isFigure(row)) continue;
    const ratio = now < 0 ? Number.POSITIVE_INFINITY : after.value(0, now) / (values[row] as number);
    figures[groups.at(before, row)]?.ratios.push(ratio);
  }
  const byMarket = new Map(
    figures.map((all) => {
      const country = codes.valueOf('country', rowCountries[all.row] as number);
      return [`${country}\0${partName(matched, before, all.row, MARKET)}`, all] as const;
    }),
  );
  return ({ country, place, factor }) => {
    const { count = 0, ratios = [] } = byMarket.get(`${country}\0${place}`) ?? {};
    const moved = ratios.filter((ratio) => !(Math.abs((ratio - 1) / (factor - 1)) <= STAYED)).length;
    return count >= FEWEST_FIGURES && moved < count / 2;
  };
}

/** Tells whether a row of a side is a reported figure that counts in its country. */
export function reportedIn(
  { flags, stateRows, ...matched }: Matched,
  side: SideName,
): (row: number) => boolean {
  const isCounted = isCountedOnce(matched[side], stateRows[side]);
  return (row) => flags[side].forecast[row] === 0 && isCounted(row);
}

// Finds markets whose reported figures of one dataset moved by one factor, while the same figures of the other dataset stayed.

import { ascending } from '../../../src/ascending.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import { isCountedOnce } from '../countrySums.ts';
import { Groups } from '../rows/groups.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { type CountedPart, partCounts } from '../rows/partCounts.ts';
import type { SideName } from '../side.ts';
import type { MarketDataset } from './amounts.ts';
import { exactFactor, inStillCountries, type MovedFigure, type Scaled } from './exactFactors.ts';
import { type BrokenOfKind, brokenOf, LEVELS, MARKETS, partName } from './relationLevels.ts';
import { FEWEST_YEARS, LEAST_FIGURE, MOVED_SHARE, ofOneFactor, STAYED } from './scaledReported.ts';

/** The number of figures that must have the factor. Fewer, in two years and currencies, may have it because of one revision. */
const FEWEST_FIGURES = 6;

/**
 * A market that moved by at least this is reported for any factor, not only for an exact one. Honest revisions move a market by
 * up to 10 %.
 */
const LARGE_MOVE = 0.11;

const mayBeScaled = (ratio: number): boolean => Math.abs(ratio - 1) >= MOVED_SHARE && ratio > 0;

/** The share of a market's figures that must have the factor. Some may be revised in the same month. */
export const SCALED_SHARE_OF_MARKET = 0.8;

/** The dimensions of a market, beside its country. */
export const MARKET: readonly DimensionName[] = LEVELS[MARKETS] ?? [];

/**
 * The markets of which most reported figures of a dataset moved by one factor, while those of the other dataset stayed; and
 * those that were multiplied by an exact factor, moved by 11 % or more, or moved by the factor of another market of the country.
 * Honest revisions of a market move its ggr and its turnover, by a factor of its own.
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
  const several = new Set(byFactor(found).flatMap((all) => (all.length > 1 ? all : [])));
  const isTold = (one: Scaled) =>
    one.exactly !== null || Math.abs(one.factor - 1) >= LARGE_MOVE || several.has(one);
  const together = inStillCountries(
    matched,
    found.filter((one) => isTold(one) && !alone.includes(one)),
    reportedIn(matched, 'before'),
  );
  const isExact = ({ exactly }: Scaled) => exactly !== null;
  return [
    ...byFactor(alone).map((all) => scaledBroken('dataset-scaled', dataset, all)),
    ...byFactor(together.filter(isExact)).map((all) => scaledBroken('market-scaled', dataset, all)),
    ...byFactor(together.filter((one) => !isExact(one))).map((all) =>
      scaledBroken('market-moved', dataset, all),
    ),
  ];
}

const byFactor = (found: readonly Scaled[]) => [
  ...groupBy(found, ({ country, factor }) => `${country}\0${factor.toFixed(4)}`).values(),
];

function scaledBroken(
  relation: BrokenOfKind['relation'],
  dataset: MarketDataset,
  all: readonly [Scaled, ...Scaled[]],
): BrokenOfKind {
  const [{ country, factor, exactly }] = all;
  const years = ascending(all.flatMap((one) => one.years));
  const places = all.map(({ place }) => place).sort();
  const after = relation === 'market-scaled' ? (exactly ?? factor) : factor;
  return brokenOf({ relation, dataset, country, places, years, after });
}

/** The reported figures that moved by 0.5 % or more, by market. */
export interface ReportedMoves {
  /** Whether a row of the earlier side is a figure that could have moved so. */
  readonly isFigure: (row: number) => boolean;
  readonly figures: readonly (readonly MovedFigure[])[];
}

/** Collects the reported figures that moved by 0.5 to 25 %, by market. */
export function reportedMoves(matched: Matched): ReportedMoves {
  const { codes, changed, before } = matched;
  const groups = new Groups(codes, ['country', ...MARKET]);
  const [wasReported, isReported] = [reportedIn(matched, 'before'), reportedIn(matched, 'after')];
  const [olds, news] = [before.values(0), matched.after.values(0)];
  const forecasts = matched.flags.before.forecast;
  const figures: MovedFigure[] = [];
  for (let i = 0; i < changed.count; i += 1) {
    const row = changed.before[i] as number;
    const now = changed.after[i] as number;
    // Forecasts are left out first, because they are most of the changes.
    if (row < 0 || now < 0 || forecasts[row] === 1) continue;
    const old = olds[row] as number;
    const fresh = news[now] as number;
    if (!(old >= LEAST_FIGURE && mayBeScaled(fresh / old)) || !wasReported(row) || !isReported(now)) continue;
    figures.push({ row, old, fresh, ratio: fresh / old });
  }
  const isFigure = (row: number) => (olds[row] as number) >= LEAST_FIGURE && wasReported(row);
  const byMarket = groupBy(figures, ({ row }) => groups.add(before, row));
  return { figures: [...byMarket.values()], isFigure };
}

/** The markets of which most reported figures moved by one factor. */
function scaledOf(matched: Matched, { figures, isFigure }: ReportedMoves): readonly Scaled[] {
  const { codes, before } = matched;
  const alike = figures.flatMap((all) => alikeIn(all) ?? []);
  const counts = countsOf(matched, ['country', ...MARKET], alike, isFigure);
  const yearOf = ({ row }: MovedFigure) => codes.yearOf(before, row);
  return alike.flatMap(({ all, first }, i): Scaled[] => {
    const years = [...new Set(all.map(yearOf))];
    const fewest = SCALED_SHARE_OF_MARKET * (counts[i] as number);
    if (all.length < fewest || years.length < FEWEST_YEARS) return [];
    const country = codes.countryOf(before, first.row);
    const factor = upperMedian(all.map(({ ratio }) => ratio));
    const place = partName(matched, before, first.row, MARKET);
    const exactly = exactFactor(all, fewest);
    return [{ country, place, years, factor, exactly, row: first.row, figures: all.length }];
  });
}

/** The figures of a market that moved by one factor. */
export interface AlikeFigures<Figure extends MovedFigure> {
  readonly all: readonly Figure[];
  readonly first: Figure;
}

/** The largest group of a market's figures that moved by one factor; null where it is small. */
export function alikeIn<Figure extends MovedFigure>(figures: readonly Figure[]): AlikeFigures<Figure> | null {
  const all = figures.length < FEWEST_FIGURES ? [] : ofOneFactor(figures);
  const [first] = all;
  return first === undefined || all.length < FEWEST_FIGURES ? null : { all, first };
}

/** The number of figures of each market. Counting ends as soon as a market has too many for its group to be most of them. */
export function countsOf(
  { codes, before }: Matched,
  market: readonly DimensionName[],
  alike: readonly AlikeFigures<MovedFigure>[],
  isFigure: (row: number) => boolean,
): readonly number[] {
  const parts = alike.map(({ all, first }): CountedPart => {
    return { row: [before, first.row], most: Math.ceil(all.length / SCALED_SHARE_OF_MARKET) };
  });
  return partCounts(codes, before, market, parts, isFigure);
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
    const row = changed.before[i] as number;
    const now = changed.after[i] as number;
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
function reportedIn({ flags, stateRows, ...matched }: Matched, side: SideName): (row: number) => boolean {
  const isCounted = isCountedOnce(matched[side], stateRows[side]);
  return (row) => flags[side].forecast[row] === 0 && isCounted(row);
}

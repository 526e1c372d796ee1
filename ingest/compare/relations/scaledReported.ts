// Finds countries whose reported figures moved by one factor, while their forecasts or the other dataset stayed.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { upperMedian } from '../../../src/medians.ts';
import { SUSPICIOUS_MOVE } from '../revision.ts';
import { type AmountKey, yearOf } from './amountKeys.ts';
import { type MarketDataset, NO_AMOUNTS, ratios } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';

/** A smaller factor may be an ordinary revision. */
export const MOVED_SHARE = 0.005;

/** Ratios that differ by less than this share are the same. Honest revisions of two years do not agree to so many digits. */
const ALIKE_SHARE = 1e-4;

/** Rounding moves the ratio of figures of this size by less than `ALIKE_SHARE`. Smaller ones are not compared. */
export const LEAST_FIGURE = 100_000;

/** The share of a country's figures that must have the factor. Some may be revised in the same month. */
const SCALED_SHARE = 0.7;

/** With fewer years, markets or figures, one cause may rightly move all of them by one factor. */
export const FEWEST_YEARS = 3;
const FEWEST_MARKETS = 2;
const FEWEST_FIGURES = 12;

/** A figure stayed when it moved by at most this share of the factor. Honest forecasts move by a factor of their own. */
export const STAYED = 0.02;

/** The figure of a market, and the quotient of both sides. */
interface Figure {
  readonly place: string;
  readonly key: AmountKey;
  readonly ratio: number;
}

/**
 * Finds the countries in which most reported figures of a dataset moved by one factor, while forecasts or the other dataset
 * stayed. A source that revises its whole history moves forecasts and the other dataset, too.
 */
export function scaledReported(amounts: CollectedAmounts): BrokenOfKind[] {
  const { changed, keys } = amounts;
  return changed.flatMap((dataset) => {
    const before = amounts.totals(dataset, 'before');
    const ratioOf = ratios(before, amounts.totals(dataset, 'after'));
    const forecastMoves = movesOfForecasts(amounts, dataset);
    const moved = [...before.keys()].filter((key) => isMoved(ratioOf(key)));
    return [...groupBy(moved, (key) => keys.countryOf(key))].flatMap(([country, own]) => {
      if (own.length < FEWEST_YEARS) return [];
      const areForecastsStill = stayed(forecastMoves(country), upperMedian(own.map(ratioOf)));
      if (!areForecastsStill && !mayHaveStayed(amounts, dataset, own)) return [];
      const figures = figuresOf(amounts, dataset, country, own);
      const scaled = scaledAmong(figures);
      const factor = upperMedian(scaled.map(({ ratio }) => ratio));
      const isAlone = areForecastsStill || stayed(besides(amounts, dataset, scaled), factor);
      if (scaled.length === 0 || !isAlone) return [];
      const relation = areForecastsStill ? 'reported-scaled' : 'dataset-scaled';
      const share = scaled.length / figures.length;
      return [brokenOf({ relation, dataset, country, share, years: yearsOf(scaled), after: factor })];
    });
  });
}

/**
 * The figures of a country's markets that are large enough to compare.
 *
 * @param own The keys of totals of the country.
 */
function figuresOf(
  amounts: CollectedAmounts,
  dataset: MarketDataset,
  country: string,
  own: readonly number[],
): readonly Figure[] {
  // To look up a key in a set is faster than to find out its country.
  const known = new Set(own);
  const { keys } = amounts;
  const [olds, news] = [amounts.markets(dataset, 'before'), amounts.markets(dataset, 'after')];
  return [...olds].flatMap(([place, ofPlace]): Figure[] => {
    const ratioOf = ratios(ofPlace, news.get(place) ?? NO_AMOUNTS);
    return [...ofPlace].flatMap(([key, old]) =>
      old >= LEAST_FIGURE && (known.has(key) || keys.countryOf(key) === country)
        ? [{ place, key, ratio: ratioOf(key) }]
        : [],
    );
  });
}

/** The figures that moved by one factor; empty when these are too few, or of too few years or markets. */
function scaledAmong(figures: readonly Figure[]): readonly Figure[] {
  const scaled = ofOneFactor(figures).filter(({ ratio }) => isMoved(ratio));
  const areMany = scaled.length >= Math.max(FEWEST_FIGURES, SCALED_SHARE * figures.length);
  const areWide =
    yearsOf(scaled).length >= FEWEST_YEARS &&
    new Set(scaled.map(({ place }) => place)).size >= FEWEST_MARKETS;
  return areMany && areWide ? scaled : [];
}

const yearsOf = (figures: readonly Figure[]): readonly number[] =>
  ascending(figures.map(({ key }) => yearOf(key)));

/** Whether a figure moved by more than ordinary revisions, and by less than the moves that are found one by one. */
export const isMoved = (ratio: number): boolean =>
  Math.abs(ratio - 1) >= MOVED_SHARE && Math.abs(ratio - 1) < SUSPICIOUS_MOVE;

/** The other dataset with figures of markets. */
export const otherOf = (dataset: MarketDataset): MarketDataset => (dataset === 'ggr' ? 'turnover' : 'ggr');

/** Gives a function that returns how a country's forecasts moved. Its first call groups the forecasts of all countries. */
function movesOfForecasts(amounts: CollectedAmounts, dataset: MarketDataset) {
  let byCountry: ReadonlyMap<string, readonly number[]> | null = null;
  return (country: string): readonly number[] => {
    const before = amounts.otherTotals(dataset, 'before');
    byCountry ??= groupBy([...before.keys()], (key) => amounts.keys.countryOf(key));
    return (byCountry.get(country) ?? []).map(ratios(before, amounts.otherTotals(dataset, 'after')));
  };
}

/** Whether the other dataset has a country's figures, and some total of them did not move as these did. */
function mayHaveStayed(amounts: CollectedAmounts, dataset: MarketDataset, own: readonly number[]) {
  const [ratioOf, ratioBeside] = [dataset, otherOf(dataset)].map((one) =>
    ratios(amounts.totals(one, 'before'), amounts.totals(one, 'after')),
  ) as [(key: AmountKey) => number, (key: AmountKey) => number];
  return own.some((key) => Math.abs((ratioBeside(key) - 1) / (ratioOf(key) - 1)) < 0.5);
}

/** How the same figures of the other dataset moved. */
function besides(amounts: CollectedAmounts, dataset: MarketDataset, figures: readonly Figure[]) {
  const other = otherOf(dataset);
  const [olds, news] = [amounts.markets(other, 'before'), amounts.markets(other, 'after')];
  return figures.map(({ place, key }) =>
    ratios(olds.get(place) ?? NO_AMOUNTS, news.get(place) ?? NO_AMOUNTS)(key),
  );
}

/** Whether most of these figures moved by a small part of the factor at most. */
function stayed(all: readonly number[], factor: number): boolean {
  const known = all.filter((ratio) => !Number.isNaN(ratio));
  const still = known.filter((ratio) => Math.abs((ratio - 1) / (factor - 1)) <= STAYED);
  return known.length >= FEWEST_YEARS && still.length > known.length / 2;
}

/** The largest group of figures that moved by one factor. */
export function ofOneFactor<T extends { readonly ratio: number }>(figures: readonly T[]): readonly T[] {
  const sorted = figures.filter(({ ratio }) => ratio > 0).sort((a, b) => a.ratio - b.ratio);
  let [from, most, at] = [0, 0, 0];
  for (const [to, { ratio }] of sorted.entries()) {
    while ((sorted[from]?.ratio ?? ratio) < ratio * (1 - ALIKE_SHARE)) from += 1;
    if (to + 1 - from <= most) continue;
    [most, at] = [to + 1 - from, from];
  }
  return sorted.slice(at, at + most);
}

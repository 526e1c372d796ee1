// Finds figures that stayed when others moved by one factor, although an honest revision would have moved them, too.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { MARKET, partName } from '../rows/countryParts.ts';
import { GroupNumbers } from '../rows/groupNumbers.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import { moveSize } from './commonFactor.ts';
import {
  type FigureMove,
  FORECASTS,
  figureTest,
  type MovedFigures,
  movesOfCountry,
  type OneFactorFinding,
  REPORTED,
  type RowsOfKind,
} from './movedFigures.ts';

/** The figures with which the findings of a scope are compared. Each function gives those of one country, moved or not. */
export interface FiguresToCompare {
  readonly figures: MovedFigures;
  readonly findings: (country: string) => readonly OneFactorFinding[];
  /** The figures of the country's part to which a row belongs. */
  readonly part: (country: string, row: number) => readonly FigureMove[];
  /** The figures that are in no finding of the scope. */
  readonly outsideFindings: (country: string) => readonly FigureMove[];
  readonly forecasts: (country: string) => readonly FigureMove[];
  readonly reported: (country: string) => readonly FigureMove[];
  /**
   * The reported figures of the other dataset of markets: turnover for ggr, and ggr for turnover. The key is
   * `market\0year`.
   */
  readonly counterparts: (country: string) => ReadonlyMap<string, readonly FigureMove[]>;
}

/**
 * Collects the figures of a country when they are first needed, and stores only those of the last country.
 *
 * @param other The other dataset of markets; null where there is none.
 * @param dimensions The dimensions that distinguish the parts of a country.
 */
export function figuresToCompare(
  figures: MovedFigures,
  other: MatchedRows | null,
  dimensions: readonly DimensionName[],
  found: readonly OneFactorFinding[],
): FiguresToCompare {
  const { matched, metric } = figures;
  const groups = new GroupNumbers(matched.codes, ['country', ...dimensions]);
  const groupOf = (row: number) => groups.add(matched.before, row);
  const byCountry = groupBy(found, ({ country }) => country);
  const foundIn = (country: string) => byCountry.get(country) ?? [];
  const figuresOfCountry = cachedForCountry((country) => movesOfCountry(figures, country, figures.isFigure));
  const parts = cachedForCountry((country) => groupBy(figuresOfCountry(country), ({ row }) => groupOf(row)));
  const ofKind = (kind: RowsOfKind) =>
    cachedForCountry((country) => movesOfCountry(figures, country, figureTest(matched, metric, kind)));
  return {
    figures,
    findings: foundIn,
    part: (country, row) => parts(country).get(groupOf(row)) ?? [],
    outsideFindings: cachedForCountry((country) => {
      const rows = new Set(foundIn(country).flatMap((one) => one.figures.map(({ row }) => row)));
      return figuresOfCountry(country).filter(({ row }) => !rows.has(row));
    }),
    forecasts: ofKind(FORECASTS),
    reported: ofKind(REPORTED),
    counterparts: cachedForCountry((country) => {
      if (other === null) return new Map();
      const { codes, before } = other;
      const moves = movesOfCountry({ matched: other, metric: 0 }, country, figureTest(other, 0, REPORTED));
      return groupBy(moves, ({ row }) =>
        counterpartKey(partName(other, before, row, MARKET), codes.yearOf(before, row)),
      );
    }),
  };
}

const counterpartKey = (market: string, year: number) => `${market}\0${year}`;

/** Remembers the last result of a function of a country. */
function cachedForCountry<Result>(make: (country: string) => Result): (country: string) => Result {
  let last: { readonly country: string; readonly result: Result } | null = null;
  return (country) => {
    if (last?.country !== country) last = { country, result: make(country) };
    return last.result;
  };
}

/**
 * A figure stayed if it moved by at most this share of the factor's move. Honest forecasts move by a factor of their own.
 */
const STAYED_SHARE = 0.02;

/** With fewer figures, it is unknown whether they stayed. */
const FEWEST_STAYED = 3;

/** The year before or after stayed if at most this share of its figures did not. */
const MOST_MOVED_BESIDE = 0.2;

/** A figure of the year before or after stayed if it moved by at most this share of the factor's move. */
const STAYED_SHARE_BESIDE = 0.2;

/** Amounts in other currencies follow the factor when they differ from it by at most this share. */
const FOLLOWING_SHARE = 0.03;

/** Whether the forecasts of the country stayed. */
export const forecastsStayed = (
  { country, factor }: OneFactorFinding,
  toCompare: FiguresToCompare,
): boolean => mostStayed(toCompare.forecasts(country), factor);

/**
 * Whether the figures of the other dataset stayed in the same years, and in the same market if the finding is about a
 * market.
 */
export function otherDatasetStayed(
  { country, place, years, factor }: OneFactorFinding,
  toCompare: FiguresToCompare,
): boolean {
  const all = toCompare.counterparts(country);
  const moves =
    place === ''
      ? [...all].flatMap(([key, own]) => (years.some((year) => key.endsWith(`\0${year}`)) ? own : []))
      : years.flatMap((year) => all.get(counterpartKey(place, year)) ?? []);
  return mostStayed(moves, factor);
}

/**
 * Whether less than half of the country's other figures moved. Where more did, the whole country was revised. Figures that
 * are gone do not count, because they may have been merged into others.
 */
export function othersStayed({ country }: OneFactorFinding, toCompare: FiguresToCompare): boolean {
  const others = toCompare.outsideFindings(country).filter(({ ratio }) => !Number.isNaN(ratio));
  return 2 * others.filter(({ ratio }) => ratio !== 1).length < others.length;
}

/** Whether the years before and after each year have figures, and these stayed. */
export function yearsBesideStayed(found: OneFactorFinding, toCompare: FiguresToCompare): boolean {
  const byYear = figuresByYear(found, toCompare);
  return found.years.every((year) =>
    [year - 1, year + 1].every((next) => {
      const own = byYear.get(next) ?? [];
      const far = own.filter(({ ratio }) => moveSize(ratio) > STAYED_SHARE_BESIDE * moveSize(found.factor));
      return own.length > 0 && far.length <= MOST_MOVED_BESIDE * own.length;
    }),
  );
}

/** Whether each year has a year before or after it with figures of the same part, and all these figures stayed. */
export function knownYearsBesideStayed(found: OneFactorFinding, toCompare: FiguresToCompare): boolean {
  const byYear = figuresByYear(found, toCompare);
  return found.years.every((year) => {
    const near = [year - 1, year + 1].flatMap((next) => byYear.get(next) ?? []);
    return (
      near.length > 0 &&
      near.every(({ ratio }) => moveSize(ratio) <= STAYED_SHARE_BESIDE * moveSize(found.factor))
    );
  });
}

/** The figures of a finding's part by year, moved or not. */
function figuresByYear(
  { country, figures: [{ row: first }] }: OneFactorFinding,
  { figures, part }: FiguresToCompare,
) {
  const { codes, before } = figures.matched;
  return groupBy(part(country, first), ({ row }) => codes.yearOf(before, row));
}

/** Whether the nation's figures moved by less than half of the amounts by which the same figures of the state moved. */
export function nationStayed(
  { figures }: OneFactorFinding,
  { figures: { matched, metric } }: FiguresToCompare,
): boolean {
  const { before, after, nationRowOf } = matched;
  return figures.every(({ row, now, old, fresh }) => {
    const nation = nationRowOf.before?.[row] ?? NO_ROW;
    const nationNow = nationRowOf.after?.[now] ?? NO_ROW;
    const moved = Math.abs(after.value(metric, nationNow) - before.value(metric, nation));
    return moved < Math.abs(fresh - old) / 2;
  });
}

/** Whether the country's forecasts in all currencies moved by about the factor. */
export const otherCurrenciesFollow = (
  { country, factor }: OneFactorFinding,
  toCompare: FiguresToCompare,
): boolean =>
  toCompare.forecasts(country).every(({ ratio }) => Math.abs(ratio / factor - 1) <= FOLLOWING_SHARE);

/**
 * Whether the last reported year stayed: fewer than half of its figures moved by half of the factor's move or more.
 * Forecasts start from that year.
 */
export function lastReportStayed(
  { country, years, factor }: OneFactorFinding,
  toCompare: FiguresToCompare,
): boolean {
  const { codes, before } = toCompare.figures.matched;
  const last = Math.min(...years) - 1;
  const reports = toCompare.reported(country).filter(({ row }) => codes.yearOf(before, row) === last);
  const followed = reports.filter(({ ratio }) => (ratio - 1) / (factor - 1) >= 0.5);
  return reports.length === 0 || 2 * followed.length < reports.length;
}

function mostStayed(moves: readonly FigureMove[], factor: number): boolean {
  const stayed = moves.filter(({ ratio }) => Math.abs((ratio - 1) / (factor - 1)) <= STAYED_SHARE);
  return moves.length >= FEWEST_STAYED && 2 * stayed.length > moves.length;
}

// What did not move with figures that moved by one factor, though an honest revision would have moved it.

import { MARKET, partName } from '../rows/countryParts.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import { moveOf } from './commonFactor.ts';
import { type Figures, FORECASTS, figureTest, type Move, movesIn, REPORTED } from './figures.ts';
import type { Found } from './found.ts';

/** What lies beside a finding. */
export interface Beside {
  readonly figures: Figures;
  /** The rows of turnover for ggr, and of ggr for turnover; null where the month has none. */
  readonly other: Matched | null;
  /** All that the scope finds in the same country. */
  readonly inCountry: readonly Found[];
}

/** A figure stayed when it moved by at most this share of the factor. Honest forecasts move by a factor of their own. */
const STAYED = 0.02;

/** With fewer figures, it is unknown whether they stayed. */
const FEWEST_STAYED = 3;

/** The years beside a year stayed when most of their figures moved by at most this share of its move. */
const STAYED_BESIDE = 0.2;
const SHARE_STAYED_BESIDE = 0.8;

/** Amounts in other currencies follow the factor when they differ from it by at most this share. */
const FOLLOWS = 0.03;

/** Whether the forecasts of the country stayed. */
export const forecastsStayed = ({ country, factor }: Found, { figures }: Beside): boolean => {
  const isForecast = figureTest(figures.matched, figures.metric, FORECASTS);
  return mostStayed(movesIn(figures, country, isForecast), factor);
};

/** Whether the same figures of the other dataset stayed. */
export function otherDatasetStayed({ country, place, years, factor }: Found, { other }: Beside): boolean {
  if (other === null) return false;
  const { codes, before } = other;
  const isReported = figureTest(other, 0, REPORTED);
  const isSame = (row: number) =>
    isReported(row) &&
    years.includes(codes.yearOf(before, row)) &&
    (place === '' || partName(other, before, row, MARKET) === place);
  return mostStayed(movesIn({ matched: other, metric: 0 }, country, isSame), factor);
}

/** Whether less than half of the country's other figures moved. Where more did, the whole country was revised. */
export function othersStayed({ country }: Found, { figures, inCountry }: Beside): boolean {
  const own = new Set(inCountry.flatMap((one) => one.figures.map(({ row }) => row)));
  const others = movesIn(figures, country, (row) => figures.isFigure(row) && !own.has(row));
  return 2 * others.filter(({ ratio }) => ratio !== 1).length < others.length;
}

/** Whether the years before and after each year have figures, and these stayed. */
export function yearsBesideStayed(
  { country, years, factor, isIn }: Found,
  { figures: { matched, isFigure, ...rest } }: Beside,
): boolean {
  const yearOf = (row: number) => matched.codes.yearOf(matched.before, row);
  const all = movesIn({ matched, ...rest }, country, (row) => isFigure(row) && isIn(row));
  return years.every((year) =>
    [year - 1, year + 1].every((beside) => {
      const own = all.filter(({ row }) => yearOf(row) === beside);
      const far = own.filter(({ ratio }) => moveOf(ratio) > STAYED_BESIDE * moveOf(factor));
      return own.length > 0 && far.length <= (1 - SHARE_STAYED_BESIDE) * own.length;
    }),
  );
}

/** Whether the same figures of the nation moved by less than half of what those of the state did. */
export function nationStayed({ figures }: Found, { figures: { matched, metric } }: Beside): boolean {
  const { before, after, stateRows } = matched;
  return figures.every(({ row, now, old, fresh }) => {
    const nation = stateRows.before?.wholeOf[row] ?? NO_ROW;
    const nationNow = stateRows.after?.wholeOf[now] ?? NO_ROW;
    const moved = Math.abs(after.value(metric, nationNow) - before.value(metric, nation));
    return moved < Math.abs(fresh - old) / 2;
  });
}

/** Whether the country's forecasts in all currencies moved by about the factor. */
export const otherCurrenciesFollow = ({ country, factor }: Found, { figures }: Beside): boolean =>
  movesIn(figures, country, figures.isFigure).every(({ ratio }) => Math.abs(ratio / factor - 1) <= FOLLOWS);

/** Whether less than half of the figures of the last reported year moved by a good part of the factor, which forecasts begin with. */
export function lastReportStayed({ country, years, factor }: Found, { figures }: Beside): boolean {
  const { matched, metric } = figures;
  const isReported = figureTest(matched, metric, REPORTED);
  const last = Math.min(...years) - 1;
  const reports = movesIn(
    figures,
    country,
    (row) => isReported(row) && matched.codes.yearOf(matched.before, row) === last,
  );
  const followed = reports.filter(({ ratio }) => (ratio - 1) / (factor - 1) >= 0.5);
  return reports.length === 0 || 2 * followed.length < reports.length;
}

function mostStayed(moves: readonly Move[], factor: number): boolean {
  const stayed = moves.filter(({ ratio }) => Math.abs((ratio - 1) / (factor - 1)) <= STAYED);
  return moves.length >= FEWEST_STAYED && 2 * stayed.length > moves.length;
}

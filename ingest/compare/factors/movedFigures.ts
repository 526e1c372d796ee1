// Collects the figures that moved, of the kinds in which a common factor is searched for. Defines what the search finds.

import { metricUnit } from '../../../src/catalog/datasets.ts';
import { countedOnceTest } from '../countrySums.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { firstRowFrom, firstWhere } from '../rows/rowLists.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import type { SideName } from '../side.ts';
import type { MovedFigure } from './commonFactor.ts';

/** A figure that moved. */
export interface MovedRow extends MovedFigure {
  /** The row on the earlier side. */
  readonly row: number;
  /** The row on the later side. */
  readonly now: number;
}

/** The figures of one kind and metric. */
export interface MovedFigures {
  readonly matched: MatchedRows;
  readonly metric: number;
  /** Whether a row of the earlier side has a figure of this kind and metric. */
  readonly isFigure: (row: number) => boolean;
  /** The figures that moved, in row order. */
  readonly moved: readonly MovedRow[];
}

/** Smaller figures are not compared, because rounding moves their ratios too far. */
const LEAST_FIGURE = 100_000;

/** Smaller forecasts are not compared. The ratios of forecasts may differ by more. */
const LEAST_FORECAST = 1000;

/** The kinds of figures in which a factor is searched for. */
export type FigureSet = 'reported' | 'states' | 'forecasts' | 'indicators' | 'indicatorForecasts';

/** The rows that have figures of a kind. */
export interface RowsOfKind {
  readonly forecast: boolean;
  readonly ofStates: boolean;
}

export const REPORTED: RowsOfKind = { forecast: false, ofStates: false };
export const FORECASTS: RowsOfKind = { forecast: true, ofStates: false };

const ROWS_OF_SET: Readonly<Record<FigureSet, RowsOfKind>> = {
  reported: REPORTED,
  states: { forecast: false, ofStates: true },
  forecasts: FORECASTS,
  indicators: REPORTED,
  indicatorForecasts: FORECASTS,
};

/**
 * The figures of each metric of a dataset.
 *
 * @param leastMove Figures that moved by a smaller share are left out of `moved`.
 */
export const figuresOf = (
  matched: MatchedRows,
  figureSet: FigureSet,
  leastMove: number,
): readonly MovedFigures[] =>
  matched.metrics.flatMap((metric, index) => {
    // Mistakes multiply amounts, not percentages.
    if (metricUnit(matched.codes.dataset, metric) === 'percent') return [];
    // Forecasts of GDP in USD move by one factor where a rate does. Another relation compares them with the rates.
    if (figureSet === 'indicatorForecasts' && metric === 'gdp_usd') return [];
    if (figureSet === 'states' && matched.nationRowOf.before === null) return [];
    return [figuresIn(matched, index, ROWS_OF_SET[figureSet], leastMove)];
  });

const leastOf = ({ codes }: MatchedRows, { forecast }: RowsOfKind): number => {
  if (codes.dataset === 'country') return Number.MIN_VALUE;
  return forecast ? LEAST_FORECAST : LEAST_FIGURE;
};

/** Tells whether a row of the earlier side has a figure of a kind. */
export function figureTest(matched: MatchedRows, metric: number, kind: RowsOfKind): (row: number) => boolean {
  const [values, forecasts, least] = [
    matched.before.values(metric),
    matched.flags.before.forecast,
    leastOf(matched, kind),
  ];
  const forecast = Number(kind.forecast);
  const isCounted = countedIn(matched, 'before', kind);
  return (row) => forecasts[row] === forecast && (values[row] as number) >= least && isCounted(row);
}

function figuresIn(matched: MatchedRows, metric: number, kind: RowsOfKind, leastMove: number): MovedFigures {
  const { changed, before, after, flags } = matched;
  const [olds, news] = [before.values(metric), after.values(metric)];
  const isForecast = flags.before.forecast;
  const forecast = Number(kind.forecast);
  const [wasCounted, isCounted] = [countedIn(matched, 'before', kind), countedIn(matched, 'after', kind)];
  const least = leastOf(matched, kind);
  const moved: MovedRow[] = [];
  for (let i = 0; i < changed.count; i += 1) {
    const row = changed.before[i] as number;
    const now = changed.after[i] as number;
    // Leaves out rows that only one side has, and forecasts or reported figures where the other ones are wanted.
    if (row < 0 || now < 0 || isForecast[row] !== forecast) continue;
    const [old, fresh] = [olds[row] as number, news[now] as number];
    const ratio = fresh / old;
    if (!(old >= least && ratio > 0 && Math.abs(ratio - 1) >= leastMove)) continue;
    if (wasCounted(row) && isCounted(now)) moved.push({ row, now, old, fresh, ratio });
  }
  return { matched, metric, isFigure: figureTest(matched, metric, kind), moved };
}

/**
 * Tells whether a row of a side counts in its country's total. For figures of states, it tells whether the nation has the
 * same row. Of indicators, only the rows of nations count.
 */
function countedIn(matched: MatchedRows, side: SideName, { ofStates }: RowsOfKind): (row: number) => boolean {
  const { codes } = matched;
  const states = matched[side].codes('state');
  if (codes.dataset === 'country') {
    const { nation } = codes;
    return (row) => states[row] === nation;
  }
  if (!ofStates) return countedOnceTest(matched, side);
  const nationRowOf = matched.nationRowOf[side];
  return (row) => states[row] !== 0 && (nationRowOf?.[row] ?? NO_ROW) !== NO_ROW;
}

/** A figure of the earlier side, and how it moved. */
export interface FigureMove {
  readonly row: number;
  /** The later value ÷ the earlier one: 1 where the figure did not move, NaN where it is gone. */
  readonly ratio: number;
}

/** All figures of a country that pass a test, whether they moved or not. */
export function movesOfCountry(
  { matched: { codes, before, after, changed }, metric }: Pick<MovedFigures, 'matched' | 'metric'>,
  country: string,
  isFigure: (row: number) => boolean,
): readonly FigureMove[] {
  const code = codes.codeOf('country', country);
  if (code === undefined) return [];
  const [olds, news, countries] = [before.values(metric), after.values(metric), before.codes('country')];
  const [from, end] = [firstRowFrom(before, code), firstRowFrom(before, code + 1)];
  const ratios = new Float64Array(end - from).fill(1);
  const countryOf = (i: number) =>
    (changed.before[i] as number) >= 0
      ? (countries[changed.before[i] as number] as number)
      : after.code('country', changed.after[i] as number);
  for (let i = firstWhere(changed.count, (at) => countryOf(at) >= code); i < changed.count; i += 1) {
    const [row, now] = [changed.before[i] as number, changed.after[i] as number];
    if (countryOf(i) !== code) break;
    if (row >= 0) ratios[row - from] = now < 0 ? Number.NaN : (news[now] as number) / (olds[row] as number);
  }
  const found: FigureMove[] = [];
  for (let row = from; row < end; row += 1)
    if (isFigure(row)) found.push({ row, ratio: ratios[row - from] as number });
  return found;
}

/** Figures of a country, or of a part of it, that moved by one factor. */
export interface OneFactorFinding {
  readonly country: string;
  /** The part, such as `Poker / Online / Onshore`, a state or an indicator; `''` for the whole country. */
  readonly place: string;
  readonly figures: readonly [MovedRow, ...MovedRow[]];
  /** The number of figures that the part has in these years. */
  readonly total: number;
  readonly years: readonly number[];
  readonly markets: number;
  readonly factor: number;
  /** The factor, if it is exact and explains most figures to their last digit; else null. */
  readonly exactFactor: number | null;
}

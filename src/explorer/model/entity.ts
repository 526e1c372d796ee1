// Describes the content of the page of a country or product: its revenue, its place among the others, and its trends.

import type { Row } from '../api/responseTypes.ts';
import type { ChartData, LeftOutNote } from './chartData.ts';
import type { Unit } from './numberFormats.ts';
import { DEFAULT_QUESTION, type EntityKind, type Question } from './question.ts';
import { coverageBreaks, type Series } from './series.ts';

export interface Entity {
  readonly kind: EntityKind;
  readonly name: string;
  readonly unit: Unit;
  /** The id of the snapshot from which all data comes. */
  readonly snapshot: string;
  /** The revenue by year. */
  readonly revenue: Series;
  /** The state of all rows, if none is of a whole country and all are of one state; otherwise null. */
  readonly onlyState: string | null;
  /** The countries that the revenue leaves out in some year. */
  readonly leftOut: readonly LeftOutNote[];
  /** The last year without forecasts, or the last year if all years have some. */
  readonly year: number;
  /** Null when there is no ranking. */
  readonly ranking: EntityRanking | null;
  /** The indicators of a country in `year`; null for a product, and for a country without them. */
  readonly indicators: Row | null;
  readonly trends: readonly { readonly question: Question; readonly data: ChartData }[];
}

/** The question about the revenue of an entity in the explorer. */
export const entityQuestion = (kind: EntityKind, name: string, asOf: string): Question => ({
  ...DEFAULT_QUESTION,
  asOf,
  filters: { [kind]: [name] },
});

/**
 * The years in which countries begin or cease to report a product, so that the change from the year before is not
 * growth. The set is empty for a country: its number of rows changes with its market, and this change is growth.
 */
export const coverageBreakYears = ({
  kind,
  revenue,
}: Pick<Entity, 'kind' | 'revenue'>): ReadonlySet<number> =>
  new Set(kind === 'product' ? coverageBreaks([revenue]).map(({ year }) => year) : []);

export interface EntityRanking {
  readonly rank: number;
  readonly rankedCount: number;
  /** The share of the total, between 0 and 1; null when the total lacks countries, or when some values are negative. */
  readonly shareOfTotal: number | null;
  /** Whether some of the ranked values are forecasts. Not all countries may have reported the year of the ranking yet. */
  readonly hasForecasts: boolean;
  /** The countries that the ranked values leave out, ascending. */
  readonly leftOutCountries: readonly string[];
  /** The entity and its neighbours in the ranking, the largest first. */
  readonly neighbours: readonly RankedEntity[];
}

export interface RankedEntity {
  readonly name: string;
  readonly value: number;
  readonly rank: number;
}

// What the page of one country or product shows: its revenue, its place among the others, and its trends.

import type { Row } from '../api/shapes.ts';
import type { ChartData } from './chart.ts';
import type { Unit } from './format.ts';
import type { Question } from './question.ts';
import { breaksOf, type Series } from './series.ts';

export interface Entity {
  readonly kind: 'country' | 'product';
  readonly name: string;
  readonly unit: Unit;
  /** The id of the snapshot that all of this data comes from. */
  readonly snapshot: string;
  /** Its revenue by year; null when it has no rows or no sum. */
  readonly whole: Series | null;
  /**
   * The dimensions over which its revenue does not add up, with the API's messages. Empty when there is a sum, or no rows.
   */
  readonly unclear: Readonly<Record<string, readonly string[]>>;
  /** The last wholly reported year. */
  readonly year: number;
  /** Null when there is no ranking. */
  readonly place: Place | null;
  /** The indicators of a country in that year. */
  readonly indicators: Row | null;
  readonly trends: readonly { readonly question: Question; readonly data: ChartData }[];
}

/**
 * The years in which countries begin or end to report a product: its change on the year before is no growth. A country's
 * own rows change with its market.
 */
export const coverageBreaks = ({ kind, whole }: Pick<Entity, 'kind' | 'whole'>): ReadonlySet<number> =>
  new Set(kind === 'product' && whole !== null ? breaksOf([whole]).map(({ year }) => year) : []);

export interface Place {
  readonly rank: number;
  readonly of: number;
  /** Of the sum of all, between 0 and 1; null beside negative values, which are no parts of a sum. */
  readonly share: number | null;
  /** Whether some of the values compared are forecasts: others may report later than the entity itself. */
  readonly hasForecasts: boolean;
  /** The nearest above and below, and the entity itself, the largest first. */
  readonly around: readonly Ranked[];
}

export interface Ranked {
  readonly name: string;
  readonly value: number;
  readonly rank: number;
}

// The types of all differences between two snapshots. `compare` finds them. Guards, reports and `diff` read them.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';
import type { SharedFactor } from '../figures/timesFactor.ts';
import type { BrokenRelation } from './brokenRelation.ts';
import type { Pattern, YearPattern } from './patterns/patternTypes.ts';
import type { Revision, RowDimensions } from './revision.ts';
import type { CountryMove, IntroducedRows, RunningMove, Total, TotalMove } from './totalTypes.ts';

/** All differences between two snapshots. For a publication, `before` is the current snapshot. */
export interface Comparison {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /** Years before this one are closed, because they had ended before the previous month. */
  readonly closedBefore: number;
  readonly datasets: Readonly<Record<DatasetName, DatasetComparison>>;
  /** Relations between figures of a country that held before and do not hold now. */
  readonly relations: readonly BrokenRelation[];
  /** The datasets that were not compared; empty or left out when all were. */
  readonly uncompared?: readonly UncomparedDataset[];
}

/** A dataset that was not compared, because one side or both sides lack it. */
export interface UncomparedDataset {
  readonly dataset: string;
  readonly lackedBy: 'before' | 'after' | 'both';
  /** Whether this version of the program knows the dataset. */
  readonly isKnown: boolean;
}

/** One side of a comparison. */
export interface ComparedSide {
  /** The id of a snapshot, such as `2026-10.1`; null for a month that is not published yet. */
  readonly id: string | null;
  readonly month: string;
}

export interface DatasetComparison {
  readonly dataset: DatasetName;
  /** Whether both sides have the same rows. If so, all lists of changes are empty. */
  readonly same: boolean;
  /** The id of the snapshot whose rows `--carry` published again; null when the dataset has a source. */
  readonly carried: string | null;
  readonly rows: RowChanges;
  /** How many countries the later side has. */
  readonly countries: number;
  /** Dimensions in which a value appeared or vanished, in catalog order. */
  readonly dimensions: readonly DimensionChange[];
  /** Renamed values: pairs of a vanished and a new value with the same numbers. `diff --json` calls them `twins`. */
  readonly twins: readonly RenamedValue[];
  /**
   * Values that no dataset of the earlier side has. Only a lookup has new countries, because it lists those of all
   * datasets.
   */
  readonly newValues: readonly NewValue[];
  /** New countries whose figures are those of another country times factors. */
  readonly proportional: readonly ProportionalCountry[];
  /** Years and currencies for which a country had figures and has none now, ordered by dimension, country and value. */
  readonly lost: readonly LostValue[];
  /** The changes of each metric, in catalog order; empty for a lookup. */
  readonly metrics: Readonly<Record<string, MetricChanges>>;
  /** Totals by metric, currency and year, reported figures before forecasts. Only metrics that add up have totals. */
  readonly totals: readonly Total[];
  /** Groups of rows in which all values of a metric were multiplied by the same power of ten. */
  readonly scaled: readonly ScaledGroup[];
  /**
   * Values that differ in rows that both sides have. Those that became empty come first. The revised ones follow, the
   * largest relative changes first. Those that were empty come last. The number of each kind is limited.
   */
  readonly revisions: readonly Revision[];
  /** Rows that only one side has, in row order. Their number is limited. */
  readonly added: readonly RowDimensions[];
  readonly removed: readonly RowDimensions[];
  /** Countries and years whose number of rows differs, ordered by country and year; empty for a lookup. */
  readonly coverage: readonly CoverageChange[];
  /** Countries whose totals of closed years moved, by metric. Only metrics that add up have totals. */
  readonly countryMoves: readonly CountryMove[];
  /**
   * Moves of countries' reported totals in running years, which still get new figures. Only amounts of markets have them.
   */
  readonly runningMoves: readonly RunningMove[];
  /** Groups of cells that changed in the same way, the largest first within a family. A cell is in one group at most. */
  readonly patterns: readonly Pattern[];
  /** The added rows with a value that their country did not have. */
  readonly introduced: IntroducedRows;
  /**
   * Patterns of new years, which are compared with the year before. On the earlier side, the country has no rows of a new
   * year, or only forecasts.
   */
  readonly newYears: readonly YearPattern[];
  /** The number of changes by country and by the values of the other dimensions. */
  readonly breakdown: Breakdown;
}

/** The changes of each country and of each value of the other dimensions, most changes first. */
export interface Breakdown {
  readonly countries: readonly CountryChanges[];
  /** Dimensions other than `country`, in catalog order. */
  readonly dimensions: readonly {
    readonly dimension: DimensionName;
    readonly values: readonly (ChangeCounts & { readonly value: string | number })[];
  }[];
}

export interface ChangeCounts {
  /** The number of rows with the value, on the side that has more of them. */
  readonly rows: number;
  /** The number of values that differ in rows of both sides. Values that became empty or were empty count as well. */
  readonly revised: number;
  /** The number of added rows; forecasts that became reported figures are in `arrived` only. */
  readonly added: number;
  readonly removed: number;
  readonly arrived: number;
}

export interface CountryChanges extends ChangeCounts {
  readonly country: string;
  /** The total of a year's reported figures that moved by the largest share; null when none moved. */
  readonly total: CountryTotalMove | null;
}

/** The move of a total of the country. `relative` is a share of `before`. */
export interface CountryTotalMove extends Omit<TotalMove, 'country'> {
  readonly relative: number;
}

/** Numbers of rows. Rows of both sides with equal dimensions are the same row. */
export interface RowChanges {
  readonly before: number;
  readonly after: number;
  readonly added: number;
  readonly removed: number;
  /** Rows that both sides have, with some value that differs. */
  readonly revised: number;
  /**
   * Forecasts that became reported figures: a removed row and an added one that differ in `temporal` only, or in
   * `calculation` as well. `added` and `removed` count them too.
   */
  readonly arrived: number;
}

export interface DimensionChange {
  readonly dimension: DimensionName;
  /** In code-point order; years in ascending order. */
  readonly appeared: readonly DimensionValue[];
  readonly vanished: readonly VanishedValue[];
}

export interface VanishedValue extends DimensionValue {
  /** The first countries that had rows with the value, at most four. */
  readonly countries: readonly string[];
  /** Whether all countries that had rows with the value are gone, too. Always true of a country. */
  readonly goneWithCountries: boolean;
}

export interface DimensionValue {
  readonly value: string | number;
  /** The number of rows with the value, on the side that has it. */
  readonly rows: number;
}

/** A value of a text dimension that no dataset of the earlier side has. */
export interface NewValue {
  readonly dimension: DimensionName;
  readonly value: string;
  readonly rows: number;
  /** The countries that use it, sorted. */
  readonly countries: readonly string[];
  /** The known value nearest in spelling; null when none is near. */
  readonly nearest: string | null;
  /** A known value with a similar spelling that lost rows in one of these countries; null when there is none. */
  readonly replaces: string | null;
}

/** A new country whose figures are those of the country `of` times factors. */
export interface ProportionalCountry extends SharedFactor {
  readonly metric: string;
  readonly country: string;
  readonly of: string;
}

/**
 * A vanished value, and the new value that has its rows. At least half of them must have the same numbers to within 1 %.
 */
export interface RenamedValue {
  readonly dimension: DimensionName;
  readonly from: string;
  readonly to: string;
  /** The first countries that had rows with `from`, at most four. */
  readonly countries: readonly string[];
  /** The number of rows with `from`. */
  readonly rows: number;
  /** The number of these rows that `to` has with the same numbers. */
  readonly alike: number;
  /** The number of these rows that `to` has with numbers that moved by 10 % or more. */
  readonly moved: number;
  /** The number of these rows that `to` does not have. */
  readonly missing: number;
  /** The value that moved by the largest amount in these rows; null when no row is counted in `moved`. */
  readonly farthest: Revision | null;
}

/** A year or currency for which a country had reported figures and has no figures now. */
export interface LostValue {
  readonly country: string;
  readonly dimension: DimensionName;
  readonly value: string | number;
}

/** A group of rows in which all values of a metric were multiplied by one power of ten. */
export interface ScaledGroup {
  readonly metric: string;
  /** The dimensions that the rows have in common; empty for all rows of the dataset. */
  readonly group: RowDimensions;
  /** 10, 100, 1000 or 1,000,000, or 1 divided by one of these. */
  readonly factor: number;
  readonly values: number;
}

/** The numbers of values that moved down and up by at most `upTo`, and by more than the `upTo` of the size before it. */
export interface RevisionSize {
  /**
   * A share of the earlier value: 0.05 is 5 %. Null for the last size, which has no upper end and includes moves from 0.
   */
  readonly upTo: number | null;
  readonly down: number;
  readonly up: number;
}

/** For one country, how many reported values of closed years it has, and how many of these were revised. */
export interface CountryRevised {
  readonly country: string;
  readonly values: number;
  /** Values that count in `closedRevised`. */
  readonly revised: number;
}

/** Numbers of values, not of rows. `revised`, `filled` and `emptied` count values in rows that both sides have. */
export interface MetricChanges {
  /** Values that changed from one number to another. */
  readonly revised: number;
  /** How far the revised values moved, the smallest moves first. The numbers add up to `revised`. */
  readonly sizes: readonly RevisionSize[];
  /** Values that were empty and became a number. */
  readonly filled: number;
  /** Values that were a number and became empty. */
  readonly emptied: number;
  readonly nullsBefore: number;
  readonly nullsAfter: number;
  /** Reported figures of closed years that are numbers on both sides; 0 when nothing in the dataset differs. */
  readonly closedValues: number;
  /**
   * Of `closedValues`, those that were revised by more than 5 %, and exchange rates by more than 0.5 %. For constant rates
   * that moved in most closed years of a country, it is 5 %. Percentages must also have moved by more than 0.1 points.
   */
  readonly closedRevised: number;
  /** Of `closedRevised`, those that were revised by more than 5 %. */
  readonly closedFar: number;
  /** How many countries have values in `closedRevised`. */
  readonly closedCountries: number;
  /** The country with the largest share of values in `closedRevised`; null when there is none. */
  readonly closedMost: CountryRevised | null;
  /** The largest revisions among `closedRevised`, at most three. */
  readonly closedLargest: readonly Revision[];
}

/** The numbers of rows of a country and year. */
export interface CoverageChange {
  readonly country: string;
  readonly year: number;
  readonly before: number;
  readonly after: number;
}

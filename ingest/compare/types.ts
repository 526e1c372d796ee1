// The differences between two snapshots as values. `compare` finds them; guards, reports and `diff` read them.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';
import type { BrokenRelation } from './brokenRelation.ts';
import type { Pattern, YearFamily } from './patterns/types.ts';
import type { Key, Revision } from './revision.ts';

/** All differences between two snapshots. For a publication, `before` is the current snapshot. */
export interface Comparison {
  readonly before: Compared;
  readonly after: Compared;
  /** Years before this one are closed: they had ended before the previous month. */
  readonly closedBefore: number;
  readonly datasets: Readonly<Record<DatasetName, DatasetComparison>>;
  /** Relations between figures of a country that held before and do not hold now. */
  readonly relations: readonly BrokenRelation[];
  /** The datasets that were not compared; left out when all were. */
  readonly uncompared?: readonly Uncompared[];
}

/** A dataset that one side or both sides lack, so that it was not compared. */
export interface Uncompared {
  readonly dataset: string;
  readonly lackedBy: 'before' | 'after' | 'both';
  /** Whether this version of the program knows it. */
  readonly isKnown: boolean;
}

/** One side of a comparison. */
export interface Compared {
  /** `2026-10.1`; null for a month that is not published yet. */
  readonly id: string | null;
  readonly month: string;
}

export interface DatasetComparison {
  readonly dataset: DatasetName;
  /** Whether both sides have the same rows. If so, all fields below are empty except the row counts and the totals. */
  readonly same: boolean;
  /** The snapshot that the later side carries its rows from (`--carry`), else null. */
  readonly carried: string | null;
  readonly rows: RowChanges;
  /** Countries on the later side. */
  readonly countries: number;
  /** Dimensions in which a value appeared or vanished, in catalog order. */
  readonly dimensions: readonly DimensionChange[];
  /** Pairs of a vanished and a new value with the same numbers: probably one value under two names. */
  readonly twins: readonly Twin[];
  /** Values that the whole earlier snapshot lacks, by dimension. Countries are left out: the lookup checks them. */
  readonly newValues: readonly NewValue[];
  /** Years and currencies for which a country had figures and has none now, in row order. */
  readonly lost: readonly LostValue[];
  /** By metric, in catalog order; empty for a lookup. */
  readonly metrics: Readonly<Record<string, MetricChanges>>;
  /** By metric, fx and year, reported figures before forecasts; of metrics that add up only. */
  readonly totals: readonly Total[];
  /** Groups of rows in which all values of a metric were multiplied by the same power of ten. */
  readonly scaled: readonly ScaledGroup[];
  /**
   * Values that differ in rows that both sides have: those emptied, then the largest relative changes, then those
   * filled; limited for each kind.
   */
  readonly revisions: readonly Revision[];
  /** Rows that only one side has, in row order; limited. */
  readonly added: readonly Key[];
  readonly removed: readonly Key[];
  /** Countries and years whose number of rows differs, in that order; empty for a lookup. */
  readonly coverage: readonly CoverageChange[];
  /** By metric and country; of metrics that add up only. */
  readonly countryMoves: readonly CountryMove[];
  /** Groups of cells that changed in the same way, the largest first within a family. A cell is in one group at most. */
  readonly patterns: readonly Pattern[];
  /** How years that a country had no rows of differ from its year before. */
  readonly newYears: readonly Pattern<YearFamily>[];
  /** The number of changes by country and by the values of the other dimensions. */
  readonly breakdown: Breakdown;
}

/** The values with a change, the ones with most changes first. */
export interface Breakdown {
  readonly countries: readonly CountryChanges[];
  /** Dimensions other than `country`, in catalog order. */
  readonly dimensions: readonly {
    readonly dimension: DimensionName;
    readonly values: readonly (ChangeCounts & { readonly value: string | number })[];
  }[];
}

export interface ChangeCounts {
  /** Rows with the value, on the side that has more of them. */
  readonly rows: number;
  /** Values that differ in rows that both sides have, including those emptied and filled. */
  readonly revised: number;
  /** Rows, without those that arrived. */
  readonly added: number;
  readonly removed: number;
  readonly arrived: number;
}

export interface CountryChanges extends ChangeCounts {
  readonly country: string;
  /** The total of a year's reported figures that moved by the largest share; null when none moved. */
  readonly total: CountryTotalMove | null;
}

/** How far the total of a country's year moved. */
export interface CountryTotalMove {
  readonly metric: string;
  readonly fx: string | null;
  readonly year: number;
  readonly before: number;
  readonly after: number;
  readonly relative: number;
}

/** Counts of rows. Rows with equal dimensions are the same row. */
export interface RowChanges {
  readonly before: number;
  readonly after: number;
  readonly added: number;
  readonly removed: number;
  /** Rows of both sides in which any value differs. */
  readonly revised: number;
  /**
   * Forecasts that became reported figures: an added row that differs from a removed one in `temporal` only. They are
   * also counted as added and as removed.
   */
  readonly arrived: number;
}

export interface DimensionChange {
  readonly dimension: DimensionName;
  /** In code-point order, years ascending. */
  readonly appeared: readonly DimensionValue[];
  readonly vanished: readonly VanishedValue[];
}

export interface VanishedValue extends DimensionValue {
  /** The first countries that had rows with it, at most four. */
  readonly countries: readonly string[];
}

export interface DimensionValue {
  readonly value: string | number;
  /** Rows with the value, on the side that has it. */
  readonly rows: number;
}

/** A value of a text dimension that no dataset of the earlier side has. */
export interface NewValue {
  readonly dimension: DimensionName;
  readonly value: string;
  readonly rows: number;
  /** The first ten countries that use it. */
  readonly countries: readonly string[];
  /** The known value nearest in spelling; null when none is near. */
  readonly nearest: string | null;
  /** A known value with a similar spelling that lost rows in one of these countries; null when there is none. */
  readonly replaces: string | null;
}

/** A vanished and a new value whose rows agree in all other dimensions, and in their numbers to within 1 %. */
export interface Twin {
  readonly dimension: DimensionName;
  readonly from: string;
  readonly to: string;
  /** The first countries that had rows with `from`, at most four. */
  readonly countries: readonly string[];
  /** Rows with `from`, and how many of them `to` has with the same numbers. */
  readonly rows: number;
  readonly alike: number;
}

export interface LostValue {
  readonly country: string;
  readonly dimension: DimensionName;
  readonly value: string | number;
}

export interface ScaledGroup {
  readonly metric: string;
  /** The dimensions that the rows have in common; empty for all rows of the dataset. */
  readonly group: Key;
  /** 10, 100, 1000 or 1,000,000, or one divided by it. */
  readonly factor: number;
  readonly values: number;
}

/** How many values moved further than the previous size and up to this one, by direction. */
export interface RevisionSize {
  /** A share of the value before: 0.05 is 5 %. Null for the last size, which has no end and includes moves from 0. */
  readonly upTo: number | null;
  readonly down: number;
  readonly up: number;
}

/** Reported values of closed years of one country. */
export interface CountryRevised {
  readonly country: string;
  readonly values: number;
  /** The number of those that were revised by more than 5 %; percentages also by more than 0.1 points. */
  readonly revised: number;
}

/** Counts of values, not of rows; `revised`, `filled` and `emptied` in rows that both sides have. */
export interface MetricChanges {
  /** From a number to another. */
  readonly revised: number;
  /** The same values by how far they moved, the smallest moves first; the sum is `revised`. */
  readonly sizes: readonly RevisionSize[];
  /** From empty to a number. */
  readonly filled: number;
  /** From a number to empty. */
  readonly emptied: number;
  readonly nullsBefore: number;
  readonly nullsAfter: number;
  /** Reported figures of closed years that are numbers on both sides; 0 when nothing in the dataset differs. */
  readonly closedValues: number;
  /** The number of those that were revised by more than 5 %; percentages also by more than 0.1 points. */
  readonly closedRevised: number;
  /** The number of countries that those values belong to. */
  readonly closedCountries: number;
  /** The country with the largest share of its own values among those; null when there are none. */
  readonly closedMost: CountryRevised | null;
  /** The largest of those revisions, at most three. */
  readonly closedLargest: readonly Revision[];
}

/**
 * The sum of a metric over all countries. A country counts once: its own row (`state` empty) when there is one, else its
 * states.
 */
export interface Total {
  readonly metric: string;
  /** Null when the dataset has no such dimension. */
  readonly fx: string | null;
  readonly year: number;
  /** Whether it sums forecasts and reported figures that were forecasts before. The year's other figures are a total of their own. */
  readonly forecast: boolean;
  /** Whether the year had ended before the previous month. It was complete then, and should not move now. */
  readonly closed: boolean;
  /** Null when the side has no value. */
  readonly before: number | null;
  readonly after: number | null;
  /** The part of `after` that comes from countries without a row of that year before: they joined, and nothing was revised. */
  readonly joined: number;
  /** (after − before) ÷ |before|; null when one side is null or `before` is 0. */
  readonly relative: number | null;
  /** The number of countries in the total, on the side that has more. */
  readonly countries: number;
  /** The country that moved the total most; null when the total did not move. */
  readonly mover: Mover | null;
}

export interface Mover {
  readonly country: string;
  /** The amount that it added to the total; negative when it took from it. */
  readonly by: number;
}

/** The change of a country's totals of closed years, when one of them moved by 10 % or more. */
export interface CountryMove {
  readonly metric: string;
  readonly country: string;
  /** |after − before| ÷ |before|: the mean over closed years and currencies, and the largest. */
  readonly mean: number;
  readonly largest: number;
  readonly year: number;
  readonly fx: string | null;
  readonly before: number;
  readonly after: number;
}

export interface CoverageChange {
  readonly country: string;
  readonly year: number;
  /** Rows. */
  readonly before: number;
  readonly after: number;
}

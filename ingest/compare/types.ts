// What differs between two snapshots, as values: `compare` finds it, guards, reports and `diff` read it.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';

/** Everything that differs between two snapshots. `before` is the earlier one: the current, when publishing. */
export interface Comparison {
  readonly before: Compared;
  readonly after: Compared;
  /** Years before this one are closed: they had ended before the previous month. */
  readonly closedBefore: number;
  readonly datasets: Readonly<Record<DatasetName, DatasetComparison>>;
  /** What was not compared; of these `datasets` tells nothing. Left out where everything was. */
  readonly uncompared?: readonly Uncompared[];
}

/** A dataset that only one side holds, or neither: it was not compared. */
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
  /** Both hold the same rows: everything below is empty but the row counts and the totals. */
  readonly same: boolean;
  /** The snapshot whose rows the later side kept (`--carry`), else null. */
  readonly carried: string | null;
  readonly rows: RowChanges;
  /** Dimensions with a value new or gone, in catalog order. */
  readonly dimensions: readonly DimensionChange[];
  /** Values gone and new that are alike in numbers: likely one value under another name. */
  readonly twins: readonly Twin[];
  /** Years and currencies that a country had figures for and has no more, in row order. */
  readonly lost: readonly LostValue[];
  /** By metric, in catalog order; empty for a lookup. */
  readonly metrics: Readonly<Record<string, MetricChanges>>;
  /** By metric, fx and year, reported figures before forecasts; of metrics that add up only. */
  readonly totals: readonly Total[];
  /** Groups of rows whose every value of a metric is that of before times a power of ten. */
  readonly scaled: readonly ScaledGroup[];
  /**
   * Values that differ in rows both sides have: those emptied, then the largest relative change first, then those
   * filled; the first ones only of each kind.
   */
  readonly revisions: readonly Revision[];
  /** Rows of one side alone, in row order; the first ones only. */
  readonly added: readonly Key[];
  readonly removed: readonly Key[];
  /** Country and year with another number of rows than before, in that order; empty for a lookup. */
  readonly coverage: readonly CoverageChange[];
}

/** A row is what all its dimensions together name; two rows with the same are the same row. */
export interface RowChanges {
  readonly before: number;
  readonly after: number;
  readonly added: number;
  readonly removed: number;
  /** Rows of both sides in which any value differs. */
  readonly revised: number;
  /**
   * Forecasts that became reported figures: a row added in place of a removed one that differs in `temporal`
   * alone. They are counted among added and removed too.
   */
  readonly arrived: number;
}

/** The dimensions of a row, in catalog order. */
export type Key = Readonly<Partial<Record<DimensionName, string | number>>>;

export interface DimensionChange {
  readonly dimension: DimensionName;
  /** In code-point order, years ascending. */
  readonly appeared: readonly DimensionValue[];
  readonly vanished: readonly DimensionValue[];
}

export interface DimensionValue {
  readonly value: string | number;
  /** Rows that hold it, on the side that has it. */
  readonly rows: number;
}

/** A value gone and a new one whose rows agree in all else, and in their numbers to within 1 %. */
export interface Twin {
  readonly dimension: DimensionName;
  readonly from: string;
  readonly to: string;
  /** Rows of `from`, and those of them that `to` has with the same numbers. */
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
  /** What the rows have in common; empty for all rows of the dataset. */
  readonly group: Key;
  /** 10, 100, 1000 or 1,000,000, or one divided by it. */
  readonly factor: number;
  readonly values: number;
}

/** How many values moved further than the size before and up to this one, by direction. */
export interface RevisionSize {
  /** A share of the value before: 0.05 is 5 %. Null for the last, which has no end; from 0 every way is as far. */
  readonly upTo: number | null;
  readonly down: number;
  readonly up: number;
}

/** Counts of values, not of rows; `revised`, `filled` and `emptied` in rows that both sides have. */
export interface MetricChanges {
  /** From a number to another. */
  readonly revised: number;
  /** Those by how far they moved, the least first; together they are `revised`. */
  readonly sizes: readonly RevisionSize[];
  /** From empty to a number. */
  readonly filled: number;
  /** From a number to empty. */
  readonly emptied: number;
  readonly nullsBefore: number;
  readonly nullsAfter: number;
  /** Of closed years, reported figures that are numbers on both sides. */
  readonly closedValues: number;
  /** Those of them that were revised by more than 5 %; percentages by more than 0.1 points besides. */
  readonly closedRevised: number;
}

/**
 * The sum of a metric over all countries. A country counts once: its own row (`state` empty) where there is
 * one, else its states.
 */
export interface Total {
  readonly metric: string;
  /** Null where the dataset has no such dimension. */
  readonly fx: string | null;
  readonly year: number;
  /** Forecasts, and reported figures that were forecasts before; the rest of the year is a total of its own. */
  readonly forecast: boolean;
  /** The year had ended before the previous month: it was complete then, and should not move now. */
  readonly closed: boolean;
  /** Null when that side has no value at all here. */
  readonly before: number | null;
  readonly after: number | null;
  /** The part of `after` of countries that had no row of that year before: they joined, and nothing was revised. */
  readonly joined: number;
  /** (after − before) ÷ |before|; null when one side is null or `before` is 0. */
  readonly relative: number | null;
}

/** One value that differs: `from` or `to` is null where it was or became empty. */
export interface Revision {
  readonly key: Key;
  readonly metric: string;
  readonly from: number | null;
  readonly to: number | null;
  /** (to − from) ÷ |from|; null when one is null or `from` is 0. */
  readonly relative: number | null;
}

export interface CoverageChange {
  readonly country: string;
  readonly year: number;
  /** Rows. */
  readonly before: number;
  readonly after: number;
}

/** Names of the guards, in the order in which they are told. */
export const RULES = ['rows', 'totals', 'closed-years', 'vanished', 'renamed', 'units', 'nulls'] as const;

export type Rule = (typeof RULES)[number];

/** Something suspicious that a guard found in a comparison. */
export interface GuardFinding {
  readonly rule: Rule;
  readonly dataset: DatasetName;
  readonly severity: 'warn' | 'refuse';
  /** The reason in numbers, one sentence without its end. */
  readonly message: string;
  /** What passes it: `--accept vanished --reason "…"`. */
  readonly accept: string;
  /** Why a person let it pass, when one did. */
  readonly accepted: string | null;
}

/** What a person accepts, and why; without a dataset it holds for all. */
export interface Acceptance {
  readonly rule: Rule;
  readonly dataset: DatasetName | null;
  readonly reason: string;
}

/** (after − before) ÷ |before|; null where one is missing, or `before` is 0 and nothing can be a share of it. */
export const relativeChange = (before: number | null, after: number | null): number | null =>
  before === null || after === null || before === 0 ? null : (after - before) / Math.abs(before);

// What differs between two snapshots, as values: `compare` finds it, guards, reports and `diff` read it.

import type { DatasetName, DimensionName } from '../../src/catalog/datasets.ts';

/** Everything that differs between two snapshots. `before` is the earlier one: the current, when publishing. */
export interface Comparison {
  readonly before: Compared;
  readonly after: Compared;
  /** Years before this one are closed: they had ended before the previous month. */
  readonly closedBefore: number;
  readonly datasets: Readonly<Record<DatasetName, DatasetComparison>>;
  /** Relations between figures of a country that held before and do not hold now. */
  readonly relations: readonly BrokenRelation[];
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

/** A relation that held for a country in some years, and does not hold now. */
export interface BrokenRelation {
  /**
   * `turnover-below-ggr`: turnover ÷ ggr fell below 1 · `currencies-apart`: figures in two currencies disagree with
   * the rates of fx · `states-above-nation`: states ÷ nation rose above 1.
   */
  readonly relation: 'turnover-below-ggr' | 'currencies-apart' | 'states-above-nation';
  readonly dataset: DatasetName;
  readonly country: string;
  /** Products, or markets such as `Poker / Online / Onshore`; none where it broke for the country as a whole. */
  readonly places: readonly string[];
  /** The currencies beside the local one, where it is about them. */
  readonly currency: string | null;
  readonly years: readonly number[];
  /** The ratio, or for currencies the distance from the rate, in the worst year. */
  readonly before: number;
  readonly after: number;
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
  /** Countries on the later side. */
  readonly countries: number;
  /** Dimensions with a value new or gone, in catalog order. */
  readonly dimensions: readonly DimensionChange[];
  /** Values gone and new that are alike in numbers: likely one value under another name. */
  readonly twins: readonly Twin[];
  /** Values that the whole earlier snapshot lacks, by dimension; countries are held to the lookup. */
  readonly newValues: readonly NewValue[];
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
  /** By metric and country; of metrics that add up only. */
  readonly countryMoves: readonly CountryMove[];
  /** Groups of cells that changed alike, each cell in at most one of them; the largest first within a family. */
  readonly patterns: readonly Pattern[];
  /** What changed, counted by country and by the values of the other dimensions. */
  readonly breakdown: Breakdown;
}

/** The values with a change, those with most first. */
export interface Breakdown {
  readonly countries: readonly CountryChanges[];
  /** Dimensions other than `country`, in catalog order. */
  readonly dimensions: readonly {
    readonly dimension: DimensionName;
    readonly values: readonly (ChangeCounts & { readonly value: string | number })[];
  }[];
}

export interface ChangeCounts {
  /** Rows of the value, on the side that has more. */
  readonly rows: number;
  /** Values that differ in rows both sides have; those emptied and filled are among them. */
  readonly revised: number;
  /** Rows; those that arrived are counted apart. */
  readonly added: number;
  readonly removed: number;
  readonly arrived: number;
}

export interface CountryChanges extends ChangeCounts {
  readonly country: string;
  /** The year's total of reported figures that moved by the largest share; null where none moved. */
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
  readonly vanished: readonly VanishedValue[];
}

export interface VanishedValue extends DimensionValue {
  /** The first countries that had rows of it, at most four. */
  readonly countries: readonly string[];
}

export interface DimensionValue {
  readonly value: string | number;
  /** Rows that hold it, on the side that has it. */
  readonly rows: number;
}

/** A value of a text dimension that no dataset of the earlier side holds. */
export interface NewValue {
  readonly dimension: DimensionName;
  readonly value: string;
  readonly rows: number;
  /** The first ten countries that use it. */
  readonly countries: readonly string[];
  /** The known value nearest in spelling; null when none is near. */
  readonly nearest: string | null;
  /** A known value, near in spelling, that lost rows in one of these countries. */
  readonly replaces: string | null;
}

/** A value gone and a new one whose rows agree in all else, and in their numbers to within 1 %. */
export interface Twin {
  readonly dimension: DimensionName;
  readonly from: string;
  readonly to: string;
  /** The first countries that had rows of `from`, at most four. */
  readonly countries: readonly string[];
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

/** Reported values of closed years of one country. */
export interface CountryRevised {
  readonly country: string;
  readonly values: number;
  /** Those of them that were revised by more than 5 %; percentages by more than 0.1 points besides. */
  readonly revised: number;
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
  /** Reported figures of closed years that are numbers on both sides; 0 for a dataset in which nothing differs. */
  readonly closedValues: number;
  /** Those of them that were revised by more than 5 %; percentages by more than 0.1 points besides. */
  readonly closedRevised: number;
  /** How many countries those are of. */
  readonly closedCountries: number;
  /** The country with the largest part of its own values among those; null when there are none. */
  readonly closedMost: CountryRevised | null;
  /** The largest of those, at most three. */
  readonly closedLargest: readonly Revision[];
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
  /** How many countries the total is made of, on the side that has more. */
  readonly countries: number;
  /** The country that moved the total most; null where it did not move. */
  readonly mover: Mover | null;
}

export interface Mover {
  readonly country: string;
  /** What it added to the total, or took from it. */
  readonly by: number;
}

/** What a country comes to in closed years, where that moved by 10 % or more in some year. */
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

/**
 * What happened to a group of cells:
 * `renamed` rows that went and came again under another value of one dimension · `twice` rows that stand beside
 * others which differ in `temporal` or `calculation` alone · `sums` new rows that are totals of their siblings ·
 * `copied` values that repeat those of another value of one dimension · `zero`, `emptied`, `sign`, `leap`, `moved`
 * values that became 0, empty, of the other sign, ten times (or a tenth of) what they were, or moved by 10 % or more ·
 * `gone` rows that are missing · `early` reported figures of years that have not ended.
 */
export type Family =
  | 'renamed'
  | 'twice'
  | 'sums'
  | 'copied'
  | 'zero'
  | 'emptied'
  | 'sign'
  | 'leap'
  | 'moved'
  | 'gone'
  | 'early';

/** A group of cells that changed alike, at the level that explains them best. */
export interface Pattern {
  readonly family: Family;
  /** Null where rows are concerned and not the values of one metric. */
  readonly metric: string | null;
  /** What the cells have in common: the country, and at most two dimensions besides; empty for the whole dataset. */
  readonly place: Key;
  readonly forecast: boolean;
  /** Cells of the pattern, and cells of the place that could have been part of it. */
  readonly cells: number;
  readonly of: number;
  /** The countries of what is left when twenty groups are told of the same family; null for those groups. */
  readonly further: readonly string[] | null;
  /** The part of the country's total that is concerned, on average over the years and currencies touched. */
  readonly countryShare: number;
  /** The same of all years and currencies of the country. */
  readonly historyShare: number;
  /** |after − before| as a part of the country's total, on average over the years and currencies touched. */
  readonly effect: number;
  /** The part of the dataset's total in the years and the currency of most cells; null where it cannot be said. */
  readonly datasetShare: number | null;
  /** The sum after divided by the sum before; null where there is none. */
  readonly ratio: number | null;
  /** For `renamed` and `copied`: the dimension, and from which value to which. */
  readonly between: { readonly dimension: DimensionName; readonly pairs: readonly ValuePair[] } | null;
  /** The largest cells, at most three. */
  readonly examples: readonly Revision[];
}

export interface ValuePair {
  readonly from: string | number;
  readonly to: string | number;
  readonly cells: number;
}

/** Names of the guards, in the order in which they are told. */
export const RULES = [
  'rows',
  'totals',
  'closed-years',
  'vanished',
  'renamed',
  'units',
  'nulls',
  'new-values',
  'revisions',
  'copies',
  'relations',
  'structure',
] as const;

export type Rule = (typeof RULES)[number];

/** Something suspicious that a guard found in a comparison. */
export interface GuardFinding {
  /** The first rule, in the order of RULES, that objects. */
  readonly rule: Rule;
  /** Every rule that objects as much; accepting any of them accepts the finding. */
  readonly rules: readonly Rule[];
  readonly dataset: DatasetName;
  /** The country that it is about; null where it is about several or the whole dataset. */
  readonly country: string | null;
  readonly severity: 'warn' | 'refuse';
  /** Where, what and how much: one sentence without its end. */
  readonly message: string;
  /** The pattern that it tells of; null where a guard looked at something else. */
  readonly pattern: Pattern | null;
  /** The narrowest option that passes it: `--accept vanished:ggr:Malta --reason "…"`. */
  readonly accept: string;
  /** Why a person let it pass, when one did. */
  readonly accepted: string | null;
}

/** What a person accepts, and why; without a dataset or a country it holds for all. */
export interface Acceptance {
  readonly rule: Rule;
  readonly dataset: DatasetName | null;
  readonly country?: string | null;
  readonly reason: string;
}

/** (after − before) ÷ |before|; null where one is missing, or `before` is 0 and nothing can be a share of it. */
export const relativeChange = (before: number | null, after: number | null): number | null =>
  before === null || after === null || before === 0 ? null : (after - before) / Math.abs(before);

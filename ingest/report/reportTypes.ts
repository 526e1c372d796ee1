// The types of report.json. The page report.html shows the same content.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import type {
  Breakdown,
  CountryChanges,
  CoverageChange,
  DimensionChange,
  MetricChanges,
  RowChanges,
} from '../compare/comparisonTypes.ts';
import type { Revision } from '../compare/revision.ts';
import type { Total } from '../compare/totalTypes.ts';
import type { FindingInLines, Rule } from '../guards/finding.ts';
import type { Problem, Severity } from '../messages/problems.ts';
import type { TableRead } from '../staging/reading.ts';
import type { CountryCoverage } from './rowCoverage.ts';
import type { RevisedSeries, RowSeries } from './rowSeries.ts';

/** The outcome of the month; `checked` for a dry run. The report in the folder of a snapshot is always `published`. */
export type ReportStatus = 'published' | 'refused' | 'checked';

/** The first entries of a list, and how many entries there are. */
export interface Excerpt<T> {
  readonly count: number;
  readonly shown: readonly T[];
}

export interface Report {
  readonly format: 1;
  readonly status: ReportStatus;
  /** The id of the snapshot, or the id that a dry run would give it; null for a refused month. */
  readonly snapshot: string | null;
  readonly month: string;
  /** The id of the snapshot that was current when the month was read; null when there was none. */
  readonly before: string | null;
  /**
   * The id of the snapshot that the month is compared with, which is `before`; null when there is none, or when it is
   * damaged.
   */
  readonly comparedWith: string | null;
  /** The damage of the current snapshot, and why a person accepted it; null when the snapshot is not damaged. */
  readonly currentDamage: { readonly message: string; readonly accepted: string | null } | null;
  /** A few sentences on the month. */
  readonly headline: string;
  readonly read: {
    readonly files: Excerpt<FileRead>;
    readonly recipe: {
      readonly name: string;
      readonly sha256: string;
      readonly files: readonly FileRead[];
    } | null;
  };
  readonly checked: {
    readonly counts: Readonly<Record<Severity, number>>;
    /** The first 200 problems of each severity. */
    readonly problems: readonly Problem[];
    readonly guards: readonly GuardResult[];
  };
  readonly accepted: Manifest['accepted'];
  readonly datasets: Readonly<Record<DatasetName, DatasetReport>>;
}

export interface FileRead extends SourceManifest {
  readonly tables: readonly Omit<TableRead, 'file'>[];
}

/** The result of a guard. A guard is `skipped` when nothing was compared. */
export interface GuardResult {
  readonly rule: Rule;
  readonly result: 'passed' | 'warned' | 'accepted' | 'refused' | 'skipped';
  readonly findings: readonly FindingInLines[];
}

export interface DatasetReport {
  readonly rows: Omit<RowChanges, 'before'> & { readonly before: number | null };
  /**
   * Whether all rows equal those of the earlier snapshot. Only the row counts, totals and coverage of the report are filled
   * in then.
   */
  readonly same: boolean;
  readonly carried: string | null;
  readonly years: readonly number[];
  /** The currencies with most rows, in that order; empty when the dataset has no currency. */
  readonly mainCurrencies: readonly string[];
  readonly countries: number;
  readonly metrics: Readonly<Record<string, MetricChanges>>;
  readonly dimensions: readonly {
    readonly dimension: DimensionChange['dimension'];
    readonly appeared: Excerpt<DimensionChange['appeared'][number]>;
    readonly vanished: Excerpt<DimensionChange['vanished'][number]>;
  }[];
  /** All totals, or those that moved most when there are more than the report may list. */
  readonly totals: Excerpt<Total>;
  /** Values that changed from one number to another. */
  readonly revised: BySeries<RevisedSeries> & { readonly largest: readonly Revision[] };
  /** Values that are empty now. */
  readonly emptied: BySeries<RevisedSeries>;
  /** Values that were empty in the earlier snapshot. */
  readonly filled: BySeries<RevisedSeries>;
  /** Forecasts that became reported figures. `added` and `removed` leave them out. */
  readonly arrived: BySeries<RowSeries>;
  readonly added: BySeries<RowSeries>;
  readonly removed: BySeries<RowSeries>;
  /**
   * The changes by country, and by the values of the other dimensions. The countries and values with most changes come
   * first.
   */
  readonly breakdown: {
    readonly countries: Excerpt<CountryChanges>;
    readonly dimensions: readonly {
      readonly dimension: Breakdown['dimensions'][number]['dimension'];
      readonly values: Excerpt<Breakdown['dimensions'][number]['values'][number]>;
    }[];
  };
  readonly coverage: {
    /** The years to which the row counts of the countries belong, in the same order. */
    readonly years: readonly number[];
    readonly countries: Excerpt<CountryCoverage>;
    readonly changes: Excerpt<CoverageChange>;
  };
}

export interface BySeries<Series extends RowSeries> {
  /** How many rows or values there are. */
  readonly count: number;
  /** How many rows or values are in the series. This is less than `count` when the comparison does not list all of them. */
  readonly of: number;
  readonly series: Excerpt<Series>;
}

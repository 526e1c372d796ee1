// What a report says: the shape of report.json, which report.html shows.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest, SourceManifest } from '../../src/catalog/manifest.ts';
import type { Revision } from '../compare/revision.ts';
import type {
  Breakdown,
  CountryChanges,
  CoverageChange,
  DimensionChange,
  MetricChanges,
  RowChanges,
  Total,
} from '../compare/types.ts';
import type { GuardFinding, Rule } from '../guards/finding.ts';
import type { Problem, Severity } from '../messages/problems.ts';
import type { TableRead } from '../staging/reading.ts';
import type { CountryCoverage } from './coverage.ts';
import type { RevisedSeries, RowSeries } from './series.ts';

/** How the month ended; a report beside a snapshot is always of a published one. */
export type ReportStatus = 'published' | 'refused' | 'checked';

/** The first of many, and how many there are. */
export interface Part<T> {
  readonly count: number;
  readonly shown: readonly T[];
}

export interface Report {
  readonly format: 1;
  readonly status: ReportStatus;
  /** The snapshot, or the one it would be; null for a refused month. */
  readonly snapshot: string | null;
  readonly month: string;
  /** The snapshot that was current until then; null for the first one. */
  readonly before: string | null;
  /** The snapshot it is compared with: that one, or null where there was none or it was damaged. */
  readonly comparedWith: string | null;
  /** Why nothing could be compared although there was a snapshot, and why a person accepted it; null otherwise. */
  readonly currentDamage: { readonly message: string; readonly accepted: string | null } | null;
  /** The month in a few sentences. */
  readonly headline: string;
  readonly read: {
    readonly files: Part<FileRead>;
    readonly recipe: {
      readonly name: string;
      readonly sha256: string;
      readonly files: readonly FileRead[];
    } | null;
  };
  readonly checked: {
    readonly counts: Readonly<Record<Severity, number>>;
    /** The first 200 of each severity. */
    readonly problems: readonly Problem[];
    readonly guards: readonly GuardResult[];
  };
  readonly accepted: Manifest['accepted'];
  readonly datasets: Readonly<Record<DatasetName, DatasetReport>>;
}

export interface FileRead extends SourceManifest {
  readonly tables: readonly Omit<TableRead, 'file'>[];
}

/** What became of a guard; `skipped` when there was nothing to compare with. */
export interface GuardResult {
  readonly rule: Rule;
  readonly result: 'passed' | 'warned' | 'accepted' | 'refused' | 'skipped';
  readonly findings: readonly GuardFinding[];
}

export interface DatasetReport {
  readonly rows: Omit<RowChanges, 'before'> & { readonly before: number | null };
  /** Whether all rows are as they were; only row counts, totals and coverage are then filled in below. */
  readonly same: boolean;
  readonly carried: string | null;
  readonly years: readonly number[];
  /** The currencies with most rows, in that order; empty where the dataset has no such dimension. */
  readonly mainCurrencies: readonly string[];
  readonly countries: number;
  readonly metrics: Readonly<Record<string, MetricChanges>>;
  readonly dimensions: readonly {
    readonly dimension: DimensionChange['dimension'];
    readonly appeared: Part<DimensionChange['appeared'][number]>;
    readonly vanished: Part<DimensionChange['vanished'][number]>;
  }[];
  /** All totals or, of more than the report lists, those that moved most. */
  readonly totals: Part<Total>;
  /** Values that changed from one number to another. */
  readonly revised: BySeries<RevisedSeries> & { readonly largest: readonly Revision[] };
  /** Values that are empty now. */
  readonly emptied: BySeries<RevisedSeries>;
  /** Values that were empty before. */
  readonly filled: BySeries<RevisedSeries>;
  /** Forecasts that became reported figures; they are not among `added` and `removed` here. */
  readonly arrived: BySeries<RowSeries>;
  readonly added: BySeries<RowSeries>;
  readonly removed: BySeries<RowSeries>;
  /** What changed, by country and by the values of the other dimensions; those with most changes first. */
  readonly breakdown: {
    readonly countries: Part<CountryChanges>;
    readonly dimensions: readonly {
      readonly dimension: Breakdown['dimensions'][number]['dimension'];
      readonly values: Part<Breakdown['dimensions'][number]['values'][number]>;
    }[];
  };
  readonly coverage: {
    /** The years that `rows` of a country stand for. */
    readonly years: readonly number[];
    readonly countries: Part<CountryCoverage>;
    readonly changes: Part<CoverageChange>;
  };
}

/** Rows or values, grouped by series. */
export interface BySeries<Series extends RowSeries> {
  /** How many rows or values there are. */
  readonly count: number;
  /** How many of them the series cover: the ones that the comparison lists. */
  readonly of: number;
  readonly series: Part<Series>;
}

// The types of the API's answers, as far as the explorer reads them (docs/api.md).

export interface DatasetFacts {
  readonly name: string;
  readonly description: string;
  readonly row_count: number;
  readonly years: { readonly first: number | null; readonly last: number | null };
  readonly dimensions: readonly DimensionFacts[];
  readonly metrics: readonly MetricFacts[];
  readonly not_additive_over: readonly string[];
  readonly sources: readonly { readonly file: string; readonly sha256: string; readonly bytes: number }[];
}

export interface DimensionFacts {
  readonly name: string;
  readonly description: string;
  readonly values: number;
}

export interface MetricFacts {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly adds_up: boolean;
  readonly adds_up_over_years: boolean;
  readonly missing: number;
}

export interface SnapshotFacts {
  readonly id: string;
  /** The time in ISO 8601 and UTC; null when the history of the server does not have the publication. */
  readonly published_at: string | null;
  readonly current: boolean;
  readonly fingerprint: string;
  readonly datasets: Readonly<
    Record<
      string,
      { readonly row_count: number; readonly first_year: number | null; readonly last_year: number | null }
    >
  >;
}

export interface ValueCount {
  readonly value: string | number;
  readonly row_count: number;
}

export interface Values {
  readonly meta: { readonly row_count: number };
  readonly values: Readonly<Record<string, readonly ValueCount[]>>;
}

export type Numbers = Readonly<Record<string, number | null>>;
export type Cells = Readonly<Record<string, string | number>>;

export interface Pagination {
  readonly cursor: string | null;
}

export interface Totals {
  readonly meta: {
    readonly missing?: Readonly<Record<string, number>>;
    readonly states_alone?: readonly string[];
    readonly currencies_alone?: readonly string[];
    readonly temporal_alone?: readonly string[];
  };
  readonly data: readonly TotalRow[];
  readonly pagination: Pagination;
}

export interface TotalRow extends Row {
  readonly rows_summed: number;
}

export interface Rows {
  readonly data: readonly Row[];
  readonly pagination: Pagination;
}

export interface Row {
  readonly dimensions: Cells;
  readonly values: Numbers;
}

export interface ReferenceRows {
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly pagination: Pagination;
}

export interface Changes {
  readonly meta: {
    readonly counts: { readonly added: number; readonly removed: number; readonly revised: number };
  };
  readonly data: readonly Change[];
  readonly pagination: Pagination;
}

export interface Change {
  readonly dimensions: Cells;
  readonly before: Numbers | null;
  readonly after: Numbers | null;
}

export interface Explanation {
  readonly meta: { readonly row_count: number };
  readonly sql: string;
  readonly curl: string;
  readonly python: string;
  readonly polars: string;
  readonly r: string;
  readonly javascript: string;
}

// The question that a person asks. It has exactly the content of the address.

/** The chosen values of each dimension. For each of these dimensions, a row must have one of the values. */
export type Filters = Readonly<Record<string, readonly string[]>>;

export const VIEWS = ['chart', 'table', 'compare', 'code', 'about'] as const;
export type View = (typeof VIEWS)[number];

export const CHART_KINDS = ['lines', 'areas', 'bars', 'multiples'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** The kinds of values that have a page of their own. */
export type EntityKind = 'country' | 'product';

export type Page = { readonly kind: 'explore' } | { readonly kind: EntityKind; readonly name: string };

export interface Question {
  readonly page: Page;
  readonly dataset: string;
  /** The metric; '' for the default metric of the dataset. */
  readonly metric: string;
  readonly filters: Filters;
  /** Dimensions whose default filter is switched off. */
  readonly unfilteredDimensions: readonly string[];
  /** The first year; null for the default. */
  readonly firstYear: number | null;
  /** The last year; null for the default. */
  readonly lastYear: number | null;
  /** The dimension by which series are divided; '' for the default, `none` for one series. */
  readonly by: string;
  readonly view: View;
  /** The kind of chart; '' for the default of the metric. */
  readonly chartKind: ChartKind | '';
  readonly axisScale: 'linear' | 'log';
  /** Whether small charts have their own scales or share one; '' for the default of the metric. */
  readonly panelScales: '' | 'own' | 'shared';
  /** The snapshot, named by an id, a month or a day, as in `X-Snapshot`; '' for the current one. */
  readonly asOf: string;
  /** The snapshot to compare with; '' for the previous one. */
  readonly since: string;
}

export const NO_SPLIT = 'none';

/** The question with another first year. A last year that was not chosen keeps its default. */
export const withFirstYear = (question: Question, firstYear: number): Question => ({
  ...question,
  firstYear,
  lastYear: question.lastYear === null ? null : Math.max(firstYear, question.lastYear),
});

/** The question with another last year. A first year that was not chosen keeps its default. */
export const withLastYear = (question: Question, lastYear: number): Question => ({
  ...question,
  lastYear,
  firstYear: question.firstYear === null ? null : Math.min(question.firstYear, lastYear),
});

export const DEFAULT_QUESTION: Question = {
  page: { kind: 'explore' },
  dataset: 'ggr',
  metric: '',
  filters: {},
  unfilteredDimensions: [],
  firstYear: null,
  lastYear: null,
  by: '',
  view: 'chart',
  chartKind: '',
  axisScale: 'linear',
  panelScales: '',
  asOf: '',
  since: '',
};

/** The question with other values of one dimension. Without values, the filter is removed. */
export function withFilter(question: Question, dimension: string, values: readonly string[]): Question {
  const { [dimension]: _, ...others } = question.filters;
  const filters = values.length === 0 ? others : { ...others, [dimension]: values };
  return {
    ...question,
    filters,
    unfilteredDimensions: question.unfilteredDimensions.filter((name) => name !== dimension),
  };
}

/** The question without any filter on a dimension, not even the default one. */
export function withoutAnyFilter(question: Question, dimension: string): Question {
  const without = withFilter(question, dimension, []);
  return { ...without, unfilteredDimensions: [...without.unfilteredDimensions, dimension] };
}

/** The question about another dataset. Filters on dimensions that both datasets have stay. */
export function withDataset(question: Question, dataset: string, dimensions: readonly string[]): Question {
  const filters = Object.fromEntries(
    Object.entries(question.filters).filter(([name]) => dimensions.includes(name)),
  );
  const unfilteredDimensions = question.unfilteredDimensions.filter((name) => dimensions.includes(name));
  return {
    ...question,
    dataset,
    filters,
    unfilteredDimensions,
    metric: '',
    by: '',
    chartKind: '',
    axisScale: 'linear',
    panelScales: '',
  };
}

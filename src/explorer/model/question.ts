// The question that the user asks. It holds exactly what the address contains.

/** Values by dimension. Several values of one dimension are alternatives. */
export type Filters = Readonly<Record<string, readonly string[]>>;

export const VIEWS = ['chart', 'table', 'compare', 'code', 'about'] as const;
export type View = (typeof VIEWS)[number];

export const CHARTS = ['lines', 'areas', 'bars', 'multiples'] as const;
export type ChartKind = (typeof CHARTS)[number];

export type Page =
  | { readonly kind: 'explore' }
  | { readonly kind: 'country'; readonly name: string }
  | { readonly kind: 'product'; readonly name: string };

export interface Question {
  readonly page: Page;
  readonly dataset: string;
  /** '' is the default metric of the dataset. */
  readonly metric: string;
  readonly filters: Filters;
  /** Dimensions whose default filter is switched off. */
  readonly all: readonly string[];
  /** The first and the last year; null is the default. */
  readonly from: number | null;
  readonly to: number | null;
  /** The dimension that makes the series; '' is the default, `none` makes one series. */
  readonly by: string;
  readonly view: View;
  /** '' is the metric's default. */
  readonly chart: ChartKind | '';
  readonly scale: 'linear' | 'log';
  /** Whether each of several small charts has a scale of its own; '' is the metric's default. */
  readonly scales: '' | 'own' | 'shared';
  /** A snapshot, a month or a day as `X-Snapshot` takes it; '' is the current snapshot. */
  readonly asOf: string;
  /** The snapshot to compare with; '' is the previous one. */
  readonly since: string;
}

export const NO_SPLIT = 'none';

export const FIRST_QUESTION: Question = {
  page: { kind: 'explore' },
  dataset: 'ggr',
  metric: '',
  filters: {},
  all: [],
  from: null,
  to: null,
  by: '',
  view: 'chart',
  chart: '',
  scale: 'linear',
  scales: '',
  asOf: '',
  since: '',
};

/** The question with other values of one dimension. No values: without the filter. */
export function withFilter(question: Question, dimension: string, values: readonly string[]): Question {
  const { [dimension]: _, ...others } = question.filters;
  const filters = values.length === 0 ? others : { ...others, [dimension]: values };
  return { ...question, filters, all: question.all.filter((name) => name !== dimension) };
}

/** The question without a filter and without the default filter on the dimension. */
export function withAll(question: Question, dimension: string): Question {
  const without = withFilter(question, dimension, []);
  return { ...without, all: [...without.all, dimension] };
}

/** The question for another dataset. Filters on dimensions of both datasets stay. */
export function withDataset(question: Question, dataset: string, dimensions: readonly string[]): Question {
  const filters = Object.fromEntries(
    Object.entries(question.filters).filter(([name]) => dimensions.includes(name)),
  );
  const all = question.all.filter((name) => dimensions.includes(name));
  return { ...question, dataset, filters, all, metric: '', by: '', chart: '', scale: 'linear', scales: '' };
}

// Every endpoint as data: what it gives, its parameters, headers, formats and examples. The document and the pages are made from it.

import { z } from 'zod';
import { DATASET_NAMES, type DatasetName } from '../../catalog/datasets.ts';
import { PARAMETER_RULES } from '../../query/parameterRules.ts';
import type { ParameterRules } from '../../query/parameters.ts';
import { EXPORT_FORMATS } from '../api/datasets.ts';
import { MEDIA_TYPES } from '../api/export.ts';
import { PAGE_REPRESENTATIONS } from '../api/negotiate.ts';
import type { RequestHeader } from './headers.ts';
import {
  catalogAnswer,
  changesPage,
  datasetAnswer,
  datasetsAnswer,
  explainAnswer,
  financialsPage,
  healthAnswer,
  readinessAnswer,
  referencePage,
  SUMMED_NAMES,
  snapshotsAnswer,
  totalsPage,
  usageAnswer,
  valuesAnswer,
} from './schemas.ts';

export interface Operation {
  /** As in the document: `{name}` stands for a part of the path. */
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Paragraphs; text between backticks is code. */
  readonly description: string;
  /** The parameters of the query; without them the endpoint takes none. */
  readonly rules?: readonly ParameterRules[];
  /** The datasets it serves, where the rules allow more. */
  readonly datasets?: readonly DatasetName[];
  /** The values of the parts of the path. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  readonly requestHeaders: readonly RequestHeader[];
  /** Media type → schema of the answer; null for a file. */
  readonly answers: Readonly<Record<string, z.ZodType | null>>;
  /** Has the answers and headers of a file: 206, 304 and 416. */
  readonly isFile?: true;
  /** What it answers with another status than 200, besides errors. */
  readonly others?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
  /** Answers without a key. */
  readonly isOpen?: true;
  readonly examples: readonly Example[];
}

/** A request whose answer of the sample stands in the document. */
export interface Example {
  readonly summary: string;
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the answer that change from request to request. */
  readonly changing?: readonly string[];
}

export const TAGS = {
  Rows: 'Rows of the datasets, page by page.',
  Figures: 'What can be said of many rows at once.',
  Metadata: 'What there is, and what it means.',
  Files: 'Whole datasets and selections as files.',
  Service: 'The service itself.',
} as const;

export type Tag = keyof typeof TAGS;

const CONDITIONAL = ['If-None-Match'] as const;
const AS_OF = ['X-Snapshot', ...CONDITIONAL] as const;
const FILTERED = ['X-Snapshot', 'Prefer', ...CONDITIONAL] as const;

const JSON_ALONE = (schema: z.ZodType) => ({ 'application/json': schema });

/** The formats of a page; only JSON has a schema. */
const pageOf = (schema: z.ZodType) =>
  Object.fromEntries(
    PAGE_REPRESENTATIONS.map(({ contentType }, i) => [
      contentType.split(';')[0] ?? '',
      i === 0 ? schema : null,
    ]),
  );

const CSV = { accept: 'text/csv' };

export const OPERATIONS: readonly Operation[] = [
  {
    path: '/v1/financials',
    method: 'get',
    id: 'getFinancials',
    tag: 'Rows',
    summary: 'Rows of ggr, turnover, fx or country',
    description:
      'Gives the rows that have, for each filter, one of its values. Any dimension of the dataset is a filter; repeat it for several values. Text matches exactly.\n\nWhile `pagination.has_more` is true, repeat the request with `cursor` set to `pagination.cursor`. A walk stays on the snapshot it began with. The order of rows is fixed and total.\n\n`Accept: text/csv` or `application/vnd.apache.arrow.stream` gives the page in that format.',
    rules: [PARAMETER_RULES.financials],
    requestHeaders: FILTERED,
    answers: pageOf(financialsPage),
    examples: [
      {
        summary: 'Sports betting online in Britain in 2024',
        request:
          '/v1/financials?metric=ggr&country=United+Kingdom&year=2024&product=Sport+Betting&channel=Online&fx=GBP',
      },
      {
        summary: 'The same as CSV',
        request:
          '/v1/financials?metric=ggr&country=United+Kingdom&year=2024&product=Sport+Betting&channel=Online&fx=GBP',
        headers: CSV,
      },
      { summary: 'A page with more behind it', request: '/v1/financials?metric=fx&country=Malta&limit=1' },
      { summary: 'Country indicators', request: '/v1/financials?metric=country&country=Malta&year=2023' },
      { summary: 'A missing metric', request: '/v1/financials?country=Malta' },
      { summary: 'An unknown metric', request: '/v1/financials?metric=revenue' },
      { summary: 'A period that is none', request: '/v1/financials?metric=ggr&period=2024' },
      {
        summary: 'A dimension of another dataset',
        request: '/v1/financials?metric=ggr&calculation=Reported',
      },
      { summary: 'A cursor that is none', request: '/v1/financials?metric=ggr&cursor=abc' },
      {
        summary: 'A misspelt value, with strict handling',
        request: '/v1/financials?metric=ggr&country=Maltta',
        headers: { prefer: 'handling=strict' },
      },
    ],
  },
  {
    path: '/v1/reference',
    method: 'get',
    id: 'getReference',
    tag: 'Rows',
    summary: 'Rows of country_reference',
    description:
      'The lookup from country to region and type. Rows are flat: without years, dimensions and values. Filters, pages and formats are those of `/v1/financials`.',
    rules: [PARAMETER_RULES.reference],
    requestHeaders: FILTERED,
    answers: pageOf(referencePage),
    examples: [
      { summary: 'One country', request: '/v1/reference?dataset=country_reference&country=Malta' },
      { summary: 'A dataset with numbers', request: '/v1/reference?dataset=ggr' },
    ],
  },
  {
    path: '/v1/changes',
    method: 'get',
    id: 'getChanges',
    tag: 'Rows',
    summary: 'What differs between two snapshots',
    description:
      'Compares two snapshots row by row, matched by all dimensions. `before` is `null` for an added row, `after` for a removed one. `meta.counts` counts everything that the filters select.\n\n`X-Snapshot` is the default of `until`.',
    rules: [PARAMETER_RULES.changes],
    requestHeaders: FILTERED,
    answers: pageOf(changesPage),
    examples: [
      {
        summary: 'What November revised',
        request: '/v1/changes?dataset=ggr&since=2026-10&change=revised&limit=1',
      },
      { summary: 'Without since', request: '/v1/changes?dataset=ggr' },
    ],
  },
  {
    path: '/v1/totals',
    method: 'get',
    id: 'getTotals',
    tag: 'Figures',
    summary: 'Exact sums, or why they would be wrong',
    description:
      'Sums the metrics that add up, grouped by the dimensions in `by`. Sums are exact: the correctly rounded sum of the doubles.\n\nA sum that would be wrong is refused. Values do not add up over `fx`, `state`, `temporal` and `calculation`: each must be in `by`, or have a single value among the rows selected.',
    rules: [PARAMETER_RULES.totals],
    datasets: SUMMED_NAMES,
    requestHeaders: FILTERED,
    answers: pageOf(totalsPage),
    examples: [
      {
        summary: 'Malta by year',
        request: '/v1/totals?dataset=ggr&by=year&country=Malta&fx=EUR&period=2023-01-01:2024-12-31',
      },
      { summary: 'A sum that would be wrong', request: '/v1/totals?dataset=ggr&by=country' },
      { summary: 'Nothing to sum', request: '/v1/totals?dataset=fx' },
    ],
  },
  {
    path: '/v1/values',
    method: 'get',
    id: 'getValues',
    tag: 'Figures',
    summary: 'Which values exist, and their rows',
    description:
      'For each dimension, the values present under all filters except those on that dimension itself, so that alternatives show. `meta.row_count` counts the rows that meet all filters. Values ascend.',
    rules: [PARAMETER_RULES.values],
    requestHeaders: FILTERED,
    answers: JSON_ALONE(valuesAnswer),
    examples: [
      {
        summary: 'Channels and categories in Malta',
        request: '/v1/values?dataset=ggr&country=Malta&dimension=channel&dimension=category',
      },
      { summary: 'A misspelt parameter', request: '/v1/values?dataset=ggr&countries=Malta' },
    ],
  },
  {
    path: '/v1/explain',
    method: 'get',
    id: 'explainQuery',
    tag: 'Figures',
    summary: 'A query as SQL and as programs',
    description:
      'Takes the parameters of `/v1/financials` (`metric`) or of `/v1/reference` (`dataset`). The programs walk all pages with the key in `API_KEY`, wait as 429 and 503 ask them to, and end with a data frame, an array or a file.',
    rules: [PARAMETER_RULES.financials, PARAMETER_RULES.reference],
    requestHeaders: FILTERED,
    answers: JSON_ALONE(explainAnswer),
    examples: [
      { summary: 'Exchange rates of Malta', request: '/v1/explain?metric=fx&country=Malta' },
      { summary: 'Without metric and dataset', request: '/v1/explain' },
    ],
  },
  {
    path: '/v1/catalog',
    method: 'get',
    id: 'getCatalog',
    tag: 'Metadata',
    summary: 'The datasets with their dimensions and metrics',
    description:
      '`name` is what to pass as `metric`. A dataset without metrics is a lookup: pass its name as `dataset` to `/v1/reference`.',
    requestHeaders: AS_OF,
    answers: JSON_ALONE(catalogAnswer),
    examples: [
      { summary: 'All datasets', request: '/v1/catalog' },
      { summary: 'A parameter where there is none', request: '/v1/catalog?dataset=ggr' },
    ],
  },
  {
    path: '/v1/datasets',
    method: 'get',
    id: 'getDatasets',
    tag: 'Metadata',
    summary: 'What to know before using a number',
    description:
      'Describes every dataset: rows, years, units, missing values, over which dimensions nothing may be summed, sources and files.',
    requestHeaders: AS_OF,
    answers: JSON_ALONE(datasetsAnswer),
    examples: [
      { summary: 'An unknown snapshot', request: '/v1/datasets', headers: { 'x-snapshot': '1999-01' } },
    ],
  },
  {
    path: '/v1/datasets/{name}',
    method: 'get',
    id: 'getDataset',
    tag: 'Metadata',
    summary: 'The same of one dataset',
    description: 'An unknown name is 404.',
    parts: { name: DATASET_NAMES },
    requestHeaders: AS_OF,
    answers: JSON_ALONE(datasetAnswer),
    examples: [{ summary: 'The country lookup', request: '/v1/datasets/country_reference' }],
  },
  {
    path: '/v1/snapshots',
    method: 'get',
    id: 'getSnapshots',
    tag: 'Metadata',
    summary: 'The retained snapshots',
    description: 'Newest publication first. `X-Snapshot`, `since` and `until` take their ids.',
    requestHeaders: CONDITIONAL,
    answers: JSON_ALONE(snapshotsAnswer),
    examples: [{ summary: 'Both months of the sample', request: '/v1/snapshots' }],
  },
  {
    path: '/v1/export/{dataset}.{format}',
    method: 'get',
    id: 'exportDataset',
    tag: 'Files',
    summary: 'A whole dataset or selection as a file',
    description:
      'Everything that the filters select, in the published order. Without filters `.parquet` is the published file, byte for byte, with a strong `ETag`, `Accept-Ranges` and `Repr-Digest`.\n\nFour exports run at once on a server process, two of one key; further ones get 503. A file that breaks off ends with a reset connection. `.xlsx` has at most 1,048,575 rows.',
    rules: [PARAMETER_RULES.export],
    parts: { dataset: DATASET_NAMES, format: EXPORT_FORMATS },
    requestHeaders: [...FILTERED, 'Range', 'If-Range'],
    answers: Object.fromEntries(
      EXPORT_FORMATS.map((format) => [MEDIA_TYPES[format].split(';')[0] ?? '', null]),
    ),
    isFile: true,
    examples: [
      { summary: 'The country lookup of Malta', request: '/v1/export/country_reference.csv?country=Malta' },
    ],
  },
  {
    path: '/v1/usage',
    method: 'get',
    id: 'getUsage',
    tag: 'Service',
    summary: 'What the calling key has used',
    description:
      'The limits of the key and what is left of them, and its requests of the last 31 days, UTC, newest first. Days without requests are left out. Figures may lag a few seconds.',
    requestHeaders: CONDITIONAL,
    answers: JSON_ALONE(usageAnswer),
    examples: [
      {
        summary: 'A key on its first day',
        request: '/v1/usage',
        changing: ['id', 'created_at', 'resets_at', 'limit', 'used', 'remaining', 'date', 'requests'],
      },
    ],
  },
  {
    path: '/openapi.json',
    method: 'get',
    id: 'getOpenApi',
    tag: 'Service',
    summary: 'This description as OpenAPI 3.1',
    description: 'Made from the validators when the server starts.',
    requestHeaders: CONDITIONAL,
    answers: JSON_ALONE(z.record(z.string(), z.unknown())),
    isOpen: true,
    examples: [],
  },
  {
    path: '/healthz',
    method: 'get',
    id: 'getHealth',
    tag: 'Service',
    summary: 'Whether the process answers',
    description: 'For the operator: restart the process when it does not.',
    requestHeaders: [],
    answers: JSON_ALONE(healthAnswer),
    isOpen: true,
    examples: [{ summary: 'A process that answers', request: '/healthz' }],
  },
  {
    path: '/readyz',
    method: 'get',
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Whether the server should receive requests',
    description:
      '200 when a snapshot is served, Redis answers and the warm-up is over. The body says what is missing.',
    requestHeaders: [],
    answers: JSON_ALONE(readinessAnswer),
    others: { 503: { description: 'Something is missing; the body says what.', schema: readinessAnswer } },
    isOpen: true,
    examples: [{ summary: 'A ready server', request: '/readyz', changing: ['age_seconds', 'warm'] }],
  },
];

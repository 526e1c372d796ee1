// The endpoints that give rows, and the schemas of their answers.

import { z } from 'zod';
import { DATASET_NAMES, type DatasetName, datasetOf, isFinancial } from '../../../catalog/datasets.ts';
import { PARAMETER_RULES } from '../../../query/parameters/parameterRules.ts';
import { FILTERED, type Operation, OTHER_PAGE_TYPES, pageAnswers } from './operation.ts';
import {
  count,
  datasetName,
  dimensionName,
  dimensionsOf,
  dimensionValue,
  FINANCIAL_NAMES,
  filtersApplied,
  number,
  pagination,
  snapshotId,
} from './schemas.ts';

const valuesOf = (name: DatasetName) =>
  z.object(
    Object.fromEntries(
      Object.entries(datasetOf(name).metrics).map(([metric, { description, unit }]) => [
        metric,
        number.meta({ description: `${description} (${unit})` }),
      ]),
    ),
  );

const pascal = (name: string) => name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

const rowOf = (name: DatasetName) =>
  z
    .object({ dimensions: dimensionsOf(name), values: valuesOf(name) })
    .meta({ id: `${pascal(name)}Row`, description: `A row of ${name}.` });

/** A page of rows. All rows in `data` are of the dataset that `meta` names. */
const financialsPage = z
  .object({
    meta: z.object({
      dataset: z.enum(FINANCIAL_NAMES),
      metric: z.enum(FINANCIAL_NAMES),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Rows of this page.' }),
    }),
    data: z.array(z.union(FINANCIAL_NAMES.map(rowOf))),
    pagination,
  })
  .meta({ id: 'FinancialsPage' });

const referencePage = z
  .object({
    meta: z.object({
      dataset: z.enum(DATASET_NAMES.filter((name) => !isFinancial(name))),
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Rows of this page.' }),
    }),
    data: z.array(
      dimensionsOf('country_reference').meta({
        id: 'CountryReferenceRow',
        description: 'A row of country_reference.',
      }),
    ),
    pagination,
  })
  .meta({ id: 'ReferencePage' });

const side = z.record(z.string(), number).nullable();

const changesPage = z
  .object({
    meta: z.object({
      dataset: datasetName,
      since: snapshotId,
      until: snapshotId,
      filters_applied: filtersApplied,
      row_count: count.meta({ description: 'Changes of this page.' }),
      counts: z
        .object({ added: count, removed: count, revised: count })
        .meta({ description: 'All changes that the filters select, whatever `change` is.' }),
    }),
    data: z.array(
      z.object({
        change: z.enum(['added', 'removed', 'revised']),
        dimensions: z.partialRecord(dimensionName, dimensionValue),
        before: side.meta({ description: 'Values in `since`; `null` for an added row.' }),
        after: side.meta({ description: 'Values in `until`; `null` for a removed row.' }),
      }),
    ),
    pagination,
  })
  .meta({ id: 'ChangesPage' });

const CSV = { accept: 'text/csv' };

export const ROWS: readonly Operation[] = [
  {
    path: '/v1/financials',
    id: 'getFinancials',
    tag: 'Rows',
    summary: 'Rows of ggr, turnover, fx or country',
    description: `Gives the rows that have, for each filter, one of its values. Any dimension of the dataset is a filter; repeat it for several values. Text matches exactly.\n\nWhile \`pagination.has_more\` is true, repeat the request with \`cursor\` set to \`pagination.cursor\`. A walk stays on the snapshot it began with. The order of rows is fixed and total.\n\n\`Accept\` with ${OTHER_PAGE_TYPES.map(({ type, separator }) => `${separator}\`${type}\``).join('')} gives the page in that format.`,
    rules: [PARAMETER_RULES.financials],
    requestHeaders: FILTERED,
    answers: pageAnswers(financialsPage),
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
      { summary: 'A period that is not one', request: '/v1/financials?metric=ggr&period=2024' },
      {
        summary: 'A dimension of another dataset',
        request: '/v1/financials?metric=ggr&calculation=Reported',
      },
      { summary: 'A cursor that is not one', request: '/v1/financials?metric=ggr&cursor=abc' },
      {
        summary: 'A misspelt value, with strict handling',
        request: '/v1/financials?metric=ggr&country=Maltta',
        headers: { prefer: 'handling=strict' },
      },
    ],
  },
  {
    path: '/v1/reference',
    id: 'getReference',
    tag: 'Rows',
    summary: 'Rows of country_reference',
    description:
      'The lookup from country to region and type. Rows are flat: without years, dimensions and values. Filters, pages and formats are those of `/v1/financials`.',
    rules: [PARAMETER_RULES.reference],
    requestHeaders: FILTERED,
    answers: pageAnswers(referencePage),
    examples: [
      { summary: 'One country', request: '/v1/reference?dataset=country_reference&country=Malta' },
      { summary: 'A dataset with numbers', request: '/v1/reference?dataset=ggr' },
    ],
  },
  {
    path: '/v1/changes',
    id: 'getChanges',
    tag: 'Rows',
    summary: 'What differs between two snapshots',
    description:
      'Compares two snapshots row by row, matched by all dimensions. `before` is `null` for an added row, `after` for a removed one. `meta.counts` counts everything that the filters select.\n\n`X-Snapshot` is the default of `until`.',
    rules: [PARAMETER_RULES.changes],
    requestHeaders: FILTERED,
    answers: pageAnswers(changesPage),
    hasMetaHeader: true,
    examples: [
      {
        summary: 'What November revised',
        request: '/v1/changes?dataset=ggr&since=2026-10&change=revised&limit=1',
      },
      { summary: 'Without since', request: '/v1/changes?dataset=ggr' },
    ],
  },
];

// The help topics of snapshots, changes and sums, and of exports that are too long.

import type { HelpText } from './helpText.ts';

export const SNAPSHOT_AND_SUM_TOPICS = {
  'unknown-snapshot': {
    status: 400,
    title: 'There is no such snapshot',
    cause:
      '`X-Snapshot`, `since` and `until` take a snapshot (`2026-10.1`), a month (`2026-10`) or a day (`2026-10-15`). This one was never published, has been removed, or lies before the first publication.',
    remedy: 'Choose one that `GET /v1/snapshots` lists, or leave the header out for the current one.',
    example: '/v1/snapshots',
  },
  'snapshot-day': {
    status: 400,
    title: 'The snapshot is named by a day that does not exist',
    cause: 'The date is not on the calendar, such as 31 September.',
    remedy: 'Name a day that exists, or the month: `2026-09`.',
  },
  'since-missing': {
    status: 400,
    title: 'since is missing',
    cause: '`/v1/changes` compares two snapshots. `since` names the one to compare with; it is given once.',
    remedy: 'Add `since` with a snapshot, a month or a day.',
    example: '/v1/changes?dataset=ggr&since=2026-10',
  },
  'unknown-change': {
    status: 400,
    title: 'There is no such kind of change',
    cause: '`change` is `added`, `removed` or `revised`. It may be repeated.',
    remedy: 'Use one of the three, or leave it out for all.',
    example: '/v1/changes?dataset=ggr&since=2026-10&change=revised',
  },
  'sum-refused': {
    status: 400,
    title: 'The sum would be wrong',
    cause:
      'The rows differ in a dimension over which values do not add up. The same money has a row in each currency (`fx`). The row without a `state` is the whole country. A forecast and a reported value (`temporal`) are two views of one year, and so are two methods (`calculation`).',
    remedy: 'For each dimension that the message names, filter to one value or add it to `by`.',
    example: '/v1/totals?dataset=ggr&by=country&fx=USD&state=&temporal=Current',
  },
  'sum-too-large': {
    status: 400,
    title: 'The sum is too large for a double',
    cause: 'The exact sum is beyond the largest number that JSON programs can read.',
    remedy: 'Select fewer rows, or group by more dimensions.',
  },
  'nothing-to-sum': {
    status: 400,
    title: 'The dataset has nothing that adds up',
    cause: 'Exchange rates and lookups have no total: the sum of rates means nothing.',
    remedy: 'Sum `ggr`, `turnover` or `country`. Read rates row by row.',
    example: '/v1/financials?metric=fx&country=Malta',
  },
  'dimension-named-twice': {
    status: 400,
    title: 'by names a dimension twice',
    cause: 'Each dimension can be in `by` once.',
    remedy: 'Leave the repeat out.',
    example: '/v1/totals?dataset=ggr&by=country&by=year&fx=USD&state=&temporal=Current',
  },
  'workbook-too-long': {
    status: 400,
    title: 'The selection does not fit into a workbook',
    cause: 'A worksheet has 1,048,576 rows, and the first one is the header.',
    remedy: 'Filter the selection, or export `.csv` or `.parquet`, which have no such limit.',
    example: '/v1/export/ggr.parquet',
  },
} satisfies Readonly<Record<string, HelpText>>;

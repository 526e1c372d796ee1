// The texts to which the help links of errors lead. Each says what went wrong and what to do.

import type { HelpTopic } from '../../errors.ts';

export interface HelpText {
  readonly status: 400 | 401 | 404 | 429;
  readonly title: string;
  /** Sentences; text between backticks is code. */
  readonly cause: string;
  readonly remedy: string;
  /** A request that works, or a part of one. */
  readonly example?: string;
}

/** The texts by their anchor: errors have the header `Link: </docs#anchor>; rel="help"`. */
export const HELP_TOPICS: Readonly<Record<HelpTopic, HelpText>> = {
  'key-missing': {
    status: 401,
    title: 'The request has no key',
    cause: 'The header `x-api-key` is missing or empty. Every path under `/v1` needs it.',
    remedy: 'Send your key in the header `x-api-key`. You get a key through an invite link from the team.',
    example: 'curl "$HOST/v1/catalog" -H "x-api-key: $API_KEY"',
  },
  'key-as-bearer': {
    status: 401,
    title: 'The key was sent as a bearer token',
    cause:
      'The request has an `Authorization` header and no `x-api-key`. Under `/v1` the key is read from `x-api-key` alone; only `/mcp` takes a bearer token.',
    remedy: 'Send the same key as `x-api-key`, without the word `Bearer`.',
    example: 'curl "$HOST/v1/catalog" -H "x-api-key: $API_KEY"',
  },
  'key-in-address': {
    status: 401,
    title: 'The key was sent in the address',
    cause:
      'The query string has a parameter that looks like a key. Addresses end up in logs and histories, so a key is never read from one.',
    remedy:
      'Send the key in the header `x-api-key`. If the address may have been logged, ask the team for a new key.',
    example: 'curl "$HOST/v1/catalog" -H "x-api-key: $API_KEY"',
  },
  'key-refused': {
    status: 401,
    title: 'The key is not valid, or not any more',
    cause:
      'The text in `x-api-key` is not a key, or is one that is unknown to this server, was revoked, was replaced by a new one or has expired. For safety the answer does not say which. A key is `sk_live_` and 49 letters and digits, the last six of which are a checksum.',
    remedy:
      'Copy the key again, in full and without quotation marks: `echo -n "$API_KEY" | wc -c` must print 57. Check that it belongs to this server and not to another environment. If it does, ask the team for a new invite; a lost or expired key cannot be restored.',
  },
  'metric-missing': {
    status: 400,
    title: 'metric is missing',
    cause: '`/v1/financials` needs the parameter `metric`, once and not empty: the name of a dataset.',
    remedy: 'Add `metric=ggr`, `turnover`, `fx` or `country`.',
    example: '/v1/financials?metric=ggr&country=Malta&year=2024',
  },
  'dataset-missing': {
    status: 400,
    title: 'dataset is missing',
    cause: 'This endpoint needs the parameter `dataset`, once and not empty.',
    remedy: 'Add it. `GET /v1/catalog` lists the datasets.',
    example: '/v1/values?dataset=ggr',
  },
  'unknown-metric': {
    status: 400,
    title: 'There is no such metric',
    cause:
      '`metric` is the name of a dataset with numbers: `ggr`, `turnover`, `fx` or `country`, in lower case. A column of a dataset, such as `gdp_usd`, is not a metric: every row brings all columns.',
    remedy: 'Use one of the four names. `GET /v1/catalog` lists them.',
    example: '/v1/financials?metric=country&country=Malta',
  },
  'unknown-dataset': {
    status: 400,
    title: 'There is no such dataset',
    cause: 'No dataset of that name is in the snapshot that was asked. Names are in lower case.',
    remedy: 'Use a name that `GET /v1/catalog` lists.',
    example: '/v1/catalog',
  },
  'reference-as-metric': {
    status: 400,
    title: 'country_reference was asked for as a metric',
    cause: '`country_reference` is a lookup without numbers and years. `/v1/financials` does not serve it.',
    remedy: 'Ask `/v1/reference` for it, with `dataset` in place of `metric`.',
    example: '/v1/reference?dataset=country_reference&region=Europe',
  },
  'financial-as-reference': {
    status: 400,
    title: 'A dataset with numbers was asked for at /v1/reference',
    cause: '`/v1/reference` serves lookups only: `country_reference`.',
    remedy: 'Ask `/v1/financials` for it, with `metric` in place of `dataset`.',
    example: '/v1/financials?metric=ggr&country=Malta',
  },
  'misspelt-parameter': {
    status: 400,
    title: 'A parameter is not known',
    cause:
      'A parameter, or a name in `by` or `dimension`, is neither a dimension of the dataset nor anything else that the endpoint takes. It is refused, because an ignored filter would give a wrong result without a word.',
    remedy:
      'Compare its spelling with the dimensions that the message lists: `country`, not `countries`; `sub_channel`, not `subchannel`.',
    example: '/v1/financials?metric=ggr&sub_channel=Onshore',
  },
  'dimension-of-another-dataset': {
    status: 400,
    title: 'The dataset does not have this dimension',
    cause:
      'The parameter is a dimension, but of another dataset: `calculation` belongs to `fx` and `country`, `product` to `ggr` and `turnover`; `country_reference` has neither years nor `period`.',
    remedy:
      'Leave the parameter out, or ask a dataset that has it. The message lists the dimensions of this one.',
    example: '/v1/financials?metric=fx&calculation=Reported',
  },
  'no-parameters': {
    status: 400,
    title: 'This endpoint takes no parameters',
    cause: 'The request has a query string, and this path has nothing to filter.',
    remedy: 'Leave the query string out.',
    example: '/v1/catalog',
  },
  'given-twice': {
    status: 400,
    title: 'A parameter was given twice',
    cause:
      '`metric`, `dataset`, `period`, `limit`, `cursor` and `until` may be given once. Only filters, `by`, `dimension` and `change` are repeated for several values.',
    remedy:
      'Send it once. A client that adds `cursor` to the address of the page before must replace the old one.',
  },
  'period-format': {
    status: 400,
    title: 'period is not two dates',
    cause:
      '`period` is two dates with a colon between them, both with four digits for the year: `YYYY-MM-DD:YYYY-MM-DD`.',
    remedy: 'Write both dates in full. For a single year use `year=2024` instead.',
    example: '/v1/financials?metric=ggr&period=2020-01-01:2024-12-31',
  },
  'period-day': {
    status: 400,
    title: 'period names a day that does not exist',
    cause:
      'Both dates must be on the calendar. 30 February and 31 June are not, nor is 29 February in a common year.',
    remedy:
      'Use the last day that the month has. `period` keeps every year that it touches, so any day of the year does.',
    example: '/v1/financials?metric=ggr&period=2023-01-01:2023-12-31',
  },
  'period-turned-round': {
    status: 400,
    title: 'period ends before it begins',
    cause: 'The first date of `period` is after the second.',
    remedy: 'Put the earlier date first.',
    example: '/v1/financials?metric=ggr&period=2020-01-01:2024-12-31',
  },
  limit: {
    status: 400,
    title: 'limit is not from 1 to 1000',
    cause:
      '`limit` is the number of rows of a page: digits only, from 1 to 1000. Without it a page has 100 rows.',
    remedy: 'Use `limit=1000` and follow `pagination.cursor`, or export the whole selection as one file.',
    example: '/v1/export/ggr.csv?country=Malta',
  },
  year: {
    status: 400,
    title: 'year is not a whole number',
    cause: 'Each `year` is a whole number, such as 2024. Ranges and lists with commas are not read.',
    remedy: 'Repeat the parameter for several years, or use `period` for a range.',
    example: '/v1/financials?metric=ggr&year=2023&year=2024',
  },
  'unknown-value': {
    status: 400,
    title: 'No row has this value',
    cause:
      'The request says `Prefer: handling=strict`, and the dataset has no such value. Values match exactly, with upper and lower case.',
    remedy:
      'Use the value that the message suggests, or look it up. Without the header the answer is 200 with no rows.',
    example: '/v1/values?dataset=ggr&dimension=country',
  },
  'broken-encoding': {
    status: 400,
    title: 'The query string is not valid UTF-8',
    cause:
      'A percent sign is not followed by two hexadecimal digits, or the bytes are not UTF-8 (they may be Latin-1).',
    remedy:
      'Let a library encode the values: `curl -G --data-urlencode`, `params=` in Python, `URLSearchParams` in JavaScript.',
    example:
      'curl -G "$HOST/v1/financials" -H "x-api-key: $API_KEY" -d metric=fx --data-urlencode "country=Côte d\'Ivoire"',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor does not belong to this request',
    cause:
      'A cursor works with the dataset, the filters and the snapshot that it was made for. This one was cut or changed, the filters are others, `X-Snapshot` names another snapshot, or its snapshot is not retained any more.',
    remedy:
      'Send the cursor exactly as it came, with the same filters. Otherwise begin again without `cursor`. `limit` may change.',
  },
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
      'The rows differ in a dimension over which values do not add up. The same money stands there once in each currency (`fx`); the row without a `state` stands for the whole country; a forecast and a reported value (`temporal`) are two views of one year; so are two methods (`calculation`).',
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
  'malformed-request': {
    status: 400,
    title: 'The request is not valid HTTP',
    cause:
      'The request line or a header cannot be read, the address holds a character that is not percent-encoded, the `Host` header is missing, repeated or no host, or nothing says where the body ends.',
    remedy:
      'Use an HTTP library; with curl write `-G --data-urlencode "country=Åland"`. If you do, look for a proxy that changes the request on its way.',
  },
  'unknown-path': {
    status: 404,
    title: 'There is no such path',
    cause: 'Nothing is served at this address.',
    remedy: 'Compare it with the endpoints on this page.',
    example: '/v1/catalog',
  },
  'path-without-version': {
    status: 404,
    title: 'The path lacks its version',
    cause: 'Every endpoint begins with `/v1`; error messages leave it out for short.',
    remedy: 'Put `/v1` before the path.',
    example: '/v1/catalog',
  },
  'path-spelling': {
    status: 404,
    title: 'The path is spelt differently',
    cause: 'Paths are exact: lower case, no slash at the end, no doubled slash.',
    remedy: 'Write the path as on this page.',
    example: '/v1/financials?metric=ggr',
  },
  method: {
    status: 404,
    title: 'The path does not take this method',
    cause: 'The API is read-only: paths under `/v1` answer GET, HEAD and OPTIONS.',
    remedy: 'Use GET, with parameters in the query string and no body.',
    example: 'curl -G "$HOST/v1/financials" -H "x-api-key: $API_KEY" -d metric=ggr',
  },
  'unknown-name': {
    status: 404,
    title: 'The path names no dataset or format',
    cause:
      'The path must end in the name of a dataset that the snapshot has, as `/v1/datasets/ggr`; under `/v1/export/` a dot and `parquet`, `csv`, `arrow` or `xlsx` follow.',
    remedy: 'Use a name that `GET /v1/datasets` lists; its `files` are the addresses of the exports.',
    example: '/v1/export/ggr.csv',
  },
  'rate-limit': {
    status: 429,
    title: 'The key has used up its limit',
    cause:
      'A key has a limit for any 60 seconds and one for any 24 hours; `RateLimit` and `X-RateLimit-Reset` say which is used up and when the next request is admitted.',
    remedy:
      'Wait as many seconds as `Retry-After` says, then go on. Fewer requests do as much with `limit=1000`, with several values in one request, or with an export.',
    example: '/v1/export/ggr.parquet',
  },
  'address-limit': {
    status: 429,
    title: 'Too many requests without a valid key',
    cause:
      'Requests without a valid key are limited to 100 a minute for each client address. Requests with a valid key are not affected.',
    remedy: 'Stop the program that sends no key or a wrong one, and wait as long as `Retry-After` says.',
  },
};

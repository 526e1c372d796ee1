// The help topics of parameters: missing, unknown or malformed ones.

/** A help topic: what went wrong in a request, and what to do. */
export interface HelpText {
  readonly status: 400 | 401 | 404 | 429;
  readonly title: string;
  /** Sentences; text between backticks is code. */
  readonly cause: string;
  readonly remedy: string;
  /** A request that works, or a part of one. */
  readonly example?: string;
}

export const PARAMETER_TOPICS = {
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
      '`metric` is the name of a dataset with numbers: `ggr`, `turnover`, `fx` or `country`, in lower case. A column of a dataset, such as `gdp_usd`, is not a metric: every row has all columns.',
    remedy: 'Use one of the four names. `GET /v1/catalog` lists them.',
    example: '/v1/financials?metric=country&country=Malta',
  },
  'unknown-dataset': {
    status: 400,
    title: 'There is no such dataset',
    cause: 'The snapshot has no dataset of that name. Names are in lower case.',
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
      'A parameter, or a name in `by` or `dimension`, is neither a dimension of the dataset nor anything else that the endpoint takes. It is refused, because an ignored filter would silently give a wrong result.',
    remedy:
      'Compare its spelling with the dimensions that the message lists: `country`, not `countries`; `sub_channel`, not `subchannel`. In place of `page` or `offset`, send the `cursor` of the page before. In place of `from` and `to`, send `period`. In place of `format`, send the header `Accept: text/csv`. A comma does not separate names: repeat the parameter, as in `by=country&by=year`. The order of rows and their fields are fixed.',
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
      'Use the last day that the month has. `period` keeps every year that it touches, so any day of the year has the same effect.',
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
      'A cursor works with the dataset, the filters and the snapshot that it was made for. This one was cut or changed, the filters are different, `X-Snapshot` names another snapshot, or its snapshot is not retained any more.',
    remedy:
      'Send the cursor exactly as it came, with the same filters. Otherwise begin again without `cursor`. `limit` may change.',
  },
} satisfies Readonly<Record<string, HelpText>>;

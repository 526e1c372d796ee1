// The help topics: the sections of the documentation to which the help links of errors lead.

import type { HelpTopic } from '../../../errors.ts';
import { type HelpText, PARAMETER_TOPICS } from './parameterTopics.ts';

/**
 * The topics. A key is the anchor in the help link of an error: `Link: </docs#anchor>; rel="help"`. The page lists the
 * topics of each status in this order.
 */
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

  ...PARAMETER_TOPICS,

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

  'malformed-request': {
    status: 400,
    title: 'The request is not valid HTTP',
    cause:
      'The request line or a header cannot be read, the address holds a character that is not percent-encoded, the `Host` header is missing, repeated or not a host, or nothing says where the body ends.',
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
};

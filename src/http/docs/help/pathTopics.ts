// The help topics of paths and methods, and of requests that are not valid HTTP.

import type { HelpText } from './helpText.ts';

export const PATH_TOPICS = {
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
} satisfies Readonly<Record<string, HelpText>>;

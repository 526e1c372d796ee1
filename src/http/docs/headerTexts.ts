// The headers of requests and answers, with a description and an example of each.

import { VARY } from '../server/headers.ts';

export interface HeaderText {
  readonly description: string;
  readonly example: string;
  readonly schema: object;
  /** Whether every answer for which the document lists the header has it. */
  readonly always?: true;
}

const text = (description: string, example: string, schema: object = { type: 'string' }): HeaderText => ({
  description,
  example,
  schema,
});

const always = (header: HeaderText): HeaderText => ({ ...header, always: true });

const integer = (least: number) => ({ type: 'integer', minimum: least });

/** Headers that clients may send, except `x-api-key`, `Accept` and `Accept-Encoding`. */
export const REQUEST_HEADERS = {
  'X-Snapshot': text(
    'The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers.',
    '2026-10',
  ),
  Prefer: text('`handling=strict` refuses filter values that the dataset does not have.', 'handling=strict'),
  'If-None-Match': text(
    'ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right.',
    'W/"3q2-7wAB_ZJgZ5yNcQxWdA"',
  ),
  Range: text('One range of a published `.parquet` file: the answer is 206 with this part.', 'bytes=0-1023'),
  'If-Match': text(
    'Strong ETags of a published `.parquet` file, or `*`: the answer is 412 when the file has none of them.',
    '"9f86d081884c7d659a2feaa0c55ad015"',
  ),
  'If-Range': text(
    'The strong ETag of the file that the client has a part of. If the file has another ETag, the whole file is sent.',
    '"9f86d081884c7d659a2feaa0c55ad015"',
  ),
} as const satisfies Record<string, HeaderText>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

export const RESPONSE_HEADERS = {
  'X-Request-Id': always(
    text('Names this request in the log of the server.', '6f1c1c1e-2b7c-4a38-9c55-6e7e0a8d8a3f', {
      type: 'string',
      format: 'uuid',
    }),
  ),
  Vary: always(text('The request headers that the answer depends on.', VARY)),
  'Cache-Control': always(
    text('`private, max-age=…` on an answer, `no-store` on an error.', 'private, max-age=3600'),
  ),
  ETag: always(
    text('The fingerprint of the answer, the same on every server.', 'W/"3q2-7wAB_ZJgZ5yNcQxWdA"'),
  ),
  'X-Snapshot': always(
    text('The snapshot that answered.', '2026-11.1', {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}\\.\\d+$',
    }),
  ),
  'X-Meta': always(
    text(
      'Metadata of the answer, in every format: a JSON object in ASCII. For totals it has those of `missing`, `not_summed`, `states_alone`, `currencies_alone`, `temporal_alone` and `notes` that `meta` has. For changes it has `since`, `until` and `counts`. Members that would make it longer than 2,048 characters are left out, and `left_out` names them.',
      '{"missing":{"gdp_usd":1}}',
      { type: 'string', contentMediaType: 'application/json' },
    ),
  ),
  Link: text(
    'The address of the next page, `rel="next"`. The last page has none.',
    '</v1/financials?metric=ggr&cursor=…>; rel="next"',
  ),
  // The header `Link` of an error. In the document, it needs another name than the `Link` of a page.
  Help: always(
    text(
      'The section of the documentation that explains the error, `rel="help"`.',
      '</docs#limit>; rel="help"',
    ),
  ),
  'Preference-Applied': text(
    '`handling=strict`, if `Prefer` asked for it. Of errors, only those that strict handling causes have it.',
    'handling=strict',
  ),
  'Retry-After': always(text('Seconds until the request can be repeated.', '17', integer(1))),
  'X-RateLimit-Limit': always(text('Size of the window with the least left.', '100', integer(1))),
  'X-RateLimit-Remaining': always(text('Requests left in that window.', '99', integer(0))),
  'X-RateLimit-Reset': always(
    text('The epoch second at which that window admits one more request.', '1795305600', integer(0)),
  ),
  'RateLimit-Policy': always(
    text(
      'The size of every window: `q` requests in `w` seconds.',
      '"minute";q=100;w=60, "day";q=10000;w=86400',
    ),
  ),
  RateLimit: always(
    text(
      'What is left of every window: `r` requests now, one more in `t` seconds.',
      '"minute";r=99;t=60, "day";r=9999;t=86400',
    ),
  ),
  'Content-Disposition': always(text('The name of the file.', 'attachment; filename="ggr-2026-11.1.csv"')),
  'Accept-Ranges': text('`bytes` on a published file.', 'bytes'),
  'Content-Range': always(text('Which part of the file this is.', 'bytes 0-1023/482113')),
  'Repr-Digest': text('The SHA-256 of the whole published file.', 'sha-256=:n4bQgYhM…=:'),
} as const satisfies Record<string, HeaderText>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

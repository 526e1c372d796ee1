// The help topics of keys and their limits.

import type { HelpText } from './helpText.ts';

export const KEY_TOPICS = {
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
} satisfies Readonly<Record<string, HelpText>>;

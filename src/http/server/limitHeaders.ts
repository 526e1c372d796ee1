// Stores the rate-limit headers of a response until its head is written.

import type { ServerResponse } from 'node:http';
import type { HeaderList } from './headers.ts';

/** Names a property of the response, which is faster than a map. */
const LIMITS = Symbol('rate-limit headers');

type Limited = ServerResponse & { [LIMITS]?: HeaderList };

/** The rate-limit headers of a response; empty until `setRateLimitHeaders` is called. */
export const rateLimitHeadersOf = (response: Limited): HeaderList => response[LIMITS] ?? NONE;

export function setRateLimitHeaders(response: Limited, headers: HeaderList): void {
  response[LIMITS] = headers;
}

const NONE: HeaderList = [];

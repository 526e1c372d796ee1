// The rate-limit headers of a response, from the decision about a request until its head is written.

import type { ServerResponse } from 'node:http';
import type { HeaderList } from './headers.ts';

/** A property of the response: quicker than a map. */
const LIMITS = Symbol('rate-limit headers');

type Limited = ServerResponse & { [LIMITS]?: HeaderList };

/** The rate-limit headers of a response; none until the guard has decided. */
export const limitsOf = (response: Limited): HeaderList => response[LIMITS] ?? NONE;

export function setLimits(response: Limited, headers: HeaderList): void {
  response[LIMITS] = headers;
}

const NONE: HeaderList = [];

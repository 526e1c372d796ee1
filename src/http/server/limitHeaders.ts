// Holds the rate-limit headers of a response until its head is written.

import type { ServerResponse } from 'node:http';
import type { HeaderList } from './headers.ts';

/** The quickest place there is for them. */
const LIMITS = Symbol('limits');

type Limited = ServerResponse & { [LIMITS]?: HeaderList };

/** What the response will say of limits; nothing until that is decided. */
export const limitsOf = (response: Limited): HeaderList => response[LIMITS] ?? NONE;

export function setLimits(response: Limited, headers: HeaderList): void {
  response[LIMITS] = headers;
}

const NONE: HeaderList = [];

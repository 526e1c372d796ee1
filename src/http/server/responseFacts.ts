// Stores facts about a request in its response: for the access log, for its headers, and for GET /v1/usage.

import type { ServerResponse } from 'node:http';
import type { Windows } from '../../access/gate/gateReply.ts';
import type { HeaderList } from './headers.ts';

/** The facts are properties of the response, which are faster than a map. */
const KEY_ID = Symbol('key id');
const SNAPSHOT = Symbol('snapshot id');
const RATE_LIMITS = Symbol('rate-limit headers');
const WINDOWS = Symbol('windows of the key');

type ResponseWithFacts = ServerResponse & {
  [KEY_ID]?: string | null;
  [SNAPSHOT]?: string;
  [RATE_LIMITS]?: HeaderList;
  [WINDOWS]?: Windows;
};

/** Stores the id of the key of the request; null when the key is not known. */
export function setKeyId(response: ResponseWithFacts, id: string | null): void {
  response[KEY_ID] = id;
}

/** The id of the key that was checked; null without one. */
export const keyIdOf = (response: ResponseWithFacts): string | null => response[KEY_ID] ?? null;

/** Stores the id of the snapshot that answers. */
export function setSnapshotId(response: ResponseWithFacts, id: string): void {
  response[SNAPSHOT] = id;
}

/** The id of the snapshot that answers; null while there is none. */
export const snapshotIdOf = (response: ResponseWithFacts): string | null => response[SNAPSHOT] ?? null;

/** Sets the rate-limit headers with which the response will be sent. */
export function setRateLimitHeaders(response: ResponseWithFacts, headers: HeaderList): void {
  response[RATE_LIMITS] = headers;
}

/** The headers that `setRateLimitHeaders` has set; none before. */
export const rateLimitHeadersOf = (response: ResponseWithFacts): HeaderList => response[RATE_LIMITS] ?? NONE;

const NONE: HeaderList = [];

/** Stores both windows of the key, as they were after this request. */
export function setKeyWindows(response: ResponseWithFacts, windows: Windows): void {
  response[WINDOWS] = windows;
}

/** The windows of the request's key; null on a server without keys. */
export const keyWindowsOf = (response: ResponseWithFacts): Windows | null => response[WINDOWS] ?? null;

// Makes the rate-limit headers of an answer (ruling 23).

import { nearestWindow, requestsLeft } from '../../access/gate/gate.ts';
import type { Window, Windows } from '../../access/gate/gateReply.ts';
import type { HeaderList } from '../server/headers.ts';

/** The headers of ruling 23 for the two windows of a key. */
export function keyRateLimitHeaders(windows: Windows): HeaderList {
  const { minute, day, clockMs } = windows;
  return headers(
    nearestWindow(windows),
    clockMs,
    `${policyOf('minute', minute, 60)}, ${policyOf('day', day, 86_400)}`,
    `${stateOf('minute', minute)}, ${stateOf('day', day)}`,
  );
}

/** The headers of ruling 23 for the one window of a client's address. */
export const addressRateLimitHeaders = (minute: Window, clockMs: number): HeaderList =>
  headers(minute, clockMs, policyOf('minute', minute, 60), stateOf('minute', minute));

const headers = (shown: Window, clockMs: number, policy: string, state: string): HeaderList => [
  'X-RateLimit-Limit',
  String(shown.limit),
  'X-RateLimit-Remaining',
  String(requestsLeft(shown)),
  'X-RateLimit-Reset',
  String(Math.ceil((clockMs + shown.freesMs) / 1000)),
  'RateLimit-Policy',
  policy,
  'RateLimit',
  state,
];

const policyOf = (name: string, { limit }: Window, seconds: number) => `"${name}";q=${limit};w=${seconds}`;

const stateOf = (name: string, window: Window) =>
  `"${name}";r=${requestsLeft(window)};t=${Math.ceil(window.freesMs / 1000)}`;

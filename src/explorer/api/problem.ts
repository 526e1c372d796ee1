// The problems that the page shows when a request has failed, with the time of the next attempt.

import type { Failure, FieldErrors } from './failure.ts';

export type Problem =
  /** `untilMs` is when the page asks again, in epoch milliseconds. */
  | { readonly kind: 'limited' | 'away'; readonly untilMs: number }
  | { readonly kind: 'unknown snapshot'; readonly name: string }
  | { readonly kind: 'unknown dataset'; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: 'unknown values'; readonly fields: FieldErrors }
  | { readonly kind: 'refused'; readonly error: string };

/** How long the page waits before it asks again, if the service does not say how long. */
export const RETRY_MS = 5000;

/**
 * The problem to show for a failure.
 * @param snapshot the snapshot that the failed request named.
 */
export function problemOf(failure: Failure, nowMs: number, snapshot: string): Problem {
  switch (failure.kind) {
    case 'limited':
    case 'away':
      return { kind: failure.kind, untilMs: nowMs + failure.waitSeconds * 1000 };
    case 'refused':
      if (failure.topic === 'unknown-snapshot') return { kind: 'unknown snapshot', name: snapshot };
      if (Object.keys(failure.fieldErrors).length > 0)
        return { kind: 'unknown values', fields: failure.fieldErrors };
      return { kind: 'refused', error: failure.error };
    // The page shows neither: a refused key locks it, and a request is cancelled only to be followed by another one.
    case 'unauthorised':
    case 'cancelled':
      return { kind: 'away', untilMs: nowMs + RETRY_MS };
  }
}

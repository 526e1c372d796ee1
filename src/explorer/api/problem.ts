// Turns failures into troubles, which the page shows: the problem, and the time of the next attempt.

import type { Failure } from './client.ts';

export type Trouble =
  /** `untilMs` is when the page asks again, in epoch milliseconds. */
  | { readonly kind: 'limited' | 'away'; readonly untilMs: number }
  | { readonly kind: 'unknown snapshot'; readonly name: string }
  | { readonly kind: 'unknown dataset'; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: 'unknown values'; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: 'refused'; readonly error: string };

/** How long the page waits before it asks again, if the service does not say how long. */
export const RETRY_MS = 5000;

/**
 * The trouble to show for a failure.
 * @param snapshot the snapshot that the failed request named.
 */
export function troubleOf(failure: Failure, nowMs: number, snapshot: string): Trouble {
  switch (failure.kind) {
    case 'limited':
    case 'away':
      return { kind: failure.kind, untilMs: nowMs + failure.waitSeconds * 1000 };
    case 'refused':
      if (failure.topic === 'unknown-snapshot') return { kind: 'unknown snapshot', name: snapshot };
      if (Object.keys(failure.fieldErrors).length > 0)
        return { kind: 'unknown values', fields: failure.fieldErrors };
      return { kind: 'refused', error: failure.error };
    default:
      return { kind: 'away', untilMs: nowMs + RETRY_MS };
  }
}

/** The reason why a question has no answer. */
export type StopReason = Trouble | Extract<Failure, { kind: 'unauthorised' | 'cancelled' }>;

/**
 * A failure as the reason why a question has no answer. The kinds `unauthorised` and `cancelled` do not become troubles,
 * because the store handles them and the page shows no notice for them.
 */
export const stoppedBy = (failure: Failure, nowMs: number, snapshot: string): StopReason =>
  failure.kind === 'unauthorised' || failure.kind === 'cancelled'
    ? failure
    : troubleOf(failure, nowMs, snapshot);

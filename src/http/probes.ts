// GET /healthz and GET /readyz: whether the process answers, and whether it should receive requests. They need no key.

import type { RequestHandler } from 'express';
import type { Snapshots } from '../catalog/snapshots.ts';
import { NO_STORE } from './server/headers.ts';
import { jsonContent, sendContent } from './server/send.ts';

/**
 * The state that `/readyz` reports in addition to the snapshot. The functions return at once, because a probe must not
 * wait.
 */
export interface Readiness {
  isRedisUp(): boolean;
  /** Whether the warm-up is over. */
  isWarm(): boolean;
  /**
   * Whether the snapshot store answers. A server is ready even when the store does not answer. Left out without a
   * store.
   */
  isStoreUp?(): boolean;
}

/** GET /healthz: 200 as long as the event loop runs. */
export const healthz: RequestHandler = (_request, response) => {
  sendContent(response, 200, jsonContent(NO_STORE, Buffer.from('{"status":"ok"}')));
};

const ALWAYS_READY: Readiness = { isRedisUp: () => true, isWarm: () => true };

/**
 * GET /readyz: 200 when a snapshot is served, Redis answers and the warm-up is over, else 503. The body has the state
 * of each.
 */
export function readyz(snapshots: Snapshots, readiness: Readiness = ALWAYS_READY): RequestHandler {
  return async (_request, response) => {
    const snapshot = snapshots.currentWithoutLease()?.manifest.id ?? null;
    const isReadyNow = isReady(snapshots, readiness);
    const body = {
      status: isReadyNow ? 'ready' : 'not ready',
      snapshot: snapshot === null ? null : { id: snapshot, age_seconds: await ageSecondsOf(snapshots) },
      redis: readiness.isRedisUp() ? 'up' : 'down',
      warm: readiness.isWarm(),
      ...(readiness.isStoreUp && { store: readiness.isStoreUp() ? 'up' : 'down' }),
    };
    sendContent(response, isReadyNow ? 200 : 503, jsonContent(NO_STORE, Buffer.from(JSON.stringify(body))));
  };
}

/** Whether this server should receive requests. */
export const isReady = (snapshots: Snapshots, { isRedisUp, isWarm }: Readiness): boolean =>
  snapshots.currentWithoutLease() !== null && isRedisUp() && isWarm();

/** The seconds since the current snapshot was published; null when the history does not have the time. */
async function ageSecondsOf(snapshots: Snapshots): Promise<number | null> {
  const publishedAt = await snapshots.currentPublishedAt();
  return publishedAt === null ? null : Math.round(ageSeconds(publishedAt));
}

/** The seconds since a publication; 0 when the clock of the machine that published is ahead of this one. */
export const ageSeconds = (publishedAt: string): number =>
  Math.max(0, (Date.now() - Date.parse(publishedAt)) / 1000);

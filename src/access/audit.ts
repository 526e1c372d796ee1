// Writes and reads the audit log: each act, its person and its time. The log is a Redis stream of limited length.
// It contains no secrets.

import type { RedisClient } from './redis/connection.ts';
import { AUDIT } from './redis/keyNames.ts';
import { waitForReplica } from './redis/waitForReplica.ts';

/** The acts that are recorded. */
export const ACTS = [
  'issue',
  'invite',
  'claim',
  'limits',
  'revoke',
  'rotate',
  'revoke-invite',
  'signin-link',
  'signin',
  'signout',
  'end-session',
  'role',
] as const;

export type Act = (typeof ACTS)[number];

/** An act, as it is recorded. */
export interface AuditEvent {
  /** Who acted: the user of the operating system, `<name>, team page <session id>`, or `claim page`. */
  readonly by: string;
  readonly act: Act;
  readonly keyId?: string;
  readonly inviteId?: string;
  /** Further facts, such as the new limits. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** An act, as it is read from the log. */
export interface AuditEntry extends AuditEvent {
  /** The id of the entry. Later entries have greater ids. */
  readonly entry: string;
  /** Epoch milliseconds by Redis's clock. */
  readonly atMs: number;
  readonly details: Readonly<Record<string, string>>;
}

/** The approximate length at which Redis drops the oldest entries. */
const MAX_ENTRIES = 100_000;

/**
 * Adds an event to the log.
 *
 * Callers record an act before it takes effect. After a crash in between, the log has an act that never took effect,
 * but every act that took effect is in the log.
 */
export async function recordAct(redis: RedisClient, event: AuditEvent): Promise<void> {
  const { by, act, keyId, inviteId, details = {} } = event;
  const fields = { by, act, ...(keyId && { keyId }), ...(inviteId && { inviteId }), ...details };
  const fieldList = Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);
  await redis.xadd(AUDIT, 'MAXLEN', '~', MAX_ENTRIES, '*', ...fieldList);
}

/**
 * Records an act and then carries it out. Returns the result of `effect` when a replica has the act and its effect, or
 * after 100 ms, so that a failover does not undo what was reported.
 */
export async function carryOut<Result>(
  redis: RedisClient,
  event: AuditEvent,
  effect: () => Promise<Result>,
): Promise<Result> {
  await recordAct(redis, event);
  const result = await effect();
  await waitForReplica(redis);
  return result;
}

/**
 * The newest `count` entries, newest first.
 *
 * `before` is the id of an entry, and only older entries are given. `sinceMs` is a time in epoch milliseconds by Redis's
 * clock: only entries of that time or later are given.
 */
export async function readAudit(
  redis: RedisClient,
  { count, before, sinceMs }: { readonly count: number; readonly before?: string; readonly sinceMs?: number },
): Promise<readonly AuditEntry[]> {
  const from = before === undefined ? '+' : `(${before}`;
  const entries = await redis.xrevrange(AUDIT, from, sinceMs ?? '-', 'COUNT', count);
  return entries.map(([entry, flat]) => {
    const { by = '', act, keyId, inviteId, ...details } = streamFields(flat);
    return {
      entry,
      atMs: Number(entry.split('-')[0]),
      by,
      act: act as Act,
      ...(keyId !== undefined && { keyId }),
      ...(inviteId !== undefined && { inviteId }),
      details,
    };
  });
}

/** The fields of an entry of a stream. Redis gives them as a list in which each name is followed by its value. */
export const streamFields = (flat: readonly string[]): Record<string, string> =>
  Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : [])));

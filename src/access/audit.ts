// Keeps who did what to which key or invite, and when: a capped stream, never holding a secret.

import type { RedisClient } from './redis/connection.ts';
import { AUDIT } from './redis/keyNames.ts';

/** What is told of. */
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
] as const;

export type Act = (typeof ACTS)[number];

export interface Deed {
  /** The operating-system user, `team page <session id>` or `claim page`. */
  readonly by: string;
  readonly act: Act;
  readonly keyId?: string;
  readonly inviteId?: string;
  /** What else is worth knowing, such as the new limits. */
  readonly details?: Readonly<Record<string, string | number>>;
}

export interface AuditEntry extends Deed {
  /** Names the entry; entries sort by it. */
  readonly entry: string;
  /** Epoch milliseconds by Redis's clock. */
  readonly at: number;
  readonly details: Readonly<Record<string, string>>;
}

const KEPT_ENTRIES = 100_000;

/**
 * Adds a deed.
 *
 * Called before the deed takes effect: after a crash between the two, the log tells of one that did not
 * happen, never the other way round.
 */
export async function record(redis: RedisClient, deed: Deed): Promise<void> {
  const { by, act, keyId, inviteId, details = {} } = deed;
  const fields = { by, act, ...(keyId && { keyId }), ...(inviteId && { inviteId }), ...details };
  const flat = Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);
  await redis.xadd(AUDIT, 'MAXLEN', '~', KEPT_ENTRIES, '*', ...flat);
}

/** The newest entries first; `before` an entry, to go on. */
export async function read(
  redis: RedisClient,
  { count, before }: { readonly count: number; readonly before?: string },
): Promise<readonly AuditEntry[]> {
  const from = before === undefined ? '+' : `(${before}`;
  const entries = await redis.xrevrange(AUDIT, from, '-', 'COUNT', count);
  return entries.map(([entry, flat]) => {
    const fields = new Map<string, string>();
    for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '');
    const { by = '', act, keyId, inviteId, ...details } = Object.fromEntries(fields);
    return {
      entry,
      at: Number(entry.split('-')[0]),
      by,
      act: act as Act,
      ...(keyId !== undefined && { keyId }),
      ...(inviteId !== undefined && { inviteId }),
      details,
    };
  });
}

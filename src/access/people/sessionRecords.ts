// Reads the records of sessions from Redis.

import type { RedisClient } from '../redis/connection.ts';
import { SESSION_IDS, sessionRecord } from '../redis/keyNames.ts';
import { mapConcurrently } from '../redis/mapConcurrently.ts';

/** A session as it is stored. */
export interface StoredSession {
  /** The id by which the audit log names the session. It is not a secret. */
  readonly id: string;
  readonly name: string;
  /** The SHA-256 of the cookie, by which the record is stored. */
  readonly hash: string;
  /** The role at the sign-in. */
  readonly role: string;
  /** Who made the sign-in link, or the issuer of the identity provider. */
  readonly invitedBy: string;
  /** Times are epoch milliseconds by Redis's clock. */
  readonly beganMs: number;
  readonly endsMs: number;
  /** Null in a session that began with a link. */
  readonly account: string | null;
  readonly providerSession: string | null;
}

/** Reads all sessions, and removes the ids of those whose records have expired. */
export async function readSessions(redis: RedisClient): Promise<StoredSession[]> {
  const ids = Object.entries(await redis.hgetall(SESSION_IDS));
  const sessions = await mapConcurrently(ids, ([id, hash]) => readSession(redis, id, hash));
  const expired = ids.flatMap(([id], i) => (sessions[i] === null ? [id] : []));
  if (expired.length > 0) await redis.hdel(SESSION_IDS, ...expired);
  return sessions.filter((session) => session !== null);
}

async function readSession(redis: RedisClient, id: string, hash: string): Promise<StoredSession | null> {
  const [name, role, invitedBy, began, ends, account = null, providerSession = null] = await redis.hmget(
    sessionRecord(hash),
    ...['name', 'role', 'invitedBy', 'began', 'ends', 'account', 'providerSession'],
  );
  if (!name || !began || !ends) return null;
  const times = { beganMs: Number(began), endsMs: Number(ends) };
  return { id, hash, name, role: role ?? '', invitedBy: invitedBy ?? '', ...times, account, providerSession };
}

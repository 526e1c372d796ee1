// The names of all Redis keys. No other file spells a Redis key.

/*
 * The part in braces is the hash tag of Redis Cluster. It puts all Redis keys of one API key into one slot, so that one
 * script can use them together. A `hash` is always a SHA-256 in hexadecimal, because no API key, token or cookie is
 * stored. Times are epoch milliseconds by Redis's clock, except in the two logs, which have microseconds.
 */

/** A Redis hash: the record of one API key. `KEY_FIELDS` lists its fields. */
export const keyRecord = (hash: string): string => `key:{${hash}}`;

/** A Redis list: the times at which the requests of the last minute were admitted, oldest first, in epoch microseconds. */
export const minuteLog = (hash: string): string => `minute:{${hash}}`;

/** A Redis list: the times at which the requests of the last day were admitted, oldest first, in epoch microseconds. */
export const dayLog = (hash: string): string => `day:{${hash}}`;

/**
 * A number that expires: the requests of one API key on one day. The gate adds 1 for each admitted request, and 2^32
 * for each that gets 429.
 *
 * @param day the number that `dayOf` gives.
 */
export const usageOfDay = (hash: string, day: number): string => `usage:{${hash}}:${day}`;

/** The number of days from 1970 to a time in epoch milliseconds, in UTC. */
export const dayOf = (epochMs: number): number => Math.floor(epochMs / 86_400_000);

/**
 * The fields of a key's record:
 * - `state` is `pending` until the key is completely issued, then `active` or `revoked`. Only an active key is admitted.
 * - `expires` is the time at which the key ends. It is absent when the key never ends.
 * - `used` is the time of the last admission. It is absent before the first one.
 * - `revoked` is the time at which a revoked key stopped working. It is absent when earlier versions revoked the key.
 * - `perMinute` and `perDay` are the key's own limits. They are absent when the limits of the settings apply.
 * - `end` is the end that was planned when the key was issued. A rotation may set an earlier `expires`.
 * - `note` is the team's note about the key. It is absent without one.
 *
 * The gate adds a field `ahead` after Redis's clock has stepped back: how far the key's own time is ahead of it, in
 * microseconds.
 * A rotation adds the id of the new key (`rotatedTo`) and the `expires` before the rotation (`endBefore`, empty without
 * one).
 */
export const KEY_FIELDS = [
  'id',
  'label',
  'state',
  'last4',
  'created',
  'expires',
  'used',
  'revoked',
  'perMinute',
  'perDay',
  'note',
  'end',
] as const;

/** A Redis hash: from the id of each key to its SHA-256. It lists every key that can be admitted. */
export const KEY_IDS = 'key-ids';

/**
 * A Redis hash: the record of one invite. It has the fields id, label, state, created and expires. It also has perMinute,
 * perDay, endsAfterMs and note if its key will have them. A claim adds claimed, keyId, keyHash and claimedBy.
 */
export const inviteRecord = (hash: string): string => `invite:{${hash}}`;

/** A Redis hash: from the id of each invite to the SHA-256 of its token. */
export const INVITE_IDS = 'invite-ids';

/**
 * A text that expires: a one-time link to the team's page, a sign-in that has begun at an identity provider, or the mark of
 * a notice of the provider that was carried out.
 */
export const signinRecord = (hash: string): string => `signin:{${hash}}`;

/** A Redis hash that expires: one session of the team's page. */
export const sessionRecord = (hash: string): string => `session:{${hash}}`;

/**
 * A Redis hash: from the id of each session to the SHA-256 of its cookie. The entry of an expired session stays until
 * all sessions are read.
 */
export const SESSION_IDS = 'session-ids';

/**
 * A Redis hash: from the name of each person to the role. The text ` by claim` follows the role if the identity provider
 * named it.
 */
export const PEOPLE = 'people';

/** A Redis stream of limited length: the audit log, newest act last. */
export const AUDIT = 'audit';

/** The prefix of the Redis keys that count the visits of each client address to the pages. They expire. */
export const VISITS = 'visits:';

/** Stands for a hash that belongs to no API key. Redis keys with it exist only while a script runs. */
export const NO_HASH = 'none';

/** An empty text that expires: the mark of a form that was submitted. */
export const formRecord = (hash: string): string => `form:{${hash}}`;

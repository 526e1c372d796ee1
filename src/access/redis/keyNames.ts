// The names of all Redis keys: the one place where a Redis key is spelled.

/*
 * The braces are Redis Cluster's hash tag: all Redis keys of one API key lie in one slot, so that one script may use
 * them together. A `hash` is always a SHA-256 in hexadecimal: no API key, token or cookie is stored. Times are epoch
 * milliseconds by Redis's clock, except in the two logs, which hold microseconds.
 */

/** Hash of one API key's record; its fields are in `KEY_FIELDS`. */
export const keyRecord = (hash: string): string => `key:{${hash}}`;

/** List of the times admitted in the last minute, oldest first, in epoch microseconds. */
export const minuteLog = (hash: string): string => `minute:{${hash}}`;

/** List of the times admitted in the last day, oldest first, in epoch microseconds. */
export const dayLog = (hash: string): string => `day:{${hash}}`;

/**
 * The requests of one API key on one day, counted by the gate; expires. A whole number: the admitted requests, plus 2^32
 * for each that got 429. `day` is the number that `dayOf` gives.
 */
export const usageOfDay = (hash: string, day: number): string => `usage:{${hash}}:${day}`;

/** The UTC day of a time in epoch milliseconds: the number of days since 1970. */
export const dayOf = (epochMs: number): number => Math.floor(epochMs / 86_400_000);

/**
 * The fields of a key's record:
 * `state` is `active`, `revoked`, or `pending` until the key is completely issued: only `active` is admitted;
 * `expires` is absent when the key never does;
 * `used` is the last admission, absent before the first;
 * `revoked` is when a revoked key stopped working, absent for keys revoked before that was recorded;
 * `perMinute` and `perDay` are absent when the settings of the server hold;
 * `end` is the end that the key was issued with, absent without one; a grace period may set an earlier `expires`;
 * `note` is what the team wrote about the key, absent without one.
 * Besides them the gate keeps `ahead`: how far the key's own time is ahead of a clock that stepped back, in microseconds.
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

/** Hash: a key's id → its SHA-256. It lists every key that can be admitted. */
export const KEY_IDS = 'key-ids';

/**
 * Hash of one invite: id, label, state, created, expires; perMinute, perDay, endsAfterMs and note of its key, where they
 * were given; and once claimed: claimed, keyId, keyHash, claimedBy.
 */
export const inviteRecord = (hash: string): string => `invite:{${hash}}`;

/** Hash: an invite's id → the SHA-256 of its token. */
export const INVITE_IDS = 'invite-ids';

/** A one-time link to the team's page; expires. */
export const signinRecord = (hash: string): string => `signin:{${hash}}`;

/** Hash of one session of the team's page; expires. */
export const sessionRecord = (hash: string): string => `session:{${hash}}`;

/** Hash: a session's id → the SHA-256 of its cookie; an entry outlives its session until sessions are listed. */
export const SESSION_IDS = 'session-ids';

/** Hash: the name of a person of the team → their role, followed by ` by claim` where the identity provider named it. */
export const PEOPLE = 'people';

/** Stream: who did what to which key, newest last, capped. */
export const AUDIT = 'audit';

/** Counter of one client address's visits to the pages; expires. */
export const VISITS = 'visits:';

/** The hash in the names of Redis keys that belong to no API key. Such keys exist only while a script runs. */
export const NO_HASH = 'none';

/** A form of the team's page that was sent; expires. */
export const formRecord = (hash: string): string => `form:{${hash}}`;

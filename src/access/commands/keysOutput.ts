// Formats the tables and times that the commands of `npm run keys` print.

import type { RateLimits } from '../../config/config.ts';
import { table } from '../../terminal/table.ts';
import type { AuditEntry } from '../audit.ts';
import type { BackupCounts } from '../backup.ts';
import type { InviteInfo } from '../invites/inviteRecords.ts';
import type { KeyInfo, OwnLimits } from '../keys/keyRecords.ts';

/** A table of keys with their states, limits and use. */
export function keysTable(keys: readonly KeyInfo[], settings: RateLimits): string {
  if (keys.length === 0) return 'no keys yet: invite somebody, or issue one\n';
  const rows = keys.map((key) => [
    key.id,
    key.label,
    `…${key.last4}`,
    keyState(key),
    key.createdMs === 0 ? 'unknown' : utcTime(key.createdMs),
    lastUse(key),
    `${thousands(key.dayUse)} of ${thousands(key.perDay ?? settings.perDay)}`,
    ownLimits(key),
  ]);
  return table([
    ['id', 'label', 'key', 'state', 'created (UTC)', 'last used', 'last 24 hours', 'own limits'],
    ...rows,
  ]);
}

function lastUse({ usedMs, state }: KeyInfo): string {
  if (usedMs !== null) return utcTime(usedMs);
  return state === 'damaged' ? 'unknown' : 'never';
}

/** A table of invites with their states. */
export function invitesTable(invites: readonly InviteInfo[]): string {
  if (invites.length === 0) return 'no invites yet\n';
  const rows = invites.map(({ id, label, state, createdMs, expiresMs, keyId }) => [
    id,
    label,
    state,
    state === 'damaged' ? 'unknown' : utcTime(createdMs),
    state === 'damaged' ? 'unknown' : utcTime(expiresMs),
    keyId ?? '',
  ]);
  return table([['id', 'label', 'state', 'created (UTC)', 'expires', 'became key'], ...rows]);
}

/** A table of the entries, in the order given. */
export function auditTable(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'nothing has been done yet\n';
  const rows = entries.map(({ atMs, by, act, keyId, inviteId, details }) => {
    const { label = '', ...rest } = details;
    const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
    return [utcTime(atMs, SECONDS), by, act, keyId ?? '', inviteId ?? '', label, more.join(', ')];
  });
  return table([['when (UTC)', 'who', 'what', 'key', 'invite', 'label', ''], ...rows]);
}

/** The content of a backup, as the end of a sentence: `1 key, 2 invites, 3 people and 1 entry of the audit log.` */
export function backupContent({ keys, invites, people, auditEntries }: BackupCounts): string {
  const counted = (count: number, one: string, many: string) =>
    `${thousands(count)} ${count === 1 ? one : many}`;
  const lists = `${counted(keys, 'key', 'keys')}, ${counted(invites, 'invite', 'invites')}`;
  const log = `${counted(auditEntries, 'entry', 'entries')} of the audit log`;
  return `${lists}, ${counted(people, 'person', 'people')} and ${log}.`;
}

/** A count with commas between thousands: `1,234`. */
export const thousands = (count: number): string => count.toLocaleString('en-US');

/** How many characters of an ISO time show it up to the minute, and up to the second. */
const MINUTES = 16;
const SECONDS = 19;

/** A time as `2026-11-28 14:05`, in UTC. */
export const utcTime = (epochMs: number, length = MINUTES): string =>
  new Date(epochMs).toISOString().slice(0, length).replace('T', ' ');

function keyState({ state, expiresMs }: KeyInfo): string {
  if (expiresMs === null || state === 'revoked') return state;
  return `${state}${state === 'active' ? ' until' : ''} ${utcTime(expiresMs)}`;
}

const ownLimits = ({ perMinute, perDay }: OwnLimits) =>
  [
    ...(perMinute === null ? [] : [`${thousands(perMinute)} a minute`]),
    ...(perDay === null ? [] : [`${thousands(perDay)} a day`]),
  ].join(', ');

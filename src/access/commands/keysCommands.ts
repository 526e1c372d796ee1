// Carries out the commands of `npm run keys`. Each gives its outcome as text and as JSON.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { RateLimits } from '../../config/config.ts';
import { systemCode } from '../../system/systemError.ts';
import { writeWhole } from '../../system/wholeFile.ts';
import { type Outcome, typedPath } from '../../terminal/commandLine.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { readAudit } from '../audit.ts';
import { claimLink, invitesOf } from '../invites/invites.ts';
import type { OwnLimits } from '../keys/keyRecords.ts';
import { keysOf } from '../keys/keys.ts';
import { containsKey } from '../keys/keyText.ts';
import type { Role } from '../people/people.ts';
import { sessionsOf } from '../people/sessions.ts';
import { signinLink } from '../people/signinLinks.ts';
import type { RedisClient } from '../redis/connection.ts';
import { auditTable, backupContent, invitesTable, keysTable, thousands, utcTime } from './keysOutput.ts';

export interface CommandSettings {
  /** The address that links begin with. */
  readonly publicUrl: string;
  /** Whether `publicUrl` is the default, which other machines may not reach. */
  readonly publicUrlIsDefault: boolean;
  readonly rateLimits: RateLimits;
}

/** The Redis and the settings that a command uses, and the person who runs it. */
export interface CommandContext {
  readonly redis: RedisClient;
  readonly settings: CommandSettings;
  /** Who runs the command, for the audit log. */
  readonly by: string;
}

/**
 * Makes an invite, and prints its claim link.
 *
 * @param claimableMs How long the link works, in milliseconds.
 */
export async function invite(
  { redis, settings, by }: CommandContext,
  label: string,
  claimableMs: number,
): Promise<Outcome> {
  const { token, id, expiresMs } = await invitesOf(redis).create({ label, claimableMs, by });
  const url = claimLink(settings.publicUrl, token);
  return {
    json: { url, id, label, expires: iso(expiresMs) },
    text: `${url}\n`,
    note: `Invite ${id} for ${label}: gives one key, once, until ${utcTime(expiresMs)} UTC.${linkAdvice(settings)}`,
  };
}

/** Makes a key without an invite, and prints it once. */
export async function issue({ redis, by }: CommandContext, label: string): Promise<Outcome> {
  const issued = await keysOf(redis).issue({ label, by });
  return {
    json: issued,
    text: `${issued.key}\n`,
    note: `Key ${issued.id} for ${label}. It cannot be shown again.`,
  };
}

/** Lists the keys, with their states and use. */
export async function list({ redis, settings }: CommandContext): Promise<Outcome> {
  const keys = await keysOf(redis).list();
  const json = keys.map(
    ({ id, label, state, last4, perMinute, perDay, dayUse, note, createdMs, expiresMs, usedMs }) => ({
      ...{ id, label, state, last4, perMinute, perDay, today: dayUse, note },
      created: createdMs === 0 ? null : iso(createdMs),
      expires: iso(expiresMs),
      used: iso(usedMs),
    }),
  );
  const damaged = keys.filter(({ state }) => state === 'damaged').map(({ id }) => id);
  return {
    json: { keys: json },
    text: keysTable(keys, settings.rateLimits),
    ...(damaged.length > 0 && {
      note: `damaged in Redis, and refused if its state, end, limits or windows are: ${damaged.join(', ')}; \`revoke\` puts a whole record in that place, then invite the holder anew`,
    }),
  };
}

/** Lists the invites, with their states. */
export async function invites({ redis }: CommandContext): Promise<Outcome> {
  const found = await invitesOf(redis).list();
  const json = found.map(({ createdMs, expiresMs, claimedMs, ...invite }) => ({
    ...invite,
    created: iso(invite.state === 'damaged' ? null : createdMs),
    expires: iso(invite.state === 'damaged' ? null : expiresMs),
    claimed: iso(claimedMs),
  }));
  const damaged = found.filter(({ state }) => state === 'damaged').map(({ id }) => id);
  return {
    json: { invites: json },
    text: invitesTable(found),
    ...(damaged.length > 0 && {
      note: `damaged in Redis, so that their links give no key: ${damaged.join(', ')}; \`revoke\` puts a whole record in that place, then invite their people anew`,
    }),
  };
}

/**
 * Changes the limits of a key.
 *
 * @throws {UsageError} for an unknown or damaged key, and when no limit is given.
 */
export async function limits(
  { redis, settings, by }: CommandContext,
  id: string,
  requested: RequestedLimits,
): Promise<Outcome> {
  const changes = Object.fromEntries(
    Object.entries(requested).map(([name, value]) => [name, value === 'default' ? null : value]),
  );
  if (Object.keys(changes).length === 0) throw new UsageError('give --per-minute, --per-day or both');
  const keys = keysOf(redis);
  const outcome = await keys.changeLimits(id, changes, by);
  if (outcome === 'unknown') throw await noSuchKey(redis, id);
  if (outcome === 'damaged')
    throw new UsageError(`key ${id} is damaged: revoke it, and issue a new one or invite its holder`);
  const { label = '', perMinute = null, perDay = null } = (await keys.find(id)) ?? {};
  const { rateLimits } = settings;
  const shown = (limit: number | null, setting: number) =>
    limit === null ? `${thousands(setting)} (the server's setting)` : thousands(limit);
  const [minute, day] = [shown(perMinute, rateLimits.perMinute), shown(perDay, rateLimits.perDay)];
  return {
    json: { id, label, perMinute, perDay },
    text: `Key ${id} for ${label}: ${minute} a minute, ${day} a day, from its next request on.\n`,
  };
}

/**
 * Revokes the key or the invite that has the id.
 *
 * @throws {UsageError} for an unknown id, and for an invite that has become a key.
 */
export async function revoke({ redis, by }: CommandContext, id: string): Promise<Outcome> {
  const json = { id, state: 'revoked' };
  const keyOutcome = await keysOf(redis).revoke(id, by);
  if (keyOutcome === 'revoked') return { json, text: `Key ${id} is revoked: its next request is refused.\n` };
  if (keyOutcome === 'already') return { json, text: `Key ${id} was revoked already.\n` };
  const inviteOutcome = await invitesOf(redis).revoke(id, by);
  if (inviteOutcome === 'revoked') return { json, text: `Invite ${id} is revoked: its link gives no key.\n` };
  if (inviteOutcome === 'already') return { json, text: `Invite ${id} was revoked already.\n` };
  if (inviteOutcome === 'used')
    throw new UsageError(`invite ${id} has been used: revoke the key it became, which \`invites\` names`);
  throw unknownId('key or invite', id);
}

/**
 * Replaces a key by a new one.
 *
 * @param graceMs How long the old key still works, in milliseconds.
 * @throws {UsageError} for a key that is unknown, revoked, expired or damaged.
 */
export async function rotate({ redis, by }: CommandContext, id: string, graceMs: number): Promise<Outcome> {
  const rotation = await keysOf(redis).rotate(id, { graceMs, by });
  if (rotation.outcome === 'unknown') throw await noSuchKey(redis, id);
  if (rotation.outcome !== 'rotated')
    throw new UsageError(`key ${id} is ${rotation.outcome}: issue a new one, or invite its holder`);
  const { key, id: newId, label, oldExpiresMs } = rotation;
  return {
    json: { key, id: newId, label },
    text: `${key}\n`,
    note: `Key ${newId} for ${label}. It cannot be shown again. The old key ${id} ends at ${utcTime(oldExpiresMs)} UTC.`,
  };
}

/** Prints a one-time link to the team's page. */
export async function signin(
  { redis, settings, by }: CommandContext,
  { name = by, role }: { readonly name?: string; readonly role: Role },
): Promise<Outcome> {
  const { token, expiresMs } = await sessionsOf(redis).createLink({ by, name, role });
  const url = signinLink(settings.publicUrl, token);
  return {
    json: { url, name, role, expires: iso(expiresMs) },
    text: `${url}\n`,
    note: `Signs in ${name} as ${role}, once, until ${utcTime(expiresMs)} UTC.${linkAdvice(settings)}`,
  };
}

/** Prints the last entries of the audit log. */
export async function auditLog({ redis }: CommandContext, last: number): Promise<Outcome> {
  const entries = (await readAudit(redis, { count: last })).toReversed();
  const json = entries.map(({ entry, atMs, by, act, keyId = null, inviteId = null, details }) => ({
    entry,
    at: iso(atMs),
    by,
    act,
    keyId,
    inviteId,
    details,
  }));
  return { json: { entries: json }, text: auditTable(entries) };
}

/**
 * Makes a backup.
 *
 * @param out the file to write the backup to; null prints it.
 */
export async function exportAll({ redis }: CommandContext, out: string | null): Promise<Outcome> {
  const { countsOf, exportAccess } = await backups();
  const lines = await exportAccess(redis);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const note = backupContent(countsOf(lines));
  if (out === null) return { json: { lines }, text, note };
  await writeBackup(typedPath('keys', out), text, out);
  return { json: { file: out, lines: lines.length }, text: `Wrote ${note}\n` };
}

/** Loads the backup module on demand: it imports zod, which is most of the code, and only two commands need it. */
const backups = () => import('../backup.ts');

async function writeBackup(file: string, content: string, typed: string): Promise<void> {
  try {
    await writeWhole(file, content, 0o600);
  } catch (error) {
    const code = systemCode(error);
    const problem = `${typed} cannot be written (${code})`;
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code))
      throw new UsageError(`${problem}; name a file in a folder that exists`);
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      throw new UsageError(`${problem}; name a file in a folder that you may write to`);
    const remedy = ['ENOSPC', 'EDQUOT'].includes(code) ? 'free some space there and run again; ' : '';
    throw new Error(`${problem}; ${remedy}the last backup is as it was`);
  }
}

/**
 * Restores a backup from a file.
 *
 * @throws {UsageError} when the file cannot be read, or is no backup.
 */
export async function importAll({ redis }: CommandContext, file: string): Promise<Outcome> {
  const { BackupRefused, importAccess, parseBackup } = await backups();
  try {
    const content =
      file === '-' ? await text(process.stdin) : await readFile(typedPath('keys', file), 'utf8');
    const counts = await importAccess(redis, parseBackup(content));
    return { json: counts, text: `Restored ${backupContent(counts)}\n` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES')
      throw new UsageError(`${file} cannot be read (${code}); name the file that \`export\` made`);
    if (error instanceof BackupRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** The advice below a link that other machines may not reach; empty for other links. */
const linkAdvice = ({ publicUrl, publicUrlIsDefault }: CommandSettings) =>
  publicUrlIsDefault
    ? `\nPUBLIC_URL is not set, so the link begins with ${publicUrl}; set it to the address by which people reach the server.`
    : '';

const iso = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());

/** The limits that a person typed. `default` removes the key's own limit. A limit that is left out stays as it is. */
export type RequestedLimits = { readonly [Name in keyof OwnLimits]?: number | 'default' };

/** The error for an id that names no key. It says so when the id names an invite. */
async function noSuchKey(redis: RedisClient, id: string): Promise<UsageError> {
  const invite = (await invitesOf(redis).list()).find((candidate) => candidate.id === id);
  if (invite === undefined) return unknownId('key', id);
  return new UsageError(
    invite.keyId === null
      ? `${id} is an invite, which has become no key: this takes the id of a key, and \`list\` shows them`
      : `${id} is an invite: name the key that it became, ${invite.keyId}`,
  );
}

function unknownId(what: string, id: string): UsageError {
  if (containsKey(id))
    return new UsageError(
      'that is a key, and this takes its id: `list` shows both the id and the last four characters; ' +
        'a key typed into a command line may be read by others, so rotate it',
    );
  const where = what === 'key' ? '`list` shows the ids' : '`list` and `invites` show the ids';
  return new UsageError(`no ${what} ${JSON.stringify(id)}: ${where}`);
}

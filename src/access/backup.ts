// Exports and restores keys with their limits and windows, invites, people, and the audit log. A backup has no secrets.

import { z } from 'zod';
import { streamFields } from './audit.ts';
import { REMEMBERED_MS, readInvites } from './invites/inviteRecords.ts';
import { countersOf } from './keys/dailyUsage.ts';
import { isRecorded, LAST_MS, readKeys } from './keys/keyRecords.ts';
import { type Person, peopleIn, ROLES, setRole } from './people/people.ts';
import type { RedisClient } from './redis/connection.ts';
import {
  AUDIT,
  dayLog,
  INVITE_IDS,
  inviteRecord,
  KEY_IDS,
  keyRecord,
  minuteLog,
  PEOPLE,
  usageOfDay,
} from './redis/keyNames.ts';
import { mapConcurrently } from './redis/mapConcurrently.ts';
import { timeOf } from './redis/serverClock.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const fields = z.record(z.string(), z.string());
const times = z.array(z.string().regex(/^\d{1,20}$/));

const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('begin'), format: z.literal(1), at: z.iso.datetime() }),
  z.strictObject({
    kind: z.literal('key'),
    hash,
    record: fields,
    /** The times at which the requests of the two windows were admitted: epoch microseconds, oldest first. */
    minute: times,
    day: times,
    /** The counters that the gate writes, by day. A day is the number of days since 1970. */
    usage: z.record(z.string().regex(/^\d{1,6}$/), z.string().regex(/^\d{1,20}$/)),
  }),
  z.strictObject({ kind: z.literal('invite'), hash, record: fields }),
  z.strictObject({
    kind: z.literal('person'),
    name: z.string().min(1),
    role: z.enum(ROLES),
    /** Whether the identity provider set the role. */
    isByClaim: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('audit'), entry: z.string().regex(/^\d+-\d+$/), fields }),
  z.strictObject({ kind: z.literal('end'), lines: z.int().nonnegative() }),
]);

/** A line of a backup. The first line begins the backup, the last line ends it, and each other line is one record. */
export type BackupLine = z.infer<typeof lineSchema>;

/** The number of records in a backup, by kind. */
export interface BackupCounts {
  readonly keys: number;
  readonly invites: number;
  readonly people: number;
  readonly auditEntries: number;
}

/** The backup cannot be restored. The message names the problem and the remedy. */
export class BackupRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupRefused';
  }
}

/**
 * The lines of a backup. The entries of the audit log are oldest first. Sessions, sign-in links and keys that are being
 * issued are left out, because they are short-lived: after a restore, people sign in again.
 *
 * @throws {Error} when a damaged record makes the export fail. The message names the damaged keys and invites.
 */
export async function exportAccess(redis: RedisClient): Promise<BackupLine[]> {
  const nowMs = await timeOf(redis);
  const keys = await exportKeys(redis, nowMs).catch((error) => explainFailure(redis, error));
  const invites = await mapConcurrently(await hashesOf(redis, INVITE_IDS), async (inviteHash) => ({
    kind: 'invite' as const,
    hash: inviteHash,
    record: await redis.hgetall(inviteRecord(inviteHash)),
  })).catch((error) => explainFailure(redis, error));
  const lines: BackupLine[] = [
    { kind: 'begin', format: 1, at: new Date(nowMs).toISOString() },
    ...keys.filter((line) => line !== null),
    ...invites.filter(({ record }) => Object.keys(record).length > 0),
    ...(await peopleIn(redis)).map((person: Person) => ({ kind: 'person' as const, ...person })),
    ...(await exportAudit(redis)),
  ];
  return [...lines, { kind: 'end', lines: lines.length }];
}

/** Names the damaged keys and invites that made an export fail. Throws any other error again. */
async function explainFailure(redis: RedisClient, error: unknown): Promise<never> {
  const keys = await readKeys(redis, await hashesOf(redis, KEY_IDS));
  const invites = await readInvites(redis, await hashesOf(redis, INVITE_IDS));
  const damaged = [...keys.filter(isRecorded), ...invites].flatMap((record) =>
    record?.state === 'damaged' ? [record.id] : [],
  );
  if (damaged.length === 0) throw error;
  throw new Error(`damaged in Redis: ${damaged.join(', ')}; revoke what is damaged and export again`);
}

/** The hashes of all records, sorted so that two backups of the same state are equal. */
const hashesOf = async (redis: RedisClient, ids: string): Promise<string[]> =>
  Object.values(await redis.hgetall(ids)).sort();

/**
 * The lines of all keys. A busy key has thousands of admissions. So the number of each key's admissions is read first, to
 * limit how many are read at the same time. Null stands for a key that is neither active nor revoked, such as one that is
 * being issued.
 */
async function exportKeys(redis: RedisClient, nowMs: number): Promise<(BackupLine | null)[]> {
  const found = await mapConcurrently(await hashesOf(redis, KEY_IDS), async (keyHash) => ({
    keyHash,
    admissions: await redis.llen(dayLog(keyHash)),
  }));
  return mapConcurrently(
    found,
    ({ keyHash }) => exportKey(redis, keyHash, nowMs),
    ({ admissions }) => admissions,
  );
}

async function exportKey(redis: RedisClient, keyHash: string, nowMs: number): Promise<BackupLine | null> {
  const [record, minute, day, counters] = await Promise.all([
    redis.hgetall(keyRecord(keyHash)),
    redis.lrange(minuteLog(keyHash), 0, -1),
    redis.lrange(dayLog(keyHash), 0, -1),
    countersOf(redis, keyHash, nowMs),
  ]);
  if (record.state !== 'active' && record.state !== 'revoked') return null;
  return { kind: 'key', hash: keyHash, record, minute, day, usage: Object.fromEntries(counters) };
}

/** Reads the audit log in parts, so that no command keeps Redis busy for long. */
async function exportAudit(redis: RedisClient): Promise<BackupLine[]> {
  const lines: BackupLine[] = [];
  for (let from = '-'; ; ) {
    const part = await redis.xrange(AUDIT, from, '+', 'COUNT', AUDIT_PART);
    for (const [entry, flat] of part) lines.push({ kind: 'audit', entry, fields: streamFields(flat) });
    const last = part.at(-1);
    if (part.length < AUDIT_PART || last === undefined) return lines;
    from = `(${last[0]}`;
  }
}

/** How many entries of the audit log one command reads. */
const AUDIT_PART = 1000;

/**
 * Parses the text of a backup. Editors that saved it may have put a byte order mark before it.
 *
 * @throws {BackupRefused} when a line does not belong to a backup, or when the end is missing.
 */
export function parseBackup(text: string): BackupLine[] {
  let [firstNumber, lastNumber] = [1, 1];
  const lines: BackupLine[] = [];
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    lastNumber = i + 1;
    if (lines.length === 0) firstNumber = lastNumber;
    lines.push(parseLine(line, lastNumber));
  }
  const last = lines.at(-1);
  if (lines[0]?.kind !== 'begin')
    throw new BackupRefused(`line ${firstNumber} is not the beginning of a backup of \`keys export\``);
  if (last?.kind !== 'end' || last.lines !== lines.length - 1)
    throw new BackupRefused(`line ${lastNumber}: the end of the backup is missing; copy the file again`);
  return lines;
}

function parseLine(line: string, number: number): BackupLine {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new BackupRefused(`line ${number} is not JSON; copy the file again`);
  }
  const parsed = lineSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BackupRefused(
    `line ${number} is not a line of a backup (${issue?.path.join('.') || 'kind'}: ${issue?.message}); copy the file again`,
  );
}

/**
 * Restores a backup into an empty Redis.
 *
 * @throws {BackupRefused} when the Redis has keys, invites, people or an audit log already.
 */
export async function importAccess(redis: RedisClient, lines: readonly BackupLine[]): Promise<BackupCounts> {
  const found = await Promise.all([KEY_IDS, INVITE_IDS, PEOPLE, AUDIT].map((name) => redis.exists(name)));
  if (found.includes(1))
    throw new BackupRefused(
      'this Redis has keys, invites, people or an audit log already; restore into an empty one',
    );
  // The audit log comes first, because a second import is refused as soon as the log has an entry. Redis accepts entries
  // only in the order of their ids.
  for (const line of lines) {
    if (line.kind !== 'audit') continue;
    await redis.xadd(AUDIT, line.entry, ...Object.entries(line.fields).flat());
  }
  await mapConcurrently(
    lines,
    (line) => importLine(redis, line),
    (line) => (line.kind === 'key' ? line.day.length : 0),
  );
  return countsOf(lines);
}

/** How many keys, invites, people and acts a backup has. */
export function countsOf(lines: readonly BackupLine[]): BackupCounts {
  const count = (kind: BackupLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return {
    keys: count('key'),
    invites: count('invite'),
    people: count('person'),
    auditEntries: count('audit'),
  };
}

async function importLine(redis: RedisClient, line: BackupLine): Promise<void> {
  if (line.kind === 'person') await setRole(redis, line);
  if (line.kind === 'invite') {
    await redis.hset(inviteRecord(line.hash), line.record);
    const expires = Number(line.record.expires);
    // A damaged invite may have no such time. It then stays until somebody revokes it.
    if (Math.abs(expires) <= LAST_MS)
      await redis.pexpireat(inviteRecord(line.hash), Math.ceil(expires) + REMEMBERED_MS);
    await redis.hset(INVITE_IDS, line.record.id ?? '', line.hash);
  }
  if (line.kind !== 'key') return;
  await restoreLog(redis, minuteLog(line.hash), line.minute, MINUTE_LOG_MS);
  await restoreLog(redis, dayLog(line.hash), line.day, DAY_LOG_MS);
  for (const [day, counter] of Object.entries(line.usage))
    await redis.set(usageOfDay(line.hash, Number(day)), counter, 'PX', USAGE_MS);
  await redis.hset(KEY_IDS, line.record.id ?? '', line.hash);
  // The record comes last, because the gate admits the key as soon as the record exists, and then counts in the windows.
  await redis.hset(keyRecord(line.hash), line.record);
}

/** After how long without an admission the logs expire: a second more than their windows, as in gate.lua. */
const MINUTE_LOG_MS = 61_000;
const DAY_LOG_MS = 86_401_000;
/** After how long the counter of a day expires: a day after its last report, as in gate.lua. */
const USAGE_MS = 32 * 86_400_000;

async function restoreLog(
  redis: RedisClient,
  name: string,
  admissions: readonly string[],
  expiresAfterMs: number,
): Promise<void> {
  if (admissions.length === 0) return;
  for (let start = 0; start < admissions.length; start += LOG_PART)
    await redis.rpush(name, ...admissions.slice(start, start + LOG_PART));
  await redis.pexpire(name, expiresAfterMs);
}

/** How many admissions one command writes. A call with some hundred thousand arguments would overflow the stack. */
const LOG_PART = 5_000;

// Reads the records of invites from Redis, many in one call.

import type { KeyTerms } from '../keys/issue.ts';
import { LAST_MS } from '../keys/keyRecords.ts';
import type { RedisClient } from '../redis/connection.ts';
import { INVITE_IDS, inviteRecord, keyRecord } from '../redis/keyNames.ts';
import { readInBatches } from '../redis/readInBatches.ts';
import { LUA_NOW } from '../redis/serverClock.ts';

export type InviteState = 'open' | 'used' | 'expired' | 'revoked' | 'damaged';

/** An invite, as lists and pages show it. */
export interface InviteInfo {
  readonly id: string;
  readonly label: string;
  /**
   * `damaged` means that Redis holds something that this program has not written. The link of the invite gives no key. A
   * missing label is an empty text, and unknown times are 0.
   */
  readonly state: InviteState;
  /** Times are epoch milliseconds by Redis's clock. `claimedMs` is null until the invite is claimed. */
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly claimedMs: number | null;
  /** The id of the key that the invite became; null until the invite is claimed. */
  readonly keyId: string | null;
}

/** An invite with all fields of its record. */
export interface ReadInvite extends InviteInfo {
  /**
   * The hash of the key that the last claim has made, even if that claim was not completed; null before the first claim.
   */
  readonly keyHash: string | null;
  /** Whether a claim is under way or was interrupted. The invite may then open again without an act. */
  readonly isBeingClaimed: boolean;
  /** The hash of the secret of the browser that claimed the invite; null until the invite is claimed. */
  readonly claimedBy: string | null;
  /** The terms of the key that a claim makes. */
  readonly terms: Omit<KeyTerms, 'label' | 'expires'>;
}

/** How long an expired invite is remembered, so that its page can say that it has expired. */
export const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1000;

/** The part of an invite that lists and pages show. It lacks the fields that only a claim needs. */
export const infoOf = (invite: ReadInvite): InviteInfo => {
  const { id, label, state, createdMs, expiresMs, claimedMs, keyId } = invite;
  return { id, label, state, createdMs, expiresMs, claimedMs, keyId };
};

/** The invite with this hash; null when it is unknown or no longer remembered. */
export async function readInvite(redis: RedisClient, hash: string): Promise<ReadInvite | null> {
  return (await readBatch(redis, [hash]))[0] ?? null;
}

/** The invites with these hashes, in their order; null for one that is no longer remembered. */
export async function readInvites(
  redis: RedisClient,
  hashes: readonly string[],
): Promise<(ReadInvite | null)[]> {
  const found = await readInBatches(redis, hashes, readBatch);
  if (!found.some((invite) => invite?.state === 'damaged')) return found;
  // The record of a damaged invite may have no id, or a wrong one.
  const idByHash = new Map(Object.entries(await redis.hgetall(INVITE_IDS)).map(([id, hash]) => [hash, id]));
  return found.map((invite, i) =>
    invite?.state === 'damaged' ? { ...invite, id: idByHash.get(hashes[i] ?? '') ?? invite.id } : invite,
  );
}

const FIELDS = [
  'id',
  'label',
  'state',
  'created',
  'expires',
  'claimed',
  'keyId',
  'keyHash',
  'perMinute',
  'perDay',
  'endsAfterMs',
  'note',
  'claimedBy',
] as const;

type Fields = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

async function readBatch(redis: RedisClient, hashes: readonly string[]): Promise<(ReadInvite | null)[]> {
  const names = hashes.map(inviteRecord);
  const json = (await redis.eval(READ, names.length, ...names, ...FIELDS)) as string;
  const [nowMs, ...rows] = JSON.parse(json) as [number, ...((string | false)[] | 'unreadable')[]];
  const records = rows.map((values): Fields | null => {
    if (values === 'unreadable') return null;
    return Object.fromEntries(FIELDS.flatMap((name, i) => (values[i] ? [[name, values[i]] as const] : [])));
  });
  const states = await statesOfKeys(
    redis,
    records.flatMap((fields) => fields?.keyHash ?? []),
  );
  return records.map((fields) => {
    if (fields === null) return DAMAGED;
    if (Object.keys(fields).length === 0) return null;
    if (fields.id === undefined || !hasTimes(fields)) return { ...DAMAGED, label: fields.label ?? '' };
    return inviteFrom(fields, states.get(fields.keyHash ?? '') ?? null, nowMs);
  });
}

/** An invite of which nothing can be read. */
const DAMAGED: ReadInvite = {
  id: '',
  label: '',
  state: 'damaged',
  createdMs: 0,
  expiresMs: 0,
  claimedMs: null,
  keyId: null,
  keyHash: null,
  isBeingClaimed: false,
  claimedBy: null,
  terms: { perMinute: null, perDay: null, endsAfterMs: null, note: null },
};

/** Whether the times are numbers that a `Date` can hold. NaN fails the comparison. */
const hasTimes = ({ created = '', expires = '', claimed = '0' }: Fields): boolean =>
  created !== '' &&
  expires !== '' &&
  [created, expires, claimed].every((ms) => Math.abs(Number(ms)) <= LAST_MS);

/** Hash of a key → its state. Keys without a record are left out. */
async function statesOfKeys(
  redis: RedisClient,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  // On a cluster, the keys lie in other slots than their invites, so they need calls of their own.
  await readInBatches(redis, hashes, async (_, batch) => {
    const found = (await redis.eval(STATES, batch.length, ...batch.map(keyRecord))) as string[];
    for (const [i, state] of found.entries()) if (state !== '') states.set(batch[i] ?? '', state);
    return [];
  });
  return states;
}

/**
 * Makes the invite from its fields. While its key is pending, the invite counts as used, because a server may still be
 * completing the claim. When the claim was interrupted, Redis deletes the pending key, and the invite is open again.
 */
function inviteFrom(fields: Fields, keyState: string | null, nowMs: number): ReadInvite {
  const numberIn = (name: keyof Fields) => (fields[name] === undefined ? null : Number(fields[name]));
  const { id = '', label = '', keyHash = null } = fields;
  const expires = numberIn('expires') ?? 0;
  const isUsed = keyState !== null;
  const unusedState = expires <= nowMs ? 'expired' : 'open';
  const usableState = isUsed ? 'used' : unusedState;
  return {
    id,
    label,
    state: fields.state === 'revoked' ? 'revoked' : usableState,
    createdMs: numberIn('created') ?? 0,
    expiresMs: expires,
    claimedMs: isUsed ? numberIn('claimed') : null,
    keyId: isUsed ? (fields.keyId ?? null) : null,
    keyHash,
    isBeingClaimed: keyState === 'pending',
    claimedBy: isUsed ? (fields.claimedBy ?? null) : null,
    terms: {
      perMinute: numberIn('perMinute'),
      perDay: numberIn('perDay'),
      endsAfterMs: numberIn('endsAfterMs'),
      note: fields.note ?? null,
    },
  };
}

/** Gives Redis's time in epoch milliseconds, then the fields of each invite, as one JSON text. */
const READ = `${LUA_NOW}
local found = {now}
for i = 1, #KEYS do
  -- The reply for a record that is not a hash is a table with the error. It must not hide all others.
  local fields = redis.pcall('HMGET', KEYS[i], unpack(ARGV))
  found[i + 1] = fields.err and 'unreadable' or fields
end
return cjson.encode(found)`;

/** Gives the state of each key; an empty text for a key without a record, `damaged` for a record that is not a hash. */
const STATES = `
local found = {}
for i = 1, #KEYS do
  local state = redis.pcall('HGET', KEYS[i], 'state') or ''
  found[i] = type(state) == 'string' and state or 'damaged'
end
return found`;

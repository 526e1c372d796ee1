// Creates, lists and revokes invites, and claims them: at most once, even if several people claim at the same time.

import { carryOut } from '../audit.ts';
import { activateKey, deletePendingKey, deleteUnlessDone, prepareKey } from '../keys/issue.ts';
import type { OwnLimits } from '../keys/keyRecords.ts';
import type { IssuedKey } from '../keys/keys.ts';
import { byAge } from '../recordIndex.ts';
import type { RedisClient } from '../redis/connection.ts';
import { INVITE_IDS, inviteRecord } from '../redis/keyNames.ts';
import { LUA_NOW } from '../redis/serverClock.ts';
import { hashOf, isWellFormedId, isWellFormedSecret, mintSecret, newId } from '../secret.ts';
import {
  type InviteInfo,
  type InviteState,
  infoOf,
  REMEMBERED_MS,
  readInvite,
  readInvites,
} from './inviteRecords.ts';

/** A new invite with its secret token. */
export interface CreatedInvite {
  /** The last part of the claim link. Only its SHA-256 is stored. */
  readonly token: string;
  readonly id: string;
  readonly label: string;
  /** Until when the invite can be claimed, in epoch milliseconds by Redis's clock. */
  readonly expiresMs: number;
}

/** The outcome of a claim: the new key, or why there is none. */
export type Claim = Claimed | { readonly outcome: ClaimRefusal };

interface Claimed extends IssuedKey, OwnLimits {
  readonly outcome: 'claimed';
  /** When the key ends, in epoch milliseconds by Redis's clock; null for a key without an end. */
  readonly expiresMs: number | null;
}

/** Why an invite gives no key (ruling 26). */
export type ClaimRefusal = Exclude<InviteState, 'open' | 'damaged'> | 'unknown';

export interface Invites {
  create(terms: InviteTerms): Promise<CreatedInvite>;
  /** The state of the invite behind a link. Changes nothing. */
  stateOf(token: string): Promise<FoundInvite>;
  /**
   * Claims the key of an invite. At most one claim ever succeeds. When a claim fails half way, the invite opens again.
   *
   * @param claimedBy the hash of a secret that the browser keeps, so that the browser is recognised later.
   */
  claim(token: string, claimedBy?: string): Promise<Claim>;
  /** All invites, oldest first. */
  list(): Promise<readonly InviteInfo[]>;
  /**
   * Revokes an open invite, or replaces a damaged record with that of a revoked invite. `used` means that the invite has
   * become a key. The key has to be revoked then.
   */
  revoke(id: string, by: string): Promise<'revoked' | 'already' | 'used' | 'unknown'>;
}

/** The terms of a new invite, and of the key that it becomes. */
export interface InviteTerms {
  readonly label: string;
  /** How long the invite can be claimed. */
  readonly claimableMs: number;
  readonly by: string;
  /** The limits of the key; null or left out for those of the settings. */
  readonly perMinute?: number | null;
  readonly perDay?: number | null;
  /** How long the key works after it is claimed; null or left out for a key without an end. */
  readonly endsAfterMs?: number | null;
  readonly note?: string | null;
}

/** What is behind a link: an invite, or none that is known. */
export type FoundInvite = OpenedInvite | { readonly state: 'unknown' };

/** The invite behind a link. */
interface OpenedInvite extends Pick<InviteInfo, 'label' | 'expiresMs' | 'keyId'> {
  readonly state: Exclude<InviteState, 'damaged'>;
  /** The hash of the secret of the browser that claimed the invite; null until the invite is claimed. */
  readonly claimedBy: string | null;
}

/** How long an invite can be claimed (ruling 26). */
export const INVITE_MS = 7 * 24 * 60 * 60 * 1000;

/** The link to the page of an invite. */
export const claimLink = (publicUrl: string, token: string): string => `${publicUrl}/claim/${token}`;

/** The invites that are stored in this Redis. Every change is recorded in the audit log. */
export const invitesOf = (redis: RedisClient): Invites => ({
  create: (terms) => create(redis, terms),

  async stateOf(token) {
    const invite = isWellFormedSecret(token) ? await readInvite(redis, hashOf(token)) : null;
    if (invite === null || invite.state === 'damaged') return { state: 'unknown' };
    const { state, label, expiresMs, keyId, claimedBy } = invite;
    return { state, label, expiresMs, keyId, claimedBy };
  },

  claim: (token, claimedBy = '') => claim(redis, token, claimedBy),

  async list() {
    const hashes = await redis.hgetall(INVITE_IDS);
    const found = await readInvites(redis, Object.values(hashes));
    const gone = Object.keys(hashes).filter((_, i) => found[i] === null);
    if (gone.length > 0) await redis.hdel(INVITE_IDS, ...gone);
    return found
      .filter((invite) => invite !== null)
      .sort(byAge)
      .map(infoOf);
  },

  async revoke(id, by) {
    const hash = isWellFormedId(id) ? await redis.hget(INVITE_IDS, id) : null;
    const invite = hash === null ? null : await readInvite(redis, hash);
    if (hash === null || invite === null) return 'unknown';
    if (invite.state === 'revoked') return 'already';
    if (invite.state === 'used') return 'used';
    const act = { by, act: 'revoke-invite', inviteId: id, details: { label: invite.label } } as const;
    const outcome = await carryOut(redis, act, () =>
      invite.state === 'damaged'
        ? redis.eval(REPLACE, 1, inviteRecord(hash), id, invite.label)
        : redis.eval(REVOKE, 1, inviteRecord(hash), invite.keyHash ?? ''),
    );
    return outcome as 'revoked' | 'already' | 'used' | 'unknown';
  },
});

async function create(
  redis: RedisClient,
  { label, claimableMs, by, ...terms }: InviteTerms,
): Promise<CreatedInvite> {
  const token = mintSecret();
  const id = newId('invite');
  const hash = hashOf(token);
  const givenTerms = Object.entries(terms).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const details = { label, ...Object.fromEntries(givenTerms) };
  const fields = ['id', id, 'label', label, ...givenTerms.flat()];
  const expiresMs = await carryOut(redis, { by, act: 'invite', inviteId: id, details }, async () => {
    const ends = await redis.eval(CREATE, 1, inviteRecord(hash), claimableMs, ...fields);
    if ((await redis.hsetnx(INVITE_IDS, id, hash)) === 0) throw new Error(`the id ${id} is taken; try again`);
    return Number(ends);
  });
  return { token, id, label, expiresMs };
}

async function claim(redis: RedisClient, token: string, claimedBy: string): Promise<Claim> {
  const hash = hashOf(token);
  const invite = isWellFormedSecret(token) ? await readInvite(redis, hash) : null;
  if (invite === null || invite.state === 'damaged') return { outcome: 'unknown' };
  if (invite.state !== 'open') return { outcome: invite.state };
  const pending = await prepareKey(redis, { label: invite.label, ...invite.terms });
  const { key, id, label, expiresMs } = pending;
  const { perMinute, perDay } = invite.terms;
  return deleteUnlessDone(redis, pending, async () => {
    const terms = [invite.keyHash ?? '', id, pending.hash, claimedBy];
    const outcome = await redis.eval(CLAIM, 1, inviteRecord(hash), ...terms);
    if (outcome !== 'won') {
      await deletePendingKey(redis, pending);
      return { outcome: outcome as ClaimRefusal };
    }
    const act = { act: 'claim', keyId: id, inviteId: invite.id, details: { label } } as const;
    await carryOut(redis, { ...act, by: 'claim page' }, () => activateKey(redis, pending));
    return { outcome: 'claimed', key, id, label, perMinute, perDay, expiresMs };
  });
}

const CREATE = `${LUA_NOW}
local created, expires = string.format('%.0f', now), string.format('%.0f', now + ARGV[1])
redis.call('HSET', KEYS[1], 'state', 'open', 'created', created, 'expires', expires, unpack(ARGV, 2))
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', now + ARGV[1] + ${REMEMBERED_MS}))
return expires`;

/**
 * Claims an invite. Gives `won`, or the reason why the claim failed. `used` means that another claim came first, after the
 * invite was read.
 */
const CLAIM = `${LUA_NOW}
local invite = redis.call('HMGET', KEYS[1], 'state', 'expires', 'keyHash')
if not invite[1] then return 'unknown' end
if invite[1] == 'revoked' then return 'revoked' end
if (invite[3] or '') ~= ARGV[1] then return 'used' end
if tonumber(invite[2]) <= now then return 'expired' end
redis.call('HSET', KEYS[1], 'claimed', string.format('%.0f', now), 'keyId', ARGV[2], 'keyHash', ARGV[3], 'claimedBy', ARGV[4])
return 'won'`;

/**
 * Revokes an invite, unless it was claimed, revoked or forgotten after it was read. A record that is gone must not be
 * written again, because it would have no expiry.
 */
const REVOKE = `
local invite = redis.call('HMGET', KEYS[1], 'state', 'keyHash')
if not invite[1] then return 'unknown' end
if invite[1] == 'revoked' then return 'already' end
if (invite[2] or '') ~= ARGV[1] then return 'used' end
redis.call('HSET', KEYS[1], 'state', 'revoked')
return 'revoked'`;

/** Replaces a damaged record with the record of a revoked invite. */
const REPLACE = `${LUA_NOW}
local text = string.format('%.0f', now)
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'label', ARGV[2], 'state', 'revoked', 'created', text, 'expires', text)
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', now + ${REMEMBERED_MS}))
return 'revoked'`;

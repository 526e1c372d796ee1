// Sessions of the team's page. A sign-in by link or by identity provider begins a session, and idle time ends it.

import { createHmac } from 'node:crypto';
import { recordAct } from '../audit.ts';
import type { RedisClient } from '../redis/connection.ts';
import { SESSION_IDS, sessionRecord } from '../redis/keyNames.ts';
import { LUA_NOW } from '../redis/serverClock.ts';
import {
  base62,
  hashOf,
  isSameSecret,
  isWellFormedSecret,
  mintSecret,
  newId,
  SECRET_LENGTH,
} from '../secret.ts';
import {
  giveRole,
  isRole,
  peopleIn,
  personNamed,
  type Role,
  roleAfter,
  roleWithoutClaim,
  roleWithoutClaimNow,
  setRole,
} from './people.ts';
import { readSessions, type StoredSession } from './sessionRecords.ts';
import { createSigninLink, isOpenLink, redeemLink, type SignInTerms } from './signinLinks.ts';

/** A session, as a request with its cookie finds it. */
export interface Session {
  /** The id by which the audit log names the session. It is not a secret. */
  readonly id: string;
  readonly name: string;
  /** The role that the person has now. An owner may have changed it since the sign-in. */
  readonly role: Role;
  /** The person and the session for the audit log, such as `Jane Doe, team page s7m2x9qd4np`. */
  readonly by: string;
  /** Who made the sign-in link, or the issuer of the identity provider. */
  readonly invitedBy: string;
  /** When the session ends, even if it is in use; epoch milliseconds by Redis's clock. */
  readonly endsMs: number;
  /** The token that each form must carry besides the cookie. */
  readonly csrf: string;
}

/** A session, as the list of sessions shows it. */
export interface SessionInfo extends Pick<Session, 'id' | 'name' | 'role' | 'invitedBy' | 'endsMs'> {
  /** Epoch milliseconds by Redis's clock. */
  readonly beganMs: number;
}

/** A sign-in through an identity provider. */
export interface FederatedSignIn extends Omit<SignInTerms, 'role'> {
  /** The role that the provider claims for the person; null when it claims none. */
  readonly claimedRole: Role | null;
  /** The person's account at the provider. */
  readonly account: string;
  /** The person's session at the provider; null when the provider does not name one. */
  readonly providerSession: string | null;
}

/** A sign-out at the identity provider: of one session there, or of all sessions of an account. */
export type ProviderLogout =
  | { readonly providerSession: string; readonly account?: string }
  | { readonly account: string };

/** A session that has just begun. */
export interface SignedInSession {
  /** The value of the cookie. It is the only secret of the session. */
  readonly cookie: string;
  readonly session: Session;
}

export interface Sessions {
  /** Makes the token of a link for one sign-in; `expiresMs` is in epoch milliseconds. */
  createLink(terms: SignInTerms): Promise<{ readonly token: string; readonly expiresMs: number }>;
  /** Whether a link can still be used. Changes nothing. */
  isOpen(token: string): Promise<boolean>;
  /** Signs in with a link, which can be used once; null when it is used, expired or unknown. */
  signIn(token: string): Promise<SignedInSession | null>;
  /** Begins a session for a person who has signed in at the identity provider. The session ends after `federatedMs`. */
  beginFederated(federated: FederatedSignIn): Promise<SignedInSession>;
  /** Ends the sessions of somebody who signed out at the identity provider. Returns their number. */
  endByProvider(logout: ProviderLogout, by: string): Promise<number>;
  /** The session of a cookie; null when it has ended or never existed. The session's idle time starts anew. */
  find(cookie: string): Promise<Session | null>;
  end(cookie: string): Promise<void>;
  /** All sessions that have not ended, the newest first. */
  list(): Promise<readonly SessionInfo[]>;
  /** Ends a session on behalf of somebody else. False when it had already ended. */
  endById(id: string, by: string): Promise<boolean>;
}

export interface SessionTimes {
  /** How long a sign-in link works. */
  readonly linkMs: number;
  /** How long a session lasts without a request. */
  readonly idleMs: number;
  /** How long a session lasts at most. */
  readonly longestMs: number;
  /** How long a session that began at an identity provider lasts. After that, the provider is asked again. */
  readonly federatedMs: number;
}

const MINUTE_MS = 60_000;

export const SESSION_TIMES: SessionTimes = {
  linkMs: 10 * MINUTE_MS,
  idleMs: 30 * MINUTE_MS,
  longestMs: 12 * 60 * MINUTE_MS,
  federatedMs: 60 * MINUTE_MS,
};

/** Whether the token of a form is the token of the session. */
export const isCsrf = ({ csrf }: Session, token: string): boolean => isSameSecret(csrf, token);

/** The sessions that are stored in this Redis. Every sign-in and sign-out is recorded in the audit log. */
export const sessionsOf = (redis: RedisClient, times: SessionTimes = SESSION_TIMES): Sessions => {
  const { linkMs, idleMs, longestMs } = times;
  const federatedMs = Math.min(times.federatedMs, longestMs);

  return {
    createLink: (terms) => createSigninLink(redis, linkMs, terms),
    isOpen: (token) => isOpenLink(redis, token),

    async signIn(token) {
      const link = await redeemLink(redis, token);
      if (link === null) return null;
      const terms = { ...link, ...BY_LINK, role: await roleAfter(redis, link) };
      return begin(redis, terms, { longestMs, idleMs }, () => giveRole(redis, link));
    },

    async beginFederated({ claimedRole, ...federated }) {
      const { name } = federated;
      const lasts = { longestMs: federatedMs, idleMs };
      if (claimedRole === null) {
        const terms = { ...federated, role: await roleWithoutClaimNow(redis, name) };
        return begin(redis, terms, lasts, () => roleWithoutClaim(redis, name));
      }
      const person = { name, role: claimedRole, isByClaim: true };
      return begin(redis, { ...federated, role: claimedRole }, lasts, () => setRole(redis, person));
    },

    endByProvider: (logout, by) => endByProvider(redis, logout, by),
    find: (cookie) => (isWellFormedSecret(cookie) ? find(redis, cookie, idleMs) : Promise.resolve(null)),

    async end(cookie) {
      if (isWellFormedSecret(cookie)) await end(redis, cookie);
    },

    async list() {
      const stored = await readSessions(redis);
      const roles = new Map((await peopleIn(redis)).map(({ name, role }) => [name, role]));
      return stored
        .map(({ id, name, role, invitedBy, beganMs, endsMs }) => {
          return { id, name, role: roles.get(name) ?? roleOrViewer(role), invitedBy, beganMs, endsMs };
        })
        .sort((a, b) => b.beganMs - a.beganMs || (a.id < b.id ? -1 : 1));
    },

    async endById(id, by) {
      const hash = await redis.hget(SESSION_IDS, id);
      const name = hash === null ? null : await redis.hget(sessionRecord(hash), 'name');
      if (hash !== null && name !== null) return endOne(redis, { id, hash, name }, by);
      // Nothing is recorded of a session that had already ended.
      await redis.hdel(SESSION_IDS, id);
      return false;
    },
  };
};

/** A sign-in with the role that it is expected to give. */
type SignIn = SignInTerms & (Omit<FederatedSignIn, 'claimedRole'> | typeof BY_LINK);

/** The parts of a sign-in that only an identity provider gives. A sign-in with a link has these values. */
const BY_LINK = { account: null, providerSession: null } as const;

async function begin(
  redis: RedisClient,
  { by, name, role: plannedRole, account, providerSession }: SignIn,
  { longestMs, idleMs }: Pick<SessionTimes, 'longestMs' | 'idleMs'>,
  storeRole: () => Promise<Role>,
): Promise<SignedInSession> {
  const id = newId('session');
  const cookie = mintSecret();
  const hash = hashOf(cookie);
  const signinSource = account === null ? { link: by } : { provider: by };
  await recordAct(redis, {
    by: actorOf(name, id),
    act: 'signin',
    details: { ...signinSource, role: plannedRole },
  });
  // Somebody may have changed the person's role a moment ago.
  const role = await storeRole();
  const fields = ['id', id, 'name', name, 'role', role, 'invitedBy', by];
  if (account !== null) fields.push('account', account);
  if (providerSession !== null) fields.push('providerSession', providerSession);
  const ends = await redis.eval(BEGIN, 1, sessionRecord(hash), longestMs, idleMs, ...fields);
  await redis.hset(SESSION_IDS, id, hash);
  return { cookie, session: sessionFrom({ id, name, role, invitedBy: by, endsMs: Number(ends), cookie }) };
}

async function find(redis: RedisClient, cookie: string, idleMs: number): Promise<Session | null> {
  const found = await redis.eval(TOUCH, 1, sessionRecord(hashOf(cookie)), idleMs);
  if (found === null) return null;
  const [id, name, stored, invitedBy, ends] = found as [string, string, string, string, string];
  const role = (await personNamed(redis, name))?.role ?? roleOrViewer(stored);
  return sessionFrom({ id, name, role, invitedBy, endsMs: Number(ends), cookie });
}

async function end(redis: RedisClient, cookie: string): Promise<void> {
  const record = sessionRecord(hashOf(cookie));
  const [id, name] = await redis.hmget(record, 'id', 'name');
  if (!id) return;
  await recordAct(redis, { by: actorOf(name ?? '', id), act: 'signout' });
  await redis.del(record);
  await redis.hdel(SESSION_IDS, id);
}

async function endByProvider(redis: RedisClient, logout: ProviderLogout, by: string): Promise<number> {
  let ended = 0;
  for (const session of await readSessions(redis))
    if (isMeantBy(logout, session) && (await endOne(redis, session, by))) ended += 1;
  return ended;
}

function isMeantBy(logout: ProviderLogout, { account, providerSession }: StoredSession): boolean {
  // The session began with a link.
  if (account === null) return false;
  const isOfAccount = logout.account === undefined || logout.account === account;
  const isOfSession = !('providerSession' in logout) || logout.providerSession === providerSession;
  return isOfAccount && isOfSession;
}

async function endOne(
  redis: RedisClient,
  { id, hash, name }: Pick<StoredSession, 'id' | 'hash' | 'name'>,
  by: string,
): Promise<boolean> {
  await recordAct(redis, { by, act: 'end-session', details: { name, session: id } });
  // The record goes first: a session whose id is gone, but not its record, could neither be seen nor ended any more.
  const isEnded = (await redis.del(sessionRecord(hash))) === 1;
  await redis.hdel(SESSION_IDS, id);
  return isEnded;
}

const roleOrViewer = (role: string): Role => (isRole(role) ? role : 'viewer');

const sessionFrom = ({
  cookie,
  ...facts
}: Omit<Session, 'by' | 'csrf'> & { readonly cookie: string }): Session => ({
  ...facts,
  by: actorOf(facts.name, facts.id),
  csrf: csrfOf(cookie),
});

const actorOf = (name: string, id: string) => `${name}, team page ${id}`;

/**
 * The token of a session's forms. It is derived from the cookie, so it need not be stored. It does not reveal the cookie.
 */
const csrfOf = (cookie: string) =>
  base62(BigInt(`0x${createHmac('sha256', cookie).update('csrf').digest('hex')}`), SECRET_LENGTH);

const BEGIN = `${LUA_NOW}
local ends = string.format('%.0f', now + ARGV[1])
redis.call('HSET', KEYS[1], 'began', string.format('%.0f', now), 'ends', ends, unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], math.min(ARGV[1], ARGV[2]))
return ends`;

const TOUCH = `${LUA_NOW}
local session = redis.call('HMGET', KEYS[1], 'id', 'name', 'role', 'invitedBy', 'ends')
if not session[1] or not session[2] then return nil end
local left = tonumber(session[5]) - now
if left <= 0 then
  redis.call('DEL', KEYS[1])
  return nil
end
redis.call('PEXPIRE', KEYS[1], math.min(left, ARGV[1]))
return session`;

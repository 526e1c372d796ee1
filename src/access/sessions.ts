// Sessions of the team's page: a one-time link becomes a session, which ends when it is idle.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { record } from './audit.ts';
import type { RedisClient } from './redis/connection.ts';
import { sessionRecord, signinRecord } from './redis/keyNames.ts';
import { base62, hashOf, isSecretForm, mintSecret, newId, SECRET_LENGTH } from './secret.ts';

export interface Session {
  /** Public: the audit log names the session by it. */
  readonly id: string;
  /** Who acts, for the audit log: `team page s7m2x9qd4np`. */
  readonly by: string;
  /** Who made the sign-in link. */
  readonly invitedBy: string;
  /** When the session ends even while it is in use; epoch milliseconds by Redis's clock. */
  readonly ends: number;
  /** The token that each form must carry besides the cookie. */
  readonly csrf: string;
}

export interface Sessions {
  /** A token for one sign-in; `expires` in epoch milliseconds. */
  createLink(by: string): Promise<{ readonly token: string; readonly expires: number }>;
  /** Whether a link would sign in; changes nothing. */
  isOpen(token: string): Promise<boolean>;
  /** Uses up the link. `cookie` is the session's only secret. `null` for a link that is used, expired or unknown. */
  signIn(token: string): Promise<{ readonly cookie: string; readonly session: Session } | null>;
  /** The session of a cookie, whose idle time starts anew; `null` when it has ended or never existed. */
  find(cookie: string): Promise<Session | null>;
  end(cookie: string): Promise<void>;
}

export interface SessionTimes {
  readonly linkMs: number;
  readonly idleMs: number;
  readonly longestMs: number;
}

const MINUTE_MS = 60_000;

export const SESSION_TIMES: SessionTimes = {
  linkMs: 10 * MINUTE_MS,
  idleMs: 30 * MINUTE_MS,
  longestMs: 12 * 60 * MINUTE_MS,
};

/** The link that signs in to the team's page. */
export const signinLink = (publicUrl: string, token: string): string => `${publicUrl}/admin/signin/${token}`;

/** Whether a form's token is the session's. */
export const isCsrf = (session: Session, token: string): boolean => {
  const [expected, given] = [Buffer.from(session.csrf), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
};

export const sessionsOf = (redis: RedisClient, times: SessionTimes = SESSION_TIMES): Sessions => ({
  async createLink(by) {
    const token = mintSecret();
    await record(redis, { by, act: 'signin-link' });
    const expires = await redis.eval(CREATE_LINK, 1, signinRecord(hashOf(token)), times.linkMs, by);
    return { token, expires: Number(expires) };
  },

  async isOpen(token) {
    return isSecretForm(token) && (await redis.exists(signinRecord(hashOf(token)))) === 1;
  },

  async signIn(token) {
    const invitedBy = isSecretForm(token) ? await redis.getdel(signinRecord(hashOf(token))) : null;
    if (invitedBy === null) return null;
    const id = newId('session');
    const cookie = mintSecret();
    await record(redis, { by: nameOf(id), act: 'signin', details: { link: invitedBy } });
    const { longestMs, idleMs } = times;
    const fields = ['id', id, 'invitedBy', invitedBy];
    const ends = await redis.eval(BEGIN, 1, sessionRecord(hashOf(cookie)), longestMs, idleMs, ...fields);
    const session = { id, by: nameOf(id), invitedBy, ends: Number(ends), csrf: csrfOf(cookie) };
    return { cookie, session };
  },

  async find(cookie) {
    if (!isSecretForm(cookie)) return null;
    const found = await redis.eval(TOUCH, 1, sessionRecord(hashOf(cookie)), times.idleMs);
    if (found === null) return null;
    const [id, invitedBy, ends] = found as [string, string, string];
    return { id, by: nameOf(id), invitedBy, ends: Number(ends), csrf: csrfOf(cookie) };
  },

  async end(cookie) {
    const session = isSecretForm(cookie) ? await redis.hget(sessionRecord(hashOf(cookie)), 'id') : null;
    if (session === null) return;
    await record(redis, { by: nameOf(session), act: 'signout' });
    await redis.del(sessionRecord(hashOf(cookie)));
  },
});

const nameOf = (id: string) => `team page ${id}`;

/** Derived from the cookie, so that nothing has to be stored; the cookie cannot be derived from it. */
const csrfOf = (cookie: string) =>
  base62(BigInt(`0x${createHmac('sha256', cookie).update('csrf').digest('hex')}`), SECRET_LENGTH);

const CREATE_LINK = `
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
local time = redis.call('TIME')
return string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])`;

const BEGIN = `
local time = redis.call('TIME')
local ends = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1])
redis.call('HSET', KEYS[1], 'ends', ends, unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return ends`;

const TOUCH = `
local session = redis.call('HMGET', KEYS[1], 'id', 'invitedBy', 'ends')
if not session[1] then return nil end
local time = redis.call('TIME')
if tonumber(session[3]) <= time[1] * 1000 + math.floor(time[2] / 1000) then
  redis.call('DEL', KEYS[1])
  return nil
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return session`;

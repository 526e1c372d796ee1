// One-time links that sign a person in to the team's page. A link names the person and the role.

import { recordAct } from '../audit.ts';
import type { RedisClient } from '../redis/connection.ts';
import { signinRecord } from '../redis/keyNames.ts';
import { LUA_NOW } from '../redis/serverClock.ts';
import { hashOf, isWellFormedSecret, mintSecret } from '../secret.ts';
import { type GivenRole, personNamed, type Role } from './people.ts';

/** A person who signs in, and the role. `by` is the person who made the link, or the issuer of the identity provider. */
export interface SignInTerms {
  readonly by: string;
  readonly name: string;
  readonly role: Role;
}

/** The link that signs in to the team's page. */
export const signinLink = (publicUrl: string, token: string): string => `${publicUrl}/admin/signin/${token}`;

/** Makes the token of a link for one sign-in. The link works for `linkMs`, and only its hash is stored. */
export async function createSigninLink(
  redis: RedisClient,
  linkMs: number,
  { by, name, role }: SignInTerms,
): Promise<{ readonly token: string; readonly expiresMs: number }> {
  const token = mintSecret();
  await recordAct(redis, { by, act: 'signin-link', details: { name, role } });
  const roleBefore = (await personNamed(redis, name))?.role ?? null;
  const value = JSON.stringify({ by, name, role, roleBefore } satisfies StoredLink);
  const expiresMs = await redis.eval(CREATE_LINK, 1, signinRecord(hashOf(token)), linkMs, value);
  return { token, expiresMs: Number(expiresMs) };
}

/** Whether a link can still be used. Changes nothing. */
export const isOpenLink = async (redis: RedisClient, token: string): Promise<boolean> =>
  isWellFormedSecret(token) && (await redis.exists(signinRecord(hashOf(token)))) === 1;

/** A link as it is stored. Links of earlier versions have no `roleBefore`. */
export type StoredLink = SignInTerms & GivenRole;

/** Uses up a link, and returns it; null when it is used, expired or unknown. */
export async function redeemLink(redis: RedisClient, token: string): Promise<StoredLink | null> {
  const value = isWellFormedSecret(token) ? await redis.getdel(signinRecord(hashOf(token))) : null;
  return value === null ? null : (JSON.parse(value) as StoredLink);
}

const CREATE_LINK = `${LUA_NOW}
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
return string.format('%.0f', now + ARGV[1])`;

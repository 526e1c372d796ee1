// One-time links that sign a person in to the team's page. A link names the person and the role.

import { recordAct } from '../audit.ts';
import type { RedisClient } from '../redis/connection.ts';
import { signinRecord } from '../redis/keyNames.ts';
import { LUA_NOW } from '../redis/serverClock.ts';
import { hashOf, isSecretForm, mintSecret } from '../secret.ts';
import { isLastOwner, personNamed, type Role } from './people.ts';

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
): Promise<{ readonly token: string; readonly expires: number }> {
  const token = mintSecret();
  await recordAct(redis, { by, act: 'signin-link', details: { name, role } });
  const roleBefore = (await personNamed(redis, name))?.role ?? null;
  const value = JSON.stringify({ by, name, role, roleBefore } satisfies StoredLink);
  const expires = await redis.eval(CREATE_LINK, 1, signinRecord(hashOf(token)), linkMs, value);
  return { token, expires: Number(expires) };
}

/** Whether a link can still be used. Changes nothing. */
export const isOpenLink = async (redis: RedisClient, token: string): Promise<boolean> =>
  isSecretForm(token) && (await redis.exists(signinRecord(hashOf(token)))) === 1;

/** Uses up a link, and gives its terms; null when it is used, expired or unknown. */
export async function redeemLink(redis: RedisClient, token: string): Promise<SignInTerms | null> {
  const value = isSecretForm(token) ? await redis.getdel(signinRecord(hashOf(token))) : null;
  if (value === null) return null;
  const { by, name, role, roleBefore } = JSON.parse(value) as StoredLink;
  const now = (await personNamed(redis, name))?.role ?? null;
  // If an owner has changed the role since the link was made, the link does not change it back.
  const isOverruled = roleBefore !== undefined && now !== null && now !== roleBefore;
  const grantedRole = isOverruled ? now : role;
  // The only owner stays owner, so that one owner always remains.
  return { by, name, role: (await isLastOwner(redis, name)) ? 'owner' : grantedRole };
}

interface StoredLink extends SignInTerms {
  /** The role that the person had when the link was made; null for a new person. Links of earlier versions lack it. */
  readonly roleBefore?: Role | null;
}

const CREATE_LINK = `${LUA_NOW}
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
return string.format('%.0f', now + ARGV[1])`;

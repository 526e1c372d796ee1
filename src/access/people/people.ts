// The people of the team and their roles. A role belongs to a person, so a change applies to all of their sessions.

import { carryOut } from '../audit.ts';
import type { RedisClient } from '../redis/connection.ts';
import { PEOPLE } from '../redis/keyNames.ts';

/** The roles from the fewest rights to the most. Each has all rights of those before it. */
export const ROLES = ['viewer', 'manager', 'owner'] as const;

/** A viewer sees the page. A manager also invites, limits, rotates and revokes. An owner also sets roles. */
export type Role = (typeof ROLES)[number];

/** Whether a role has the rights of the role that is needed. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Whether a text is the name of a role. */
export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

export interface Person {
  readonly name: string;
  readonly role: Role;
  /** Whether the identity provider set the role at the last sign-in. Otherwise an owner set it. */
  readonly isByClaim: boolean;
}

const BY_CLAIM = ' by claim';

/**
 * Stores the role of a person, from a claim or a backup. It applies from the person's next request on. Returns the role.
 */
export async function setRole(redis: RedisClient, { name, role, isByClaim }: Person): Promise<Role> {
  await redis.hset(PEOPLE, name, isByClaim ? role + BY_CLAIM : role);
  return role;
}

/**
 * The role of a person whom the identity provider signs in without a claim of a role: the one that an owner gave, else
 * `viewer`. A role from an earlier claim has ended with that claim. Stores a role that is new.
 */
export const roleWithoutClaim = (redis: RedisClient, name: string): Promise<Role> =>
  withoutClaim(redis, name, 'store');

/** The role that `roleWithoutClaim` would return now. Changes nothing. */
export const roleWithoutClaimNow = (redis: RedisClient, name: string): Promise<Role> =>
  withoutClaim(redis, name, 'ask');

const withoutClaim = async (redis: RedisClient, name: string, mode: 'store' | 'ask'): Promise<Role> =>
  (await redis.eval(KEEP_GIVEN, 1, PEOPLE, name, mode)) as Role;

// One script, so that a role that an owner gives at this moment is not overwritten.
const KEEP_GIVEN = `
local name, mode = unpack(ARGV)
local stored = redis.call('HGET', KEYS[1], name)
for _, role in ipairs({${ROLES.map((role) => `'${role}'`)}}) do
  if stored == role then return role end
end
if mode == 'store' then redis.call('HSET', KEYS[1], name, 'viewer') end
return 'viewer'`;

/** A role that an owner gives to a person, by a form or by a sign-in link. */
export interface GivenRole {
  readonly name: string;
  readonly role: Role;
  /**
   * The role that the person had when the link was made; null for a new person. If the person has another role by now, an
   * owner has changed it since, and the change stands. Left out, the person's present role does not matter.
   */
  readonly roleBefore?: Role | null;
}

/**
 * Gives a role to a person, and returns the role that the person has then. The last owner stays owner, even if several
 * roles are given at the same time.
 */
export const giveRole = (redis: RedisClient, given: GivenRole): Promise<Role> => give(redis, given, 'give');

/** The role that `giveRole` would return now. Changes nothing. */
export const roleAfter = (redis: RedisClient, given: GivenRole): Promise<Role> => give(redis, given, 'ask');

async function give(
  redis: RedisClient,
  { name, role, roleBefore }: GivenRole,
  mode: 'give' | 'ask',
): Promise<Role> {
  const before = roleBefore === undefined ? 'any' : (roleBefore ?? 'none');
  return (await redis.eval(GIVE, 1, PEOPLE, name, role, before, mode)) as Role;
}

const GIVE = `
local function roleOf(stored)
  for _, role in ipairs({${ROLES.map((role) => `'${role}'`)}}) do
    if stored == role or stored == role .. '${BY_CLAIM}' then return role end
  end
end
local name, role, before, mode = unpack(ARGV)
local now = roleOf(redis.call('HGET', KEYS[1], name))
if now and before ~= 'any' and now ~= before then return now end
if now == 'owner' and role ~= 'owner' then
  local owners = 0
  local people = redis.call('HGETALL', KEYS[1])
  for i = 2, #people, 2 do
    if roleOf(people[i]) == 'owner' then owners = owners + 1 end
  end
  if owners < 2 then return 'owner' end
end
if mode == 'give' then redis.call('HSET', KEYS[1], name, role) end
return role`;

/** The outcome of a change of role. The last owner stays owner. */
export type RoleChange = 'changed' | 'last owner' | 'unknown';

/** Changes the role of a person on behalf of an owner. */
export async function changeRole(
  redis: RedisClient,
  { name, role, by }: { readonly name: string; readonly role: Role; readonly by: string },
): Promise<RoleChange> {
  if ((await personNamed(redis, name)) === null) return 'unknown';
  if ((await roleAfter(redis, { name, role })) !== role) return 'last owner';
  const act = { by, act: 'role', details: { name, role } } as const;
  const roleNow = await carryOut(redis, act, () => giveRole(redis, { name, role }));
  return roleNow === role ? 'changed' : 'last owner';
}

/** The person with this name; null when nobody has it. */
export async function personNamed(redis: RedisClient, name: string): Promise<Person | null> {
  return personFrom(name, (await redis.hget(PEOPLE, name)) ?? '');
}

/** All people that ever signed in, sorted by name. */
export async function peopleIn(redis: RedisClient): Promise<readonly Person[]> {
  return Object.entries(await redis.hgetall(PEOPLE))
    .flatMap(([name, stored]) => personFrom(name, stored) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function personFrom(name: string, stored: string): Person | null {
  const isByClaim = stored.endsWith(BY_CLAIM);
  const role = isByClaim ? stored.slice(0, -BY_CLAIM.length) : stored;
  return isRole(role) ? { name, role, isByClaim } : null;
}

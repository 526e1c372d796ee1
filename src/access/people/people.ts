// The people of the team and their roles. A role belongs to a person, so a change applies to all of their sessions.

import { recordAct } from '../audit.ts';
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

/** Stores the role of a person, at a sign-in or from a backup. It applies from the person's next request on. */
export async function setRole(redis: RedisClient, { name, role, isByClaim }: Person): Promise<void> {
  await redis.hset(PEOPLE, name, isByClaim ? role + BY_CLAIM : role);
}

/** The outcome of a change of role. The last owner stays owner. */
export type RoleChange = 'changed' | 'last owner' | 'unknown';

/**
 * Changes the role of a person on behalf of an owner. One owner always remains, even if two owners take the role from
 * each other at the same time.
 */
export async function changeRole(
  redis: RedisClient,
  { name, role, by }: { readonly name: string; readonly role: Role; readonly by: string },
): Promise<RoleChange> {
  if ((await personNamed(redis, name)) === null) return 'unknown';
  if (role !== 'owner' && (await isLastOwner(redis, name))) return 'last owner';
  await recordAct(redis, { by, act: 'role', details: { name, role } });
  return (await redis.eval(CHANGE, 1, PEOPLE, name, role)) as RoleChange;
}

/** Whether this person is the only owner. */
export async function isLastOwner(redis: RedisClient, name: string): Promise<boolean> {
  const owners = (await peopleIn(redis)).filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.name === name;
}

const CHANGE = `
local function isOwner(role) return string.sub(role, 1, 5) == 'owner' end
local before = redis.call('HGET', KEYS[1], ARGV[1])
if not before then return 'unknown' end
if isOwner(before) and ARGV[2] ~= 'owner' then
  local owners = 0
  local people = redis.call('HGETALL', KEYS[1])
  for i = 2, #people, 2 do
    if isOwner(people[i]) then owners = owners + 1 end
  end
  if owners < 2 then return 'last owner' end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 'changed'`;

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

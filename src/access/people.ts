// People of the team and their roles. A role belongs to a name: it changes for all sessions of that person at once.

import type { RedisClient } from './redis/connection.ts';
import { PEOPLE } from './redis/keyNames.ts';

/** From the fewest rights to the most; each may do what those before it may. */
export const ROLES = ['viewer', 'manager', 'owner'] as const;

/** viewer sees · manager also invites, limits, rotates and revokes · owner also names roles */
export type Role = (typeof ROLES)[number];

/** Whether one role includes the rights of another. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** Sets the role of a person; it holds from their next request on. */
export async function setRole(redis: RedisClient, name: string, role: Role): Promise<void> {
  await redis.hset(PEOPLE, name, role);
}

/** Null for a name that is not known. */
export async function roleOf(redis: RedisClient, name: string): Promise<Role | null> {
  const role = (await redis.hget(PEOPLE, name)) ?? '';
  return isRole(role) ? role : null;
}

export interface Person {
  readonly name: string;
  readonly role: Role;
}

/** All people that ever signed in, by name. */
export async function peopleIn(redis: RedisClient): Promise<readonly Person[]> {
  return Object.entries(await redis.hgetall(PEOPLE))
    .flatMap(([name, role]) => (isRole(role) ? [{ name, role }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

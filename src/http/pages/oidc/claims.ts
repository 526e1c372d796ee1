// What an identity provider claims about a person: the verified e-mail address, and the role.

import { isRole, ROLES, type Role } from '../../../access/people/people.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The e-mail address; null unless the provider has verified it, because anybody can enter any other address. */
export const addressIn = ({ email, email_verified: isVerified }: Claims): string | null =>
  typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && isVerified === true
    ? email.toLowerCase()
    : null;

/** Whether somebody with this address may sign in. `allow` has addresses and domains, as `OIDC_ALLOW` does. */
export const isAllowed = (address: string, allow: readonly string[]): boolean =>
  allow.some((one) =>
    one.includes('@') && !one.startsWith('@')
      ? one === address
      : address.endsWith(`@${one.replace(/^@/, '')}`),
  );

/** The role with the most rights among those that a claim holds; null when it holds no known role. */
export function roleIn(claim: unknown): Role | null {
  const named = (Array.isArray(claim) ? claim : [claim]).filter(
    (one) => typeof one === 'string' && isRole(one),
  );
  return ROLES.findLast((role) => named.includes(role)) ?? null;
}

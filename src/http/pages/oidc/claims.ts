// Reads the claims of an identity provider about a person: the verified e-mail address, and the role.

import { isRole, ROLES, type Role } from '../../../access/people/people.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The e-mail address; null when the provider has not verified it, because anybody can enter any address. */
export const verifiedEmailIn = ({ email, email_verified: isVerified }: Claims): string | null =>
  typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && isVerified === true
    ? email.toLowerCase()
    : null;

/** Whether somebody with this e-mail address may sign in. `allow` has the addresses and domains of `OIDC_ALLOW`. */
export const isAllowedEmail = (email: string, allow: readonly string[]): boolean =>
  allow.some((entry) =>
    entry.includes('@') && !entry.startsWith('@')
      ? entry === email
      : email.endsWith(`@${entry.replace(/^@/, '')}`),
  );

/** Of the roles in a claim, the one with the most rights; null when the claim contains no known role. */
export function roleIn(claim: unknown): Role | null {
  const named = (Array.isArray(claim) ? claim : [claim]).filter(
    (one) => typeof one === 'string' && isRole(one),
  );
  return ROLES.findLast((role) => named.includes(role)) ?? null;
}

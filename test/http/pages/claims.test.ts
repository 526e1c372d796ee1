// The claims of an identity provider about a person: the address, whether it is allowed, and the role.

import { describe, expect, it } from '@jest/globals';
import { isAllowedEmail, roleIn, verifiedEmailIn } from '../../../src/http/pages/oidc/claims.ts';

describe('the claims of an identity provider', () => {
  it('hold an address where it is one and verified, in lower case', () => {
    const verified = (email: unknown) => verifiedEmailIn({ email, email_verified: true });
    expect(verified('Jane@Example.org')).toBe('jane@example.org');
    for (const odd of [
      'jane',
      '@example.org',
      'jane@',
      'eve@evil.net @example.org',
      'eve@evil.net@example.org',
    ])
      expect([odd, verified(odd)]).toEqual([odd, null]);
    for (const none of [undefined, null, 5, ['jane@example.org']]) expect(verified(none)).toBe(null);
    for (const isVerified of [false, undefined, 'true'])
      expect(verifiedEmailIn({ email: 'jane@example.org', email_verified: isVerified })).toBe(null);
  });

  it('let in addresses of OIDC_ALLOW and those of its domains, whole', () => {
    const allow = ['jane@example.org', 'example.com', '@example.net'];
    const isIn = (address: string) => isAllowedEmail(address, allow);
    for (const one of ['jane@example.org', 'ann@example.com', 'ann@example.net'])
      expect([one, isIn(one)]).toEqual([one, true]);
    for (const one of [
      'ann@example.org',
      'ann@notexample.com',
      'ann@sub.example.com',
      'ann@example.com.evil.net',
    ])
      expect([one, isIn(one)]).toEqual([one, false]);
  });

  it('name the role with the most rights, if it is one', () => {
    expect(roleIn('manager')).toBe('manager');
    expect(roleIn(['viewer', 'owner', 'manager', 'root'])).toBe('owner');
    for (const none of ['root', [], [5], undefined, { owner: true }]) expect(roleIn(none)).toBe(null);
  });
});

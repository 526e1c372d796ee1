// How durations are read, and keys, invites and the audit log printed.

import { describe, expect, it } from '@jest/globals';
import { duration } from '../../../src/access/commands/keysCommandLine.ts';
import { auditTable, invitesTable, keysTable } from '../../../src/access/commands/keysOutput.ts';
import type { KeyInfo } from '../../../src/access/keys/keyRecords.ts';

describe('a duration', () => {
  it.each([
    ['0s', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['3650d', 315_360_000_000],
  ])('%s is %i ms', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });

  it.each(['', '7', 'd', '7w', '7 d', '-7d', '+7d', '1.5h', '7D', '1d12h', '3651d', `${'9'.repeat(30)}d`])(
    '%j is none',
    (text) => {
      expect(() => duration(text)).toThrow('Write it as 90s');
    },
  );
});

const AT = Date.UTC(2026, 10, 21, 9, 5, 7);

const aKey = (over: Partial<KeyInfo>): KeyInfo => ({
  id: 'k2345678abc',
  label: 'Acme',
  state: 'active',
  last4: 'a1B2',
  createdMs: AT,
  expiresMs: null,
  endedMs: null,
  usedMs: null,
  perMinute: null,
  perDay: null,
  dayUse: 0,
  dayUseFallsMs: null,
  note: null,
  plannedEndMs: null,
  ...over,
});

describe('the list of keys', () => {
  const printed = (...keys: KeyInfo[]) => keysTable(keys, { perMinute: 100, perDay: 10_000 });

  it('is a table of the records of keys', () => {
    expect(
      printed(
        aKey({ usedMs: AT, dayUse: 1234, expiresMs: AT }),
        aKey({ label: '株式会社', state: 'expired', expiresMs: AT, perMinute: 5 }),
        aKey({ label: 'Ever', usedMs: AT }),
        aKey({ label: 'Zoë', state: 'revoked', expiresMs: AT, perMinute: 2000, perDay: 50_000 }),
      ),
    ).toBe(
      [
        'id           label     key    state                          created (UTC)     last used         last 24 hours    own limits',
        'k2345678abc  Acme      …a1B2  active until 2026-11-21 09:05  2026-11-21 09:05  2026-11-21 09:05  1,234 of 10,000',
        'k2345678abc  株式会社  …a1B2  expired 2026-11-21 09:05       2026-11-21 09:05  never             0 of 10,000      5 a minute',
        'k2345678abc  Ever      …a1B2  active                         2026-11-21 09:05  2026-11-21 09:05  0 of 10,000',
        'k2345678abc  Zoë       …a1B2  revoked                        2026-11-21 09:05  never             0 of 50,000      2,000 a minute, 50,000 a day',
        '',
      ].join('\n'),
    );
  });
});

describe('the list of invites', () => {
  it('names the key that each became', () => {
    const open = {
      id: 'i2345678abc',
      label: 'Acme',
      createdMs: AT,
      expiresMs: AT,
      claimedMs: null,
      keyId: null,
    };
    expect(
      invitesTable([
        { ...open, state: 'open' },
        { ...open, state: 'used', keyId: 'k2345678abc' },
      ]),
    ).toBe(
      [
        'id           label  state  created (UTC)     expires           became key',
        'i2345678abc  Acme   open   2026-11-21 09:05  2026-11-21 09:05',
        'i2345678abc  Acme   used   2026-11-21 09:05  2026-11-21 09:05  k2345678abc',
        '',
      ].join('\n'),
    );
    expect(invitesTable([])).toBe('no invites yet\n');
  });
});

describe('the audit log', () => {
  it('says who did what, when, to which key', () => {
    const entry = { entry: '1-0', atMs: AT, by: 'ada', act: 'limits', keyId: 'k2345678abc' } as const;
    expect(auditTable([{ ...entry, details: { label: 'Acme', perMinute: '5', perDay: 'default' } }])).toBe(
      [
        'when (UTC)           who  what    key          invite  label',
        '2026-11-21 09:05:07  ada  limits  k2345678abc          Acme   perMinute 5, perDay default',
        '',
      ].join('\n'),
    );
    expect(auditTable([])).toBe('nothing has been done yet\n');
  });
});

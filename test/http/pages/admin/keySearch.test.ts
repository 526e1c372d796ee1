// The search of the list of keys: by label, last characters and id, and by words of the list.

import { expect, it } from '@jest/globals';
import { folded, type IndexedKey } from '../../../../src/access/keys/keyIndex.ts';
import { matchOf } from '../../../../src/http/pages/admin/keySearch.ts';

const aKey = (id: string, label: string, own: Partial<IndexedKey> = {}): IndexedKey => ({
  ...{
    id,
    label,
    hash: id,
    foldedLabel: folded(label),
    sortKey: folded(label),
    state: 'active',
    last4: 'abcd',
  },
  ...{
    createdMs: 0,
    expiresMs: null,
    plannedEndMs: null,
    endedMs: null,
    usedMs: 1,
    dayUse: 0,
    dayUseFallsMs: null,
  },
  ...{ note: null, perMinute: null, perDay: null },
  ...own,
});

const KEYS = [
  aKey('k1', 'Acme Desk'),
  aKey('k2', 'Acme revoked last year', { last4: 'WXYZ' }),
  aKey('k3', 'Borg', { state: 'revoked', endedMs: 5 }),
  aKey('k4', 'Acme', { state: 'expired', expiresMs: 5, endedMs: 5 }),
  aKey('k5', 'Corp', { expiresMs: 9e15 }),
  aKey('k6', 'Ducat', { usedMs: null }),
];

it.each([
  ['', ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']],
  ['acme', ['k1', 'k2', 'k4']],
  ['ACME  desk', ['k1']],
  ['acme active', ['k1', 'k2']],
  ['acme expired', ['k4']],
  // k2 has this word in its label, and k3 is revoked.
  ['revoked', ['k2', 'k3']],
  ['ending', ['k5']],
  ['never', ['k6']],
  ['unused ducat', ['k6']],
  ['unused corp', []],
  ['wxy', ['k2']],
  ['XYZ active', ['k2']],
  ['wxyz expired', []],
  ['k1 active', ['k1']],
  ['K3', ['k3']],
  ['k', ['k1', 'k2']],
  ['nobody', []],
])('of "%s"', (search, ids) => {
  const matches = matchOf(search);
  expect(KEYS.filter(matches).map(({ id }) => id)).toEqual(ids);
});

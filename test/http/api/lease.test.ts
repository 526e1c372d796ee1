// Which snapshots a request means, by its parameters, its header and its cursor.

import { expect, it } from '@jest/globals';
import { wantedSnapshots } from '../../../src/http/api/lease.ts';

const WALK = { snapshotId: '2026-11.1', sinceId: '2026-10.1' };
const client = (text: string) => ({ by: 'client', text });
const cursor = (text: string) => ({ by: 'cursor', text });

it.each([
  ['nothing', {}, null, null, [null, 'current', null]],
  ['a cursor that cannot be decoded', {}, null, 'malformed', [null, 'current', null]],
  ['a header', {}, '2026-10', null, ['2026-10', client('2026-10'), null]],
  ['an empty header', {}, '', null, ['', client(''), null]],
  ['a cursor', {}, null, WALK, [null, cursor('2026-11.1'), null]],
  ['a header with a cursor', {}, '2026-10.2', WALK, ['2026-10.2', client('2026-10.2'), null]],
  ['a header of the cursor’s month', {}, '2026-11', WALK, ['2026-11', client('2026-11'), null]],
  ['until and a header', { until: '2026-10' }, '2026-09', null, ['2026-10', client('2026-10'), null]],
  ['an empty until and a header', { until: '' }, '2026-09', null, ['', client(''), null]],
  ['until null and a header', { until: null }, '2026-09', null, ['2026-09', client('2026-09'), null]],
  ['until of the cursor’s month', { until: '2026-11' }, null, WALK, ['2026-11', cursor('2026-11.1'), null]],
  ['until of another month', { until: '2026-10' }, null, WALK, ['2026-10', client('2026-10'), null]],
  ['until of an id', { until: '2026-11.1' }, null, WALK, ['2026-11.1', client('2026-11.1'), null]],
  ['since', { since: '2026-10' }, null, null, [null, 'current', client('2026-10')]],
  [
    'since of the cursor’s month',
    { since: '2026-10' },
    null,
    WALK,
    [null, cursor('2026-11.1'), cursor('2026-10.1')],
  ],
  [
    'since of another month',
    { since: '2026-11' },
    null,
    WALK,
    [null, cursor('2026-11.1'), client('2026-11')],
  ],
] as const)('%s', (_, query, header, position, [asOf, snapshot, base]) => {
  expect(wantedSnapshots({ query, cursor: position }, header)).toEqual({ asOf, snapshot, base });
});

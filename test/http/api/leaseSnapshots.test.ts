// Which snapshots a request means, by its parameters, its header and its cursor.

import { expect, it } from '@jest/globals';
import type { Snapshots } from '../../../src/catalog/snapshots.ts';
import { unavailable } from '../../../src/errors.ts';
import { leaseSnapshots, releaseAll, wantedSnapshots } from '../../../src/http/api/leaseSnapshots.ts';

const WALK = { snapshotId: '2026-11.1', sinceId: '2026-10.1' };
const NOW = new Date('2026-12-01T10:00:00Z');
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
  [
    'until of a day that has not ended',
    { until: '2026-12-01' },
    null,
    WALK,
    ['2026-12-01', cursor('2026-11.1'), null],
  ],
  [
    'until of a day that has ended',
    { until: '2026-11-30' },
    null,
    WALK,
    ['2026-11-30', client('2026-11-30'), null],
  ],
  [
    'until of an unended day that begins a walk',
    { until: '2026-12-01' },
    null,
    null,
    ['2026-12-01', client('2026-12-01'), null],
  ],
  [
    'until of a day that does not exist',
    { until: '2026-12-32' },
    null,
    WALK,
    ['2026-12-32', client('2026-12-32'), null],
  ],
  [
    'a header of a day that has not ended',
    {},
    '2026-12-01',
    WALK,
    ['2026-12-01', client('2026-12-01'), null],
  ],
  [
    'since of a day that has not ended',
    { since: '2026-12-01' },
    null,
    WALK,
    [null, cursor('2026-11.1'), cursor('2026-10.1')],
  ],
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
  expect(wantedSnapshots({ query, cursor: position }, header, NOW)).toEqual({ asOf, snapshot, base });
});

it.each([
  ['the base cannot be leased', { check() {} }, true],
  [
    'the query is refused',
    {
      check() {
        throw unavailable();
      },
    },
    false,
  ],
])('nothing stays leased when %s', async (_, terms, isLeased) => {
  const counts = { leased: 0, released: 0 };
  const snapshot = (id: string, isFull: boolean) => ({
    manifest: { id },
    async lease() {
      if (isFull) throw unavailable();
      counts.leased += 1;
      return {
        release() {
          counts.released += 1;
        },
      };
    },
  });
  const older = new Map([
    ['2026-09.1', snapshot('2026-09.1', false)],
    ['2026-08.1', snapshot('2026-08.1', true)],
  ]);
  const snapshots = {
    currentWithoutLease: () => snapshot('2026-10.1', false),
    asOf: async (text: string) => text,
    find: async (id: string) => older.get(id) ?? null,
  } as unknown as Snapshots;
  const leased = async (since: string) => {
    const query = { since, until: '2026-09.1' };
    return leaseSnapshots(snapshots, wantedSnapshots({ query, cursor: null }, null, NOW), {
      caller: 'key',
      ...terms,
    });
  };
  await expect(leased('2026-08.1')).rejects.toThrow('Service temporarily unavailable');
  expect(counts).toEqual(isLeased ? { leased: 1, released: 1 } : { leased: 0, released: 0 });
  if (!isLeased) return;
  releaseAll(await leased('2026-10.1'));
  expect(counts).toEqual({ leased: 3, released: 3 });
});

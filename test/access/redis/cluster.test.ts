// Keys and invites on the nodes of a Redis Cluster.

import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { createGate } from '../../../src/access/gate/gate.ts';
import { invitesOf } from '../../../src/access/invites/invites.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { openRedis } from '../../../src/access/redis/connection.ts';
import { waitForReplica } from '../../../src/access/redis/waitForReplica.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { type Cluster, NO_LOGIN, startCluster } from '../../support/cluster.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.close());

it('keys on different nodes of a cluster are admitted in one turn, listed, counted and revoked', async () => {
  const keys = keysOf(cluster.client);
  const issued = [];
  for (let i = 0; i < 8; i++) issued.push(await keys.issue({ label: `key ${i}`, by: 'test' }));
  const ids = issued.map(({ id }) => id);
  // Other tests issue keys, too.
  expect((await keys.list()).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  const gate = createGate(cluster.client, { perMinute: 100, perDay: 100 });
  // Whether a request that got 503 was counted is unknown, so the counts are lower bounds.
  const verdicts = await Promise.all(issued.map(({ key }) => retryThrown(() => gate.admit(hashOf(key)))));
  expect(verdicts.map(({ keyId }) => keyId)).toEqual(ids);
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'admitted'));
  for (const id of ids) expect(await keys.minuteUse(id)).toBeGreaterThanOrEqual(1);
  const [first = ''] = ids;
  expect(await keys.revoke(first, 'test')).toBe('revoked');
  const checked = await Promise.all(issued.map(({ key }) => retryThrown(() => gate.check(hashOf(key)))));
  expect(checked.map(({ outcome }) => outcome)).toEqual(
    ids.map((id) => (id === first ? 'revoked' : 'active')),
  );
});

it('a revocation asks each master of a cluster for replicas to wait for', async () => {
  const keys = keysOf(cluster.client);
  const { id } = await keys.issue({ label: 'test', by: 'test' });
  const masters = cluster.client instanceof Redis ? [] : cluster.client.nodes('master');
  // INFO counts itself as a call.
  const callsOf = async (one: Redis) =>
    Number(/^cmdstat_info:calls=(\d+)/m.exec(await one.info('commandstats'))?.[1] ?? 0);
  const calls = () => Promise.all(masters.map(callsOf));
  const [, before] = [await calls(), await calls()];
  expect(await keys.revoke(id, 'test')).toBe('revoked');
  const after = await calls();
  expect(after).toHaveLength(3);
  expect(after.map((count, i) => count - (before[i] ?? 0))).toEqual([2, 2, 2]);
});

it('a revocation does not ask a master that this client has not connected to yet', async () => {
  const { nodes } = cluster;
  const address = { nodes: nodes.map(({ port }) => ({ host: '127.0.0.1', port })), cluster: true };
  const opened = openRedis({ address: { ...NO_LOGIN, ...address }, dataDir: '' });
  try {
    await opened.untilAnswered(60_000);
    const masters = opened.client instanceof Redis ? [] : opened.client.nodes('master');
    const asked = masters.map((one) => jest.spyOn(one, 'info'));
    const statuses = masters.map(({ status }) => status);
    expect(new Set(statuses).size).toBe(2);
    await waitForReplica(opened.client);
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual(
      statuses.map((one) => Number(one === 'ready')),
    );
  } finally {
    await opened.close();
  }
});

it('an invite is claimed once, on whichever node of a cluster it lies', async () => {
  const invites = invitesOf(cluster.client);
  for (let i = 0; i < 4; i++) {
    const { token } = await invites.create({ label: `invite ${i}`, claimableMs: 60_000, by: 'test' });
    const claims = await Promise.all([1, 2, 3].map(() => invites.claim(token)));
    expect(claims.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
  }
});

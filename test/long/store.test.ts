// Keys, invites and sessions on a real Redis Cluster.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readAudit } from '../../src/access/audit.ts';
import { invitesOf } from '../../src/access/invites/invites.ts';
import { keysOf } from '../../src/access/keys/keys.ts';
import { sessionsOf } from '../../src/access/people/sessions.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
}, 60_000);
afterAll(() => cluster.close());

it('manages keys, invites and sessions on a Redis Cluster as on one server', async () => {
  const keys = keysOf(cluster.client);
  const invites = invitesOf(cluster.client);
  const sessions = sessionsOf(cluster.client);
  for (let round = 0; round < 20; round++) {
    const { id } = await keys.issue({ label: `issued ${round}`, by: 'ada' });
    expect(await keys.changeLimits(id, { perMinute: round + 1 }, 'ada')).toBe('changed');
    expect(await keys.rotate(id, { graceMs: 60_000, by: 'ada' })).toMatchObject({ outcome: 'rotated' });
    expect(await keys.revoke(id, 'ada')).toBe('revoked');
    const { token } = await invites.create({ label: `claimed ${round}`, claimableMs: 60_000, by: 'ada' });
    const claims = await Promise.all(Array.from({ length: 16 }, () => invites.claim(token)));
    expect(claims.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
    const signed = await sessions.signIn(
      (await sessions.createLink({ by: 'ada', name: 'ada', role: 'owner' })).token,
    );
    expect(await sessions.find(signed?.cookie ?? '')).toEqual(signed?.session);
    await sessions.end(signed?.cookie ?? '');
  }
  const listed = await keys.list();
  expect(listed.filter(({ state }) => state === 'active')).toHaveLength(40);
  expect(listed.filter(({ state }) => state === 'revoked')).toHaveLength(20);
  expect((await invites.list()).map(({ state }) => state)).toEqual(Array(20).fill('used'));
  expect(await readAudit(cluster.client, { count: 1000 })).toHaveLength(20 * 9);
});

it('waits for the replica of every master before it reports a change of a key or an invite', async () => {
  const replicatedCluster = await startCluster({ hasReplicas: true });
  try {
    const waitsOf = async () =>
      Promise.all(
        replicatedCluster.nodes.map(async ({ client }) =>
          Number(/^cmdstat_wait:calls=(\d+)/m.exec(await client.info('commandstats'))?.[1] ?? 0),
        ),
      );
    const keys = keysOf(replicatedCluster.client);
    const { id } = await keys.issue({ label: 'test', by: 'test' });
    // These writes reach every master, so that the client is connected to each.
    await Promise.all(Array.from({ length: 20 }, () => keys.issue({ label: 'test', by: 'test' })));
    const before = await waitsOf();
    const waitsSince = async () => (await waitsOf()).map((waits, i) => waits - (before[i] ?? 0));
    expect(await keys.revoke(id, 'test')).toBe('revoked');
    expect(await waitsSince()).toEqual([1, 1, 1]);
    const invites = invitesOf(replicatedCluster.client);
    const { token } = await invites.create({ label: 'test', claimableMs: 60_000, by: 'test' });
    expect(await waitsSince()).toEqual([2, 2, 2]);
    expect(await invites.claim(token)).toMatchObject({ outcome: 'claimed' });
    expect(await waitsSince()).toEqual([3, 3, 3]);
  } finally {
    await replicatedCluster.close();
  }
});

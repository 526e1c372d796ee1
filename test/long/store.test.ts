import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { read } from '../../src/access/audit.ts';
import { invitesOf } from '../../src/access/invites.ts';
import { keysOf } from '../../src/access/keys.ts';
import { sessionsOf } from '../../src/access/sessions.ts';
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
    expect(await keys.limit(id, { perMinute: round + 1 }, 'ada')).toBe('changed');
    expect(await keys.rotate(id, { graceMs: 60_000, by: 'ada' })).toMatchObject({ outcome: 'rotated' });
    expect(await keys.revoke(id, 'ada')).toBe('revoked');
    const { token } = await invites.create({ label: `claimed ${round}`, expiresMs: 60_000, by: 'ada' });
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
  expect(await read(cluster.client, { count: 1000 })).toHaveLength(20 * 9);
});

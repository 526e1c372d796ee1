// Changes of keys, invites and roles wait for a replica, where there is one.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { invitesOf } from '../../../src/access/invites/invites.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { changeRole, setRole } from '../../../src/access/people/people.ts';
import { keyRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { freePort } from '../../support/freePort.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';

let port: string;
let master: TestRedis;
let servers: TestRedis[];
beforeEach(async () => {
  port = await freePort();
  master = await startRedis('--port', port, '--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0');
  servers = [master];
});
afterEach(() => Promise.all(servers.map((server) => server.close())));

/** How often the master was asked to wait for a replica. */
const waits = async () =>
  Number(/^cmdstat_wait:calls=(\d+)/m.exec(await master.client.info('commandstats'))?.[1] ?? 0);

/** Makes a key and revokes it. */
async function revokeOne(): Promise<string> {
  const keys = keysOf(master.client);
  const { id, key } = await keys.issue({ label: 'test', by: 'test' });
  expect(await keys.revoke(id, 'test')).toBe('revoked');
  return keyRecord(hashOf(key));
}

describe('with a replica', () => {
  let replica: TestRedis;
  beforeEach(async () => {
    replica = await startRedis('--replicaof', '127.0.0.1', port);
    servers.push(replica);
    while (!String(await master.client.info('replication')).includes('state=online')) await sleep(20);
    await master.client.set('begun', '1');
    while ((await replica.client.get('begun').catch(() => null)) !== '1') await sleep(20);
  });

  it('every change of a key, an invite or a role waits for it before it is reported', async () => {
    const record = await revokeOne();
    // A key was made, and revoked.
    expect(await waits()).toBe(2);
    // On a busy machine the replica may take longer than the 100 ms for which the revocation waits.
    while ((await replica.client.hget(record, 'state')) !== 'revoked') await sleep(20);
    const invites = invitesOf(master.client);
    const terms = { label: 'test', claimableMs: 60_000, by: 'test' };
    const [claimed, withdrawn] = [await invites.create(terms), await invites.create(terms)];
    expect(await waits()).toBe(4);
    const claim = await invites.claim(claimed.token);
    expect(claim).toMatchObject({ outcome: 'claimed' });
    expect(await waits()).toBe(5);
    const id = 'id' in claim ? claim.id : '';
    const keys = keysOf(master.client);
    expect(await keys.changeLimits(id, { perMinute: 5 }, 'test')).toBe('changed');
    expect(await waits()).toBe(6);
    await keys.rotate(id, { graceMs: 0, by: 'test' });
    expect(await waits()).toBe(7);
    expect(await invites.revoke(withdrawn.id, 'test')).toBe('revoked');
    expect(await waits()).toBe(8);
    await setRole(master.client, { name: 'ada', role: 'manager', isByClaim: false });
    expect(await changeRole(master.client, { name: 'ada', role: 'viewer', by: 'test' })).toBe('changed');
    expect(await waits()).toBe(9);
  });

  it('a replica that does not answer does not delay a revocation', async () => {
    replica.pause();
    await revokeOne();
    expect(await waits()).toBe(2);
    replica.resume();
  });
});

it('nothing waits for a replica where there is none', async () => {
  await revokeOne();
  expect(await waits()).toBe(0);
});

// The audit log: order, dates, length.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readAudit, recordAct } from '../../src/access/audit.ts';
import { AUDIT } from '../../src/access/redis/keyNames.ts';
import { openDatabase, type TestDatabase } from '../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

describe('the audit log', () => {
  it('lists the newest entries first, and continues before a given entry', async () => {
    for (let i = 0; i < 25; i++) await recordAct(redis.client, { by: `user ${i}`, act: 'signin-link' });
    const first = await readAudit(redis.client, { count: 10 });
    const rest = await readAudit(redis.client, { count: 99, before: first.at(-1)?.entry ?? '' });
    expect([...first, ...rest].map(({ by }) => by)).toEqual(
      Array.from({ length: 25 }, (_, i) => `user ${24 - i}`),
    );
  });

  it("dates entries by Redis's clock", async () => {
    const [seconds] = await redis.client.time();
    await recordAct(redis.client, { by: 'ada', act: 'revoke', keyId: 'k1', details: { label: 'Zoë 株' } });
    const [entry] = await readAudit(redis.client, { count: 1 });
    expect(Math.abs((entry?.atMs ?? 0) - Number(seconds) * 1000)).toBeLessThan(60_000);
    expect(entry).toMatchObject({ by: 'ada', act: 'revoke', keyId: 'k1', details: { label: 'Zoë 株' } });
    expect(entry).not.toHaveProperty('inviteId');
  });

  it('stores the last hundred thousand entries', async () => {
    const many = `for i = 1, 2000 do redis.call('XADD', KEYS[1], '*', 'by', 'x', 'act', 'issue') end`;
    for (let i = 0; i < 55; i++) await redis.client.eval(many, 1, AUDIT);
    expect(await redis.client.xlen(AUDIT)).toBe(110_000);
    // Each entry lets Redis drop at most 10,000 earlier ones. So three entries are enough to shorten the log.
    for (let i = 0; i < 3; i++) await recordAct(redis.client, { by: 'ada', act: 'issue' });
    const length = await redis.client.xlen(AUDIT);
    expect(length).toBeGreaterThanOrEqual(100_000);
    expect(length).toBeLessThan(100_200);
    expect(await readAudit(redis.client, { count: 1 })).toMatchObject([{ by: 'ada' }]);
  });
});

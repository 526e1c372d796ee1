import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyIndexOf } from '../../src/access/keyIndex.ts';
import { hashKey, keysOf } from '../../src/access/keys.ts';
import { AUDIT, keyRecord } from '../../src/access/redis/keyNames.ts';
import { openDatabase, type TestDatabase } from '../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

const issue = (label: string) => keysOf(redis.client).issue({ label, by: 'test' });

describe('the index of keys', () => {
  it('has a change that is followed by more acts than are read at once', async () => {
    const { id } = await issue('Acme');
    const index = keyIndexOf(redis.client);
    expect((await index.list()).map(({ perMinute }) => perMinute)).toEqual([null]);
    await keysOf(redis.client).limit(id, { perMinute: 5 }, 'test');
    const write = redis.client.pipeline();
    for (let i = 0; i < 600; i++) write.xadd(AUDIT, '*', 'by', 'ada', 'act', 'signin');
    await write.exec();
    expect((await index.list()).map(({ perMinute }) => perMinute)).toEqual([5]);
  });

  it('is read anew when the audit log is not the one that it followed', async () => {
    const { key } = await issue('Acme');
    const index = keyIndexOf(redis.client);
    expect((await index.list()).map(({ label }) => label)).toEqual(['Acme']);
    await redis.client.del(AUDIT);
    await redis.client.hset(keyRecord(hashKey(key)), { label: 'Other' });
    expect((await index.list()).map(({ label }) => label)).toEqual(['Other']);
  });

  it('sorts labels by the numbers in them, and compares them without case, accents, widths and runs of spaces', async () => {
    for (const label of ['Desk 10', 'ｄｅｓｋ  ９', 'Désk 9a', 'desk 100']) await issue(label);
    const keys = [...(await keyIndexOf(redis.client).list())];
    const byLabel = keys.sort((a, b) => (a.order < b.order ? -1 : 1));
    expect(byLabel.map(({ text }) => text)).toEqual(['desk 9', 'desk 9a', 'desk 10', 'desk 100']);
  });
});

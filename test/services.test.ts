// The services that all test files of a run share.

import { describe, expect, it } from '@jest/globals';
import { openDatabase } from './support/redis.ts';
import { patientFetch } from './support/retryUnavailable.ts';
import { sharedServer } from './support/sharedServer.ts';

describe('the shared services', () => {
  it('give each caller a Redis database whose keys nobody else sees or removes', async () => {
    const [one, other] = [await openDatabase(), await openDatabase()];
    await one.client.set('mine', '1');
    expect(await other.client.keys('*')).toEqual([]);
    await other.empty();
    expect(await one.client.get('mine')).toBe('1');
    await Promise.all([one.close(), other.close()]);
  });

  it('answer questions about the sample with a key that each caller gets', async () => {
    const [one, other] = [await sharedServer(), await sharedServer()];
    expect([one.url, one.key === other.key]).toEqual([other.url, false]);
    const response = await patientFetch(`${one.url}/v1/catalog`, { headers: { 'x-api-key': one.key } });
    expect(response.status).toBe(200);
  });
});

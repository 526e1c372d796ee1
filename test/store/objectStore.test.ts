import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../src/store/objectStore.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';

let store: TestStore;
beforeEach(async () => {
  store = await startStore();
});
afterEach(() => store.close());

const opened = (answerMs?: number) =>
  openStore(
    { bucket: 'snapshots', prefix: 'team/' },
    { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN },
    answerMs === undefined ? {} : { answerMs },
  );

describe('a store', () => {
  it('that hangs is given up, whatever the garbage collector takes meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    store.before = async () => {
      // Once the client waits for nothing but the answer.
      await sleep(20);
      collect();
      await new Promise<void>(() => {});
    };
    await expect(opened(200).read('current.json')).rejects.toThrow(/does not answer .*timeout/);
    await expect(opened(200).write('one', Buffer.from('1'), 'new')).rejects.toThrow(/does not answer/);
  });

  it('that cannot answer just now is asked three times, also to write, and a refusal is told at once', async () => {
    store.faults.push(503, 500);
    expect(await opened().write('one', Buffer.from('1'), 'new')).toBe(true);
    store.faults.push(429, 503);
    expect(await opened().get('one')).toEqual(Buffer.from('1'));
    expect(store.requests).toHaveLength(6);
    store.faults.push(503, 503, 503);
    await expect(opened().get('one')).rejects.toThrow('answered 503');
    store.faults.push(403);
    await expect(opened().get('one')).rejects.toThrow('refuses the credentials');
    expect(store.requests).toHaveLength(10);
  });
});

// The client of an S3 store: conditions, faults, timeouts, many kinds of stores.

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { readSharedState, swapSharedState } from '../../src/store/sharedState.ts';
import { collectGarbage } from '../support/collectGarbage.ts';
import { isDeep, itInDepth } from '../support/depth.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';

let store: TestStore;
beforeEach(async () => {
  store = await startStore();
});
afterEach(() => store.close());

const opened = (answerTimeoutMs?: number, bucket = 'snapshots') =>
  new ObjectStore(
    { bucket, prefix: 'team/' },
    { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN },
    answerTimeoutMs === undefined ? {} : { answerTimeoutMs },
  );

describe('a store', () => {
  it('gives null for an object that it lacks, and says so where its bucket does not exist', async () => {
    expect(await opened().read('current.json')).toBeNull();
    await expect(opened(undefined, 'other').read('current.json')).rejects.toThrow(
      'the bucket other does not exist',
    );
  });

  it('that hangs is given up, whatever the garbage collector takes meanwhile', async () => {
    let collections = 0;
    store.before = async () => {
      // By now the client only waits for the answer.
      await sleep(20);
      if (isDeep || collections++ === 0) collectGarbage();
      await new Promise<void>(() => {});
    };
    await expect(opened(200).read('current.json')).rejects.toThrow(/does not answer .*timeout/);
    await expect(opened(200).write('one', Buffer.from('1'), 'new')).rejects.toThrow(/does not answer/);
  });

  itInDepth('that sends a byte now and then is given up, for a document and for a file', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'trickling-'));
    await opened().write('one', Buffer.alloc(100_000, 1), 'new');
    store.before = () => void store.faults.push('trickling');
    await expect(opened(300).get('one')).rejects.toThrow('cut the connection');
    const file = path.join(folder, 'one');
    await expect(opened(300).download('one', file, 100_000)).rejects.toThrow('cut the connection');
    await rm(folder, { recursive: true });
  });

  it('that sends a long object steadily is waited for, however long that takes', async () => {
    const content = Buffer.alloc(4000, 1);
    await opened().write('one', content, 'new');
    store.before = () => void store.faults.push('steady');
    expect(await opened(400).get('one', content.length)).toEqual(content);
  });

  it('that cannot answer just now gets three requests, also to write, and a refusal is reported at once', async () => {
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

  it.each([
    '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
    '<html>Please sign in</html>',
    '<ListBucketResult><CommonPrefixes><Prefix>team/snapshots/2026-10.1/</Prefix></CommonPrefixes>',
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextMarker>2026-10.1</NextMarker></ListBucketResult>',
  ])('whose answer to a list is %s is asked again, and has no other list', async (body) => {
    await opened().write('snapshots/2026-10.1/manifest.json', Buffer.from('{}'), 'new');
    store.faults.push({ body });
    expect(await opened().folders('snapshots')).toEqual(['2026-10.1']);
    store.faults.push({ body }, { body }, { body });
    await expect(opened().folders('snapshots')).rejects.toThrow(
      'not a complete listing; check AWS_ENDPOINT_URL_S3',
    );
  });

  it('whose list leads back to the same page is given up', async () => {
    const body =
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>2</NextContinuationToken></ListBucketResult>';
    store.faults.push(...Array.from({ length: 20 }, () => ({ body })));
    await expect(opened().names('snapshots')).rejects.toThrow('not a complete listing');
    expect(store.requests).toHaveLength(6);
  });

  it('whose list goes round in a circle is given up', async () => {
    store.before = () => {
      const body = `<ListBucketResult><NextContinuationToken>${store.requests.length % 3}</NextContinuationToken></ListBucketResult>`;
      store.faults.push({ body });
    };
    await expect(opened().names('snapshots')).rejects.toThrow('not a complete listing');
  });

  itInDepth('whose document, list or error has no end fills no memory', async () => {
    store.before = () => void store.faults.push('endless');
    const limited = new ObjectStore(
      { bucket: 'snapshots', prefix: 'team/' },
      { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN },
      isDeep ? {} : { maxDocumentBytes: 4e6 },
    );
    await expect(limited.get('current.json')).rejects.toThrow(
      `current.json in the store at s3://snapshots/team/ is longer than ${isDeep ? 64 : 4} MB`,
    );
    expect(await opened().get('one', 10)).toHaveLength(11);
    await expect(opened().names('snapshots')).rejects.toThrow('not a complete listing');
    expect(await opened().write('one', Buffer.from('1'), 'always')).toBe(true);
  });

  it('that answers 200 with an error has neither given nor taken an object', async () => {
    const body = '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>';
    await opened().write('current.json', Buffer.from('1'), 'new');
    store.faults.push({ body });
    expect(await opened().get('current.json')).toEqual(Buffer.from('1'));
    store.faults.push({ body }, { body }, { body });
    await expect(opened().get('current.json')).rejects.toThrow('not current.json; check AWS_ENDPOINT_URL_S3');
    store.faults.push({ body });
    await expect(opened().write('current.json', Buffer.from('2'), 'always')).rejects.toThrow('confirmation');
    expect(store.objects.get('team/current.json')).toEqual(Buffer.from('1'));
  });

  it('behind a proxy that compresses takes writes under the ETag that it gave', async () => {
    store.compresses = true;
    await opened().write('current.json', Buffer.from('1'), 'new');
    const read = await opened().read('current.json');
    if (read === null || read === 'unchanged') throw new Error('nothing was read');
    expect(await opened().write('current.json', Buffer.from('2'), { etag: read.etag })).toBe(true);
  });

  it('says that a condition is not met, and no other refusal of a write', async () => {
    const one = Buffer.from('1');
    expect(await opened().write('one', one, 'new')).toBe(true);
    expect(await opened().write('one', one, 'new')).toBe(false);
    expect(await opened().write('two', one, { etag: '"other"' })).toBe(false);
    store.faults.push(404);
    await expect(opened().write('three', one, 'new')).rejects.toThrow();
  });

  it('without ETags is refused as a place for publications', async () => {
    const state = { current: '2026-10.1', history: [], abandoned: [] };
    expect(await swapSharedState(opened(), null, state)).toBe(true);
    store.hidesEtags = true;
    const before = await readSharedState(opened());
    if (before === null) throw new Error('nothing was read');
    await expect(swapSharedState(opened(), before, state)).rejects.toThrow('answers without ETags');
  });

  it('says that a document is unchanged to one who knows it, and gives it to all others', async () => {
    await opened().write('current.json', Buffer.from('1'), 'new');
    const read = await opened().read('current.json');
    if (read === null || read === 'unchanged') throw new Error('nothing was read');
    expect(store.unchanged).toEqual([]);
    expect(await opened().read('current.json', read.etag)).toBe('unchanged');
    expect(await opened().read('current.json', '"other"')).toEqual(read);
    expect(store.unchanged).toEqual(['GET team/current.json']);
  });

  it('that knows no ranges sends an object whose connection was cut once more', async () => {
    // The content takes more than one chunk of a response.
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i) % 251));
    await opened().write('one', content, 'new');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'store-'));
    try {
      const file = path.join(folder, 'one');
      store.faults.push('cut', 'whole');
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(await opened().download('one', file, content.length)).toEqual({ bytes: content.length, sha256 });
      expect((await readFile(file)).equals(content)).toBe(true);
      expect(store.requests.filter((request) => request === 'GET team/one')).toHaveLength(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is not blamed for a full disk, and the error names the file', async () => {
    await opened().write('one', Buffer.from('12345'), 'new');
    await expect(opened().download('one', '/dev/full', 5)).rejects.toThrow(
      /^ENOSPC: no space left on device, write '\/dev\/full'$/,
    );
  });

  it('that cuts the connection after the last byte has given the whole object', async () => {
    await opened().write('one', Buffer.from('12345'), 'new');
    store.faults.push('cut at its end');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'store-'));
    try {
      const file = path.join(folder, 'one');
      expect(await opened().download('one', file, 5)).toMatchObject({ bytes: 5 });
      expect(await readFile(file, 'utf8')).toBe('12345');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

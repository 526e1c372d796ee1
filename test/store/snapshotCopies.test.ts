// Snapshots are pushed and pulled whole, and damage is never copied.

import { once } from 'node:events';
import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import { parseStoreAddress } from '../../src/catalog/storeAddress.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { pullSnapshot } from '../../src/store/snapshotCopies.ts';
import { itInDepth, some } from '../support/depth.ts';
import { startLockHolder } from '../support/lockHolder.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';
import { ingestCommand, type Ran } from '../support/runInProcess.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../support/snapshot.ts';

let store: TestStore;
let here: DataDir;
let there: DataDir;
beforeEach(async () => {
  [store, here, there] = await Promise.all([startStore(), aDataDir(), aDataDir()]);
  await publishRows(here.dataDir, '2026-11.1');
});
afterEach(async () => {
  await Promise.all([store.close(), here.remove(), there.remove()]);
});

function run(dataDir: string, args: readonly string[], settings: Record<string, string> = {}): Promise<Ran> {
  const all = {
    SNAPSHOT_STORE: 's3://snapshots/team/data',
    AWS_ENDPOINT_URL: store.endpoint,
    ...STORE_LOGIN,
    ...settings,
  };
  return ingestCommand(dataDir, args, all);
}

const snapshotFiles = async (dataDir: string, id: string) => {
  const directory = path.join(dataDir, 'snapshots', id);
  const names = (await readdir(directory)).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(directory, name), 'base64')]),
    ),
  );
};

describe('push and pull', () => {
  it('carry a snapshot to another machine, byte for byte, and switch nothing', async () => {
    const pushed = await run(here.dataDir, ['push']);
    expect(pushed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2026-11\.1 pushed: \d+ files/),
    });
    expect(await run(there.dataDir, ['list', '--store'])).toMatchObject({
      code: 0,
      stdout: '2026-11.1  current\n',
    });
    const pulled = await run(there.dataDir, ['pull', '2026-11.1']);
    const filesOf = (stdout: string) => /: (\d+ files), /.exec(stdout)?.[1];
    expect(pulled).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2026-11\.1 pulled: /) });
    expect(filesOf(pulled.stdout)).toBe(filesOf(pushed.stdout));
    expect(await snapshotFiles(there.dataDir, '2026-11.1')).toEqual(
      await snapshotFiles(here.dataDir, '2026-11.1'),
    );
    expect(await currentId(there.dataDir)).toBeNull();
    expect((await run(there.dataDir, ['rollback', '2026-11.1'])).code).toBe(0);
    expect((await run(there.dataDir, ['verify'])).code).toBe(0);
    for (const [dataDir, command] of [
      [here.dataDir, 'push'],
      [there.dataDir, 'pull'],
    ] as const)
      expect((await run(dataDir, [command, '2026-11.1'])).stdout).toContain('2026-11.1 is there already');
  });

  it('list every snapshot of a store, and none whose push was cut short', async () => {
    for (const id of ['2026-11.2', '2026-11.3', '2026-12.1']) await publishRows(here.dataDir, id);
    for (const id of ['2026-11.1', '2026-11.2', '2026-11.3', '2026-12.1'])
      await run(here.dataDir, ['push', id]);
    expect((await run(here.dataDir, ['list', '--store'])).stdout).toBe(
      '2026-11.1\n2026-11.2\n2026-11.3\n2026-12.1  current\n',
    );
    store.objects.delete('team/data/snapshots/2026-11.2/manifest.json');
    expect((await run(here.dataDir, ['list', '--store'])).stdout).toBe(
      '2026-11.1\n2026-11.3\n2026-12.1  current\n',
    );
    expect((await run(here.dataDir, ['push', '2026-11.2'])).stdout).toMatch(/^2026-11\.2 pushed: 1 file, /);
    expect((await run(there.dataDir, ['pull', '2026-11.2'])).code).toBe(0);
  });

  it('succeed although the store fails now and then', async () => {
    store.faults.push(503, 500);
    expect((await run(here.dataDir, ['push'])).code).toBe(0);
    store.faults.push(503);
    expect((await run(there.dataDir, ['pull', '2026-11.1'])).code).toBe(0);
  });

  it('pull nothing when the command was interrupted before its last step', async () => {
    await run(here.dataDir, ['push']);
    const opened = new ObjectStore(
      { bucket: 'snapshots', prefix: 'team/data/' },
      { ...STORE_LOGIN, AWS_ENDPOINT_URL: store.endpoint },
    );
    const interrupt = () => {
      throw new Error('interrupted');
    };
    await expect(pullSnapshot(there.dataDir, '2026-11.1', opened, interrupt)).rejects.toThrow('interrupted');
    expect(
      store.requests.filter((request) => request.startsWith('GET') && request.endsWith('.parquet')),
    ).not.toEqual([]);
    expect(await readdir(path.join(there.dataDir, 'snapshots'))).toEqual([]);
  });

  it.each([
    ['the same snapshot', '', { status: 'unchanged' }],
    ['another one of this id', ' ', /the store has another snapshot 2026-11\.1 at /],
  ])('leave %s in place that is published here during a pull', async (_, change, outcome) => {
    await run(here.dataDir, ['push']);
    const target = path.join(there.dataDir, 'snapshots', '2026-11.1');
    store.before = async (request) => {
      if (!request.endsWith('ggr.parquet')) return;
      await cp(path.join(here.dataDir, 'snapshots', '2026-11.1'), target, { recursive: true });
      await appendFile(path.join(target, 'manifest.json'), change);
    };
    const opened = new ObjectStore(
      { bucket: 'snapshots', prefix: 'team/data/' },
      { ...STORE_LOGIN, AWS_ENDPOINT_URL: store.endpoint },
    );
    const pulled = pullSnapshot(there.dataDir, '2026-11.1', opened);
    if (outcome instanceof RegExp) await expect(pulled).rejects.toThrow(outcome);
    else expect(await pulled).toMatchObject(outcome);
    expect((await readFile(path.join(target, 'manifest.json'), 'utf8')).endsWith(`\n${change}`)).toBe(true);
    expect(await readdir(path.join(there.dataDir, 'incoming'))).toEqual([]);
  });

  itInDepth('name the server that is downloading into the same folder', async () => {
    await run(here.dataDir, ['push']);
    const downloading = await startLockHolder(path.join(there.dataDir, 'store.lock'));
    const { code, stderr } = await run(there.dataDir, ['pull', '2026-11.1']);
    downloading.kill('SIGKILL');
    await once(downloading, 'exit');
    expect([code, stderr]).toEqual([
      6,
      `a server is downloading a snapshot into this folder (process ${downloading.pid}); run again when it has done so\n`,
    ]);
  });

  it('refuse an object that was changed, and leave nothing behind', async () => {
    await run(here.dataDir, ['push']);
    const name = 'team/data/snapshots/2026-11.1/ggr.parquet';
    store.objects.set(name, Buffer.from(store.objects.get(name) ?? []).fill('x', 100, 110));
    const { code, stderr } = await run(there.dataDir, ['pull', '2026-11.1']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ggr\.parquet of 2026-11\.1 is not what its manifest says in the store at .+; `ingest push 2026-11\.1` from a machine/,
      ),
    ]);
    expect(await readdir(path.join(there.dataDir, 'snapshots')).catch(() => [])).toEqual([]);
    expect((await readdir(there.dataDir)).sort()).toEqual(['ingest.lock', 'store.lock']);
    // This does what the message advises.
    expect((await run(here.dataDir, ['push', '2026-11.1'])).stdout).toMatch(/^2026-11\.1 pushed: 1 file, /);
    expect((await run(there.dataDir, ['pull', '2026-11.1'])).code).toBe(0);
  });

  it.each(some(['../ggr.parquet', '..', '/tmp/ggr.parquet', 'folder/ggr.parquet', '.ggr.parquet'], 2))(
    'refuse a manifest that names %s, and write nothing',
    async (file) => {
      await run(here.dataDir, ['push']);
      const name = 'team/data/snapshots/2026-11.1/manifest.json';
      const manifest = JSON.parse(String(store.objects.get(name)));
      manifest.datasets.ggr.file = file;
      store.objects.set(name, Buffer.from(JSON.stringify(manifest)));
      const { code, stderr } = await run(there.dataDir, ['pull', '2026-11.1']);
      expect([code, stderr]).toEqual([
        1,
        `the manifest of 2026-11.1 names ${file}, which lies outside the snapshot\n`,
      ]);
      expect(
        store.requests.filter((request) => request.includes('.parquet') && !request.startsWith('PUT')),
      ).toEqual([]);
      expect((await readdir(there.dataDir)).sort()).toEqual(['ingest.lock', 'store.lock']);
    },
  );

  it('stop at the length that the manifest names, although the store sends without end', async () => {
    await run(here.dataDir, ['push']);
    store.before = (request) => {
      if (request.startsWith('GET') && request.endsWith('ggr.parquet')) store.faults.push('endless');
    };
    const { code, stderr } = await run(there.dataDir, ['pull', '2026-11.1']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ggr\.parquet of 2026-11\.1 is longer than the \d+ bytes that its manifest says in the store at .+; `ingest push 2026-11\.1` from/,
      ),
    ]);
    expect(await readdir(path.join(there.dataDir, 'snapshots')).catch(() => [])).toEqual([]);
    // The endless object differs from the local file, so it is uploaded again.
    expect((await run(here.dataDir, ['push', '2026-11.1'])).stdout).toMatch(/^2026-11\.1 pushed: 1 file, /);
  });

  it('never mix two snapshots that have the same id', async () => {
    await run(here.dataDir, ['push']);
    await publishRows(there.dataDir, '2026-11.1', { ggr: [aRow('ggr', { country: 'Spain' })] });
    const objects = new Map(store.objects);
    const { code, stderr } = await run(there.dataDir, ['push']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^the store has another snapshot 2026-11\.1 at .+ prefix of its own in SNAPSHOT_STORE\n$/,
      ),
    ]);
    expect(store.objects).toEqual(objects);
  });

  it('refuse to push a snapshot that is damaged locally', async () => {
    await writeFile(path.join(here.dataDir, 'snapshots/2026-11.1/ggr.parquet'), 'x');
    const { code, stderr } = await run(here.dataDir, ['push']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ggr\.parquet of 2026-11\.1 is damaged here/)]);
    expect((await run(here.dataDir, ['list', '--store'])).stdout).toBe('the store has no snapshot\n');
  });

  it.each<[string, Record<string, string>, number, RegExp]>([
    ['no store', { SNAPSHOT_STORE: '' }, 2, /^SNAPSHOT_STORE: "" is not a store; use s3:\/\/bucket/],
    [
      'a prefix with ..',
      { SNAPSHOT_STORE: 's3://snapshots/../other' },
      2,
      /^SNAPSHOT_STORE: .+ is not a store; use/,
    ],
    [
      'a bucket that does not exist',
      { SNAPSHOT_STORE: 's3://other' },
      1,
      /^the bucket other does not exist; create it, or correct SNAPSHOT_STORE\n$/,
    ],
    [
      'a wrong secret',
      { AWS_SECRET_ACCESS_KEY: 'no' },
      1,
      /^the store refuses the credentials \(SignatureDoesNotMatch\); check AWS_ACCESS_KEY_ID/,
    ],
    [
      'no secret',
      { AWS_SECRET_ACCESS_KEY: '' },
      1,
      /^the store has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n$/,
    ],
    [
      'a bucket of another region',
      { AWS_REGION: 'eu-west-1' },
      1,
      /^the bucket snapshots is in another region; set AWS_REGION\n$/,
    ],
    [
      'a clock that is wrong',
      { SKEW: 'yes' },
      1,
      /^the clocks of this machine and of the store at .+ differ; set this machine's clock\n$/,
    ],
    [
      'a store that is away',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:2' },
      1,
      /^the store at http:\/\/127\.0\.0\.1:2 does not answer \(.+\); check AWS_ENDPOINT_URL_S3/,
    ],
  ])('say in one line what is wrong with %s', async (_, settings, code, line) => {
    if (settings.SKEW) store.skewMs = 20 * 60 * 1000;
    const ran = await run(here.dataDir, ['push'], settings);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(line)]);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('continue a download whose connection is cut, and fail with a message when it is always cut', async () => {
    await run(here.dataDir, ['push']);
    store.before = (request) => {
      if (request.endsWith('ggr.parquet')) store.faults.push('cut');
    };
    const { code, stderr } = await run(there.dataDir, ['pull', '2026-11.1']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cut the connection; run again\n$/)]);
    expect(await readdir(path.join(there.dataDir, 'snapshots')).catch(() => [])).toEqual([]);
    store.before = () => {};
    // When a connection is cut, a part of the file has arrived. A range request fetches the rest.
    store.faults.push('cut', 'slow', 'cut');
    expect((await run(there.dataDir, ['pull', '2026-11.1'])).code).toBe(0);
    expect((await run(there.dataDir, ['verify', '2026-11.1'])).code).toBe(0);
  });
});

describe('the address of a store', () => {
  it.each([
    's3://ab',
    's3:/bucket',
    's3://Bucket',
    's3://bucket/a b',
    's3://bucket/./a',
    's3://bucket/a/..',
    'https://bucket',
  ])('%s is none', (text) => expect(parseStoreAddress(text)).toBeUndefined());

  it('has a prefix that ends in a slash', () => {
    expect(parseStoreAddress('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '' });
    expect(parseStoreAddress('s3://my.bucket-1/a/b/')).toEqual({ bucket: 'my.bucket-1', prefix: 'a/b/' });
  });
});

// The server follows the link `current`, leases snapshots, and refuses broken ones with one line of the log.

import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Lease } from '../../src/catalog/openSnapshots.ts';
import { type FollowOptions, followSnapshots, type Snapshots } from '../../src/catalog/snapshots.ts';
import { ApiError } from '../../src/errors.ts';
import { logTo } from '../../src/log/log.ts';
import { switchCurrent } from '../../src/store/switchCurrent.ts';
import { itInDepth, some } from '../support/depth.ts';
import { LONG_DEADLINE_MS } from '../support/longDeadlines.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../support/snapshot.ts';

describe('followSnapshots', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let lines: string[];
  let following: Snapshots | null;
  beforeEach(async () => {
    ({ dataDir, remove } = await aDataDir());
    lines = [];
    following = null;
  });
  afterEach(async () => {
    await following?.close();
    await remove();
  });

  async function follow(options: Partial<FollowOptions> = {}): Promise<Snapshots> {
    const write = (level: string) => (_: object, message: string) => void lines.push(`${level} ${message}`);
    const observe = logTo({ info: write('info'), warn: write('warn'), error: write('error') });
    following = followSnapshots({
      dataDir,
      maxBytes: 2 ** 31,
      connections: 1,
      observe,
      pollMs: 10,
      openDeadlineMs: LONG_DEADLINE_MS,
      ...options,
    });
    await following.firstPoll;
    return following;
  }

  const errors = () => lines.filter((line) => line.startsWith('error'));
  const directory = (id: string) => path.join(dataDir, 'snapshots', id);

  function idOf(lease: Lease | null): string | null {
    lease?.release();
    return lease?.snapshot.id ?? null;
  }

  const retained = async (snapshots: Snapshots, id: string) =>
    (await snapshots.find(id))?.lease('somebody') ?? null;

  async function until(condition: () => boolean): Promise<void> {
    for (let turns = 0; !condition(); turns++) {
      if (turns > 6000) throw new Error('it did not happen within a minute');
      await sleep(10);
    }
  }

  const flipByte = async (file: string) => {
    const bytes = await readFile(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    // The rename replaces the file in one step, so that no reader gets a half-written one.
    await writeFile(`${file}.new`, bytes);
    await rename(`${file}.new`, file);
  };

  it('has no snapshot until the first is published', async () => {
    const snapshots = await follow();
    expect(snapshots.current()).toBeNull();
    await publishRows(dataDir, '2026-11.1');
    await snapshots.loaded;
    expect(idOf(snapshots.current())).toBe('2026-11.1');
  });

  it('serves the new snapshot, while leases of the old one stay valid', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: [aRow('ggr', { country: 'Old' })] });
    const snapshots = await follow({ idleMs: 0 });
    const held = snapshots.current();
    await publishRows(dataDir, '2026-11.2', { ggr: [aRow('ggr', { country: 'New' })] });
    await until(() => idOf(snapshots.current()) === '2026-11.2');
    await sleep(50);
    const [connection] = held?.snapshot.connections ?? [];
    await expect(connection?.runAndReadAll('SELECT count(*) FROM ggr')).resolves.toBeDefined();
    expect(held?.snapshot.tables.ggr?.dimensions.get('country')?.values).toEqual(['Old']);
    held?.release();
    await until(() => {
      try {
        held?.snapshot.acquire()();
        return false;
      } catch {
        return true;
      }
    });
  });

  it('serves the earlier snapshot after a rollback', async () => {
    await publishRows(dataDir, '2026-11.1');
    await publishRows(dataDir, '2026-11.2');
    const snapshots = await follow();
    await switchCurrent(dataDir, '2026-11.1');
    await until(() => idOf(snapshots.current()) === '2026-11.1');
    await switchCurrent(dataDir, '2026-11.2');
    await until(() => idOf(snapshots.current()) === '2026-11.2');
  });

  it('keeps serving the last snapshot when `current` is removed, and logs once that it is gone', async () => {
    await publishRows(dataDir, '2026-11.1');
    const failures: unknown[] = [];
    const snapshots = await follow({
      observe: (one) => one.event === 'snapshots cannot be followed' && failures.push(one.error),
    });
    await rm(path.join(dataDir, 'current'));
    await until(() => failures.length > 0);
    await sleep(60);
    expect(idOf(snapshots.current())).toBe('2026-11.1');
    expect(snapshots.isUpToDate()).toBe(false);
    expect(failures.map(String)).toEqual([
      expect.stringMatching(
        /current is gone, and 2026-11\.1 is served on: check that the disk .*rollback <id>$/,
      ),
    ]);
    await publishRows(dataDir, '2026-11.2');
    await until(() => idOf(snapshots.current()) === '2026-11.2');
  });

  it('detects a snapshot that was pruned and published again under its old id', async () => {
    await publishRows(dataDir, '2026-11.1', { ggr: [aRow('ggr', { country: 'Old' })] });
    const snapshots = await follow();
    const countries = () => {
      const lease = snapshots.current();
      lease?.release();
      return lease?.snapshot.tables.ggr?.dimensions.get('country')?.values;
    };
    await rm(directory('2026-11.1'), { recursive: true });
    await publishRows(dataDir, '2026-11.1', { ggr: [aRow('ggr', { country: 'New' })] });
    await until(() => countries()?.[0] === 'New');
  });

  describe('refuses a broken new snapshot with one log line, and goes on serving the old:', () => {
    const DAMAGES: [string, (id: string) => Promise<unknown>, RegExp][] = [
      [
        'a flipped byte',
        (id) => flipByte(path.join(directory(id), 'ggr.parquet')),
        /ggr\.parquet is damaged/,
      ],
      ['a missing file', (id) => rm(path.join(directory(id), 'fx.parquet')), /fx\.parquet cannot be read/],
      [
        'a manifest of garbage',
        (id) => writeFile(path.join(directory(id), 'manifest.json'), '\0\0'),
        /manifest\.json is not JSON/,
      ],
      ['no manifest', (id) => rm(path.join(directory(id), 'manifest.json')), /manifest\.json cannot be read/],
      [
        'a pipe as manifest',
        async (id) => {
          await rm(path.join(directory(id), 'manifest.json'));
          execFileSync('mkfifo', [path.join(directory(id), 'manifest.json')]);
        },
        /manifest\.json cannot be read \(EISDIR\)/,
      ],
      [
        'no folder',
        (id) => rm(directory(id), { recursive: true }),
        /2026-11\.2: is not there; make another one current with rollback/,
      ],
    ];
    it.each(some(DAMAGES, 3))('%s', async (_, damage, message) => {
      await publishRows(dataDir, '2026-11.2');
      await damage('2026-11.2');
      await publishRows(dataDir, '2026-11.1');
      const snapshots = await follow();
      await switchCurrent(dataDir, '2026-11.2');
      await until(() => errors().length > 0);
      await sleep(100);
      expect(errors()).toEqual([expect.stringMatching(message)]);
      expect(idOf(snapshots.current())).toBe('2026-11.1');
      expect(snapshots.isUpToDate()).toBe(false);
      await switchCurrent(dataDir, '2026-11.1');
      await until(() => snapshots.isUpToDate());
    });
  });

  it('tries a refused snapshot again when its manifest changes', async () => {
    await publishRows(dataDir, '2026-11.1');
    const manifest = path.join(directory('2026-11.1'), 'manifest.json');
    await rename(manifest, `${manifest}.away`);
    const snapshots = await follow();
    await until(() => errors().length === 1);
    await rename(`${manifest}.away`, manifest);
    await until(() => idOf(snapshots.current()) === '2026-11.1');
  });

  it('tries a refused snapshot again when current names it again', async () => {
    await publishRows(dataDir, '2026-11.1');
    await publishRows(dataDir, '2026-11.2');
    const file = path.join(directory('2026-11.2'), 'ggr.parquet');
    await flipByte(file);
    const snapshots = await follow();
    await until(() => errors().length === 1);
    await flipByte(file);
    await switchCurrent(dataDir, '2026-11.1');
    await until(() => idOf(snapshots.current()) === '2026-11.1');
    await switchCurrent(dataDir, '2026-11.2');
    await until(() => idOf(snapshots.current()) === '2026-11.2');
    expect(errors()).toHaveLength(1);
  });

  it('refuses a snapshot beyond the memory limit with both numbers', async () => {
    await publishRows(dataDir, '2026-11.1');
    const snapshots = await follow({ maxBytes: 10 * 2 ** 20 });
    await sleep(60);
    expect(snapshots.current()).toBeNull();
    expect(errors()).toEqual([
      'error snapshot 2026-11.1: needs about 33 MB of memory; 10 MB are allowed in all, ' +
        'of which 0 open snapshots take 0 MB; set SNAPSHOT_MEMORY_MB to at least 33',
    ]);
  });

  it('refuses it with the setting that is enough for all processes', async () => {
    await publishRows(dataDir, '2026-11.1');
    await follow({ maxBytes: 10 * 2 ** 20, processes: 3 });
    await until(() => errors().length === 1);
    expect(errors()[0]).toMatch(
      /; 10 MB are allowed in each of 3 processes, .* SNAPSHOT_MEMORY_MB to at least 99$/,
    );
  });

  it('serves a new snapshot once older ones have freed the memory for it', async () => {
    await publishRows(dataDir, '2026-11.1');
    await publishRows(dataDir, '2026-11.2');
    const snapshots = await follow({ maxBytes: 70 * 2 ** 20 });
    const held = await retained(snapshots, '2026-11.1');
    await publishRows(dataDir, '2026-11.3');
    await until(() => errors().length > 0);
    await sleep(60);
    expect(errors()).toHaveLength(1);
    expect(idOf(snapshots.current())).toBe('2026-11.2');
    held?.release();
    await until(() => idOf(snapshots.current()) === '2026-11.3');
  });

  describe('older snapshots', () => {
    let four: DataDir;
    beforeAll(async () => {
      four = await aDataDir();
      for (const revision of [1, 2, 3, 4]) {
        const ggr = [aRow('ggr', { country: `Revision ${revision}` })];
        await publishRows(four.dataDir, `2026-11.${revision}`, { ggr });
      }
    });
    afterAll(() => four.remove());
    beforeEach(() => cp(four.dataDir, dataDir, { recursive: true, verbatimSymlinks: true }));

    it('opens one once, however many ask for it at the same time', async () => {
      const snapshots = await follow();
      const leases = await Promise.all(Array.from({ length: 16 }, () => retained(snapshots, '2026-11.1')));
      expect(new Set(leases.map((lease) => lease?.snapshot)).size).toBe(1);
      expect(leases[0]?.snapshot.tables.ggr?.dimensions.get('country')?.values).toEqual(['Revision 1']);
      for (const lease of leases) lease?.release();
    });

    itInDepth('closes one that is idle, and opens it again', async () => {
      const snapshots = await follow({ idleMs: 20 });
      const first = await retained(snapshots, '2026-11.1');
      await sleep(100);
      const again = await retained(snapshots, '2026-11.1');
      expect(again?.snapshot).toBe(first?.snapshot);
      first?.release();
      again?.release();
      // On a busy machine, the timer that closes the snapshot runs late.
      let isAnew = false;
      for (let turns = 0; !isAnew && turns < 500; turns++) {
        await sleep(40);
        const lease = await retained(snapshots, '2026-11.1');
        isAnew = lease?.snapshot !== first?.snapshot;
        lease?.release();
      }
      expect(isAnew).toBe(true);
    });

    it('has only a few open at once, and closes idle ones', async () => {
      const snapshots = await follow({ maxOpen: 3 });
      const [one, two] = await Promise.all(['2026-11.1', '2026-11.2'].map((id) => retained(snapshots, id)));
      await expect(retained(snapshots, '2026-11.3')).rejects.toThrow(ApiError);
      one?.release();
      const three = await retained(snapshots, '2026-11.3');
      expect(three?.snapshot.id).toBe('2026-11.3');
      expect(idOf(await retained(snapshots, '2026-11.2'))).toBe('2026-11.2');
      two?.release();
      three?.release();
    });

    itInDepth(
      'answers in time while a snapshot is still being opened, and serves it once it is open',
      async () => {
        const snapshots = await follow({ openDeadlineMs: 1 });
        await expect(retained(snapshots, '2026-11.1')).rejects.toThrow(ApiError);
        let lease: Lease | null = null;
        for (let turns = 0; lease === null && turns < 3000; turns++) {
          lease = await retained(snapshots, '2026-11.1').catch(() => sleep(20).then(() => null));
        }
        expect(idOf(lease)).toBe('2026-11.1');
        expect(lease?.snapshot.inUse()).toBe(false);
      },
    );

    it('opens at most ten a minute for one caller, and says when the next one may be', async () => {
      const snapshots = await follow({ openingsPerMinute: 2, idleMs: 0 });
      const open = async (id: string, caller: string | null) => {
        const lease = await (await snapshots.find(id))?.lease(caller);
        lease?.release();
        return lease?.snapshot.id ?? null;
      };
      const startMs = performance.now();
      expect(await open('2026-11.1', 'one')).toBe('2026-11.1');
      expect(await open('2026-11.2', 'one')).toBe('2026-11.2');
      const refusal = await open('2026-11.3', 'one').catch((error: ApiError) => error);
      expect(refusal).toMatchObject({ status: 503 });
      const passedSeconds = (performance.now() - startMs) / 1000;
      expect((refusal as ApiError).retryAfterSeconds).toBeGreaterThanOrEqual(60 - passedSeconds);
      expect(await open('2026-11.3', 'another')).toBe('2026-11.3');
    });

    it('does not count requests for open snapshots, and opens none when no request waits for it', async () => {
      const snapshots = await follow({ openingsPerMinute: 1 });
      for (let i = 0; i < 5; i++) expect(idOf(await retained(snapshots, '2026-11.4'))).toBe('2026-11.4');
      const first = await snapshots.find('2026-11.1');
      await expect(first?.lease(null)).resolves.toBeNull();
      for (let i = 0; i < 5; i++) expect(idOf(await retained(snapshots, '2026-11.1'))).toBe('2026-11.1');
    });

    it('reads the manifest without opening the snapshot', async () => {
      const snapshots = await follow();
      const found = await snapshots.find('2026-11.1');
      expect(found?.manifest).toMatchObject({ id: '2026-11.1', datasets: { ggr: { rows: 1 } } });
      await expect(found?.lease(null)).resolves.toBeNull();
      expect(snapshots.manifestsBytes()).toBeGreaterThan(1000);
    });

    itInDepth('is unavailable when another snapshot takes its id before it is opened', async () => {
      const snapshots = await follow();
      const found = await snapshots.find('2026-11.1');
      await rm(directory('2026-11.1'), { recursive: true });
      await publishRows(dataDir, '2026-11.1', { ggr: [aRow('ggr', { country: 'Another' })] });
      await switchCurrent(dataDir, '2026-11.4');
      await expect(found?.lease('somebody')).resolves.toBeNull();
    });

    it('finds none by another name', async () => {
      const snapshots = await follow();
      const names = [
        '2026-11.9',
        '2026-11.01',
        '2026-11',
        '',
        '..',
        '../snapshots/2026-11.1',
        '2026-11.1/',
        '2026-11.1\0',
      ];
      for (const id of names) await expect(retained(snapshots, id)).resolves.toBeNull();
    });

    it('is gone as soon as it is pruned, even while it is open', async () => {
      const snapshots = await follow();
      const held = await retained(snapshots, '2026-11.1');
      await rm(directory('2026-11.1'), { recursive: true });
      await expect(retained(snapshots, '2026-11.1')).resolves.toBeNull();
      held?.release();
    });

    it('is unavailable and logs nothing when it is pruned while it is being opened', async () => {
      const snapshots = await follow({ openingsPerMinute: 100 });
      for (const ms of some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 3)) {
        const opening = retained(snapshots, '2026-11.1');
        await sleep(ms);
        await rename(directory('2026-11.1'), path.join(dataDir, 'tmp'));
        (await opening)?.release();
        await rename(path.join(dataDir, 'tmp'), directory('2026-11.1'));
        // The new time makes the manifest count as another one, so the snapshot is opened again.
        await utimes(path.join(directory('2026-11.1'), 'manifest.json'), ms, ms);
      }
      expect(errors()).toEqual([]);
    });

    it('is unavailable when it is damaged, which is logged once', async () => {
      await flipByte(path.join(directory('2026-11.1'), 'ggr.parquet'));
      const snapshots = await follow();
      await expect(retained(snapshots, '2026-11.1')).resolves.toBeNull();
      await expect(retained(snapshots, '2026-11.1')).resolves.toBeNull();
      expect(errors()).toHaveLength(1);
    });

    it.each(some(['ggr.parquet', 'manifest.json'], 1))(
      'is unavailable for now, not gone, while the system does not let its %s be read',
      async (name) => {
        const file = path.join(directory('2026-11.1'), name);
        await rename(file, `${file}.aside`);
        // A link to itself exists and cannot be read, like any file while no descriptor is free.
        await symlink(file, file);
        const snapshots = await follow();
        await expect(retained(snapshots, '2026-11.1')).rejects.toMatchObject({ status: 503 });
        await expect(retained(snapshots, '2026-11.1')).rejects.toMatchObject({ status: 503 });
        expect(errors()).toEqual([
          expect.stringMatching(/cannot be read \(ELOOP\); see that its disk answers/),
        ]);
        await rename(`${file}.aside`, file);
        expect(idOf(await retained(snapshots, '2026-11.1'))).toBe('2026-11.1');
      },
    );

    it('is read again once its damaged file has been repaired in place', async () => {
      const file = path.join(directory('2026-11.1'), 'ggr.parquet');
      await flipByte(file);
      const snapshots = await follow();
      await expect(retained(snapshots, '2026-11.1')).resolves.toBeNull();
      await flipByte(file);
      expect(idOf(await retained(snapshots, '2026-11.1'))).toBe('2026-11.1');
    });

    it('is read again once its damaged manifest has been repaired in place', async () => {
      const file = path.join(directory('2026-11.1'), 'manifest.json');
      const text = await readFile(file);
      const { mtime } = await stat(file);
      const snapshots = await follow();
      await writeFile(file, text.fill(0x20, 0, 1));
      await utimes(file, mtime, mtime);
      await expect(snapshots.find('2026-11.1')).resolves.toBeNull();
      await writeFile(file, text.fill('{', 0, 1));
      await utimes(file, mtime, mtime);
      expect(idOf(await retained(snapshots, '2026-11.1'))).toBe('2026-11.1');
    });

    it('is read again after a while although no file has changed', async () => {
      await flipByte(path.join(directory('2026-11.1'), 'ggr.parquet'));
      const snapshots = await follow({ refusalMs: 0, openingsPerMinute: 2 });
      await expect(retained(snapshots, '2026-11.1')).resolves.toBeNull();
      await expect(retained(snapshots, '2026-11.1')).resolves.toBeNull();
      // Each call opens a snapshot and counts against the quota.
      await expect(retained(snapshots, '2026-11.1')).rejects.toMatchObject({ status: 503 });
      expect(errors()).toHaveLength(1);
    });
  });

  itInDepth('has no more superseded snapshots open than may be open at once', async () => {
    await publishRows(dataDir, '2026-11.1');
    const snapshots = await follow({ maxOpen: 2 });
    for (let revision = 2; revision <= 4; revision++) {
      await publishRows(dataDir, `2026-11.${revision}`);
      await until(() => idOf(snapshots.current()) === `2026-11.${revision}`);
    }
    const isOpen = async (revision: number) => {
      const lease = await (await snapshots.find(`2026-11.${revision}`))?.lease(null);
      lease?.release();
      return lease !== null;
    };
    await until(() => lines.filter((line) => line.includes('serving')).length === 4);
    let open = [true];
    // The server closes the superseded snapshots after it has switched.
    for (let turns = 0; open[1] !== false && turns < 500; turns++) {
      await sleep(10);
      open = await Promise.all([1, 2, 3, 4].map(isOpen));
    }
    expect(open).toEqual([false, false, true, true]);
  });

  it('logs once, not at every poll, that current is not a link', async () => {
    await publishRows(dataDir, '2026-11.1');
    const snapshots = await follow();
    await rm(path.join(dataDir, 'current'));
    await mkdir(path.join(dataDir, 'current'));
    await until(() => errors().length > 0);
    await sleep(100);
    expect(errors()).toEqual(['error cannot follow the current snapshot']);
    expect(idOf(snapshots.current())).toBe('2026-11.1');
  });

  it('follows a link that names the snapshot by its full path', async () => {
    await publishRows(dataDir, '2026-11.1');
    await rm(path.join(dataDir, 'current'));
    await symlink(directory('2026-11.1'), path.join(dataDir, 'current'));
    expect(idOf((await follow()).current())).toBe('2026-11.1');
  });
});

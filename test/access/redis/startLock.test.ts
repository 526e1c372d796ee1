// Only one process at a time starts the private Redis.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ANNOUNCEMENT_BYTES, isListening, withStartLock } from '../../../src/access/redis/startLock.ts';
import { withDisks } from '../../support/disks.ts';
import { aLatch } from '../../support/latch.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the start lock', () => {
  it('lets one act after the other', async () => {
    const base = path.join(folder, 'one');
    const events: string[] = [];
    const act = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([withStartLock(base, act('a')), withStartLock(base, act('b'))])).toEqual([
      'a',
      'b',
    ]);
    expect(events.map((text) => text.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends']);
    expect((await readdir(folder)).filter((name) => name.startsWith('one'))).toEqual([]);
  });

  it('says the same at each attempt where no socket can be made, so that the log has it once', async () => {
    const base = path.join(folder, 'gone', 'redis');
    const message = () => withStartLock(base, async () => {}).catch((error) => error.message);
    expect([await message(), await message()]).toEqual(
      Array(2).fill(
        expect.stringMatching(
          /^no socket can be made in .+\/gone \(\w+\); see that it can be written, or set REDIS_URL$/,
        ),
      ),
    );
    expect(await message()).toBe(await message());
  });

  it('says that there is no room where a disk can hold no further file', () => {
    const module = pathToFileURL(path.resolve('dist/src/access/redis/startLock.js'));
    const ran = withDisks(
      `
      mount -t tmpfs -o nr_inodes=2 none /mnt
      : > /mnt/full
      "$NODE" --input-type=module -e "$PROGRAM"`,
      {
        PROGRAM: `const { withStartLock } = await import(${JSON.stringify(String(module))});
          await withStartLock('/mnt/redis', () => {}).catch((error) => console.log(error.message));`,
      },
    );
    if (ran === null) return;
    expect(ran.stdout).toBe(
      'no socket can be made in /mnt (ENOSPC); make room on that disk, where df -i may show that its inodes are used up\n',
    );
  });

  it('keeps others waiting as long as an act takes', async () => {
    const base = path.join(folder, 'two');
    const ended: string[] = [];
    const [begun, released] = [aLatch(), aLatch()];
    void withStartLock(base, async () => {
      begun.open();
      await released.opened;
      ended.push('first');
    });
    await begun.opened;
    const second = withStartLock(base, async () => ended.push('second'));
    await Promise.race([second, sleep(100)]);
    released.open();
    await second;
    expect(ended).toEqual(['first', 'second']);
  });

  it('is free once its holder was killed, whose socket stays', async () => {
    const base = path.join(folder, 'killed');
    const script = `import { withStartLock } from '${path.resolve('dist/src/access/redis/startLock.js')}';
      void withStartLock(process.argv[1], () => { console.log('held'); return new Promise(() => {}); });`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script, base], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const sockets = async () => (await readdir(folder)).filter((name) => name.startsWith('killed'));
    expect(await sockets()).toHaveLength(1);
    const during = await withStartLock(base, sockets);
    expect(during).toHaveLength(1);
    expect(await sockets()).toEqual([]);
  });

  it('makes names longer than their base by the length that it states', async () => {
    const names = await withStartLock(path.join(folder, 'three'), () => readdir(folder));
    const own = names?.filter((name) => name.startsWith('three'));
    expect(own?.map((name) => Buffer.byteLength(name))).toEqual(['three'.length + ANNOUNCEMENT_BYTES]);
  });

  it('throws where no socket can be made, without acting', async () => {
    const act = async () => {
      throw new Error('acted');
    };
    await expect(withStartLock(path.join(folder, 'nowhere', 'one'), act)).rejects.toThrow(/EACCES|ENOENT/);
  });
});

describe('whether a process listens on a socket', () => {
  it('is false where there is none, and where its process has ended', async () => {
    expect(await isListening(path.join(folder, 'none'))).toBe(false);
    await writeFile(path.join(folder, 'file'), '');
    expect(await isListening(path.join(folder, 'file'))).toBe(false);
  });

  it('is false where the process stops listening at this moment', async () => {
    const socket = path.join(folder, 'stopping');
    const server = net.createServer((connection) => connection.destroy());
    await once(server.listen(socket), 'listening');
    const asked = isListening(socket);
    server.close();
    expect(await asked).toBe(false);
  });

  it('is true even while the queue of its connections is full', async () => {
    const socket = path.join(folder, 'busy');
    const server = net.createServer((connection) => connection.destroy());
    await once(server.listen(socket, 1), 'listening');
    // All of them connect before the server accepts a connection.
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => isListening(socket)));
    expect(outcomes).toEqual(Array(20).fill(true));
    await new Promise((resolve) => server.close(resolve));
  });

  it('throws where the socket cannot be asked', async () => {
    await writeFile(path.join(folder, 'no-folder'), '');
    await expect(isListening(path.join(folder, 'no-folder', 'socket'))).rejects.toThrow('ENOTDIR');
  });
});

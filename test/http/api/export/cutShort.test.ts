// Exports that cannot be sent completely: no client may take a part of a file for the whole, or get parts of two files.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EXPORT_DEFAULTS } from '../../../../src/http/api/export/export.ts';
import { openPublished } from '../../../../src/http/api/export/publishedFile.ts';
import type { Observation } from '../../../../src/observations.ts';
import { itInDepth, some } from '../../../support/depth.ts';
import { freePort } from '../../../support/freePort.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { aKeyOf, spawnServer } from '../../../support/serverProcess.ts';
import { aDataDir, publishRows, publishSql } from '../../../support/snapshot.ts';

/**
 * In every format, the files are larger than the buffers between server and client: digests in base64 hardly
 * compress. Each text is loaded once per start, so there are few rows.
 */
const SELECT = `
  SELECT 2020 AS year, 'Europe' AS region, 'Malta' AS country, '' AS state, 'Betting' AS category,
    list_aggregate(list_transform(range(220), lambda x: to_base64(unhex(sha256((220 * i + x)::VARCHAR)))), 'string_agg', '') AS product, 'Land' AS channel, 'Venue' AS sub_channel, 'EUR' AS fx,
    'Current' AS temporal, (hash(i) % 1000000007)::DOUBLE AS ggr
  FROM range(1200) AS t(i)`;

let dataDir: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ dataDir, remove } = await aDataDir());
  await publishSql(dataDir, '2026-11.1', { ggr: SELECT });
});
afterAll(() => remove());

/**
 * Requests a file with curl, as old clients and some proxies do. The test reads curl's output only when it wants to:
 * curl then waits with a few hundred kilobytes, and the system does not enlarge its receive buffer. Node's own
 * sockets are not used, because they may report a reset as an end.
 */
async function oldClient(url: string, asked: string, key = 'a') {
  const terms = ['--http1.0', '--silent', '--no-buffer', '--header', `x-api-key: ${key}`];
  const child = spawn('curl', [...terms, '--include', `${url}${asked}`]);
  const ended = once(child, 'close').then(([code]) => code as number);
  const chunks: Buffer[] = [];
  const output = () => Buffer.concat(chunks);
  const bodyStart = () => output().indexOf('\r\n\r\n') + 4;
  let isReadingOn = false;
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (!isReadingOn && bodyStart() >= 4) child.stdout.pause();
  });
  await Promise.race([ended, once(child.stdout, 'pause')]);
  return {
    /**
     * Reads the rest. Gives curl's exit code: 0 when curl takes the file for complete, 56 when the connection was
     * reset.
     */
    async readOn(): Promise<number> {
      isReadingOn = true;
      child.stdout.resume();
      return await ended;
    },
    head: () => output().toString('latin1', 0, bodyStart() - 4),
    body: () => output().subarray(bodyStart()),
  };
}

const RESET = 56;

async function serving(
  options: Parameters<typeof startServer>[0],
  use: (server: TestServer) => Promise<void>,
) {
  const server = await startServer({ dataDir, ...options });
  try {
    await use(server);
  } finally {
    await server.close();
  }
}

describe('an HTTP/1.0 client, for which the end of the connection is the end of the file,', () => {
  const FORMATS = some(['csv', 'arrow', 'xlsx'], 1);
  /**
   * The head and the exit code of curl, by format, from a server that ended while each client had a part of its file.
   */
  const seen = new Map<string, { readonly head: string; readonly exit: number }>();
  beforeAll(() =>
    serving({ exports: { ...EXPORT_DEFAULTS, perKey: FORMATS.length } }, async (server) => {
      const clients = await Promise.all(
        FORMATS.map((format) => oldClient(server.url, `/v1/export/ggr.${format}`)),
      );
      await server.drain(300);
      for (const [i, client] of clients.entries())
        seen.set(FORMATS[i] ?? '', { head: client.head(), exit: await client.readOn() });
    }),
  );

  it.each(FORMATS)('sees that a server which ends has cut its .%s file', (format) => {
    const { head, exit } = seen.get(format) ?? {};
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    expect(head).not.toMatch(/content-length/i);
    expect(exit).toBe(RESET);
  });

  itInDepth('sees that a silent connection was cut', () =>
    serving({}, async (server) => {
      server.server.setTimeout(300);
      const client = await oldClient(server.url, '/v1/export/ggr.csv');
      const closed = () =>
        new Promise<number>((resolve) => server.server.getConnections((_, n) => resolve(n)));
      while ((await closed()) > 0) await sleep(20);
      expect(await client.readOn()).toBe(RESET);
    }),
  );

  // test/main.test.ts tests that a second signal ends the process, and the tests above what its clients see.
  itInDepth('sees that a second signal has cut its file', async () => {
    const running = spawnServer({ DATA_DIR: dataDir, PORT: await freePort() });
    const url = await running.url();
    const client = await oldClient(url, '/v1/export/ggr.csv', await aKeyOf(dataDir));
    expect(client.head()).toMatch(/^HTTP\/1\.1 200/);
    running.child.kill('SIGTERM');
    while (!running.stderr.includes('ending')) await sleep(20);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(await client.readOn()).toBe(RESET);
  });
});

describe('a published file', () => {
  let own: string;
  let file: string;
  let bytes: Buffer;
  let end: () => Promise<void>;
  beforeAll(async () => {
    ({ dataDir: own, remove: end } = await aDataDir());
    // Only the snapshots are copied: the Redis beside them has just ended, and its socket cannot be copied.
    for (const name of ['snapshots', 'current'])
      await cp(path.join(dataDir, name), path.join(own, name), { recursive: true, verbatimSymlinks: true });
    file = path.join(own, 'snapshots', '2026-11.1', 'ggr.parquet');
    bytes = await readFile(file);
  });
  afterEach(async () => {
    await rm(file, { force: true });
    await writeFile(file, bytes);
  });
  afterAll(() => end());

  itInDepth(
    'that is written over while it is sent is cut, and no byte of the other content arrives',
    async () => {
      const failures: string[] = [];
      const observe = (one: Observation) => {
        if (one.event === 'request failed') failures.push(String(one.error));
      };
      await serving({ dataDir: own, observe }, async (server) => {
        const client = await oldClient(server.url, '/v1/export/ggr.parquet');
        await sleep(300);
        // The file is overwritten in place, as `cp` does.
        await writeFile(file, Buffer.alloc(bytes.length, 1));
        expect(await client.readOn()).toBe(RESET);
        expect(client.body().length).toBeLessThan(bytes.length);
        expect(client.body().equals(bytes.subarray(0, client.body().length))).toBe(true);
        while (failures.length === 0) await sleep(20);
        expect(failures).toEqual([expect.stringContaining('ggr.parquet was changed while it was read')]);
      });
    },
  );

  it('that was replaced or written over while the engine read it by its path is an error, and so is one that is a pipe', async () => {
    const small = await aDataDir();
    await publishRows(small.dataDir, '2026-11.1');
    const file = path.join(small.dataDir, 'snapshots', '2026-11.1', 'ggr.parquet');
    const bytes = await readFile(file);
    await serving({ dataDir: small.dataDir }, async (server) => {
      await server.snapshots.loaded;
      const lease = server.snapshots.current();
      if (lease === null) throw new Error('nothing is served');
      const opened = () => openPublished(lease.snapshot, 'ggr');
      const kept = await opened();
      await kept.expectUnchangedAtPath();
      await writeFile(`${file}.new`, bytes);
      await rename(`${file}.new`, file);
      await kept.expectUnchanged();
      await expect(kept.expectUnchangedAtPath()).rejects.toThrow('was replaced while it was read');
      await kept.file.close();
      const written = await opened();
      await writeFile(file, bytes);
      await expect(written.expectUnchangedAtPath()).rejects.toThrow('was changed while it was read');
      await written.file.close();
      const pruned = await opened();
      await rm(file);
      await expect(pruned.expectUnchangedAtPath()).rejects.toMatchObject({ status: 503 });
      await pruned.file.close();
      lease.release();
      execFileSync('mkfifo', [file]);
      expect((await server.get('/v1/export/ggr.parquet')).status).toBe(500);
    });
    await small.remove();
  });
});

// `ingest watch` publishes a folder once it is complete.

import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { watch as watchFolder } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callWebhook } from '../../../ingest/commands/webhook.ts';
import { currentId, snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { itInDepth } from '../../support/depth.ts';
import { startLockHolder } from '../../support/lockHolder.ts';
import { csvOf } from '../../support/month.ts';
import { ingestCommand } from '../../support/runInProcess.ts';

const CLI = path.resolve('dist/ingest/cli.js');

let folder: string;
let dataDir: string;
let inbox: string;
let hook: http.Server;
let url: string;
const received: { readonly request: IncomingMessage; readonly body: string }[] = [];
/** The statuses of the next answers. Without one, the answer is 204. */
const statuses: number[] = [];
/** `Retry-After` of all answers. When empty, the header is left out. */
let retryAfter = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'watch-'));
  [dataDir, inbox] = [path.join(folder, 'data'), path.join(folder, 'inbox')];
  await mkdir(path.join(inbox, '2026-10'), { recursive: true });
  for (const name of DATASET_NAMES) await writeFile(path.join(inbox, '2026-10', `${name}.csv`), csvOf(name));
});
afterEach(async () => {
  received.splice(0);
  await rm(folder, { recursive: true });
});
beforeAll(async () => {
  hook = http.createServer(async (request, response) => {
    received.push({ request, body: await text(request) });
    if (retryAfter !== '') response.setHeader('Retry-After', retryAfter);
    response.writeHead(statuses.shift() ?? 204).end('x');
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
});
afterAll(() => void hook.close());

const look = (...args: string[]) =>
  ingestCommand(dataDir, ['watch', inbox, '--once', '--json', ...args], {
    PUBLISH_WEBHOOK: url,
    PUBLISH_WEBHOOK_SECRET: 'shared',
  });
/** Publishes the first month. The tests are about later calls of the webhook. */
async function publishFirst(): Promise<void> {
  await writeFile(path.join(inbox, '2026-10', 'READY'), '');
  expect((await look()).code).toBe(0);
  received.splice(0);
}
const filesOf = async (month: string) =>
  (await readdir(path.join(inbox, month))).filter((name) => /^\.|^READY$/.test(name));

describe('ingest watch', () => {
  it('leaves a folder alone until it has a file READY', async () => {
    const { code, stdout } = await look();
    expect([code, JSON.parse(stdout)]).toEqual([0, { months: [], notes: [] }]);
    expect(await currentId(dataDir)).toBeNull();
  });

  it('publishes nothing while READY cannot be replaced, because each look would publish it again', async () => {
    await writeFile(path.join(inbox, '2026-10', 'READY'), '');
    // A folder with content is in the place to which READY is moved, as a folder of another user may be.
    await mkdir(path.join(inbox, '2026-10', '.publishing', 'left'), { recursive: true });
    const { code, stdout } = await look();
    expect([code, JSON.parse(stdout).months]).toMatchObject([
      1,
      [
        {
          result: {
            error: expect.stringMatching(/^nothing was published: 2026-10\/\.publishing cannot be written/),
          },
        },
      ],
    ]);
    expect([await currentId(dataDir), received.length]).toEqual([null, 0]);
  });

  it('says that the result could not be written beside the folder', async () => {
    await writeFile(path.join(inbox, '2026-10', 'READY'), '');
    await mkdir(path.join(inbox, '2026-10.json'));
    const { code, stdout } = await look();
    expect([code, await currentId(dataDir), await filesOf('2026-10')]).toEqual([0, '2026-10.1', []]);
    expect(JSON.parse(stdout).notes).toEqual([
      expect.stringContaining('2026-10: 2026-10.json cannot be written (EISDIR)'),
    ]);
  });

  it('publishes a complete folder once, writes the result beside it, and calls the webhook, signed', async () => {
    await writeFile(path.join(inbox, '2026-10', 'READY'), '');
    const { code, stdout } = await look();
    expect([code, JSON.parse(stdout).months]).toMatchObject([
      0,
      [{ month: '2026-10', exitCode: 0, result: { status: 'published', snapshot: '2026-10.1' } }],
    ]);
    expect(await currentId(dataDir)).toBe('2026-10.1');
    expect(await filesOf('2026-10')).toEqual([]);
    expect(JSON.parse(await readFile(path.join(inbox, '2026-10.json'), 'utf8'))).toMatchObject({
      exitCode: 0,
    });
    const [{ request, body } = { request: null, body: '' }] = received.splice(0);
    const signed = `${request?.headers['x-timestamp']}.${body}`;
    expect(request?.headers['x-signature-256']).toBe(
      `sha256=${createHmac('sha256', 'shared').update(signed).digest('hex')}`,
    );
    expect(JSON.parse(body)).toMatchObject({
      event: 'publish',
      month: '2026-10',
      result: { snapshot: '2026-10.1' },
    });
    expect(JSON.parse((await look()).stdout)).toEqual({ months: [], notes: [] });
  });

  it('refuses a month as publish does, with the same exit code, and waits for a new READY', async () => {
    await publishFirst();
    await cp(path.join(inbox, '2026-10'), path.join(inbox, '2026-11'), { recursive: true });
    await writeFile(path.join(inbox, '2026-11', 'ggr.csv'), 'year,country\nx,y\n');
    await writeFile(path.join(inbox, '2026-11', 'READY'), '');
    const { code } = await look();
    expect(code).toBe(4);
    expect(await filesOf('2026-11')).toEqual(['.refused']);
    expect(await currentId(dataDir)).toBe('2026-10.1');
    expect(JSON.parse(received.splice(0)[0]?.body ?? '')).toMatchObject({ month: '2026-11', exitCode: 4 });
    expect(JSON.parse((await look()).stdout)).toEqual({ months: [], notes: [] });
    await cp(path.join(inbox, '2026-10', 'ggr.csv'), path.join(inbox, '2026-11', 'ggr.csv'));
    await writeFile(path.join(inbox, '2026-11', 'READY'), '');
    expect((await look()).code).toBe(0);
    expect(await filesOf('2026-11')).not.toContain('.refused');
  });

  itInDepth('takes up a folder whose publication was interrupted', async () => {
    await publishFirst();
    await writeFile(path.join(inbox, '2026-10', '.publishing'), '');
    const { stdout } = await look();
    expect(JSON.parse(stdout).months).toMatchObject([
      { month: '2026-10', exitCode: 0, result: { status: 'unchanged' } },
    ]);
    expect(await filesOf('2026-10')).not.toContain('.publishing');
  });

  itInDepth(
    'touches no file of the inbox while another ingest is running, and then publishes the months in order',
    async () => {
      await cp(path.join(inbox, '2026-10'), path.join(inbox, '2026-11'), { recursive: true });
      for (const month of ['2026-10', '2026-11']) await writeFile(path.join(inbox, month, 'READY'), '');
      await mkdir(dataDir);
      const other = await startLockHolder(path.join(dataDir, 'ingest.lock'));
      try {
        // The other ingest reads the folder. To it, a file that is renamed and renamed back is a file that has just appeared.
        const renamed: string[] = [];
        const watcher = watchFolder(path.join(inbox, '2026-10'), (_, name) => void renamed.push(`${name}`));
        const { code, stdout } = await look();
        watcher.close();
        expect([code, JSON.parse(stdout).months]).toMatchObject([
          6,
          [{ month: '2026-10', result: { status: 'locked' } }],
        ]);
        expect([renamed, (await readdir(inbox)).sort(), received.length]).toEqual([
          [],
          ['2026-10', '2026-11'],
          0,
        ]);
      } finally {
        other.kill('SIGKILL');
      }
      await once(other, 'exit');
      expect((await look()).code).toBe(0);
      expect(await snapshotIds(dataDir)).toEqual(['2026-10.1', '2026-11.1']);
    },
  );

  it('says what it looks for, and that a month itself is not what holds the months', async () => {
    const month = path.join(inbox, '2026-10');
    await writeFile(path.join(month, 'READY'), '');
    const remedy = `READY is in ${month} itself, which is not published; name the folder above it, which holds the months\n`;
    const once = await ingestCommand(dataDir, ['watch', month, '--once']);
    expect(once).toMatchObject({ code: 0, stdout: 'nothing is ready\n', stderr: remedy });
    const child = spawn(process.execPath, [CLI, 'watch', month, '--every', '1'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    for await (const chunk of child.stderr) {
      stderr += chunk;
      if (stderr.endsWith(remedy)) child.kill('SIGINT');
    }
    expect(stderr).toBe(
      `looking into ${month} every 1 s for a folder such as 2026-11 that has a file READY; ctrl-C ends this\n${remedy}`,
    );
  });

  it('names folders that are ready and not published, and follows links', async () => {
    await rename(path.join(inbox, '2026-10'), path.join(folder, 'delivered'));
    await symlink(path.join(folder, 'delivered'), path.join(inbox, '2026-10'));
    await symlink('x'.repeat(300), path.join(inbox, '2026-11'));
    await symlink('gone', path.join(inbox, '2026-12'));
    await mkdir(path.join(inbox, 'october'));
    for (const ready of ['2026-10', 'october']) await writeFile(path.join(inbox, ready, 'READY'), '');
    const { code, stdout } = await look();
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        months: [{ month: '2026-10', result: { status: 'published' } }],
        notes: [
          "2026-11 cannot be read (ENAMETOOLONG), so it is not published; let the service's user read and write it",
          'october has READY and is not published: its name is not a month, such as 2026-11',
        ],
      },
    ]);
  });

  it('says that a folder cannot be read', async () => {
    const { code, stderr } = await ingestCommand(dataDir, ['watch', path.join(folder, 'none'), '--once']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/none cannot be read \(ENOENT\); name the folder/),
    ]);
  });

  it('does not run with a webhook that cannot be signed', async () => {
    const { code, stderr } = await ingestCommand(dataDir, ['watch', inbox, '--once'], {
      PUBLISH_WEBHOOK: url,
    });
    expect([code, stderr]).toEqual([
      2,
      'PUBLISH_WEBHOOK_SECRET: missing; set it to the secret that signs the calls of PUBLISH_WEBHOOK\n',
    ]);
  });
});

describe('the webhook', () => {
  it('sends one id in all attempts of a call, so that a receiver can drop duplicates, and another in the next call', async () => {
    statuses.push(503, 503);
    await callWebhook({ url, secret: 's' }, { event: 'publish' }, [1, 1]);
    await callWebhook({ url, secret: 's' }, { event: 'publish' }, [1, 1]);
    const ids = received.splice(0).map(({ request, body }) => {
      const { id, event } = JSON.parse(body);
      expect([event, request.headers['webhook-id']]).toEqual(['publish', id]);
      return id;
    });
    expect(ids).toEqual([ids[0], ids[0], ids[0], ids[3]]);
    expect(ids[3]).not.toBe(ids[0]);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is called again after 503 and no answer, and not after 4xx', async () => {
    statuses.push(503, 503);
    expect(await callWebhook({ url, secret: 's' }, {}, [1, 1])).toBeNull();
    expect(received.splice(0)).toHaveLength(3);
    statuses.push(500, 500, 500);
    expect(await callWebhook({ url, secret: 's' }, {}, [1, 1])).toBe('it answered 500');
    expect(received.splice(0)).toHaveLength(3);
    statuses.push(403);
    expect(await callWebhook({ url, secret: 's' }, {}, [1, 1])).toBe('it answered 403');
    expect(received.splice(0)).toHaveLength(1);
    statuses.push(307);
    expect(await callWebhook({ url, secret: 's' }, {}, [1, 1])).toBe(
      'it answered 307, which leads elsewhere; set PUBLISH_WEBHOOK to that address',
    );
    expect(received.splice(0)).toHaveLength(1);
    statuses.push(429, 408);
    expect(await callWebhook({ url, secret: 's' }, {}, [1, 1])).toBeNull();
    expect(received.splice(0)).toHaveLength(3);
    statuses.push(503);
    retryAfter = '1';
    const startMs = performance.now();
    expect(await callWebhook({ url, secret: 's' }, {}, [1])).toBeNull();
    expect(performance.now() - startMs).toBeGreaterThan(950);
    retryAfter = '';
    expect(received.splice(0)).toHaveLength(2);
    expect(await callWebhook({ url: 'http://127.0.0.1:1/', secret: 's' }, {}, [1])).toMatch(
      /ECONNREFUSED|bad port/,
    );
  });
});

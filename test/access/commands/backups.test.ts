// Backups that cannot be written or read.

import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type CommandContext, exportAll, importAll } from '../../../src/access/commands/keysCommands.ts';
import { invitesOf } from '../../../src/access/invites/invites.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { setRole } from '../../../src/access/people/people.ts';
import { UsageError } from '../../../src/terminal/usageError.ts';
import { withDisks } from '../../support/disks.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
let folder: string;
let context: CommandContext;
beforeAll(async () => {
  redis = await openDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'backups-'));
  context = {
    redis: redis.client,
    settings: {
      publicUrl: 'http://127.0.0.1:3000',
      publicUrlIsDefault: true,
      rateLimits: { perMinute: 100, perDay: 1000 },
    },
    by: 'ada',
  };
  await keysOf(redis.client).issue({ label: 'Acme', by: 'ada' });
  for (const label of ['one', 'two'])
    await invitesOf(redis.client).create({ label, claimableMs: 600_000, by: 'ada' });
  for (const name of ['Ann', 'Bob', 'Eve'])
    await setRole(redis.client, { name, role: 'viewer', isByClaim: false });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await redis.close();
});

it('a backup that cannot be written says so, and leaves the last one and nothing else', async () => {
  const file = path.join(folder, 'backup.jsonl');
  await exportAll(context, file);
  const before = await readFile(file, 'utf8');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // A folder with a file in it cannot be replaced by a file.
  const taken = path.join(folder, 'taken');
  await writeFile(path.join(await mkdtemp(taken), 'file'), '');
  const [name = ''] = (await readdir(folder)).filter((one) => one.startsWith('taken'));
  await expect(exportAll(context, path.join(folder, name))).rejects.toThrow(/taken\w+ cannot be written \(E/);
  await expect(exportAll(context, path.join(folder, 'none', 'backup.jsonl'))).rejects.toThrow(
    'backup.jsonl cannot be written (ENOENT); name a file in a folder that exists',
  );
  // Nobody may make files there, not even root.
  if (process.platform === 'linux')
    await expect(exportAll(context, '/sys/backup.jsonl')).rejects.toThrow(
      /\(E(ACCES|PERM|ROFS)\); name a file in a folder that you may write to$/,
    );
  expect((await readdir(folder)).sort()).toEqual(['backup.jsonl', name].sort());
  expect(await readFile(file, 'utf8')).toBe(before);
});

it('a backup on a full disk or one that takes no changes says what to do, and leaves the last one', () => {
  const ran = withDisks(
    `
    mount -t tmpfs -o size=8m,nr_inodes=2 none /mnt
    echo last > /mnt/backup.jsonl
    "$NODE" "$KEYS" export --out /mnt/backup.jsonl
    mount -o remount,ro /mnt
    "$NODE" "$KEYS" export --out /mnt/backup.jsonl
    cat /mnt/backup.jsonl`,
    { REDIS_URL: redis.url, KEYS: path.resolve('dist/src/access/cli.js') },
  );
  if (ran === null) return;
  expect(ran.stderr.trimEnd().split('\n')).toEqual([
    '/mnt/backup.jsonl cannot be written (ENOSPC); free some space there and run again; the last backup is as it was',
    '/mnt/backup.jsonl cannot be written (EROFS); name a file in a folder that you may write to; see --help',
  ]);
  expect(ran.stdout).toBe('last\n');
});

it('a backup is written and read where its path was typed, though npm runs the command elsewhere', async () => {
  Object.assign(process.env, { npm_lifecycle_event: 'keys', INIT_CWD: folder });
  await exportAll(context, 'typed.jsonl');
  expect(await readdir(folder)).toContain('typed.jsonl');
  // The command finds the file. It only refuses because Redis has keys already.
  await expect(importAll(context, 'typed.jsonl')).rejects.toThrow(/empty/);
});

it('a backup says how much it holds, printed or written', async () => {
  const note = '1 key, 2 invites, 3 people and 3 entries of the audit log.';
  expect((await exportAll(context, null)).note).toBe(note);
  expect((await exportAll(context, path.join(folder, 'backup.jsonl'))).text).toBe(`Wrote ${note}\n`);
});

it('a backup says how much of it was restored', async () => {
  const file = path.join(folder, 'backup.jsonl');
  await exportAll(context, file);
  await redis.empty();
  const counts = { keys: 1, invites: 2, people: 3, auditEntries: 3 };
  expect(await importAll(context, file)).toEqual({
    json: counts,
    text: 'Restored 1 key, 2 invites, 3 people and 3 entries of the audit log.\n',
  });
});

it('a backup that cannot be read says which file to name', async () => {
  for (const missing of [path.join(folder, 'missing.jsonl'), folder])
    await expect(importAll(context, missing)).rejects.toThrow(
      `${missing} cannot be read (${missing === folder ? 'EISDIR' : 'ENOENT'}); name the file that \`export\` made`,
    );
});

it('a backup that Redis does not take is no mistake of who typed the command', async () => {
  const file = path.join(folder, 'backup.jsonl');
  await exportAll(context, file);
  const away = await openDatabase();
  await away.close();
  const failure = await importAll({ ...context, redis: away.client }, file).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(UsageError);
});

// Folders are made together with their parents, and a failure names its cause.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { withDisks } from '../support/disks.ts';

/** Publishes on a disk that has no room for another file, and on a read-only disk. */
const SCRIPT = `
  mount -t tmpfs -o size=1m,nr_inodes=1 none /mnt
  DATA_DIR=/mnt/data "$NODE" "$CLI" publish bench --month 2026-11
  mount -o remount,bind,ro /mnt
  DATA_DIR=/mnt/data "$NODE" "$CLI" publish bench --month 2026-11
  DATA_DIR=/mnt "$NODE" "$CLI" publish bench --month 2026-11`;

it('the cause is named when a folder cannot be made', () => {
  const ran = withDisks(SCRIPT);
  if (ran === null) return;
  expect(ran.stderr).toMatch(/ENOSPC.*mkdir '\/mnt\/data'; the disk is full: free some space/);
  expect(ran.stderr).toMatch(/EROFS.*mkdir '\/mnt\/data'; that disk takes no changes: make it writable/);
  expect(ran.stderr).toMatch(
    /^\/mnt cannot be written \(read-only file system\); that disk takes no changes/m,
  );
});

it.each([
  ['ingest', 'dist/ingest/cli.js', ['publish', 'bench', '--month', '2026-11']],
  ['keys', 'dist/src/access/cli.js', ['list']],
])('%s ends where no folder can be made in one that is there', (_, cli, args) => {
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: '/proc/none/data', REDIS_URL: undefined };
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    env,
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  expect([status, stderr]).toEqual([
    expect.any(Number),
    expect.stringMatching(/mkdir '\/proc\/none'; no folder can be made there: name another one/),
  ]);
});

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'make-folders-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the folders above are made too, with the same rights, and those that exist stay', () => {
  const inner = path.join(folder, 'a/b');
  makeFolders(inner, 0o700);
  makeFolders(inner, 0o755);
  const modes = [path.dirname(inner), inner].map((one) => statSync(one).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700]);
});

it('a file or a dangling link in place of a folder is named', () => {
  const [file, link] = [path.join(folder, 'file'), path.join(folder, 'link')];
  writeFileSync(file, '');
  symlinkSync('nowhere', link);
  const isFile = { code: 'ENOTDIR', message: `${file} is not a folder` };
  expect(() => makeFolders(file)).toThrow(expect.objectContaining(isFile));
  expect(() => makeFolders(path.join(file, 'inside'))).toThrow(/ENOTDIR/);
  expect(() => makeFolders(link)).toThrow(/link is a link to a folder that is not there: make that folder/);
});

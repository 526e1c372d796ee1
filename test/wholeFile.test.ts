import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeWhole } from '../src/wholeFile.ts';

describe('a file that is written in one step', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'whole-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is what it was when there is no room for all of it', async () => {
    await writeFile(file, 'before');
    const { href } = pathToFileURL(path.resolve('dist/src/wholeFile.js'));
    const program = `
      import { writeWhole } from '${href}';
      await writeWhole(process.env.FILE, 'x'.repeat(1_000_000)).catch(({ code }) => console.log(code));`;
    // Nobody but root can fill a disk of a test's own; this limit leaves a part of a file, too.
    const limited = 'ulimit -f 64; exec "$NODE" --input-type=module -e "$PROGRAM"';
    const { stdout } = await promisify(execFile)('sh', ['-c', limited], {
      env: { ...process.env, NODE_OPTIONS: '', NODE: process.execPath, PROGRAM: program, FILE: file },
    });
    expect(stdout).toBe('EFBIG\n');
    expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['file'], 'before']);
  });

  it('takes the place of no pipe: what reads the pipe receives it', async () => {
    await promisify(execFile)('mkfifo', [file]);
    const [read] = await Promise.all([readFile(file, 'utf8'), writeWhole(file, 'after', 0o600)]);
    expect([read, (await stat(file)).isFIFO(), await readdir(folder)]).toEqual(['after', true, ['file']]);
  });

  it('stays where a link leads to, and has the mode that was asked for', async () => {
    const link = path.join(folder, 'link');
    await writeFile(file, 'before');
    await symlink('file', link);
    await writeWhole(link, 'after', 0o600);
    expect([await readlink(link), await readFile(file, 'utf8')]).toEqual(['file', 'after']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

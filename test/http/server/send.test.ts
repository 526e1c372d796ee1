// Some errors of the system become a 503.

import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { publicError } from '../../../src/http/server/send.ts';

it('a thread that cannot start because no file can be opened is a 503', () => {
  const script = `
    import fs from 'node:fs';
    import { Worker } from 'node:worker_threads';
    try {
      for (;;) fs.openSync('/dev/null');
    } catch {
      new Worker('', { eval: true }).on('error', ({ code, message }) => {
        fs.writeSync(1, JSON.stringify({ code, message }));
        process.exit();
      });
    }`;
  const node = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"';
  const thrown = JSON.parse(execFileSync('sh', ['-c', node, process.execPath, script], { encoding: 'utf8' }));
  expect(thrown.message).toContain('EMFILE');
  expect(publicError(Object.assign(new Error(thrown.message), { code: thrown.code }))).toMatchObject({
    status: 503,
  });
});

it('an error of the system about files is a 503, by its code, its words or its cause, and a fault is a 500', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code });
  const statusOf = (error: unknown) => publicError(error).status;
  const codes = [
    'EMFILE',
    'ENFILE',
    'ENOSPC',
    'EDQUOT',
    'EROFS',
    'EIO',
    'ESTALE',
    'EACCES',
    'EPERM',
    'EBADMSG',
  ];
  const ofFolders = ['ENOTDIR', 'EISDIR', 'ELOOP'];
  for (const code of [...codes, ...ofFolders]) {
    expect([code, statusOf(coded(code))]).toEqual([code, 503]);
    expect(statusOf(new Error('x', { cause: coded(code) }))).toBe(503);
  }
  expect(statusOf(new Error('IO Error: Cannot open file: Too many open files'))).toBe(503);
  for (const fault of [new Error('x'), coded('EINVAL'), { code: 'EMFILE' }, 'EMFILE', undefined])
    expect(statusOf(fault)).toBe(500);
});

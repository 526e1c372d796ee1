// Which errors of the system are a 503.

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

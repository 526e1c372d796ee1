import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const START = 'dist/src/start.js';

describe('the start of the server', () => {
  it('that may open too few files ends with 2 and one line that names the remedy', () => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `ulimit -n 80; exec node ${START}`], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'only 80 open files are allowed, and the server needs 256 and one for each connection; ' +
        'run `ulimit -n 65536` first, or set LimitNOFILE=65536 in its unit\n',
    ]);
  });

  it('goes on to the server when there are enough, which ends with 2 and one line for a setting that is wrong', () => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `ulimit -n 256; exec node ${START}`], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', PORT: 'none' },
    });
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'PORT: "none" is not a port; use a whole number from 1 to 65535\n',
    ]);
  });

  it('is what npm, the unit and the image start', () => {
    for (const file of ['package.json', 'deploy/systemd/data-api.service', 'deploy/docker/Dockerfile'])
      expect([file, readFileSync(file, 'utf8').includes(START)]).toEqual([file, true]);
  });
});

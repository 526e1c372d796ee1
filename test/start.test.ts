// The start of the server as a process: limits of the system, settings, stack traces.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { service } from './support/services.ts';

const START = 'dist/src/start.js';

/** Runs a program to its end, with these settings. */
function ended(program: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, NODE_OPTIONS: '', ...settings };
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  return [status, stdout, stderr];
}

describe('the start of the server', () => {
  it('that may open too few files ends with 2 and one line that names the remedy', () => {
    expect(ended('sh', ['-c', `ulimit -n 80; exec node ${START}`])).toEqual([
      2,
      '',
      'only 80 open files are allowed, and the server needs 256 and one for each connection; ' +
        'run `ulimit -n 65536` first, or set LimitNOFILE=65536 in its unit\n',
    ]);
  });

  it('that may reserve too little address space ends with 2 and one line that names the remedy', () => {
    expect(ended('sh', ['-c', `ulimit -v 1500000; exec node ${START}`])).toEqual([
      2,
      '',
      'only 1536 MB of address space are allowed, and the server reserves 2500 MB or more, most of which it never uses; ' +
        'run `ulimit -v unlimited` first, or replace LimitAS= in its unit by MemoryMax=\n',
    ]);
  });

  it('goes on to the server when there are enough, which ends with 2 and one line for a setting that is wrong', () => {
    expect(ended('sh', ['-c', `ulimit -n 256; exec node ${START}`], { PORT: 'none' })).toEqual([
      2,
      '',
      'PORT: "none" is not a port; use a whole number from 1 to 65535\n',
    ]);
  });

  it.each(['--port=8080', '--help'])('ends with 2 for %s, and says where the settings are', (option) => {
    expect(ended('node', [START, option])).toEqual([
      2,
      '',
      expect.stringMatching(
        new RegExp(`^${option} is not an option of the server; settings are environment variables, .*\n$`),
      ),
    ]);
  });

  it('that fails leaves a stack trace with the lines of the sources', () => {
    const FAILING = `import net from 'node:net';
      net.Server.prototype.listen = () => { throw new Error('of this test'); };`;
    const failing = `data:text/javascript,${encodeURIComponent(FAILING)}`;
    const args = ['--enable-source-maps', '--import', failing, START];
    const [, , stderr] = ended('node', args);
    const lineOf = (file: string, text: string) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(text)) + 1;
    expect(stderr).toMatch(/^Error: of this test\n/);
    expect(stderr).toContain(
      `${path.resolve('src/process/listen.ts')}:${lineOf('src/process/listen.ts', 'server.listen(')}:`,
    );
    const call = lineOf('src/main.ts', 'await expectListenable(config)');
    expect(stderr).toContain(`at main (${path.resolve('src/main.ts')}:${call}:`);
  });

  it('serves the document that its modules make, to the last character', async () => {
    const { url } = await service('server');
    const served = await (await fetch(`${url}/openapi.json`)).json();
    const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    expect(served).toEqual({ ...document, servers: [{ ...document.servers[0], url }] });
  });

  it('is what npm, the unit and the image start', () => {
    for (const file of ['package.json', 'deploy/systemd/data-api.service', 'deploy/docker/Dockerfile'])
      expect([file, readFileSync(file, 'utf8').includes(START)]).toEqual([file, true]);
  });
});

// The common behaviour of both command lines: text and JSON, options, exit codes, messages without control characters.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/config/config.ts';
import { type CommandLine, runCommandLine, subcommand } from '../../src/terminal/commandLine.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { runInProcess } from '../support/runInProcess.ts';

/** A command line with one command, which gives or throws the result of `work`. */
const toolOf = (work: () => object): CommandLine => ({
  name: 'tool',
  define(command, act) {
    subcommand(command, 'go [place]', 'goes')
      .option('--note <text>', 'a note')
      .action(() => act(async () => ({ json: {}, text: '', ...work() })));
  },
  explain: (error) =>
    error instanceof RangeError ? { exitCode: 7, status: 'far', message: 'too far; turn back' } : null,
});

const run = (work: () => object, ...args: string[]) => runInProcess(toolOf(work), args);

const thrown = (error: unknown) => () => {
  throw error;
};

describe('a command line', () => {
  it('prints text for people, one document for programs, and a note in addition to the text', async () => {
    const gone = () => ({ json: { far: 1 }, text: 'gone\n', note: 'by foot' });
    expect(await run(gone, 'go')).toEqual({ code: 0, stdout: 'gone\n', stderr: 'by foot\n' });
    expect(await run(gone, 'go', '--json')).toEqual({ code: 0, stdout: '{\n  "far": 1\n}\n', stderr: '' });
  });

  it('keeps numbers behind names in right-to-left letters on a terminal, and changes no piped text', async () => {
    const [name, mark] = ['ישראל', '\u200e'];
    const go = async (isTerminal: boolean, ...args: string[]) => {
      let output = '';
      const out = (text: string) => (output += text);
      const work = () => ({ json: `${name} 1`, text: `${name} 1` });
      await runCommandLine(toolOf(work), ['go', ...args], { out, err: out, isTerminal });
      return output;
    };
    expect(await go(true)).toBe(`${name}${mark} 1`);
    expect(await go(false)).toBe(`${name} 1`);
    expect(await go(true, '--json')).toBe(`"${name} 1"\n`);
  });

  it('takes --json for an option only where it is one', async () => {
    const gone = () => ({ text: 'gone\n' });
    expect((await run(gone, 'go', '--note', '--json')).stdout).toBe('gone\n');
    expect((await run(gone, 'go', '--', '--json')).stdout).toBe('gone\n');
  });

  it('refuses a second value of an option that takes one', async () => {
    const gone = () => ({ text: 'gone\n' });
    expect((await run(gone, 'go', '--note', 'a', '--note=a')).stdout).toBe('gone\n');
    expect(await run(gone, 'go', '--note', 'a', '--note', 'b')).toEqual({
      code: 2,
      stdout: '',
      stderr: '--note is given twice, as a and as b; keep one; see --help\n',
    });
  });

  it.each([
    [new UsageError('there is no such place'), 2, 'usage', 'there is no such place; see --help'],
    [new UsageError('Allowed choices are a, b.'), 2, 'usage', 'Allowed choices are a, b; see --help'],
    [new ConfigError('PORT: "x" is not a port'), 2, 'usage', 'PORT: "x" is not a port'],
    [new RangeError('1 km'), 7, 'far', 'too far; turn back'],
    [new Error('broken'), 1, 'unexpected', 'broken'],
    ['a bare text', 1, 'unexpected', 'a bare text'],
  ])('turns %p into an exit code and one sentence', async (error, code, status, message) => {
    expect(await run(thrown(error), 'go')).toEqual({ code, stdout: '', stderr: `${message}\n` });
    const { stdout, ...rest } = await run(thrown(error), 'go', '--json');
    expect([rest, JSON.parse(stdout)]).toEqual([
      { code, stderr: '' },
      { status, error: message },
    ]);
  });

  it.each([
    [[], 'name a command: go'],
    [['og'], "unknown command 'og' (did you mean go?)"],
    [['go', '--nota', 'x'], "unknown option '--nota' (did you mean --note?)"],
    [['go', 'a', 'b'], 'too many arguments'],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await run(() => ({}), ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/; see --help\n$/);
  });

  it('asks for a command where --json stands alone', async () => {
    const { code, stdout } = await run(() => ({}), '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { status: 'usage', error: 'name a command: go; see --help' },
    ]);
  });

  it('shows control characters of an argument as escapes', async () => {
    const { stderr } = await run(() => ({}), 'go', '--\u001b[31m\u202ex');
    expect(stderr).toContain("unknown option '--\\u001b[31m\\u202ex'");
  });
});

describe('a reader that is slow', () => {
  it.each([
    ['stdout', false],
    ['stderr', true],
  ] as const)('gets a long text on %s as a whole', async (stream, failed) => {
    const { href } = pathToFileURL(path.resolve('dist/src/terminal/commandLine.js'));
    const program = `
      import { runProcess } from '${href}';
      const outcome = { json: {}, text: 'x'.repeat(1_000_000), ${failed ? 'failed: true' : ''} };
      const define = (command, act) => command.command('go').action(() => act(async () => outcome));
      await runProcess({ name: 'tool', define, explain: () => null });`;
    // Node connects a child process by sockets, which take more at once than pipes do. So the shell connects it by a pipe.
    const streams = stream === 'stdout' ? '2>/dev/null' : '2>&1 >/dev/null';
    const shell = `"$NODE" --input-type=module -e "$PROGRAM" - go ${streams} | (sleep 0.5; wc -c)`;
    const { stdout } = await promisify(execFile)('sh', ['-c', shell], {
      env: { ...process.env, NODE_OPTIONS: '', NODE: process.execPath, PROGRAM: program },
    });
    expect(stdout.trim()).toBe('1000000');
  });
});

describe('a reader that stops early', () => {
  it.each(['dist/ingest/cli.js', 'dist/src/access/cli.js'])('%s ends quietly', async (cli) => {
    const child = spawn(process.execPath, [cli, '--help'], { env: { ...process.env, NODE_OPTIONS: '' } });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    expect([await once(child, 'close'), stderr]).toEqual([[0, null], '']);
  });
});

describe('an output that cannot be written', () => {
  it.each(['dist/ingest/cli.js', 'dist/src/access/cli.js'])('ends %s with 1, and says so', async (cli) => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [cli, '--help'], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', full.fd, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (text) => {
      stderr += text;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(stderr).toMatch(/^the output could not be written: ENOSPC.*\n$/);
    await full.close();
  });

  it('is no failure of a command that has nothing to write there', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, ['dist/ingest/cli.js', '--help'], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', full.fd],
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    await full.close();
  });
});

// The commands of `npm run ingest`: text, JSON and exit codes.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, watch } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { itInDepth, runs } from '../../support/depth.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { ingestCommand } from '../../support/runInProcess.ts';
import { aRow, publishRows } from '../../support/snapshot.ts';

let month: Month;
beforeEach(async () => {
  month = await aMonth();
});
afterEach(() => month.remove());

const CLI = path.resolve('dist/ingest/cli.js');
const environment = () => ({ ...process.env, NODE_OPTIONS: '', DATA_DIR: month.dataDir });

const ingest = (...args: string[]) => ingestCommand(month.dataDir, args);

const publish = (...more: string[]) => ingest('publish', month.directory, '--month', '2026-11', ...more);

/**
 * Starts a publish that sends itself `signal` when it calls `when.call` of `fs.promises` with a path that ends in
 * `when.end`.
 */
function startedPublish(
  signal: NodeJS.Signals,
  command = ['publish', month.directory, '--month', '2026-11'],
  when = { call: 'open', path: 0, end: '/ggr.csv' },
): ChildProcess {
  const hook = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { call, path, end } = ${JSON.stringify(when)};
    const original = fs.promises[call];
    fs.promises[call] = (...args) => {
      if (String(args[path]).endsWith(end)) process.kill(process.pid, '${signal}');
      return original(...args);
    };
    syncBuiltinESMExports();`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, CLI];
  return spawn(process.execPath, [...args, ...command], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

const isStopped = async ({ pid }: ChildProcess) => /\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));

describe('publish', () => {
  it('says what happened in its last line, and prints the steps on stderr', async () => {
    const { code, stdout, stderr } = await publish();
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('2026-11.1 published; it is current now');
    expect(stderr.split('\n').filter((line) => !line.includes('%'))).toEqual([
      'reading',
      'checking',
      'writing',
      'comparing',
      'reporting',
      'publishing',
      '',
    ]);
    const again = await publish();
    expect(again.stdout.trimEnd()).toMatch(
      /unchanged: the current snapshot 2026-11\.1 has the same content$/,
    );
    expect(again.code).toBe(0);
    // The line of ggr names its years. The lookup country_reference has none.
    expect(again.stdout).toMatch(/^ {2}ggr +1 {2}2024–2024 +[\d.]+ kB$/m);
    expect(again.stdout).toMatch(/^ {2}country_reference +1 {3,}\d+ B$/m);
  });

  it('gives one JSON document with --json, and nothing else on stdout', async () => {
    const { code, stdout } = await publish('--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'published',
      snapshot: '2026-11.1',
      problems: [],
      changes: {
        comparedWith: null,
        datasets: { ggr: { rowsBefore: null, rows: 1, countries: 1, years: [2024] } },
      },
      report: path.join(month.dataDir, 'snapshots', '2026-11.1', 'report.html'),
    });
  });

  it('writes the report of a dry run where it is asked for, and nowhere else', async () => {
    const file = path.join(month.dataDir, '..', 'mine.html');
    const { code, stdout } = await publish('--dry-run', '--report', file);
    expect(code).toBe(0);
    expect(stdout).toContain(`\nreport: ${file}\nnothing published (--dry-run); it would be 2026-11.1\n`);
    expect(await readFile(file, 'utf8')).toContain('Report of a month not published yet');
    expect(await snapshotIds(month.dataDir)).toEqual([]);
    const nowhere = await publish('--report', path.join(month.dataDir, 'no', 'mine.html'));
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain('there is no folder');
  });

  itInDepth('ends with 1 when the report of a dry run is lost, and still says everything else', async () => {
    const folder = path.join(month.dataDir, '..', 'taken-away');
    const file = path.join(folder, 'mine.html');
    /** Removes the folder as soon as the command has tested whether it can write there, before the work begins. */
    const losing = async (...args: readonly string[]) => {
      await mkdir(folder);
      const watcher = watch(folder, () => rmSync(folder, { recursive: true, force: true }));
      return publish(...args, '--report', file).finally(() => watcher.close());
    };
    const failure = `${file} could not be written: ENOENT`;
    const { code, stdout } = await losing('--dry-run');
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`\nreport: none (${failure})\nnothing published`),
    ]);
    const { stdout: json } = await losing('--dry-run', '--json');
    expect(JSON.parse(json)).toMatchObject({ status: 'checked', report: null, reportFailure: failure });
    await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { country: 'Maltta' })]) });
    expect((await losing()).code).toBe(4);
  });

  it('ends with 4 when the content is wrong, and names each problem in JSON too', async () => {
    await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { country: 'Maltta' })]) });
    const { code, stdout } = await publish('--json');
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'rejected',
      snapshot: null,
      problems: [
        {
          file: 'ggr.csv',
          sheet: null,
          cell: 'line 2, column country',
          place: 'ggr.csv › line 2, column country',
          message: 'country "Maltta" is not in country_reference; did you mean "Malta"?',
        },
      ],
    });
    const result = await publish();
    expect(result.stdout).toContain(
      'ggr.csv › line 2, column country: country "Maltta" is not in country_reference',
    );
    expect(result.stdout.trimEnd().split('\n').at(-1)).toBe(
      '2026-11 not published: 1 error; correct the errors above and run again',
    );
  });

  it('ends with 3 when a file cannot be read, and says to save an .xls as .xlsx', async () => {
    await rm(path.join(month.directory, 'ggr.csv'));
    await writeFile(path.join(month.directory, 'ggr.xls'), 'anything');
    const { code, stdout } = await publish();
    expect(code).toBe(3);
    expect(stdout).toContain('ggr.xls: .xls files are not read; in Excel, choose File > Save As');
  });

  it.each([
    [['publish', '/nowhere/at/all', '--month', '2026-11'], 'there is no folder /nowhere/at/all'],
    [['publish', '', '--month', '2026-11'], 'a path is empty; name a file or folder'],
    [['publish', '.', '--month', '2026-11', '--recipe', ''], 'a path is empty; name a file or folder'],
    [['watch', '', '--once'], 'a path is empty; name a file or folder'],
    [['publish', 'package.json', '--month', '2026-11'], 'package.json is not a folder'],
    [['publish', 'package.json/x', '--month', '2026-11'], 'package.json/x cannot be read (ENOTDIR)'],
    [['publish', '.', '--month', 'november'], 'Write it as YYYY-MM, such as 2026-11'],
    [['publish', '.'], "required option '--month <YYYY-MM>' not specified"],
    [['publish', '.', '--mont', '2026-11'], "unknown option '--mont' (did you mean --month?)"],
    [
      ['publish', '.', '--month', '2026-11', '--carry', 'fxx'],
      `It must be one of: ${DATASET_NAMES.join(', ')}`,
    ],
    [['publihs'], "unknown command 'publihs'"],
    [['verify', '2020-01.1'], 'no snapshot 2020-01.1; none is published yet'],
    [['verify'], 'there is no current snapshot to verify'],
  ])('ends with 2 for the command line %j', async (args, message) => {
    const { code, stdout, stderr } = await ingest(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    const json = await ingest(...args, '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: 'usage',
      error: expect.stringContaining(message),
    });
  });

  it('asks for a command when there is none', async () => {
    expect(await ingest()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name a command: inspect, publish'),
    });
  });

  it('shows help, with its exit codes', async () => {
    const { code, stdout } = await ingest('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: ingest .*Exit codes: 0 done or unchanged/s);
  });

  it('names a setting that is wrong', async () => {
    const { code, stderr } = await ingestCommand(month.dataDir, ['list'], { LOG_LEVEL: 'loud' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^LOG_LEVEL: "loud" is not a level; use one of /);
  });
});

describe('only one at a time', () => {
  it('ends with 6 while another is running', async () => {
    const first = startedPublish('SIGSTOP');
    const ended = once(first, 'exit');
    while (!(await isStopped(first))) await sleep(10);
    const { code, stderr } = await publish();
    expect(code).toBe(6);
    expect(stderr).toContain(
      `another ingest is running (process ${first.pid}); wait for it to end and run again`,
    );
    const dry = await publish('--dry-run');
    expect(dry.code).toBe(6);
    expect(dry.stderr).toMatch(
      /wait for it to end and run again; a dry run has to wait too: it works in the same folder, /,
    );
    // If the engine were closed while DuckDB stages the month, DuckDB would sometimes end the process, so this tries often.
    for (let i = 0; i < runs(3); i += 1) {
      expect((await publish()).code).toBe(6);
      expect((await publish('--dry-run')).code).toBe(6);
    }
    // A watch waits instead, and reports nothing: it looks again every few seconds.
    const inbox = path.join(path.dirname(month.directory), 'inbox');
    await mkdir(path.join(inbox, '2026-12'), { recursive: true });
    await writeFile(path.join(inbox, '2026-12', 'READY'), '');
    const hook = { PUBLISH_WEBHOOK: 'http://127.0.0.1:9/', PUBLISH_WEBHOOK_SECRET: 'shared' };
    const look = await ingestCommand(month.dataDir, ['watch', inbox, '--once', '--json'], hook);
    expect([look.code, JSON.parse(look.stdout).notes]).toEqual([6, []]);
    first.kill('SIGCONT');
    expect(await ended).toEqual([0, null]);
  });
});

describe('ended from outside', () => {
  it('cleans up on ctrl-C and says so', async () => {
    const child = startedPublish('SIGINT');
    let stderr = '';
    child.stderr?.on('data', (text) => {
      stderr += text;
    });
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(stderr).toContain('interrupted; nothing was published');
    expect(await readdir(month.dataDir)).toEqual(['ingest.lock']);
  });

  itInDepth('publishes in spite of ctrl-C once the snapshot is being made current', async () => {
    const command = ['publish', month.directory, '--month', '2026-11'];
    const when = { call: 'rename', path: 1, end: '/snapshots/2026-11.1' };
    const child = startedPublish('SIGINT', command, when);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await readlink(path.join(month.dataDir, 'current'))).toBe('snapshots/2026-11.1');
  });

  it('ends a watch that publishes, whose folder stays ready', async () => {
    const inbox = path.join(path.dirname(month.directory), 'inbox');
    await mkdir(inbox);
    await symlink(month.directory, path.join(inbox, '2026-11'));
    await writeFile(path.join(month.directory, 'READY'), '');
    const child = startedPublish('SIGTERM', ['watch', inbox]);
    expect(await once(child, 'close')).toEqual([143, null]);
    expect(await readdir(month.directory)).toContain('.publishing');
    expect(await readdir(month.dataDir)).toEqual(['ingest.lock']);
  });
});

describe('list and verify', () => {
  it('list says so when there is nothing', async () => {
    expect(await ingest('list')).toMatchObject({ code: 0, stdout: 'no snapshots yet\n' });
  });

  it('verify finds the current snapshot whole', async () => {
    await publishRows(month.dataDir, '2026-11.1');
    expect(await ingest('verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2026-11.1 is whole'),
    });
  });
});

describe('inspect', () => {
  it('shows header, layout, types and the first rows', async () => {
    const { code, stdout } = await ingest('inspect', path.join(month.directory, 'ggr.csv'));
    expect(code).toBe(0);
    expect(stdout).toContain('table: 2 rows, 1 of them below the header; header in row 1: ggr, long form');
    expect(stdout).toMatch(/sub_channel +dimension sub_channel +1 text/);
    expect(stdout).toContain('2 │ 2024 │ Europe │ Malta');
  });

  it('ends with 3 for a file that is not there', async () => {
    const { code, stderr } = await ingest('inspect', path.join(month.directory, 'nothing.xlsx'));
    expect(code).toBe(3);
    expect(stderr).toContain('is not there');
  });

  it('ends with 3 for a folder, and says to name a file in it', async () => {
    const { code, stderr } = await ingest('inspect', month.directory);
    expect(code).toBe(3);
    expect(stderr).toContain('is a folder, and inspect reads one file; name a file in it');
  });
});

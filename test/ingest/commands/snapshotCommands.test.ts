// The commands `list`, `rollback`, `verify` and `prune` on a terminal and as JSON.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RULES } from '../../../ingest/guards/finding.ts';
import { CURRENT_DAMAGED } from '../../../ingest/store/currentDamage.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { isDeep, itInDepth, some } from '../../support/depth.ts';
import { startLockHolder } from '../../support/lockHolder.ts';
import { aMonth } from '../../support/month.ts';
import { ingestCommand, type Ran } from '../../support/runInProcess.ts';
import { aDataDir, type DataDir, publishRows } from '../../support/snapshot.ts';

let made: DataDir;
let copied: DataDir;
let dataDir: string;
beforeAll(async () => {
  made = await aDataDir();
  for (const id of ['2026-10.1', '2026-11.1', '2026-11.2']) await publishRows(made.dataDir, id);
});
beforeEach(async () => {
  copied = await aDataDir(made.dataDir);
  dataDir = copied.dataDir;
});
afterEach(async () => {
  await chmod(dataDir, 0o755);
  await copied.remove();
});
afterAll(() => made.remove());

const CLI = path.resolve('dist/ingest/cli.js');
const environment = () => ({ ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir });

/** Runs a command in a process of its own, for tests about limits or users. */
function run(command: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(command, args, { env: environment() }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const ingest = (...args: string[]) => ingestCommand(dataDir, args);

const json = async (...args: string[]) => JSON.parse((await ingest(...args, '--json')).stdout);
const current = () => readlink(path.join(dataDir, 'current'));

describe('list', () => {
  it('shows sizes, rows, the current and the previous snapshot, and what is damaged', async () => {
    await rm(path.join(dataDir, 'snapshots/2026-10.1/fx.parquet'));
    const { stdout } = await ingest('list');
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^snapshot +published +rows +size$/);
    // One row of each dataset.
    const rows = DATASET_NAMES.length;
    const line = (id: string, state: string) =>
      expect.stringMatching(
        new RegExp(`^${id} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +${rows} +[\\d.]+ kB +${state}$`),
      );
    expect(lines).toEqual([
      line('2026-10.1', 'damaged: see verify'),
      line('2026-11.1', 'previous'),
      line('2026-11.2', 'current'),
    ]);
    expect(await json('list')).toMatchObject({
      current: '2026-11.2',
      previous: '2026-11.1',
      snapshots: [
        { id: '2026-10.1', current: false, previous: false, rows, damaged: true },
        { id: '2026-11.1', current: false, previous: true, rows, damaged: false },
        { id: '2026-11.2', current: true, previous: false, rows, damaged: false },
      ],
    });
  });

  it('says when current leads nowhere', async () => {
    await rm(path.join(dataDir, 'snapshots/2026-11.2'), { recursive: true });
    expect((await ingest('list')).stdout).toContain(
      'current names 2026-11.2, which is not there; name another one with rollback <id>',
    );
    const { code, stderr } = await ingest('verify');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('current names 2026-11.2, which is not there'),
    ]);
    const out = path.join(dataDir, 'ggr.xlsx');
    const template = await ingest('template', 'ggr', '--filled', '--month', '2026-12', '--out', out);
    expect([template.code, template.stderr]).toEqual([
      4,
      expect.stringContaining(
        'snapshot 2026-11.2: is not there; make another one current with rollback <id>',
      ),
    ]);
  });
});

describe('rollback', () => {
  it('says what is current now and how to undo it', async () => {
    expect(await ingest('rollback')).toEqual({
      code: 0,
      stdout: '2026-11.1 is current now; `ingest rollback 2026-11.2` undoes this\n',
      stderr: '',
    });
    expect(await json('rollback', '2026-11.2')).toEqual({
      status: 'rolled-back',
      snapshot: '2026-11.2',
      from: '2026-11.1',
      damages: [],
    });
    expect(await ingest('rollback', '2026-11.2')).toMatchObject({
      code: 0,
      stdout: '2026-11.2 is current already; nothing changed\n',
    });
  });

  it('from a current that leads nowhere proposes no way back to it', async () => {
    await rm(path.join(dataDir, 'snapshots/2026-11.2'), { recursive: true });
    expect((await ingest('rollback')).stdout).toBe(
      '2026-11.1 is current now; current named 2026-11.2, which is not there\n',
    );
    await rm(path.join(dataDir, 'snapshots/2026-11.1'), { recursive: true });
    await writeFile(path.join(dataDir, 'snapshots/2026-10.1/fx.parquet'), 'damaged');
    expect((await ingest('rollback')).stdout).toMatch(
      /2026-10\.1 is damaged; nothing changed: name another one with rollback <id>\n$/,
    );
  });

  it('ends with 4 for a damaged one, and says what verify says', async () => {
    await writeFile(path.join(dataDir, 'snapshots/2026-11.1/fx.parquet'), 'damaged');
    const { code, stdout } = await ingest('rollback');
    expect(code).toBe(4);
    expect(stdout).toContain('2026-11.1/fx.parquet: has 7 bytes where the manifest says');
    expect(stdout.trimEnd()).toMatch(
      /2026-11\.1 is damaged; 2026-11\.2 stays current: name another one with/,
    );
    expect(await ingest('verify', '2026-11.1')).toMatchObject({
      code: 4,
      stdout: stdout.split('2026-11.1 is damaged').at(0),
    });
    for (const command of ['rollback', 'verify'])
      expect(await json(command, '2026-11.1')).toMatchObject({ status: 'damaged', snapshot: '2026-11.1' });
    expect(await json('verify')).toEqual({ status: 'whole', snapshot: '2026-11.2', damages: [] });
    expect(await current()).toBe('snapshots/2026-11.2');
  });

  it.each([['2026-11.9'], ['latest']])('ends with 2 for %s', async (id) => {
    expect(await ingest('rollback', id)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `no snapshot ${id}; there are: 2026-10.1, 2026-11.1, 2026-11.2\n`,
    });
    expect(await json('rollback', id)).toMatchObject({ status: 'usage', snapshot: null, problems: [] });
  });
});

describe('prune', () => {
  it('names what it removed and what walks may still be on, and says what is kept', async () => {
    const dry = await ingest('prune', '--keep', '2', '--dry-run');
    expect(dry.stdout).toMatch(
      /^would remove 2026-10\.1 .*\nwould free [\d.]+ kB; kept: 2026-11\.1, 2026-11\.2 \(current\)\n$/,
    );
    const { code, stdout } = await ingest('prune', '--keep', '2');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^removed 2026-10\.1 \([\d.]+ kB\), superseded less than 48 hours ago \(.* UTC\): walks may still be on it\nfreed/,
    );
    expect(await json('prune', '--keep', '2')).toEqual({
      status: 'unchanged',
      removed: [],
      kept: ['2026-11.1', '2026-11.2'],
    });
  });

  it.each([
    [[], "required option '--keep <N>' not specified"],
    [['--keep', 'all'], 'Write a whole number of at most six digits, such as 6'],
    [['--keep', '-1'], 'Write a whole number of at most six digits, such as 6'],
    [['--keep', '1', '2026-10.1'], 'too many arguments'],
  ])('ends with 2 for %j and removes nothing', async (args, message) => {
    const { code, stderr } = await ingest('prune', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await readdir(path.join(dataDir, 'snapshots'))).toHaveLength(3);
  });
});

describe('before anything is published', () => {
  it.each([['rollback'], ['prune', '--keep', '1']])('%s says so and makes no folder', async (...args) => {
    await copied.remove();
    const { code, stderr } = await ingest(...args);
    expect([code, stderr]).toEqual([
      2,
      `there are no snapshots in ${dataDir}; publish one first; see --help\n`,
    ]);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
    await mkdir(dataDir);
  });
});

describe('when something is in the way', () => {
  it('waits for no other command: exit code 6', async () => {
    const other = await startLockHolder(path.join(dataDir, 'ingest.lock'));
    for (const args of [['rollback'], ['prune', '--keep', '1']]) {
      const { code, stderr } = await ingest(...args);
      expect([code, stderr]).toEqual([
        6,
        expect.stringContaining(`(process ${other.pid}); wait for it to end`),
      ]);
    }
    expect((await ingest('prune', '--keep', '1', '--dry-run')).code).toBe(0);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect((await ingest('rollback')).code).toBe(0);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'current is a folder',
      async () => {
        await rm(path.join(dataDir, 'current'));
        await mkdir(path.join(dataDir, 'current'));
      },
      /current must be a link to a snapshot and is a file or folder: move it away/,
    ],
    [
      'the lock is a folder',
      () => mkdir(path.join(dataDir, 'ingest.lock')),
      /ingest\.lock.*: Is a directory; a folder is in the place of a file: move it away/,
    ],
    [
      'snapshots is a file',
      async () => {
        await rm(path.join(dataDir, 'snapshots'), { recursive: true });
        await writeFile(path.join(dataDir, 'snapshots'), '');
      },
      /snapshots'; a file is in the place of a folder: move it away, or name another DATA_DIR/,
    ],
  ])('%s: every command that changes something says so', async (_, make, message) => {
    await make();
    for (const args of [['rollback'], ['prune', '--keep', '1']]) {
      const { code, stderr } = await ingest(...args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  itInDepth(
    'a full disk, simulated by a limit on the size of files, leaves everything as it was',
    async () => {
      expect((await ingest('prune', '--keep', '9')).stdout).toMatch(/^nothing to remove; kept: /);
      const before = await readFile(path.join(dataDir, 'history.jsonl'), 'utf8');
      const sources = await aMonth();
      const script = 'ulimit -f 0; exec "$0" "$@"';
      for (const args of [['rollback'], ['publish', sources.directory, '--month', '2026-12']]) {
        const { code, stderr } = await run('sh', ['-c', script, process.execPath, CLI, ...args]);
        expect(code).toBe(1);
        expect(stderr).toMatch(/File too large|EFBIG/i);
        expect(stderr).toContain('raise the limit (ulimit -f), and run again; current is what it was\n');
        expect(await current()).toBe('snapshots/2026-11.2');
      }
      // There is nothing to remove, so prune writes no file and still works.
      expect((await run('sh', ['-c', script, process.execPath, CLI, 'prune', '--keep', '2'])).code).toBe(0);
      expect(await readdir(path.join(dataDir, 'snapshots'))).toEqual(['2026-11.1', '2026-11.2']);
      expect(await readFile(path.join(dataDir, 'history.jsonl'), 'utf8')).toBe(before);
      expect((await readdir(dataDir)).sort()).toEqual([
        'current',
        'history.jsonl',
        'ingest.lock',
        'snapshots',
      ]);
      await sources.remove();
    },
  );

  itInDepth(
    'a folder that may not be written is named with the remedy, and can be read all the same',
    async () => {
      await chmod(dataDir, 0o555);
      for (const args of some([['rollback'], ['prune', '--keep', '1']], 1)) {
        const { code, stderr } = await unprivileged(...args);
        expect([code, stderr]).toEqual([
          1,
          `${dataDir} cannot be written (permission denied); check who owns the folder and its permissions\n`,
        ]);
      }
      expect(await current()).toBe('snapshots/2026-11.2');
      if (isDeep) expect((await unprivileged('list')).code).toBe(0);
      expect((await unprivileged('verify')).stdout).toContain('2026-11.2 is whole');
    },
  );
});

it('a history that may not be written stops a command before it changes anything', async () => {
  const file = path.join(dataDir, 'history.jsonl');
  await chmod(file, 0o444);
  const message = `EACCES: permission denied, open '${file}'; check who owns the folder and its permissions\n`;
  for (const args of some([['prune', '--keep', '1'], ['rollback']], 1))
    expect(await unprivileged(...args)).toEqual({ code: 1, stdout: '', stderr: message });
  expect(await current()).toBe('snapshots/2026-11.2');
  expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'ingest.lock', 'snapshots']);
  expect((await unprivileged('list')).code).toBe(0);
});

const CLOSED = [
  ['a file', 'snapshots/2026-11.1/fx.parquet', '', 0o644, 'rollback'],
  ['its manifest', 'snapshots/2026-11.1/manifest.json', '', 0o644, 'rollback'],
  ['its folder', 'snapshots/2026-11.1', '/manifest.json', 0o755, 'verify'],
] as const;
describe.each(some(CLOSED, 1))(
  'a snapshot of which %s may not be read',
  (_, closed, rest, rights, command) => {
    it('is not called damaged', async () => {
      const file = path.join(dataDir, closed);
      await chmod(file, 0o000);
      // Each command takes a process, so `make test` runs only one.
      for (const one of isDeep ? ['rollback', 'verify'] : [command]) {
        const { code, stdout, stderr } = await unprivileged(one, '2026-11.1');
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toBe(
          `EACCES: permission denied, open '${file}${rest}'; check who owns the folder and its permissions\n`,
        );
      }
      const listed = await unprivileged('list');
      const remark = closed.endsWith('.parquet') ? 'previous' : 'previous, cannot be read: see verify';
      expect(listed.stdout).toMatch(new RegExp(`^2026-11\\.1 .+B +${remark}$`, 'm'));
      expect(await current()).toBe('snapshots/2026-11.2');
      await chmod(file, rights);
      expect((await ingest('rollback', '2026-11.1')).code).toBe(0);
    });
  },
);

/** Runs a command as a user without special rights. The superuser may read and write everything otherwise. */
function unprivileged(...args: string[]) {
  const isRoot = process.getuid?.() === 0;
  const [command, first]: [string, string[]] = isRoot
    ? ['setpriv', ['--bounding-set=-dac_override,-dac_read_search', process.execPath]]
    : [process.execPath, []];
  return run(command, [...first, CLI, ...args]);
}

it('a current snapshot whose file may not be read is not called damaged, so that no guard is skipped', async () => {
  const sources = await aMonth();
  const file = path.join(dataDir, 'snapshots', '2026-11.2', 'fx.parquet');
  await chmod(file, 0o000);
  for (const accepted of [[], ['--accept', 'current-damaged', '--reason', 'as told']]) {
    const { code, stderr } = await unprivileged(
      'publish',
      sources.directory,
      '--month',
      '2026-12',
      ...accepted,
    );
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      1,
      `EACCES: permission denied, open '${file}'; check who owns the folder and its permissions`,
    ]);
  }
  expect(await current()).toBe('snapshots/2026-11.2');
  await sources.remove();
});

describe('ctrl-C', () => {
  it('ends a rollback that still checks, with nothing changed and nothing left', async () => {
    const before = await readFile(path.join(dataDir, 'history.jsonl'), 'utf8');
    // The command gets the signal while it reads a file to check it.
    const interrupting = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const read = fs.createReadStream;
      fs.createReadStream = (file, ...rest) => {
        if (file.endsWith('fx.parquet')) process.kill(process.pid, 'SIGINT');
        return read(file, ...rest);
      };
      syncBuiltinESMExports();`;
    const hook = `data:text/javascript,${encodeURIComponent(interrupting)}`;
    const child = spawn(process.execPath, ['--import', hook, CLI, 'rollback', '--json'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => (output.stdout += text));
    child.stderr.on('data', (text) => (output.stderr += text));
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(JSON.parse(output.stdout)).toMatchObject({
      status: 'interrupted',
      error: 'interrupted; nothing was changed',
    });
    expect(await current()).toBe('snapshots/2026-11.2');
    expect(await readFile(path.join(dataDir, 'history.jsonl'), 'utf8')).toBe(before);
    expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'ingest.lock', 'snapshots']);
  });
});

describe('--help', () => {
  it.each(['inspect', 'publish', 'list', 'verify', 'diff', 'rollback', 'prune'])(
    'of %s has an example',
    async (name) => {
      const { code, stdout } = await ingest(name, '--help');
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: ingest ${name} [^]*\\nExample: npm run ingest -- ${name}`));
    },
  );

  it('of publish has every rule that can be accepted', async () => {
    const { stdout } = await ingest('publish', '--help');
    for (const rule of [...RULES, CURRENT_DAMAGED])
      expect(stdout).toMatch(new RegExp(`^  ${rule} +\\S`, 'm'));
  });
});

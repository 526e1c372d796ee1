// Ends real commands at chosen moments: before they change something on disk, or after some milliseconds.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { recover } from '../../ingest/store/publish.ts';
import { verify } from '../../ingest/store/verify.ts';
import { currentId, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';

const CLI = path.resolve('dist/ingest/cli.js');

/**
 * The functions with which a command changes the disk. DuckDB is not among them, because it writes only temporary files.
 */
const CHANGES = ['mkdir', 'rename', 'rm', 'symlink', 'writeFile', 'appendFile', 'truncate'] as const;

/** Code that runs before the command. It kills the process just before the n-th change of that kind. */
const killedBefore = ([change, file, time = 1]: Change) => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let times = 0;
  for (const name of ${JSON.stringify(CHANGES)}) {
    const real = fs.promises[name];
    fs.promises[name] = (...args) => {
      const is = ${JSON.stringify(change)} === '' || name === ${JSON.stringify(change)};
      if (is && args.some((arg) => String(arg).endsWith(${JSON.stringify(file)}))) times += 1;
      if (times === ${time}) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    };
  }
  syncBuiltinESMExports();`;

/**
 * The call before which the command is killed: the function ('' for any), the end of its path ('' for any), and which of
 * these calls it is, from 1.
 */
type Change = readonly [change: (typeof CHANGES)[number] | '', file: string, time?: number];

export interface KilledCommand {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** Runs a command of `npm run ingest` that is killed before a change of the disk. */
export const killedAt = (
  dataDir: string,
  args: readonly string[],
  change: Change,
  settings: Settings = {},
): Promise<KilledCommand> =>
  ended(
    dataDir,
    args,
    ['--import', `data:text/javascript,${encodeURIComponent(killedBefore(change))}`],
    () => {},
    settings,
  );

/** Runs a command that is killed after `ms` milliseconds, if it still runs then. */
export const killedAfter = (
  dataDir: string,
  args: readonly string[],
  ms: number,
  settings: Settings = {},
): Promise<KilledCommand> => ended(dataDir, args, [], (kill) => void setTimeout(kill, ms).unref(), settings);

/** Runs a command that is killed when `arm` calls the function that it gets. */
export const killedWhen = (
  dataDir: string,
  args: readonly string[],
  arm: (kill: () => void) => void,
  settings: Settings = {},
): Promise<KilledCommand> => ended(dataDir, args, [], arm, settings);

type Settings = Readonly<Record<string, string>>;

async function ended(
  dataDir: string,
  args: readonly string[],
  options: readonly string[],
  arm: (kill: () => void) => void = () => {},
  settings: Settings = {},
): Promise<KilledCommand> {
  const child = spawn(process.execPath, [...options, CLI, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  arm(() => child.kill('SIGKILL'));
  const [code, signal] = await once(child, 'close');
  return { code, signal, output };
}

/**
 * Finds faults of a data directory after a command was killed, before and after the recovery with which the next command
 * begins. `current` must name a whole snapshot all the time.
 */
export async function wrongIn(dataDir: string): Promise<string[]> {
  const wrong: string[] = [];
  const before = await currentId(dataDir);
  wrong.push(...(await damagesOf(dataDir, before)));
  const known = JSON.stringify(await readHistory(dataDir));
  await recover(dataDir);
  if ((await currentId(dataDir)) !== before) wrong.push(`current was ${before} and is another one`);
  if (JSON.stringify(await readHistory(dataDir)) !== known)
    wrong.push('the history told another story before');
  for (const id of await snapshotIds(dataDir)) wrong.push(...(await damagesOf(dataDir, id)));
  const published = new Set(
    (await readHistory(dataDir)).flatMap(({ event, id }) => (event === 'published' ? [id] : [])),
  );
  const unknown = (await snapshotIds(dataDir)).filter((id) => !published.has(id));
  if (unknown.length > 0) wrong.push(`${unknown} never became current and is there`);
  const others = (await readdir(dataDir)).filter((file) => !KEPT.has(file));
  if (others.length > 0) wrong.push(`${others} was left`);
  return wrong;
}

const KEPT = new Set(['current', 'history.jsonl', 'ingest.lock', 'snapshots', 'store.lock']);

async function damagesOf(dataDir: string, id: string | null): Promise<string[]> {
  if (id === null) return ['there is no current snapshot'];
  return (await verify(dataDir, id)).map(({ file, message }) => `${id}/${file}: ${message}`);
}

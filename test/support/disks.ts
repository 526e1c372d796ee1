// Runs commands on newly mounted disks, which may be full or read-only: `const ran = withDisks('mount …; "$NODE" "$CLI" list')`.

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { notTried } from './notTried.ts';

/** Arguments of the program `unshare` for commands that may mount disks, which nobody else sees. */
const OWN_DISKS = ['--map-root-user', '--mount'];

/** Whether disks can be mounted here. If they cannot, this prints the reason. */
export function canMount(): boolean {
  const isPossible = spawnSync('unshare', [...OWN_DISKS, 'true']).status === 0;
  if (!isPossible) notTried('no disk can be mounted here: run as root, or allow user namespaces');
  return isPossible;
}

/** The environment of a script. Without REDIS_URL, a server has the Redis of its data directory. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { REDIS_URL: _, ...inherited } = process.env;
  const own = { NODE_OPTIONS: '', NODE: process.execPath, CLI: path.resolve('dist/ingest/cli.js') };
  return { ...inherited, ...own, ...more };
}

/**
 * Runs a shell script that may mount disks. `$NODE $CLI` is the ingest command.
 *
 * @param more Variables for the script, in addition to those of this process.
 * @returns null where no disk can be mounted.
 */
export function withDisks(
  script: string,
  more: Readonly<Record<string, string>> = {},
): { stdout: string; stderr: string; status: number | null } | null {
  if (!canMount()) return null;
  return spawnSync('unshare', [...OWN_DISKS, 'sh', '-c', script], {
    encoding: 'utf8',
    env: environment(more),
  });
}

/** Starts a shell script that may mount disks, as `withDisks` runs it. */
export const startWithDisks = (
  script: string,
  more: Readonly<Record<string, string>>,
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn('unshare', [...OWN_DISKS, 'sh', '-c', script], {
    env: environment(more),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

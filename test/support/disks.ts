// Runs commands on newly mounted disks, which may be full or read-only.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { notTried } from './notTried.ts';

/**
 * Runs a shell script that may mount disks. `$NODE $CLI` is the ingest command. Where no disk can be mounted, it prints the
 * reason and returns null.
 *
 * @param more Variables for the script, in addition to those of this process.
 */
export function withDisks(
  script: string,
  more: Readonly<Record<string, string>> = {},
): { stdout: string; stderr: string; status: number | null } | null {
  if (spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status !== 0) {
    notTried('no disk can be mounted here: run as root, or allow user namespaces');
    return null;
  }
  return spawnSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', script], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE: process.execPath,
      CLI: path.resolve('dist/ingest/cli.js'),
      ...more,
    },
  });
}

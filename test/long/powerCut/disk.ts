// Mounts a file system whose power can be cut, so that unsynced changes are lost: `const disk = await startDisk()`.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The kinds of power cuts. Their names say which unsynced changes survive: see test/long/powerCut/main.go. */
export const CUT_MODES = ['synced', 'ordered', 'any'] as const;

export interface Disk {
  /** The folder on which the disk is mounted. */
  readonly folder: string;
  /**
   * Cuts the power and mounts the surviving files. Every process that used the disk must have ended.
   *
   * @returns A text on the amount that was lost.
   */
  cut(mode: (typeof CUT_MODES)[number], seed: number): Promise<string>;
  close(): Promise<void>;
}

/** Why the file system cannot be mounted here; null when it can. */
export function missingDisk(): string | null {
  if (spawnSync('go', ['version']).status !== 0) return 'there is no go to build the file system';
  if (process.getuid?.() !== 0) return 'only root can mount the file system';
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return null;
  } catch {
    return 'there is no /dev/fuse to mount the file system with';
  }
}

const SOURCE = path.resolve('test/long/powerCut');

/** Builds the program once for each version of its source. */
function build(): string {
  const digest = createHash('sha256')
    .update(readFileSync(path.join(SOURCE, 'main.go')))
    .digest('hex');
  const program = path.join(os.tmpdir(), `powercut-${digest.slice(0, 16)}`);
  if (!existsSync(program)) execFileSync('go', ['build', '-o', program, '.'], { cwd: SOURCE, stdio: 'pipe' });
  return program;
}

/** Mounts a new, empty disk in memory. */
export async function startDisk(): Promise<Disk> {
  const program = build();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'disk-'));
  const child = spawn(program, [folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const mounted = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error(`the file system ended with ${child.exitCode}`);
    return String(value).replace(/^mounted ?/, '');
  };
  await mounted();
  return {
    folder,
    cut(mode, seed) {
      child.stdin.write(`cut ${mode} ${seed}\n`);
      return mounted();
    },
    async close() {
      child.stdin.end();
      await ended;
      await rmdir(folder);
    },
  };
}

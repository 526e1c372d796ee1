// Makes a virtual environment of Python with pinned packages. Later runs use it again.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The path of the interpreter, or the reason why there is none. */
export type Python = { readonly interpreter: string } | { readonly missing: string };

/**
 * A Python 3 with the packages of these requirements files. The first call makes it in the temporary folder, with the
 * pip and the package index of this machine. Several processes may call it at once.
 */
export async function pythonWith(...requirements: readonly string[]): Promise<Python> {
  const wanted = await Promise.all(requirements.map((file) => readFile(file)));
  const digest = createHash('sha256').update(Buffer.concat(wanted)).digest('hex').slice(0, 12);
  const folder = path.join(os.tmpdir(), `data-api-venv-${digest}`);
  const made = { interpreter: interpreterIn(folder) };
  if (existsSync(folder)) return made;
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await run('python3', ['-m', 'venv', unfinished]).catch((error) => {
      throw new Error(`python3 cannot make a virtual environment: ${reason(error)}`);
    });
    const files = requirements.flatMap((file) => ['-r', file]);
    const install = ['-m', 'pip', 'install', '--quiet', '--no-input', ...files];
    await run(interpreterIn(unfinished), install).catch((error) => {
      throw new Error(`pip cannot install ${requirements.join(' and ')}: ${reason(error)}`);
    });
    await rename(unfinished, folder).catch((error) => {
      // Another process was first.
      if (!existsSync(folder)) throw error;
    });
    return made;
  } catch (error) {
    return { missing: reason(error) };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const interpreterIn = (folder: string): string => path.join(folder, 'bin', 'python');

const run = promisify(execFile);

/** The last line that a failed command wrote. It is the reason of the failure. */
function reason(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}

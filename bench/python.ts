// Makes a virtual environment of Python with pinned packages. Later runs use it again.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The path of the interpreter, or the reason why there is none. */
export type Python = { readonly interpreter: string } | { readonly missing: string };

/**
 * A Python 3 with the packages of these requirements files. The first call makes it in the temporary folder, with the
 * pip and the package index of this machine.
 */
export async function pythonWith(...requirements: readonly string[]): Promise<Python> {
  const wanted = await Promise.all(requirements.map((file) => readFile(file)));
  const digest = createHash('sha256').update(Buffer.concat(wanted)).digest('hex').slice(0, 12);
  const folder = path.join(os.tmpdir(), `data-api-python-${digest}`);
  const interpreter = path.join(folder, 'bin', 'python');
  const complete = path.join(folder, 'complete');
  if (existsSync(complete)) return { interpreter };
  await rm(folder, { recursive: true, force: true });
  try {
    await run('python3', ['-m', 'venv', folder]);
  } catch (error) {
    return { missing: `python3 cannot make a virtual environment: ${reason(error)}` };
  }
  try {
    const files = requirements.flatMap((file) => ['-r', file]);
    await run(interpreter, ['-m', 'pip', 'install', '--quiet', '--no-input', ...files]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    return { missing: `pip cannot install ${requirements.join(' and ')}: ${reason(error)}` };
  }
  await writeFile(complete, '');
  return { interpreter };
}

const run = promisify(execFile);

/** The last line that a failed command wrote. It is the reason of the failure. */
function reason(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}

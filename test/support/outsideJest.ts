// Runs a TypeScript program of the tests as a process: jest would hold back the progress that long computations print.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** The folder of the bundles. It is below the checkout, so that node finds the packages that the bundles leave out. */
const BUNDLES = path.resolve('node_modules', '.cache', 'programs');

/**
 * Bundles a program and runs it as a process, with the environment of the tests.
 *
 * @param program The path of the program from the root of the checkout.
 * @param onLine Called with each line of its standard output.
 * @throws {Error} when its exit code is not 0.
 */
export async function runOutsideJest(
  program: string,
  args: readonly (string | number)[],
  onLine: (line: string) => void,
): Promise<void> {
  await mkdir(BUNDLES, { recursive: true });
  const folder = await mkdtemp(path.join(BUNDLES, 'run-'));
  try {
    const outfile = path.join(folder, 'program.mjs');
    await build({
      entryPoints: [program],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      sourcemap: 'inline',
    });
    const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    for await (const line of createInterface({ input: child.stdout })) onLine(line);
    const [code, signal] = await closed;
    if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

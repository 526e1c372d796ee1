// Runs a TypeScript program of the tests as a process: `const child = await startProgram('test/long/programs/…', [dataDir])`.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** The folder of the bundles. It is below the checkout, so that node finds the packages that the bundles leave out. */
const BUNDLES = path.resolve('node_modules', '.cache', 'programs');

/** A running program. Its standard input and error are null unless they are pipes. */
type Program = ChildProcessByStdio<Writable | null, Readable, Readable | null>;

interface StartOptions {
  /** Options of node, such as `--expose-gc`. */
  readonly nodeOptions?: readonly string[];
  /** Variables beside those of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: 'ignore' | 'pipe';
  readonly stderr?: 'inherit' | 'pipe';
}

/**
 * Bundles a program and starts it as a process. The modules of `src` and `ingest` are imported from `dist`, because some of
 * them read files beside themselves.
 *
 * @param program The path of the program from the root of the checkout.
 */
export async function startProgram(
  program: string,
  args: readonly (string | number)[],
  { nodeOptions = [], env = {}, stdin = 'ignore', stderr = 'inherit' }: StartOptions = {},
): Promise<Program> {
  await mkdir(BUNDLES, { recursive: true });
  const folder = await mkdtemp(path.join(BUNDLES, 'run-'));
  const outfile = path.join(folder, 'program.mjs');
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    plugins: [COMPILED_MODULES],
  });
  const all = ['--enable-source-maps', ...nodeOptions, outfile, ...args.map(String)];
  const child = spawn(process.execPath, all, {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: [stdin, 'pipe', stderr],
  }) as Program;
  child.once('close', () => rmSync(folder, { recursive: true, force: true }));
  return child;
}

/**
 * Runs a program to its end. Jest would hold back the progress that a long computation prints; a process shows it.
 *
 * @returns the values that it prints on its standard output, each a line of JSON.
 * @throws {Error} when its exit code is not 0.
 */
export async function runProgram<Printed>(
  program: string,
  args: readonly (string | number)[],
  options: Omit<StartOptions, 'stdin' | 'stderr'> = {},
): Promise<Printed[]> {
  const child = await startProgram(program, args, options);
  const closed = once(child, 'close');
  const printed: Printed[] = [];
  for await (const line of createInterface({ input: child.stdout })) printed.push(JSON.parse(line));
  const [code, signal] = await closed;
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}`);
  return printed;
}

const COMPILED_MODULES: Plugin = {
  name: 'compiled modules',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir }) => {
      const module = path.relative('', path.resolve(resolveDir, imported));
      if (!/^(?:src|ingest)\//.test(module)) return null;
      const compiled = path.resolve('dist', module.replace(/\.ts$/, '.js'));
      return { path: pathToFileURL(compiled).href, external: true };
    });
  },
};

// Shared by benchmarks of whole commands: rounds taken in turns, and processes that report their resource use.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The folder of the compiled benchmarks. It holds the scripts that benchmarks start as processes. */
export const HERE = path.dirname(fileURLToPath(import.meta.url));

/** Runs each contestant once in every round, so that a disturbance of the machine affects all of them. */
export async function inTurns<Name extends string, Result>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name): [Name, Result[]] => [name, []])) as Record<
    Name,
    Result[]
  >;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await contestants[name]());
  }
  return results;
}

/** The resource use of a finished process, and its output. */
export interface ResourceUse {
  readonly wallMs: number;
  /** CPU time on all cores together. */
  readonly cpuMs: number;
  /** The peak of resident memory. */
  readonly peakBytes: number;
  readonly stdout: string;
}

/** Runs a compiled script to its end in a separate process. Throws with its output when it fails. */
export const measured = (
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ResourceUse> =>
  measureProgram(
    process.execPath,
    ['--import', path.join(HERE, 'reportUsage.js'), path.join(HERE, script), ...args],
    env,
  );

/**
 * Runs a program to its end in a separate process. The program must report its resource use on file descriptor 3, in the
 * form of `reportUsage.ts`. Throws with its output when it fails.
 */
export async function measureProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ResourceUse> {
  const startMs = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, , , report] = child.stdio;
  if (child.stdout === null || child.stderr === null || !report || !('setEncoding' in report)) {
    throw new Error(`${program} could not be started`);
  }
  const [stdout, stderr, used, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    text(report),
    once(child, 'close'),
  ]);
  const wallMs = performance.now() - startMs;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return { wallMs, ...JSON.parse(used), stdout };
}

/** Throws when a result is wrong, because the time of a wrong result means nothing. */
export function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: ${found} where ${wanted} was wanted`);
}

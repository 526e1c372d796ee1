// Runs command lines in this process, for tests without a process of their own: `await ingestCommand(dataDir, ['list'])`.

import { ingestCommandLine } from '../../ingest/commands/program.ts';
import { type CommandLine, runCommandLine } from '../../src/terminal/commandLine.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of any command line. Returns its output and its exit code. */
export async function runInProcess(
  line: CommandLine,
  args: readonly string[],
  output = { stdout: '', stderr: '' },
): Promise<Ran> {
  const code = await runCommandLine(line, args, {
    out: (text) => {
      output.stdout += text;
    },
    err: (text) => {
      output.stderr += text;
    },
  });
  return { code, ...output };
}

let isRunning = false;

/** Runs a command of `npm run ingest`. Commands must not overlap, because they share the settings of this process. */
export async function ingestCommand(
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  if (isRunning)
    throw new Error(`ingest ${args.join(' ')} overlaps with another command: await that one first`);
  isRunning = true;
  const before = { ...process.env };
  const output = { stdout: '', stderr: '' };
  const write = process.stderr.write;
  // Commands write their progress directly to this stream.
  process.stderr.write = ((chunk: string | Uint8Array) => {
    output.stderr += String(chunk);
    return true;
  }) as typeof write;
  Object.assign(process.env, settings, { DATA_DIR: dataDir });
  try {
    return await runInProcess(ingestCommandLine, args, output);
  } finally {
    isRunning = false;
    process.stderr.write = write;
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

// Runs commands of `npm run ingest` in this process, for tests in which the process itself is not the point.

import { ingestCommandLine } from '../../ingest/commands/program.ts';
import { runCommandLine } from '../../src/commandLine.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command on a data directory, with what it prints and its exit code. One at a time. */
export async function ingestCommand(
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const before = { ...process.env };
  const said = { stdout: '', stderr: '' };
  const write = process.stderr.write;
  // Progress goes straight to the stream.
  process.stderr.write = ((chunk: string | Uint8Array) => {
    said.stderr += String(chunk);
    return true;
  }) as typeof write;
  Object.assign(process.env, settings, { DATA_DIR: dataDir });
  try {
    const code = await runCommandLine(ingestCommandLine, args, {
      out: (text) => {
        said.stdout += text;
      },
      err: (text) => {
        said.stderr += text;
      },
    });
    return { code, ...said };
  } finally {
    process.stderr.write = write;
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

// Runs a command line in this process: `const { code, stdout, stderr } = await runInProcess(line, args)`.

import { type CommandLine, runCommandLine } from '../../src/commandLine.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runInProcess(line: CommandLine, args: readonly string[]): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  const code = await runCommandLine(line, args, {
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
  });
  return { code, ...said };
}

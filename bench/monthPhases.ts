// Times the phases of the command that publishes a month. The command writes the name of each phase to stderr.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expectEqual, HERE } from './harness.ts';

/** The milliseconds of each phase, by its name. */
export async function phasesOfPublish(
  directory: string,
  month: string,
  dataDir: string,
): Promise<Record<string, number>> {
  const program = path.join(HERE, '../ingest/cli.js');
  const command = spawn(process.execPath, [program, 'publish', directory, '--month', month], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const phases: Record<string, number> = {};
  let [phase, begunMs] = ['opening', performance.now()];
  const next = (name: string) => {
    const nowMs = performance.now();
    phases[phase] = (phases[phase] ?? 0) + nowMs - begunMs;
    [phase, begunMs] = [name, nowMs];
  };
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    // A line such as `reading 10 % (ggr.xlsx)` begins no new phase.
    for (const line of text.split('\n')) if (/^\w+$/.test(line)) next(line);
  });
  const [exitCode] = await once(command, 'exit');
  next('');
  expectEqual('the exit code of publishing the sample month', exitCode, 0);
  return phases;
}

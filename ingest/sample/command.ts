// Defines the command line of `npm run sample`: its arguments and its output.

import { type Command, Option } from 'commander';
import { type Act, type CommandLine, EXIT, type Outcome, withJson } from '../../src/terminal/commandLine.ts';
import { count } from '../messages/numbers.ts';
import { SYNTHETIC } from './notes.ts';
import { MONTHS, type Month } from './tables/calendar.ts';
import type { SampleMonth } from './writeSample.ts';

interface Flags {
  readonly month?: Month;
  readonly force?: true;
}

/**
 * The command line of `npm run sample`.
 *
 * @param absolute Makes the path of a typed folder absolute.
 */
export const sampleCommandLine = (absolute: (typed: string) => string): CommandLine => ({
  name: 'sample',
  define(command, act) {
    define(command, act, absolute);
  },
  async explain(error) {
    const { OccupiedError } = await import('./writeSample.ts');
    if (!(error instanceof OccupiedError)) return null;
    return { exitCode: EXIT.usage, status: 'usage', message: error.message };
  },
});

function define(command: Command, act: Act, absolute: (typed: string) => string): void {
  withJson(command)
    .description(`Writes the source files of two synthetic months. ${SYNTHETIC}.`)
    .argument('<dir>', `where to write them: ${MONTHS.map((month) => `<dir>/${month}/…`).join(' and ')}`)
    .addOption(new Option('--month <month>', 'write this month only').choices(MONTHS))
    .option('--force', 'replace files of the same names that hold something else')
    .addHelpText(
      'after',
      '\nExit codes: 0 done or unchanged, 1 unexpected, 2 usage, or other files are in the way.',
    )
    .action((directory: string, flags: Flags) => act(() => sample(absolute(directory), flags)));
}

async function sample(directory: string, { month, force }: Flags): Promise<Outcome> {
  const { writeSample } = await import('./writeSample.ts');
  const months: SampleMonth[] = [];
  for (const each of month === undefined ? MONTHS : [month]) {
    months.push(await writeSample(directory, each, { replaces: force === true }));
  }
  return { json: { status: 'done', months }, text: months.map(printed).join('\n') };
}

/** The text about a written month: its folder, the numbers of its rows, and a line for each file. */
function printed({ directory, files, rows }: SampleMonth): string {
  const counts = Object.entries(rows).map(([dataset, n]) => `${count(n)} ${dataset}`);
  const lines = files.map(({ file, bytes, status }) => {
    const size = count(Math.ceil(bytes / 1024));
    return `  ${file.padEnd(24)}${size.padStart(7)} kB  ${status}\n`;
  });
  return `${directory}: ${counts.join(', ')}\n${lines.join('')}`;
}

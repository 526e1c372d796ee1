// The command `sample`: parses its arguments, writes the months, and prints what it wrote.

import path from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { MONTHS, type Month } from './months.ts';
import { SYNTHETIC } from './notes.ts';
import { OccupiedError, type WrittenMonth, writeSample } from './write.ts';

const EXIT = { done: 0, unexpected: 1, usage: 2 } as const;

export interface Outcome {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

interface Flags {
  readonly month?: Month;
  readonly force?: true;
  readonly json?: true;
}

/** Runs the command with these arguments; a relative folder lies below `here`. Never throws. */
export async function sample(args: readonly string[], here: string): Promise<Outcome> {
  let help = '';
  const command = commandLine((text) => {
    help += text;
  });
  try {
    command.parse([...args], { from: 'user' });
    const [directory = '.'] = command.args;
    const { month, force, json } = command.opts<Flags>();
    const months: WrittenMonth[] = [];
    for (const each of month === undefined ? MONTHS : [month]) {
      months.push(await writeSample(path.resolve(here, directory), each, force === true));
    }
    const stdout = json ? printedJson({ status: 'done', months }) : months.map(printed).join('\n');
    return { exitCode: EXIT.done, stdout, stderr: '' };
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      return { exitCode: EXIT.done, stdout: help, stderr: '' };
    }
    return failed(error, args.includes('--json'));
  }
}

const commandLine = (writeOut: (text: string) => void) =>
  new Command('sample')
    .description(`Writes the source files of two synthetic months. ${SYNTHETIC}.`)
    .argument('<dir>', `where to write them: ${MONTHS.map((month) => `<dir>/${month}/…`).join(' and ')}`)
    .addOption(new Option('--month <month>', 'write this month only').choices(MONTHS))
    .option('--force', 'replace files of the same names that hold something else')
    .option('--json', 'print one JSON document on stdout')
    .addHelpText(
      'after',
      '\nExit codes: 0 done or unchanged, 1 unexpected, 2 usage, or other files are in the way.',
    )
    .exitOverride()
    .configureOutput({ writeOut, writeErr: () => {} });

function failed(error: unknown, json: boolean): Outcome {
  const status = error instanceof CommanderError || error instanceof OccupiedError ? 'usage' : 'unexpected';
  const told = (error instanceof Error ? error.message : String(error)).replace(/^error: /, '');
  const message = error instanceof CommanderError ? `${told}; see --help` : told;
  return {
    exitCode: EXIT[status],
    stdout: json ? printedJson({ status, error: message }) : '',
    stderr: `${message}\n`,
  };
}

const printedJson = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;

/** The folder with its rows, and a line per file. */
function printed({ directory, files, rows }: WrittenMonth): string {
  const counts = Object.entries(rows).map(([dataset, count]) => `${thousands(count)} ${dataset}`);
  const lines = files.map(({ file, bytes, status }) => {
    const size = thousands(Math.ceil(bytes / 1024));
    return `  ${file.padEnd(24)}${size.padStart(7)} kB  ${status}\n`;
  });
  return `${directory}: ${counts.join(', ')}\n${lines.join('')}`;
}

const thousands = (count: number) => count.toLocaleString('en-US');

// Interrupts itself while its command runs, and prints the error. After a line of its standard input, the command goes on:
// it writes a temporary folder, and publishes if it may still commit. Then the process ends.
// Arguments: DATA_DIR SIGNAL. Prints a text.

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { runExclusively } from '../../../../ingest/commands/exclusiveCommand.ts';

const [dataDir = '', signal = ''] = process.argv.slice(2);
process.chdir(dataDir);
const print = (text: string) => process.stdout.write(`${text}\n`);
const line = once(process.stdin, 'data');
let command: Promise<void> | undefined;
await runExclusively('.', 'interrupted; nothing was published', (commit) => {
  process.kill(process.pid, signal);
  command = line.then(() => {
    mkdirSync('tmp');
    commit();
    writeFileSync('published', '');
  });
  return command;
}).catch(({ message, exitCode }) => print(`${exitCode} ${message}`));
await command?.catch(({ message }) => print(`not committed: ${message}`));
process.exit();

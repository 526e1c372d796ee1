// Entry point of `npm run ingest`: inspects files, publishes months, and lists, verifies and removes snapshots.

import { compileLater } from '../src/process/compileTimes.ts';
import { runProcess } from '../src/terminal/commandLine.ts';
import { ingestCommandLine } from './commands/program.ts';

// A month of usual size ends before the two hundred functions that V8 would compile for it gain anything.
compileLater();
await runProcess(ingestCommandLine);

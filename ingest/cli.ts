// Entry point of `npm run ingest`: inspects files, publishes months, and lists, verifies and removes snapshots.

import { compileLittle } from '../src/process/compileTimes.ts';
import { runProcess } from '../src/terminal/commandLine.ts';
import { ingestCommandLine } from './commands/program.ts';

// Publishing a month of usual size ends before it would gain from the functions that V8 compiles meanwhile.
compileLittle();
await runProcess(ingestCommandLine);

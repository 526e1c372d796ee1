// Entry point of `npm run ingest`: inspects files, publishes months, and lists, verifies and removes snapshots.

import { compileLittle } from '../src/process/compileTimes.ts';
import { runProcess } from '../src/terminal/commandLine.ts';
import { ingestCommandLine } from './commands/program.ts';

// A publish of usual size ends before it would gain from functions that V8 compiles to machine code.
compileLittle();
await runProcess(ingestCommandLine);

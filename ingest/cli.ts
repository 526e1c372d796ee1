// Entry point of `npm run ingest`: inspects files, publishes months, and lists, verifies and removes snapshots.

import { runProcess } from '../src/commandLine.ts';
import { compileLater } from '../src/compileTimes.ts';
import { ingestCommandLine } from './commands/program.ts';

// V8 would compile two hundred functions for a month of usual size, which ends before most of them gain anything.
compileLater();
await runProcess(ingestCommandLine);

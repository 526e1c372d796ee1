// Entry point of `npm run ingest`: inspects files, publishes months, and lists, verifies and removes snapshots.

import { runProcess } from '../src/commandLine.ts';
import { ingestCommandLine } from './commands/program.ts';

await runProcess(ingestCommandLine);

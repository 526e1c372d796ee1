// `npm run ingest`: inspect a file, publish a month, look after snapshots.

import { runProcess } from '../src/commandLine.ts';
import { ingestCommandLine } from './commands/program.ts';

await runProcess(ingestCommandLine);

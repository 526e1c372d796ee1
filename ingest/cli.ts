// Entry point of `npm run ingest`: inspects files, publishes months, and lists, verifies and removes snapshots.

import { compileLittle } from '../src/process/compileTimes.ts';
import { softLimitOf } from '../src/process/systemLimits.ts';
import { runProcess } from '../src/terminal/commandLine.ts';

/** The least address space with which a small month is published. With less, DuckDB aborts in native code. */
const NEEDED_ADDRESSES_MB = 1600;

const allowedAddressesMb = Math.floor(softLimitOf('Max address space') / 1e6);
if (allowedAddressesMb < NEEDED_ADDRESSES_MB) {
  process.stderr.write(
    `only ${allowedAddressesMb} MB of address space are allowed, and ingest reserves ${NEEDED_ADDRESSES_MB} MB or more, ` +
      'most of which it never uses; run `ulimit -v unlimited` first, or replace LimitAS= in its unit by MemoryMax=\n',
  );
  process.exit(2);
}

// A publish of usual size ends before it would gain from functions that V8 compiles to machine code.
compileLittle();
// The commands are imported after the check, because some of them load DuckDB at once.
await import('./commands/program.ts').then(({ ingestCommandLine }) => runProcess(ingestCommandLine));

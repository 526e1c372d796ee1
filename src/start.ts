// The entry of the server: checks that the system lets the process have enough files and address space, then starts it.

import { softLimitOf } from './process/systemLimits.ts';

/** How many open files the start and some connections need. Each further connection needs one more. */
const NEEDED_FILES = 256;

/**
 * The least address space with which the server starts. A server with the sample reserves 2,014 MB on two cores, and more
 * on machines with more cores. With less, it aborts in native code without a line that names the limit, or it never
 * listens.
 */
const NEEDED_ADDRESSES_MB = 2500;

const allowedFiles = softLimitOf('Max open files');
if (allowedFiles < NEEDED_FILES)
  refuse(
    `only ${allowedFiles} open files are allowed, and the server needs ${NEEDED_FILES} and one for each connection; ` +
      'run `ulimit -n 65536` first, or set LimitNOFILE=65536 in its unit',
  );
const allowedAddressesMb = Math.floor(softLimitOf('Max address space') / 1e6);
if (allowedAddressesMb < NEEDED_ADDRESSES_MB)
  refuse(
    `only ${allowedAddressesMb} MB of address space are allowed, and the server reserves ${NEEDED_ADDRESSES_MB} MB or more, ` +
      'most of which it never uses; run `ulimit -v unlimited` first, or replace LimitAS= in its unit by MemoryMax=',
  );
// The other modules are imported after the checks, because loading them opens many files at the same time. If too few files
// were allowed, it would fail with a stack trace.
await import('./main.ts');

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

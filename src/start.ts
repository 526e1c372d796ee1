// The entry of the server: checks that the process may open enough files, then starts it.

import { readFileSync } from 'node:fs';

/** How many open files the start and some connections need. Each further connection needs one more. */
const NEEDED_FILES = 256;

const allowed = openFilesAllowed();
if (allowed !== null && allowed < NEEDED_FILES) {
  process.stderr.write(
    `only ${allowed} open files are allowed, and the server needs ${NEEDED_FILES} and one for each connection; ` +
      'run `ulimit -n 65536` first, or set LimitNOFILE=65536 in its unit\n',
  );
  process.exit(2);
}
// The other modules are imported after the check: loading them opens many files at the same time, and would fail with a
// stack trace if too few were allowed.
await import('./main.ts');

/** How many files the kernel lets this process open; null when the system does not tell. */
function openFilesAllowed(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

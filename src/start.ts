// The entry of the server: checks that the process may open enough files, then starts it.

import { readFileSync } from 'node:fs';

/** The open files that the start needs, and some connections. Each further connection needs one more. */
const NEEDED_FILES = 256;

const allowed = openFilesAllowed();
if (allowed !== null && allowed < NEEDED_FILES) {
  process.stderr.write(
    `only ${allowed} open files are allowed, and the server needs ${NEEDED_FILES} and one for each connection; ` +
      'run `ulimit -n 65536` first, or set LimitNOFILE=65536 in its unit\n',
  );
  process.exit(2);
}
// Imported only now: loading the modules opens many files at once, and would end in a stack trace where too few may be
// open.
await import('./main.ts');

/** The limit that the kernel sets on this process; null where the system does not tell. */
function openFilesAllowed(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

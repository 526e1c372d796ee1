// The entry of the server: checks that the process may open enough files, then starts it.

// Imported only afterwards: loading the modules opens many files at once, and ends in a stack trace when it may not.
import { readFileSync } from 'node:fs';

/** What the start needs, with some connections beside. The rest is one for each connection. */
const NEEDED_FILES = 256;

const allowed = openFilesAllowed();
if (allowed !== null && allowed < NEEDED_FILES) {
  process.stderr.write(
    `only ${allowed} open files are allowed, and the server needs ${NEEDED_FILES} and one for each connection; ` +
      'run `ulimit -n 65536` first, or set LimitNOFILE=65536 in its unit\n',
  );
  process.exit(2);
}
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

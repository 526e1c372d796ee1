// Maps the errors of ingest commands to an exit code, a status for programs, and a message with its remedy.

import { HistoryDamaged } from '../../src/catalog/readHistory.ts';
import { SnapshotRefused } from '../../src/catalog/snapshotRefused.ts';
import { LockedError } from '../../src/store/lock.ts';
import { lacksInodes, systemCode, systemMessage } from '../../src/system/systemError.ts';
import type { Failure } from '../../src/terminal/commandLine.ts';
import { printable } from '../../src/text/printable.ts';
import { UnreadableError } from '../messages/fault.ts';
import { LocalSwitchError } from '../store/localSwitchError.ts';
import { isOfTemporaryFolder } from './commandFolder.ts';
import { InterruptedError } from './exclusiveCommand.ts';
import { EXIT } from './exitCodes.ts';

/** The exit code, the status and the message of an error that ended a command. */
export function failureOf(error: unknown): Failure {
  // DuckDB writes messages of several lines. They are joined, because a second line looks like a message of this program.
  const message = printable(
    systemMessage(error)
      .replace(/(?<!\s)\s*\n\s*/g, ' ')
      .replace(ENGINE_ADVICE, '')
      .replace(ENGINE_STATEMENT, ''),
  );
  const [exitCode, status] = kindOf(error);
  const code = codeOf(error, message);
  const remedies = isOfTemporaryFolder(message) ? REMEDIES_OF_TEMPORARY : REMEDIES;
  const remedy = remedies.get(code) ?? '';
  return { exitCode, status, message: message + remedy + afterRemedy(error, remedy, code) };
}

/** The end of a message, after its remedy: the next command, or that nothing has changed. */
function afterRemedy(error: unknown, remedy: string, code: string): string {
  if (error instanceof LocalSwitchError) return `${remedy === '' ? ';' : ', then'} ${error.remedy}`;
  return LIMIT_CODES.has(code) && remedy === REMEDIES.get(code) ? AGAIN : '';
}

const AGAIN = ', and run again; current is what it was';
/** The codes of exhausted limits. The same command succeeds once a limit is raised or room is made. */
const LIMIT_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'inodes', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENOMEM']);

function kindOf(error: unknown): readonly [exitCode: number, status: string] {
  if (error instanceof UnreadableError) return [EXIT.unreadable, 'unreadable'];
  if (error instanceof SnapshotRefused || error instanceof HistoryDamaged) return [EXIT.wrong, 'damaged'];
  if (error instanceof InterruptedError) return [error.exitCode, 'interrupted'];
  if (error instanceof LockedError) return [EXIT.locked, 'locked'];
  return [EXIT.unexpected, 'unexpected'];
}

/** The code of an error of the operating system, from Node or DuckDB; `inodes` for ENOSPC on a disk that lacks those. */
function codeOf(error: unknown, message: string): string {
  const code = ENGINE_CODES.find(([pattern]) => pattern.test(message))?.[1] ?? systemCode(error);
  const file = /["'](\/[^"']+)["']/.exec(message)?.[1];
  return code === 'ENOSPC' && file !== undefined && lacksInodes(file) ? 'inodes' : code;
}

/** DuckDB's advice about its memory limit. It is removed, because users cannot change the settings that it names. */
const ENGINE_ADVICE = / Possible solutions: .*/s;

/** The part of our own statement that DuckDB quotes behind an error of the operating system. */
const ENGINE_STATEMENT = /(?<=^IO Error: .*) LINE \d+: .*/s;

/** The error codes of the operating system, by the text with which DuckDB reports them. */
const ENGINE_CODES: readonly (readonly [RegExp, string])[] = [
  [/No space left/i, 'ENOSPC'],
  [/Read-only file system/i, 'EROFS'],
  [/Permission denied/i, 'EACCES'],
  [/Operation not permitted/i, 'EPERM'],
  [/File too large/i, 'EFBIG'],
  [/Disk quota exceeded/i, 'EDQUOT'],
  [/: Is a directory/i, 'EISDIR'],
  [/Input\/output error/i, 'EIO'],
  [/Stale file handle/i, 'ESTALE'],
  [/endpoint is not connected/i, 'ENOTCONN'],
  [/Too many open files/i, 'EMFILE'],
  [/^Out of Memory Error/, 'ENOMEM'],
];

const AWAY = '; that disk or share does not answer: see that it is mounted and works';

const FULL = 'free some space, such as with prune';

/** The end of a sentence about a disk that has room for bytes, and none for a further file. */
const NO_INODES = 'room, and no free inodes (see df -i): remove some files';

const TEMPORARY_FULL = '; the temporary disk is full: make room there, or name another folder in TMPDIR';
const TEMPORARY_CLOSED = '; the temporary folder cannot be written: name another one in TMPDIR';

/** The remedies for the temporary folder. They do not propose `prune`, because DATA_DIR may be on another disk. */
const REMEDIES_OF_TEMPORARY = new Map(
  Object.entries({
    ENOSPC: TEMPORARY_FULL,
    inodes: `; the temporary disk has ${NO_INODES} there, or name another folder in TMPDIR`,
    EDQUOT: TEMPORARY_FULL,
    EROFS: TEMPORARY_CLOSED,
    EACCES: TEMPORARY_CLOSED,
    EPERM: TEMPORARY_CLOSED,
    ENOENT: TEMPORARY_CLOSED,
    ENOTDIR: TEMPORARY_CLOSED,
  }),
);

const REMEDIES = new Map(
  Object.entries({
    ENOSPC: `; the disk is full: ${FULL}`,
    inodes: `; the disk has ${NO_INODES}, such as with prune`,
    EDQUOT: `; the quota is used up: ${FULL}`,
    EFBIG: '; a file may not grow that large here: raise the limit (ulimit -f)',
    EMFILE: '; raise the limit of open files (ulimit -n)',
    ENOMEM: '; the rows need more memory than this machine has for them: take one with more',
    EROFS: '; that disk takes no changes: make it writable, or name a folder on another one',
    EACCES: '; check who owns the folder and its permissions',
    EPERM: '; check who owns the folder and its permissions, and that its share is mounted',
    EIO: AWAY,
    ESTALE: AWAY,
    ENOTCONN: AWAY,
    ENOTDIR: '; a file is in the place of a folder: move it away, or name another DATA_DIR',
    ELOOP: '; a link leads back to itself: move it away, or name another DATA_DIR',
    EISDIR: '; a folder is in the place of a file: move it away',
    EXDEV: '; snapshots must lie on the same disk as DATA_DIR itself: make it so, without links',
  }),
);

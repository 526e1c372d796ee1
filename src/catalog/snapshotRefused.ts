// The errors for a snapshot that must not be served: it is damaged, or cannot be read now.

/** A snapshot that must not be served. The message names the snapshot, the problem and the remedy. */
export class SnapshotRefused extends Error {
  /** The damaged file; null when the problem is not in a single file. */
  readonly file: string | null;
  /** What is wrong with `file`; with the snapshot when `file` is null. */
  readonly problem: string;
  readonly remedy: string;

  constructor(id: string, problem: string, remedy: string, file: string | null = null) {
    super(`snapshot ${id}: ${file === null ? '' : `${file} `}${problem}; ${remedy}`);
    this.name = 'SnapshotRefused';
    this.file = file;
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** The snapshot cannot be read now, such as while the process has no file descriptor left. It is not damaged. */
export class SnapshotUnreadable extends SnapshotRefused {
  /** Whether the process can read no file at all, so that nothing is known of this one. */
  readonly isOfProcess: boolean;

  constructor(id: string, problem: string, file: string | null, isOfProcess: boolean) {
    super(id, problem, isOfProcess ? MORE_ROOM : READ_AGAIN, file);
    this.isOfProcess = isOfProcess;
  }
}

/** The error for a file that cannot be read: the snapshot is damaged, or the file is unreadable for now. */
export function unread(id: string, file: string, cause: unknown): SnapshotRefused {
  const { code } = cause as NodeJS.ErrnoException;
  const problem = `cannot be read (${code ?? cause})`;
  return code === undefined || WRONG_FILE.includes(code)
    ? new SnapshotRefused(id, problem, REPUBLISH, file)
    : new SnapshotUnreadable(id, problem, file, OF_PROCESS.includes(code));
}

/** The error for files that the engine does not load: they are damaged, or the system does not let it. */
export function notLoaded(id: string, cause: unknown): SnapshotRefused {
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const problem = `cannot be loaded (${reason})`;
  if (NO_ROOM_WORDS.test(reason)) return new SnapshotUnreadable(id, problem, null, true);
  if (DISK_WORDS.test(reason)) return new SnapshotUnreadable(id, problem, null, false);
  return new SnapshotRefused(id, problem, REPUBLISH);
}

/** The file is missing, or something else has its place. */
const WRONG_FILE: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];
/** No file descriptor or memory is left. */
const OF_PROCESS: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM'];
/** The engine and V8 report the same as text. */
const NO_ROOM_WORDS =
  /Too many open files|Out of Memory|Cannot allocate memory|allocation failed|Resource temporarily unavailable/i;
const DISK_WORDS = /Input\/output error|Permission denied|Stale file handle/i;
/** The remedy for a damaged snapshot. */
export const REPUBLISH = 'publish it again';
const READ_AGAIN = 'see that its disk answers and that its files may be read';
const MORE_ROOM = 'see that the process may open more files and has memory left';

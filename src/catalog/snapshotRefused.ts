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

/** A file is there and cannot be read now, such as while the process has no file descriptor left. It is not damaged. */
export class SnapshotUnreadable extends SnapshotRefused {
  /** Whether the process can read no file at all, so that nothing is known of this one. */
  readonly isOfProcess: boolean;

  constructor(id: string, file: string, code: string) {
    super(id, unreadProblem(code), READ_AGAIN, file);
    this.isOfProcess = OF_PROCESS.includes(code);
  }
}

/** The error for a file that cannot be read: the snapshot is damaged, or the file is unreadable for now. */
export function unread(id: string, file: string, cause: unknown): SnapshotRefused {
  const { code } = cause as NodeJS.ErrnoException;
  return code === undefined || WRONG_FILE.includes(code)
    ? new SnapshotRefused(id, unreadProblem(code ?? String(cause)), REPUBLISH, file)
    : new SnapshotUnreadable(id, file, code);
}

const unreadProblem = (reason: string) => `cannot be read (${reason})`;

/** The file is missing, or something else has its place. */
const WRONG_FILE: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];
/** No file descriptor or memory is left. */
const OF_PROCESS: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM'];
/** The remedy for a damaged snapshot. */
export const REPUBLISH = 'publish it again';
const READ_AGAIN = 'see that its disk answers and that the process may open more files';

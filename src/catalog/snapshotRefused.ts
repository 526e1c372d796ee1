// The errors for a snapshot that must not be served: it is damaged, or cannot be read now.

/** The snapshot must not be served. The message names the snapshot, the problem and the remedy. */
export class SnapshotRefused extends Error {
  /** The file with the problem; null when the problem is not in a single file. */
  readonly file: string | null;
  /** What is wrong with the file or, without one, with the snapshot. */
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

/**
 * The snapshot cannot be read now, for example because the process has no file descriptor left. It may be undamaged.
 */
export class SnapshotUnreadable extends SnapshotRefused {
  /** Whether the process cannot read any file, so that the problem is not in this snapshot. */
  readonly isProcessFault: boolean;

  constructor(
    id: string,
    problem: string,
    fault: { readonly file: string | null; readonly isProcessFault: boolean; readonly cause?: unknown },
  ) {
    super(id, problem, fault.isProcessFault ? MORE_ROOM : READ_AGAIN, fault.file);
    this.isProcessFault = fault.isProcessFault;
    this.cause = fault.cause;
  }

  /**
   * Whether the reader is the problem: this process has no right to read the files, or can read no file at all. The files
   * may be undamaged then.
   */
  get isReaderFault(): boolean {
    const code = (this.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
    return this.isProcessFault || NOT_PERMITTED.includes(code);
  }
}

/**
 * The error for a file that cannot be read. The cause decides whether the snapshot is damaged, or only cannot be read now.
 */
export function unreadableFile(id: string, file: string, cause: unknown): SnapshotRefused {
  const { code } = cause as NodeJS.ErrnoException;
  const problem = `cannot be read (${code ?? cause})`;
  return code === undefined || WRONG_FILE.includes(code)
    ? new SnapshotRefused(id, problem, REPUBLISH, file)
    : new SnapshotUnreadable(id, problem, { file, isProcessFault: OF_PROCESS.includes(code), cause });
}

/**
 * Throws the cause of a refusal if the reader is the problem, for example because a right is missing. A caller that took
 * the refusal for damage would publish without guards, or give up an undamaged snapshot.
 */
export function throwIfReaderFault(refused: SnapshotRefused): void {
  if (refused instanceof SnapshotUnreadable && refused.isReaderFault) throw refused.cause ?? refused;
}

/**
 * The error for files that DuckDB cannot load. The cause decides whether the snapshot is damaged, or only cannot be read
 * now.
 */
export function notLoadable(id: string, cause: unknown): SnapshotRefused {
  const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  const problem = `cannot be loaded (${reason})`;
  const isProcessFault = NO_ROOM_WORDS.test(reason);
  return isProcessFault || DISK_WORDS.test(reason)
    ? new SnapshotUnreadable(id, problem, { file: null, isProcessFault, cause })
    : new SnapshotRefused(id, problem, REPUBLISH);
}

/** Codes that say that the file is missing, or that something else is in its place. */
const WRONG_FILE: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];
/** Codes that say that the user of this process lacks a right. */
const NOT_PERMITTED: readonly string[] = ['EACCES', 'EPERM'];
/** Codes that say that no file descriptor or no memory is left. */
const OF_PROCESS: readonly string[] = ['EMFILE', 'ENFILE', 'ENOMEM'];
/** The words with which DuckDB and V8 say that no file descriptor or no memory is left. */
const NO_ROOM_WORDS =
  /Too many open files|Out of Memory|Cannot allocate memory|allocation failed|Resource temporarily unavailable/i;
/** The words with which DuckDB says that the disk failed or that rights to read a file are missing. */
const DISK_WORDS = /Input\/output error|Permission denied|Stale file handle/i;
/** The remedy for a damaged snapshot. */
export const REPUBLISH = 'publish it again';
const READ_AGAIN = 'see that its disk answers and that its files may be read';
const MORE_ROOM = 'check that the process may open more files and has memory left';

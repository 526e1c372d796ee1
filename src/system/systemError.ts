// Names errors of the operating system, also the ones that Node does not name.

import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

/**
 * The errors that Node does not name: it gives them a code such as `Unknown system error -122`. They come from disk quotas,
 * network shares and damaged disks.
 */
const UNNAMED: readonly (readonly [errno: number, code: string, words: string])[] = [
  [constants.errno.EDQUOT, 'EDQUOT', 'disk quota exceeded'],
  [constants.errno.ESTALE, 'ESTALE', 'stale file handle'],
  [constants.errno.EBADMSG, 'EBADMSG', 'bad message'],
];

/** The code of an error of the operating system, such as ENOSPC; empty for an error without one. */
export function systemCode(error: unknown): string {
  const { code = '', errno } = (error ?? {}) as NodeJS.ErrnoException;
  return UNNAMED.find(([number]) => errno === -number)?.[1] ?? code;
}

/** Whether an error says that a disk or a quota is full, or that a file may not grow further. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCode(error));

/**
 * Whether the disk of a path has hardly a free inode and has room for bytes. The system reports both with ENOSPC. Some
 * inodes may be free again, because a command that fails removes its temporary files.
 */
export function lacksInodes(target: string): boolean {
  try {
    const { files, ffree, bavail, bsize } = statfsSync(target);
    return files > 0 && ffree < FEW_INODES && bavail * bsize > LITTLE_ROOM_BYTES;
  } catch (error) {
    const parent = path.dirname(target);
    return systemCode(error) === 'ENOENT' && parent !== target && lacksInodes(parent);
  }
}

const FEW_INODES = 100;
const LITTLE_ROOM_BYTES = 1 << 20;

/** The message of an error. An error that Node does not name gets its name: `EDQUOT: disk quota exceeded, write`. */
export function systemMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(UNKNOWN, (match, number) => {
    const named = UNNAMED.find(([errno]) => errno === Number(number));
    return named === undefined ? match : `${named[1]}: ${named[2]}`;
  });
}

/**
 * Adds the file to the message of a failed write. Node names the file of a failed `open`, but not that of a failed write,
 * and the remedy depends on the disk that the file is on.
 */
export async function namingFile<Value>(file: string, writing: Promise<Value>): Promise<Value> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof Error && !error.message.includes(file)) error.message += ` '${file}'`;
    throw error;
  }
}

const UNKNOWN = /Unknown system error -(\d+): Unknown system error -\d+/;

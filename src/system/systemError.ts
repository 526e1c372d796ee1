// Names errors of the operating system, also the ones that Node does not name.

import { constants } from 'node:os';

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

/** The message of an error. An error that Node does not name gets its name: `EDQUOT: disk quota exceeded, write`. */
export function systemMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(UNKNOWN, (match, number) => {
    const named = UNNAMED.find(([errno]) => errno === Number(number));
    return named === undefined ? match : `${named[1]}: ${named[2]}`;
  });
}

const UNKNOWN = /Unknown system error -(\d+): Unknown system error -\d+/;

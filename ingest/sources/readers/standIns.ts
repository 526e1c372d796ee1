// Recognises files that stand in for the real one: a pointer of Git LFS, or the web page of a site instead of its file.

import { open } from 'node:fs/promises';
import { type Diagnostic, UnreadableError } from '../../messages/fault.ts';
import { wholeFile } from '../../messages/place.ts';
import { readAt } from './readAt.ts';

/** Pattern of the first characters of such a file, after any byte order mark and blanks, and the fault of the file. */
const STAND_INS: readonly (readonly [beginning: RegExp, fault: Diagnostic])[] = [
  [
    /^version https:\/\/git-lfs\.github\.com\/spec\//,
    { problem: 'is a pointer of Git LFS, not the file itself', remedy: 'fetch the file with `git lfs pull`' },
  ],
  [
    /^<(?:!doctype html|html)\b/i,
    {
      problem: 'is a web page, whatever its name says',
      remedy:
        'download the file again, signed in if the site asks for it; if the page itself has the table, open it in a ' +
        'spreadsheet program and save it as .xlsx',
    },
  ],
];

const HEAD_BYTES = 256;

/**
 * Refuses a file that stands in for another one.
 *
 * @throws {UnreadableError} with the remedy that gets the real file.
 */
export async function refuseStandIn(path: string, name: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    // `trimStart` also removes a byte order mark.
    const head = (await readAt(handle, 0, HEAD_BYTES)).toString('utf8').trimStart();
    const fault = STAND_INS.find(([beginning]) => beginning.test(head))?.[1];
    if (fault !== undefined) throw new UnreadableError({ place: wholeFile(name), ...fault });
  } finally {
    await handle.close();
  }
}

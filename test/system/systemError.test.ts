// Errors of the operating system have codes and remedies, even where Node has no name for them.

import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { expect, it } from '@jest/globals';
import { failureOf } from '../../ingest/commands/failure.ts';
import { publicError } from '../../src/http/server/send.ts';
import { systemCode, systemMessage } from '../../src/system/systemError.ts';

/** An error as Node's functions for files throw it. */
function thrown(errno: number, text = ''): NodeJS.ErrnoException {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${code}: ${text || code}, write`), { errno: -errno, code });
}

const quota = thrown(constants.errno.EDQUOT);

it('a full quota has its code, which Node does not name', () => {
  expect([systemCode(quota), systemMessage(quota)]).toEqual(['EDQUOT', 'EDQUOT: disk quota exceeded, write']);
  const full = thrown(constants.errno.ENOSPC, 'no space left on device');
  expect([systemCode(full), systemMessage(full)]).toEqual(['ENOSPC', full.message]);
  expect([systemCode(new Error('none')), systemCode(null), systemMessage('a text')]).toEqual([
    '',
    '',
    'a text',
  ]);
});

it('a full quota is named with its remedy', () => {
  expect(failureOf(quota).message).toBe(
    'EDQUOT: disk quota exceeded, write; the quota is used up: free some space, such as with prune' +
      ', and run again; current is what it was',
  );
});

it('a full quota and a stale handle of a network share are a 503', () => {
  for (const error of [quota, thrown(constants.errno.ESTALE)])
    expect(publicError(error)).toMatchObject({ status: 503 });
});

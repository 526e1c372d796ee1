// The remedies of commands that fail because of a full disk or little memory.

import { expect, it } from '@jest/globals';
import { failureOf } from '../../../ingest/commands/failure.ts';
import { throwLocalSwitchError } from '../../../ingest/store/localSwitchError.ts';

const full = Object.assign(new Error('ENOSPC: no space left on device, symlink'), { code: 'ENOSPC' });
const ROOM = '; the disk is full: free some space, such as with prune';

it('a full disk leaves current as it was', () => {
  expect(failureOf(full).message).toBe(`${full.message}${ROOM}, and run again; current is what it was`);
});

it('an engine without memory has a remedy for people, and not the advice of DuckDB', () => {
  const failed = new Error(
    'Out of Memory Error: could not allocate block of size 256.0 KiB (366.0 MiB/366.2 MiB used)\n\nPossible solutions:\n* Reducing the number of threads (SET threads=X)',
  );
  expect(failureOf(failed).message).toBe(
    'Out of Memory Error: could not allocate block of size 256.0 KiB (366.0 MiB/366.2 MiB used); the rows need more memory than this machine has for them: take one with more, and run again; current is what it was',
  );
});

it('a full disk after the store has switched is not said to leave current as it was', async () => {
  const switched = Promise.reject(full).catch(throwLocalSwitchError('2026-11.2', 'published'));
  expect((await switched.catch(failureOf)).message).toBe(
    `2026-11.2 is published in the store, and this machine could not take it up (${full.message})` +
      `${ROOM}, then \`ingest rollback 2026-11.2\` takes it up here`,
  );
});

it('a share that does not answer is named as the cause, by Node and by DuckDB', () => {
  const away = '; that disk or share does not answer: see that it is mounted and works';
  const lost = "EIO: i/o error, readlink '/data/current'";
  expect(failureOf(Object.assign(new Error(lost), { code: 'EIO' })).message).toBe(lost + away);
  const unread = 'IO Error: Could not read from file "/data/tmp/ggr.parquet": Stale file handle';
  expect(failureOf(new Error(unread)).message).toBe(unread + away);
});

it('a folder that takes no changes while its share is away is named with that cause', () => {
  const refused = '/data cannot be written (operation not permitted)';
  expect(failureOf(new Error(refused)).message).toBe(
    `${refused}; check who owns the folder and its permissions, and that its share is mounted`,
  );
});

it('a message of DuckDB about the operating system does not quote our SQL', () => {
  const failed = new Error(
    'IO Error: Cannot open file "/data/tmp/ggr.parquet": Too many open files\n\nLINE 1: ...[count(ggr)] FROM read_parquet(\'/data/tmp/ggr.parquet\n                          ^',
  );
  expect(failureOf(failed).message).toBe(
    'IO Error: Cannot open file "/data/tmp/ggr.parquet": Too many open files; raise the limit of open files (ulimit -n), and run again; current is what it was',
  );
});

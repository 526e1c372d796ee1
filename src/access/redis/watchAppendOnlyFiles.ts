// Watches the append-only files of the private Redis server while it runs, and has them written anew if they are gone.

import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Observe } from '../../observations.ts';
import { APPEND_ONLY_DIRECTORY, APPEND_ONLY_MANIFEST } from './appendOnlyFiles.ts';

/** The pause between two checks. */
const EVERY_MS = 2000;

/**
 * Checks every two seconds whether the server's files still exist, until `signal` is aborted. The server runs on without
 * them, but its next start would begin without keys. As long as it runs, it can write all of its data again.
 *
 * @param folder the folder of the server's data, without links.
 */
export async function watchAppendOnlyFiles(
  folder: string,
  client: Redis,
  observe: Observe,
  signal: AbortSignal,
): Promise<void> {
  let reported: string | null = null;
  while (!signal.aborted) {
    await sleep(EVERY_MS, null, { ref: false, signal }).catch(() => {});
    if (signal.aborted || client.status !== 'ready') continue;
    const gone = await goneFile(folder);
    // The server replaces its files now and then. Then a second check finds the new ones.
    if (gone === null || (await goneFile(folder)) === null) {
      reported = null;
      continue;
    }
    const outcome = gone === folder ? 'folder gone' : await writeAnew(client);
    if (outcome === 'begun elsewhere' || reported === gone) continue;
    reported = gone;
    observe({ event: 'redis files gone', reason: `${gone} is gone`, isWrittenAnew: outcome === 'written' });
  }
}

/** The path of the folder or of a file that is gone; null when nothing is gone. */
async function goneFile(folder: string): Promise<string | null> {
  if (!(await isThere(folder))) return folder;
  const directory = path.join(folder, APPEND_ONLY_DIRECTORY);
  // Redis 6.2 has its only file in the folder itself.
  if (!(await isThere(directory))) return (await isThere(path.join(folder, OLD_FILE))) ? null : directory;
  const manifest = await readFile(path.join(directory, APPEND_ONLY_MANIFEST), 'utf8').catch(() => null);
  if (manifest === null) return path.join(directory, APPEND_ONLY_MANIFEST);
  for (const [, name = ''] of manifest.matchAll(/^file (\S+) .*type [bi]/gm)) {
    const file = path.join(directory, name);
    if (!(await isThere(file))) return file;
  }
  return null;
}

const OLD_FILE = 'appendonly.aof';

/** Whether a file is there. A file that cannot be looked at, such as on a share that is away, counts as there. */
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );

/**
 * Has the server write all of its data into new files. If several processes ask for it, only the first one gets `written`.
 * The others get `begun elsewhere`.
 */
const writeAnew = (client: Redis): Promise<'written' | 'begun elsewhere' | 'failed'> =>
  client.bgrewriteaof().then(
    () => 'written',
    ({ message }: Error) => (/already in progress/.test(message) ? 'begun elsewhere' : 'failed'),
  );

// Switches the link `current` atomically.

import { lstat, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { flushToDisk } from '../system/flushToDisk.ts';
import { systemCode } from '../system/systemError.ts';

/** Points `current` at a snapshot, atomically for every reader. */
export async function switchCurrent(dataDir: string, id: string): Promise<void> {
  const newLink = path.join(dataDir, NEW_CURRENT_LINK);
  await rm(newLink, { force: true });
  await symlink(path.join('snapshots', id), newLink).catch((error) => {
    throw WITHOUT_LINKS.has(systemCode(error)) ? new NoLinks(dataDir) : error;
  });
  const current = path.join(dataDir, 'current');
  await rename(newLink, current).catch(async (error) => {
    throw WITHOUT_LINKS.has(systemCode(error)) && (await isOwn(current)) ? new KeepsLinks(dataDir) : error;
  });
  await flushToDisk(dataDir);
}

/** The codes with which a disk refuses links that it does not have. Missing rights have the code EACCES. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS']);

/** The disk of the data directory has no symbolic links. FAT, exFAT and some network shares have none. */
class NoLinks extends Error {
  constructor(dataDir: string) {
    super(
      `${dataDir} is on a disk without symbolic links, such as exFAT or a network share, and \`current\` is one; ` +
        'name a folder on another disk in DATA_DIR',
    );
    this.name = 'NoLinks';
  }
}

/** Whether this user may replace the link, as far as its owner decides that. */
async function isOwn(link: string): Promise<boolean> {
  const user = process.geteuid?.();
  return user === 0 || (await lstat(link).catch(() => null))?.uid === user;
}

/** The disk of the data directory renames nothing to the name of an existing file, as over SFTP without POSIX renames. */
class KeepsLinks extends Error {
  constructor(dataDir: string) {
    super(
      `${dataDir} is on a disk that cannot replace a link, such as a share over SFTP, and \`current\` is one; ` +
        'name a folder on another disk in DATA_DIR',
    );
    this.name = 'KeepsLinks';
  }
}

/** The name of the folder of unfinished work, beside the snapshots. */
export const UNFINISHED_FOLDER = 'tmp';

/** The name of the link that becomes `current`. */
export const NEW_CURRENT_LINK = 'current.new';

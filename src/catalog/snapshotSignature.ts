// Signatures of a snapshot's files: they tell a changed snapshot from an unchanged one without reading its content.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_FILE, snapshotDirectory } from './dataDirectory.ts';

/**
 * Distinguishes a snapshot from another one that got the same id after a prune; null when the snapshot does not exist.
 * It consists of the manifest's file status, which is cheap to read. A snapshot exists although its manifest cannot be
 * read now.
 */
export async function signatureOf(dataDir: string, id: string): Promise<string | null> {
  try {
    const manifest = path.join(snapshotDirectory(dataDir, id), MANIFEST_FILE);
    const { ino, size, mtimeNs } = await stat(manifest, { bigint: true });
    return `${id} ${ino} ${size} ${mtimeNs}`;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code) ? null : `${id} cannot be read (${code})`;
  }
}

/**
 * Changes when any file of a snapshot is written, replaced or made readable. Without a folder, it depends only on why
 * there is none.
 */
export async function filesSignatureOf(dataDir: string, id: string): Promise<string> {
  const directory = snapshotDirectory(dataDir, id);
  // A folder may be away with those above it.
  const names = await readdir(directory).catch(async (error) => [
    `${codeOf(error)} ${await stat(path.dirname(directory)).then(() => '', codeOf)}`,
  ]);
  const files = names.sort().map(async (name) => {
    const status = await stat(path.join(directory, name), { bigint: true }).catch(() => null);
    return status === null
      ? name
      : `${name} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`;
  });
  return (await Promise.all(files)).join('\n');
}

const codeOf = ({ code }: NodeJS.ErrnoException): string => code ?? '';

/** Changes when any file in a snapshot's folder is written or replaced, but not when it is linked to or made readable. */
export async function contentSignatureOf(directory: string): Promise<string> {
  const names = await readdir(directory).catch(() => []);
  const files = names.sort().map(async (name) => {
    const status = await stat(path.join(directory, name), { bigint: true }).catch(() => null);
    return `${name} ${status?.dev} ${status?.ino} ${status?.size} ${status?.mtimeNs}`;
  });
  return (await Promise.all(files)).join('\n');
}

// Makes signatures of a snapshot's files. They show whether the files have changed, without reading the files.

import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_FILE, snapshotDirectory } from './dataDirectory.ts';

/**
 * A text that distinguishes a snapshot from another one that gets the same id after a prune; null when the snapshot does
 * not exist. It is made from the status of the manifest's file, which is fast to read. If the manifest cannot be read now,
 * the snapshot counts as existing.
 */
export async function manifestSignatureOf(dataDir: string, id: string): Promise<string | null> {
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
 * A text that changes when any file of a snapshot is written, replaced or made readable. If the folder cannot be read,
 * the text depends only on the reason.
 */
export async function filesAndRightsSignatureOf(dataDir: string, id: string): Promise<string> {
  const directory = snapshotDirectory(dataDir, id);
  // The reason covers the parent folder as well, because that folder may be away too.
  const names = await readdir(directory).catch(async (error) => [
    `${codeOf(error)} ${await stat(path.dirname(directory)).then(() => '', codeOf)}`,
  ]);
  return linesOf(directory, names, ['ino', 'size', 'mtimeNs', 'ctimeNs']);
}

const codeOf = ({ code }: NodeJS.ErrnoException): string => code ?? '';

/** A text that changes when any file in a folder is written or replaced, but not when its rights or links change. */
export async function fileContentsSignatureOf(directory: string): Promise<string> {
  const names = await readdir(directory).catch(() => []);
  return linesOf(directory, names, ['dev', 'ino', 'size', 'mtimeNs']);
}

/** A line for each file: its name and some fields of its status. */
async function linesOf(
  directory: string,
  names: string[],
  fields: readonly (keyof BigIntStats)[],
): Promise<string> {
  const lines = names.sort().map(async (name) => {
    const status = await stat(path.join(directory, name), { bigint: true }).catch(() => null);
    return [name, ...fields.map((field) => status?.[field])].join(' ');
  });
  return (await Promise.all(lines)).join('\n');
}

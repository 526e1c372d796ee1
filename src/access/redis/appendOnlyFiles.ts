// Checks the append-only files of the private Redis server before it starts.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const MANIFEST = 'appendonly.aof.manifest';

/** The most bytes of the append-only files of a Redis server without data. */
const EMPTY_BYTES = 256;

/**
 * Throws when Redis would overwrite its own data: without the manifest of its append-only files, as after an incomplete
 * restore, it starts empty and writes new files over the old ones.
 */
export async function expectManifest(folder: string): Promise<void> {
  const directory = path.join(folder, 'appendonlydir');
  const files = await readdir(directory).catch((): string[] => []);
  if (files.includes(MANIFEST)) return;
  const data = files.filter((file) => /\.(?:rdb|aof)$/.test(file));
  const sizes = await Promise.all(data.map(async (file) => (await stat(path.join(directory, file))).size));
  // A server that was killed at its first start leaves files without data and no manifest.
  if (sizes.reduce((sum, size) => sum + size, 0) <= EMPTY_BYTES) return;
  throw new Error(
    `redis-server was not started, because it would overwrite its data: ${MANIFEST} is missing; restore all files of ${directory}, or move the folder away to begin without keys`,
  );
}

// Checks the append-only files of the private Redis server before it starts.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

const MANIFEST = 'appendonly.aof.manifest';

/** The most bytes of the append-only files of a Redis server without data. */
const EMPTY_BYTES = 256;

/** The first version of Redis with several append-only files and a manifest. */
const MANIFEST_VERSION = 7;

/**
 * Throws when a server would start without the data in the folder:
 * - The manifest of the append-only files is missing, as after an incomplete restore. The server would overwrite the other files.
 * - The server is older than Redis 7, so it can read none of these files.
 */
export async function expectReadable(folder: string, { name, version }: Program): Promise<void> {
  const directory = path.join(folder, 'appendonlydir');
  const files = await readdir(directory).catch((): string[] => []);
  const data = files.filter((file) => /\.(?:rdb|aof)$/.test(file));
  const sizes = await Promise.all(data.map(async (file) => (await stat(path.join(directory, file))).size));
  // A server that was killed at its first start leaves files without data and no manifest.
  if (sizes.reduce((sum, size) => sum + size, 0) <= EMPTY_BYTES) return;
  if (Number.parseInt(version, 10) < MANIFEST_VERSION)
    throw new Error(
      `${name} was not started, because it would begin without keys: its version ${version} cannot read ${directory}, which Redis 7 or newer wrote; install Redis 7 or newer, or Valkey`,
    );
  if (files.includes(MANIFEST)) return;
  throw new Error(
    `${name} was not started, because it would overwrite its data: ${MANIFEST} is missing; restore all files of ${directory}, or move the folder away to begin without keys`,
  );
}

interface Program {
  readonly name: string;
  /** The version, such as `7.0.15`; empty when it is not known. */
  readonly version: string;
}

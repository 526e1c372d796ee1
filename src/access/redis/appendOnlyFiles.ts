// Checks the append-only files of the private Redis server before it starts, and says what a start has lost.

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

export const APPEND_ONLY_DIRECTORY = 'appendonlydir';
export const APPEND_ONLY_MANIFEST = 'appendonly.aof.manifest';

/** The most bytes of the append-only files of a Redis server without data. */
const EMPTY_BYTES = 256;

/** The first version of Redis with several append-only files and a manifest. */
const MANIFEST_VERSION = 7;

/**
 * Throws when a server would start without the data in the folder:
 * - The manifest of the append-only files is missing, as after an incomplete restore. The server would overwrite the other
 *   files.
 * - The server is older than Redis 7, so it can read none of these files.
 */
export async function expectReadable(folder: string, { name, version }: Program): Promise<void> {
  const directory = path.join(folder, APPEND_ONLY_DIRECTORY);
  const files = await readdir(directory).catch((): string[] => []);
  const data = files.filter((file) => /\.(?:rdb|aof)$/.test(file));
  const sizes = await Promise.all(data.map(async (file) => (await stat(path.join(directory, file))).size));
  // A server that was killed at its first start leaves files without data and no manifest.
  if (sizes.reduce((sum, size) => sum + size, 0) <= EMPTY_BYTES) return;
  if (Number.parseInt(version, 10) < MANIFEST_VERSION)
    throw new Error(
      `${name} was not started, because it would begin without keys: its version ${version} cannot read ${directory}, which Redis 7 or newer wrote; install Redis 7 or newer, or Valkey`,
    );
  if (files.includes(APPEND_ONLY_MANIFEST)) return;
  throw new Error(
    `${name} was not started, because it would overwrite its data: ${APPEND_ONLY_MANIFEST} is missing; restore all files of ${directory}, or move the folder away to begin without keys`,
  );
}

interface Program {
  readonly name: string;
  /** The version, such as `7.0.15`; empty when it is not known. */
  readonly version: string;
}

/** What is known about the data in a folder before a server starts there. */
export interface FilesBeforeStart {
  /** Whether an earlier server has ended here, and its append-only files are gone. */
  readonly areGone: boolean;
  /** The length of the server's log, in characters. */
  readonly logCharacters: number;
}

/** Looks at a folder before a server starts there. `logFile` is the server's log. */
export async function filesBeforeStart(folder: string, logFile: string): Promise<FilesBeforeStart> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const inside = await readdir(path.join(folder, APPEND_ONLY_DIRECTORY)).catch((): string[] => []);
  // Redis 6.2 has its only file in the folder itself.
  const beside = (await readdir(folder)).filter((file) => file.endsWith('.aof'));
  return { areGone: HAS_ENDED.test(log) && inside.length + beside.length === 0, logCharacters: log.length };
}

/**
 * The data that a server has lost at its start, with the remedy; null when none is known to be lost. Must be called once
 * the server has read its data. A file that was replaced by an older one, or emptied, cannot be noticed.
 */
export async function lossAtStart(
  folder: string,
  logFile: string,
  { areGone, logCharacters }: FilesBeforeStart,
): Promise<string | null> {
  if (areGone)
    return (
      `${path.join(folder, APPEND_ONLY_DIRECTORY)} is gone, so it begins without keys; ` +
      'stop the server and restore the folder, or import a backup: keys import'
    );
  const log = await readFile(logFile, 'utf8').catch(() => '');
  const file = CUT_OFF.exec(log.slice(logCharacters))?.[1];
  if (file === undefined) return null;
  return `${file} ends in the middle of a change, so its last changes are gone; see whether the newest keys are there: keys list`;
}

/** Matches the last line that Redis and Valkey log. A server that did not start does not log it. */
const HAS_ENDED = /is now ready to exit, bye bye/;

/** Matches the line that Redis and Valkey log when they drop the incomplete end of a file. */
const CUT_OFF = /Truncating the AOF (\S+) at offset/;

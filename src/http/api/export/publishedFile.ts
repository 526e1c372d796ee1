// Opens the published file of a dataset, and checks that it is still the file that the manifest describes.

import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { getOrInsert } from '../../../basics/maps.ts';
import type { DatasetName } from '../../../catalog/datasets.ts';
import type { Snapshot } from '../../../catalog/snapshot.ts';
import { unavailable } from '../../../errors.ts';

export interface PublishedFile {
  readonly file: FileHandle;
  readonly path: string;
  readonly bytes: number;
  /**
   * Checks that the file was not changed after `openPublished` checked it. A prune only removes the file, so it is no
   * error.
   *
   * @throws {Error} when the file was changed.
   */
  expectUnchanged(): Promise<void>;
  /**
   * Makes the same check, and also checks that the path still leads to this file. DuckDB needs both checks, because it
   * opens the file by its path.
   *
   * @throws {ApiError} 503 when the snapshot was pruned meanwhile.
   * @throws {Error} when the file was changed, or another file is at its path.
   */
  expectUnchangedAtPath(): Promise<void>;
}

/**
 * Opens and checks the file; the caller closes it. Pages are answered from memory, so an export of a file that was
 * changed by hand would have other rows than pages have.
 *
 * @throws {ApiError} 503 when the snapshot was pruned just now.
 * @throws {Error} when the file was changed after it was published.
 */
export async function openPublished(snapshot: Snapshot, dataset: DatasetName): Promise<PublishedFile> {
  const described = snapshot.manifest.datasets[dataset];
  if (!described) throw new Error(`snapshot ${snapshot.id} holds no ${dataset}`);
  const location = path.join(snapshot.directory, described.file);
  const file = await openFile(location);
  try {
    const status = await file.stat({ bigint: true });
    const fail = (problem: string) =>
      new Error(`${snapshot.id}/${described.file} ${problem}; publish it again`);
    if (Number(status.size) !== described.bytes)
      throw fail(`has ${status.size} bytes and the manifest says ${described.bytes}`);
    if ((await sha256Of(snapshot, file, status)) !== described.sha256)
      throw fail('was changed after it was published: its SHA-256 is not the one in the manifest');
    const expectUnchanged = async () => {
      const { size, mtimeNs } = await file.stat({ bigint: true });
      if (size !== status.size || mtimeNs !== status.mtimeNs) throw fail('was changed while it was read');
    };
    const expectUnchangedAtPath = async () => {
      await expectUnchanged();
      const { dev, ino } = await stat(location, { bigint: true }).catch(unavailableWhenGone);
      if (dev !== status.dev || ino !== status.ino) throw fail('was replaced while it was read');
    };
    return { file, path: location, bytes: described.bytes, expectUnchanged, expectUnchangedAtPath };
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

/**
 * Opens a file for reading.
 * @throws {ApiError} 503 when the file has just been removed, with its snapshot.
 */
export const openFile = (file: string): Promise<FileHandle> =>
  // A pipe in place of the file would make `open` wait for a writer.
  open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(unavailableWhenGone);

function unavailableWhenGone(cause: NodeJS.ErrnoException): never {
  throw cause.code === 'ENOENT' ? unavailable() : cause;
}

/** The digests of each snapshot's files. A key has a file's device, inode, size and times of its last changes. */
const digests = new WeakMap<Snapshot, Map<string, Promise<string>>>();

/** The SHA-256 of a file, computed again only when the file was changed or replaced. */
function sha256Of(snapshot: Snapshot, file: FileHandle, status: BigIntStats): Promise<string> {
  const known = getOrInsert(digests, snapshot, () => new Map<string, Promise<string>>());
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  const key = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  const digest = getOrInsert(known, key, () => computeSha256(file));
  digest.catch(() => known.delete(key));
  return digest;
}

async function computeSha256(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunks = file.createReadStream({ start: 0, autoClose: false, highWaterMark: HASH_CHUNK_BYTES });
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

const HASH_CHUNK_BYTES = 2 ** 18;

// Opens the published file of a dataset, and checks that it still is the file that the manifest describes.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetName } from '../../../catalog/datasets.ts';
import type { Snapshot } from '../../../catalog/snapshot.ts';
import { unavailable } from '../../../errors.ts';

export interface PublishedFile {
  readonly file: FileHandle;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Opens the file; the caller closes it. Pages come from memory, so a file that was changed by hand would give other
 * rows than they do.
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
    return { file, path: location, bytes: described.bytes };
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

/** @throws {ApiError} 503 when the file has just been removed, with its snapshot. */
export const openFile = (file: string): Promise<FileHandle> =>
  open(file).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? unavailable() : cause;
  });

/** Digests by file and the times of its last changes. They live as long as their snapshot. */
const digests = new WeakMap<Snapshot, Map<string, Promise<string>>>();

/** The SHA-256 of a file, computed anew only when the file was changed or replaced. */
function sha256Of(snapshot: Snapshot, file: FileHandle, status: BigIntStats): Promise<string> {
  const known = digests.get(snapshot) ?? new Map<string, Promise<string>>();
  digests.set(snapshot, known);
  const { dev, ino, size, mtimeNs, ctimeNs } = status;
  const key = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  const digest = known.get(key) ?? computeSha256(file);
  known.set(key, digest);
  digest.catch(() => known.delete(key));
  return digest;
}

async function computeSha256(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const chunks = file.createReadStream({ start: 0, autoClose: false, highWaterMark: HASH_CHUNK_BYTES });
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** The bytes that are read and hashed at once. */
const HASH_CHUNK_BYTES = 2 ** 18;

// Copies each source into the work folder, and hashes it on the way.
//
// Readers read the copy, so the hash is that of the bytes that they read.

import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SourceManifest } from '../../src/catalog/manifest.ts';
import { makeFolders } from '../../src/system/makeFolders.ts';
import { namingFile } from '../../src/system/systemError.ts';
import { type Diagnostic, UnreadableError } from '../messages/fault.ts';
import { wholeFile } from '../messages/place.ts';
import { refuseUnlessFile, withFileErrors } from './readers/openFile.ts';
import { LIMITS } from './readers/sourceLimits.ts';

/** A source that was copied: its name, size and hash, and the path of the copy. */
export interface CopiedSource extends SourceManifest {
  readonly copy: string;
}

interface CopiedVersion {
  readonly name: string;
  readonly version: string;
}

/** Path of a copied source → its name and version. */
export type CopiedVersions = ReadonlyMap<string, CopiedVersion>;

/** The message about a source that changed while it was read. */
export const SOURCE_CHANGED: Diagnostic = {
  problem: 'changed while it was being read',
  remedy: 'run again when it is complete',
};

/**
 * The sources of one run. Each source is opened once, and afterwards only its copy is read. At the end of the run,
 * `changedNames` lists the sources that were changed since they were copied.
 */
export class SourceCopies {
  readonly #folder: string;
  readonly #mostBytes: number;
  #count = 0;
  readonly #versions = new Map<string, CopiedVersion>();

  /**
   * @param workDir The folder of unfinished work. The copies are in a separate folder below it.
   * @param mostBytes The most bytes that a source may have while it is copied. Its size was checked before, so a source
   * with more bytes is growing, and is refused.
   */
  constructor(workDir: string, mostBytes: number = LIMITS.fileBytes) {
    this.#folder = path.join(workDir, 'sources');
    this.#mostBytes = mostBytes;
  }

  /**
   * Copies and hashes the file at `from`. The caller removes the copy.
   *
   * @param name The name of the file in messages.
   * @throws {UnreadableError} when the file is not a regular file, may not be read, is over the limit or changes meanwhile.
   */
  async copy(from: string, name: string): Promise<CopiedSource> {
    await withFileErrors(name, () => refuseUnlessFile(from, name));
    makeFolders(this.#folder);
    this.#count += 1;
    const copy = path.join(this.#folder, `${this.#count}`);
    // Without O_NONBLOCK, `open` would wait for ever when a pipe has replaced the file since it was checked.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    const source = await withFileErrors(name, () => open(from, flags));
    try {
      const version = await versionOf(source);
      const { bytes, sha256 } = await this.#copy(source, name, copy);
      const isChanged = (await versionOf(source)) !== version || (await versionAt(from)) !== version;
      if (isChanged) throw new UnreadableError({ place: wholeFile(name), ...SOURCE_CHANGED });
      this.#versions.set(from, { name, version });
      return { file: name, bytes, sha256, copy };
    } finally {
      await source.close();
    }
  }

  async #copy(
    source: FileHandle,
    name: string,
    copy: string,
  ): Promise<Pick<SourceManifest, 'bytes' | 'sha256'>> {
    const hash = createHash('sha256');
    const { size } = await source.stat();
    // A small file gets a small buffer, because many large buffers would make V8 run a full garbage collection.
    const piece = Buffer.allocUnsafe(size < SMALL_BYTES ? SMALL_BYTES : PIECE_BYTES);
    const target = await open(copy, 'wx');
    let bytes = 0;
    try {
      for (;;) {
        const { bytesRead } = await withFileErrors(name, () => source.read(piece, 0, piece.length, bytes));
        if (bytesRead === 0) break;
        // The size was within the limit when it was checked, so the file is growing. Without this check, copying it might
        // never end.
        if (bytes + bytesRead > this.#mostBytes)
          throw new UnreadableError({ place: wholeFile(name), ...SOURCE_CHANGED });
        const read = piece.subarray(0, bytesRead);
        const written = namingFile(copy, target.writeFile(read));
        // A thread of libuv's pool writes the piece while this thread hashes it.
        hash.update(read);
        await written;
        bytes += bytesRead;
      }
    } finally {
      await target.close();
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  get versions(): CopiedVersions {
    return this.#versions;
  }

  /** Adds sources that another process copied. */
  add(versions: CopiedVersions): void {
    for (const [from, source] of versions) this.#versions.set(from, source);
  }

  /** The names of the sources that were written to, replaced or removed since they were copied. */
  async changedNames(): Promise<string[]> {
    const names: string[] = [];
    for (const [from, { name, version }] of this.#versions)
      if ((await versionAt(from)) !== version) names.push(name);
    return names;
  }
}

const PIECE_BYTES = 1 << 20;
const SMALL_BYTES = 1 << 14;

/**
 * Calls `read`, which reads a file without copying it, and returns its result.
 *
 * @throws {UnreadableError} when the file was written to or replaced meanwhile, even if `read` failed with another error.
 */
export async function readUnchanged<T>(file: string, name: string, read: () => Promise<T>): Promise<T> {
  const version = await versionAt(file);
  const [outcome] = await Promise.allSettled([read()]);
  if ((await versionAt(file)) !== version)
    throw new UnreadableError({ place: wholeFile(name), ...SOURCE_CHANGED });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** A text that changes when the file is written to or replaced. */
const versionOf = async (file: FileHandle): Promise<string> => versionIn(await file.stat({ bigint: true }));

const versionAt = (file: string): Promise<string> =>
  stat(file, { bigint: true }).then(versionIn, () => 'gone');

const versionIn = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

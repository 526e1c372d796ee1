// Copies each source into the work folder while hashing it: the bytes that are read are the bytes that were hashed.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SourceManifest } from '../../src/catalog/manifest.ts';
import { makeFolders } from '../../src/makeFolders.ts';
import { type Diagnostic, UnreadableError } from '../messages/fault.ts';
import { wholeFile } from '../messages/place.ts';
import { LIMITS } from './readers/limits.ts';
import { refuseUnlessFile, translatingSystemErrors } from './readers/open.ts';

/** A source as it was when it was copied. */
export interface Taken extends SourceManifest {
  /** Where the copy lies. */
  readonly copy: string;
}

/** By path, the name of each source that was taken and its version then. */
export type TakenVersions = ReadonlyMap<string, { readonly name: string; readonly version: string }>;

/** What is said of a source that is not what it was. */
export const CHANGED: Diagnostic = {
  problem: 'changed while it was being read',
  remedy: 'run again when it is complete',
};

/**
 * The sources of one run. A source is opened once, and whatever happens to it afterwards, its copy is read; `changed`
 * tells at the end of the run which sources are no longer what was read.
 */
export class Intake {
  readonly #folder: string;
  readonly #mostBytes: number;
  #count = 0;
  readonly #versions = new Map<string, { readonly name: string; readonly version: string }>();

  /**
   * @param workDir The folder of unfinished work; copies lie in a folder of their own below it.
   * @param mostBytes How much of a source is copied before it counts as one that grows.
   */
  constructor(workDir: string, mostBytes: number = LIMITS.fileBytes) {
    this.#folder = path.join(workDir, 'sources');
    this.#mostBytes = mostBytes;
  }

  /**
   * Copies and hashes the file at `from`; `name` is what it is called in messages. The caller removes the copy.
   *
   * @throws {UnreadableError} for what is no regular file, may not be read, is over the limit or changes meanwhile.
   */
  async take(from: string, name: string): Promise<Taken> {
    await translatingSystemErrors(name, () => refuseUnlessFile(from, name));
    makeFolders(this.#folder);
    this.#count += 1;
    const copy = path.join(this.#folder, `${this.#count}`);
    // Without O_NONBLOCK, opening a pipe that has just taken the file's place would wait for ever.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    const source = await translatingSystemErrors(name, () => open(from, flags));
    try {
      const version = await versionOf(source);
      const { bytes, sha256 } = await copied({ source, name, mostBytes: this.#mostBytes }, copy);
      const isChanged = (await versionOf(source)) !== version || (await versionAt(from)) !== version;
      if (isChanged) throw new UnreadableError({ place: wholeFile(name), ...CHANGED });
      this.#versions.set(from, { name, version });
      return { file: name, bytes, sha256, copy };
    } finally {
      await source.close();
    }
  }

  get versions(): TakenVersions {
    return this.#versions;
  }

  /** Adds sources that another process took. */
  add(versions: TakenVersions): void {
    for (const [from, taken] of versions) this.#versions.set(from, taken);
  }

  /** The names of the sources that were written to, replaced or removed since they were copied. */
  async changed(): Promise<string[]> {
    const names: string[] = [];
    for (const [from, { name, version }] of this.#versions)
      if ((await versionAt(from)) !== version) names.push(name);
    return names;
  }
}

const PIECE_BYTES = 1 << 20;
const SMALL_BYTES = 1 << 14;

interface Copying {
  readonly source: FileHandle;
  readonly name: string;
  readonly mostBytes: number;
}

async function copied(
  { source, name, mostBytes }: Copying,
  copy: string,
): Promise<Pick<SourceManifest, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  const { size } = await source.stat();
  // A short file needs no large buffer. Many of those would make V8 collect all garbage.
  const piece = Buffer.allocUnsafe(size < SMALL_BYTES ? SMALL_BYTES : PIECE_BYTES);
  const target = await open(copy, 'wx');
  let bytes = 0;
  try {
    for (;;) {
      const { bytesRead } = await translatingSystemErrors(name, () =>
        source.read(piece, 0, piece.length, bytes),
      );
      if (bytesRead === 0) break;
      // The file was within the limit at first. One that grows as fast as it is copied would be copied without end.
      if (bytes + bytesRead > mostBytes) throw new UnreadableError({ place: wholeFile(name), ...CHANGED });
      const read = piece.subarray(0, bytesRead);
      const written = target.writeFile(read);
      // Another thread writes meanwhile.
      hash.update(read);
      await written;
      bytes += bytesRead;
    }
  } finally {
    await target.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Reads a file where it lies, without a copy of it.
 *
 * @throws {UnreadableError} when the file was written to or replaced meanwhile, whatever came of reading it.
 */
export async function unlessChanged<T>(file: string, name: string, read: () => Promise<T>): Promise<T> {
  const version = await versionAt(file);
  const [outcome] = await Promise.allSettled([read()]);
  if ((await versionAt(file)) !== version) throw new UnreadableError({ place: wholeFile(name), ...CHANGED });
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** What differs after a file was written to or replaced. Times are in nanoseconds. */
async function versionOf(file: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

async function versionAt(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  if (found === null) return 'gone';
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

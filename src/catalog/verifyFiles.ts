// Reads a snapshot's manifest and compares its files with it, before anything is loaded.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { MANIFEST_FILE } from './dataDirectory.ts';
import { DATASET_NAMES } from './datasets.ts';
import {
  type AnyManifest,
  anyManifestSchema,
  type ListedDatasets,
  listedDatasetsSchema,
  type Manifest,
  manifestSchema,
} from './manifest.ts';

/** A snapshot that must not be served. The message names the snapshot, the problem and the remedy. */
export class SnapshotRefused extends Error {
  /** The damaged file; null when the problem is not in a single file. */
  readonly file: string | null;
  /** The problem of the file, or of the snapshot. */
  readonly problem: string;
  readonly remedy: string;

  constructor(id: string, problem: string, remedy: string, file: string | null = null) {
    super(`snapshot ${id}: ${file === null ? '' : `${file} `}${problem}; ${remedy}`);
    this.name = 'SnapshotRefused';
    this.file = file;
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** A file is there and cannot be read now, such as while the process has no file descriptor left. It is not damaged. */
export class SnapshotUnreadable extends SnapshotRefused {}

/** The error for a file that the file system did not give: the snapshot is damaged, or cannot be read for now. */
function unread(id: string, file: string, cause: unknown): SnapshotRefused {
  const { code } = cause as NodeJS.ErrnoException;
  const problem = `cannot be read (${code ?? cause})`;
  return code === undefined || WRONG_FILE.includes(code)
    ? new SnapshotRefused(id, problem, REPUBLISH, file)
    : new SnapshotUnreadable(id, problem, READ_AGAIN, file);
}

/** The file is missing, or something else has its place. */
const WRONG_FILE: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];
const REPUBLISH = 'publish it again';
const READ_AGAIN = 'see that its disk answers and that the process may open more files';
const SWITCH = 'make another one current with rollback <id>';

/**
 * The manifest of the snapshot in `directory`, whose name is the snapshot's id, as this version writes it.
 *
 * @throws {SnapshotRefused} when it is missing, is not a manifest, lacks a dataset, or is another snapshot's.
 */
export const readManifest = (directory: string): Promise<Manifest> =>
  parseManifest(directory, (json) => manifestSchema.safeParse(json));

/**
 * The same, written by any version of the program.
 *
 * @throws {SnapshotRefused} when it is missing, is not a manifest, or is another snapshot's.
 */
export const readAnyManifest = (directory: string): Promise<AnyManifest> =>
  parseManifest(directory, (json) => anyManifestSchema.safeParse(json));

/**
 * Every dataset of a snapshot, including those that are unknown here.
 *
 * @throws {SnapshotRefused} as `readAnyManifest`.
 */
export async function readListedDatasets(directory: string): Promise<ListedDatasets> {
  const id = path.basename(directory);
  return (
    await parseManifest(directory, (json) =>
      listedDatasetsSchema.extend({ id: z.literal(id) }).safeParse(json),
    )
  ).datasets;
}

async function parseManifest<Parsed extends { readonly id: string }>(
  directory: string,
  parse: (json: unknown) => z.ZodSafeParseResult<Parsed>,
): Promise<Parsed> {
  const id = path.basename(directory);
  const refuse = (problem: string) => new SnapshotRefused(id, problem, REPUBLISH, MANIFEST_FILE);
  let text: string;
  try {
    text = await readFile(path.join(directory, MANIFEST_FILE), 'utf8');
  } catch (cause) {
    const isGone = await stat(directory).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (isGone) throw new SnapshotRefused(id, 'is not there', SWITCH);
    throw unread(id, MANIFEST_FILE, cause);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  const parsed = parse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw refuse(`is no manifest (${issue?.path.join('.') || 'the document'}: ${issue?.message})`);
  }
  if (parsed.data.id !== id) throw refuse(`is that of ${parsed.data.id}`);
  return parsed.data;
}

/**
 * Compares the length and SHA-256 of each known dataset's file with the manifest.
 *
 * @throws {SnapshotRefused} naming the first file that is missing or differs.
 */
export async function verifyFiles(directory: string, manifest: AnyManifest): Promise<void> {
  for (const name of DATASET_NAMES) {
    const described = manifest.datasets[name];
    if (!described) continue;
    const { file, bytes, sha256 } = described;
    const refuse = (problem: string) => new SnapshotRefused(manifest.id, problem, REPUBLISH, file);
    if (file !== path.basename(file)) throw refuse('lies outside the snapshot');
    try {
      const { size } = await stat(path.join(directory, file));
      if (size !== bytes) throw refuse(`holds ${size} bytes where the manifest says ${bytes}`);
      if ((await fileSha256(path.join(directory, file))) !== sha256) {
        throw refuse('is damaged: its SHA-256 is not the one in the manifest');
      }
    } catch (cause) {
      if (cause instanceof SnapshotRefused) throw cause;
      throw unread(manifest.id, file, cause);
    }
  }
}

/** The SHA-256 of a file, in hexadecimal, without holding a large file in memory. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  const { size } = await stat(file);
  // Each read allocates `highWaterMark` bytes, also for a short file. Many allocations of 1 MB make V8 collect all garbage.
  const highWaterMark = Math.max(1, Math.min(PIECE_BYTES, size));
  for await (const chunk of createReadStream(file, { highWaterMark })) hash.update(chunk);
  return hash.digest('hex');
}

const PIECE_BYTES = 1 << 20;

// Copies snapshots to an object store and back. A snapshot never changes, so its objects are written once.

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST_FILE, snapshotDirectory } from '../../src/catalog/dataDirectory.ts';
import type { AnyManifest } from '../../src/catalog/manifest.ts';
import { readAnyManifest, readListedDatasets } from '../../src/catalog/verifyFiles.ts';
import { type ObjectStore, StoreFailed } from './objectStore.ts';
import { sync, TEMPORARY } from './publish.ts';

export interface Copied {
  readonly snapshot: string;
  readonly status: 'pushed' | 'pulled' | 'unchanged';
  readonly files: number;
  readonly bytes: number;
}

interface Described {
  readonly file: string;
  readonly sha256: string;
}

/**
 * Copies a snapshot to the store: its manifest last, so that a copy that was cut short is not listed and is completed by
 * the next push.
 *
 * @throws {StoreFailed} when a file is damaged, or the store has another snapshot of that id.
 */
export async function pushSnapshot(dataDir: string, id: string, store: ObjectStore): Promise<Copied> {
  const directory = snapshotDirectory(dataDir, id);
  const described = await filesOf(directory);
  const manifest = await readFile(path.join(directory, MANIFEST_FILE));
  const present = await store.get(nameOf(id, MANIFEST_FILE));
  if (present?.equals(manifest)) return { snapshot: id, status: 'unchanged', files: 0, bytes: 0 };
  if (present !== null) throw new StoreFailed(otherSnapshot(id));
  let bytes = 0;
  for (const { file, sha256 } of described) {
    const content = await readFile(path.join(directory, file));
    if (sha256Of(content) !== sha256)
      throw new StoreFailed(
        `${file} of ${id} is damaged here: \`ingest verify ${id}\` says where; nothing more was pushed`,
      );
    bytes += content.length;
    if (await store.create(nameOf(id, file), content, sha256)) continue;
    const stored = await store.get(nameOf(id, file));
    if (stored !== null && sha256Of(stored) !== sha256) throw new StoreFailed(otherSnapshot(id));
  }
  if (!(await store.create(nameOf(id, MANIFEST_FILE), manifest, sha256Of(manifest)))) {
    const stored = await store.get(nameOf(id, MANIFEST_FILE));
    if (!stored?.equals(manifest)) throw new StoreFailed(otherSnapshot(id));
  }
  return { snapshot: id, status: 'pushed', files: described.length + 1, bytes: bytes + manifest.length };
}

const otherSnapshot = (id: string) =>
  `the store has another snapshot ${id}: two data directories push to one place; give each a prefix of its own in SNAPSHOT_STORE`;

/**
 * Copies a snapshot from the store: beside, every checksum compared, then renamed. `current` stays as it is.
 *
 * @throws {StoreFailed} when the store lacks it, or one of its objects is missing or was changed.
 */
export async function pullSnapshot(dataDir: string, id: string, store: ObjectStore): Promise<Copied> {
  const target = snapshotDirectory(dataDir, id);
  const manifest = await store.get(nameOf(id, MANIFEST_FILE));
  if (manifest === null)
    throw new StoreFailed(`the store has no snapshot ${id}: \`list --store\` shows those it has`);
  const present = await readFile(path.join(target, MANIFEST_FILE)).catch(() => null);
  if (present?.equals(manifest)) return { snapshot: id, status: 'unchanged', files: 0, bytes: 0 };
  if (present !== null) throw new StoreFailed(otherSnapshot(id));
  const directory = path.join(dataDir, TEMPORARY, 'pulled', id);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(path.join(directory, MANIFEST_FILE), manifest);
    const described = await filesOf(directory);
    let bytes = manifest.length;
    for (const { file, sha256 } of described) {
      const content = await store.get(nameOf(id, file));
      if (content === null || sha256Of(content) !== sha256)
        throw new StoreFailed(
          `${file} of ${id} is ${content === null ? 'missing in' : 'not what its manifest says in'} the store; push it again from a machine that has it, under another prefix`,
        );
      await writeFile(path.join(directory, file), content);
      await sync(path.join(directory, file));
      bytes += content.length;
    }
    await sync(directory);
    await mkdir(path.dirname(target), { recursive: true });
    await rename(directory, target);
    await sync(path.dirname(target));
    return { snapshot: id, status: 'pulled', files: described.length + 1, bytes };
  } finally {
    await rm(path.join(dataDir, TEMPORARY, 'pulled'), { recursive: true, force: true });
  }
}

/** The ids of the snapshots that the store has complete, in its order. */
export async function storedSnapshots(store: ObjectStore): Promise<string[]> {
  const ids = await store.folders(SNAPSHOTS);
  const complete: string[] = [];
  for (const id of ids) if ((await store.get(nameOf(id, MANIFEST_FILE))) !== null) complete.push(id);
  return complete;
}

const SNAPSHOTS = 'snapshots';

const nameOf = (id: string, file: string) => `${SNAPSHOTS}/${id}/${file}`;

/** Every file of a snapshot but its manifest, with its checksum. @throws {SnapshotRefused} when the manifest is none. */
async function filesOf(directory: string): Promise<Described[]> {
  const { documents }: AnyManifest = await readAnyManifest(directory);
  const all = [...Object.values(await readListedDatasets(directory)), ...documents];
  const outside = all.find(({ file }) => file !== path.basename(file) || file.startsWith('.'));
  if (outside)
    throw new StoreFailed(
      `the manifest of ${path.basename(directory)} names ${outside.file}, which lies outside the snapshot`,
    );
  return all.map(({ file, sha256 }) => ({ file, sha256 }));
}

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');

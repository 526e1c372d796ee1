// Copies snapshots to an object store and back. A snapshot never changes, so its objects are written once.

import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../basics/sha256.ts';
import { MANIFEST_FILE, snapshotDirectory } from '../catalog/dataDirectory.ts';
import type { AnyManifest } from '../catalog/manifest.ts';
import { readAnyManifest, readListedDatasets } from '../catalog/readManifest.ts';
import { SnapshotRefused } from '../catalog/snapshotRefused.ts';
import { flushToDisk } from '../system/flushToDisk.ts';
import { makeFolders } from '../system/makeFolders.ts';
import { namingFile } from '../system/systemError.ts';
import { type LockHolder, lock } from './lock.ts';
import type { ObjectStore } from './objectStore.ts';
import { isTaken, placeSnapshot } from './placeSnapshot.ts';
import { StoreFailed } from './s3Client.ts';

/** The outcome of a push or pull. */
export interface CopyOutcome {
  readonly snapshot: string;
  readonly status: 'pushed' | 'pulled' | 'unchanged';
  /** How many files were copied, the manifest included. */
  readonly files: number;
  readonly bytes: number;
}

interface SnapshotFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The folder of a store that holds the snapshots. */
export const STORED_SNAPSHOTS_FOLDER = 'snapshots';

const objectName = (id: string, file: string) => `${STORED_SNAPSHOTS_FOLDER}/${id}/${file}`;

/**
 * Copies the snapshot in `directory`, whose name is its id, to the store. The manifest is written last. So an interrupted
 * copy is not listed, and the next push completes it. Objects that are missing or were changed are written again.
 *
 * @param created receives the names of the objects that this push creates, before they are written. A name stays in it when
 *   the write fails, because the store may have the object then.
 * @throws {StoreFailed} when a file is damaged here, or the store has another snapshot of that id.
 */
export async function pushSnapshot(
  directory: string,
  store: ObjectStore,
  created: Set<string> = new Set(),
): Promise<CopyOutcome> {
  const id = path.basename(directory);
  const push: Push = { id, store, created };
  const snapshotFiles = await filesOf(directory);
  const manifest = await readFile(path.join(directory, MANIFEST_FILE));
  const present = await store.get(objectName(id, MANIFEST_FILE));
  if (present !== null && !present.equals(manifest)) throw new StoreFailed(otherSnapshotMessage(id, store));
  const write = present === null ? createObject : repairObject;
  let [files, bytes] = [0, 0];
  for (const entry of snapshotFiles) {
    const content = await readUndamaged(directory, entry);
    if (!(await write(push, entry.file, content))) continue;
    files += 1;
    bytes += content.length;
  }
  if (present === null && (await createObject(push, MANIFEST_FILE, manifest))) {
    files += 1;
    bytes += manifest.length;
  } else if (!(await hasObject(push, MANIFEST_FILE, manifest))) {
    throw new StoreFailed(otherSnapshotMessage(id, store));
  }
  return { snapshot: id, status: files === 0 ? 'unchanged' : 'pushed', files, bytes };
}

/** A snapshot that is copied to a store. */
interface Push {
  readonly id: string;
  readonly store: ObjectStore;
  /** The names of the objects that the push creates. */
  readonly created: Set<string>;
}

/**
 * The content of a file of a snapshot.
 *
 * @throws {StoreFailed} when the content differs from the manifest.
 */
async function readUndamaged(directory: string, { file, sha256: expected }: SnapshotFile): Promise<Buffer> {
  const content = await readFile(path.join(directory, file));
  if (sha256(content, 'hex') === expected) return content;
  const id = path.basename(directory);
  throw new StoreFailed(
    `${file} of ${id} is damaged here: \`ingest verify ${id}\` says where; nothing more was pushed`,
  );
}

/**
 * Writes an object of a snapshot whose manifest the store does not have yet. False when the store has the object already.
 *
 * @throws {StoreFailed} when the object has another content, because somebody else is pushing another snapshot of this id.
 */
async function createObject(push: Push, file: string, content: Buffer): Promise<boolean> {
  const { id, store, created } = push;
  const name = objectName(id, file);
  created.add(name);
  if (await store.write(name, content, 'new')) return true;
  created.delete(name);
  if (await hasObject(push, file, content)) return false;
  throw new StoreFailed(otherSnapshotMessage(id, store));
}

/** Writes an object of a snapshot whose manifest the store has, if the object is missing or was changed by hand. */
async function repairObject(push: Push, file: string, content: Buffer): Promise<boolean> {
  if (await hasObject(push, file, content)) return false;
  await push.store.write(objectName(push.id, file), content, 'always');
  return true;
}

/** Whether the store has the object with this content. */
const hasObject = async ({ id, store }: Push, file: string, content: Buffer): Promise<boolean> =>
  (await store.get(objectName(id, file), content.length))?.equals(content) === true;

/** Whether the store has the whole snapshot. */
export const hasWholeSnapshot = async (id: string, store: ObjectStore): Promise<boolean> =>
  (await store.get(objectName(id, MANIFEST_FILE))) !== null;

const otherSnapshotMessage = (id: string, { address }: ObjectStore) =>
  `the store has another snapshot ${id} at ${address}: two data directories push to the same place; give each a prefix of its own in SNAPSHOT_STORE`;

/**
 * Removes the objects of a snapshot. The manifest goes first, so that the rest does not count as a complete snapshot.
 */
export async function removeStoredSnapshot(id: string, store: ObjectStore): Promise<void> {
  await store.remove(objectName(id, MANIFEST_FILE));
  for (const file of await store.names(`${STORED_SNAPSHOTS_FOLDER}/${id}`))
    await store.remove(objectName(id, file));
}

/**
 * Copies a snapshot from the store into a temporary folder, and renames that folder when all checksums are right. It
 * does not change `current`. Must be called within `withDownloadLock`.
 *
 * @param commit Called right before the folder is renamed. If it throws, nothing is pulled.
 * @returns null when the store does not have the snapshot.
 * @throws {StoreFailed} when one of its objects is missing or was changed.
 */
export async function pullSnapshot(
  dataDir: string,
  id: string,
  store: ObjectStore,
  commit: () => void = () => {},
): Promise<CopyOutcome | null> {
  const target = snapshotDirectory(dataDir, id);
  const manifest = await store.get(objectName(id, MANIFEST_FILE));
  if (manifest === null) return null;
  const present = await readFile(path.join(target, MANIFEST_FILE)).catch(() => null);
  if (present?.equals(manifest)) return { snapshot: id, status: 'unchanged', files: 0, bytes: 0 };
  if (present !== null) throw new StoreFailed(otherSnapshotMessage(id, store));
  const directory = path.join(dataDir, INCOMING, id);
  makeFolders(directory);
  try {
    const manifestFile = path.join(directory, MANIFEST_FILE);
    await namingFile(manifestFile, writeFile(manifestFile, manifest, { flush: true }));
    const snapshotFiles = await filesOf(directory).catch((error) => {
      if (!(error instanceof SnapshotRefused)) throw error;
      throw new StoreFailed(changedMessage(id, MANIFEST_FILE, 'is not a manifest', store));
    });
    let bytes = manifest.length;
    for (const { file, bytes: expected, sha256: expectedSha256 } of snapshotFiles) {
      const stored = await store.download(objectName(id, file), path.join(directory, file), expected);
      if (stored === null) throw new StoreFailed(changedMessage(id, file, 'is missing', store));
      if (stored.bytes > expected)
        throw new StoreFailed(
          changedMessage(id, file, `is longer than the ${expected} bytes that its manifest says`, store),
        );
      if (stored.sha256 !== expectedSha256)
        throw new StoreFailed(changedMessage(id, file, 'is not what its manifest says', store));
      bytes += stored.bytes;
    }
    await flushToDisk(directory);
    makeFolders(path.dirname(target));
    commit();
    const isPlaced = await placeSnapshot(directory, target).catch((error) => {
      throw isTaken(error) ? new StoreFailed(otherSnapshotMessage(id, store)) : error;
    });
    return isPlaced
      ? { snapshot: id, status: 'pulled', files: snapshotFiles.length + 1, bytes }
      : { snapshot: id, status: 'unchanged', files: 0, bytes: 0 };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const changedMessage = (id: string, file: string, how: string, { address }: ObjectStore) =>
  `${file} of ${id} ${how} in the store at ${address}; ${repairedByPush(id)}`;

/** The remedy for a snapshot that the store lacks, or has only in part. */
export const repairedByPush = (id: string): string =>
  `\`ingest push ${id}\` from a machine that has the snapshot repairs it`;

/** The folder of incomplete downloads. Only the holder of `DOWNLOAD_LOCK` writes there. */
const INCOMING = 'incoming';

const DOWNLOAD_LOCK = 'store.lock';

/** Commands hold the lock of the data directory while they download, so whoever else downloads is a server. */
const BY_SERVER: LockHolder = {
  who: 'a server is downloading a snapshot into this folder',
  remedy: 'run again when it has done so',
};

/**
 * Runs `act` while no other process downloads into this data directory. Before that, it removes downloads that a killed
 * process has left incomplete.
 *
 * @throws {LockedError} when another process downloads now.
 */
export async function withDownloadLock<Value>(dataDir: string, act: () => Promise<Value>): Promise<Value> {
  makeFolders(dataDir);
  const downloadLock = await lock(path.join(dataDir, DOWNLOAD_LOCK), undefined, BY_SERVER);
  try {
    await rm(path.join(dataDir, INCOMING), { recursive: true, force: true });
    return await act();
  } finally {
    await rm(path.join(dataDir, INCOMING), { recursive: true, force: true }).catch(() => {});
    await downloadLock.release();
  }
}

/**
 * Removes downloads that a killed process has left incomplete, unless a server is downloading now. Without a lock file no
 * server is, and none is made.
 */
export async function removeIncomplete(dataDir: string): Promise<void> {
  const incoming = path.join(dataDir, INCOMING);
  if (!existsSync(incoming)) return;
  const removed = existsSync(path.join(dataDir, DOWNLOAD_LOCK))
    ? withDownloadLock(dataDir, async () => {})
    : rm(incoming, { recursive: true, force: true });
  await removed.catch(() => {});
}

/**
 * All files of a snapshot except its manifest, with their checksums.
 *
 * @throws {SnapshotRefused} when the manifest cannot be read or is not valid.
 * @throws {StoreFailed} when the manifest names a file outside the snapshot.
 */
async function filesOf(directory: string): Promise<SnapshotFile[]> {
  const { documents }: AnyManifest = await readAnyManifest(directory);
  const all = [...Object.values(await readListedDatasets(directory)), ...documents];
  const outside = all.find(({ file }) => file !== path.basename(file) || file.startsWith('.'));
  if (outside)
    throw new StoreFailed(
      `the manifest of ${path.basename(directory)} names ${outside.file}, which lies outside the snapshot`,
    );
  return all.map(({ file, bytes, sha256: digest }) => ({ file, bytes, sha256: digest }));
}
